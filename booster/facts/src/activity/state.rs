//! Procedures that keep state between their calls: variables of their own that outlive an execution
//! (SAVE, initial values, DATA) and that change.
//!
//! A derivative procedure `p_d` declares what `p` declares, so it has variables of its own for that
//! state. If one call of `p` executed the user's procedure and another `p_d`, each would see half of the
//! history, and the values would be wrong. The rule that [`super::marks`] closes over: as soon as there
//! is a copy of a variable that is kept, every call in a derivative procedure that may lead to it
//! executes the derivative procedures, although no activity may pass through it.
//!
//! COMMON and module variables are not concerned: derivative procedures use those of the user.

use std::collections::{BTreeSet, HashMap};

use xaif_schema::model::{EntityRef, ProcId, Role, ScopeId, ScopeKind};

use super::program::{Body, Program};
use crate::access::ActualValue;
use crate::{Accesses, Event, Lifetime, Location, LocationId, Locations};

/// For each location of which a derivative procedure has its own, the procedure that declares it.
pub(super) fn keepers(accesses: &Accesses<'_>) -> HashMap<LocationId, ProcId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let procedures = storage.procedures();
    let keeper = |location: &Location| {
        let shared = |symbol| doc.symbols[symbol].decl.as_ref().is_some_and(|d| d.common.is_some());
        if location.lifetime != Lifetime::Global
            || location.members.iter().any(|member| shared(member.symbol))
        {
            return None;
        }
        location.members.iter().find_map(|member| {
            let variable = matches!(doc.role(member.symbol), Some(Role::Variable));
            let kept = variable && procedures.is_static(member.symbol);
            kept.then(|| procedures.owner(doc.symbols[member.symbol].scope)).flatten()
        })
    };
    let locations = storage.locations().iter();
    locations.filter_map(|(id, location)| Some((id, keeper(location)?))).collect()
}

/// What an event may change.
pub(super) fn changed(accesses: &Accesses<'_>, event: &Event<'_>) -> Locations {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    match event {
        Event::Read(..) | Event::Ask(..) | Event::Reshape(_) => Locations::new(),
        Event::Write(write) => accesses.written(write).0,
        Event::Call(call) => {
            call.actuals.iter().flat_map(|actual| passed(accesses, &actual.value)).collect()
        }
        Event::Allocate(object) | Event::Associate(object) | Event::Release { object, .. } => {
            storage.reach(doc, *object)
        }
        Event::Anything => storage.locations().keys().collect(),
    }
}

/// The variables that a callee can change because they are passed to it.
fn passed(accesses: &Accesses<'_>, value: &ActualValue) -> Locations {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    match value {
        ActualValue::Variable(reference) => storage.reach(doc, *reference),
        ActualValue::Object(reference) => storage.reach_of_object(doc, *reference),
        ActualValue::Target(results, _) => {
            results.iter().flat_map(|&result| storage.locations_of_symbol(result)).collect()
        }
        ActualValue::Value(..) | ActualValue::Procedure(_) => Locations::new(),
    }
}

/// Fills in `Program::keepers`: by the number of a procedure the procedures whose state it, or what it
/// calls, changes.
pub(super) fn find(program: &mut Program<'_>) {
    let procs: Vec<ProcId> = program.doc.procs.keys().collect();
    let mut callers: HashMap<ProcId, Vec<ProcId>> = HashMap::new();
    let mut work: BTreeSet<ProcId> = BTreeSet::new();
    for proc in procs {
        let Some(body) = program.body(proc) else { continue };
        let (callees, keepers) = (body.callees(), body.keepers.clone());
        for callee in callees {
            callers.entry(callee).or_default().push(proc);
        }
        if !keepers.is_empty() {
            program.keepers[proc.index()] = keepers;
            work.insert(proc);
        }
    }
    while let Some(proc) = work.pop_first() {
        let known = program.keepers[proc.index()].clone();
        for &caller in callers.get(&proc).into_iter().flatten() {
            let own = &mut program.keepers[caller.index()];
            let before = own.len();
            own.extend(&known);
            if own.len() > before {
                work.insert(caller);
            }
        }
    }
}

impl Body {
    /// Notes what an event of the body changes of what is kept.
    pub(super) fn keep(&mut self, keepers: &HashMap<LocationId, ProcId>, changed: &Locations) {
        self.keepers.extend(changed.iter().filter_map(|location| keepers.get(location)));
    }
}

/// Whether there is a copy of what `keeper` keeps, where `active` have derivative procedures: it has
/// one itself, or is inside of one that has, or is PRIVATE in a module whose derivative module then
/// may copy it.
pub(super) fn is_copied(program: &Program<'_>, active: &BTreeSet<ProcId>, keeper: ProcId) -> bool {
    let doc = program.doc;
    let procedures = program.storage.procedures();
    let (mut proc, mut fuel) = (keeper, doc.procs.len());
    loop {
        if active.contains(&proc) {
            return true;
        }
        let Some(parent) = doc.scopes[doc.procs[proc].scope].parent else { return false };
        match procedures.owner(parent) {
            Some(host) if fuel > 0 => (proc, fuel) = (host, fuel - 1),
            Some(_) => return false,
            None => {
                let module = matches!(doc.scopes[parent].kind, ScopeKind::Module(_));
                return module
                    && doc.is_private(doc.procs[proc].symbol)
                    && active.iter().any(|&other| is_within(program, other, parent));
            }
        }
    }
}

/// Whether a procedure belongs to a module.
fn is_within(program: &Program<'_>, proc: ProcId, module: ScopeId) -> bool {
    let doc = program.doc;
    let scopes = std::iter::successors(Some(doc.procs[proc].scope), |&s| doc.scopes[s].parent);
    scopes.take(doc.scopes.len()).any(|scope| scope == module)
}
