//! The values that the adjoint of each step reads, by the numbers of locations that the actions of the body have.
//!
//! For a call these are the values that the adjoint of the callee reads before it overwrites them.

use std::collections::HashMap;

use xaif_schema::model::{ProcId, StmtId, VertexId};

use crate::queries::liveness::AdjointReads;
use crate::queries::needs::{calls_active_function, gets_a_statement, is_active_call, needs};
use crate::queries::selectors::{read_by_arms, read_by_selectors};
use booster_facts::access::{Event, ReadRole};
use booster_facts::externals::Externals;
use booster_facts::side_effects::{Actions, SideEffects, Summaries, effects_of_call};
use booster_facts::{Accesses, BodyEvents, LocationId, StepKey};
use booster_flow::Step;
use booster_rules::Catalogue;

/// What the reads are found with.
pub(super) struct Reader<'r, 'd> {
    pub(super) accesses: &'r Accesses<'d>,
    pub(super) externals: &'r Externals,
    pub(super) catalogue: &'r Catalogue,
    /// The side effects of the program.
    pub(super) effects: &'r SideEffects,
    /// What the backward sweep executes again before what mirrors a propagator.
    pub(super) again: &'r HashMap<StmtId, Vec<StmtId>>,
}

impl Reader<'_, '_> {
    /// The reads of a body; `adjoint` are the side effects of adjoint procedures.
    pub(super) fn of(
        &self,
        body: &BodyEvents<'_>,
        actions: &Actions,
        adjoint: &dyn Summaries,
    ) -> AdjointReads {
        let mut numbers: HashMap<LocationId, usize> =
            actions.locations.iter().enumerate().map(|(at, &location)| (location, at)).collect();
        let mut reads =
            AdjointReads { locations: actions.locations.clone(), ..AdjointReads::default() };
        for at in &body.steps {
            let locations = self.of_step(body.proc, at.vertex, at.step, &at.events, adjoint);
            let mut own = Vec::new();
            for location in locations {
                let next = reads.locations.len();
                let number = *numbers.entry(location).or_insert(next);
                if number == next {
                    reads.locations.push(location);
                }
                own.push(number);
            }
            if !own.is_empty() {
                reads.of.entry(StepKey::of(at.step)).or_default().extend(own);
            }
            let Step::Stmt(stmt) = at.step else { continue };
            if self.accesses.doc().stmts[stmt].recompute {
                reads.recomputations.insert(stmt);
            } else if self.reads_result(stmt, &at.events) {
                reads.of_results.insert(stmt);
            }
        }
        reads
    }

    fn reads_result(&self, stmt: StmtId, events: &[Event<'_>]) -> bool {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let again = self.again.get(&stmt).map_or(&[][..], Vec::as_slice);
        needs((doc, storage), self.catalogue, stmt, events, again).result.is_some()
    }

    fn of_step(
        &self,
        proc: ProcId,
        vertex: VertexId,
        step: Step<'_>,
        events: &[Event<'_>],
        adjoint: &dyn Summaries,
    ) -> Vec<LocationId> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let mut references = Vec::new();
        let (mut own, mut live) = (None, false);
        match step {
            // The program executes these steps in any case, so their reads are among its own.
            Step::Enter(_) | Step::Concurrent(_) | Step::Leave => return Vec::new(),
            Step::Evaluate(_) if !calls_active_function(doc, events) => return Vec::new(),
            Step::Evaluate(_) => {}
            Step::Stmt(stmt) if doc.stmts[stmt].recompute => {
                references.extend(all_reads(events));
            }
            Step::Stmt(stmt) => {
                own = Some(stmt);
                let again = self.again.get(&stmt).map_or(&[][..], Vec::as_slice);
                let needs = needs((doc, storage), self.catalogue, stmt, events, again);
                references.extend(needs.references);
                live = needs.live;
                if live {
                    references.extend(read_by_selectors(doc, events));
                    references.extend(read_by_arms(doc, proc, vertex));
                }
            }
        }
        let mut found: Vec<LocationId> = references
            .into_iter()
            .flat_map(|reference| storage.locations_of(doc, reference))
            .collect();
        for event in events {
            let Event::Call(call) = event else { continue };
            let is_own = is_active_call(doc, own, call);
            if is_own || gets_a_statement(doc, own, call) {
                let effects = effects_of_call(self.accesses, call, self.externals, adjoint);
                found.extend(effects.input);
            }
            if !is_own && live {
                // A function that is evaluated again for a partial derivative or a subscript.
                let effects = effects_of_call(self.accesses, call, self.externals, self.effects);
                found.extend(effects.input);
            }
        }
        found
    }
}

fn all_reads<'e>(
    events: &'e [Event<'_>],
) -> impl Iterator<Item = xaif_schema::model::RefId> + use<'e> {
    events.iter().filter_map(|event| match event {
        Event::Read(reference, role) => (*role != ReadRole::Inquiry).then_some(*reference),
        Event::Write(_)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => None,
    })
}
