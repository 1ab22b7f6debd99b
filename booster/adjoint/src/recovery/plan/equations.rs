//! The equations `x == e` of a procedure, and where they end.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use fixedbitset::FixedBitSet;
use xaif_schema::model::{
    Attr, Base, Cfg, Dim, Document, Edge, EdgeId, ExprId, ExprKind, LocalJacobian, Part, ProcId,
    RefId, StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};

use super::cost::cost_of;
use super::stages::Stages;
use super::write::{At, Insertion};
use crate::queries::expressions::read_by;
use crate::queries::private_scalars::has_internal_procedures;
use booster_build::nodes_of;
use booster_facts::access::Event;
use booster_facts::loops::Loop;
use booster_facts::overwrites::Overwrites;
use booster_facts::{Accesses, BodyEvents, Lifetime, LocationId, StepKey, Storage};
use booster_flow::{
    Analysis, Direction, Solution, Step, intersection, solve, steps_of_edge, steps_of_vertex, union,
};

/// The highest cost of a recomputation, per element, in the unit of [`cost_of`].
const MOST: u32 = 12;

/// `x == e`, which holds behind the assignment `x = e`, or several assignments that compute the elements of `x`.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    /// The assignments, in the order of the text.
    pub(super) items: Vec<Item>,
    /// The variable, a local one that shares its storage with nothing.
    pub(super) value: SymbolId,
    pub(super) location: LocationId,
    /// The variables of `e`.
    pub(super) operands: HashSet<SymbolId>,
    pub(super) locations: HashSet<LocationId>,
    /// Whether a global variable or an argument is among them.
    pub(super) reaches_out: bool,
    /// Whether an operand may be allocated or associated anew.
    pub(super) movable: bool,
    /// The numbers of the steps from the first assignment to the end of the last one: these end the equation as they begin.
    pub(super) span: Range<usize>,
    /// The step behind which the equation holds.
    pub(super) made: StepKey,
}

/// An assignment that an equation consists of.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The assignment.
    pub(super) stmt: StmtId,
    /// Its right-hand side.
    pub(super) rhs: ExprId,
    /// The loops that belong to it, outer ones first.
    pub(super) loops: Vec<Loop>,
    /// What stands for scalars in the right-hand side.
    pub(super) replaced: HashMap<ExprId, ExprId>,
}

/// The equations of a procedure, in the order of the text.
pub(super) struct Equations(Vec<Equation>);

impl Equation {
    /// Whether it is one assignment without loops.
    fn is_plain(&self) -> bool {
        self.span.len() == 1
    }
}

