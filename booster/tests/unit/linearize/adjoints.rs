//! The numbers and the text of adjoints: each against dual numbers by the dot product.

use std::collections::HashSet;

use xaif_run::{Element, Given, Mode, Outcome, Request, parse_setting, run};
use xaif_schema::diag::Diagnostic;
use xaif_schema::inspect::show;
use xaif_schema::model::{
    Attr, Dim, Document, ExprKind, Place, ProcId, RefId, StmtKind, SymbolId, Ty,
};
use xaif_schema::verify;

use super::cases::{ARRAY_CASES, COMPLEX_CASES, LOOPS, REAL, ROUNDED, program};
use super::shadow_reference;
use super::values::{DIRECTION, close, moved, result, settings};
use booster_build::{
    Emitter, binary, has_vector_subscript, new_variable, nodes_of, rewrite_blocks, same_reference,
    value_of,
};
use booster_linearize::{
    Contribution, Scratch, add_by_elements, adjoint_of, has_statement_adjoint, needed,
    statement_adjoint,
};
use booster_rules::Catalogue;

/// A new variable for intermediate values.
fn temporary(doc: &mut Document, proc: ProcId, ty: Ty) -> SymbolId {
    let scope = doc.procs[proc].scope;
    let symbol = new_variable(doc, scope, "tempb", ty.base, doc.procs[proc].place);
    doc.symbols[symbol].rank = Some(ty.rank);
    if let Some(decl) = &mut doc.symbols[symbol].decl
        && ty.rank > 0
    {
        decl.dims = vec![Dim::Deferred; usize::from(ty.rank)];
        decl.attrs.insert(Attr::Allocatable);
    }
    symbol
}

/// Puts the adjoint of every assignment in its place.
fn reverse(doc: &mut Document, catalogue: &Catalogue) -> Result<(), Diagnostic> {
    let mut scratch = Scratch::default();
    let procs: Vec<ProcId> = doc.procs.keys().collect();
    for proc in procs {
        rewrite_blocks(doc, proc, |emitter, stmt| {
            if let StmtKind::Assign { lhs, rhs, .. } = emitter.doc.stmts[stmt].kind {
                adjoint(emitter, catalogue, proc, lhs, rhs, &mut scratch)?;
            }
            Ok::<(), Diagnostic>(())
        })?;
    }
    assert!(verify::verify(doc).is_empty(), "{:?}", verify::verify(doc));
    Ok(())
}

fn adjoint(
    emitter: &mut Emitter<'_>,
    catalogue: &Catalogue,
    proc: ProcId,
    lhs: RefId,
    rhs: xaif_schema::model::ExprId,
    scratch: &mut Scratch,
) -> Result<(), Diagnostic> {
    let place = emitter.doc.refs[lhs].place;
    let doc = &mut *emitter.doc;
    let read = needed(doc, catalogue, lhs, rhs, &mut |reference| is_active(doc, reference))?;
    let Some(seed) = shadow_reference(doc, lhs) else { return Ok(()) };
    let (seed, ty) = (value_of(doc, seed), doc.refs[lhs].ty);
    if has_statement_adjoint(doc, catalogue, rhs) {
        let mut active = |doc: &mut Document, reference| is_active(doc, reference);
        let mut temporary = |doc: &mut Document, ty| temporary(doc, proc, ty);
        let mut add =
            |emitter: &mut Emitter<'_>, one: Contribution| accumulate(emitter, one, place);
        statement_adjoint(
            emitter,
            catalogue,
            rhs,
            seed,
            &mut active,
            &mut temporary,
            &mut add,
            scratch,
        )?;
        return Ok(());
    }
    let found = adjoint_of(
        doc,
        catalogue,
        rhs,
        (seed, None),
        ty,
        &mut |doc, reference| is_active(doc, reference),
        &mut |doc, ty| temporary(doc, proc, ty),
    )?;
    let mut values: Vec<_> = found.temporaries.iter().map(|&(_, value)| value).collect();
    values.extend(found.contributions.iter().map(|contribution| contribution.value));
    check_reads(doc, &values, &read);
    for (symbol, value) in found.temporaries {
        let target = booster_build::whole(emitter.doc, symbol, place);
        emitter.assign(target, value, place);
    }
    for contribution in found.contributions {
        accumulate(emitter, contribution, place)?;
    }
    Ok(())
}

