//! Which allocatable variables and components are allocated: at each step, certainly, certainly not, or perhaps.
//!
//! A forward analysis. A local variable is not allocated as its procedure begins, nor is an
//! INTENT(OUT) argument. ALLOCATE, DEALLOCATE, MOVE_ALLOC, the assignment of a whole variable, a use of the value, and
//! the condition of an IF settle it; an argument for an allocatable dummy and STAT= leave it open. A call leaves open the
//! components of its arguments that it may change ([`Changes`]). No known paper; the facts
//! are those of Fortran 2018, 9.7.1.3, 9.7.3.2 and 10.2.1.3.
//!
//! Not told: components of elements of arrays, of polymorphic objects and of what is a pointer or a target, variables that
//! outlive the procedure (SAVE, modules), and variables that internal procedures see.

mod changes;

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use xaif_schema::model::{
    Attr, Base, Body, BoolOp, BranchForm, Cfg, Document, Edge, ExprId, ExprKind, Intent, Part,
    ProcId, RefId, Reference, ScopeId, StmtKind, SymbolId, VertexKind,
};

pub use changes::Changes;

use super::access::{ActualValue, ReadRole, Written};
use super::{Accesses, BodyEvents, CallSite, Event, StepKey};
use booster_build::{nodes_of, subscripts_of};
use booster_flow::{Analysis, Direction, Step, solve, steps_of_vertex, union};

/// A variable, or a component of it, from the outermost inwards.
type Path = Vec<SymbolId>;

/// The most components of one variable that are looked at.
const MOST_COMPONENTS: usize = 64;

/// What is known of the variables of one procedure.
#[derive(Clone, Debug, Default)]
pub struct Allocation {
    places: HashMap<Path, usize>,
    before: HashMap<StepKey, FixedBitSet>,
    /// As control leaves the procedure.
    exit: FixedBitSet,
}

impl Allocation {
    /// Looks at one body. `changes` are those of all procedures.
    pub fn new(accesses: &Accesses<'_>, body: &BodyEvents<'_>, changes: &Changes) -> Self {
        let places = variables(accesses, body, changes);
        let mut before = HashMap::new();
        let mut exit = FixedBitSet::new();
        if !places.is_empty() {
            let mut within: HashMap<SymbolId, Vec<(&Path, usize)>> = HashMap::new();
            for (path, &place) in &places {
                if let Some(&base) = path.first() {
                    within.entry(base).or_default().push((path, place));
                }
            }
            let status = Status { accesses, body, places: &places, within, changes };
            let solution = solve(&body.flow, &status);
            for &vertex in body.flow.order() {
                let mut state = solution.before(vertex).clone();
                if matches!(body.flow.cfg.vertices[vertex].kind, VertexKind::Exit) {
                    exit.clone_from(&state);
                }
                for step in steps_of_vertex(body.flow.cfg, vertex) {
                    before.insert(StepKey::of(step), state.clone());
                    status.transfer(step, &mut state);
                }
            }
        }
        Allocation { places, before, exit }
    }

    /// Whether `symbol` is allocated as control arrives at a step; `None` where that is not known.
    pub fn is_allocated(&self, step: StepKey, symbol: SymbolId) -> Option<bool> {
        self.is_there(step, &[symbol])
    }

    /// The same for a reference to a whole variable or component.
    pub fn is_reference_allocated(&self, step: StepKey, reference: &Reference) -> Option<bool> {
        let path = path_of(reference).filter(|_| reference.whole_entity().is_some())?;
        self.is_there(step, &path)
    }

    /// The same as control leaves the procedure.
    pub fn is_allocated_at_exit(&self, reference: &Reference) -> Option<bool> {
        let path = path_of(reference).filter(|_| reference.whole_entity().is_some())?;
        self.in_state(&self.exit, &path)
    }

    fn is_there(&self, step: StepKey, path: &[SymbolId]) -> Option<bool> {
        self.in_state(self.before.get(&step)?, path)
    }

    fn in_state(&self, state: &FixedBitSet, path: &[SymbolId]) -> Option<bool> {
        let place = *self.places.get(path)?;
        match (state.contains(there(place)), state.contains(missing(place))) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            // Control does not arrive, or it may be either.
            (false, false) | (true, true) => None,
        }
    }

    /// Whether it is told of no variable.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// The bit that says that a variable may be allocated.
fn there(place: usize) -> usize {
    2 * place
}

/// The bit that says that it may not be.
fn missing(place: usize) -> usize {
    2 * place + 1
}

