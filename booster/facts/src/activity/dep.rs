//! `Dep`: which variables after a piece of program depend differentiably on which before it.
//!
//! Paper 1 (Hascoët, Naumann, Pascual, "To Be Recorded" analysis), section 4.1. The relation is kept by
//! rows: for a variable after the piece, the set of variables before it. Most pieces overwrite few
//! variables, so a row that is absent is the identity, and rows that are not changed are shared.
//!
//! This file knows numbers only: a variable is its number in the frame of a procedure.

use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::rows::Rows;

/// A variable: its number in the frame of the procedure that is looked at.
pub type Var = u32;

/// A set of variables of a frame.
pub type VarSet = FixedBitSet;

/// What one elementary piece of program does to one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The variable that is overwritten, perhaps only in part.
    pub target: Var,
    /// The variables on which its new value depends differentiably (DP of paper 1), as they were
    /// before. Does not say whether the old value may survive: see `kills`.
    pub sources: Arc<[Var]>,
    /// Whether nothing of the old value survives. Otherwise the target depends on itself, too.
    pub kills: bool,
}

/// An elementary piece of program: its updates happen together, none sees the others.
/// There is at most one for each target.
pub type Effect = Vec<Update>;

/// A relation between the variables before a piece of program and those after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dep {
    /// How many variables the frame has.
    size: usize,
    /// Variable after ↦ variables before. A row that is absent is the variable itself.
    rows: Rows,
}

impl Dep {
    /// `Id`: each of `size` variables depends on itself only.
    pub fn identity(size: usize) -> Self {
        Dep { size, rows: Rows::new(size) }
    }

    /// The relation of one elementary piece.
    pub fn of(size: usize, effect: &Effect) -> Self {
        let mut dep = Self::identity(size);
        dep.then_effect(effect);
        dep
    }

    /// The rows that are not the identity by construction: variables that may be overwritten.
    pub fn rows(&self) -> impl Iterator<Item = (Var, &VarSet)> {
        self.rows.iter().map(|(after, before)| (after, before.as_ref()))
    }

    /// Whether (`before` . `after`) is in the relation.
    pub fn holds(&self, before: Var, after: Var) -> bool {
        match self.rows.get(after) {
            Some(row) => row.contains(before as usize),
            None => before == after,
        }
    }

    /// Adds the row of `after` to `set`.
    fn add_row(&self, after: Var, set: &mut VarSet) {
        match self.rows.get(after) {
            Some(row) => set.union_with(row),
            None => set.insert(after as usize),
        }
    }

    /// `Dep(self; effect)`: an elementary piece follows.
    pub fn then_effect(&mut self, effect: &Effect) {
        // Calls write many variables from the same sources: their union is made once.
        let mut last: Option<(&Arc<[Var]>, VarSet)> = None;
        let mut fresh = Vec::with_capacity(effect.len());
        for update in effect {
            let shared =
                last.as_ref().is_some_and(|(sources, _)| Arc::ptr_eq(sources, &update.sources));
            if !shared {
                let mut union = VarSet::with_capacity(self.size);
                for &source in update.sources.iter() {
                    self.add_row(source, &mut union);
                }
                last = Some((&update.sources, union));
            }
            let mut row = last.as_ref().map_or_else(VarSet::new, |(_, union)| union.clone());
            if !update.kills {
                self.add_row(update.target, &mut row);
            }
            fresh.push((update.target, Arc::new(row)));
        }
        self.rows.extend(fresh);
    }

    /// `Dep(self) ⊗ Dep(next)` of paper 1: `next` follows.
    pub fn then(&mut self, next: &Dep) {
        let mut known: BTreeMap<*const VarSet, Arc<VarSet>> = BTreeMap::new();
        let mut fresh = Vec::new();
        for (after, between) in next.rows.iter() {
            let row = known.entry(Arc::as_ptr(between)).or_insert_with(|| {
                let mut row = VarSet::with_capacity(self.size);
                for var in between.ones() {
                    self.add_row(var as Var, &mut row);
                }
                Arc::new(row)
            });
            fresh.push((after, Arc::clone(row)));
        }
        self.rows.extend(fresh);
    }

