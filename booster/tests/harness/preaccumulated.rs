//! Runs preaccumulation and compares the document before and after it.

use xaif_booster::transform::preaccumulate::{Options, preaccumulate};
use xaif_run::{Element, Mode, Output, Request};
use xaif_schema::model::Document;

use crate::{Call, execute, told, verified};

/// The document behind the stage, which asks nobody whether it pays.
pub fn made(doc: &Document, options: &Options, what: &str) -> Document {
    let mut doc = doc.clone();
    let options = Options { always: true, ..options.clone() };
    preaccumulate(&mut doc, &options).unwrap_or_else(|found| panic!("{what}: {}", told(&found)));
    verified(&doc);
    doc
}

/// What a call gives, with tangents by dual numbers.
pub fn executed(doc: &Document, call: &Call, what: &str) -> Vec<Output> {
    let request = Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        direction: call.direction.clone(),
        mode: Mode::Tangent,
        ..Request::default()
    };
    execute(doc, &request, what).outputs
}

/// Values are the same, derivatives as near as another order of arithmetic allows.
pub fn compare(before: &[Output], behind: &[Output], tolerance: f64, what: &str) {
    let near =
        |a: f64, b: f64| (a - b).abs() <= tolerance * (1.0 + a.abs()) || a.is_nan() && b.is_nan();
    assert_eq!(before.len(), behind.len(), "{what}");
    for (one, other) in before.iter().zip(behind) {
        let what = format!("{what}: {}", one.name);
        assert_eq!(one.elements.len(), other.elements.len(), "{what}");
        for pair in one.elements.iter().zip(&other.elements) {
            let (values, near) = match pair {
                (Element::Real(a, da), Element::Real(b, db)) => (same(*a, *b), near(*da, *db)),
                (Element::Complex(a, da), Element::Complex(b, db)) => (
                    a.iter().zip(b).all(|(a, b)| same(*a, *b)),
                    da.iter().zip(db).all(|(a, b)| near(*a, *b)),
                ),
                (a, b) => (a == b, true),
            };
            assert!(values && near, "{what}: {pair:?}");
        }
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// What another order of arithmetic makes of it: sources with single precision have it in all that matters, but for
/// those that say `! double`.
pub fn tolerance(source: &str) -> f64 {
    let words = ["real(4)", "complex(4)", "real ::", "real,"];
    let single = words.iter().any(|word| source.contains(word));
    if single && !source.contains("! double") { 1e-6 } else { 1e-11 }
}
