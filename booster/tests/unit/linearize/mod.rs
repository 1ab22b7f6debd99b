//! The text of derivatives: what a person reads.

mod adjoints;
pub(crate) mod cases;
mod user;
mod values;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::inspect::show;
use xaif_schema::model::{Document, ExprId, ExprKind, ProcId, RefId, StmtId, StmtKind};
use xaif_schema::verify;

use booster_build::{Copier, Emitter, rewrite_blocks, value_of};
use booster_linearize::*;
use booster_rules::Catalogue;

/// A new reference to the derivative: the variable whose name has a `d` at its end.
pub(super) fn shadow(doc: &mut Document, reference: RefId) -> Option<ExprId> {
    let copy = shadow_reference(doc, reference)?;
    Some(value_of(doc, copy))
}

pub(super) fn shadow_reference(doc: &mut Document, reference: RefId) -> Option<RefId> {
    let base = doc.refs[reference].base;
    let name = format!("{}d", doc.name(base));
    let symbol = doc.symbol_in(doc.symbols[base].scope, &name)?;
    let mut copier = Copier::new();
    copier.symbols.insert(base, symbol);
    Some(copier.reference(doc, reference))
}

/// Puts the derivative of every assignment before it.
pub(super) fn differentiate(doc: &mut Document, catalogue: &Catalogue) {
    let mut scratch = Scratch::default();
    let procs: Vec<ProcId> = doc.procs.keys().collect();
    for proc in procs {
        let done: Result<(), Diagnostic> = rewrite_blocks(doc, proc, |emitter, stmt| {
            if let StmtKind::Assign { lhs, rhs, .. } = emitter.doc.stmts[stmt].kind
                && let Some(target) = shadow_reference(emitter.doc, lhs)
            {
                derive(emitter, catalogue, stmt, rhs, target, &mut scratch)?;
            }
            emitter.push(stmt);
            Ok(())
        });
        done.expect("a derivative");
    }
    assert!(verify::verify(doc).is_empty(), "{:?}", verify::verify(doc));
}

fn derive(
    emitter: &mut Emitter<'_>,
    catalogue: &Catalogue,
    stmt: StmtId,
    rhs: ExprId,
    target: RefId,
    scratch: &mut Scratch,
) -> Result<(), Diagnostic> {
    let loops = match &emitter.doc.exprs[rhs].kind {
        ExprKind::Intrinsic { name, .. } => catalogue.needs_statement(name),
        _ => false,
    };
    if loops {
        statement_tangent(emitter, catalogue, stmt, target, &mut shadow, scratch)?;
    } else if let Some(derivative) = tangent_of(emitter.doc, catalogue, rhs, &mut shadow)? {
        let place = emitter.doc.stmts[stmt].place;
        emitter.assign(target, derivative, place);
    }
    Ok(())
}

/// The declarations of the texts below.
const DECLARATIONS: &str = "
  integer :: n
  integer(8) :: m
  integer, parameter :: three = 3
  real :: x, xd, y, yd, z, zd, p
  real(8) :: u, ud, v, vd, w, wd, q
  complex(8) :: c, cd, e, ed, f, fd
  real(8) :: a(4), ad(4), b(4), bd(4), s(4, 4), sd(4, 4), t(4, 4), td(4, 4)
  logical :: k(4)
";

fn program(assignment: &str) -> String {
    format!("subroutine test(x, y)\n{DECLARATIONS}  {assignment}\nend subroutine\n")
}

/// The derivative of an assignment as the lens prints it; empty if it is zero.
fn derivative(assignment: &str) -> String {
    derivative_by(&Catalogue::standard(), assignment)
}

pub(super) fn derivative_by(catalogue: &Catalogue, assignment: &str) -> String {
    let mut doc = booster_tests::document(&program(assignment));
    differentiate(&mut doc, catalogue);
    let text = show::show(&doc);
    let lines: Vec<&str> =
        text.lines().filter(|line| line.contains(" = ") && !line.contains("constant")).collect();
    let line = lines.iter().rev().nth(1).copied().unwrap_or("");
    line.split("  ").map(str::trim).find(|part| part.contains(" = ")).unwrap_or("").to_string()
}

