//! What a counted loop records element by element is recorded before the loop as one section.
//!
//! `call push(u(i))` in each round of a loop keeps a compiler from vectorising it and costs several
//! times what one copy of `u(2:n-1)` before the loop does (README of the kernels' benchmark has the
//! figures). The backward sweep then takes the section back behind its loop, where the values that
//! it holds are right whatever the loop did. Within the loop of the backward sweep the array has the
//! values that it has at the loop's end: so it is done only where no adjoint in the loop reads it.
//!
//! Works on the facts of TBR analysis (`Stmt.recorded`), from the innermost loops outwards: what was
//! moved before an inner loop may move on. Only what every round records is moved. Where nobody has told what is to be recorded nothing is
//! done.

use std::collections::HashSet;

use xaif_schema::model::{
    Body, Cfg, Document, ExprId, ExprKind, ForForm, Part, ProcId, RefId, Role, StmtId, StmtKind,
    Subscript, SymbolId, VertexKind,
};

use super::assign::offset;
use super::body::Adjoint;
use crate::analysis::UnitId;
use crate::build::{Copier, binary, integer, negate, nodes_of, same_reference, subscripts_of};
use crate::transform::linearize::needed;

/// A counted loop: positions in the layout, its variable and bounds.
struct Loop {
    head: usize,
    end: usize,
    init: StmtId,
    variable: SymbolId,
    lower: ExprId,
    upper: ExprId,
    step: i64,
}

impl Adjoint<'_> {
    /// Moves records of the loops of `proc` before the loops.
    pub(super) fn hoist_records(&self, doc: &mut Document, proc: ProcId) {
        let Body::Flow(cfg) = &doc.procs[proc].body else { return };
        let cfg = cfg.clone();
        let settled = self.settled_variables(doc, &cfg);
        for found in loops(doc, &cfg).into_iter().rev() {
            self.hoist_from(doc, &cfg, &found, &settled);
        }
    }

    fn hoist_from(&self, doc: &mut Document, cfg: &Cfg, found: &Loop, settled: &HashSet<SymbolId>) {
        let inside = stmts_of(cfg, found.head + 1, found.end);
        let Some(read) = self.read_inside(doc, cfg, found, &inside) else { return };
        let enclosing = loops(doc, cfg)
            .into_iter()
            .filter(|other| other.head < found.head && found.end < other.end)
            .map(|other| other.variable);
        let mut known: HashSet<SymbolId> = settled.clone();
        known.extend(enclosing);
        if doc.stmts[found.init].recorded.is_none()
            || ![found.lower, found.upper].into_iter().all(|bound| is_known(doc, bound, &known))
        {
            return;
        }
        for stmt in unconditional(cfg, found.head + 1, found.end) {
            let recorded = doc.stmts[stmt].recorded.clone().unwrap_or_default();
            let (moved, stays): (Vec<RefId>, Vec<RefId>) =
                recorded.into_iter().partition(|&reference| {
                    let units = self.storage.units_of(doc, reference);
                    !units.is_empty()
                        && units.iter().all(|unit| !read.contains(unit))
                        && varies_once(doc, reference, found.variable, &known)
                });
            if moved.is_empty() {
                continue;
            }
            doc.stmts[stmt].recorded = Some(stays);
            for reference in moved {
                let section = section(doc, reference, found);
                let mut list = doc.stmts[found.init].recorded.take().unwrap_or_default();
                if !list.iter().any(|&other| same_reference(doc, other, section)) {
                    list.push(section);
                }
                doc.stmts[found.init].recorded = Some(list);
            }
        }
    }

    /// The units that adjoint statements in a loop read; `None` if that cannot be told.
    fn read_inside(
        &self,
        doc: &Document,
        cfg: &Cfg,
        found: &Loop,
        inside: &[StmtId],
    ) -> Option<HashSet<UnitId>> {
        let mut read = HashSet::new();
        let mut note = |references: Vec<RefId>| {
            read.extend(references.into_iter().flat_map(|r| self.storage.units_of(doc, r)));
        };
        for &stmt in inside {
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, defined: None } => {
                    if matches!(doc.exprs[*rhs].kind, ExprKind::Call(_)) {
                        return None;
                    }
                    note(read_by(doc, subscripts_of(&doc.refs[*lhs])));
                    if self.is_active(doc, *lhs) {
                        let mut active = |reference: RefId| self.is_active(doc, reference);
                        let found = needed(doc, self.tools.catalogue, *lhs, *rhs, &mut active);
                        note(found.ok()?);
                    }
                }
                StmtKind::Comment(_) => {}
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_) => return None,
            }
        }
        for &vertex in &cfg.layout[found.head + 1..found.end] {
            match &cfg.vertices[vertex].kind {
                VertexKind::Branch { condition, .. } => {
                    note(read_by(doc, condition.iter().copied()));
                }
                VertexKind::ForLoop { init, condition, .. } => {
                    let first = match doc.stmts[*init].kind {
                        StmtKind::Assign { rhs, .. } => Some(rhs),
                        _ => None,
                    };
                    note(read_by(doc, first.into_iter().chain([*condition])));
                }
                VertexKind::BasicBlock { .. } | VertexKind::EndBranch | VertexKind::EndLoop => {}
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => return None,
            }
        }
        Some(read)
    }

    /// The integer variables that nothing in the body overwrites.
    fn settled_variables(&self, doc: &Document, cfg: &Cfg) -> HashSet<SymbolId> {
        let all = stmts_of(cfg, 0, cfg.layout.len());
        let mut written: HashSet<UnitId> = HashSet::new();
        let mut world = false;
        for stmt in all {
            match self.overwritten(stmt) {
                Some(found) => {
                    written.extend(found.units.iter().copied());
                    world |= found.world;
                }
                None => world |= !matches!(doc.stmts[stmt].kind, StmtKind::Comment(_)),
            }
        }
        let scope = self.scope(doc);
        let settled = |symbol: &SymbolId| {
            let units = self.storage.units_of_symbol(*symbol);
            doc.symbols[*symbol].rank == Some(0)
                && matches!(doc.role(*symbol), Some(Role::Variable))
                && !units.is_empty()
                && units.iter().all(|unit| !written.contains(unit))
        };
        if world {
            return HashSet::new();
        }
        doc.scopes[scope].symbols.iter().copied().filter(settled).collect()
    }
}

