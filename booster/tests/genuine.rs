//! A document in XAIF 1.0, as whirl2xaif writes them: no declarations, names of all procedures
//! in the global scope, vertices in any order, an arm that leads straight to another branch. It goes
//! through the rewriters as one of ours.

use fortran_backend::{Layout, unparse};
use xaif_booster::analysis::activity;
use xaif_booster::externals::Externals;
use xaif_booster::stages::{ExternalsArgs, SideEffectsArgs};
use xaif_booster::transform::adjoint::{self, Modes, adjoint};
use xaif_booster::transform::canonicalize::canonicalize;
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_run::{Element, Request, parse_setting, run};
use xaif_schema::model::{Document, ScopeKind, StmtKind, Ty};
use xaif_schema::upgrade::upgrade;
use xaif_schema::{verify, xml};

fn branches_and_a_module() -> Document {
    let text = include_str!("genuine/branches_and_a_module.xaif");
    xml::read(text.as_bytes(), "branches_and_a_module.xaif").expect("a document")
}

/// Procedures that need an interface, an element of an array of assumed shape for an array, and a
/// branch both arms of which leave, so that nothing closes it.
fn interfaces() -> Document {
    let text = include_str!("genuine/interfaces.xaif");
    xml::read(text.as_bytes(), "interfaces.xaif").expect("a document")
}

/// Scopes before the ones around them, callers before callees, vertices and edges backwards, a loop.
fn in_any_order() -> Document {
    let text = include_str!("genuine/in_any_order.xaif");
    xml::read(text.as_bytes(), "in_any_order.xaif").expect("a document")
}

/// A procedure inside of another one, which changes a variable of it.
fn internal_procedure() -> Document {
    let text = include_str!("genuine/internal_procedure.xaif");
    xml::read(text.as_bytes(), "internal_procedure.xaif").expect("a document")
}

#[test]
fn an_adopted_document_holds_the_invariants_of_ours_and_everything_has_a_type() {
    let all = [
        (branches_and_a_module(), 1),
        (interfaces(), 0),
        (in_any_order(), 0),
        (internal_procedure(), 0),
    ];
    for (doc, modules) in all {
        let adopted = upgrade(&doc).expect("it says enough").into_owned();
        let found = verify::verify(&adopted);
        assert!(found.is_empty(), "{found:?}");
        let made = adopted.scopes.values().filter(|s| matches!(s.kind, ScopeKind::Module(_)));
        assert_eq!(made.count(), modules);
        assert!(adopted.exprs.values().all(|node| node.ty != Ty::default()));
        let again = upgrade(&adopted).expect("it says enough");
        assert_eq!(*again, adopted, "adopting twice changes nothing more");
    }
}

/// `y` and its derivative for `x` in the direction `xd`.
fn tangent_at(mut doc: Document, x: &str, xd: &str) -> (f64, f64) {
    canonicalize(&mut doc).expect("a canonical form");
    tangent(&mut doc, &Options::default()).expect("a tangent");
    let found = verify::verify(&doc);
    assert!(found.is_empty(), "{found:?}");
    let setting = |text: &str| parse_setting(text).expect("a setting");
    let values = vec![
        setting(&format!("x_1={x}")),
        setting(&format!("x_1d={xd}")),
        setting("y_2=0"),
        setting("y_2d=0"),
    ];
    let request = Request { procedure: Some("head_d".into()), values, ..Request::default() };
    let outcome = run(&doc, &request).expect("it runs");
    let value = |name: &str| {
        let output = outcome.outputs.iter().find(|output| output.name == name).expect(name);
        match output.elements[..] {
            [Element::Real(value, _)] => value,
            _ => panic!("{name} is no real number"),
        }
    };
    (value("y_2"), value("y_2d"))
}

#[test]
fn its_tangent_is_right_on_every_way_through_it() {
    let at = |x| tangent_at(branches_and_a_module(), x, "1");
    assert_eq!(at("3.0"), (9.0, 6.0), "the inner branch");
    assert_eq!(at("0.5"), (1.0, 2.0), "the procedure of the module");
    assert_eq!(at("-2.0"), (0.0, 0.0), "the way past the outer branch");
}

#[test]
fn the_derivative_procedures_are_called_by_the_same_kind_of_interface() {
    let at = |x| tangent_at(interfaces(), x, "[1,10,100]");
    assert_eq!(at("[2,5,7]"), (30.0, 60.0), "the whole array, then the rest of it");
    assert_eq!(at("[0.5,5,7]"), (17.5, 35.0), "an optional argument, absent and present");
}

#[test]
fn each_caller_has_a_name_of_its_own_for_what_it_declares_in_an_interface() {
    let adopted = upgrade(&interfaces()).expect("it says enough").into_owned();
    let head = adopted.procs.values().find(|proc| adopted.name(proc.symbol) == "head");
    let scope = head.expect("the head").scope;
    for stmt in adopted.stmts.values() {
        let StmtKind::Call(call) = &stmt.kind else { continue };
        let symbol = call.callee.symbol;
        let declared = adopted.symbols[symbol].scope == scope;
        assert_eq!(declared, adopted.name(symbol) != "first", "{}", adopted.name(symbol));
    }
}

