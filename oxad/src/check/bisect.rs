//! `oxad check --bisect`: which optimisation makes a derivative wrong?
//!
//! The derivative is checked with no optimisation, then with the first half of those in the list of passes,
//! and so on by bisection. Optimisations that interact count as the later one.

use std::fmt::Write as _;
use std::path::Path;

use xaif_booster::passes::{Need, Row, Selection};
use xaif_schema::diag::Diagnostics;

use super::{Mode, Session};
use crate::check::verdict::judge::Verdict;
use crate::pipeline::{self, ADJOINT, PREPARE, TANGENT};

/// The passes of the derivatives that a mode checks.
pub(super) fn rows(mode: Mode) -> Vec<Row> {
    match mode {
        Mode::Tangent => pipeline::rows(PREPARE.iter().chain(TANGENT)),
        // The tangent is evidence.
        Mode::Adjoint | Mode::Both => pipeline::rows(PREPARE.iter().chain(TANGENT).chain(ADJOINT)),
    }
}

/// The names of the optimisations, in the order of the list.
fn optimisations(mode: Mode) -> Vec<&'static str> {
    let mut names = Vec::new();
    for row in rows(mode) {
        if row.about.need == Need::Optimisation && !names.contains(&row.about.name) {
            names.push(row.about.name);
        }
    }
    names
}

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// The derivative is right with all optimisations.
    Right,
    /// The derivative is wrong without any optimisation.
    Required,
    /// The derivative is right with all optimisations before this one, and wrong with it.
    First(usize),
}

/// Searches for the first of `count` optimisations with which a derivative is wrong. `is_right` checks the
/// derivative with so many optimisations from the beginning of the list.
fn search<E>(count: usize, mut is_right: impl FnMut(usize) -> Result<bool, E>) -> Result<Found, E> {
    if is_right(count)? {
        return Ok(Found::Right);
    }
    if !is_right(0)? {
        return Ok(Found::Required);
    }
    let (mut right, mut wrong) = (0, count);
    while wrong - right > 1 {
        let middle = right + (wrong - right) / 2;
        if is_right(middle)? { right = middle } else { wrong = middle }
    }
    Ok(Found::First(right))
}

/// A line for each check, and the result; whether the derivative is right.
pub(super) fn table(
    session: &mut Session<'_>,
    folder: &Path,
) -> Result<(String, bool), Diagnostics> {
    let names = optimisations(session.args.mode);
    let mut text = format!("{:<16}{:<14}last of them\n", "optimisations", "verdict");
    let found = search(names.len(), |count| {
        session.selection = Selection::without(names[count..].iter().copied());
        let verdict = verdict(session, &folder.join(format!("with-{count}")))?;
        let last = if count == 0 { "" } else { names[count - 1] };
        let line = format!("{count:<16}{:<14}{last}", word(verdict));
        let _ = writeln!(text, "{}", line.trim_end());
        Ok::<bool, Diagnostics>(verdict != Verdict::Wrong)
    })?;
    let _ = match found {
        Found::Right => writeln!(text, "\nthe derivative is not wrong: there is nothing to bisect"),
        Found::Required => writeln!(
            text,
            "\nWRONG without any optimisation: a required pass, or an option such as --externals, is at fault"
        ),
        Found::First(position) => writeln!(
            text,
            "\nWRONG from `{name}` on: --without {name} leaves the optimisation out; please report it",
            name = names[position]
        ),
    };
    Ok((text, found == Found::Right))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Unsure => "cannot tell",
        Verdict::Wrong => "WRONG",
    }
}

/// The worst verdict on all heads.
fn verdict(session: &mut Session<'_>, folder: &Path) -> Result<Verdict, Diagnostics> {
    let mut worst = Verdict::Good;
    for head in session.heads.clone() {
        let inner = session.inner(head, folder);
        for report in session.check(head, &inner)?.unwrap_or_default() {
            match report.verdict() {
                Verdict::Wrong => worst = Verdict::Wrong,
                Verdict::Unsure if worst == Verdict::Good => worst = Verdict::Unsure,
                Verdict::Unsure | Verdict::Good => {}
            }
        }
    }
    Ok(worst)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(count: usize, wrong_from: usize) -> Found {
        let found: Result<Found, ()> = search(count, |with| Ok(with < wrong_from));
        found.expect("no error")
    }

    #[test]
    fn the_first_pass_with_which_the_derivative_is_wrong_is_found() {
        for count in 1..20 {
            for first in 1..=count {
                assert_eq!(searched(count, first), Found::First(first - 1), "{count}, {first}");
            }
        }
    }

    #[test]
    fn a_right_derivative_and_one_that_is_always_wrong_are_told_apart() {
        assert_eq!(searched(8, 9), Found::Right);
        assert_eq!(searched(8, 0), Found::Required);
    }
}