/// The variable or component that a reference names, perhaps with subscripts behind it; `None` for what stands in an
/// element or behind a pointer.
fn path_of(reference: &Reference) -> Option<Path> {
    let mut path = vec![reference.base];
    let mut parts = reference.parts.iter();
    for part in parts.by_ref() {
        match part {
            Part::Component { symbol: Some(symbol), .. } => path.push(*symbol),
            Part::Elements(_) | Part::Substring { .. } => break,
            Part::Component { symbol: None, .. } | Part::Inquiry(_) | Part::Deref => return None,
        }
    }
    let inside = parts.any(|part| !matches!(part, Part::Elements(_) | Part::Substring { .. }));
    (!inside).then_some(path)
}

/// The allocatable variables that are private to a procedure, with the allocatable components of its scalars.
fn variables(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    changes: &Changes,
) -> HashMap<Path, usize> {
    let (doc, procedures) = (accesses.doc(), accesses.storage().procedures());
    let scope: ScopeId = doc.procs[body.proc].scope;
    // An interface sees nothing of what is around it.
    let has_body = |proc: &ProcId| !matches!(doc.procs[*proc].body, Body::Interface);
    let nest = doc.nest();
    let mut inside = nest.inside(scope).into_iter().skip(1).filter_map(|at| nest.procedure(at));
    let seen_inside = inside.any(|proc| has_body(&proc));
    if seen_inside {
        return HashMap::new();
    }
    let own = doc.scopes[scope].symbols.iter().copied();
    let own = own.filter(|&symbol| !procedures.is_static(symbol));
    let paths = own.flat_map(|symbol| {
        let mut found: Vec<Path> =
            doc.has(symbol, Attr::Allocatable).then(|| vec![symbol]).into_iter().collect();
        let pointed_to = [Attr::Target, Attr::Pointer].iter().any(|&attr| doc.has(symbol, attr));
        if !pointed_to && !changes.has_another_name(symbol) {
            let mut components = Vec::new();
            add_components(doc, vec![symbol], &mut components);
            found.extend(components.into_iter().take(MOST_COMPONENTS));
        }
        found
    });
    paths.zip(0..).collect()
}

/// Adds the allocatable components of a scalar of derived type, and those of its components that are scalars.
fn add_components(doc: &Document, path: Path, found: &mut Vec<Path>) {
    let Some(&last) = path.last() else { return };
    let data = &doc.symbols[last];
    let Some(decl) = data.decl.as_deref() else { return };
    let Base::Derived(owner) = decl.spec.base() else { return };
    if !decl.dims.is_empty() || decl.has(Attr::Pointer) || path.len() > 8 {
        return;
    }
    for component in doc.data_components(owner) {
        if path.contains(&component) || found.len() > MOST_COMPONENTS {
            continue;
        }
        let mut longer = path.clone();
        longer.push(component);
        if doc.has(component, Attr::Allocatable) {
            found.push(longer.clone());
        }
        add_components(doc, longer, found);
    }
}

struct Status<'a, 'd> {
    accesses: &'a Accesses<'d>,
    body: &'a BodyEvents<'d>,
    places: &'a HashMap<Path, usize>,
    /// The same by variables.
    within: HashMap<SymbolId, Vec<(&'a Path, usize)>>,
    changes: &'a Changes,
}

impl Status<'_, '_> {
    /// The place of a variable or component that is named as a whole, perhaps with bounds or subscripts.
    fn place_of(&self, reference: RefId) -> Option<usize> {
        let path = path_of(&self.accesses.doc().refs[reference])?;
        self.places.get(&path).copied()
    }

    fn is_whole(&self, reference: RefId) -> bool {
        self.accesses.doc().refs[reference].whole_entity().is_some()
    }

    /// The places of the components of what a reference names, with the components. `object`: the last part of the
    /// reference is a binding.
    fn below(&self, reference: RefId, object: bool) -> Vec<(SymbolId, usize)> {
        let data = &self.accesses.doc().refs[reference];
        let Some(within) = self.within.get(&data.base) else { return Vec::new() };
        let parts = &data.parts[..data.parts.len() - usize::from(object && !data.parts.is_empty())];
        // An element of an array on the way has no places of its own.
        let names = std::iter::once(data.base).chain(parts.iter().map_while(|part| match part {
            Part::Component { symbol, .. } => *symbol,
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
        }));
        let start: Path = names.collect();
        let within =
            within.iter().filter(|(path, _)| path.len() > start.len() && path.starts_with(&start));
        within.filter_map(|&(path, place)| Some((*path.last()?, place))).collect()
    }

    fn open_below(&self, reference: RefId, state: &mut FixedBitSet) {
        self.below(reference, false).into_iter().for_each(|(_, place)| open(state, place));
    }

