//! Which integers decide how many iterations loops go and how many elements arrays have.
//!
//! An integer is sizing where it is read in the bounds of a loop, in the extents of an array or of an allocation, or
//! in a condition on which a loop ends; and where its value flows into a sizing integer: by an assignment, as an actual
//! argument, or as the result of a function.
//!
//! Flow is not regarded within a procedure: an integer that is sizing somewhere is so everywhere. An integer that
//! decides only by a branch which value another one gets is not found.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use xaif_schema::model::{
    Base, Document, ExprId, Place, ProcId, RefId, StmtId, SymbolId, VertexId, VertexKind,
};
use xaif_schema::uses::Uses;

use super::access::{ActualValue, CallSite, Event, ReadRole};
use super::externals::Externals;
use super::side_effects::SideEffects;
use super::{Accesses, Bodies, BodyEvents, LocationId, StepAt, Storage};
use booster_flow::{Callees, Flow, Step};

/// The sizing integers among the values with which a procedure begins.
#[derive(Debug, Default)]
pub struct Sizing {
    /// Where each name, a variable with the path of components to the integer, sizes something first.
    names: BTreeMap<(SymbolId, Box<[SymbolId]>), Place>,
}

impl Sizing {
    /// Finds those whose value at entry of `head` is read by `head` or by what it calls.
    pub fn new(doc: &Document, head: ProcId) -> Sizing {
        let storage = Storage::while_executed(doc, &[head]);
        let accesses = Accesses::new(doc, &storage);
        let bodies = Bodies::new(&accesses);
        let reached = Callees::of_calls(bodies.calls(&accesses)).reached([head]);
        let mut finder = Finder { accesses: &accesses, found: BTreeMap::new(), changed: true };
        let bodies_reached: Vec<&BodyEvents<'_>> =
            bodies.iter().filter(|body| reached.contains(&body.proc)).collect();
        let deciding: Vec<Deciding> =
            bodies_reached.iter().map(|body| Deciding::new(&body.flow)).collect();
        while std::mem::take(&mut finder.changed) {
            for (body, deciding) in bodies_reached.iter().zip(&deciding) {
                body.steps.iter().for_each(|step| finder.step(body, step, deciding));
            }
        }
        let found = finder.found;
        let effects = SideEffects::new(&accesses, &bodies, &Externals::new());
        let input = &effects.of(head).input;
        let mut names = BTreeMap::new();
        for (location, place) in found.into_iter().filter(|(location, _)| input.contains(location))
        {
            for member in &storage.locations()[location].members {
                names.insert((member.symbol, member.path.clone()), place);
            }
        }
        Sizing { names }
    }

    /// Where the integer with these components of `symbol` sizes something; `None` where it sizes nothing.
    pub fn of(&self, symbol: SymbolId, path: &[SymbolId]) -> Option<Place> {
        self.names.get(&(symbol, path.into())).copied()
    }
}

struct Finder<'a, 'd> {
    accesses: &'a Accesses<'d>,
    found: BTreeMap<LocationId, Place>,
    changed: bool,
}

impl Finder<'_, '_> {
    fn doc(&self) -> &Document {
        self.accesses.doc()
    }

    fn storage(&self) -> &Storage {
        self.accesses.storage()
    }

    fn add(&mut self, locations: impl IntoIterator<Item = LocationId>, place: Place) {
        for location in locations {
            if !self.found.contains_key(&location) && self.is_integer(location) {
                self.found.insert(location, place);
                self.changed = true;
            }
        }
    }

    /// Whether the location is that of integers: by its first name.
    fn is_integer(&self, location: LocationId) -> bool {
        let location = &self.storage().locations()[location];
        location.members.iter().any(|member| {
            let last = member.path.last().copied().unwrap_or(member.symbol);
            matches!(self.doc().declared_base(last), Base::Integer(_))
        })
    }

    fn add_reference(&mut self, reference: RefId, place: Place) {
        if matches!(self.doc().refs[reference].ty.base, Base::Integer(_)) {
            let locations = self.storage().locations_of(self.doc(), reference);
            self.add(locations, place);
        }
    }

    /// The integers that an expression reads.
    fn add_expr(&mut self, expr: ExprId, place: Place) {
        let mut uses = Uses::new(self.doc());
        uses.expr(expr);
        uses.references.into_iter().for_each(|reference| self.add_reference(reference, place));
    }

