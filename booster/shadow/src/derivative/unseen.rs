//! Procedures that no statement calls: FINAL procedures, and those for input and output of derived
//! types. No analysis sees what they do, so what could make a derivative wrong is refused.
//!
//! - A derivative object has the type of its original: a FINAL procedure of the type, of an ancestor
//!   or of a component would run for derivatives as well. That does no harm where all it does is to change or
//!   release what the object itself holds: an object that comes to its end.
//! - Such a procedure may change real or complex variables that are not its own: no derivative would
//!   follow. Allocating, releasing and associating pointers changes no number.
//! - A procedure for input may compute with what the object held. Derivatives take input for passive.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Base, Document, GenericSpec, Intent, Part, ProcId, RefId, Role, ScopeKind, StmtKind,
    SymbolId, Verb,
};

use super::plan::Plan;
use booster_facts::access::{ActualValue, Write, Written};
use booster_facts::inherited;
use booster_facts::{
    Accesses, Bodies, BodyEvents, CallSite, Event, Lifetime, LocationId, StepAt, Storage,
};
use booster_flow::Step;

/// Looks for such procedures, and at what they would do to a derivative.
pub(super) fn check(doc: &Document, plan: &Plan, problems: &mut Diagnostics) {
    let mut unseen = Unseen::new(doc);
    if unseen.procedures.is_empty() {
        return;
    }
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = Effects { doc, plan, storage: &storage, bodies: &bodies };
    unseen.finals = effects.finals_that_reach_out(&unseen.procedures);
    unseen.finals_of_derivatives(doc, plan, problems);
    for problem in unseen.procedures.iter().filter_map(|procedure| effects.check(procedure)) {
        problems.push(problem);
    }
    for body in bodies.iter().filter(|body| !plan.is_in_program(doc, body.proc)) {
        unseen.input(doc, plan, body, problems);
    }
}

/// A procedure that the language calls by itself.
struct Procedure {
    /// The FINAL binding, or the generic name for input or output.
    named: SymbolId,
    /// The procedure or binding.
    target: SymbolId,
    /// The type whose objects it is called for.
    owner: Option<SymbolId>,
}

/// All such procedures of a document.
#[derive(Default)]
struct Unseen {
    procedures: Vec<Procedure>,
    /// The first FINAL procedure of a type that does more than to tidy up its object.
    finals: HashMap<SymbolId, SymbolId>,
    /// Types with a procedure for input.
    readers: HashSet<SymbolId>,
    /// Types that are part of a type: the one that it extends, those of its components.
    parts: HashMap<SymbolId, BTreeSet<SymbolId>>,
}

impl Unseen {
    fn new(doc: &Document) -> Self {
        let mut unseen = Unseen::default();
        for (symbol, data) in doc.symbols.iter() {
            let Some(decl) = data.decl.as_deref() else { continue };
            let owner = match doc.scopes[data.scope].kind {
                ScopeKind::DerivedType(owner) => Some(owner),
                _ => None,
            };
            match (&decl.role, owner) {
                (Role::Final { target }, Some(owner)) => {
                    let owner = Some(owner);
                    unseen.procedures.push(Procedure { named: symbol, target: *target, owner });
                }
                (Role::Generic { spec: GenericSpec::Io(text), specifics }, _) => {
                    let reads = text.to_ascii_lowercase().starts_with("read");
                    for &target in specifics {
                        let owner = owner.or_else(|| object_of(doc, target));
                        unseen.readers.extend(owner.filter(|_| reads));
                        unseen.procedures.push(Procedure { named: symbol, target, owner });
                    }
                }
                (Role::DerivedType { extends: Some(parent), .. }, _) => {
                    unseen.parts.entry(symbol).or_default().insert(*parent);
                }
                (Role::Variable, Some(owner)) => {
                    if let Base::Derived(part) | Base::Class(part) = decl.spec.base() {
                        unseen.parts.entry(owner).or_default().insert(part);
                    }
                }
                _ => {}
            }
        }
        unseen
    }