    /// What a use of elements or components tells of the variables and components around them.
    fn used(&self, step: Step<'_>, reference: RefId, state: &mut FixedBitSet) {
        let data = &self.accesses.doc().refs[reference];
        if !self.within.contains_key(&data.base) {
            return;
        }
        let mut path = vec![data.base];
        let mut told = Vec::new();
        for part in &data.parts {
            told.extend(self.places.get(&path));
            match part {
                Part::Component { symbol: Some(symbol), .. } => path.push(*symbol),
                _ => break,
            }
        }
        told.retain(|&place| state.contains(missing(place)));
        if !told.is_empty() && self.is_certain(step) {
            told.into_iter().for_each(|place| settle(state, place, true));
        }
    }

    /// Whether a step is an assignment that evaluates all its parts, at least once.
    fn is_certain(&self, step: Step<'_>) -> bool {
        let doc = self.accesses.doc();
        let Step::Stmt(stmt) = step else { return false };
        let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else {
            return false;
        };
        let roots = std::iter::once(rhs).chain(subscripts_of(&doc.refs[lhs]));
        nodes_of(doc, roots).into_iter().all(|node| match &doc.exprs[node].kind {
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_) => true,
            ExprKind::Intrinsic { name, .. } => !matches!(name.as_ref(), "allocated" | "merge"),
            ExprKind::Boolean { .. } | ExprKind::ImpliedDo(_) | ExprKind::Opaque(_) => false,
        })
    }

    /// Whether the step is an ALLOCATE or DEALLOCATE that may fail.
    fn may_fail(&self, step: Step<'_>) -> bool {
        let Step::Stmt(stmt) = step else { return false };
        match &self.accesses.doc().stmts[stmt].kind {
            StmtKind::Allocate(allocate) => allocate.stat.is_some(),
            StmtKind::Release(release) => release.stat.is_some(),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        }
    }

    fn has_source(&self, step: Step<'_>) -> bool {
        let Step::Stmt(stmt) = step else { return false };
        match &self.accesses.doc().stmts[stmt].kind {
            StmtKind::Allocate(allocate) => allocate.source.is_some(),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        }
    }

    /// What a write to a whole variable does: an assignment allocates it, the tape fills what is there;
    /// of an intrinsic subroutine it is not known.
    fn written(&self, step: Step<'_>, reference: RefId, state: &mut FixedBitSet) {
        self.used(step, reference, state);
        self.open_below(reference, state);
        let Some(place) = self.place_of(reference) else { return };
        let Step::Stmt(stmt) = step else { return open(state, place) };
        match &self.accesses.doc().stmts[stmt].kind {
            StmtKind::Assign { lhs, defined: None, .. }
                if *lhs == reference && self.is_whole(reference) =>
            {
                settle(state, place, true);
            }
            StmtKind::Call(_) => open(state, place),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
    }

    /// What a condition tells if it has this value.
    fn holds(&self, condition: ExprId, value: bool, state: &mut FixedBitSet) {
        let doc = self.accesses.doc();
        match &doc.exprs[condition].kind {
            ExprKind::Intrinsic { name, operands, .. } if name.as_ref() == "allocated" => {
                let asked = operands.first().and_then(|one| doc.exprs[one.expr].reference());
                let asked = asked.filter(|&asked| self.is_whole(asked));
                if let Some(place) = asked.and_then(|asked| self.place_of(asked)) {
                    // What cannot be stays so: control does not go this way.
                    state.set(if value { missing(place) } else { there(place) }, false);
                }
            }
            ExprKind::Boolean { op, operands } => match (op, &operands[..]) {
                (BoolOp::Not, [operand]) => self.holds(operand.expr, !value, state),
                (BoolOp::And, [..]) if value => {
                    operands.iter().for_each(|one| self.holds(one.expr, true, state));
                }
                (BoolOp::Or, [..]) if !value => {
                    operands.iter().for_each(|one| self.holds(one.expr, false, state));
                }
                _ => {}
            },
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }

    /// The variables of `call move_alloc(from, to)`.
    fn moved(&self, step: Step<'_>) -> Option<(RefId, RefId)> {
        let (doc, Step::Stmt(stmt)) = (self.accesses.doc(), step) else { return None };
        match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => doc.moved(call),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => None,
        }
    }

    /// `to` is what `from` was, and `from` is not allocated.
    fn move_status(&self, from: RefId, to: RefId, state: &mut FixedBitSet) {
        self.open_below(from, state);
        self.open_below(to, state);
        let places = [from, to].map(|one| self.place_of(one).filter(|_| self.is_whole(one)));
        if let Some(to) = places[1] {
            match places[0] {
                Some(from) => {
                    for bit in [there, missing] {
                        state.set(bit(to), state.contains(bit(from)));
                    }
                }
                None => open(state, to),
            }
        }
        if let Some(from) = places[0] {
            settle(state, from, false);
        }
    }

    /// The components of an argument that a call may change may be either behind it. `object`: the last part of the
    /// reference is a binding.
    fn open_changed(
        &self,
        call: &CallSite<'_>,
        argument: RefId,
        object: bool,
        state: &mut FixedBitSet,
    ) {
        for (component, place) in self.below(argument, object) {
            if self.changes.changes(self.accesses, call, component) {
                open(state, place);
            }
        }
    }

    /// What an allocatable dummy argument stands for may be either behind the call.
    fn called(&self, call: &CallSite<'_>, state: &mut FixedBitSet) {
        let doc = self.accesses.doc();
        let described = doc.described_by(call.callee.symbol);
        // The object of a call by a binding is none of the actual arguments.
        if let Some(object) = call.callee.object {
            self.open_changed(call, object, true, state);
        }
        for actual in &call.actuals {
            let reference = match actual.value {
                ActualValue::Variable(reference) => reference,
                ActualValue::Object(_)
                | ActualValue::Target(..)
                | ActualValue::Value(..)
                | ActualValue::Procedure(_) => continue,
            };
            self.open_changed(call, reference, false, state);
            let Some(place) = self.place_of(reference).filter(|_| self.is_whole(reference)) else {
                continue;
            };
            let dummy_of = |proc| {
                let dummies = &doc.procs[proc].args;
                dummies.iter().find(|d| d.position as usize == actual.position + 1)?.symbol
            };
            let bodies = call.targets.bodies.iter().map(|entry| entry.proc);
            let mut dummies = bodies.chain(described).map(dummy_of);
            let in_entry = call.targets.bodies.iter().any(|entry| entry.point.is_some());
            let may = |dummy: Option<SymbolId>| dummy.is_none_or(|d| doc.has(d, Attr::Allocatable));
            // What has no interface that could be seen has no allocatable dummy arguments.
            if in_entry || dummies.any(may) {
                open(state, place);
            }
        }
    }
}

fn settle(state: &mut FixedBitSet, place: usize, allocated: bool) {
    state.set(there(place), allocated);
    state.set(missing(place), !allocated);
}

fn open(state: &mut FixedBitSet, place: usize) {
    state.insert(there(place));
    state.insert(missing(place));
}

impl Analysis for Status<'_, '_> {
    type Domain = FixedBitSet;

    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(2 * self.places.len())
    }