    /// The union with `other`: one of two ways is taken. Tells whether that added anything: a pair,
    /// or a variable that may be overwritten.
    pub fn join(&mut self, other: &Dep) -> bool {
        self.rows.join(&other.rows, |after, mine, theirs| match (mine, theirs) {
            (None, None) => None,
            // A row that is the identity adds no pair, but says that the variable may be overwritten.
            (None, Some(row)) | (Some(row), None) => {
                let has_itself = row.contains(after as usize);
                if has_itself && mine.is_some() {
                    return None;
                }
                let mut row = Arc::clone(row);
                if !has_itself {
                    Arc::make_mut(&mut row).insert(after as usize);
                }
                Some(row)
            }
            (Some(mine), Some(theirs)) => {
                if Arc::ptr_eq(mine, theirs) || theirs.is_subset(mine) {
                    return None;
                }
                // What two ways have in common is shared, so that it is seen at once the next time.
                if mine.is_subset(theirs) {
                    return Some(Arc::clone(theirs));
                }
                let mut union = Arc::clone(mine);
                Arc::make_mut(&mut union).union_with(theirs);
                Some(union)
            }
        })
    }

    /// The reflexive transitive closure: the piece is executed any number of times, perhaps never.
    pub fn close(&mut self) {
        let through: Vec<Var> = self.rows.iter().map(|(after, _)| after).collect();
        for &after in &through {
            self.rows.change(after, |row| {
                (!row.contains(after as usize)).then(|| with(row, |row| row.insert(after as usize)))
            });
        }
        // Warshall; a variable without a row leads nowhere else.
        for &between in &through {
            let Some(reached) = self.rows.get(between).map(Arc::clone) else { continue };
            for &after in &through {
                self.rows.change(after, |row| {
                    (row.contains(between as usize) && !reached.is_subset(row))
                        .then(|| with(row, |row| row.union_with(&reached)))
                });
            }
        }
    }

    /// `varied ⊗ Dep`: what is varied after the piece.
    pub fn varied_after(&self, varied: &VarSet) -> VarSet {
        let mut after = varied.clone();
        for (var, row) in self.rows.iter() {
            after.set(var as usize, !row.is_disjoint(varied));
        }
        after
    }

    /// `Dep ⊗ useful`: what is useful before the piece.
    pub fn useful_before(&self, useful: &VarSet) -> VarSet {
        let mut before = useful.clone();
        for (var, _) in self.rows.iter() {
            before.set(var as usize, false);
        }
        for (var, row) in self.rows.iter() {
            if useful.contains(var as usize) {
                before.union_with(row);
            }
        }
        before
    }
}

/// A copy of `row` that `change` has changed.
fn with(row: &VarSet, change: impl FnOnce(&mut VarSet)) -> Arc<VarSet> {
    let mut row = row.clone();
    change(&mut row);
    Arc::new(row)
}

/// `varied ⊗ Dep(effect)`, in place.
pub fn varied_through(effect: &Effect, varied: &mut VarSet) {
    let depends = |update: &Update| {
        (!update.kills && varied.contains(update.target as usize))
            || update.sources.iter().any(|&source| varied.contains(source as usize))
    };
    let after: Vec<bool> = effect.iter().map(depends).collect();
    for (update, depends) in effect.iter().zip(after) {
        varied.set(update.target as usize, depends);
    }
}

/// `Dep(effect) ⊗ useful`, in place.
pub fn useful_through(effect: &Effect, useful: &mut VarSet) {
    let wanted: Vec<bool> =
        effect.iter().map(|update| useful.contains(update.target as usize)).collect();
    for update in effect {
        if update.kills {
            useful.set(update.target as usize, false);
        }
    }
    for (update, wanted) in effect.iter().zip(wanted) {
        if wanted {
            useful.extend(update.sources.iter().map(|&source| source as usize));
        }
    }
}
