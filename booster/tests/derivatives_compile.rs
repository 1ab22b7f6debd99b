//! Derivatives of assignments are standard Fortran: gfortran takes them without a warning.
//!
//! xaif-run is lenient where a compiler is not (kinds of arguments, ranks of operands); the numbers
//! are tested in `unit/linearize`.

use std::process::Command;

use crate::unit::cases;
use fortran_backend::{Layout, unparse};
use xaif_booster::build::{
    Copier, Emitter, binary, has_vector_subscript, new_variable, rewrite_blocks, value_of, whole,
};
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::linearize::{
    Contribution, Scratch, add_by_elements, adjoint_of, has_statement_adjoint, statement_adjoint,
    statement_tangent, tangent_of,
};
use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Attr, Dim, Document, ExprId, ExprKind, Place, ProcId, RefId, ScopeId, StmtId, StmtKind,
    SymbolId, Ty,
};

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

/// A new variable for intermediate values.
fn temporary(doc: &mut Document, scope: ScopeId, ty: Ty) -> SymbolId {
    let symbol = new_variable(doc, scope, "temp", ty.base, Place::default());
    doc.symbols[symbol].rank = Some(ty.rank);
    if let Some(decl) = &mut doc.symbols[symbol].decl
        && ty.rank > 0
    {
        decl.dims = vec![Dim::Deferred; usize::from(ty.rank)];
        decl.attrs.insert(Attr::Allocatable);
    }
    symbol
}

/// `xd = xd + value`
fn add(emitter: &mut Emitter<'_>, one: Contribution) -> Result<(), Diagnostic> {
    let doc = &mut *emitter.doc;
    let place = doc.refs[one.target].place;
    let Some(target) = shadow_reference(doc, one.target) else { return Ok(()) };
    if has_vector_subscript(doc, target) {
        return add_by_elements(emitter, target, one.value, one.negative, &mut Scratch::default());
    }
    let old = Copier::new().reference(doc, target);
    let old = value_of(doc, old);
    let name = if one.negative { "sub_scal_scal" } else { "add_scal_scal" };
    let sum = binary(doc, name, old, one.value);
    emitter.assign(target, sum, place);
    Ok(())
}

/// The adjoint of an assignment.
fn reverse(
    emitter: &mut Emitter<'_>,
    catalogue: &Catalogue,
    stmt: StmtId,
    scratch: &mut Scratch,
) -> Result<(), Diagnostic> {
    let StmtKind::Assign { lhs, rhs, .. } = emitter.doc.stmts[stmt].kind else { return Ok(()) };
    let (ty, place) = (emitter.doc.refs[lhs].ty, emitter.doc.refs[lhs].place);
    let seed = shadow(emitter.doc, lhs).expect("an adjoint of the left-hand side");
    let scope = emitter.scope;
    let mut active = |doc: &mut Document, reference| shadow_reference(doc, reference).is_some();
    let mut temporary = |doc: &mut Document, ty| temporary(doc, scope, ty);
    let doc = &mut *emitter.doc;
    if has_statement_adjoint(doc, catalogue, rhs) {
        let (active, temporary) = (&mut active, &mut temporary);
        let add = &mut add;
        statement_adjoint(emitter, catalogue, rhs, seed, active, temporary, add, scratch)?;
        return Ok(());
    }
    let found = adjoint_of(doc, catalogue, rhs, (seed, None), ty, &mut active, &mut temporary)?;
    for (symbol, value) in found.temporaries {
        let target = whole(emitter.doc, symbol, place);
        emitter.assign(target, value, place);
    }
    found.contributions.into_iter().try_for_each(|one| add(emitter, one))
}

/// The derivative or the adjoint of an assignment, in a subroutine of its own.
fn derived(kind: u8, assignment: &str, number: usize, backwards: bool) -> String {
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
            if backwards {
                return reverse(emitter, &catalogue, stmt, &mut scratch);
            }
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
    compile(false);
}

#[test]
fn adjoints_compile_without_warnings() {
    compile(true);
}

fn compile(backwards: bool) {
    let lists = [cases::REAL, cases::COMPLEX_CASES, cases::ARRAY_CASES, cases::LOOPS];
    let all = lists.into_iter().flatten().map(|(assignment, _)| *assignment);
    let mut text = String::new();
    for (number, assignment) in all.chain(cases::ROUNDED.iter().copied()).enumerate() {
        for kind in [4, 8] {
            text += &derived(kind, assignment, 10 * number + usize::from(kind), backwards);
        }
    }
    assert!(text.matches("end subroutine").count() > 300, "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("derivatives.f90");
    std::fs::write(&path, &text).expect("a file");
    let output = Command::new("gfortran")
        .args(["-fsyntax-only", "-fdec-math", "-Wall", "-Wextra", "-Werror", "-Wno-conversion"])
        // The users' procedures stand in the same text, with the warnings that their sources have.
        .args(["-Wno-unused-dummy-argument", "-Wno-unused-parameter"])
        .arg(&path)
        .output()
        .expect("gfortran runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