    fn step(&mut self, body: &BodyEvents<'_>, step: &StepAt<'_>, deciding: &Deciding) {
        let place = self.place_of(body, step);
        let decides = match step.step {
            Step::Stmt(stmt) => deciding.stmts.contains(&stmt),
            Step::Evaluate(expr) => deciding.conditions.contains(&expr),
            Step::Enter(_) | Step::Concurrent(_) | Step::Leave => false,
        };
        let mut bounds = decides;
        let mut source: Option<Place> = decides.then_some(place);
        for event in &step.events {
            match event {
                Event::Write(write) => {
                    let (locations, _) = self.accesses.written(write);
                    let known = locations.iter().find_map(|location| self.found.get(location));
                    source = source.or(known.copied());
                }
                Event::Read(_, ReadRole::Bound) => bounds = true,
                Event::Allocate(_) => bounds = true,
                Event::Read(..)
                | Event::Call(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Ask(..)
                | Event::Reshape(_)
                | Event::Anything => {}
            }
        }
        for event in &step.events {
            match event {
                Event::Read(reference, ReadRole::Bound) => self.add_reference(*reference, place),
                Event::Read(reference, ReadRole::Value | ReadRole::Index | ReadRole::Control) => {
                    if let Some(place) = source {
                        self.add_reference(*reference, place);
                    }
                }
                Event::Read(_, ReadRole::Inquiry) => {}
                Event::Call(call) => {
                    self.call(call);
                    if let Some(place) = source.or(bounds.then_some(place)) {
                        for result in self.accesses.results(call) {
                            let locations = self.storage().value_of_symbol(result);
                            self.add(locations, place);
                        }
                    }
                }
                Event::Write(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Ask(..)
                | Event::Reshape(_)
                | Event::Anything => {}
            }
        }
    }

    /// What is sizing in a callee is so in the caller, and the other way round: the callee may compute it.
    fn call(&mut self, call: &CallSite<'_>) {
        let (accesses, storage) = (self.accesses, self.accesses.storage());
        let doc = accesses.doc();
        for &entry in &call.targets.bodies {
            for (dummy, value) in call.bindings(doc, storage, entry) {
                let pairs = match value {
                    ActualValue::Variable(actual) => storage.passed(doc, dummy, actual),
                    ActualValue::Object(object) => storage.passed_as_object(doc, dummy, object),
                    ActualValue::Value(expr, _) => {
                        let locations = storage.value_of_symbol(dummy);
                        let known =
                            locations.iter().find_map(|location| self.found.get(location)).copied();
                        known.into_iter().for_each(|place| self.add_expr(expr, place));
                        continue;
                    }
                    ActualValue::Target(..) | ActualValue::Procedure(_) => continue,
                };
                for (inner, outer) in pairs {
                    match (self.found.get(&inner).copied(), self.found.get(&outer).copied()) {
                        (Some(place), None) => self.add([outer], place),
                        (None, Some(place)) => self.add([inner], place),
                        (Some(_), Some(_)) | (None, None) => {}
                    }
                }
            }
        }
    }

    fn place_of(&self, body: &BodyEvents<'_>, step: &StepAt<'_>) -> Place {
        let doc = self.doc();
        let place = match step.step {
            Step::Stmt(stmt) => doc.stmts[stmt].place,
            Step::Evaluate(_) | Step::Enter(_) | Step::Concurrent(_) | Step::Leave => {
                Place::default()
            }
        };
        let places = [place, body.flow.cfg.vertices[step.vertex].place];
        places.into_iter().find(|place| !place.is_unknown()).unwrap_or(doc.procs[body.proc].place)
    }
}

/// The statements and conditions of a body that decide how many iterations a loop goes.
struct Deciding {
    stmts: HashSet<StmtId>,
    conditions: HashSet<ExprId>,
}

impl Deciding {
    fn new(flow: &Flow<'_>) -> Deciding {
        let cfg = flow.cfg;
        let mut deciding = Deciding { stmts: HashSet::new(), conditions: HashSet::new() };
        for vertex in cfg.vertices.values() {
            if let VertexKind::ForLoop { init, condition, update, .. } = &vertex.kind {
                deciding.stmts.extend([*init, *update]);
                deciding.conditions.insert(*condition);
            }
        }
        let at: BTreeMap<VertexId, usize> =
            cfg.layout.iter().enumerate().map(|(at, &vertex)| (vertex, at)).collect();
        let mut loops: BTreeMap<usize, usize> = BTreeMap::new();
        for edge in cfg.edges.values() {
            if let (Some(&from), Some(&to)) = (at.get(&edge.source), at.get(&edge.target))
                && to <= from
            {
                let end = loops.entry(to).or_insert(from);
                *end = from.max(*end);
            }
        }
        for (begin, end) in loops {
            deciding.of_loop(flow, &cfg.layout[begin..=end]);
        }
        deciding
    }

    /// Adds the conditions of branches in a loop of which one way leads on in the loop and another one does not.
    fn of_loop(&mut self, flow: &Flow<'_>, vertices: &[VertexId]) {
        let cfg = flow.cfg;
        let (Some(&head), inside) = (vertices.first(), BTreeSet::from_iter(vertices)) else {
            return;
        };
        let mut stays: BTreeSet<VertexId> = BTreeSet::from([head]);
        let mut open = vec![head];
        while let Some(vertex) = open.pop() {
            for &edge in flow.in_edges(vertex) {
                let source = cfg.edges[edge].source;
                if inside.contains(&source) && stays.insert(source) {
                    open.push(source);
                }
            }
        }
        for &vertex in vertices {
            let condition = match &cfg.vertices[vertex].kind {
                VertexKind::Branch { condition, .. }
                | VertexKind::PreLoop { condition, .. }
                | VertexKind::PostLoop { condition } => *condition,
                _ => None,
            };
            let Some(condition) = condition else { continue };
            let on = |target: VertexId| inside.contains(&target) && stays.contains(&target);
            let ways = flow.out_edges(vertex).iter().map(|&edge| on(cfg.edges[edge].target));
            let (mut leads_on, mut leads_out) = (false, false);
            ways.for_each(|stays| if stays { leads_on = true } else { leads_out = true });
            if leads_on && leads_out {
                self.conditions.insert(condition);
            }
        }
    }
}
