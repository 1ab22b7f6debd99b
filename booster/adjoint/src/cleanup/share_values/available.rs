//! Assignments whose value is still there: available expressions (Aho, Lam, Sethi, Ullman, "Compilers", 9.2.6).
//!
//! `c = sqrt(p/r)` of the forward sweep is available in a block of the backward sweep if control has passed it on all
//! ways to the block, and no statement since then may have overwritten `c`, `p` or `r`. Assignments of the iterations of a
//! loop to elements are available behind the loop ([`in_loops`](super::in_loops)).

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use xaif_schema::model::{
    Cfg, Document, Edge, ExprId, ExprKind, ProcId, RefId, StmtId, StmtKind, VertexId, VertexKind,
};

use super::in_loops::{Iterations, behind_loops};
use super::numbering::is_left_alone;
use crate::cleanup::aliasing::{AliasClass, Aliasing, Effect, effect, reads};
use crate::queries::private_scalars::has_internal_procedures;
use booster_build::{Copier, has_call, nodes_of};
use booster_facts::StepKey;
use booster_facts::dependence::Range;
use booster_facts::loops::{loops, ranges_at};
use booster_flow::{
    Analysis, Direction, Flow, Step, intersection, solve, steps_of_edge, steps_of_vertex,
};
use booster_linearize::costs;

/// In larger problems (assignments times steps, or pairs of references) nothing is looked for: each block then shares
/// its own values only.
const LARGEST: usize = 50_000_000;
/// See there.
const MOST_PAIRS: usize = 3_000_000;

/// An assignment `lhs = rhs` of a value that costs a function, a division or a power.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) stmt: StmtId,
    pub(super) lhs: RefId,
    pub(super) rhs: ExprId,
    /// The references on both sides.
    pub(super) names: Vec<RefId>,
    /// The iterations of a loop in which it holds, once that has ended; `None` where it has been executed.
    pub(super) over: Option<Iterations>,
}

/// The facts of a body and where they hold.
pub(super) struct Available {
    facts: Vec<Fact>,
    at: HashMap<VertexId, FixedBitSet>,
}

impl Available {
    /// The assignments that are available as control comes to each of `blocks`.
    pub(super) fn new(
        doc: &Document,
        proc: ProcId,
        cfg: &Cfg,
        aliasing: &Aliasing,
        blocks: &[VertexId],
    ) -> Self {
        let mut facts = facts(doc, cfg, aliasing);
        facts.extend(behind_loops(doc, cfg, aliasing, &facts));
        let steps =
            cfg.layout.iter().map(|&vertex| 1 + cfg.vertices[vertex].kind.stmts().len()).sum();
        let size = facts.len().saturating_mul(steps);
        if facts.is_empty() || size > LARGEST {
            return Available { facts: Vec::new(), at: HashMap::new() };
        }
        let finder = Finder::new(doc, proc, aliasing, &facts);
        if finder.pairs(cfg) > MOST_PAIRS {
            return Available { facts: Vec::new(), at: HashMap::new() };
        }
        let flow = Flow::new(cfg);
        let analysis = Kept::new(&finder, cfg, &flow);
        let solution = solve(&flow, &analysis);
        let at = blocks.iter().map(|&block| (block, solution.before(block).clone())).collect();
        Available { facts, at }
    }

    /// Copies the sides of the facts: what is done to the statements does not change what holds.
    pub(super) fn copy(&mut self, doc: &mut Document) {
        for fact in &mut self.facts {
            fact.lhs = Copier::new().reference(doc, fact.lhs);
            fact.rhs = Copier::new().expr(doc, fact.rhs);
        }
    }

    /// The facts that hold as control comes to a block, `around` which are these loops.
    pub(super) fn at(&self, doc: &Document, block: VertexId, around: &[Range]) -> Vec<&Fact> {
        let numbers = self.at.get(&block).into_iter().flat_map(FixedBitSet::ones);
        let facts = numbers.filter_map(|number| self.facts.get(number));
        let holds = |fact: &&Fact| fact.over.is_none_or(|over| over.cover(doc, around));
        facts.filter(holds).collect()
    }
}

