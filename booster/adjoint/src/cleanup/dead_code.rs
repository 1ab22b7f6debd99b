//! What the backward sweep does not need is not computed again: adjoint liveness (Hascoët and
//! Araya-Polo, "The adjoint data-flow analyses: formalization, properties, and applications", 2006).
//!
//! The forward sweep is there to give the backward sweep values. An assignment or call of it whose
//! results nobody reads goes, and with it what was read for it alone (strong liveness, a backward
//! analysis); so do loops and branches that are left without a statement, and a push that the next
//! operation of the tape takes back while nothing has happened to the variable. At the end of an
//! adjoint procedure adjoints live, and everything that outlives it but its own arguments: the values
//! of dummy arguments are nobody's business then, those of outputs are not computed where no
//! adjoint depends on them.
//!
//! A call whose procedure does input and output or may stop, whatever it computes, goes only where its
//! adjoint follows at once, which executes it: at the end of a forward sweep.
//!
//! Not in forward sweeps alone, which compute for their callers; of backward sweeps alone, whose callers
//! rely on the values that they restore, what concerns no argument.

use std::collections::{BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use xaif_schema::model::{
    Attr, Body, Cfg, Document, ExprId, ProcId, RefId, StmtId, StmtKind, SymbolId, VertexId,
    VertexKind,
};

use crate::cleanup::zero_adjoints::{Zeros, assign_first, zeros};
use crate::queries::liveness::Strong;
use crate::queries::removable::Removable;
use crate::queries::tape_operations::tape_operation;
use booster_build::{construct_at, has_call, keep_vertices, nodes_of, same_reference};
use booster_facts::externals::Externals;
use booster_facts::side_effects::{Actions, SideEffects};
use booster_facts::{Accesses, Bodies, BodyEvents, Event, Lifetime, Storage};
use booster_flow::{Analysis, Step, Ways, solve, steps_of_edge};
use booster_shadow::derivative::Sweep;

/// How often it looks again: each time what is gone may have been the only use of something else.
const ROUNDS: usize = 4;

/// Takes out of `procs`, which execute these sweeps, what is computed for nobody. `joint`: the adjoint of each
/// procedure that executes both sweeps.
pub(crate) fn remove_dead(
    doc: &mut Document,
    (procs, joint): (&[(ProcId, Sweep)], &HashMap<ProcId, ProcId>),
    adjoints: &HashSet<SymbolId>,
    externals: &Externals,
) {
    let mut left: Vec<ProcId> = procs.iter().map(|&(proc, _)| proc).collect();
    let halves = procs.iter().filter(|(_, sweep)| *sweep == Sweep::Backward);
    let halves: HashSet<ProcId> = halves.map(|&(proc, _)| proc).collect();
    // Statements go, no symbol comes: what shares storage in the end did so before.
    let storage = Storage::new(doc);
    for round in 0..=ROUNDS {
        let (changes, calls) = {
            let accesses = Accesses::new(doc, &storage);
            let bodies = Bodies::new(&accesses);
            let effects = SideEffects::new(&accesses, &bodies, externals);
            let finder = Finder {
                accesses: &accesses,
                effects: &effects,
                adjoints,
                externals,
                removable: Removable::new(&accesses, &bodies, Some(adjoints)),
                joint,
                halves: &halves,
            };
            // What is dead is looked for when all zeros are as they stay.
            let changes: Vec<_> = left
                .par_iter()
                .filter_map(|&proc| {
                    let (zeros, dead) = finder.look(bodies.get(proc)?, round == 0);
                    Some((proc, zeros, dead))
                })
                .collect();
            (changes, bodies.calls(&accesses))
        };
        let mut less: HashSet<ProcId> = HashSet::new();
        for (proc, zeros, dead) in changes {
            assign_first(doc, &zeros.first);
            let again = Dead { stmts: zeros.again.into_iter().collect(), ..Dead::default() };
            let mut changed = take_out(doc, proc, &again);
            changed |= take_out(doc, proc, &dead);
            changed |= cancel_pairs(doc, proc);
            if changed || round == 0 && !zeros.first.is_empty() {
                less.insert(proc);
            }
        }
        // A variable that a callee reads no more may be dead in its callers.
        let callers = calls.iter().filter(|(_, callee)| less.contains(callee));
        let callers: HashSet<ProcId> = callers.map(|&(caller, _)| caller).collect();
        let again = |proc: &ProcId| less.contains(proc) || callers.contains(proc);
        left = procs.iter().map(|&(proc, _)| proc).filter(again).collect();
        if left.is_empty() {
            return;
        }
    }
}

/// What goes.
#[derive(Debug, Default)]
struct Dead {
    stmts: HashSet<StmtId>,
    /// Heads of loops and branches in which nothing is left, or that decide nothing.
    constructs: HashSet<VertexId>,
}

struct Finder<'a, 'd> {
    accesses: &'a Accesses<'d>,
    effects: &'a SideEffects,
    adjoints: &'a HashSet<SymbolId>,
    externals: &'a Externals,
    removable: Removable<'a>,
    /// The adjoint, with both sweeps, of each procedure that has one.
    joint: &'a HashMap<ProcId, ProcId>,
    /// Procedures that are a backward sweep alone.
    halves: &'a HashSet<ProcId>,
}

impl Finder<'_, '_> {
    /// What is done with zeros, if that is asked; where nothing is, what is dead.
    fn look(&self, body: &BodyEvents<'_>, at_zeros: bool) -> (Zeros, Dead) {
        let actions = Actions::new(self.accesses, body, self.externals, self.effects);
        if at_zeros {
            let zeros = zeros(self.accesses, body, &actions, self.adjoints);
            if !zeros.first.is_empty() || !zeros.again.is_empty() {
                return (zeros, Dead::default());
            }
        }
        (Zeros::default(), self.dead(body, &actions))
    }

    fn dead(&self, body: &BodyEvents<'_>, actions: &Actions) -> Dead {
        let mut at_exit = FixedBitSet::with_capacity(actions.locations.len());
        for (number, &location) in actions.locations.iter().enumerate() {
            let data = &self.accesses.storage().locations()[location];
            let is_adjoint = data.members.iter().any(|m| self.adjoints.contains(&m.symbol));
            let outlives = actions.outlives(self.accesses, location);
            let own = matches!(data.lifetime, Lifetime::Dummy(owner) if owner == body.proc)
                && !self.halves.contains(&body.proc);
            at_exit.set(number, outlives && (is_adjoint || !own));
        }
        let begun_again = self.begun_again(body);
        let doc = self.accesses.doc();
        let removable: HashSet<StmtId> = body
            .steps
            .iter()
            .filter_map(|at| match at.step {
                Step::Stmt(stmt) => {
                    let again = begun_again.contains(&stmt);
                    self.removable.is_removable(doc, stmt, &at.events, again).then_some(stmt)
                }
                _ => None,
            })
            .collect();
        let analysis = Strong { actions, removable: &removable, adjoints: None, at_exit };
        let solution = solve(&body.flow, &analysis);
        let mut dead = Dead::default();
        let cfg = body.flow.cfg;
        for (vertex, data) in cfg.vertices.iter() {
            let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
            let mut state = solution.after(vertex).clone();
            for &stmt in stmts.iter().rev() {
                if removable.contains(&stmt) && analysis.is_faint(Step::Stmt(stmt), &state) {
                    dead.stmts.insert(stmt);
                }
                analysis.transfer(Step::Stmt(stmt), &mut state);
            }
        }
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            let live_behind = |symbol: SymbolId| {
                let locations = self.accesses.storage().locations_of_symbol(symbol);
                let numbers = actions.locations.iter().enumerate();
                let mut own =
                    numbers.filter(|(_, location)| locations.contains(location)).map(|(n, _)| n);
                // Where control goes when the loop has ended.
                let leaving = body.flow.out_edges(vertex).iter();
                let leaving = leaving.filter(|&&edge| cfg.edges[edge].condition.is_none());
                let states: Vec<FixedBitSet> = leaving
                    .map(|&edge| {
                        let data = &cfg.edges[edge];
                        let mut state = solution.before(data.target).clone();
                        if let Some(step) = steps_of_edge(cfg, edge) {
                            analysis.transfer(step, &mut state);
                        }
                        state
                    })
                    .collect();
                own.any(|number| states.iter().any(|state| state.contains(number)))
            };
            if self.is_empty(cfg, position, &dead.stmts, &live_behind) {
                dead.constructs.insert(vertex);
            }
        }
        dead
    }

    /// The calls behind which, before anything else is called, the adjoint of the procedure executes it again.
    fn begun_again(&self, body: &BodyEvents<'_>) -> HashSet<StmtId> {
        let doc = self.accesses.doc();
        let mut called: HashMap<StmtId, Option<ProcId>> = HashMap::new();
        for at in &body.steps {
            let Step::Stmt(stmt) = at.step else { continue };
            for event in &at.events {
                let Event::Call(site) = event else { continue };
                let one = match &site.targets.bodies[..] {
                    [one] => Some(one.proc),
                    _ => None,
                };
                called.entry(stmt).and_modify(|known| *known = None).or_insert(one);
            }
        }
        let mut found = HashSet::new();
        for stmts in straight_lines(body.flow.cfg) {
            let mut last: Option<(StmtId, ProcId)> = None;
            for stmt in stmts {
                let harmless = matches!(
                    doc.stmts[stmt].kind,
                    StmtKind::Assign { .. } | StmtKind::Where(_) | StmtKind::Comment(_)
                ) || tape_operation(doc, stmt).is_some();
                match called.get(&stmt) {
                    Some(&Some(callee)) => {
                        let before = last.filter(|(_, proc)| self.joint.get(proc) == Some(&callee));
                        found.extend(before.map(|(stmt, _)| stmt));
                        last = Some((stmt, callee));
                    }
                    Some(None) => last = None,
                    None if harmless => {}
                    None => last = None,
                }
            }
        }
        found
    }

    /// Whether nothing is left of the loop or branch at this position of the layout once `dead` is gone.
    fn is_empty(
        &self,
        cfg: &Cfg,
        position: usize,
        dead: &HashSet<StmtId>,
        live_behind: &dyn Fn(SymbolId) -> bool,
    ) -> bool {
        let doc = self.accesses.doc();
        let Some((_, inside)) = construct_at(cfg, position) else { return false };
        let head = cfg.layout[position];
        let calls = |expr: ExprId| has_call(doc, [expr]);
        let harmless = match &cfg.vertices[head].kind {
            VertexKind::ForLoop { init, condition, .. } => {
                let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[*init].kind else { return false };
                !calls(*condition) && !calls(rhs) && !live_behind(doc.refs[lhs].base)
            }
            VertexKind::Branch { condition, .. } => condition.is_some_and(|c| !calls(c)),
            _ => false,
        };
        let nothing = |&vertex: &VertexId| match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => stmts.iter().all(|stmt| {
                dead.contains(stmt) || matches!(doc.stmts[*stmt].kind, StmtKind::Comment(_))
            }),
            VertexKind::EndBranch | VertexKind::EndLoop => true,
            // An inner construct goes by itself first.
            _ => false,
        };
        harmless && inside.iter().all(nothing)
    }
}

