//! Documents as XAIF 1.0 has them: no declarations, derivative statements.

use crate::common::{Build, compile, print};
use xaif_schema::model::*;

/// A genuine symbol: no declaration.
fn bare(b: &mut Build, scope: ScopeId, id: &str, rank: u8, bounds: &[(i64, i64)]) -> SymbolId {
    let mut symbol = crate::common::symbol(scope, id, TypeSpec::None);
    symbol.id = id.to_owned();
    symbol.decl = None;
    symbol.class = TypeClass::Real;
    symbol.fe_type = Some("F8".to_owned());
    symbol.rank = Some(rank);
    symbol.bounds = bounds.to_vec();
    b.doc.add_symbol(symbol)
}

/// A genuine procedure with its scope, ready for statements.
fn genuine() -> Build {
    let mut b = Build::new();
    let symbol = b.doc.procs[b.proc].symbol;
    b.doc.symbols[symbol].decl = None;
    b.doc.symbols[symbol].kind = SymbolKind::Subroutine;
    b.doc.scopes[b.scope].kind = ScopeKind::Plain;
    b.doc.scopes[b.global].kind = ScopeKind::Plain;
    b.doc.scopes[b.global].items.clear();
    b
}

fn argument(b: &mut Build, symbol: SymbolId) {
    let args = &mut b.doc.procs[b.proc].args;
    let position = args.len() as u32 + 1;
    args.push(DummyArg { position, symbol: Some(symbol), intent: None, deriv: false });
}

fn whole(b: &mut Build, symbol: SymbolId) -> RefId {
    b.doc.refs.push(Reference::whole(symbol, crate::common::REAL, Place::default()))
}

fn value(b: &mut Build, symbol: SymbolId) -> ExprId {
    let reference = whole(b, symbol);
    b.expr(ExprKind::Ref(reference), crate::common::REAL)
}

fn finished(mut b: Build, stmts: &[StmtId]) -> String {
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(stmts);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    print(&b.finish())
}

#[test]
fn bounds_are_listed_with_the_last_dimension_first() {
    let mut b = genuine();
    let scope = b.scope;
    let a = bare(&mut b, scope, "A_1", 2, &[(0, 9), (1, 4)]);
    argument(&mut b, a);
    let (lhs, zero) = (whole(&mut b, a), b.int(0));
    let stmt = b.stmt(StmtKind::Assign { lhs, rhs: zero, defined: None });
    let text = finished(b, &[stmt]);
    assert_eq!(
        text,
        "subroutine s(a_1)\n  implicit none\n  real(8) :: a_1(4, 0:9)\n\n  a_1 = 0\n\
         end subroutine s\n"
    );
    compile(&text);
}

/// `p(1:n) = 0`, where p has one dimension and no bounds; then what `more` makes.
fn assigned_by_a_section(more: impl FnOnce(&mut Build, SymbolId) -> Option<StmtId>) -> String {
    let mut b = genuine();
    let scope = b.scope;
    let p = bare(&mut b, scope, "P_1", 1, &[]);
    let lhs = section(&mut b, p, 4);
    let zero = b.int(0);
    let mut stmts = vec![b.stmt(StmtKind::Assign { lhs, rhs: zero, defined: None })];
    stmts.extend(more(&mut b, p));
    finished(b, &stmts)
}

fn section(b: &mut Build, symbol: SymbolId, to: i64) -> RefId {
    let (lower, upper) = (Some(b.int(1)), Some(b.int(to)));
    let reference = whole(b, symbol);
    let part = Part::Elements(vec![Subscript::Section { lower, upper, stride: None }]);
    b.doc.refs[reference].parts.push(part);
    reference
}

#[test]
fn an_array_of_unknown_bounds_has_the_extent_that_all_its_sections_have() {
    let text = assigned_by_a_section(|_, _| None);
    assert!(text.contains("real(8) :: p_1(4)\n"), "{text}");
    compile(&text);
}

#[test]
fn an_array_whose_sections_differ_or_that_is_assigned_as_a_whole_stays_allocatable() {
    let differ = assigned_by_a_section(|b, p| {
        let (lhs, zero) = (section(b, p, 5), b.int(0));
        Some(b.stmt(StmtKind::Assign { lhs, rhs: zero, defined: None }))
    });
    assert!(differ.contains("real(8), allocatable :: p_1(:)\n"), "{differ}");
    let assigned = assigned_by_a_section(|b, p| {
        let (lhs, zero) = (whole(b, p), b.int(0));
        Some(b.stmt(StmtKind::Assign { lhs, rhs: zero, defined: None }))
    });
    assert!(assigned.contains("real(8), allocatable :: p_1(:)\n"), "{assigned}");
}

