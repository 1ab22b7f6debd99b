//! The numbers and the text of adjoints: each against dual numbers by the dot product.

use std::collections::HashSet;

use xaif_run::{Element, Mode, Outcome, Request, parse_setting, run};
use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::lens::show;
use xaif_schema::model::{Attr, Dim, Document, ExprKind, ProcId, RefId, StmtKind, SymbolId, Ty};
use xaif_schema::verify;

use super::cases::{ARRAY_CASES, COMPLEX_CASES, REAL, ROUNDED, program};
use super::values::{DIRECTION, close, moved, result, settings};
use super::{DECLARATIONS, shadow_reference};
use crate::build::{
    Emitter, binary, new_variable, nodes_of, rewrite_blocks, same_reference, value_of,
};
use crate::rules::Catalogue;
use crate::transform::linearize::{adjoint_of, needed};

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
    let procs: Vec<ProcId> = doc.procs.keys().collect();
    for proc in procs {
        rewrite_blocks(doc, proc, |emitter, stmt| {
            if let StmtKind::Assign { lhs, rhs, .. } = emitter.doc.stmts[stmt].kind {
                adjoint(emitter, catalogue, proc, lhs, rhs)?;
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
) -> Result<(), Diagnostic> {
    let place = emitter.doc.refs[lhs].place;
    let doc = &mut *emitter.doc;
    let read = needed(doc, catalogue, lhs, rhs, &mut |reference| is_active(doc, reference))?;
    let Some(seed) = shadow_reference(doc, lhs) else { return Ok(()) };
    let (seed, ty) = (value_of(doc, seed), doc.refs[lhs].ty);
    let found = adjoint_of(
        doc,
        catalogue,
        rhs,
        seed,
        ty,
        &mut |doc, reference| is_active(doc, reference),
        &mut |doc, ty| temporary(doc, proc, ty),
    )?;
    let mut values: Vec<_> = found.temporaries.iter().map(|&(_, value)| value).collect();
    values.extend(found.contributions.iter().map(|contribution| contribution.value));
    check_reads(doc, &values, &read);
    for (symbol, value) in found.temporaries {
        let target = crate::build::whole(emitter.doc, symbol, place);
        emitter.assign(target, value, place);
    }
    for contribution in found.contributions {
        let doc = &mut *emitter.doc;
        let target = shadow_reference(doc, contribution.target).expect("an adjoint");
        let old = shadow_reference(doc, contribution.target).expect("an adjoint");
        let old = value_of(doc, old);
        let name = if contribution.negative { "sub_scal_scal" } else { "add_scal_scal" };
        assert!(doc.exprs[contribution.value].ty.rank <= doc.exprs[old].ty.rank);
        let sum = binary(doc, name, old, contribution.value);
        emitter.assign(target, sum, place);
    }
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
                let parts = crate::build::subscripts_of(&doc.refs[other]);
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

/// The adjoint of an assignment as the lens prints it.
fn text(assignment: &str) -> Vec<String> {
    let source = format!("subroutine test(x, y)\n{DECLARATIONS}  {assignment}\nend subroutine\n");
    let mut doc = crate::testing::document(&source);
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
        let original = crate::testing::document(&program(kind, assignment));
        let direction = settings(DIRECTION);
        let tangent = result(&original, moved(point, 0.0), direction, Mode::Tangent, target);
        // The weights of the results, and the adjoints of the inputs, which are zero.
        let weight = |index: usize| 0.3 + 0.45 * (1.7 * index as f64 + 0.4).sin();
        let mut given = moved(point, 0.0);
        for (name, mut value) in settings(DIRECTION) {
            for word in &mut value.words {
                *word = if word.starts_with('(') { "(0,0)".into() } else { "0".into() };
            }
            given.push((format!("{name}d"), value));
        }
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
        if let Err(error) = reverse(&mut derived.clone(), &Catalogue::standard())
            && error.code == Code::MUST_STAND_ALONE
        {
            return;
        }
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
            let by: Vec<f64> = values
                .words
                .iter()
                .flat_map(|word| {
                    word.trim_matches(['(', ')'])
                        .split(',')
                        .map(|part| part.parse::<f64>().expect("a number"))
                        .collect::<Vec<_>>()
                })
                .collect();
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
fn array_adjoints_agree_with_dual_numbers() {
    check_all(ARRAY_CASES);
}

#[test]
fn adjoints_read_as_a_person_would_write_them() {
    let mut wrong = String::new();
    for (original, expected) in TEXTS {
        let found = text(original);
        if found != *expected {
            wrong += &format!("{original}\n  expected {expected:#?}\n  found    {found:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

const TEXTS: &[(&str, &[&str])] =
    &[("y = sin(x)", &["xd = xd + cos(x)*yd"]), ("z = x*y", &["xd = xd + y*zd", "yd = yd + x*zd"])];
