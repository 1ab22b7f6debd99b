//! Joins of sets of numbered things, as the domains of analyses need them.

use fixedbitset::FixedBitSet;

/// Adds `other`; tells whether that changed `state`.
pub fn union(state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
    if other.is_subset(state) {
        return false;
    }
    state.union_with(other);
    true
}

/// Keeps only members of `other`; tells whether that changed `state`.
pub fn intersection(state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
    if state.is_subset(other) {
        return false;
    }
    state.intersect_with(other);
    true
}