/// `xd = xd + value`
fn accumulate(
    emitter: &mut Emitter<'_>,
    contribution: Contribution,
    place: Place,
) -> Result<(), Diagnostic> {
    let doc = &mut *emitter.doc;
    if !is_active(doc, contribution.target) {
        return Ok(());
    }
    let target = shadow_reference(doc, contribution.target).expect("an adjoint");
    if has_vector_subscript(doc, target) {
        let Contribution { value, negative, .. } = contribution;
        return add_by_elements(emitter, target, value, negative, &mut Scratch::default());
    }
    let old = shadow_reference(doc, contribution.target).expect("an adjoint");
    let old = value_of(doc, old);
    let name = if contribution.negative { "sub_scal_scal" } else { "add_scal_scal" };
    assert!(doc.exprs[contribution.value].ty.rank <= doc.exprs[old].ty.rank);
    let sum = binary(doc, name, old, contribution.value);
    emitter.assign(target, sum, place);
    Ok(())
}

fn is_active(doc: &Document, reference: RefId) -> bool {
    let base = doc.refs[reference].base;
    doc.symbol_in(doc.symbols[base].scope, &format!("{}d", doc.name(base))).is_some()
}

/// What the adjoint reads is what `needed` says, temporaries and adjoints aside.
fn check_reads(doc: &Document, values: &[xaif_schema::model::ExprId], needed: &[RefId]) {
    let mut shapes = HashSet::new();
    let all = nodes_of(doc, values.iter().copied());
    for &expr in &all {
        if let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind
            && matches!(&**name, "size" | "shape_arr" | "tiny" | "lbound" | "digits")
        {
            shapes.extend(operands.iter().map(|operand| operand.expr));
        }
    }
    for expr in all.iter().filter(|expr| !shapes.contains(expr)) {
        if let ExprKind::Ref(reference) = doc.exprs[*expr].kind {
            let name = doc.name(doc.refs[reference].base);
            let own = name.ends_with('d') || name.starts_with("tempb");
            let base = doc.refs[reference].base;
            let vector = |other: RefId| {
                let parts = booster_build::subscripts_of(&doc.refs[other]);
                // No two constructors are the same.
                doc.refs[other].base == base
                    && parts.iter().any(|&part| doc.exprs[part].ty.rank > 0)
            };
            let same = |&other: &RefId| same_reference(doc, reference, other) || vector(other);
            let told = needed.iter().any(same);
            assert!(own || told, "{name} is read, but not needed");
        }
    }
}

