//! The verifier: the invariants of a document.
//!
//! Every violation is reported, with its place in the XML text where the document was read from
//! one, else in the source of the program. The complete list, each with the code of its message:
//!
//! Every document:
//! - OX0200 every id that an entity holds names an entity that exists (otherwise nothing else is
//!   checked);
//! - OX0201 the scopes are one tree: one of them has no parent, and parents lead to it;
//! - OX0202 a symbol is listed once, in the scope that it names, and its id is unique there;
//! - OX0203 a statement, a reference and the root of an expression is used in one place only;
//! - OX0204 an expression has no cycle, and no node of it belongs to another expression;
//! - OX0205 `not` has one operand, other logical operations and comparisons have two, at positions
//!   1 and 2; operands of an intrinsic have distinct positions from 1 on;
//! - OX0206 the layout of a control flow graph lists each of its vertices once;
//! - OX0207 a control flow graph that is not empty has one entry and one exit; nothing leads into
//!   the entry, nothing out of the exit (fragments of replacement lists need neither);
//! - OX0208 two edges from the same vertex with the same condition lead to the same vertex;
//! - OX0209 a loop counts by plain assignments to one variable;
//! - OX0210 keys of alias, DU/UD and DO sets are unique, and those that references and assignments
//!   hold exist;
//! - OX0211 dummy arguments have distinct positions from 1 on;
//! - OX0212 ids that were read (scopes, vertices, statements) are unique where they must be;
//!
//! Documents of our own dialect, moreover (genuine ones keep only edges and conditions):
//! - OX0220 branches and loops are closed in the reverse order in which they are opened, along the
//!   layout;
//! - OX0221 an arm of a branch begins with a basic block inside the construct;
//! - OX0222 a loop leads by condition 1 to the basic block behind it and without a condition to a
//!   vertex behind its end (not always the next: it may be the last of an arm); its end leads back;
//! - OX0223 a jump and a label have one edge, without a condition;
//! - OX0224 the pieces of a marker name operands that it has, and its ways out are edges of its
//!   block;
//! - OX0225 only the last arm of a WHERE lacks a mask; WHERE and FORALL hold assignments, WHERE,
//!   FORALL and comments only;
//! - OX0226 the spec for numbers is not used for types that have a spec of their own;
//! - OX0227 what a procedure is goes with what its symbol says;
//! - OX0228 the operations of the tape have the arguments that [`crate::tape`] tells;
//! - OX0229 statements that belong to a local Jacobian stand in a basic block: assignments to
//!   references that are marked passive, those that are executed again last, then the propagator;
//! - OX0233 a recomputation is an intrinsic assignment.
//! - OX0231 the backward sweep of an adjoint takes back what the forward sweep has recorded.
//!
//! [`lint`] reports, moreover:
//! - OX0232 each intrinsic is one of the table or of a catalogue of the user;
//! - all that a stage would refuse of a document of XAIF 1.0.
//!
//! Not checked (TODO): that types of operands fit together, that `OpenScope` and `CloseScope` pair
//! along every path, that the graph of calls has an edge for each call.

mod flow;
mod graph;
mod ids;
mod jacobian;
mod stmts;
mod structure;
mod sweeps;
mod symbols;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::diag::{Code, Diagnostic, Diagnostics, Spot};
use crate::model::{
    Body, Cfg, Document, EdgeId, ExprId, Place, ProcId, RefId, ScopeId, StmtId, SymbolId, VertexId,
};
use crate::upgrade::upgrade;
use crate::xml::Positions;

/// Every violation of an invariant in `doc`.
///
/// ```
/// use xaif_schema::{model::Document, verify::verify};
///
/// assert!(verify(&Document::new()).is_empty());
/// assert!(verify(&Document::default()).has_errors(), "a document has a global scope");
/// ```
pub fn verify(doc: &Document) -> Diagnostics {
    verify_at(doc, None)
}

/// Every violation of an invariant in `doc`, with places in the XML text where they are known.
pub fn verify_at(doc: &Document, positions: Option<&Positions<'_>>) -> Diagnostics {
    let mut verifier = Verifier { doc, positions, found: Diagnostics::new() };
    ids::check_existence(&mut verifier);
    if !verifier.found.is_empty() {
        return verifier.found;
    }
    symbols::check_scope_tree(&mut verifier);
    symbols::check_membership(&mut verifier);
    symbols::check_declarations(&mut verifier);
    symbols::check_types(&mut verifier);
    let roots = ids::check_owners(&mut verifier);
    ids::check_cycles(&mut verifier, roots);
    ids::check_read_ids(&mut verifier);
    stmts::check_operands(&mut verifier);
    stmts::check_keys(&mut verifier);
    stmts::check_markers(&mut verifier);
    stmts::check_masked(&mut verifier);
    flow::check_procedures(&mut verifier);
    if !doc.as_read.xaif_1 {
        stmts::check_tape(&mut verifier);
        stmts::check_recomputations(&mut verifier);
        jacobian::check(&mut verifier);
        check_shape(&mut verifier);
        // The order of a broken graph is no order.
        if verifier.found.is_empty() {
            sweeps::check(&mut verifier);
        }
    }
    verifier.found
}