/// Takes statements and empty constructs out of a body; whether there were any.
fn take_out(doc: &mut Document, proc: ProcId, dead: &Dead) -> bool {
    if dead.stmts.is_empty() && dead.constructs.is_empty() {
        return false;
    }
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return false };
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
            stmts.retain(|stmt| !dead.stmts.contains(stmt));
        }
    }
    if !dead.constructs.is_empty() {
        remove_constructs(cfg, &dead.constructs);
    }
    true
}

/// Lets what leads to the constructs with these heads lead to what follows them.
fn remove_constructs(cfg: &mut Cfg, heads: &HashSet<VertexId>) {
    let (mut gone, mut behind): (HashSet<VertexId>, HashMap<VertexId, VertexId>) =
        Default::default();
    let ways = Ways::new(cfg);
    for (position, &head) in cfg.layout.iter().enumerate() {
        let Some((end, inside)) =
            heads.contains(&head).then(|| construct_at(cfg, position)).flatten()
        else {
            continue;
        };
        let is_loop = matches!(cfg.vertices[end].kind, VertexKind::EndLoop);
        let inner: BTreeSet<VertexId> = inside.iter().copied().collect();
        let mut leaving = ways.leaving(if is_loop { head } else { end });
        if let Some(way) = leaving.find(|way| !inner.contains(&way.target)) {
            behind.insert(head, way.target);
            gone.insert(head);
            gone.extend(inner);
        }
    }
    for edge in cfg.edges.values_mut() {
        // One construct may follow another.
        while let Some(&next) = behind.get(&edge.target) {
            edge.target = next;
        }
    }
    keep_vertices(cfg, |vertex| !gone.contains(&vertex));
}

