//! What a XAIF 1.0 document does not say, made up so that it is like one of ours.
//!
//! Such a document has symbols without declarations, scopes without a kind, statements that mean
//! derivatives. This makes a copy in which every symbol is declared (`symbols`, `extents`), every
//! scope is a module or a procedure (`units`), every expression has a type (`types`), control flow
//! reads as a text does (`structure`), arguments have the rank that is expected and callees the
//! interface that they need (`calls`), and derivative statements are assignments to derivative
//! variables (`derivatives`). It serves the back-ends, which need declarations to print, and the
//! rewriters, which need them to declare derivatives; what a language looks like it does not know. A
//! document of our own front-ends is left as it is; a procedure that a stage has added and that no
//! scope lists becomes a unit of its own.

mod calls;
mod derivatives;
mod extents;
mod structure;
mod symbols;
mod types;
mod units;
mod zeros;

pub use symbols::integer_literal;

use std::borrow::Cow;
use std::collections::HashSet;

use crate::diag::{Code as DiagCode, Diagnostic, Diagnostics};
use crate::model::{
    AsRead, Body, Document, InterfaceItem, Place, ProcId, ScopeId, ScopeKind, SpecItem, StmtKind,
};
use crate::tape;

/// The document as one that our own front-ends could have made: `doc` itself, where it is one.
///
/// # Errors
///
/// A derivative statement that cannot be written as an assignment (a call that passes no derivative
/// for something whose shape is not known): `OX4100`.
pub fn upgrade(doc: &Document) -> Result<Cow<'_, Document>, Diagnostics> {
    let unlisted = unlisted(doc);
    let genuine = doc.is_xaif_1();
    let derivatives = doc.refs.values().any(|reference| reference.deriv)
        || doc.stmts.values().any(|stmt| match &stmt.kind {
            StmtKind::Propagate(steps) => stmt.local_jacobian.is_none() && !steps.is_empty(),
            StmtKind::InlinableCall(call) => genuine || tape::operation(&call.name).is_none(),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        });
    let fragments = doc.procs.values().any(|proc| matches!(proc.body, Body::Replacements { .. }));
    if !genuine && !derivatives && !fragments && unlisted.is_empty() {
        return Ok(Cow::Borrowed(doc));
    }
    let mut doc = doc.clone();
    let mut problems = Vec::new();
    derivatives::expand(&mut doc, genuine, &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_iter().map(|problem| problem.told(&doc)).collect());
    }
    calls::first_elements(&mut doc);
    units::fragments(&mut doc);
    units::kinds(&mut doc);
    units::localise(&mut doc);
    units::globals(&mut doc);
    let calls = if genuine { units::module_procedures(&mut doc) } else { Vec::new() };
    symbols::declare(&mut doc);
    units::bring_in(&mut doc, calls);
    if genuine {
        calls::rests(&mut doc);
        calls::keywords(&mut doc);
        calls::interfaces(&mut doc);
        types::resolve(&mut doc);
    }
    units::list(&mut doc, &unlisted);
    if genuine {
        units::drop_modules(&mut doc);
        structure::normalise(&mut doc);
        // From here on it is one of ours, and is written and verified as such.
        doc.as_read = AsRead::default();
    }
    Ok(Cow::Owned(doc))
}

/// What cannot be made up.
#[derive(Debug)]
struct Problem {
    place: Place,
    message: String,
    help: &'static str,
}

impl Problem {
    fn told(self, doc: &Document) -> Diagnostic {
        Diagnostic::error(DiagCode::CANNOT_UPGRADE, doc.spot(self.place), self.message)
            .with_help(self.help)
    }
}

/// Procedures with a body or fragments that no scope lists.
fn unlisted(doc: &Document) -> Vec<ProcId> {
    let mut listed: HashSet<ScopeId> = HashSet::new();
    for scope in doc.scopes.values() {
        for item in scope.items.iter().chain(&scope.contains) {
            match item {
                SpecItem::Unit(scope) => {
                    listed.insert(*scope);
                }
                SpecItem::Interface { items, .. } => {
                    listed.extend(items.iter().filter_map(|item| match item {
                        InterfaceItem::Body(scope) => Some(*scope),
                        InterfaceItem::Procedures { .. } | InterfaceItem::Comment(_) => None,
                    }));
                }
                _ => {}
            }
        }
    }
    let given = doc.procs.iter().filter(|(_, proc)| !matches!(proc.body, Body::Interface));
    given.filter(|(_, proc)| !listed.contains(&proc.scope)).map(|(id, _)| id).collect()
}

/// Whether a scope is one of a XAIF 1.0 document.
fn is_plain(doc: &Document, scope: ScopeId) -> bool {
    matches!(doc.scopes[scope].kind, ScopeKind::Plain)
}