#[test]
fn propagators_become_assignments_to_derivative_variables() {
    let mut b = genuine();
    let scope = b.scope;
    let (x, y) = (bare(&mut b, scope, "x", 0, &[]), bare(&mut b, scope, "y", 0, &[]));
    argument(&mut b, x);
    argument(&mut b, y);
    let partial = b.int(2);
    let (source, target) = (whole(&mut b, x), whole(&mut b, y));
    let zero = whole(&mut b, x);
    let steps = vec![
        Propagator::Saxpy { terms: vec![(partial, source)], y: target },
        Propagator::Zero { target: zero },
    ];
    let stmt = b.stmt(StmtKind::Propagate(steps));
    let text = finished(b, &[stmt]);
    assert!(text.starts_with("subroutine s(x, x_d, y, y_d)\n"), "{text}");
    assert!(text.contains("  y_d = y_d + 2*x_d\n  x_d = 0.0d0\n"), "{text}");
    compile(&text);
}

#[test]
fn variables_of_the_global_scope_become_a_module() {
    let mut b = genuine();
    let global = b.global;
    let shared = bare(&mut b, global, "shared", 0, &[]);
    let (lhs, one) = (whole(&mut b, shared), b.int(1));
    let stmt = b.stmt(StmtKind::Assign { lhs, rhs: one, defined: None });
    let text = finished(b, &[stmt]);
    assert!(text.starts_with("module globals\n"), "{text}");
    assert!(text.contains("  use globals\n"), "{text}");
    compile(&text);
}

#[test]
fn a_temporary_of_the_global_scope_is_local_to_its_user() {
    let mut b = genuine();
    let global = b.global;
    let temporary = bare(&mut b, global, "OpenAD_Symbol_1", 0, &[]);
    b.doc.symbols[temporary].temp = Some(true);
    let (lhs, one) = (whole(&mut b, temporary), b.int(1));
    let first = b.stmt(StmtKind::Assign { lhs, rhs: one, defined: None });
    let (lhs, rhs) = (whole(&mut b, temporary), value(&mut b, temporary));
    let second = b.stmt(StmtKind::Assign { lhs, rhs, defined: None });
    let text = finished(b, &[first, second]);
    assert!(text.starts_with("subroutine s\n"), "{text}");
    assert!(text.contains("  real(8) :: openad_symbol_1\n"), "{text}");
    compile(&text);
}

#[test]
fn an_array_for_a_scalar_dummy_is_passed_by_its_first_element() {
    let mut b = genuine();
    let (global, scope) = (b.global, b.scope);
    let x = bare(&mut b, scope, "x", 1, &[(3, 5)]);
    argument(&mut b, x);
    let callee = bare(&mut b, global, "callee", 0, &[]);
    b.doc.symbols[callee].kind = SymbolKind::Subroutine;
    let inner = b.doc.add_scope(global, ScopeKind::Plain, Place::default());
    let dummy = bare(&mut b, inner, "a", 0, &[]);
    let mut proc = b.doc.procs[b.proc].clone();
    proc.symbol = callee;
    proc.scope = inner;
    proc.args = vec![DummyArg { position: 1, symbol: Some(dummy), intent: None, deriv: false }];
    let mut cfg = Cfg::default();
    let entry = cfg.push(Vertex {
        kind: VertexKind::Entry(None),
        place: Place::default(),
        id: None,
        recorded: None,
    });
    let exit = cfg.push(Vertex {
        kind: VertexKind::Exit,
        place: Place::default(),
        id: None,
        recorded: None,
    });
    cfg.connect(entry, exit);
    proc.body = Body::Flow(cfg);
    b.doc.procs.push(proc);
    let actual = value(&mut b, x);
    let call = SubroutineCall {
        callee: Callee { symbol: callee, generic: None, object: None },
        args: vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(actual) }],
        formal_count: Some(1),
        active: None,
    };
    let stmt = b.stmt(StmtKind::Call(Box::new(call)));
    let text = finished(b, &[stmt]);
    assert!(text.contains("call callee(x(3))"), "{text}");
    compile(&text);
}