/// Takes out pushes that are taken back before anything has happened to the variable.
fn cancel_pairs(doc: &mut Document, proc: ProcId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return false };
    let mut gone: HashSet<StmtId> = HashSet::new();
    for line in straight_lines(cfg) {
        let mut open: Vec<(StmtId, RefId)> = Vec::new();
        for stmt in line {
            match tape_operation(doc, stmt) {
                Some((true, reference)) => open.push((stmt, reference)),
                Some((false, reference)) => match open.pop() {
                    Some((push, pushed)) if same_reference(doc, pushed, reference) => {
                        gone.extend([push, stmt]);
                    }
                    Some(_) | None => open.clear(),
                },
                None if matches!(doc.stmts[stmt].kind, StmtKind::Comment(_)) => {}
                None => {
                    // What is below in the stack is taken back later, so all of it must hold.
                    let written = written_alone(doc, stmt);
                    if written.is_none_or(|w| open.iter().any(|&(_, r)| names(doc, r, w))) {
                        open.clear();
                    }
                }
            }
        }
    }
    if gone.is_empty() {
        return false;
    }
    take_out(doc, proc, &Dead { stmts: gone, constructs: HashSet::new() })
}

/// The variable that a statement overwrites, if it does nothing else.
fn written_alone(doc: &Document, stmt: StmtId) -> Option<SymbolId> {
    let StmtKind::Assign { lhs, defined: None, rhs } = doc.stmts[stmt].kind else { return None };
    is_quiet(doc, rhs).then(|| doc.refs[lhs].base)
}

