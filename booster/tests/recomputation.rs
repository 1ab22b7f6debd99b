//! Which values are computed again instead of recorded: the sources in `adjoint/recomputations.f90`.

use std::collections::BTreeMap;

use booster_tests::{add_activity, calls, document, folder, printed, read, verified};
use xaif_booster::analysis::tbr;
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::adjoint::{Modes, Options, adjoint, plan_recomputation};
use xaif_schema::inspect::show::show;
use xaif_schema::model::Document;

/// The prepared document of each procedure of a source, with its recomputations.
fn planned(source: &str) -> BTreeMap<String, Document> {
    let source = read(&folder().join("adjoint").join(source));
    let mut all = BTreeMap::new();
    for call in calls(&source) {
        let mut doc = document(&source);
        add_activity(&mut doc, &call.procedure).expect("activity");
        prepare(&mut doc).expect("the canonical form");
        plan_recomputation(&mut doc, &Externals::new(), &Catalogue::standard(), &Modes::default());
        verified(&doc);
        all.insert(call.procedure, doc);
    }
    all
}

/// The recomputations as `xaif-show` prints them, in the order of the text.
fn shown(doc: &Document) -> Vec<String> {
    let text = show(doc);
    let marked = text.lines().filter(|line| line.contains("! recompute"));
    let statement = |line: &str| {
        let (statement, _) = line.split_once("! recompute").unwrap_or((line, ""));
        let statement = statement.trim().replace('~', "");
        match statement.split_once("  ") {
            Some((vertex, rest)) if vertex.starts_with('v') => rest.trim().to_owned(),
            _ => statement,
        }
    };
    marked.map(statement).collect()
}

#[test]
fn values_are_recomputed_where_their_equation_ends() {
    let expected: [(&str, &[&str]); 8] = [
        ("pairs", &["w = 1/sqrt(r)", "r = dot_product(d, d) + 1", "d = x(:, j) - x(:, i)"]),
        ("chain", &["c = b/(a + 2)", "b = a*a + x(i)", "a = x(k)*x(i)", "k = n + 1 - i"]),
        ("arms", &["t = x(i)*x(i)", "t = 2*x(i)"]),
        ("lost", &[]),
        ("steps", &[]),
        ("inner", &["t = x(i)*x(1)"]),
        ("leaves", &["t = x(i)*x(i)"]),
        ("costly", &[]),
    ];
    for (name, doc) in planned("recomputations.f90") {
        let wanted = expected.iter().find(|(known, _)| *known == name).expect("a known one").1;
        assert_eq!(shown(&doc), wanted, "{name}");
    }
}

/// A recomputation stands in the backward sweep alone, and its value is not on the tape.
#[test]
fn the_backward_sweep_computes_what_the_forward_sweep_does_not_record() {
    for (name, mut doc) in planned("recomputations.f90") {
        let values = shown(&doc);
        tbr::tbr(&mut doc, &Externals::new(), &Catalogue::standard(), &Modes::default());
        adjoint(&mut doc, &Options::default()).expect("an adjoint");
        // The operands of a recomputation in an original may be entries that only derivatives have.
        assert_eq!(shown(&doc), Vec::<String>::new(), "{name}: the originals");
        let text = printed(&doc);
        let (_, body) = text.split_once(&format!("subroutine {name}_b")).expect("the adjoint");
        for value in values {
            let (variable, _) = value.split_once(" = ").expect("an assignment");
            for record in [format!("push({variable})"), format!(") = {variable}\n")] {
                assert!(!body.contains(&record), "{name}: {record}: {body}");
            }
        }
    }
}

/// The plan is made anew: another one does not add to it.
#[test]
fn planning_twice_gives_the_same_document() {
    for (name, doc) in planned("recomputations.f90") {
        let mut again = doc.clone();
        plan_recomputation(
            &mut again,
            &Externals::new(),
            &Catalogue::standard(),
            &Modes::default(),
        );
        assert_eq!(shown(&again), shown(&doc), "{name}");
    }
}