    /// The types of all that an object may consist of.
    fn types_in(&self, plan: &Plan, base: Base) -> Vec<SymbolId> {
        let mut found = match base {
            Base::Derived(owner) => vec![owner],
            Base::Class(owner) => plan.types.with_extensions(owner),
            _ => return Vec::new(),
        };
        let mut seen: HashSet<SymbolId> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&here) = found.get(next) {
            next += 1;
            let parts = self.parts.get(&here).into_iter().flatten();
            found.extend(parts.copied().filter(|&part| seen.insert(part)));
        }
        found
    }

    /// Refuses derivative objects for which a FINAL procedure would run: the first of each type.
    fn finals_of_derivatives(&self, doc: &Document, plan: &Plan, problems: &mut Diagnostics) {
        let mut told = HashSet::new();
        // Neither a component nor what such a procedure is given is an object of its own.
        let given: HashSet<SymbolId> = self
            .procedures
            .iter()
            .filter_map(|procedure| doc.procedure_of(procedure.target))
            .flat_map(|proc| doc.procs[proc].args.iter().filter_map(|arg| arg.symbol))
            .collect();
        for (symbol, data) in doc.symbols.iter() {
            let component = matches!(doc.scopes[data.scope].kind, ScopeKind::DerivedType(_));
            if component || given.contains(&symbol) || !plan.variables.contains(&symbol) {
                continue;
            }
            let Some(decl) = data.decl.as_deref() else { continue };
            let types = self.types_in(plan, decl.spec.base());
            let found = types.iter().find_map(|one| Some((*one, *self.finals.get(one)?)));
            let Some((owner, procedure)) = found.filter(|(owner, _)| told.insert(*owner)) else {
                continue;
            };
            let message = format!(
                "`{}` has a derivative of the same type, for which the FINAL procedure `{}` of `{}` would run, too",
                doc.name(symbol),
                doc.name(procedure),
                doc.name(owner)
            );
            problems.push(
                Diagnostic::error(Code::FINAL_OF_DERIVATIVE, doc.spot(decl.place), message)
                    .with_help(format!(
                        "take FINAL away and call `{}` where objects come to their end",
                        doc.name(procedure)
                    )),
            );
        }
    }

    /// Refuses READ statements that would call a procedure for an object that can have a derivative.
    fn input(&self, doc: &Document, plan: &Plan, body: &BodyEvents<'_>, out: &mut Diagnostics) {
        for step in &body.steps {
            let Step::Stmt(stmt) = step.step else { continue };
            if !matches!(&doc.stmts[stmt].kind, StmtKind::Marker(marker) if marker.verb == Verb::Io)
            {
                continue;
            }
            let written = step.events.iter().filter_map(|event| match event {
                Event::Write(Write { place: Written::Ref(reference), .. }) => Some(*reference),
                _ => None,
            });
            let read = written.clone().find(|&reference| {
                let base = doc.refs[reference].ty.base;
                let types = self.types_in(plan, base);
                plan.types.carries(base) && types.iter().any(|one| self.readers.contains(one))
            });
            let Some(read) = read else { continue };
            let message = format!(
                "`{}` is read by a procedure of its own, whose effect on derivatives is not seen",
                doc.name(doc.refs[read].base)
            );
            let spot = doc.spot(doc.stmts[stmt].place);
            out.push(
                Diagnostic::error(Code::DEFINED_INPUT, spot, message)
                    .with_help("read the components one by one, or call the procedure by CALL"),
            );
        }
    }
}

/// What a call of such a procedure executes.
struct Executed<'b> {
    /// The procedures, with their bodies as far as there are some.
    bodies: Vec<(ProcId, Option<&'b BodyEvents<'b>>)>,
    /// Whether it may be more.
    unknown: bool,
}

/// What such procedures change.
struct Effects<'a> {
    doc: &'a Document,
    plan: &'a Plan,
    storage: &'a Storage,
    bodies: &'a Bodies<'a>,
}

