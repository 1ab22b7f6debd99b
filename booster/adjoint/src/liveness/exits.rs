//! The values that live at the exit of an adjoint procedure.

use std::collections::{BTreeSet, HashMap};

use fixedbitset::FixedBitSet;
use xaif_schema::model::{ProcId, StmtId};

use crate::queries::needs::has_adjoint;
use crate::queries::needs::{gets_a_statement, is_active_call};
use booster_facts::access::ActualValue;
use booster_facts::side_effects::Actions;
use booster_facts::{Accesses, Bodies, BodyEvents, Event, Lifetime, LocationId};
use booster_flow::Step;

/// Who reads values behind the adjoint of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exit {
    /// Nobody: each call of the procedure is joint.
    Joint,
    /// The user, who may call the procedure again: values that are no arguments.
    Head,
    /// Callers that go on from it: a call may be split.
    Any,
}

/// The same of all procedures.
#[derive(Debug)]
pub(super) struct Exits {
    known: HashMap<ProcId, Exit>,
    /// Where a call may execute anything, each procedure may be split.
    least: Exit,
}

impl Exits {
    /// Looks at all calls of procedures with adjoints; those of `joint` are not split.
    pub(super) fn new(
        accesses: &Accesses<'_>,
        bodies: &Bodies<'_>,
        joint: &BTreeSet<StmtId>,
    ) -> Self {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let analysed = doc.procs.values().any(|proc| proc.active.is_some());
        let mut exits = Exits { known: HashMap::new(), least: Exit::Joint };
        let mut called = BTreeSet::new();
        for body in bodies.iter() {
            let adjoint = has_adjoint(doc, body.proc);
            for at in &body.steps {
                let stmt = match at.step {
                    Step::Stmt(stmt) => Some(stmt),
                    Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => None,
                };
                for event in &at.events {
                    if let Event::Anything = event
                        && adjoint
                    {
                        exits.least = Exit::Any;
                    }
                    let Event::Call(call) = event else { continue };
                    for actual in &call.actuals {
                        let ActualValue::Procedure(symbol) = actual.value else { continue };
                        let passed = storage.meaning(doc, symbol).bodies;
                        passed.into_iter().for_each(|entry| exits.raise(entry.proc, Exit::Any));
                    }
                    let active =
                        is_active_call(doc, stmt, call) || gets_a_statement(doc, stmt, call);
                    if !adjoint || !active {
                        continue;
                    }
                    let is_joint = stmt.is_some_and(|stmt| joint.contains(&stmt));
                    if call.targets.unknown && !is_joint {
                        exits.least = Exit::Any;
                    }
                    let exit = if is_joint { Exit::Joint } else { Exit::Any };
                    for entry in &call.targets.bodies {
                        called.insert(entry.proc);
                        exits.raise(entry.proc, exit);
                    }
                }
            }
        }
        for (proc, data) in &doc.procs {
            let is_head = !data.independent.is_empty() || !data.dependent.is_empty();
            if is_head || !analysed || !called.contains(&proc) {
                exits.raise(proc, Exit::Head);
            }
        }
        exits
    }

    fn raise(&mut self, proc: ProcId, exit: Exit) {
        let known = self.known.entry(proc).or_insert(exit);
        *known = exit.max(*known);
    }

    /// Who reads values behind the adjoint of a procedure.
    pub(super) fn of(&self, proc: ProcId) -> Exit {
        self.known.get(&proc).copied().unwrap_or(Exit::Any).max(self.least)
    }

    /// The locations that live at the exit of the adjoint of a body, by their numbers in its actions.
    pub(super) fn live(
        &self,
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        actions: &Actions,
    ) -> FixedBitSet {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let exit = self.of(body.proc);
        let results: BTreeSet<LocationId> = storage
            .procedures()
            .results(doc, body.proc)
            .into_iter()
            .flat_map(|result| storage.locations_of_symbol(result))
            .collect();
        let mut live = FixedBitSet::with_capacity(actions.locations.len());
        for (number, location) in actions.locations.iter().enumerate() {
            let data = &storage.locations()[*location];
            let is_argument = matches!(data.lifetime, Lifetime::Dummy(owner) if owner == body.proc);
            let outlives = actions.outlives(accesses, *location);
            let lives = match exit {
                Exit::Joint => false,
                Exit::Head => outlives && !is_argument,
                Exit::Any => outlives || results.contains(location),
            };
            live.set(number, lives || data.property);
        }
        live
    }
}