impl Equations {
    /// The equations of variables in `recorded`, and of operands of these equations.
    pub(super) fn new(
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        recorded: &HashSet<SymbolId>,
        overwrites: &Overwrites,
    ) -> Self {
        let (doc, storage, proc) = (accesses.doc(), accesses.storage(), body.proc);
        if has_internal_procedures(doc, proc) {
            return Equations(Vec::new());
        }
        let stmts = body.steps.iter().enumerate().filter_map(|(number, at)| match at.step {
            Step::Stmt(stmt) => Some((number, stmt)),
            Step::Enter(_) | Step::Concurrent(_) | Step::Evaluate(_) | Step::Leave => None,
        });
        // The backward sweep provides the variables of loops.
        let mut seen = loop_statements(body);
        let stmts = stmts.filter(|&(_, stmt)| seen.insert(stmt));
        let mut all: Vec<Equation> =
            stmts.filter_map(|at| equation(doc, storage, proc, at)).collect();
        if let Some(stages) = Stages::new(accesses, body, overwrites) {
            all.extend(stages.equations());
            all.sort_by_key(|one| one.span.start);
        }
        let mut wanted = recorded.clone();
        loop {
            let size = wanted.len();
            for one in &all {
                if wanted.contains(&one.value) {
                    wanted.extend(one.operands.iter().copied());
                }
            }
            if wanted.len() == size {
                break;
            }
        }
        all.retain(|one| wanted.contains(&one.value));
        Equations(all)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places where equations end.
    pub(super) fn ends(&self, body: &BodyEvents<'_>, overwrites: &Overwrites) -> Vec<Insertion> {
        let holds = self.holding(body, overwrites);
        let mut ends = Ends {
            cfg: body.flow.cfg,
            solution: solve(&body.flow, &holds),
            ahead: solve(&body.flow, &Ahead { holds: &holds }),
            holds: &holds,
            found: HashMap::new(),
            at_vertex: HashMap::new(),
        };
        ends.in_vertices();
        ends.on_edges();
        let insertion = |(at, ending): (At, FixedBitSet)| Insertion {
            at,
            // An equation whose operand another one computes stands before it: backwards it is executed behind.
            equations: ending.ones().rev().map(|number| self.0[number].clone()).collect(),
        };
        let mut found: Vec<Insertion> = ends.found.into_iter().map(insertion).collect();
        found.sort_by_key(|one| one.at);
        found
    }

    fn holding(&self, body: &BodyEvents<'_>, overwrites: &Overwrites) -> Holding {
        let mut by_location: HashMap<LocationId, Vec<usize>> = HashMap::new();
        for (number, one) in self.0.iter().enumerate() {
            for &location in one.locations.iter().chain([&one.location]) {
                by_location.entry(location).or_default().push(number);
            }
        }
        let numbered = || self.0.iter().enumerate();
        let mut made: HashMap<StepKey, Vec<usize>> = HashMap::new();
        for (number, one) in numbered() {
            made.entry(one.made).or_default().push(number);
        }
        let mut begun: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut inner: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, one) in numbered().filter(|(_, one)| !one.is_plain()) {
            begun.entry(one.span.start).or_default().push(number);
            for step in one.span.clone().skip(1) {
                if StepKey::of(body.steps[step].step) != one.made {
                    inner.entry(step).or_default().push(number);
                }
            }
        }
        // Within its assignments an equation does not hold yet, so nothing ends it.
        let is_within = |number: usize, step: usize| {
            let span = &self.0[number].span;
            span.start < step && step < span.end
        };
        let mut steps: HashMap<StepKey, Effect> = HashMap::new();
        for (step, at) in body.steps.iter().enumerate() {
            let key = StepKey::of(at.step);
            let mut effect = Effect {
                made: made.remove(&key).unwrap_or_default(),
                world: false,
                moves: at.events.iter().any(moves),
                all: matches!(at.step, Step::Leave) || at.events.iter().any(is_anything),
                ended: Vec::new(),
                lost: Vec::new(),
                silent: Vec::new(),
            };
            if let Some(found) = overwrites.of(key) {
                effect.world = found.world;
                for location in &found.locations {
                    for &number in by_location.get(location).into_iter().flatten() {
                        if is_within(number, step) {
                            continue;
                        }
                        effect.ended.push(number);
                        effect
                            .lost
                            .extend((self.0[number].location == *location).then_some(number));
                    }
                }
            }
            for &number in begun.get(&step).into_iter().flatten() {
                effect.ended.push(number);
                effect.lost.push(number);
            }
            effect.silent.extend(inner.remove(&step).unwrap_or_default());
            steps.insert(key, effect);
        }
        let all = |holds: fn(&Equation) -> bool| {
            numbered().filter(|(_, one)| holds(one)).map(|(number, _)| number).collect()
        };
        let mut with_operand: HashMap<SymbolId, Vec<usize>> = HashMap::new();
        for (number, one) in numbered() {
            for &operand in &one.operands {
                with_operand.entry(operand).or_default().push(number);
            }
        }
        let dependents = |one: &Equation| with_operand.get(&one.value).cloned().unwrap_or_default();
        Holding {
            size: self.0.len(),
            dependents: self.0.iter().map(dependents).collect(),
            steps,
            reaching_out: all(|one| one.reaches_out),
            movable: all(|one| one.movable),
        }
    }
}

/// The statements that assign variables of loops.
fn loop_statements(body: &BodyEvents<'_>) -> HashSet<StmtId> {
    let mut found = HashSet::new();
    for vertex in body.flow.cfg.vertices.values() {
        if let VertexKind::ForLoop { init, update, .. } = &vertex.kind {
            found.extend([*init, *update]);
        }
    }
    found
}