/// The counted loops of a body with a constant step, outer ones first.
fn loops(doc: &Document, cfg: &Cfg) -> Vec<Loop> {
    let mut found = Vec::new();
    for (head, &vertex) in cfg.layout.iter().enumerate() {
        let VertexKind::ForLoop { init, condition, update, form: ForForm::Counted, .. } =
            &cfg.vertices[vertex].kind
        else {
            continue;
        };
        let ends = |&&later: &&_| {
            matches!(cfg.vertices[later].kind, VertexKind::EndLoop)
                && cfg.edges.values().any(|edge| edge.source == later && edge.target == vertex)
        };
        let end = cfg.layout.iter().skip(head).position(|later| ends(&later)).map(|n| n + head);
        if let Some(end) = end
            && let Some(one) = counted(doc, head, end, *init, *condition, *update)
        {
            found.push(one);
        }
    }
    found
}

fn counted(
    doc: &Document,
    head: usize,
    end: usize,
    init: StmtId,
    condition: ExprId,
    update: StmtId,
) -> Option<Loop> {
    let StmtKind::Assign { lhs, rhs: lower, .. } = doc.stmts[init].kind else { return None };
    let StmtKind::Assign { rhs: next, .. } = doc.stmts[update].kind else { return None };
    let variable = doc.refs[lhs].base;
    let (base, step) = offset(doc, next)?;
    if base != Some(variable) || step == 0 {
        return None;
    }
    let ExprKind::Boolean { operands, .. } = &doc.exprs[condition].kind else { return None };
    let upper = operands.iter().find(|operand| operand.position == 2)?.expr;
    Some(Loop { head, end, init, variable, lower, upper, step })
}

/// The statements of a stretch of the layout, those that begin loops included.
fn stmts_of(cfg: &Cfg, from: usize, to: usize) -> Vec<StmtId> {
    let mut found = Vec::new();
    for &vertex in &cfg.layout[from..to] {
        match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => found.extend(stmts),
            VertexKind::ForLoop { init, .. } => found.push(*init),
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    found
}

/// Those of them that no branch guards: an element that is guarded may be none of the array.
fn unconditional(cfg: &Cfg, from: usize, to: usize) -> Vec<StmtId> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for position in from..to {
        match &cfg.vertices[cfg.layout[position]].kind {
            VertexKind::Branch { .. } => depth += 1,
            VertexKind::EndBranch => depth = depth.saturating_sub(1),
            _ if depth == 0 => found.extend(stmts_of(cfg, position, position + 1)),
            _ => {}
        }
    }
    found
}

