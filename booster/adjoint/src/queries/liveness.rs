//! Strong liveness: which variables may be read before they are overwritten, where reads for dead results do
//! not count (Hascoet and Araya-Polo 2006; paper 5, 4.4).

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use xaif_schema::model::StmtId;

use booster_facts::side_effects::{Action, Actions};
use booster_facts::{LocationId, StepKey, StepMap};
use booster_flow::{Analysis, Direction, Step, union};

/// Which locations may be read before they are overwritten, where what is read for dead results does
/// not count.
pub(crate) struct Strong<'a> {
    pub(crate) actions: &'a Actions,
    pub(crate) removable: &'a HashSet<StmtId>,
    /// What the adjoints of steps read, whether the steps are executed or not; nothing in a finished sweep.
    pub(crate) adjoints: Option<&'a AdjointReads>,
    pub(crate) at_exit: FixedBitSet,
}

/// The reads of the adjoints of steps, by the numbers of locations in the actions of the body.
#[derive(Debug, Default)]
pub(crate) struct AdjointReads {
    /// The reads, with the values before the step.
    pub(crate) of: StepMap<Vec<usize>>,
    /// The statements whose adjoints read the values that the statements leave.
    pub(crate) of_results: HashSet<StmtId>,
    /// Statements that the backward sweep alone executes.
    pub(crate) recomputations: HashSet<StmtId>,
    /// The locations by their numbers, those that only adjoints name included.
    pub(crate) locations: Vec<LocationId>,
}

impl AdjointReads {
    fn is_recomputation(&self, step: Step<'_>) -> bool {
        matches!(step, Step::Stmt(stmt) if self.recomputations.contains(&stmt))
    }
}

impl Strong<'_> {
    /// Whether a step defines something, and nothing of that lives.
    pub(crate) fn is_faint(&self, step: Step<'_>, state: &FixedBitSet) -> bool {
        let mut defines = false;
        let dead = self.actions.of(StepKey::of(step)).iter().all(|action| match action {
            Action::Define { locations, .. } => {
                defines |= !locations.is_empty();
                locations.iter().all(|&location| !state.contains(location as usize))
            }
            Action::Use { .. } => true,
        });
        dead && defines
    }
}

impl Analysis for Strong<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        let size = self.adjoints.map_or(0, |adjoints| adjoints.locations.len());
        FixedBitSet::with_capacity(size.max(self.actions.locations.len()))
    }

    fn boundary(&self) -> FixedBitSet {
        let mut state = self.bottom();
        state.union_with(&self.at_exit);
        state
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        let key = StepKey::of(step);
        let is_left_out = matches!(step, Step::Stmt(stmt) if self.removable.contains(&stmt))
            && self.is_faint(step, state)
            || self.adjoints.is_some_and(|adjoints| adjoints.is_recomputation(step));
        if !is_left_out {
            self.actions.expose(key, state);
        }
        let read = self.adjoints.and_then(|adjoints| adjoints.of.get(&key));
        state.extend(read.into_iter().flatten().copied());
    }
}

/// Which locations an adjoint may read before it overwrites them, where `dead` statements are not executed.
pub(crate) struct Exposed<'a> {
    pub(crate) actions: &'a Actions,
    pub(crate) adjoints: &'a AdjointReads,
    pub(crate) dead: &'a HashSet<StmtId>,
}

impl Analysis for Exposed<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.adjoints.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.bottom()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        let key = StepKey::of(step);
        let is_left_out = matches!(step, Step::Stmt(stmt) if self.dead.contains(&stmt))
            || self.adjoints.is_recomputation(step);
        if !is_left_out {
            self.actions.expose(key, state);
        }
        let read = self.adjoints.of.get(&key);
        state.extend(read.into_iter().flatten().copied());
    }
}
