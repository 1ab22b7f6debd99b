//! Which allocatable components a procedure may allocate, release or give other bounds, itself or in what it calls.
//!
//! Objects are not told apart: a component counts as changed if that of any object of the type may be.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::model::{ProcId, Role, SymbolId};

use crate::{Accesses, Bodies, BodyEvents, CallSite, Event};

/// The components that procedures change.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// `None` for a procedure that may change all.
    of: HashMap<ProcId, Option<BTreeSet<SymbolId>>>,
    /// The variables in selectors of ASSOCIATE and SELECT TYPE.
    selected: HashSet<SymbolId>,
}

impl Changes {
    /// Looks at all bodies, callees first.
    pub fn new(accesses: &Accesses<'_>, bodies: &Bodies<'_>) -> Self {
        let doc = accesses.doc();
        let selectors =
            doc.symbols.values().filter_map(|symbol| match symbol.decl.as_deref()?.role {
                Role::Associate { selector } => doc.exprs[selector?].reference(),
                _ => None,
            });
        let selected = selectors.map(|selector| doc.refs[selector].base).collect();
        let mut changes = Changes { selected, ..Changes::default() };
        let graph = bodies.call_graph(accesses);
        for component in graph.bottom_up().flatten() {
            let mut all = Some(BTreeSet::new());
            for body in component.iter().filter_map(|&proc| bodies.get(proc)) {
                let own = changes.of_body(accesses, body, component);
                all = all.zip(own).map(|(mut all, own)| {
                    all.extend(own);
                    all
                });
            }
            changes.of.extend(component.iter().map(|&proc| (proc, all.clone())));
        }
        changes
    }

    /// The components that a body changes; calls within the `component` of the call graph add nothing.
    fn of_body(
        &self,
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        component: &[ProcId],
    ) -> Option<BTreeSet<SymbolId>> {
        let storage = accesses.storage();
        let mut found = BTreeSet::new();
        for event in body.steps.iter().flat_map(|step| &step.events) {
            match event {
                Event::Reshape(reshape) => {
                    let locations =
                        reshape.locations.iter().map(|&location| &storage.locations()[location]);
                    // Storage that was given up as one location does not tell its components.
                    if locations.clone().any(|location| !location.property) {
                        return None;
                    }
                    let members = locations.flat_map(|location| &location.members);
                    found.extend(members.filter_map(|member| member.path.last().copied()));
                }
                Event::Call(call) => {
                    let mut callees = call.targets.bodies.iter().map(|entry| entry.proc);
                    if callees.any(|callee| !component.contains(&callee)) || is_open(accesses, call)
                    {
                        found.extend(self.of_call(accesses, call, component)?);
                    }
                }
                Event::Anything => return None,
                Event::Read(..)
                | Event::Write(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Ask(..) => {}
            }
        }
        Some(found)
    }

    fn of_call(
        &self,
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        component: &[ProcId],
    ) -> Option<BTreeSet<SymbolId>> {
        if is_open(accesses, call) {
            return None;
        }
        let mut found = BTreeSet::new();
        for entry in call.targets.bodies.iter().filter(|entry| !component.contains(&entry.proc)) {
            found.extend(self.of.get(&entry.proc)?.as_ref()?);
        }
        Some(found)
    }

    /// Whether a call may change the allocation of a component.
    pub fn changes(
        &self,
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        component: SymbolId,
    ) -> bool {
        let of = |proc: ProcId| match self.of.get(&proc) {
            Some(Some(found)) => found.contains(&component),
            Some(None) | None => true,
        };
        is_open(accesses, call) || call.targets.bodies.iter().any(|entry| of(entry.proc))
    }

    /// Whether a name of ASSOCIATE or SELECT TYPE stands for a variable or a part of it.
    pub fn has_another_name(&self, symbol: SymbolId) -> bool {
        self.selected.contains(&symbol)
    }
}

/// Whether a call may execute code that is not given. An intrinsic subroutine has events of its own.
fn is_open(accesses: &Accesses<'_>, call: &CallSite<'_>) -> bool {
    let known = !call.targets.bodies.is_empty();
    let intrinsic = accesses.doc().is_intrinsic(call.callee.symbol);
    call.targets.unknown || !call.targets.outside.is_empty() || !known && !intrinsic
}