fn facts(doc: &Document, cfg: &Cfg, aliasing: &Aliasing) -> Vec<Fact> {
    let blocks = cfg.layout.iter().flat_map(|&vertex| cfg.vertices[vertex].kind.stmts());
    let fact = |&stmt: &StmtId| {
        let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else {
            return None;
        };
        let alike = doc.refs[lhs].ty == doc.exprs[rhs].ty && doc.exprs[rhs].ty.base.is_continuous();
        let costs = alike
            && nodes_of(doc, [rhs]).into_iter().any(|node| match &doc.exprs[node].kind {
                ExprKind::Intrinsic { name, .. } => costs(name),
                ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Boolean { .. }
                | ExprKind::Call(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => false,
            });
        let own = effect(doc, stmt) == Effect::Writes(lhs);
        let read = if costs && own { reads(doc, stmt) } else { return None };
        let stays = !read.iter().any(|&read| aliasing.touches(doc, lhs, read, &[]));
        let names = [lhs].into_iter().chain(read).collect();
        stays.then_some(Fact { stmt, lhs, rhs, names, over: None })
    };
    blocks.filter_map(fact).collect()
}

/// Which facts each step makes and ends.
struct Kept {
    facts: usize,
    made: HashMap<StepKey, usize>,
    /// Which facts hold behind the loops with these heads.
    behind: HashMap<VertexId, Vec<usize>>,
    ended: HashMap<StepKey, FixedBitSet>,
}

impl Kept {
    fn new(finder: &Finder<'_>, cfg: &Cfg, flow: &Flow<'_>) -> Self {
        let facts = finder.facts;
        let (made, behind, ended) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut kept = Kept { facts: facts.len(), made, behind, ended };
        for (number, fact) in facts.iter().enumerate() {
            match fact.over {
                None => {
                    kept.made.insert(StepKey::of(Step::Stmt(fact.stmt)), number);
                }
                Some(over) => kept.behind.entry(over.head).or_default().push(number),
            }
        }
        let all = loops(finder.doc, cfg);
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            let around = ranges_at(&all, position);
            for step in steps_of_vertex(cfg, vertex) {
                kept.add(step, finder.ended_by(step, &around));
            }
        }
        for (edge, _) in flow.edges() {
            if let Some(step) = steps_of_edge(cfg, edge) {
                kept.add(step, finder.ended_by(step, &[]));
            }
        }
        kept
    }

    fn add(&mut self, step: Step<'_>, ended: FixedBitSet) {
        if !ended.is_clear() {
            self.ended.entry(StepKey::of(step)).or_default().union_with(&ended);
        }
    }
}

struct Finder<'a> {
    doc: &'a Document,
    proc: ProcId,
    aliasing: &'a Aliasing,
    facts: &'a [Fact],
    /// The facts that name symbols of each class, with the names.
    by_class: HashMap<AliasClass, Vec<(usize, RefId)>>,
    /// Whether no internal procedure sees the variables.
    alone: bool,
}

impl<'a> Finder<'a> {
    fn new(doc: &'a Document, proc: ProcId, aliasing: &'a Aliasing, facts: &'a [Fact]) -> Self {
        let mut by_class: HashMap<AliasClass, Vec<(usize, RefId)>> = HashMap::new();
        for (number, fact) in facts.iter().enumerate() {
            for &name in &fact.names {
                let class = aliasing.class(doc.refs[name].base);
                by_class.entry(class).or_default().push((number, name));
            }
        }
        let alone = !has_internal_procedures(doc, proc);
        Finder { doc, proc, aliasing, facts, by_class, alone }
    }

    /// How many pairs of references are looked at.
    fn pairs(&self, cfg: &Cfg) -> usize {
        let of = |&stmt: &StmtId| match effect(self.doc, stmt) {
            Effect::Nothing => 0,
            Effect::Writes(written) => {
                let class = self.aliasing.class(self.doc.refs[written].base);
                self.by_class.get(&class).map_or(0, Vec::len)
            }
            Effect::Unknown => self.facts.len(),
        };
        let stmts = cfg.layout.iter().flat_map(|&vertex| cfg.vertices[vertex].kind.stmts());
        stmts.map(of).fold(0, usize::saturating_add)
    }

    fn ended_by(&self, step: Step<'_>, around: &[Range]) -> FixedBitSet {
        let mut ended = FixedBitSet::with_capacity(self.facts.len());
        match step {
            Step::Stmt(stmt) => match effect(self.doc, stmt) {
                Effect::Nothing => {}
                Effect::Writes(written) => {
                    let class = self.aliasing.class(self.doc.refs[written].base);
                    for &(number, name) in self.by_class.get(&class).into_iter().flatten() {
                        if self.aliasing.touches(self.doc, written, name, around) {
                            ended.insert(number);
                        }
                    }
                }
                Effect::Unknown => {
                    for (number, fact) in self.facts.iter().enumerate() {
                        ended.set(number, !self.survives(fact, stmt));
                    }
                }
            },
            Step::Evaluate(expr) => {
                if has_call(self.doc, [expr]) {
                    ended.insert_range(..);
                }
            }
            Step::Concurrent(_) | Step::Enter(_) | Step::Leave => ended.insert_range(..),
        }
        ended
    }

    fn survives(&self, fact: &Fact, stmt: StmtId) -> bool {
        let storage = self.aliasing.storage();
        self.alone
            && fact.names.iter().all(|&name| {
                let symbol = self.doc.refs[name].base;
                is_left_alone(self.doc, (self.proc, storage), symbol, stmt)
            })
    }
}

impl Analysis for Kept {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.facts);
        all.insert_range(..);
        all
    }

    fn boundary(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.facts)
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        intersection(state, other)
    }

    const NARROWS: bool = true;

    fn narrow(&self, cfg: &Cfg, edge: &Edge, state: &mut FixedBitSet) {
        let leaves = edge.condition.is_none()
            && matches!(cfg.vertices[edge.source].kind, VertexKind::ForLoop { .. });
        if leaves && let Some(numbers) = self.behind.get(&edge.source) {
            state.extend(numbers.iter().copied());
        }
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        let key = StepKey::of(step);
        if let Some(ended) = self.ended.get(&key) {
            state.difference_with(ended);
        }
        if let Some(&made) = self.made.get(&key) {
            state.insert(made);
        }
    }
}
