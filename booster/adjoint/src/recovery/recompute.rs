//! Scalars of a loop that the backward sweep computes afresh, in the place of a record in each iteration.
//!
//! `from = i - 1` in each iteration overwrites what the adjoint of the iteration before reads, so TBR
//! analysis records it; one push and pop of a scalar costs more than a few additions. Where the
//! operands have their values as the mirror of the iteration begins, what computes the scalars is executed
//! there once more, and nothing is recorded (the choice between recording and computing again: Hascoët
//! and Pascual, "The Tapenade automatic differentiation tool", 2013, section 4.5; design.md, section 6).
//!
//! Such scalars are local variables that nothing outside one counted loop names, set in each iteration
//! before they are read, by assignments of the iteration or by IF constructs that do nothing else. Their
//! operands are constants, variables of counted loops, others of them, and what nothing in the loop
//! overwrites; if it is overwritten behind the loop, then by assignments that record it, and in no loop
//! around both. Where the sweeps are procedures of their own, dummy arguments and outer variables are operands only if the
//! procedure nowhere overwrites them. An entry of a local Jacobian may change while it is accumulated: it is accumulated again, and only
//! behind that its propagator reads it. Functions are never computed again. All of that is asked of the procedure
//! as it is before its records are moved; where the sweeps then name the scalars elsewhere, they stay as they are
//! (`write`).

mod write;

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Attr, Base, Body, BranchForm, Cfg, Document, Edge, ExprId, ExprKind, LocalJacobian, ProcId,
    RefId, StmtId, StmtKind, SymbolId, Vertex, VertexId, VertexKind,
};

use crate::body::{Adjoint, statements};
use crate::passes::Reverse;
use crate::queries::designators::same_designator;
use crate::queries::expressions::read_by;
use crate::queries::private_scalars::{has_internal_procedures, is_own_scalar};
use booster_build::{nodes_of, subscripts_of};
use booster_facts::loops::{Loop, loops};
use booster_facts::{Lifetime, LocationId};
use booster_passes::{About, Need, Pass};
use booster_shadow::derivative::Sweep;
use booster_tangent::reads::{names_in_statement, reads};

/// The most nodes of an expression that is computed again.
const NODES: usize = 12;

/// What one loop computes afresh.
pub(crate) struct Afresh {
    /// The loop's variable.
    variable: SymbolId,
    /// What is computed.
    scalars: HashSet<SymbolId>,
    /// What computes it, in order.
    items: Vec<Item>,
}

/// Something in the body of a loop that is not inside of another construct.
#[derive(Clone)]
enum Item {
    Statement(StmtId),
    /// An IF construct: its vertices in the order of the text, and the edges between them.
    Construct(Vec<(VertexId, Vertex)>, Vec<Edge>),
    /// A loop, with its statements.
    Loop(Vec<StmtId>, Vec<ExprId>),
}

impl Item {
    fn stmts(&self) -> Vec<StmtId> {
        match self {
            Item::Statement(stmt) => vec![*stmt],
            Item::Construct(vertices, _) => {
                let blocks = vertices.iter().filter_map(|(_, vertex)| match &vertex.kind {
                    VertexKind::BasicBlock { stmts, .. } => Some(stmts),
                    _ => None,
                });
                blocks.flatten().copied().collect()
            }
            Item::Loop(stmts, _) => stmts.clone(),
        }
    }

    fn conditions(&self) -> Vec<ExprId> {
        match self {
            Item::Statement(_) => Vec::new(),
            Item::Construct(vertices, _) => {
                let conditions = vertices.iter().filter_map(|(_, vertex)| match vertex.kind {
                    VertexKind::Branch { condition, .. } => condition,
                    _ => None,
                });
                conditions.collect()
            }
            Item::Loop(_, bounds) => bounds.clone(),
        }
    }
}

/// Chooses the scalars that the backward sweep computes again.
pub(crate) struct Recompute;

impl Pass<Reverse> for Recompute {
    fn about(&self) -> &'static About {
        &About {
            name: "recompute",
            need: Need::Optimisation,
            summary: "Chooses scalars of loops that the backward sweep computes again instead of recording them.",
            reads: "recorded values, overwritten variables",
            writes: "nothing",
            source: "Hascoet and Pascual 2013, 4.5",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        work.context.recomputed = work.computed_afresh(doc, work.proc);
        Ok(())
    }
}

