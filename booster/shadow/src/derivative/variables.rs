//! Which variable is the derivative of which, and all derivatives at once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use xaif_schema::model::SymbolId;

/// Variables with their derivatives.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    derivative: HashMap<SymbolId, SymbolId>,
    /// The derivatives. Passes ask for all of them once for each procedure.
    all: Arc<HashSet<SymbolId>>,
}

impl Variables {
    pub(super) fn get(&self, primal: SymbolId) -> Option<SymbolId> {
        self.derivative.get(&primal).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SymbolId, SymbolId)> + '_ {
        self.derivative.iter().map(|(&primal, &derivative)| (primal, derivative))
    }

    /// All derivatives.
    pub(super) fn derivatives(&self) -> Arc<HashSet<SymbolId>> {
        Arc::clone(&self.all)
    }

    pub(super) fn insert(&mut self, primal: SymbolId, derivative: SymbolId) {
        let old = self.derivative.insert(primal, derivative);
        match old {
            // The old one may be the derivative of another variable, too.
            Some(old) if old != derivative => {
                self.all = Arc::new(self.derivative.values().copied().collect());
            }
            Some(_) => {}
            None => {
                Arc::make_mut(&mut self.all).insert(derivative);
            }
        }
    }
}

impl FromIterator<(SymbolId, SymbolId)> for Variables {
    fn from_iter<I: IntoIterator<Item = (SymbolId, SymbolId)>>(pairs: I) -> Self {
        let derivative: HashMap<SymbolId, SymbolId> = pairs.into_iter().collect();
        let all = Arc::new(derivative.values().copied().collect());
        Variables { derivative, all }
    }
}