fn is_anything(event: &Event<'_>) -> bool {
    matches!(event, Event::Anything)
}

/// Whether memory may come, go or be associated.
fn moves(event: &Event<'_>) -> bool {
    match event {
        Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Reshape(_)
        | Event::Call(_)
        | Event::Anything => true,
        Event::Read(..) | Event::Write(_) | Event::Ask(..) => false,
    }
}

/// The equation of a statement, if its value can be computed again.
fn equation(
    doc: &Document,
    storage: &Storage,
    proc: ProcId,
    (number, stmt): (usize, StmtId),
) -> Option<Equation> {
    let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else { return None };
    if matches!(
        doc.stmts[stmt].local_jacobian,
        Some(LocalJacobian::Again | LocalJacobian::Propagator | LocalJacobian::Memory)
    ) || doc.stmts[stmt].recompute
        || !doc.stmts[stmt].adjoint_live
    {
        return None;
    }
    let value = doc.refs[lhs].whole_entity()?;
    let location = own_location(doc, storage, proc, value)?;
    if cost_of(doc, rhs)? > MOST || !is_understood(doc, rhs) {
        return None;
    }
    let mut read = read_by(doc, rhs);
    read.retain(|&reference| !doc.has(doc.refs[reference].base, Attr::Parameter));
    if read.is_empty() || read.iter().any(|&reference| !is_plain_read(doc, reference)) {
        return None;
    }
    let mut locations: HashSet<LocationId> = HashSet::new();
    for &reference in &read {
        let found = storage.locations_of(doc, reference);
        if found.is_empty() {
            return None;
        }
        locations.extend(found);
        locations.extend(storage.asked_by(doc, reference));
    }
    if locations.contains(&location) {
        return None;
    }
    let reaches_out = locations
        .iter()
        .any(|&location| !matches!(storage.locations()[location].lifetime, Lifetime::Local(_)));
    let operands: HashSet<SymbolId> = read.iter().map(|&one| doc.refs[one].base).collect();
    let movable = read.iter().any(|&reference| is_movable(doc, reference));
    let item = Item { stmt, rhs, loops: Vec::new(), replaced: HashMap::new() };
    Some(Equation {
        items: vec![item],
        value,
        location,
        operands,
        locations,
        reaches_out,
        movable,
        span: number..number + 1,
        made: StepKey::Stmt(stmt),
    })
}

/// The location of a variable of the activation that no other name reaches and that always has its memory.
pub(super) fn own_location(
    doc: &Document,
    storage: &Storage,
    proc: ProcId,
    symbol: SymbolId,
) -> Option<LocationId> {
    let far = [
        Attr::Pointer,
        Attr::Target,
        Attr::Allocatable,
        Attr::Save,
        Attr::Volatile,
        Attr::Asynchronous,
    ];
    let decl = doc.symbols[symbol].decl.as_deref()?;
    let base = decl.spec.base();
    let fixed = |dim: &Dim| matches!(dim, Dim::Explicit { .. });
    let is_own = doc.symbols[symbol].scope == doc.procs[proc].scope
        && doc.procs[proc].result != Some(symbol)
        && matches!(base, Base::Real(_) | Base::Integer(_) | Base::Logical(_) | Base::Complex(_))
        && decl.dims.iter().all(fixed)
        && decl.common.is_none()
        && decl.init.is_none()
        && !far.iter().any(|&attr| doc.has(symbol, attr))
        && storage.procedures().dummy_of(symbol).is_none()
        && !storage.procedures().is_static(symbol);
    let locations = storage.locations_of_symbol(symbol);
    match locations[..] {
        [location] if is_own && storage.locations()[location].members.len() == 1 => Some(location),
        _ => None,
    }
}