impl Effects<'_> {
    /// A message where the procedure changes numbers that are not its own.
    fn check(&self, procedure: &Procedure) -> Option<Diagnostic> {
        let doc = self.doc;
        let changed = self.changed(procedure)?;
        let place = doc.symbols[procedure.named].decl.as_ref().map(|decl| decl.place);
        let message = format!(
            "`{}` is called without a statement that says so, and {changed}",
            doc.name(procedure.target)
        );
        let help = "call it by a CALL statement, under another name where it is generic";
        let spot = doc.spot(place.unwrap_or_default());
        Some(Diagnostic::error(Code::UNSEEN_EFFECT, spot, message).with_help(help))
    }

    /// For each type the first FINAL procedure that does more than to change or release what its object
    /// holds.
    fn finals_that_reach_out(&self, procedures: &[Procedure]) -> HashMap<SymbolId, SymbolId> {
        let mut found = HashMap::new();
        for procedure in procedures {
            let is_final = matches!(self.doc.role(procedure.named), Some(Role::Final { .. }));
            if let Some(owner) = procedure.owner.filter(|_| is_final)
                && !self.is_tidy(procedure)
            {
                found.entry(owner).or_insert(procedure.target);
            }
        }
        found
    }

    fn is_tidy(&self, procedure: &Procedure) -> bool {
        let executed = self.executed(procedure);
        !executed.unknown
            && executed.bodies.iter().all(|&(proc, body)| {
                body.is_some_and(|body| body.steps.iter().all(|step| self.is_tidy_step(proc, step)))
            })
    }

    fn is_tidy_step(&self, proc: ProcId, step: &StepAt<'_>) -> bool {
        let speaks = matches!(step.step, Step::Stmt(stmt)
            if matches!(&self.doc.stmts[stmt].kind, StmtKind::Marker(marker)
                if marker.verb != Verb::Continue));
        let own = |event: &Event<'_>| match event {
            Event::Read(..) | Event::Ask(..) | Event::Reshape(_) => true,
            Event::Write(write) => match write.place {
                Written::Ref(reference) => {
                    self.is_own(proc, reference) && !self.is_pointer(reference)
                }
                Written::Symbol(_) => false,
            },
            Event::Release { object, nullify } => {
                let part = self.doc.refs[*object].entity();
                let held = part.is_some_and(|part| self.doc.has(part, Attr::Allocatable));
                (*nullify || held) && self.is_own(proc, *object)
            }
            Event::Call(call) => call.actuals.iter().all(|actual| match &actual.value {
                ActualValue::Variable(reference) => self.is_own(proc, *reference),
                ActualValue::Object(_) | ActualValue::Value(..) => true,
                ActualValue::Target(..) | ActualValue::Procedure(_) => false,
            }),
            Event::Allocate(_) | Event::Associate(_) | Event::Anything => false,
        };
        !speaks && step.events.iter().all(own)
    }

    /// The bodies that are executed, directly or by calls.
    fn executed(&self, procedure: &Procedure) -> Executed<'_> {
        let (mut reached, mut unknown) = self.meaning(procedure);
        let mut seen: HashSet<ProcId> = reached.iter().copied().collect();
        let mut bodies = Vec::new();
        while let Some(proc) = reached.pop() {
            let body = self.bodies.get(proc);
            bodies.push((proc, body));
            let steps = body.into_iter().flat_map(|body| &body.steps);
            for event in steps.flat_map(|step| &step.events) {
                let Event::Call(call) = event else { continue };
                unknown |= call.targets.unknown || !call.targets.outside.is_empty();
                let callees = call.targets.bodies.iter().map(|entry| entry.proc);
                reached.extend(callees.filter(|&proc| seen.insert(proc)));
            }
        }
        Executed { bodies, unknown }
    }

    /// Whether a reference names a local variable or a part of a dummy argument, not through a pointer.
    fn is_own(&self, proc: ProcId, reference: RefId) -> bool {
        let data = &self.doc.refs[reference];
        let far = data.parts.iter().rev().skip(1).any(|part| {
            matches!(part, Part::Component { symbol: Some(symbol), .. }
                if self.doc.has(*symbol, Attr::Pointer))
        });
        let base = &self.doc.symbols[data.base];
        let element = matches!(data.parts.last(), Some(Part::Elements(_)));
        let through = base.has(Attr::Pointer) || far || element && self.is_pointer(reference);
        let kept = self.storage.procedures().is_static(data.base);
        base.scope == self.doc.procs[proc].scope && !through && !kept
    }

    fn is_pointer(&self, reference: RefId) -> bool {
        let entity = self.doc.refs[reference].entity();
        entity.is_some_and(|symbol| self.doc.has(symbol, Attr::Pointer))
    }

    /// What it changes, directly or by those that it calls.
    fn changed(&self, procedure: &Procedure) -> Option<String> {
        let Executed { bodies, mut unknown } = self.executed(procedure);
        let steps = bodies.iter().filter_map(|(_, body)| *body).flat_map(|body| &body.steps);
        for event in steps.flat_map(|step| &step.events) {
            match event {
                Event::Write(write) => {
                    let found = match write.place {
                        Written::Ref(reference) => self.is_foreign(reference),
                        Written::Symbol(symbol) => self.is_global(symbol),
                    };
                    if found {
                        let name = match write.place {
                            Written::Ref(reference) => self.doc.refs[reference].base,
                            Written::Symbol(symbol) => symbol,
                        };
                        return Some(self.changes(name));
                    }
                }
                Event::Call(call) => {
                    if let Some(name) = self.passed(call) {
                        return Some(self.changes(name));
                    }
                }
                Event::Anything => unknown = true,
                Event::Read(..)
                | Event::Ask(..)
                | Event::Reshape(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_) => {}
            }
        }
        let at_stake = procedure.owner.is_none_or(|own| self.plan.types.carries(Base::Class(own)))
            || self.plan.variables.iter().any(|&symbol| self.is_global(symbol));
        (unknown && at_stake).then(|| "not all that it does is known".to_owned())
    }

    /// What may be executed, also for objects of extensions; and whether there is more.
    fn meaning(&self, procedure: &Procedure) -> (Vec<ProcId>, bool) {
        let doc = self.doc;
        let mut targets = vec![procedure.target];
        if let (Some(Role::Binding { .. }), Some(owner)) =
            (doc.role(procedure.target), procedure.owner)
        {
            let id = &doc.symbols[procedure.target].id;
            let bound = |one: SymbolId| match doc.role(inherited(doc, one, id)?)? {
                Role::Binding { target, .. } => *target,
                _ => None,
            };
            let types = self.plan.types.with_extensions(owner);
            // A deferred binding is never called.
            targets = types.into_iter().filter_map(bound).collect();
        }
        let (mut bodies, mut unknown) = (Vec::new(), false);
        for target in targets {
            let meant = self.storage.meaning(doc, target);
            unknown |= meant.unknown || !meant.outside.is_empty();
            bodies.extend(meant.bodies.iter().map(|entry| entry.proc));
        }
        (bodies, unknown)
    }

    fn changes(&self, name: SymbolId) -> String {
        format!("may change real or complex values by `{}`", self.doc.name(name))
    }

    /// A variable that is not the procedure's own and that a callee may change.
    fn passed(&self, call: &CallSite<'_>) -> Option<SymbolId> {
        let doc = self.doc;
        let kept = |position: usize| {
            let bodies = &call.targets.bodies;
            !call.targets.unknown
                && call.targets.outside.is_empty()
                && bodies.iter().all(|&entry| {
                    let dummies = self.storage.procedures().dummies(doc, entry);
                    let dummy = dummies.get(position).and_then(|dummy| dummy.symbol);
                    let decl = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_deref());
                    decl.is_some_and(|decl| decl.intent == Some(Intent::In))
                })
        };
        call.actuals.iter().find_map(|actual| match &actual.value {
            ActualValue::Variable(reference) if !kept(actual.position) => {
                self.is_foreign(*reference).then(|| doc.refs[*reference].base)
            }
            ActualValue::Target(symbols, _) if !kept(actual.position) => symbols.first().copied(),
            ActualValue::Variable(_)
            | ActualValue::Object(_)
            | ActualValue::Target(..)
            | ActualValue::Value(..)
            | ActualValue::Procedure(_) => None,
        })
    }

    /// Whether numbers are meant that others see: global ones, and targets of pointers.
    fn is_foreign(&self, reference: RefId) -> bool {
        let units = self.storage.locations_of(self.doc, reference);
        let continuous = |&location: &LocationId| self.storage.locations()[location].continuous;
        let global = |&location: &LocationId| {
            self.storage.locations()[location].lifetime == Lifetime::Global
        };
        let through_pointer = self.doc.refs[reference].parts.iter().any(|part| {
            let Part::Component { symbol: Some(symbol), .. } = part else { return false };
            let decl = self.doc.symbols[*symbol].decl.as_deref();
            decl.is_some_and(|decl| decl.has(Attr::Pointer))
        });
        units.iter().any(|location| continuous(location) && (through_pointer || global(location)))
    }

    fn is_global(&self, symbol: SymbolId) -> bool {
        self.storage.locations_of_symbol(symbol).iter().any(|&location| {
            let location = &self.storage.locations()[location];
            location.continuous && location.lifetime == Lifetime::Global
        })
    }
}

/// The type of the object that a procedure for input or output is given.
fn object_of(doc: &Document, procedure: SymbolId) -> Option<SymbolId> {
    let args = &doc.procs[doc.procedure_of(procedure)?].args;
    let object = args.first()?.symbol?;
    match doc.symbols[object].decl.as_deref()?.spec.base() {
        Base::Derived(owner) | Base::Class(owner) => Some(owner),
        _ => None,
    }
}
