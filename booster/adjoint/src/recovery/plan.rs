//! Plans recomputation: which values the backward sweep computes again instead of taking them from the tape.
//!
//! After `x = e` the equation `x == e` holds until `x` or an operand of `e` is overwritten. Where the equation ends, the
//! statement `x = e` may stand once more: it changes nothing where the program executes it, and the backward sweep, which
//! executes it there first, gets `x` from the operands. TBR analysis then requires the operands in the place of `x`.
//! So the plan is a set of statements, marked [`Stmt::recompute`](xaif_schema::model::Stmt), each right by itself.
//!
//! The plan is made in three steps: TBR analysis without recomputations says what would be recorded; all equations of
//! recorded values are written where they end (`equations`, `write`); TBR analysis with them says which are needed, and
//! those that cost more than they save are removed (`cost`).
//!
//! Sources: Hascoet and Pascual 2013, 4.5; paper 4, 3 (recomputation in the token game); available expressions after
//! Aho, Lam, Sethi and Ullman, "Compilers", 9.2.6.
//!
//! An array that loops compute has an equation of several assignments (`stages`).
//!
//! Not done: values of branches, calls, values with structures or pointers.

mod cost;
mod equations;
mod stages;
mod write;

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Document, ProcId, SymbolId};

use crate::Modes;
use crate::tbr::Tbr;
use booster_facts::externals::Externals;
use booster_facts::overwrites::Overwrites;
use booster_facts::{Accesses, Storage, no_return};
use booster_rules::Catalogue;
use booster_shadow::jacobian::remove_recomputations;
use cost::{Costs, Records, frequencies};
use equations::Equations;
use write::{Insertion, write};

/// Writes the recomputations of all procedures into `doc`, in place of older ones. `modes` are those of TBR analysis.
/// Returns their number.
///
/// Facts of activity are used where there are any. The document is in the canonical form of adjoints
/// ([`prepare`](crate::prepare)); else there are fewer recomputations.
pub fn plan(
    doc: &mut Document,
    externals: &Externals,
    catalogue: &Catalogue,
    modes: &Modes,
) -> usize {
    no_return::mark(doc, externals);
    remove_recomputations(doc, |_| true);
    let (baseline, insertions) = {
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let tbr = Tbr::new(&accesses, externals, catalogue, modes);
        let baseline = Records::new(doc, &tbr.facts(), &frequencies(doc, tbr.bodies()));
        let insertions = insertions(&accesses, &tbr, (externals, &baseline));
        (baseline, insertions)
    };
    if insertions.is_empty() {
        return 0;
    }
    let made = write(doc, insertions);
    let removed = {
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let tbr = Tbr::new(&accesses, externals, catalogue, modes);
        let costs = Costs::new(doc, &tbr, &made, baseline);
        costs.not_worth_it()
    };
    remove_recomputations(doc, |stmt| removed.contains(&stmt));
    made.keys().filter(|stmt| !removed.contains(stmt)).count()
}

/// A recomputation that was written.
pub(super) struct Made {
    pub(super) proc: ProcId,
    /// The variable that is recomputed.
    pub(super) value: SymbolId,
    /// The variables that are read.
    pub(super) operands: HashSet<SymbolId>,
    /// The cost of one execution.
    pub(super) work: f64,
}

/// The recomputations of all procedures, and where they stand.
fn insertions(
    accesses: &Accesses<'_>,
    tbr: &Tbr<'_, '_>,
    (externals, baseline): (&Externals, &Records),
) -> HashMap<ProcId, Vec<Insertion>> {
    let mut all = HashMap::new();
    for (proc, recorded) in baseline.by_procedure() {
        let Some(body) = tbr.bodies().get(proc) else { continue };
        let overwrites = Overwrites::new(accesses, body, externals, tbr.effects());
        let found = Equations::new(accesses, body, &recorded, &overwrites);
        if found.is_empty() {
            continue;
        }
        let placed = found.ends(body, &overwrites);
        if !placed.is_empty() {
            all.insert(proc, placed);
        }
    }
    all
}
