//! A document in genuine XAIF 1.0, as whirl2xaif writes them: no declarations, names of all procedures
//! in the global scope, vertices in any order, an arm that leads straight to another branch. It goes
//! through the rewriters as one of ours.

use xaif_booster::transform::canonicalize::canonicalize;
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_run::{Element, Request, parse_setting, run};
use xaif_schema::adopt::adopt;
use xaif_schema::model::{Document, ScopeKind, Ty};
use xaif_schema::{verify, xml};

fn genuine() -> Document {
    let text = include_str!("genuine/branches_and_a_module.xaif");
    xml::read(text.as_bytes(), "branches_and_a_module.xaif").expect("a document")
}

#[test]
fn an_adopted_document_holds_the_invariants_of_ours_and_everything_has_a_type() {
    let doc = genuine();
    let adopted = adopt(&doc).expect("it says enough").into_owned();
    let found = verify::verify(&adopted);
    assert!(found.is_empty(), "{found:?}");
    let modules = adopted.scopes.values().filter(|s| matches!(s.kind, ScopeKind::Module(_)));
    assert_eq!(modules.count(), 1);
    assert!(adopted.exprs.values().all(|node| node.ty != Ty::default()));
    let again = adopt(&adopted).expect("it says enough");
    assert_eq!(*again, adopted, "adopting twice changes nothing more");
}

/// `y` and its derivative for `x` in direction 1.
fn tangent_at(x: f64) -> (f64, f64) {
    let mut doc = genuine();
    canonicalize(&mut doc).expect("a canonical form");
    tangent(&mut doc, &Options::default()).expect("a tangent");
    let found = verify::verify(&doc);
    assert!(found.is_empty(), "{found:?}");
    let setting = |text: &str| parse_setting(text).expect("a setting");
    let values =
        vec![setting(&format!("x_1={x}")), setting("x_1d=1"), setting("y_2=0"), setting("y_2d=0")];
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
    assert_eq!(tangent_at(3.0), (9.0, 6.0), "the inner branch");
    assert_eq!(tangent_at(0.5), (1.0, 2.0), "the procedure of the module");
    assert_eq!(tangent_at(-2.0), (0.0, 0.0), "the way past the outer branch");
}
