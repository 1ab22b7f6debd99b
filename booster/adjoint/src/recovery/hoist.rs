//! What a counted loop records element by element is recorded before the loop as one section.
//!
//! `call push(u(i))` in each iteration of a loop keeps a compiler from vectorising it and costs several
//! times what one copy of `u(2:n-1)` before the loop does (README of the kernels' benchmark has the
//! figures). The backward sweep then takes the section back behind its loop, where the values that
//! it holds are right whatever the loop did. Within the loop of the backward sweep the array has the
//! values that it has at the loop's end: so it is done only where no adjoint in the loop reads what
//! the loop records (`apart` tells which elements are others).
//!
//! What each iteration records by the same name (`s = s + …`) is recorded once: nobody asks for the
//! values in between. As the name may mean nothing where there is no iteration, that stands under the
//! condition that there is one.
//!
//! Works on the facts of TBR analysis (`Stmt.recorded`), from the innermost loops outwards: what was
//! moved before an inner loop may move on, unless it is under a condition. Only what every iteration
//! records is moved. Where nobody has told what is to be recorded nothing is done.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Body, Cfg, Document, ExprId, ExprKind, Part, ProcId, RefId, Reference, Role, StmtId, StmtKind,
    Subscript, SymbolId, VertexKind,
};

use crate::body::Adjoint;
use crate::passes::Reverse;
use crate::queries::designators::same_designator;
use crate::queries::expressions::has_rounds;
use crate::queries::result_partials::may_read_result;
use booster_build::{Copier, binary, integer, negate, nodes_of, same_reference, subscripts_of};
use booster_facts::LocationId;
use booster_facts::dependence::{Range, Seen, apart};
use booster_facts::loops::{Loop, around, loops, offset, ranges_at};
use booster_linearize::needed;
use booster_passes::{About, Need, Pass};
use booster_shadow::jacobian::{local_jacobian, read_by_steps};

/// A reference that an adjoint statement reads.
struct Read {
    reference: RefId,
    locations: Vec<LocationId>,
    around: Vec<Range>,
}

/// Moves records out of loops.
pub(crate) struct HoistRecords;

impl Pass<Reverse> for HoistRecords {
    fn about(&self) -> &'static About {
        &About {
            name: "hoist-records",
            need: Need::Optimisation,
            summary: "Moves records of counted loops before the loops: one section instead of an element per iteration.",
            reads: "recorded values, dependences",
            writes: "recorded values",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        work.hoist_records(doc, work.proc);
        Ok(())
    }
}