/// Whether an expression consists of constants, references and operations with a cost.
pub(super) fn is_understood(doc: &Document, root: xaif_schema::model::ExprId) -> bool {
    nodes_of(doc, [root]).into_iter().all(|node| match &doc.exprs[node].kind {
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. } => true,
        ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// Whether a reference reads a variable that always exists and that only statements of the program change.
pub(super) fn is_plain_read(doc: &Document, reference: RefId) -> bool {
    let data = &doc.refs[reference];
    let near = |part: &Part| match part {
        Part::Elements(_) | Part::Component { .. } => true,
        Part::Inquiry(_) | Part::Substring { .. } | Part::Deref => false,
    };
    !data.deriv
        && doc.symbols[data.base].decl.is_some()
        && data.parts.iter().all(near)
        && ![Attr::Volatile, Attr::Asynchronous, Attr::Optional]
            .iter()
            .any(|&attr| doc.has(data.base, attr))
}

/// Whether the memory of a reference may be another one later.
pub(super) fn is_movable(doc: &Document, reference: RefId) -> bool {
    let data = &doc.refs[reference];
    let far =
        |symbol: SymbolId| doc.has(symbol, Attr::Pointer) || doc.has(symbol, Attr::Allocatable);
    far(data.base)
        || data.parts.iter().any(|part| match part {
            Part::Component { symbol, .. } => symbol.is_none_or(far),
            Part::Elements(_) | Part::Inquiry(_) | Part::Substring { .. } | Part::Deref => false,
        })
}

/// The effect of a step on equations, by their numbers.
struct Effect {
    /// The equations of which it overwrites the value or an operand.
    ended: Vec<usize>,
    /// The equations of which it overwrites the value.
    lost: Vec<usize>,
    /// The equations that it is part of: behind it they do not hold, and no place is needed for them.
    silent: Vec<usize>,
    /// Whether it may overwrite every global variable and argument.
    world: bool,
    /// Whether memory may come, go or be associated.
    moves: bool,
    /// Whether it ends every equation.
    all: bool,
    /// The equations that it begins.
    made: Vec<usize>,
}

/// The analysis of the equations that hold: forward, intersection.
struct Holding {
    size: usize,
    /// For each equation those with its value as an operand.
    dependents: Vec<Vec<usize>>,
    steps: HashMap<StepKey, Effect>,
    /// The equations with operands outside the activation.
    reaching_out: FixedBitSet,
    /// The equations with operands whose memory may be another one later.
    movable: FixedBitSet,
}

impl Holding {
    fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.size)
    }

    /// The equations of `state` that a step ends.
    fn ending(&self, step: Step<'_>, state: &FixedBitSet) -> Vec<usize> {
        let Some(effect) = self.steps.get(&StepKey::of(step)) else { return Vec::new() };
        if effect.all {
            return state.ones().collect();
        }
        let mut found: Vec<usize> =
            effect.ended.iter().copied().filter(|&number| state.contains(number)).collect();
        if effect.world {
            found.extend(state.intersection(&self.reaching_out));
        }
        if effect.moves {
            found.extend(state.intersection(&self.movable));
        }
        found.retain(|number| !effect.silent.contains(number));
        found
    }
}

impl Analysis for Holding {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        let mut all = self.none();
        all.insert_range(..);
        all
    }

    fn boundary(&self) -> FixedBitSet {
        self.none()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        intersection(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        for number in self.ending(step, state) {
            state.set(number, false);
        }
        let effect = self.steps.get(&StepKey::of(step));
        for &number in effect.into_iter().flat_map(|effect| &effect.silent) {
            state.set(number, false);
        }
        state.extend(effect.into_iter().flat_map(|effect| effect.made.iter().copied()));
    }
}

/// The analysis of equations whose value may be overwritten from here to the exit: backward, union.
struct Ahead<'h> {
    holds: &'h Holding,
}

impl Analysis for Ahead<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        self.holds.none()
    }

    fn boundary(&self) -> FixedBitSet {
        self.holds.none()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        if let Some(effect) = self.holds.steps.get(&StepKey::of(step)) {
            state.extend(effect.lost.iter().copied());
        }
    }
}

/// The places where equations end whose value is overwritten later: else the value is there in the backward sweep.
struct Ends<'e> {
    cfg: &'e Cfg,
    holds: &'e Holding,
    solution: Solution<FixedBitSet>,
    ahead: Solution<FixedBitSet>,
    found: HashMap<At, FixedBitSet>,
    /// The equations that end at vertices which hold no statements: their places are the edges that lead there.
    at_vertex: HashMap<VertexId, FixedBitSet>,
}