    fn boundary(&self) -> FixedBitSet {
        let doc = self.accesses.doc();
        let procedures = self.accesses.storage().procedures();
        let mut state = self.bottom();
        for (path, &place) in self.places {
            let Some(&symbol) = path.first() else { continue };
            let decl = doc.symbols[symbol].decl.as_ref();
            let out = decl.is_some_and(|decl| decl.intent == Some(Intent::Out));
            match procedures.dummy_of(symbol) {
                Some(_) if !out => open(&mut state, place),
                Some(_) | None => settle(&mut state, place, false),
            }
        }
        state
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    const NARROWS: bool = true;

    /// What is allocated where control goes on behind `if (allocated(a))`.
    fn narrow(&self, cfg: &Cfg, edge: &Edge, state: &mut FixedBitSet) {
        let VertexKind::Branch { condition: Some(condition), form, .. } =
            &cfg.vertices[edge.source].kind
        else {
            return;
        };
        if matches!(form, BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf) {
            self.holds(*condition, edge.condition == Some(1), state);
        }
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        if let Some((from, to)) = self.moved(step) {
            return self.move_status(from, to, state);
        }
        for event in self.body.events(step) {
            match event {
                Event::Write(write) => match write.place {
                    Written::Ref(reference) => self.written(step, reference, state),
                    Written::Symbol(_) => {}
                },
                Event::Call(call) => self.called(call, state),
                Event::Allocate(object) | Event::Release { object, nullify: false } => {
                    let allocated = matches!(event, Event::Allocate(_));
                    // A source gives components their allocation.
                    let fresh = !self.may_fail(step) && !self.has_source(step);
                    for (_, place) in self.below(*object, false) {
                        match fresh {
                            true => settle(state, place, false),
                            false => open(state, place),
                        }
                    }
                    match self.place_of(*object) {
                        Some(place) if self.may_fail(step) => open(state, place),
                        Some(place) => settle(state, place, allocated),
                        None => {}
                    }
                }
                Event::Anything => (0..self.places.len()).for_each(|place| open(state, place)),
                Event::Read(reference, ReadRole::Value | ReadRole::Index) => {
                    self.used(step, *reference, state);
                }
                Event::Read(..)
                | Event::Release { nullify: true, .. }
                | Event::Associate(_)
                | Event::Ask(..)
                | Event::Reshape(_) => {}
            }
        }
    }
}
