//! Sizes in bytes: of a type, `REAL*8 A`, and of one name, `REAL A*8`.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{complaints, translate};
use xaif_schema::model::TypeSpec;

/// The types of the symbols of a fixed-form subroutine with these declarations.
fn sized(declarations: &str, names: &[&str]) -> Vec<String> {
    let source = format!("      SUBROUTINE S(C)\n      {declarations}\n      END\n");
    let (doc, diagnostics) = translate("t.f", &source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let of = |name: &&str| {
        let found = doc.symbols.values().find(|symbol| symbol.id == **name).unwrap();
        let decl = found.decl.as_deref().unwrap();
        let TypeSpec::Intrinsic { base, .. } = decl.spec else { panic!("{:?}", decl.spec) };
        format!("{base:?}[{}]", decl.dims.len())
    };
    names.iter().map(of).collect()
}

#[test]
fn a_length_behind_a_name_is_the_size_of_its_type() {
    assert_eq!(
        sized("REAL A*8(3), B*16, C, D(2)*8/1.0, 2.0/", &["a", "b", "c", "d"]),
        ["Real(8)[1]", "Real(16)[0]", "Real(4)[0]", "Real(8)[1]"]
    );
    assert_eq!(
        sized("REAL*8 A*4, B, C*16(2,2)", &["a", "b", "c"]),
        ["Real(4)[0]", "Real(8)[0]", "Real(16)[2]"]
    );
    assert_eq!(sized("INTEGER*8 I*2/3/, J", &["i", "j"]), ["Integer(2)[0]", "Integer(8)[0]"]);
    assert_eq!(sized("COMPLEX A*16, B*8", &["a", "b"]), ["Complex(8)[0]", "Complex(4)[0]"]);
    assert_eq!(sized("LOGICAL A*1(4), B", &["a", "b"]), ["Logical(1)[1]", "Logical(4)[0]"]);
    assert_eq!(sized("REAL A*(8)", &["a"]), ["Real(8)[0]"]);
}

#[test]
fn a_size_that_a_type_does_not_have_is_refused() {
    let of = |declaration: &str| complaints(&format!("subroutine s(n)\n{declaration}\nend\n"));
    assert_eq!(of("real x*7"), ["OX1111 2:8"]);
    assert_eq!(of("real*7 x"), ["OX1111 2:1"]);
    assert_eq!(of("complex x*24(3)"), ["OX1111 2:11"]);
    assert_eq!(of("real x*(*)"), ["OX1111 2:1"]);
    assert_eq!(of("real x*(n)"), ["OX1111 2:9"]);
    assert_eq!(of("double precision x*8"), ["OX1111 2:20"]);
    assert_eq!(of("type t\nreal x\nend type\ntype(t) y*8"), ["OX1111 5:11"]);
}