/// The invariants of our dialect that a document of XAIF 1.0 must allow, too.
fn check_shape(verifier: &mut Verifier<'_>) {
    symbols::check_procedures(verifier);
    structure::check(verifier);
}

/// What `xaif-lint` says of a document that was read: all that a stage would refuse.
///
/// A stage makes a document of XAIF 1.0 one of our dialect before it looks at it, so its invariants are
/// those of our dialect. Intrinsics that neither the table nor `also_known` has are errors.
pub fn lint(doc: &Document, positions: &Positions<'_>, also_known: &[String]) -> Diagnostics {
    let mut verifier = Verifier { doc, positions: Some(positions), found: Diagnostics::new() };
    stmts::check_intrinsics(&mut verifier, also_known);
    let mut found = verify_at(doc, Some(positions));
    found.extend(verifier.found);
    // Of replacement lists adoption makes procedures that no text has.
    let templates = doc.procs.values().any(|proc| matches!(proc.body, Body::Replacements { .. }));
    if found.has_errors() || templates {
        return found;
    }
    // Entities keep their ids, so they keep their places, too.
    match upgrade(doc) {
        Ok(Cow::Borrowed(_)) => {}
        // What adoption itself adds is not the document's fault.
        Ok(Cow::Owned(adopted)) => {
            let mut verifier =
                Verifier { doc: &adopted, positions: Some(positions), found: Diagnostics::new() };
            flow::check_ways(&mut verifier);
            check_shape(&mut verifier);
            found.extend(verifier.found);
        }
        Err(problems) => found.extend(problems),
    }
    let placed = found.into_iter().map(|mut one| {
        one.spot = one.spot.or_else(|| Some(positions.document()));
        one
    });
    placed.collect()
}

/// The entity at which something was found.
#[derive(Clone, Copy, Debug)]
enum At {
    Document,
    Scope(ScopeId),
    Symbol(SymbolId),
    Proc(ProcId),
    Vertex(Graph, VertexId),
    Edge(Graph, EdgeId),
    Stmt(StmtId),
    Expr(ExprId),
    Ref(RefId),
}

/// A control flow graph: of a procedure (fragment 0), or a fragment of a replacement list (from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Graph {
    proc: ProcId,
    fragment: u32,
}

struct Verifier<'a> {
    doc: &'a Document,
    positions: Option<&'a Positions<'a>>,
    found: Diagnostics,
}

impl<'a> Verifier<'a> {
    /// Reports the violation of the invariant `code` at `at`.
    fn report(&mut self, code: Code, at: At, message: impl Into<String>) {
        let spot = self.spot(at);
        self.found.push(Diagnostic::error(code, spot, message));
    }

    fn spot(&self, at: At) -> Option<Spot> {
        let Some(positions) = self.positions else {
            return self.doc.spot(self.place(at));
        };
        match at {
            At::Document => Some(positions.document()),
            At::Scope(id) => positions.scope(id),
            At::Symbol(id) => positions.symbol(id),
            At::Proc(id) => positions.procedure(id),
            At::Vertex(graph, id) => positions.vertex(graph.proc, graph.fragment, id),
            At::Edge(graph, id) => positions.edge(graph.proc, graph.fragment, id),
            At::Stmt(id) => positions.stmt(id),
            At::Expr(id) => positions.expr(id),
            At::Ref(id) => positions.reference(id),
        }
    }

    /// The place in the program's source; ids that do not exist have none.
    fn place(&self, at: At) -> Place {
        let doc = self.doc;
        let place = match at {
            At::Document => None,
            At::Scope(id) => doc.scopes.get(id).map(|scope| scope.place),
            At::Symbol(id) => {
                doc.symbols.get(id).and_then(|s| s.decl.as_ref()).map(|decl| decl.place)
            }
            At::Proc(id) => doc.procs.get(id).map(|proc| proc.place),
            At::Vertex(graph, id) => {
                self.cfg(graph).and_then(|cfg| Some(cfg.vertices.get(id)?.place))
            }
            At::Edge(graph, id) => self.cfg(graph).and_then(|cfg| {
                let edge = cfg.edges.get(id)?;
                Some(cfg.vertices.get(edge.source)?.place)
            }),
            At::Stmt(id) => doc.stmts.get(id).map(|stmt| stmt.place),
            At::Expr(id) => doc.exprs.get(id).map(|expr| expr.place),
            At::Ref(id) => doc.refs.get(id).map(|reference| reference.place),
        };
        let known = |place: &Place| place.file.is_none_or(|file| doc.files.get(file).is_some());
        place.filter(known).unwrap_or_default()
    }

    fn cfg(&self, graph: Graph) -> Option<&'a Cfg> {
        graph::graphs(self.doc, graph.proc).find(|(found, _)| *found == graph).map(|(_, cfg)| cfg)
    }
}
