//! The cover of pairs of options.

use std::collections::BTreeSet;

use booster_tests::pairs::{cover, pairs, product};

#[test]
fn every_pair_of_choices_is_in_a_row() {
    for choices in [vec![3, 3, 3, 3], vec![2, 2, 2], vec![2, 3, 4, 2, 3], vec![1, 5], vec![4]] {
        let all: BTreeSet<_> = product(&choices).iter().flat_map(|row| pairs(row)).collect();
        let rows = cover(&choices);
        let covered: BTreeSet<_> = rows.iter().flat_map(|row| pairs(row)).collect();
        assert_eq!(covered, all, "{choices:?}");
    }
}

#[test]
fn the_cover_is_small() {
    assert_eq!(cover(&[3, 3, 3, 3]).len(), 9, "an orthogonal array");
    assert_eq!(cover(&[2, 2, 2]).len(), 4);
    assert_eq!(product(&[3, 3, 3, 3]).len(), 81);
}