#[test]
fn derivatives_read_as_a_person_would_write_them() {
    let mut wrong = String::new();
    for (original, expected) in TEXTS {
        let found = derivative(original);
        if found != *expected {
            wrong += &format!("{original}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A new reference to `xd`, which has a dimension more than `x`, for several directions at once.
fn shadow_of_rank(doc: &mut Document, reference: RefId) -> Option<ExprId> {
    let expr = shadow(doc, reference)?;
    if let ExprKind::Ref(copy) = doc.exprs[expr].kind {
        doc.refs[copy].ty.rank += 1;
    }
    doc.exprs[expr].ty.rank += 1;
    Some(expr)
}

/// The right-hand side of the only assignment that is no copy.
fn right_hand_side(assignment: &str) -> (Document, ExprId) {
    let doc = booster_tests::document(&program(assignment));
    let found = doc.stmts.values().find_map(|stmt| match stmt.kind {
        StmtKind::Assign { rhs, .. } if !matches!(doc.exprs[rhs].kind, ExprKind::Ref(_)) => {
            Some(rhs)
        }
        _ => None,
    });
    (doc, found.expect("an assignment"))
}

#[test]
fn several_directions_give_one_dimension_more() {
    for assignment in [
        "z = x*y - sin(x)/p",
        "z = max(x, y, p)",
        "z = x**y",
        "c = cmplx(u, v, 8)*e",
        "v = abs(c)",
        "z = merge(x, p, n > 0)",
    ] {
        let (mut doc, rhs) = right_hand_side(assignment);
        let catalogue = Catalogue::standard();
        let found = tangent_of(&mut doc, &catalogue, rhs, &mut shadow_of_rank);
        let found = found.expect("a derivative").expect("it is not zero");
        assert_eq!(doc.exprs[found].ty.rank, 1, "{assignment}");
    }
}

#[test]
fn several_directions_through_an_array_operation_are_refused() {
    let (mut doc, rhs) = right_hand_side("v = sum(a)");
    let error = tangent_of(&mut doc, &Catalogue::standard(), rhs, &mut shadow_of_rank);
    assert_eq!(error.expect_err("refused").code, Code::DERIVATIVE_RANK);
}

#[test]
fn what_has_no_expression_is_refused_with_its_place() {
    for (assignment, code) in [
        ("v = 2*maxval(a)", Code::MUST_STAND_ALONE),
        ("v = transfer(x, v)", Code::RULE_REFUSED),
        ("a(1:3) = bessel_jn(1, 3, u)", Code::RULE_REFUSED),
        ("y = f(x)", Code::CALL_INSIDE),
    ] {
        let assignment = format!(
            "{assignment}\n  contains\n  real function f(x)\n    real :: x\n    \
            f = x\n  end function"
        );
        let (mut doc, rhs) = right_hand_side(&assignment);
        let error = tangent_of(&mut doc, &Catalogue::standard(), rhs, &mut shadow);
        let Err(error) = error else { panic!("{assignment} is not refused") };
        assert_eq!(error.code, code, "{assignment}");
        assert!(error.spot.is_some() && error.help.is_some(), "{error:?}");
    }
}

/// Values that are dear are asked for once, inner ones first.
#[test]
fn dear_values_may_be_hoisted() {
    let (mut doc, rhs) = right_hand_side("v = u*exp(u)*w + u/w");
    let temp = doc.symbol_in(doc.procs.values().next().expect("a procedure").scope, "q");
    let temp = temp.expect("a variable");
    let mut asked = Vec::new();
    let catalogue = Catalogue::standard();
    let mut hoist = |doc: &mut Document, part: ExprId| {
        asked.push(part);
        let place = doc.exprs[part].place;
        let reference = booster_build::whole(doc, temp, place);
        Some(value_of(doc, reference))
    };
    let found = tangent_with(&mut doc, &catalogue, rhs, &mut shadow, Some(&mut hoist));
    assert!(found.expect("a derivative").is_some());
    let names: Vec<&ExprKind> = asked.iter().map(|&part| &doc.exprs[part].kind).collect();
    let is = |kind: &ExprKind, expected: &str| matches!(kind, ExprKind::Intrinsic { name, .. } if **name == *expected);
    assert!(is(names[0], "exp_scal") && is(names[1], "mul_scal_scal"), "{names:?}");
    assert!(is(names[2], "div_scal_scal") && names.len() == 3, "{names:?}");
}

/// A long expression neither overflows the stack nor takes for ever.
#[test]
fn long_sums_and_products_are_differentiated() {
    let sum = format!("y = x{}", " + x*p".repeat(1000));
    let (mut doc, rhs) = right_hand_side(&sum.replace(" + ", " &\n + "));
    let catalogue = Catalogue::standard();
    let found = tangent_of(&mut doc, &catalogue, rhs, &mut shadow);
    assert!(found.expect("a derivative").is_some());
    let product = format!("y = x{}", "*x".repeat(300));
    let (mut doc, rhs) = right_hand_side(&product.replace("*", " &\n *"));
    let found = tangent_of(&mut doc, &catalogue, rhs, &mut shadow);
    assert!(found.expect("a derivative").is_some());
}

/// The product of the partials along the edges is the derivative.
#[test]
fn the_graph_has_the_partials_of_every_operation() {
    let (mut doc, rhs) = right_hand_side("z = x*y - max(x, p) + p*sin(y)");
    let catalogue = Catalogue::standard();
    let graph = Linearised::new(&mut doc, &catalogue, rhs, &mut |doc, reference| {
        let name = doc.name(doc.refs[reference].base);
        matches!(name, "x" | "y")
    });
    let graph = graph.expect("a graph");
    let mut partials = Vec::new();
    for node in &graph.nodes {
        for &edge in &node.edges {
            partials.push(match graph.partial(&mut doc, node, edge, None) {
                Partial::Zero => "0",
                Partial::One => "1",
                Partial::MinusOne => "-1",
                Partial::Expr(_) => "e",
                Partial::Map(_) => "map",
                Partial::Item => "item",
            });
        }
    }
    // x*y: y, x; max: e; the difference: 1, -1; sin: cos(y); p*sin: p; the sum: 1, 1.
    assert_eq!(partials, ["e", "e", "e", "1", "-1", "e", "e", "1", "1"]);
    assert_eq!(graph.nodes.last().map(|node| node.expr), Some(rhs));
}

const TEXTS: &[(&str, &str)] = &[
    ("y = sin(x)", "yd = cos(x)*xd"),
    ("z = x*y", "zd = xd*y + x*yd"),
    ("y = -x", "yd = -xd"),
    ("z = x - y", "zd = xd - yd"),
    ("z = x - (y + x)", "zd = xd - (yd + xd)"),
    ("z = p - x", "zd = -xd"),
    ("z = p - (-x)", "zd = xd"),
    ("z = x/y", "zd = (xd - x/y*yd)/y"),
    ("z = x/p", "zd = xd/p"),
    ("z = p/x", "zd = -p/x*xd/x"),
    ("z = x*p + 1", "zd = xd*p"),
    ("z = 2*x", "zd = 2*xd"),
    ("z = x*n", "zd = xd*n"),
    ("z = x/n", "zd = xd/n"),
    ("z = p", ""),
    ("y = (x + z)*p", "yd = (xd + zd)*p"),
    ("y = x**2", "yd = 2*x*xd"),
    ("y = x**1", "yd = xd"),
    ("y = x**0", ""),
    ("y = x**3", "yd = 3*x**2*xd"),
    ("y = x**(-2)", "yd = -2*x**(-3)*xd"),
    ("y = x**n", "yd = n*x**merge(n - 1, 0, n /= 0)*xd"),
    ("v = u**m", "vd = m*u**merge(m - 1, 0_8, m /= 0)*ud"),
    ("y = x**three", "yd = three*x**(three - 1)*xd"),
    ("v = u**1.5d0", "vd = 1.5d0*u**0.5d0*ud"),
    ("v = u**0.5d0", "vd = 0.5d0*merge(u, tiny(u), abs(u) > 0)**(-0.5d0)*ud"),
    ("v = u**2.0", "vd = 2.0*u*ud"),
    ("v = 10.0**u", "vd = 10.0**u*log(real(10.0, 8))*ud"),
    ("v = exp(u)", "vd = exp(u)*ud"),
    ("v = sqrt(u)", "vd = ud/(2*max(sqrt(u), tiny(u)))"),
    ("v = tan(u)", "vd = (1 + tan(u)**2)*ud"),
    ("v = log(u)", "vd = ud/u"),
    ("v = log(sin(u))", "vd = cos(u)*ud/sin(u)"),
    ("v = abs(u)", "vd = sign(1.0d0, u)*ud"),
    ("v = atan2(u, w)", "vd = (w*ud - u*wd)/(w**2 + u**2)"),
    ("v = hypot(u, w)", "vd = (u*ud + w*wd)/max(hypot(u, w), tiny(u))"),
    ("v = dim(u, w)", "vd = merge(1.0d0, 0.0d0, u > w)*(ud - wd)"),
    ("v = max(u, w)", "vd = merge(ud, wd, u >= w)"),
    ("v = max(u, 0d0)", "vd = merge(ud, 0.0d0, u >= 0d0)"),
    ("v = min(u, w, q)", "vd = merge(merge(ud, wd, u <= w), 0.0d0, min(u, w) <= q)"),
    ("y = u", "yd = ud"),
    ("v = x*q", "vd = xd*q"),
    ("v = dble(x)", "vd = dble(xd)"),
    ("y = real(u, 4)", "yd = real(ud, 4)"),
    ("v = real(c)", "vd = real(cd)"),
    ("v = aimag(c)", "vd = aimag(cd)"),
    ("v = aimag(u + e)", "vd = aimag(ud + ed)"),
    ("e = conjg(c)", "ed = conjg(cd)"),
    ("c = cmplx(u, v, 8)", "cd = cmplx(ud, vd, 8)"),
    ("c = cmplx(u, q, 8)", "cd = cmplx(ud, kind=8)"),
    ("c = cmplx(q, u, 8)", "cd = cmplx(0.0d0, ud, 8)"),
    ("v = abs(c)", "vd = (real(c)*real(cd) + aimag(c)*aimag(cd))/max(abs(c), tiny(1.0d0))"),
    ("v = sum(a*b)", "vd = sum(ad*b + a*bd)"),
    ("v = sum(u + [1d0, q])", "vd = sum(spread(ud, 1, 2))"),
    ("v = dot_product(a, b)", "vd = dot_product(ad, b) + dot_product(a, bd)"),
    ("s = matmul(s, t)", "sd = matmul(sd, t) + matmul(s, td)"),
    ("a = merge(b, q, k)", "ad = merge(bd, 0.0d0, k)"),
    ("a = [u, q, v, 2*w]", "ad = [ud, 0.0d0, vd, 2*wd]"),
    ("v = norm2(a)", "vd = sum(a*ad)/max(norm2(a), tiny(1.0d0))"),
    ("v = mod(u, w)", "vd = ud - anint((u - mod(u, w))/w)*wd"),
    ("v = aint(u)", ""),
    ("v = u*(q*w)", "vd = ud*(q*w) + u*(q*wd)"),
    ("v = sin(u*q)", "vd = cos(u*q)*ud*q"),
    ("v = epsilon(u)*w", "vd = epsilon(u)*wd"),
];