fn read_by(doc: &Document, roots: impl IntoIterator<Item = ExprId>) -> Vec<RefId> {
    let mut found = Vec::new();
    let mut roots: Vec<ExprId> = roots.into_iter().collect();
    while let Some(root) = roots.pop() {
        for node in nodes_of(doc, [root]) {
            if let ExprKind::Ref(reference) = doc.exprs[node].kind {
                found.push(reference);
            }
        }
    }
    found
}

/// Whether an expression reads nothing but variables with a value that stays.
fn is_known(doc: &Document, expr: ExprId, known: &HashSet<SymbolId>) -> bool {
    nodes_of(doc, [expr]).into_iter().all(|node| match &doc.exprs[node].kind {
        ExprKind::Constant(_) => true,
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[*reference];
            let constant = doc.symbols[reference.base]
                .decl
                .as_ref()
                .is_some_and(|decl| decl.attrs.contains(&xaif_schema::model::Attr::Parameter));
            reference.parts.is_empty() && (constant || known.contains(&reference.base))
        }
        ExprKind::Intrinsic { .. } => true,
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// Whether exactly one subscript of a reference to an array of numbers is the loop's variable with a
/// constant added, and all others are known before the loop.
fn varies_once(
    doc: &Document,
    reference: RefId,
    variable: SymbolId,
    known: &HashSet<SymbolId>,
) -> bool {
    let [Part::Elements(list)] = &doc.refs[reference].parts[..] else { return false };
    let moving = |index: ExprId| offset(doc, index).is_some_and(|(base, _)| base == Some(variable));
    let mut count = 0;
    let fits = list.iter().all(|subscript| match *subscript {
        Subscript::Index(index) if moving(index) => {
            count += 1;
            true
        }
        Subscript::Index(index) => is_known(doc, index, known),
        Subscript::Section { lower, upper, stride } => {
            [lower, upper, stride].into_iter().flatten().all(|bound| is_known(doc, bound, known))
        }
    });
    fits && count == 1 && doc.refs[reference].ty.base.is_continuous()
}

/// What all rounds of the loop record of a reference.
fn section(doc: &mut Document, reference: RefId, of: &Loop) -> RefId {
    let copy = Copier::new().reference(doc, reference);
    let place = doc.refs[copy].place;
    let Some(Part::Elements(mut list)) = doc.refs[copy].parts.pop() else { return copy };
    for subscript in &mut list {
        let Subscript::Index(index) = *subscript else { continue };
        let Some((Some(base), added)) = offset(doc, index) else { continue };
        if base != of.variable {
            continue;
        }
        let mut bound = |bound: ExprId| {
            let bound = Copier::new().expr(doc, bound);
            moved(doc, bound, added)
        };
        let (first, last) = (bound(of.lower), bound(of.upper));
        let step = of.step;
        let stride = (step != 1).then(|| match step {
            0.. => integer(doc, step, place),
            _ => {
                let step = integer(doc, -step, place);
                negate(doc, step)
            }
        });
        *subscript = Subscript::Section { lower: Some(first), upper: Some(last), stride };
    }
    doc.refs[copy].ty.rank += 1;
    doc.refs[copy].parts.push(Part::Elements(list));
    copy
}

/// `bound + added`, written as a person would.
fn moved(doc: &mut Document, bound: ExprId, added: i64) -> ExprId {
    let place = doc.exprs[bound].place;
    let (base, constant) = match offset(doc, bound) {
        Some((None, constant)) => return integer(doc, constant + added, place),
        Some((Some(base), constant)) => (Some(base), constant + added),
        None => (None, added),
    };
    let bound = match base {
        Some(symbol) => {
            let variable = crate::build::whole(doc, symbol, place);
            crate::build::value_of(doc, variable)
        }
        None => bound,
    };
    if constant == 0 {
        return bound;
    }
    let name = if constant > 0 { "add_scal_scal" } else { "sub_scal_scal" };
    let constant = integer(doc, constant.abs(), place);
    binary(doc, name, bound, constant)
}