/// With facts of side effects, which are recorded in the genuine form, and of activity.
fn with_facts(mut doc: Document) -> Document {
    let externals = Externals::new();
    let effects = SideEffectsArgs::default();
    let warnings = effects.apply(&mut doc, &ExternalsArgs::default(), &externals);
    assert!(warnings.is_empty(), "{warnings:?}");
    let options = activity::Options { heads: vec!["head".into()], ..Default::default() };
    activity::activity(&mut doc, &options, &externals).expect("facts");
    doc
}

#[test]
fn the_order_of_a_document_does_not_matter() {
    assert_eq!(tangent_at(in_any_order(), "2", "1"), (18.0, 21.0), "two rounds");
    assert_eq!(tangent_at(in_any_order(), "20", "1"), (20.0, 1.0), "none");
    assert_eq!(tangent_at(with_facts(in_any_order()), "2", "1"), (18.0, 21.0), "with facts");
}

#[test]
fn activity_analysis_gives_an_adopted_document_whoever_calls_it() {
    for doc in [branches_and_a_module(), in_any_order()] {
        let facts = with_facts(doc.clone());
        let same = with_facts(upgrade(&doc).expect("it says enough").into_owned());
        let active = |doc: &Document, of: &str| {
            let mut found: Vec<String> = doc
                .symbols
                .values()
                .filter(|symbol| symbol.active == Some(true))
                .map(|symbol| symbol.id.clone())
                .collect();
            found.sort();
            assert!(!found.is_empty(), "{of}");
            found
        };
        assert_eq!(active(&facts, "genuine"), active(&same, "adopted"));
        assert!(facts.symbols.values().all(|symbol| symbol.decl.is_some()), "it is adopted");
        let found = verify::verify(&facts);
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn facts_do_not_change_its_tangent() {
    let at = |x| tangent_at(with_facts(branches_and_a_module()), x, "1");
    assert_eq!(at("3.0"), (9.0, 6.0), "the inner branch");
    assert_eq!(at("0.5"), (1.0, 2.0), "the procedure of the module");
    assert_eq!(at("-2.0"), (0.0, 0.0), "the way past the outer branch");
}

/// Each of the three procedures that are made of the outer one has an inner one of its own.
#[test]
fn the_name_of_an_internal_procedure_belongs_to_its_host() {
    let mut doc = upgrade(&internal_procedure()).expect("it says enough").into_owned();
    let modes = Modes { all: true, ..Modes::default() };
    adjoint(&mut doc, &adjoint::Options { modes, ..Default::default() }).expect("an adjoint");
    let found = verify::verify(&doc);
    assert!(found.is_empty(), "{found:?}");
    let setting = |text: &str| parse_setting(text).expect("a setting");
    let values = ["x_1=3", "x_1b=0", "y_2=0", "y_2b=1"].map(setting).to_vec();
    let request = Request { procedure: Some("head_b".into()), values, ..Request::default() };
    let outcome = run(&doc, &request).expect("it runs");
    let gradient = outcome.outputs.iter().find(|output| output.name == "x_1b").expect("a gradient");
    assert!(matches!(gradient.elements[..], [Element::Real(value, _)] if value == 108.0));
    let texts = unparse(&doc, Layout::OneText).expect("it can be printed");
    let text: String = texts.into_iter().map(|(_, text)| text).collect();
    let made = |name: &str| text.matches(&format!("end subroutine {name}\n")).count();
    assert_eq!((made("inner_fwd"), made("inner_bwd"), made("inner")), (2, 2, 0), "{text}");
}

/// CYCLE leads straight to the head of its loop.
#[test]
fn a_loop_may_go_on_from_within() {
    let text = include_str!("genuine/rounds_that_go_on.xaif");
    let doc = xml::read(text.as_bytes(), "rounds_that_go_on.xaif").expect("a document");
    let mut doc = upgrade(&doc).expect("it says enough").into_owned();
    adjoint(&mut doc, &adjoint::Options::default()).expect("an adjoint");
    let found = verify::verify(&doc);
    assert!(found.is_empty(), "{found:?}");
    let setting = |text: &str| parse_setting(text).expect("a setting");
    let values = ["x=4", "xb=0", "y=1", "yb=1"].map(setting).to_vec();
    let request = Request { procedure: Some("rounds_b".into()), values, ..Request::default() };
    let outcome = run(&doc, &request).expect("it runs");
    // Two iterations: y is 2*y, then 2*y*x.
    for (name, gradient) in [("xb", 4.0), ("yb", 16.0)] {
        let found = outcome.outputs.iter().find(|output| output.name == name).expect("there");
        assert!(
            matches!(found.elements[..], [Element::Real(value, _)] if value == gradient),
            "{name}: {found:?}"
        );
    }
}