fn is_quiet(doc: &Document, expr: ExprId) -> bool {
    !has_call(doc, [expr])
}

/// Whether a variable is that of a reference or stands in its subscripts, or may share its storage.
fn names(doc: &Document, reference: RefId, symbol: SymbolId) -> bool {
    let shares = |symbol: SymbolId| {
        doc.symbols[symbol].decl.as_ref().is_some_and(|decl| {
            decl.common.is_some() || decl.has(Attr::Pointer) || decl.has(Attr::Target)
        })
    };
    let of_reference = &doc.refs[reference];
    let indices = booster_build::subscripts_of(of_reference);
    let inside = |index: ExprId| {
        let nodes = nodes_of(doc, [index]).into_iter();
        nodes.filter_map(|node| doc.exprs[node].reference()).any(|r| doc.refs[r].base == symbol)
    };
    of_reference.base == symbol
        || indices.into_iter().any(inside)
        || shares(symbol) && shares(of_reference.base)
}

/// The statements of blocks that follow each other whatever happens.
fn straight_lines(cfg: &Cfg) -> Vec<Vec<StmtId>> {
    let mut lines: Vec<Vec<StmtId>> = Vec::new();
    let mut current: Vec<StmtId> = Vec::new();
    let mut last: Option<VertexId> = None;
    let ways = Ways::new(cfg);
    for &vertex in &cfg.layout {
        let follows = last.is_some_and(|last| {
            ways.leading_to(vertex).map(|edge| edge.source).eq([last])
                && ways.out_edges(last).len() == 1
        });
        let (stmts, line) = match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => (stmts.clone(), true),
            VertexKind::Label { .. } => (Vec::new(), true),
            _ => (Vec::new(), false),
        };
        if !follows || !line {
            lines.push(std::mem::take(&mut current));
        }
        current.extend(stmts);
        last = line.then_some(vertex);
    }
    lines.push(current);
    lines
}
