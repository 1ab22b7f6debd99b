//! Declarations: grouped as a person would, constants before what needs them, names that are
//! names.

use crate::common::{Build, compile, intrinsic, print, symbol};
use xaif_schema::model::*;

fn finished(mut b: Build, stmts: &[StmtId]) -> String {
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(stmts);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    print(&b.finish())
}

fn decl(b: &mut Build, symbol: SymbolId) -> &mut Decl {
    b.doc.symbols[symbol].decl.as_deref_mut().expect("the helper declares it")
}

#[test]
fn names_of_one_type_share_a_statement_and_attributes_have_an_order() {
    let mut b = Build::new();
    let (x, y, z) = (b.dummy("x"), b.dummy("y"), b.var("z"));
    decl(&mut b, x).intent = Some(Intent::In);
    decl(&mut b, y).intent = Some(Intent::In);
    decl(&mut b, z).attrs.extend([Attr::Save, Attr::Target]);
    b.doc.scopes[b.scope].items.push(SpecItem::Declare(vec![x, y, z]));
    let (one, two) = (b.get("x"), b.get("y"));
    let sum = b.call("add_scal_scal", &[one, two]);
    let stmt = b.assign("z", sum);
    let text = finished(b, &[stmt]);
    assert_eq!(
        text,
        "subroutine s(x, y)\n  double precision, intent(in) :: x, y\n  \
         double precision, target, save :: z\n\n  z = x + y\nend subroutine s\n"
    );
    compile(&text);
}

#[test]
fn a_constant_is_declared_before_the_bound_that_needs_it() {
    let mut b = Build::new();
    let array = b.var("a");
    let size = b.var("n");
    let (upper, three) = (b.get("n"), b.int(3));
    decl(&mut b, array).dims = vec![Dim::Explicit { lower: None, upper }];
    let constant = decl(&mut b, size);
    constant.role = Role::Constant;
    constant.init = Some(Init::Value(three));
    b.doc.scopes[b.scope].items.push(SpecItem::Declare(vec![array]));
    b.doc.scopes[b.scope].items.push(SpecItem::Declare(vec![size]));
    let zero = b.int(0);
    let stmt = b.assign("a", zero);
    let text = finished(b, &[stmt]);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[1..3], ["integer, parameter :: n = 3", "double precision :: a(n)"], "{text}");
    compile(&text);
}

#[test]
fn what_no_item_declares_is_declared_behind_them() {
    let mut b = Build::new();
    let x = b.dummy("x");
    b.doc.scopes[b.scope].items.push(SpecItem::ImplicitNone(None));
    b.doc.scopes[b.scope].items.push(SpecItem::Declare(vec![x]));
    let stmts = [b.step("k"), b.step("x")];
    let text = finished(b, &stmts);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[1..4], ["implicit none", "double precision :: x", "integer :: k"], "{text}");
}

#[test]
fn kinds_that_are_no_standard_become_standard() {
    let mut b = Build::new();
    let scope = b.scope;
    let star = TypeSpec::Intrinsic { base: Base::Complex(8), kind: KindSpelling::Star(16) };
    let z = b.doc.add_symbol(symbol(scope, "z", star));
    let byte = TypeSpec::Intrinsic { base: Base::Integer(1), kind: KindSpelling::Named };
    let k = b.doc.add_symbol(symbol(scope, "k", byte));
    b.doc.scopes[scope].items.push(SpecItem::Declare(vec![z, k]));
    let text = finished(b, &[]);
    assert!(text.contains("complex(8) :: z\n  integer(1) :: k\n"), "{text}");
}

#[test]
fn names_that_are_none_in_fortran_become_names() {
    let mut b = Build::new();
    let scope = b.scope;
    for name in [".preg_I4_2", "_x", "X", "x"] {
        b.doc.add_symbol(symbol(scope, name, intrinsic(Base::Real(4))));
    }
    let text = finished(b, &[]);
    assert!(text.contains("real :: preg_i4_2, x_2, X, x_3\n"), "{text}");
}

#[test]
fn a_public_variable_of_another_module_is_brought_in_by_a_name_that_is_free() {
    let mut b = Build::new();
    let (far, _) = b.variable_of_a_module(Some(Attr::Public));
    let stmt = b.set_to_one(far);
    let text = finished(b, &[stmt]);
    assert!(text.contains("subroutine s\n  use m, only: far\n\n  far = 1\n"), "{text}");
    let mut b = Build::new();
    let one = b.int(1);
    let own = b.assign("far", one);
    let (far, _) = b.variable_of_a_module(Some(Attr::Public));
    let stmt = b.set_to_one(far);
    let text = finished(b, &[own, stmt]);
    assert!(text.contains("  use m, only: far_2 => far\n"), "{text}");
    assert!(text.contains("  far_2 = 1\n"), "{text}");
    compile(&text);
}

#[test]
fn a_name_that_use_renames_is_printed_as_it_is_visible() {
    let mut b = Build::new();
    let (far, module) = b.variable_of_a_module(None);
    b.doc.scopes[b.scope].items.push(SpecItem::Use(Use {
        module,
        nature: None,
        only: true,
        names: vec![UseName { local: "near".into(), remote: "far".into(), symbol: Some(far) }],
        place: Place::default(),
    }));
    let stmt = b.set_to_one(far);
    // The module stands before its user in the text.
    let text = finished(b, &[stmt]);
    assert_eq!(
        text,
        "module m\n  integer :: far\nend module m\n\nsubroutine s\n  use m, only: near => far\n\n  \
         near = 1\nend subroutine s\n"
    );
    compile(&text);
}