/// The adjoints at ties, kinks and poles are those of the rules that docs/intrinsics.md states; the
/// branch that is not taken makes no difference, whatever its derivative is.
#[test]
fn adjoints_at_ties_and_kinks_follow_the_stated_rules() {
    for (assignment, point, expected) in [
        ("r = max(x, y)", "x=1.5 y=1.5", "x=1 y=0"),
        ("r = max(p, x, y)", "x=1 y=1 p=1", "x=0 y=0"),
        ("r = min(y, x)", "x=1.5 y=1.5", "x=0 y=1"),
        ("r = abs(x)", "x=0", "x=1"),
        ("r = abs(x)", "x=-0.0", "x=-1"),
        ("r = abs(z)", "z=(0,0)", "z=(0,0)"),
        ("r = dim(x, y)", "x=1 y=1", "x=0 y=0"),
        ("r = hypot(x, y)", "x=0 y=0", "x=0 y=0"),
        ("r = norm2(a)", "a=[0,0,0,0,0,0]", "a=[0,0,0,0,0,0]"),
        ("r = x**n", "x=0 n=0", "x=0"),
        ("r = x**y", "x=0 y=1", "x=1 y=0"),
        ("r = x**y", "x=0 y=2.5", "x=0 y=0"),
        ("r = merge(sqrt(x), y, x > 0)", "x=-1", "x=0 y=1"),
        ("r = merge(y, x/y, y > -1)", "y=0", "x=0 y=1"),
        ("r = max(x, sqrt(y))", "x=1 y=0", "x=1 y=0"),
        ("r = sum(1/a, a > 0)", "a=[1,0,2,0,0.5,0]", "a=[-1,0,-0.25,0,-4,0]"),
        ("r = sum(merge(x*log(a), b, a > 0))", "a=[1,0,1,0,1,0]", "x=0 a=[0.7,0,0.7,0,0.7,0]"),
        ("r = maxval(a)", "a=[1,3,3,2,1,0]", "a=[0,1,0,0,0,0]"),
        ("r = minval(a, a > 5)", "a=[1,3,3,2,1,0]", "a=[0,0,0,0,0,0]"),
        ("r = product(a)", "a=[0,2,1,1,3,1]", "a=[6,0,0,0,0,0]"),
        ("r = product(a)", "a=[0,0,1,1,1,1]", "a=[0,0,0,0,0,0]"),
        ("r = x*x*x", "x=2", "x=12"),
        ("r = sqrt(x**2 + y**2)", "x=0 y=0", "x=0 y=0"),
        ("r = (p*x)**0.01", "x=0 p=0", "x=0"),
        ("r = sum(sqrt(a**2 + b**2))", "a=[0,0,0,0,0,0] b=[0,0,0,0,0,0]", "a=[0,0,0,0,0,0]"),
        ("r = asin(p*x) + acos(p*y)", "x=1 y=1 p=0", "x=0 y=0"),
        ("r = abs(z*p)", "z=(3,4) p=0", "z=(0,0)"),
    ] {
        let mut doc = booster_tests::document(&program(8, assignment));
        reverse(&mut doc, &Catalogue::standard()).expect("an adjoint");
        let mut values = moved(point, 0.0);
        values.extend(zeros());
        // Large enough for what is infinite to overflow.
        values.push(parse_setting("rd=1024").expect("a setting"));
        let procedure = Some("test".into());
        let request = Request { procedure, values, mode: Mode::Value, ..Request::default() };
        let outcome = run(&doc, &request).expect("it runs");
        for (name, given) in settings(&expected.split_whitespace().collect::<Vec<_>>()) {
            let found = numbers_of(&outcome, &format!("{name}d"));
            let expected: Vec<f64> = numbers_in(&given).iter().map(|one| 1024.0 * one).collect();
            for (found, expected) in found.iter().zip(&expected) {
                let text = format!("{assignment} at {point}: {name} is {found}, not {expected}");
                assert!(close(*found, *expected, 1e-14), "{text}");
            }
        }
    }
}

/// Every adjoint is zero.
fn zeros() -> Vec<(String, Given)> {
    let mut given = settings(DIRECTION);
    for (name, value) in &mut given {
        name.push('d');
        for word in &mut value.words {
            *word = if word.starts_with('(') { "(0,0)".into() } else { "0".into() };
        }
    }
    given
}

fn numbers_in(given: &Given) -> Vec<f64> {
    let parts = given.words.iter().flat_map(|word| word.trim_matches(['(', ')']).split(','));
    parts.map(|part| part.parse().expect("a number")).collect()
}

/// The size of all that an adjoint computes.
fn total_size(assignment: &str) -> usize {
    let mut doc = booster_tests::document(&super::program(assignment));
    reverse(&mut doc, &Catalogue::standard()).expect("an adjoint");
    let roots: Vec<_> = doc
        .procs
        .values()
        .flat_map(|proc| match &proc.body {
            xaif_schema::model::Body::Flow(cfg) => cfg.vertices.values().collect::<Vec<_>>(),
            _ => Vec::new(),
        })
        .flat_map(|vertex| match &vertex.kind {
            xaif_schema::model::VertexKind::BasicBlock { stmts, .. } => stmts.clone(),
            _ => Vec::new(),
        })
        .filter_map(|stmt| match doc.stmts[stmt].kind {
            StmtKind::Assign { rhs, .. } => Some(rhs),
            _ => None,
        })
        .collect();
    nodes_of(&doc, roots).len()
}

