//! What Fortran cannot say is an error with a code, and nothing is printed.

use crate::common::Build;
use fortran_backend::{Layout, unparse};
use xaif_schema::diag::Code;
use xaif_schema::model::*;

/// The codes of the errors for a body.
fn codes(b: Build) -> Vec<Code> {
    match unparse(&b.finish(), Layout::OneText) {
        Ok(texts) => panic!("it was printed: {texts:?}"),
        Err(diagnostics) => diagnostics.iter().map(|diagnostic| diagnostic.code).collect(),
    }
}

fn straight(b: &mut Build, stmts: &[StmtId]) {
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(stmts);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
}

#[test]
fn the_target_of_a_c_pointer() {
    let mut b = Build::new();
    let value = b.get("x");
    let lhs = b.reference("y");
    b.doc.refs[lhs].parts.push(Part::Deref);
    let stmt = b.stmt(StmtKind::Assign { lhs, rhs: value, defined: None });
    straight(&mut b, &[stmt]);
    assert_eq!(codes(b), [Code::NO_FORTRAN_FOR_IT]);
}

#[test]
fn a_way_out_of_a_statement_that_the_graph_does_not_have() {
    let mut b = Build::new();
    let text =
        vec![Piece::Text("read (5, *, end=".into()), Piece::Label(1), Piece::Text(")".into())];
    let marker =
        Marker { verb: Verb::Io, text, operands: Vec::new(), pessimistic: false, annotation: None };
    let stmt = b.stmt(StmtKind::Marker(Box::new(marker)));
    straight(&mut b, &[stmt]);
    assert_eq!(codes(b), [Code::NO_LABEL]);
}

#[test]
fn a_function_whose_name_a_namelist_group_has() {
    let mut b = Build::new();
    let (sum, group) = (b.var("sum"), b.var("values"));
    if let Some(decl) = &mut b.doc.symbols[group].decl {
        decl.role = Role::Namelist;
    }
    let x = b.get("x");
    let value = b.call("sum_arr", &[x]);
    let stmt = b.assign("y", value);
    straight(&mut b, &[stmt]);
    let members = vec![sum];
    b.doc.scopes[b.scope].items.push(SpecItem::Namelist { group, members });
    assert_eq!(codes(b), [Code::HIDDEN_FUNCTION]);
}

#[test]
fn a_private_variable_of_another_module() {
    let mut b = Build::new();
    let (far, _) = b.variable_of_a_module(Some(Attr::Private));
    let stmt = b.set_to_one(far);
    straight(&mut b, &[stmt]);
    assert_eq!(codes(b), [Code::HIDDEN_NAME]);
}

#[test]
fn a_jump_into_a_concurrent_loop() {
    let mut b = Build::new();
    let (lower, upper) = (b.int(1), b.int(3));
    let var = b.var("j");
    let header = ForallHeader {
        scope: b.scope,
        spec: None,
        ranges: vec![IndexRange { var, lower, upper, step: None }],
        mask: None,
    };
    let entry = b.vertex(VertexKind::Entry(None));
    let jump = b.goto(Jump::Goto);
    let head = b.vertex(VertexKind::ConcurrentLoop {
        header: Box::new(header),
        locality: None,
        name: None,
    });
    let label = b.vertex(VertexKind::Label { label: Some(10) });
    let step = b.step("k");
    let inside = b.block(&[step]);
    let end = b.vertex(VertexKind::EndLoop);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, jump, label, inside, end, head]);
    b.cfg.connect_if(head, label, 1);
    b.cfg.connect(head, exit);
    assert_eq!(codes(b), [Code::CANNOT_STRUCTURE]);
}

#[test]
fn where_that_is_nested_without_end() {
    let mut b = Build::new();
    let mut stmt = b.step("k");
    for _ in 0..10_000 {
        let mask = b.boolean(BoolOp::Not, &[]);
        let arm = WhereArm { mask: Some(mask), body: vec![stmt] };
        let construct = Where { arms: vec![arm], name: None, inline: false };
        stmt = b.stmt(StmtKind::Where(Box::new(construct)));
    }
    straight(&mut b, &[stmt]);
    assert_eq!(codes(b), [Code::NESTED_TOO_DEEP]);
}

#[test]
fn an_expression_that_shares_its_parts_without_end() {
    let mut b = Build::new();
    let mut value = b.get("x");
    for _ in 0..60 {
        value = b.call("add_scal_scal", &[value, value]);
    }
    let stmt = b.assign("y", value);
    straight(&mut b, &[stmt]);
    assert_eq!(codes(b), [Code::ENDLESS_EXPRESSION]);
}

#[test]
fn a_unit_that_is_none() {
    let mut b = Build::new();
    let scope = b.doc.add_scope(b.global, ScopeKind::Block, Place::default());
    b.doc.scopes[b.global].items.push(SpecItem::Unit(scope));
    straight(&mut b, &[]);
    assert_eq!(codes(b), [Code::NO_UNIT]);
}

#[test]
fn a_format_whose_label_stands_twice() {
    let mut b = Build::new();
    let format = Marker {
        verb: Verb::Format,
        text: vec![Piece::Text("format (i4)".into())],
        operands: Vec::new(),
        pessimistic: false,
        annotation: None,
    };
    let one = b.stmt(StmtKind::Marker(Box::new(format.clone())));
    let two = b.stmt(StmtKind::Marker(Box::new(format)));
    b.doc.stmts[one].label = Some(100);
    b.doc.stmts[two].label = Some(100);
    straight(&mut b, &[one, two]);
    assert_eq!(codes(b), [Code::DUPLICATE_LABEL]);
}