impl Adjoint<'_> {
    /// What the backward sweep of `proc` can compute afresh.
    pub(crate) fn computed_afresh(&self, doc: &Document, proc: ProcId) -> Vec<Afresh> {
        let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
        let all = loops(doc, cfg);
        if has_internal_procedures(doc, proc) || !only_counts(cfg, &all) {
            return Vec::new();
        }
        let found = all.iter().filter_map(|one| self.afresh_in(doc, cfg, one, &all));
        found.collect()
    }

    fn afresh_in(&self, doc: &Document, cfg: &Cfg, of: &Loop, all: &[Loop]) -> Option<Afresh> {
        let items = items(doc, cfg, of)?;
        let inside: HashSet<StmtId> = items.iter().flat_map(Item::stmts).collect();
        let mut scalars = self.candidates(doc, cfg, &items, &inside);
        // What reads something that is not computed again is not computed again either.
        loop {
            let view = View { adjoint: self, doc, cfg, of, all, inside: &inside };
            let before = scalars.len();
            let fitting: HashSet<SymbolId> =
                scalars.iter().copied().filter(|&one| view.fits(one, &items, &scalars)).collect();
            scalars = fitting;
            if scalars.len() == before {
                break;
            }
        }
        let recorded = |stmt: &StmtId| {
            let list = doc.stmts[*stmt].recorded.iter().flatten();
            list.into_iter().any(|&reference| scalars.contains(&doc.refs[reference].base))
        };
        if !inside.iter().any(recorded) {
            return None;
        }
        let scalars = needed(doc, &items, &scalars);
        let own = |item: &Item| item.stmts().iter().any(|&stmt| assigned(doc, stmt, &scalars));
        let items: Vec<Item> = items.into_iter().filter(own).collect();
        Some(Afresh { variable: of.variable, scalars, items })
    }

    /// Local scalars that the loop alone writes, by assignments to the whole whose records are known.
    fn candidates(
        &self,
        doc: &Document,
        cfg: &Cfg,
        items: &[Item],
        inside: &HashSet<StmtId>,
    ) -> HashSet<SymbolId> {
        let plain = items.iter().filter(|item| !matches!(item, Item::Loop(..)));
        let stmts = plain.flat_map(Item::stmts);
        let mut found: HashSet<SymbolId> = stmts
            .filter_map(|stmt| match doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, defined: None, .. } => Some(doc.refs[lhs].base),
                _ => None,
            })
            .filter(|&symbol| self.is_own_scalar(doc, symbol))
            .collect();
        for stmt in statements(cfg) {
            let Some(overwritten) = self.overwritten(stmt) else { continue };
            found.retain(|&symbol| {
                let locations = self.storage.locations_of_symbol(symbol);
                let writes =
                    locations.iter().any(|location| overwritten.locations.contains(location));
                !writes || inside.contains(&stmt) && self.sets_whole(doc, stmt, symbol)
            });
        }
        found
    }

    fn sets_whole(&self, doc: &Document, stmt: StmtId, symbol: SymbolId) -> bool {
        let StmtKind::Assign { lhs, defined: None, .. } = doc.stmts[stmt].kind else {
            return false;
        };
        doc.refs[lhs].base == symbol
            && doc.refs[lhs].parts.is_empty()
            && doc.stmts[stmt].recorded.is_some()
            && doc.stmts[stmt].label.is_none()
    }

    /// A scalar of the activation of a type whose values are computed again.
    fn is_own_scalar(&self, doc: &Document, symbol: SymbolId) -> bool {
        let base = doc.symbols[symbol].decl.as_deref().map(|decl| decl.spec.base());
        matches!(base, Some(Base::Integer(_) | Base::Real(_) | Base::Logical(_)))
            && is_own_scalar(doc, self.proc, &self.storage, symbol)
    }
}