/// Long and deep expressions: the stack does not overflow, and the text grows as the expression
/// does.
#[test]
fn adjoints_grow_linearly_with_the_expression() {
    let repeated = |first: &str, part: &str, count: usize| {
        format!("v = {first}{}", format!(" &\n {part}").repeat(count))
    };
    let nested = |open: &str, close: &str, count: usize| {
        format!(
            "v = {}u{}",
            format!("{open} &\n ").repeat(count),
            format!("{close} &\n ").repeat(count) + "+ q"
        )
    };
    let cases: [&dyn Fn(usize) -> String; 9] = [
        &|count| repeated("u", " + u*w", count),
        &|count| repeated("u", "*w", count),
        &|count| repeated("u", "*(u + w)", count),
        &|count| repeated("u", "/w", count),
        &|count| nested("sin(", ")", count),
        &|count| nested("u*exp(w*", ")", count),
        &|count| nested("w/(u + ", ")", count),
        &|count| nested("max(w*", ", u)", count),
        &|count| nested("merge(u*", ", w, k(1))", count),
    ];
    for (index, case) in cases.iter().enumerate() {
        let (small, large) = (total_size(&case(25)), total_size(&case(75)));
        assert!(large < 4 * small, "case {index}: {small} and {large}");
        assert!(large < 75 * 60, "case {index}: {large}");
        if index < 4 {
            total_size(&case(300));
        }
    }
}

/// Deeper than any front end lets pass.
#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for name in ["sin_scal", "exp_scal", "minus_scal", "sqrt_scal"] {
        let mut doc = booster_tests::document(&super::program("v = u"));
        let assign = doc.stmts.keys().find(|&stmt| {
            matches!(doc.stmts[stmt].kind, StmtKind::Assign { lhs, .. }
                if doc.name(doc.refs[lhs].base) == "v")
        });
        let assign = assign.expect("an assignment");
        for _ in 0..1000 {
            let StmtKind::Assign { rhs, .. } = doc.stmts[assign].kind else { return };
            let ty = doc.exprs[rhs].ty;
            let outer = booster_build::intrinsic(&mut doc, name, &[rhs], ty);
            if let StmtKind::Assign { rhs, .. } = &mut doc.stmts[assign].kind {
                *rhs = outer;
            }
        }
        let proc = doc.procs.keys().next().expect("a procedure");
        let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[assign].kind else { return };
        let ty = doc.refs[lhs].ty;
        let seed = shadow_reference(&mut doc, lhs).expect("an adjoint");
        let seed = value_of(&mut doc, seed);
        let found = adjoint_of(
            &mut doc,
            &Catalogue::standard(),
            rhs,
            (seed, None),
            ty,
            &mut |doc, reference| is_active(doc, reference),
            &mut |doc, ty| temporary(doc, proc, ty),
        );
        let found = found.expect("an adjoint");
        assert_eq!(found.contributions.len(), 1);
        let roots = found.temporaries.iter().map(|&(_, value)| value);
        assert!(nodes_of(&doc, roots).len() < 1000 * 20);
    }
}

/// The adjoint of an assignment as the lens prints it.
fn text(assignment: &str) -> Vec<String> {
    let mut doc = booster_tests::document(&super::program(assignment));
    reverse(&mut doc, &Catalogue::standard()).expect("an adjoint");
    let text = show::show(&doc);
    let lines = text.lines().filter(|line| line.contains(" = ") && !line.contains("constant"));
    let cut = |line: &str| {
        line.split("  ").map(str::trim).find(|part| part.contains(" = ")).unwrap_or("").to_string()
    };
    lines.map(cut).collect()
}

fn text_of(doc: &Document) -> String {
    let text = show::show(doc);
    let lines = text.lines().filter(|line| line.contains("d = ") || line.contains("tempb"));
    lines.map(str::trim).collect::<Vec<_>>().join("\n")
}