impl Adjoint<'_> {
    /// Moves records of the loops of `proc` before the loops.
    pub(crate) fn hoist_records(&mut self, doc: &mut Document, proc: ProcId) {
        let Body::Flow(cfg) = &doc.procs[proc].body else { return };
        let cfg = cfg.clone();
        let all = loops(doc, &cfg);
        for found in all.iter().rev() {
            self.hoist_from(doc, &cfg, found, &all);
        }
    }

    fn hoist_from(&mut self, doc: &mut Document, cfg: &Cfg, found: &Loop, all: &[Loop]) {
        let Some(read) = self.read_inside(doc, cfg, found, all) else { return };
        let shared = around(all, found).count();
        let mut known: HashSet<SymbolId> = self.context.invariants.clone();
        known.extend(around(all, found).map(|other| other.variable));
        if doc.stmts[found.init].recorded.is_none()
            || ![found.lower, found.upper].into_iter().all(|bound| is_known(doc, bound, &known))
        {
            return;
        }
        for (position, stmt) in unconditional(cfg, found.head + 1, found.end) {
            // Of a statement that came after the analysis nobody has told.
            let Some(recorded) = doc.stmts[stmt].recorded.clone() else { continue };
            let around = ranges_at(all, position);
            let free = |doc: &Document, reference: RefId| {
                let own = Seen { reference, around: &around };
                let locations = self.storage.locations_of(doc, reference);
                !locations.is_empty()
                    && read.iter().all(|other| {
                        let at = Seen { reference: other.reference, around: &other.around };
                        !other.locations.iter().any(|location| locations.contains(location))
                            || apart(doc, own, at, shared, &self.context.invariants)
                    })
            };
            let mut stays = Vec::new();
            for reference in recorded {
                let guarded = self.under_condition(doc, stmt, &doc.refs[reference]).is_some();
                let numbers = doc.refs[reference].ty.base.is_continuous();
                if !numbers || guarded || !free(doc, reference) {
                    stays.push(reference);
                } else if varies_once(doc, reference, found.variable, &known) {
                    let section = section(doc, reference, found);
                    move_to(doc, found.init, section);
                } else if stays_alike(doc, reference, &known) {
                    let copy = Copier::new().reference(doc, reference);
                    // A variable has its name wherever it stands.
                    let always = doc.refs[copy].parts.is_empty();
                    if move_to(doc, found.init, copy) && !always {
                        let condition = has_rounds(doc, found);
                        self.context.guarded.push((found.init, doc.refs[copy].clone(), condition));
                    }
                } else {
                    stays.push(reference);
                }
            }
            doc.stmts[stmt].recorded = Some(stays);
        }
    }

    /// The condition under which something is recorded before a loop, if there is one.
    pub(crate) fn under_condition(
        &self,
        doc: &Document,
        stmt: StmtId,
        name: &Reference,
    ) -> Option<ExprId> {
        let mut all = self.context.guarded.iter();
        let same = all.find(|(init, other, _)| *init == stmt && same_designator(doc, other, name));
        same.map(|(_, _, condition)| *condition)
    }

    /// What adjoint statements in a loop read; `None` if that cannot be told.
    fn read_inside(
        &self,
        doc: &Document,
        cfg: &Cfg,
        found: &Loop,
        all: &[Loop],
    ) -> Option<Vec<Read>> {
        let mut read: Vec<Read> = Vec::new();
        for position in found.head + 1..found.end {
            let around = ranges_at(all, position);
            let mut note = |references: Vec<RefId>| {
                read.extend(references.into_iter().map(|reference| Read {
                    reference,
                    locations: self.storage.locations_of(doc, reference).into_iter().collect(),
                    around: around.clone(),
                }));
            };
            match &cfg.vertices[cfg.layout[position]].kind {
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
                VertexKind::BasicBlock { stmts, .. } => {
                    for &stmt in stmts {
                        note(self.read_for(doc, stmt)?);
                    }
                }
                VertexKind::EndBranch | VertexKind::EndLoop => {}
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

    /// What the adjoint of a statement reads; `None` if that cannot be told.
    fn read_for(&self, doc: &Document, stmt: StmtId) -> Option<Vec<RefId>> {
        if let Some(steps) = local_jacobian(doc, stmt) {
            let again = self.again.get(&stmt).map_or(&[][..], Vec::as_slice);
            return Some(read_by_steps(doc, &steps, again));
        }
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } if doc.stmts[stmt].recompute => {
                let subscripts = subscripts_of(&doc.refs[*lhs]);
                Some(read_by(doc, subscripts.into_iter().chain([*rhs])))
            }
            StmtKind::Assign { lhs, rhs, defined: None } => {
                if matches!(doc.exprs[*rhs].kind, ExprKind::Call(_)) {
                    return None;
                }
                let mut found = read_by(doc, subscripts_of(&doc.refs[*lhs]));
                if self.is_active(doc, *lhs) {
                    let mut active = |reference: RefId| self.is_active(doc, reference);
                    let (storage, catalogue) = (&self.storage, self.tools.catalogue);
                    let pair = (*lhs, *rhs);
                    match may_read_result(doc, storage, catalogue, pair, &mut active) {
                        Some(others) => found.extend(others.into_iter().chain([*lhs])),
                        None => {
                            found.extend(needed(doc, catalogue, *lhs, *rhs, &mut active).ok()?);
                        }
                    }
                }
                Some(found)
            }
            StmtKind::Comment(_) => Some(Vec::new()),
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
            | StmtKind::Marker(_) => None,
        }
    }

    /// The integer variables that nothing in the body overwrites.
    pub(crate) fn settled_variables(&self, doc: &Document, cfg: &Cfg) -> HashSet<SymbolId> {
        let all = stmts_of(cfg, 0, cfg.layout.len());
        let mut written: HashSet<LocationId> = HashSet::new();
        let mut world = false;
        for stmt in all {
            match self.overwritten(stmt) {
                Some(found) => {
                    written.extend(found.locations.iter().copied());
                    world |= found.world;
                }
                None => world |= !matches!(doc.stmts[stmt].kind, StmtKind::Comment(_)),
            }
        }
        let scope = self.scope(doc);
        let settled = |symbol: &SymbolId| {
            let locations = self.storage.locations_of_symbol(*symbol);
            doc.symbols[*symbol].rank == Some(0)
                && matches!(doc.role(*symbol), Some(Role::Variable))
                && !locations.is_empty()
                && locations.iter().all(|location| !written.contains(location))
        };
        if world {
            return HashSet::new();
        }
        doc.scopes[scope].symbols.iter().copied().filter(settled).collect()
    }
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

/// Those of them that no branch guards, with their positions: an element that is guarded may be none
/// of the array.
fn unconditional(cfg: &Cfg, from: usize, to: usize) -> Vec<(usize, StmtId)> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for position in from..to {
        match &cfg.vertices[cfg.layout[position]].kind {
            VertexKind::Branch { .. } => depth += 1,
            VertexKind::EndBranch => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                let stmts = stmts_of(cfg, position, position + 1);
                found.extend(stmts.into_iter().map(|stmt| (position, stmt)));
            }
            _ => {}
        }
    }
    found
}