/// Those of `scalars` that are recorded, and those that what computes them reads or sets.
fn needed(doc: &Document, items: &[Item], scalars: &HashSet<SymbolId>) -> HashSet<SymbolId> {
    let mut found: HashSet<SymbolId> = HashSet::new();
    for stmt in items.iter().flat_map(Item::stmts) {
        let list = doc.stmts[stmt].recorded.iter().flatten();
        found.extend(list.map(|&r| doc.refs[r].base).filter(|symbol| scalars.contains(symbol)));
    }
    loop {
        let before = found.len();
        for item in items {
            let stmts = item.stmts();
            if stmts.iter().any(|&stmt| assigned(doc, stmt, &found)) {
                let more = |&&symbol: &&SymbolId| {
                    let one = HashSet::from([symbol]);
                    item_reads(doc, item, symbol) || stmts.iter().any(|&s| assigned(doc, s, &one))
                };
                found.extend(scalars.iter().filter(more).copied());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// How an item writes a scalar in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writes {
    /// It is the first to do so.
    First,
    /// It goes on accumulating an entry of a local Jacobian.
    Accumulates,
    /// It gives it another value.
    Again,
}

/// The loop that is looked at.
struct View<'a, 'o> {
    adjoint: &'a Adjoint<'o>,
    doc: &'a Document,
    cfg: &'a Cfg,
    of: &'a Loop,
    all: &'a [Loop],
    /// The statements in it.
    inside: &'a HashSet<StmtId>,
}

impl View<'_, '_> {
    /// Whether a scalar can be computed again, if all of `scalars` can.
    fn fits(&self, symbol: SymbolId, items: &[Item], scalars: &HashSet<SymbolId>) -> bool {
        let doc = self.doc;
        let one = HashSet::from([symbol]);
        let writes = |item: &Item| item.stmts().iter().any(|&stmt| assigned(doc, stmt, &one));
        let Some(first) = items.iter().position(writes) else { return false };
        let Some(last) = items.iter().rposition(writes) else { return false };
        // Nobody has an adjoint that reads what an entry is while it is accumulated.
        let is_entry = |item: &Item| match item {
            Item::Statement(stmt) => doc.stmts[*stmt].local_jacobian == Some(LocalJacobian::Entry),
            Item::Construct(..) | Item::Loop(..) => false,
        };
        let accumulated = items.iter().filter(|item| writes(item)).all(is_entry);
        let named_before = items[..first].iter().any(|item| item_reads(doc, item, symbol));
        // While it changes nobody else reads it.
        let named_between = items[first..=last].iter().any(|item| {
            !(writes(item) || accumulated && is_entry(item)) && item_reads(doc, item, symbol)
        });
        let nowhere_else = statements(self.cfg)
            .filter(|stmt| !self.inside.contains(stmt))
            .all(|stmt| !names_in_statement(doc, stmt, symbol));
        !named_before
            && !named_between
            && nowhere_else
            && items[first..=last].iter().filter(|item| writes(item)).enumerate().all(
                |(number, item)| {
                    let writes = if number == 0 {
                        Writes::First
                    } else if accumulated {
                        Writes::Accumulates
                    } else {
                        Writes::Again
                    };
                    self.is_computable(item, symbol, writes, scalars)
                },
            )
    }

    /// Whether an item only computes such scalars, of operands that have their values later.
    fn is_computable(
        &self,
        item: &Item,
        symbol: SymbolId,
        writes: Writes,
        scalars: &HashSet<SymbolId>,
    ) -> bool {
        let doc = self.doc;
        let first = writes == Writes::First;
        let only = item.stmts().iter().all(|&stmt| {
            matches!(doc.stmts[stmt].kind, StmtKind::Comment(_)) || assigned(doc, stmt, scalars)
        });
        let mut values: Vec<ExprId> = item.conditions();
        values.extend(item.stmts().into_iter().filter_map(|stmt| value(doc, stmt)));
        let steady = values.iter().all(|&value| {
            is_cheap(doc, value)
                && read_by(doc, value).into_iter().all(|read| self.is_steady(read, scalars))
        });
        let fits = match item {
            // The adjoint of what is active reads what it was computed of, not what it is.
            Item::Statement(stmt) => {
                let reads_own = value(doc, *stmt).is_some_and(|value| reads(doc, value, symbol));
                first && !reads_own || writes == Writes::Accumulates
            }
            // What has several values in an iteration has no adjoint.
            Item::Construct(vertices, edges) => {
                doc.symbols[symbol].decl.as_deref().is_some_and(|decl| {
                    matches!(decl.spec.base(), Base::Integer(_) | Base::Logical(_))
                }) && (!first || sets_first(doc, (vertices, edges), symbol))
            }
            Item::Loop(..) => false,
        };
        only && steady && fits
    }

    /// Whether what is read has its value where the mirror of the iteration begins.
    fn is_steady(&self, read: RefId, scalars: &HashSet<SymbolId>) -> bool {
        let doc = self.doc;
        let base = doc.refs[read].base;
        if scalars.contains(&base) || doc.has(base, Attr::Parameter) {
            return true;
        }
        let around = |one: &&Loop| one.head <= self.of.head && self.of.end <= one.end;
        if self.all.iter().filter(around).any(|one| one.variable == base) {
            return true;
        }
        let plain = doc.symbols[base].decl.as_deref().is_some_and(|decl| {
            let far = [Attr::Pointer, Attr::Allocatable, Attr::Volatile];
            !decl.attrs.iter().any(|attr| far.contains(attr))
        });
        let locations: Vec<LocationId> =
            self.adjoint.storage.locations_of(doc, read).into_iter().collect();
        plain && !locations.is_empty() && self.is_restored(base, &locations)
    }

    /// Whether nothing in the loop, nor in a loop around it, overwrites locations of `base`, and what comes
    /// behind it and does so records what it overwrites. Where the two sweeps are procedures of their own, what
    /// others see must not be overwritten at all: callers restore behind the first sweep what the procedure only
    /// reads, and of the rest what adjoint statements read.
    fn is_restored(&self, base: SymbolId, locations: &[LocationId]) -> bool {
        let doc = self.doc;
        let all = self.adjoint.storage.locations();
        let is_own =
            locations.iter().all(|&location| matches!(all[location].lifetime, Lifetime::Local(_)))
                || self.adjoint.tools.parts.sweep_of(self.adjoint.proc) == Sweep::Both;
        let outermost =
            self.all.iter().find(|one| one.head <= self.of.head && self.of.end <= one.end);
        let (from, to) = outermost.map_or((0, 0), |one| (one.head, one.end));
        self.cfg.layout.iter().enumerate().all(|(position, &vertex)| {
            let stmts = match &self.cfg.vertices[vertex].kind {
                VertexKind::BasicBlock { stmts, .. } => stmts.clone(),
                VertexKind::ForLoop { init, .. } => vec![*init],
                _ => Vec::new(),
            };
            stmts.into_iter().all(|stmt| {
                let Some(found) = self.adjoint.overwritten(stmt) else {
                    return matches!(doc.stmts[stmt].kind, StmtKind::Comment(_));
                };
                let hit = found.world
                    || locations.iter().any(|location| found.locations.contains(location));
                let StmtKind::Assign { lhs, defined: None, .. } = doc.stmts[stmt].kind else {
                    return !hit;
                };
                let records = || {
                    let list = doc.stmts[stmt].recorded.iter().flatten();
                    doc.refs[lhs].base == base
                        && list.into_iter().any(|&reference| {
                            same_designator(doc, &doc.refs[reference], &doc.refs[lhs])
                        })
                };
                // Neither sweep executes what the forward sweep leaves out, but for calls.
                let gone = !doc.stmts[stmt].adjoint_live && !self.adjoint.passes(doc, stmt);
                !hit || gone || is_own && (position < from || position > to && records())
            })
        })
    }
}

/// Whether control goes back nowhere but in these loops.
fn only_counts(cfg: &Cfg, all: &[Loop]) -> bool {
    let places: HashMap<VertexId, usize> =
        cfg.layout.iter().enumerate().map(|(position, &vertex)| (vertex, position)).collect();
    cfg.structured != Some(false)
        && cfg.edges.values().all(|edge| {
            let (from, to) = (places.get(&edge.source), places.get(&edge.target));
            let (Some(&from), Some(&to)) = (from, to) else { return false };
            from < to || all.iter().any(|one| (one.end, one.head) == (from, to))
        })
}

/// What stands in the body of a loop; `None` where control does not flow through all of it.
fn items(doc: &Document, cfg: &Cfg, of: &Loop) -> Option<Vec<Item>> {
    let inside = &cfg.layout[of.head..=of.end];
    let body = &inside[1..inside.len() - 1];
    // What a part is left by, and for what: nothing may jump over another part.
    let goes_on = |part: &[VertexId], next: VertexId| {
        let ends = [part.first(), part.last()];
        let leaves = |edge: &&Edge| part.contains(&edge.source) && !part.contains(&edge.target);
        let mut leaving = cfg.edges.values().filter(leaves);
        leaving.all(|edge| edge.target == next && ends.contains(&Some(&edge.source)))
    };
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(&vertex) = body.get(at) {
        let opens = |vertex: VertexId| {
            matches!(
                cfg.vertices[vertex].kind,
                VertexKind::ForLoop { .. }
                    | VertexKind::PreLoop { .. }
                    | VertexKind::PostLoop { .. }
                    | VertexKind::Branch { .. }
            )
        };
        let closes = |vertex| {
            matches!(cfg.vertices[vertex].kind, VertexKind::EndLoop | VertexKind::EndBranch)
        };
        if let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind {
            if !goes_on(&body[at..=at], inside[at + 2]) {
                return None;
            }
            items.extend(stmts.iter().map(|&stmt| Item::Statement(stmt)));
            at += 1;
            continue;
        }
        if !opens(vertex) {
            return None;
        }
        let mut depth = 0_usize;
        let end = body[at..].iter().position(|&one| {
            depth += usize::from(opens(one));
            depth -= usize::from(closes(one)).min(depth);
            depth == 0
        })?;
        let part = &body[at..=at + end];
        if !goes_on(part, inside[at + end + 2]) {
            return None;
        }
        items.push(item(doc, cfg, part)?);
        at += end + 1;
    }
    Some(items)
}

/// A construct as an item; `None` where it is none that can be looked at.
fn item(doc: &Document, cfg: &Cfg, part: &[VertexId]) -> Option<Item> {
    let (mut stmts, mut values, mut is_if) = (Vec::new(), Vec::new(), true);
    for &vertex in part {
        match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts: list, .. } => stmts.extend(list),
            VertexKind::Branch { condition, form, .. } => {
                is_if &= matches!(form, BranchForm::If | BranchForm::InlineIf);
                values.extend(condition);
            }
            VertexKind::ForLoop { init, condition, update, .. } => {
                is_if = false;
                stmts.extend([*init, *update]);
                values.push(*condition);
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
    values.extend(stmts.iter().filter_map(|&stmt| value(doc, stmt)));
    if !is_if {
        return Some(Item::Loop(stmts, values));
    }
    let inside: HashSet<VertexId> = part.iter().copied().collect();
    let between = |edge: &&Edge| inside.contains(&edge.source) && inside.contains(&edge.target);
    let edges = cfg.edges.values().filter(between).cloned().collect();
    let vertices = part.iter().map(|&vertex| (vertex, cfg.vertices[vertex].clone())).collect();
    Some(Item::Construct(vertices, edges))
}

/// What a statement assigns.
fn value(doc: &Document, stmt: StmtId) -> Option<ExprId> {
    match doc.stmts[stmt].kind {
        StmtKind::Assign { rhs, .. } => Some(rhs),
        _ => None,
    }
}

/// Whether a statement assigns to one of `scalars`.
fn assigned(doc: &Document, stmt: StmtId, scalars: &HashSet<SymbolId>) -> bool {
    match doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, defined: None, .. } => scalars.contains(&doc.refs[lhs].base),
        _ => false,
    }
}

/// Whether an item may read a variable.
fn item_reads(doc: &Document, item: &Item, symbol: SymbolId) -> bool {
    let named = |value: ExprId| reads(doc, value, symbol);
    item.conditions().into_iter().any(named)
        || item.stmts().into_iter().any(|stmt| match doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                named(rhs) || subscripts_of(&doc.refs[lhs]).into_iter().any(named)
            }
            _ => names_in_statement(doc, stmt, symbol),
        })
}