fn numbers_of(outcome: &Outcome, name: &str) -> Vec<f64> {
    let output = outcome.outputs.iter().find(|output| output.name == name).expect("an output");
    let mut numbers = Vec::new();
    for element in &output.elements {
        match element {
            Element::Real(value, _) => numbers.push(*value),
            Element::Complex(value, _) => numbers.extend(value),
            other => panic!("{name}: {other:?}"),
        }
    }
    numbers
}

/// What is wrong with the adjoint of an assignment at a point, if anything.
fn check(assignment: &str, point: &str, wrong: &mut String) {
    let target = assignment.split([' ', '=', '(']).next().unwrap_or("");
    println!("{assignment}");
    let tolerances = if ROUNDED.contains(&assignment) { (2e-6, 1e-3) } else { (1e-11, 2e-4) };
    for (kind, tolerance) in [(8, tolerances.0), (4, tolerances.1)] {
        let original = booster_tests::document(&program(kind, assignment));
        let direction = settings(DIRECTION);
        let tangent = result(&original, moved(point, 0.0), direction, Mode::Tangent, target);
        // The weights of the results, and the adjoints of the inputs, which are zero.
        let weight = |index: usize| 0.3 + 0.45 * (1.7 * index as f64 + 0.4).sin();
        let mut given = moved(point, 0.0);
        given.extend(zeros());
        let complex = matches!(target, "c" | "l");
        let numbers: Vec<String> = if complex {
            (0..tangent.len() / 2)
                .map(|index| format!("({},{})", weight(2 * index), weight(2 * index + 1)))
                .collect()
        } else {
            (0..tangent.len()).map(|index| weight(index).to_string()).collect()
        };
        let setting = match target {
            "m" => {
                let columns: Vec<String> =
                    numbers.chunks(2).map(|column| format!("[{}]", column.join(", "))).collect();
                format!("md=[{}]", columns.join(", "))
            }
            "r" | "c" => format!("{target}d={}", numbers.join("")),
            _ => format!("{target}d=[{}]", numbers.join(", ")),
        };
        given.push(parse_setting(&setting).expect("a setting"));
        let mut derived = original.clone();
        if let Err(error) = reverse(&mut derived, &Catalogue::standard()) {
            *wrong += &format!("{assignment}: {error:?}\n");
            return;
        }
        let expected: f64 =
            tangent.iter().enumerate().map(|(index, (_, d))| weight(index) * d).sum();
        let request = Request {
            procedure: Some("test".into()),
            values: given,
            mode: Mode::Value,
            ..Request::default()
        };
        let outcome = match run(&derived, &request) {
            Ok(outcome) => outcome,
            Err(error) => {
                *wrong += &format!("{assignment}: {error:?}\n{}\n", text_of(&derived));
                return;
            }
        };
        let mut found = 0.0;
        for (name, values) in settings(DIRECTION) {
            let adjoint = numbers_of(&outcome, &format!("{name}d"));
            let by = numbers_in(&values);
            assert_eq!(by.len(), adjoint.len(), "{name}");
            found += by.iter().zip(&adjoint).map(|(a, b)| a * b).sum::<f64>();
        }
        if !close(found, expected, tolerance) {
            *wrong += &format!(
                "{assignment} at `{point}`, kind {kind}: {found} is not {expected}\n{}\n",
                text_of(&derived)
            );
        }
    }
}