/// The loops around each statement.
pub(crate) fn ranges_around(cfg: &Cfg, all: &[Loop]) -> HashMap<StmtId, Vec<Range>> {
    (0..cfg.layout.len())
        .flat_map(|position| {
            let around = ranges_at(all, position);
            let stmts = stmts_of(cfg, position, position + 1);
            stmts.into_iter().map(move |stmt| (stmt, around.clone()))
        })
        .collect()
}

/// Adds to what the beginning of a loop records, unless it does so already.
fn move_to(doc: &mut Document, init: StmtId, reference: RefId) -> bool {
    let mut list = doc.stmts[init].recorded.take().unwrap_or_default();
    let new = !list.iter().any(|&other| same_reference(doc, other, reference));
    if new {
        list.push(reference);
    }
    doc.stmts[init].recorded = Some(list);
    new
}

/// Whether a reference to an array or variable means the same before the loop and in each iteration.
fn stays_alike(doc: &Document, reference: RefId, known: &HashSet<SymbolId>) -> bool {
    let fits = |subscript: &Subscript| match *subscript {
        Subscript::Index(index) => is_known(doc, index, known),
        Subscript::Section { lower, upper, stride } => {
            [lower, upper, stride].into_iter().flatten().all(|bound| is_known(doc, bound, known))
        }
    };
    match &doc.refs[reference].parts[..] {
        [] => true,
        [Part::Elements(list)] => list.iter().all(fits),
        [_, ..] => false,
    }
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
            let constant = doc.symbols[reference.base].has(xaif_schema::model::Attr::Parameter);
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

/// What all iterations of the loop record of a reference.
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
        let (mut first, mut last) = (bound(of.lower), bound(of.upper));
        let mut step = of.step;
        if step == -1 {
            // Elements in the order of memory are one copy.
            (first, last, step) = (last, first, 1);
        }
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
            let variable = booster_build::whole(doc, symbol, place);
            booster_build::value_of(doc, variable)
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
