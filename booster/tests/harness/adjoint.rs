//! Adjoints and how they are judged: executed an adjoint is the transpose of what dual numbers give for the
//! original.
//!
//! For every variable v that has an adjoint the direction v' before the call and the weight on v
//! after it are pseudo-random. With v' after the call from dual numbers, and the adjoint before it
//! from the adjoint procedure, the sums of weight times v' after, and of adjoint times v' before, are
//! the same number. That holds for inputs and outputs alike: an input only accumulates, an output
//! that is overwritten ends with a zero adjoint.

use std::path::Path;

use xaif_booster::analysis::{liveness, tbr};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::adjoint::{Modes, Options, adjoint};
use xaif_run::{Element, Given, Limits, Mode, Request};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use crate::{Call, add_activity, derivatives, document, execute, told, verified};

/// The document with adjoints and the warnings, or the messages.
pub fn differentiated(source: &str) -> Result<(Document, Diagnostics), Diagnostics> {
    differentiated_by(source, &Options::default())
}

/// All calls are split.
pub fn split() -> Options {
    Options { modes: Modes { all: true, ..Modes::default() }, ..Options::default() }
}

/// Calls are split where that costs no more tape.
pub fn auto_split() -> Options {
    Options { modes: Modes { auto_split: true, ..Modes::default() }, ..Options::default() }
}

/// The same, as `options` say.
///
/// # Errors
/// What the adjoint refuses.
pub fn differentiated_by(
    source: &str,
    options: &Options,
) -> Result<(Document, Diagnostics), Diagnostics> {
    let mut doc = document(source);
    let warnings = adjoint(&mut doc, options)?;
    verified(&doc);
    Ok((doc, warnings))
}

/// Numbers between -1 and 1 that look random.
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (self.0 >> 40) as f64 / f64::from(1 << 24);
        (bits * 64.0).round() / 32.0 - 1.0
    }

    /// Numbers for elements of these types, real or complex.
    pub fn like(&mut self, elements: &[Element], shape: &[i64]) -> Given {
        let words = elements.iter().map(|element| match element {
            Element::Complex(..) => format!("({:?},{:?})", self.next(), self.next()),
            _ => format!("{:?}", self.next()),
        });
        Given { shape: shape.to_vec(), words: words.collect() }
    }
}

/// The real and imaginary parts of values or, with `tangent`, of their tangents.
fn parts(elements: &[Element], tangent: bool) -> Vec<f64> {
    let mut found = Vec::new();
    for element in elements {
        match element {
            Element::Real(value, derivative) => {
                found.push(if tangent { *derivative } else { *value })
            }
            Element::Complex(value, derivative) => {
                found.extend(if tangent { derivative } else { value });
            }
            _ => found.push(0.0),
        }
    }
    found
}

/// The numbers of what is given.
fn numbers(given: &Given) -> Vec<f64> {
    let split = given.words.iter().flat_map(|word| {
        word.trim_matches(['(', ')']).split(',').map(str::to_owned).collect::<Vec<_>>()
    });
    split.map(|word| word.parse().expect("a number")).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Stops where the adjoint of a call is not the transpose.
pub fn check_call(path: &Path, source: &str, derived: &Document, call: &Call, seed: u64) {
    check_call_after(&path.display().to_string(), &document(source), derived, call, (seed, 0));
}

/// The same of the call behind others, which finds what these have left: `p_b` what `p` leaves.
pub fn check_call_after(
    what: &str,
    original: &Document,
    derived: &Document,
    call: &Call,
    (seed, before): (u64, u32),
) {
    let what = format!("{what} {}", call.procedure);
    let procedure = format!("{}_b", call.procedure);
    let names = derivatives(derived, &procedure);
    let own = |name: &str| name.strip_suffix('b').unwrap_or(name).to_owned();
    // Adjoints copy what callers keep, and the canonical form copies what FORALL may read.
    let limits = Limits { copies_undefined: true, ..Limits::default() };
    // A first run tells shapes and types.
    let plain = Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        before,
        limits: limits.clone(),
        ..Request::default()
    };
    let shapes = execute(original, &plain, &what);
    let mut random = Numbers(seed);
    let mut directions: Vec<(String, Given)> = Vec::new();
    let mut weights: Vec<(String, Given)> = Vec::new();
    for name in &names {
        let Some(output) = shapes.outputs.iter().find(|output| output.name == own(name)) else {
            continue;
        };
        let direction = random.like(&output.elements, &output.shape);
        weights.push((name.clone(), random.like(&output.elements, &output.shape)));
        // The result of a function has no value before the call.
        if derived_is_argument(original, &call.procedure, &output.name) {
            directions.push((output.name.clone(), direction));
        }
    }
    let primal = Request { direction: directions.clone(), mode: Mode::Tangent, ..plain };
    let after = execute(original, &primal, &what);
    let mut values = call.values.clone();
    values.extend(weights.clone());
    let request =
        Request { procedure: Some(procedure), values, before, limits, ..Request::default() };
    let found = execute(derived, &request, &what);
    assert!(found.warnings.is_empty(), "{what}: {}", told(&found.warnings));
    let (mut left, mut right, mut size) = (0.0, 0.0, 1.0_f64);
    for (name, weight) in &weights {
        let output = after.outputs.iter().find(|output| output.name == own(name));
        let tangent = parts(&output.expect("an output").elements, true);
        let product = dot(&numbers(weight), &tangent);
        left += product;
        size = size.max(product.abs());
    }
    for (name, direction) in &directions {
        let adjoint = found.outputs.iter().find(|output| output.name == format!("{name}b"));
        let adjoint = parts(&adjoint.expect("an adjoint").elements, false);
        let product = dot(&numbers(direction), &adjoint);
        right += product;
        size = size.max(product.abs());
    }
    assert!(!weights.is_empty(), "{what}: nothing was compared");
    if before > 0 && !left.is_finite() && !right.is_finite() {
        // What a program goes on from may grow beyond all numbers.
        return;
    }
    let close = (left - right).abs() <= 1e-11 * size;
    assert!(close, "{what}: dual numbers give {left}, the adjoint {right}");
}

fn derived_is_argument(doc: &Document, procedure: &str, name: &str) -> bool {
    let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == procedure);
    let args = proc.map(|proc| proc.args.clone()).unwrap_or_default();
    args.iter().filter_map(|arg| arg.symbol).any(|symbol| doc.name(symbol) == name)
}

/// As the pipeline makes it with facts of what is to be recorded; with those of activity only where
/// `head` is given.
pub fn with_facts(
    source: &str,
    head: Option<&str>,
    options: &Options,
) -> Result<Document, Diagnostics> {
    with_facts_for(&options.modes, source, head, options)
}

/// As [`with_facts`], where the facts are found for calls in other modes.
pub fn with_facts_for(
    modes: &Modes,
    source: &str,
    head: Option<&str>,
    options: &Options,
) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    if let Some(head) = head {
        add_activity(&mut doc, head)?;
    }
    prepare(&mut doc)?;
    let rules = (&Externals::new(), &Catalogue::standard());
    liveness::liveness(&mut doc, rules.0, rules.1, modes);
    tbr::tbr(&mut doc, rules.0, rules.1, modes);
    adjoint(&mut doc, options)?;
    verified(&doc);
    Ok(doc)
}