fn check_all(cases: &[(&str, &[&str])]) {
    let mut wrong = String::new();
    for (assignment, points) in cases {
        for point in *points {
            check(assignment, point, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn real_adjoints_agree_with_dual_numbers() {
    check_all(REAL);
}

#[test]
fn adjoints_are_rounded_as_values_are() {
    for assignment in ROUNDED {
        check_all(&[(assignment, super::cases::COMPLEX)]);
    }
}

#[test]
fn complex_adjoints_agree_with_dual_numbers() {
    check_all(COMPLEX_CASES);
}

#[test]
fn adjoints_by_loops_agree_with_dual_numbers() {
    check_all(LOOPS);
}

#[test]
fn array_adjoints_agree_with_dual_numbers() {
    check_all(ARRAY_CASES);
}

#[test]
fn adjoints_read_as_a_person_would_write_them() {
    let mut wrong = String::new();
    for (original, expected) in TEXTS {
        let found = text(original);
        if found != *expected {
            wrong += &format!("    (\"{original}\", &{found:?}),\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

const TEXTS: &[(&str, &[&str])] = &[
    ("y = sin(x)", &["xd = xd + cos(x)*yd"]),
    ("z = x*y", &["xd = xd + y*zd", "yd = yd + x*zd"]),
    ("y = -x", &["xd = xd - yd"]),
    ("z = x - y", &["xd = xd + zd", "yd = yd - zd"]),
    ("z = x - (y + x)", &["xd = xd + zd", "yd = yd - zd", "xd = xd - zd"]),
    ("z = p - x", &["xd = xd - zd"]),
    ("z = p - (-x)", &["xd = xd + zd"]),
    ("z = x/y", &["tempb = zd/y", "xd = xd + tempb", "yd = yd - x/y*tempb"]),
    ("z = x/p", &["xd = xd + zd/p"]),
    ("z = p/x", &["xd = xd - p/x*zd/x"]),
    ("z = x*p + 1", &["xd = xd + p*zd"]),
    ("z = 2*x", &["xd = xd + 2*zd"]),
    ("z = x*n", &["xd = xd + n*zd"]),
    ("z = x/n", &["xd = xd + zd/n"]),
    ("z = p", &[]),
    ("y = (x + z)*p", &["tempb = p*yd", "xd = xd + tempb", "zd = zd + tempb"]),
    ("y = x**2", &["xd = xd + 2*x*yd"]),
    ("y = x**1", &["xd = xd + yd"]),
    ("y = x**0", &[]),
    ("y = x**3", &["xd = xd + 3*x**2*yd"]),
    ("y = x**(-2)", &["xd = xd - 2*x**(-3)*yd"]),
    ("y = x**n", &["xd = xd + n*x**merge(n - 1, 0, n /= 0)*yd"]),
    ("v = u**m", &["ud = ud + m*u**merge(m - 1, 0_8, m /= 0)*vd"]),
    ("y = x**three", &["xd = xd + three*x**(three - 1)*yd"]),
    ("v = u**1.5d0", &["ud = ud + 1.5d0*u**0.5d0*vd"]),
    ("v = u**0.5d0", &["ud = ud + 0.5d0*merge(u, sqrt(tiny(u)), abs(u) > 0)**(-0.5d0)*vd"]),
    ("v = u**2.0", &["ud = ud + 2.0*u*vd"]),
    ("v = 10.0**u", &["ud = ud + 10.0**u*log(real(10.0, 8))*vd"]),
    ("v = exp(u)", &["ud = ud + exp(u)*vd"]),
    ("v = sqrt(u)", &["ud = ud + vd/(2*max(sqrt(u), sqrt(tiny(u))))"]),
    ("v = tan(u)", &["ud = ud + (1 + tan(u)**2)*vd"]),
    ("v = log(u)", &["ud = ud + vd/u"]),
    ("v = log(sin(u))", &["ud = ud + cos(u)*vd/sin(u)"]),
    ("v = abs(u)", &["ud = ud + sign(1.0d0, u)*vd"]),
    ("v = atan2(u, w)", &["tempb = vd/(w**2 + u**2)", "ud = ud + w*tempb", "wd = wd - u*tempb"]),
    (
        "v = hypot(u, w)",
        &[
            "tempb = hypot(u, w)",
            "ud = ud + u*vd/max(tempb, tiny(u))",
            "wd = wd + w*vd/max(tempb, tiny(u))",
        ],
    ),
    (
        "v = dim(u, w)",
        &["ud = ud + merge(1.0d0, 0.0d0, u > w)*vd", "wd = wd - merge(1.0d0, 0.0d0, u > w)*vd"],
    ),
    ("v = max(u, w)", &["ud = ud + merge(vd, 0.0d0, u >= w)", "wd = wd + merge(vd, 0.0d0, w > u)"]),
    ("v = max(u, 0d0)", &["ud = ud + merge(vd, 0.0d0, u >= 0d0)"]),
    (
        "v = min(u, w, q)",
        &[
            "ud = ud + merge(vd, 0.0d0, u <= min(w, q))",
            "wd = wd + merge(vd, 0.0d0, w < u and w <= q)",
        ],
    ),
    ("y = u", &["ud = ud + yd"]),
    ("v = x*q", &["xd = xd + q*vd"]),
    ("v = dble(x)", &["xd = xd + vd"]),
    ("y = real(u, 4)", &["ud = ud + yd"]),
    ("v = real(c)", &["cd = cd + vd"]),
    ("v = aimag(c)", &["cd = cd + cmplx(0.0d0, vd, 8)"]),
    (
        "v = aimag(u + e)",
        &["tempb = cmplx(0.0d0, vd, 8)", "ud = ud + real(tempb)", "ed = ed + tempb"],
    ),
    ("e = conjg(c)", &["cd = cd + conjg(ed)"]),
    ("c = cmplx(u, v, 8)", &["ud = ud + real(cd)", "vd = vd + aimag(cd)"]),
    ("c = cmplx(u, q, 8)", &["ud = ud + real(cd)"]),
    ("c = cmplx(q, u, 8)", &["ud = ud + aimag(cd)"]),
    ("v = abs(c)", &["cd = cd + vd*c/max(abs(c), tiny(1.0d0))"]),
    ("v = sum(a*b)", &["ad = ad + b*vd", "bd = bd + a*vd"]),
    ("v = sum(u + [1d0, q])", &["ud = ud + 2*vd"]),
    ("v = dot_product(a, b)", &["ad = ad + vd*b", "bd = bd + a*vd"]),
    (
        "s = matmul(s, t)",
        &["sd = sd + matmul(sd, transpose(t))", "td = td + matmul(transpose(s), sd)"],
    ),
    ("a = merge(b, q, k)", &["bd = bd + merge(ad, 0.0d0, k)"]),
    ("a = [u, q, v, 2*w]", &["ud = ud + ad(1)", "vd = vd + ad(3)", "wd = wd + 2*ad(4)"]),
    ("v = norm2(a)", &["ad = ad + a*vd/max(norm2(a), tiny(1.0d0))"]),
    ("v = mod(u, w)", &["ud = ud + vd", "wd = wd - anint((u - mod(u, w))/w)*vd"]),
    ("v = aint(u)", &[]),
    ("v = u*(q*w)", &["ud = ud + (q*w)*vd", "wd = wd + q*(u*vd)"]),
    ("v = sin(u*q)", &["ud = ud + q*cos(u*q)*vd"]),
    ("v = epsilon(u)*w", &["wd = wd + epsilon(u)*vd"]),
    ("z = x*x", &["xd = xd + 2*x*zd"]),
    (
        "z = x*y*p*x",
        &["tempb = p*x*zd", "xd = xd + y*tempb", "yd = yd + x*tempb", "xd = xd + x*y*p*zd"],
    ),
    (
        "v = u*w*c",
        &[
            "tempb = real(conjg(c)*vd)",
            "ud = ud + w*tempb",
            "wd = wd + u*tempb",
            "cd = cd + u*w*vd",
        ],
    ),
    ("v = (u + w)*q", &["tempb = q*vd", "ud = ud + tempb", "wd = wd + tempb"]),
    ("v = u/w/q", &["tempb = vd/q/w", "ud = ud + tempb", "wd = wd - u/w*tempb"]),
    (
        "v = exp(u)*w*exp(u*w)",
        &[
            "tempb = exp(u)",
            "tempb0 = exp(u*w)",
            "tempb1 = tempb0*tempb*w*vd",
            "tempb2 = tempb0*vd",
            "ud = ud + tempb*w*tempb2",
            "wd = wd + tempb*tempb2",
            "ud = ud + w*tempb1",
            "wd = wd + u*tempb1",
        ],
    ),
    (
        "v = ((u*w)*(u + q) + w*u)*(w - u)/(u*w)",
        &[
            "tempb = vd/(u*w)",
            "tempb0 = ((u*w)*(u + q) + w*u)*(w - u)/(u*w)*tempb",
            "tempb1 = ((u*w)*(u + q) + w*u)*tempb",
            "tempb2 = (w - u)*tempb",
            "tempb3 = (u + q)*tempb2",
            "ud = ud + w*tempb3",
            "wd = wd + u*tempb3",
            "ud = ud + (u*w)*tempb2",
            "wd = wd + u*tempb2",
            "ud = ud + w*tempb2",
            "wd = wd + tempb1",
            "ud = ud - tempb1",
            "ud = ud - w*tempb0",
            "wd = wd - u*tempb0",
        ],
    ),
    (
        "v = max(u, w, q)",
        &[
            "ud = ud + merge(vd, 0.0d0, u >= max(w, q))",
            "wd = wd + merge(vd, 0.0d0, w > u and w >= q)",
        ],
    ),
    ("a = b*u", &["bd = bd + u*ad", "ud = ud + sum(b*ad)"]),
    ("a = u", &["ud = ud + sum(ad)"]),
    ("a = exp(b)*u + a", &["bd = bd + exp(b)*u*ad", "ud = ud + sum(exp(b)*ad)", "ad = ad + ad"]),
    ("v = sum(log(a), a > 0)", &["ad = ad + merge(vd/a, 0.0d0, a > 0)"]),
    (
        "v = merge(sqrt(u), w, u > 0)",
        &[
            "ud = ud + merge(vd/(2*max(sqrt(u), sqrt(tiny(u)))), 0.0d0, u > 0)",
            "wd = wd + merge(vd, 0.0d0, not u > 0)",
        ],
    ),
    ("c = u*e", &["ud = ud + real(conjg(e)*cd)", "ed = ed + u*cd"]),
    ("v = real(e*f)", &["ed = ed + conjg(f)*vd", "fd = fd + conjg(e)*vd"]),
    ("c = e*f", &["ed = ed + conjg(f)*cd", "fd = fd + conjg(e)*cd"]),
    ("c = e/f", &["tempb = cd/conjg(f)", "ed = ed + tempb", "fd = fd - conjg(e/f)*tempb"]),
    ("y = u*w", &["ud = ud + w*yd", "wd = wd + u*yd"]),
    ("v = x*y", &["xd = xd + y*vd", "yd = yd + x*vd"]),
    (
        "a(2:3) = b(1:2)*a(3:4)",
        &["bd(1:2) = bd(1:2) + a(3:4)*ad(2:3)", "ad(3:4) = ad(3:4) + b(1:2)*ad(2:3)"],
    ),
    ("v = sum(a*u)", &["ad = ad + u*vd", "ud = ud + sum(a)*vd"]),
    (
        "v = sum(a*b*u)",
        &["tempb = u*vd", "ad = ad + b*tempb", "bd = bd + a*tempb", "ud = ud + sum(a*b)*vd"],
    ),
    (
        "v = sin(u*w)*cos(u*w)",
        &[
            "tempb = sin(u*w)*sin(u*w)*vd",
            "tempb0 = cos(u*w)*cos(u*w)*vd",
            "ud = ud + w*tempb0",
            "wd = wd + u*tempb0",
            "ud = ud - w*tempb",
            "wd = wd - u*tempb",
        ],
    ),
    (
        "v = u*w*u*w",
        &[
            "tempb = w*vd",
            "tempb0 = u*tempb",
            "ud = ud + w*tempb0",
            "wd = wd + u*tempb0",
            "ud = ud + u*w*tempb",
            "wd = wd + u*w*u*vd",
        ],
    ),
    ("v = -u - (-w)", &["ud = ud - vd", "wd = wd + vd"]),
];
