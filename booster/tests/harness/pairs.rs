//! Combinations of options for a test: a pairwise cover, or the full product.
//!
//! A pair of options shows nearly every fault of a combination (Kuhn, Wallace and Gallo, "Software fault
//! interactions and implications for software testing", 2004), and the pairwise cover of four options
//! with three choices each has 9 rows instead of 81. `OXAD_FULL=1` selects the full product.

use std::collections::BTreeSet;

/// For options with so many choices each, the rows that are tried: each has the index of a choice for each
/// option. For any two options every pair of choices is in a row.
pub fn rows(choices: &[usize]) -> Vec<Vec<usize>> {
    if is_full() { product(choices) } else { cover(choices) }
}

/// Whether all combinations are asked for.
pub fn is_full() -> bool {
    std::env::var_os("OXAD_FULL").is_some()
}

/// All combinations.
pub fn product(choices: &[usize]) -> Vec<Vec<usize>> {
    choices.iter().fold(vec![Vec::new()], |rows, &count| {
        let longer = |row: Vec<usize>| (0..count).map(move |choice| [&row[..], &[choice]].concat());
        rows.into_iter().flat_map(longer).collect()
    })
}

/// A cover of all pairs: of the rows of an orthogonal array always the one with most pairs that no row has yet.
pub fn cover(choices: &[usize]) -> Vec<Vec<usize>> {
    let array = orthogonal(choices);
    let mut open: BTreeSet<_> = array.iter().flat_map(|row| pairs(row)).collect();
    let mut rows = Vec::new();
    while !open.is_empty() {
        let new = |row: &&Vec<usize>| pairs(row).iter().filter(|pair| open.contains(*pair)).count();
        let Some(row) = array.iter().rev().max_by_key(new) else { break };
        pairs(row).iter().for_each(|pair| {
            open.remove(pair);
        });
        rows.push(row.clone());
    }
    rows
}

/// The orthogonal array of q*q rows for at most q + 1 options with q choices each, q a prime (Bush, "Orthogonal
/// arrays of index unity", 1952): row (i, j) has i and the sums j + c*i modulo q. Choices beyond those that an option
/// has mean others of it.
fn orthogonal(choices: &[usize]) -> Vec<Vec<usize>> {
    let most = choices.iter().copied().max().unwrap_or(1);
    let is_prime = |q: &usize| (2..*q).all(|divisor| !q.is_multiple_of(divisor));
    let least = most.max(choices.len().saturating_sub(1)).max(2);
    let q = (least..).find(is_prime).unwrap_or(least);
    let row = |i: usize, j: usize| -> Vec<usize> {
        let value = |option: usize| if option == 0 { i } else { (j + (option - 1) * i) % q };
        choices.iter().enumerate().map(|(option, &count)| value(option) % count).collect()
    };
    (0..q).flat_map(|i| (0..q).map(move |j| (i, j))).map(|(i, j)| row(i, j)).collect()
}

/// The pairs of a row: two options, with the choice of each. One option alone is a pair with itself.
pub fn pairs(row: &[usize]) -> Vec<[(usize, usize); 2]> {
    let choices: Vec<(usize, usize)> = row.iter().copied().enumerate().collect();
    let with = |&one: &(usize, usize)| {
        let others = choices.iter().filter(move |other| other.0 >= one.0);
        others.map(move |&other| [one, other])
    };
    choices.iter().flat_map(with).collect()
}
