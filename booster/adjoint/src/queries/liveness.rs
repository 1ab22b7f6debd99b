//! Strong liveness: which variables may be read before they are overwritten, where reads for dead results do
//! not count (Hascoet and Araya-Polo 2006; paper 5, 4.4).

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use xaif_schema::model::StmtId;

use booster_facts::StepKey;
use booster_facts::side_effects::{Action, Actions};
use booster_flow::{Analysis, Direction, Step, union};

/// Which locations may be read before they are overwritten, where what is read for dead results does
/// not count.
pub(crate) struct Strong<'a> {
    pub(crate) actions: &'a Actions,
    pub(crate) removable: &'a HashSet<StmtId>,
    pub(crate) at_exit: FixedBitSet,
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
        FixedBitSet::with_capacity(self.actions.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.at_exit.clone()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        if let Step::Stmt(stmt) = step
            && self.removable.contains(&stmt)
            && self.is_faint(step, state)
        {
            return;
        }
        self.actions.expose(StepKey::of(step), state);
    }
}