/// A few sums, products, quotients and comparisons of scalars.
fn is_cheap(doc: &Document, root: ExprId) -> bool {
    let nodes = nodes_of(doc, [root]);
    nodes.len() <= NODES
        && nodes.into_iter().all(|node| match &doc.exprs[node].kind {
            ExprKind::Constant(_) | ExprKind::Ref(_) | ExprKind::Boolean { .. } => {
                doc.exprs[node].ty.rank == 0
            }
            ExprKind::Intrinsic { name, .. } => matches!(
                &**name,
                "add_scal_scal"
                    | "sub_scal_scal"
                    | "mul_scal_scal"
                    | "div_scal_scal"
                    | "minus_scal"
            ),
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        })
}

/// Whether an IF construct has an ELSE, and the first that each arm does is to set a variable without
/// reading it.
fn sets_first(
    doc: &Document,
    (vertices, edges): (&[(VertexId, Vertex)], &[Edge]),
    symbol: SymbolId,
) -> bool {
    let Some(&(head, _)) = vertices.first() else { return false };
    let named = |value: ExprId| reads(doc, value, symbol);
    let sets = |target: VertexId| {
        let found = vertices.iter().find(|(vertex, _)| *vertex == target);
        let Some(VertexKind::BasicBlock { stmts, .. }) = found.map(|(_, data)| &data.kind) else {
            return false;
        };
        let first = stmts.iter().find(|&&stmt| value(doc, stmt).is_some());
        first.is_some_and(|&stmt| {
            assigned(doc, stmt, &HashSet::from([symbol]))
                && value(doc, stmt).is_some_and(|value| !named(value))
        })
    };
    let arms: Vec<VertexId> =
        edges.iter().filter(|edge| edge.source == head).map(|edge| edge.target).collect();
    arms.len() == 2 && arms.into_iter().all(sets)
}