impl Ends<'_> {
    /// Notes the equations of `ending` whose value is in `lost_later`, and with them those of `state` that have such a
    /// value as an operand: it is there again from here on only.
    fn note(
        &mut self,
        at: At,
        ending: impl IntoIterator<Item = usize>,
        (state, lost_later): (&FixedBitSet, &FixedBitSet),
    ) {
        let mut all = self.holds.none();
        let mut work: Vec<usize> =
            ending.into_iter().filter(|&number| lost_later.contains(number)).collect();
        while let Some(number) = work.pop() {
            if !all.put(number) {
                let dependents = self.holds.dependents[number].iter().copied();
                work.extend(
                    dependents.filter(|&one| state.contains(one) && lost_later.contains(one)),
                );
            }
        }
        if !all.is_clear() {
            let none = || self.holds.none();
            self.found.entry(at).or_insert_with(none).union_with(&all);
        }
    }

    fn note_vertex(&mut self, vertex: VertexId, ending: impl IntoIterator<Item = usize>) {
        let none = || self.holds.none();
        self.at_vertex.entry(vertex).or_insert_with(none).extend(ending);
    }

    fn in_vertices(&mut self) {
        let (cfg, holds) = (self.cfg, self.holds);
        for (vertex, data) in &cfg.vertices {
            if matches!(data.kind, VertexKind::Exit) {
                continue;
            }
            let mut state = self.solution.before(vertex).clone();
            let mut endings: Vec<(Step<'_>, Vec<usize>, Option<FixedBitSet>)> = Vec::new();
            for step in steps_of_vertex(cfg, vertex) {
                let ending = holds.ending(step, &state);
                let before = (!ending.is_empty()).then(|| state.clone());
                endings.push((step, ending, before));
                holds.transfer(step, &mut state);
            }
            let mut lost_later = self.ahead.after(vertex).clone();
            for (step, ending, before) in endings.into_iter().rev() {
                Ahead { holds }.transfer(step, &mut lost_later);
                match (step, &data.kind) {
                    (Step::Stmt(stmt), VertexKind::BasicBlock { .. }) => {
                        if let Some(before) = before {
                            self.note(At::Before(vertex, stmt), ending, (&before, &lost_later));
                        }
                    }
                    _ => self.note_vertex(vertex, ending),
                }
            }
        }
    }

    fn on_edges(&mut self) {
        let is_end = |vertex| matches!(self.cfg.vertices[vertex].kind, VertexKind::EndLoop);
        let (back, others): (Vec<EdgeId>, Vec<EdgeId>) =
            self.cfg.edges.keys().partition(|&edge| is_end(self.cfg.edges[edge].source));
        // On the way back to its head a loop has no block.
        for edge in back {
            let (ending, _) = self.ending_on(edge);
            self.note_vertex(self.cfg.edges[edge].source, ending.ones());
        }
        for edge in others {
            let Edge { source, target, .. } = self.cfg.edges[edge];
            if matches!(self.cfg.vertices[target].kind, VertexKind::Exit) {
                continue;
            }
            let (mut ending, state) = self.ending_on(edge);
            if let Some(there) = self.at_vertex.get(&target) {
                ending.extend(there.intersection(&state));
            }
            let lost_later = self.ahead.after(source).clone();
            let before = self.solution.after(source).clone();
            self.note(At::Edge(edge), ending.ones(), (&before, &lost_later));
        }
    }

    /// The equations that end on an edge, and those that hold at its end.
    fn ending_on(&self, edge: EdgeId) -> (FixedBitSet, FixedBitSet) {
        let Edge { source, target, .. } = self.cfg.edges[edge];
        let mut state = self.solution.after(source).clone();
        let mut ending = self.holds.none();
        if let Some(step) = steps_of_edge(self.cfg, edge) {
            ending.extend(self.holds.ending(step, &state));
            self.holds.transfer(step, &mut state);
        }
        let mut lost = state.clone();
        lost.difference_with(self.solution.before(target));
        ending.union_with(&lost);
        (ending, state)
    }
}