/// A subroutine `callee(a)` that changes `a` and sets the derivative of `a`.
fn callee(b: &mut Build) -> SymbolId {
    let global = b.global;
    let symbol = bare(b, global, "callee", 0, &[]);
    b.doc.symbols[symbol].kind = SymbolKind::Subroutine;
    let inner = b.doc.add_scope(global, ScopeKind::Plain, Place::default());
    let dummy = bare(b, inner, "a", 0, &[]);
    let target = whole(b, dummy);
    let zero = b.stmt(StmtKind::Propagate(vec![Propagator::Zero { target }]));
    let mut proc = b.doc.procs[b.proc].clone();
    proc.symbol = symbol;
    proc.scope = inner;
    proc.args = vec![DummyArg { position: 1, symbol: Some(dummy), intent: None, deriv: false }];
    let mut cfg = Cfg::default();
    let block = VertexKind::BasicBlock { scope: inner, stmts: vec![zero] };
    let kinds = [VertexKind::Entry(None), block, VertexKind::Exit];
    let vertices = kinds
        .map(|kind| cfg.push(Vertex { kind, place: Place::default(), id: None, recorded: None }));
    cfg.connect(vertices[0], vertices[1]);
    cfg.connect(vertices[1], vertices[2]);
    proc.body = Body::Flow(cfg);
    b.doc.procs.push(proc);
    symbol
}

fn call_of(b: &mut Build, callee: SymbolId, actual: ExprId) -> StmtId {
    let call = SubroutineCall {
        callee: Callee { symbol: callee, generic: None, object: None },
        args: vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(actual) }],
        formal_count: Some(1),
        active: None,
    };
    b.stmt(StmtKind::Call(Box::new(call)))
}

#[test]
fn an_argument_without_derivative_passes_a_variable_that_is_zero() {
    let mut b = genuine();
    let scope = b.scope;
    let x = bare(&mut b, scope, "x", 1, &[(3, 5)]);
    argument(&mut b, x);
    let callee = callee(&mut b);
    let (variable, literal) = (value(&mut b, x), b.int(1));
    let calls = [call_of(&mut b, callee, variable), call_of(&mut b, callee, literal)];
    let text = finished(b, &calls);
    assert!(text.contains("  real(8) :: x(3:5), x_zero(3:5), a_d_zero\n"), "{text}");
    assert!(text.contains("  x_zero = 0.0d0\n  call callee(x(3), x_zero(3))\n"), "{text}");
    assert!(text.contains("  a_d_zero = 0.0d0\n  call callee(1, a_d_zero)\n"), "{text}");
}

/// The codes with which a document is refused.
fn refused(mut b: Build, stmts: &[StmtId]) -> Vec<xaif_schema::diag::Code> {
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(stmts);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    let problems = fortran_backend::unparse(&b.finish(), fortran_backend::Layout::OneText)
        .expect_err("it cannot be printed");
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn a_derivative_of_no_known_shape_is_refused() {
    let mut b = genuine();
    let scope = b.scope;
    let x = bare(&mut b, scope, "x", 1, &[]);
    argument(&mut b, x);
    let callee = callee(&mut b);
    let actual = value(&mut b, x);
    let call = call_of(&mut b, callee, actual);
    assert_eq!(refused(b, &[call]), [xaif_schema::diag::Code::CANNOT_UPGRADE]);
}

#[test]
fn a_function_whose_arguments_have_derivatives_is_refused() {
    let mut b = genuine();
    let scope = b.scope;
    let (x, y) = (bare(&mut b, scope, "x", 0, &[]), bare(&mut b, scope, "y", 0, &[]));
    argument(&mut b, x);
    let symbol = callee(&mut b);
    let actual = value(&mut b, x);
    let call = FunctionCall {
        callee: Callee { symbol, generic: None, object: None },
        args: vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(actual) }],
        active: None,
    };
    let rhs = b.expr(ExprKind::Call(Box::new(call)), crate::common::REAL);
    let lhs = whole(&mut b, y);
    let stmt = b.stmt(StmtKind::Assign { lhs, rhs, defined: None });
    assert_eq!(refused(b, &[stmt]), [xaif_schema::diag::Code::CANNOT_UPGRADE]);
}
