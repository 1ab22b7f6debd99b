//! Derivatives of assignments are standard Fortran: gfortran takes them without a warning.
//!
//! xaif-run is lenient where a compiler is not (kinds of arguments, ranks of operands); the numbers
//! are tested beside `transform/linearize`.

use std::process::Command;

use fortran_backend::{Layout, unparse};
use xaif_booster::build::{Copier, Emitter, rewrite_blocks, value_of};
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::linearize::{Scratch, statement_tangent, tangent_of};
use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{Document, ExprId, ExprKind, ProcId, RefId, StmtId, StmtKind};

#[path = "../src/transform/linearize/tests/cases.rs"]
mod cases;

fn shadow_reference(doc: &mut Document, reference: RefId) -> Option<RefId> {
    let base = doc.refs[reference].base;
    let name = format!("{}d", doc.name(base));
    let symbol = doc.symbol_in(doc.symbols[base].scope, &name)?;
    let mut copier = Copier::new();
    copier.symbols.insert(base, symbol);
    Some(copier.reference(doc, reference))
}

fn shadow(doc: &mut Document, reference: RefId) -> Option<ExprId> {
    shadow_reference(doc, reference).map(|copy| value_of(doc, copy))
}

fn derive(
    emitter: &mut Emitter<'_>,
    catalogue: &Catalogue,
    stmt: StmtId,
    scratch: &mut Scratch,
) -> Result<(), Diagnostic> {
    let StmtKind::Assign { lhs, rhs, .. } = emitter.doc.stmts[stmt].kind else { return Ok(()) };
    let target = shadow_reference(emitter.doc, lhs).expect("a derivative of the left-hand side");
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

/// The derivative of an assignment, in a subroutine of its own.
fn derived(kind: u8, assignment: &str, number: usize) -> String {
    let source = cases::program(kind, assignment)
        .replace("subroutine test(", &format!("subroutine test{number}("));
    let options = fortran_frontend::source::Options::default();
    let translation = fortran_frontend::translate_texts(&[("test.f90", &source)], &options);
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let mut doc = translation.document;
    let (catalogue, mut scratch) = (Catalogue::standard(), Scratch::default());
    let procs: Vec<ProcId> = doc.procs.keys().collect();
    for proc in procs {
        let done: Result<(), Diagnostic> = rewrite_blocks(&mut doc, proc, |emitter, stmt| {
            derive(emitter, &catalogue, stmt, &mut scratch)?;
            emitter.push(stmt);
            Ok(())
        });
        done.expect("a derivative");
    }
    let texts = unparse(&doc, Layout::OneText).expect("it can be printed");
    texts.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn derivatives_compile_without_warnings() {
    let lists = [cases::REAL, cases::COMPLEX_CASES, cases::ARRAY_CASES, cases::LOOPS];
    let all = lists.into_iter().flatten().map(|(assignment, _)| *assignment);
    let mut text = String::new();
    for (number, assignment) in all.chain(cases::ROUNDED.iter().copied()).enumerate() {
        for kind in [4, 8] {
            text += &derived(kind, assignment, 10 * number + usize::from(kind));
        }
    }
    assert!(text.matches("end subroutine").count() > 300, "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("derivatives.f90");
    std::fs::write(&path, &text).expect("a file");
    let output = Command::new("gfortran")
        .args(["-fsyntax-only", "-fdec-math", "-Wall", "-Wextra", "-Werror", "-Wno-conversion"])
        .args(["-Wno-unused-dummy-argument", "-Wno-unused-parameter"])
        .arg(&path)
        .output()
        .expect("gfortran runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
