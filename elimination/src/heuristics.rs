//! The heuristics: filters on the set of elimination targets, applied one after the other.
//!
//! A filter keeps the targets that are best by one measure; a chain (`hs,lm,reverse`) applies its
//! filters in the order given until one target is left (paper 2, section 3.2). The last filter must
//! break every tie, so `forward` is put behind a chain that ends otherwise. What there is, is
//! a table ([`HEURISTICS`]); docs/elimination.md is made from it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::state::Measure;

/// How a filter chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Those with the smallest measure.
    Smallest(Measure),
    /// Those with the largest measure.
    Largest(Measure),
    /// Those with the highest sibling degree to the target eliminated last,
    /// |S ∩ S'| · |P ∩ P'|; all, if that is 0 for all.
    Siblings,
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// As a chain says it.
    pub name: &'static str,
    /// The same at length, which a chain may say, too.
    pub long: &'static str,
    /// What it does.
    pub kind: Kind,
    /// What it keeps and why, as the page says it.
    pub text: &'static str,
}

const fn row(name: &'static str, long: &'static str, kind: Kind, text: &'static str) -> Heuristic {
    Heuristic { name, long, kind, text }
}

/// Every heuristic.
#[rustfmt::skip]
pub const HEURISTICS: &[Heuristic] = &[
    row("forward", "forward", Kind::Smallest(Measure::Position),
        "the first in the topological order; of edges by their sources, then targets, at the front before the back. Breaks every tie"),
    row("reverse", "reverse", Kind::Largest(Measure::Position),
        "the last in that order. Breaks every tie"),
    row("lm", "lowest-markowitz", Kind::Smallest(Measure::Markowitz),
        "the lowest Markowitz degree |P|·|S|: the fewest products (of an edge |S| at its front, |P| at its back). Of faces: the fewest faces at the middle vertex"),
    row("lrm", "lowest-relative-markowitz", Kind::Smallest(Measure::RelativeMarkowitz),
        "the lowest Markowitz degree less the number of inputs that lead to the middle vertex times the number of outputs that it leads to (of an edge: outputs at its front, inputs at its back)"),
    row("fm", "fewest-multiplications", Kind::Smallest(Measure::Multiplications),
        "the fewest products that are not free, that is neither by 1 or -1 nor of two constants"),
    row("lf", "lowest-fill-in", Kind::Smallest(Measure::FillIn),
        "the fewest new edges"),
    row("ls", "lowest-scarcity-loss", Kind::Smallest(Measure::Growth),
        "what leaves the fewest edges that carry a variable (of faces: those that are absorbed)"),
    row("absorb", "absorb", Kind::Largest(Measure::Absorption),
        "the most products that are added to an edge that exists"),
    row("hs", "highest-sibling-degree", Kind::Siblings,
        "the highest sibling degree |S ∩ S'|·|P ∩ P'| to the target eliminated last, for locality of data; all, where it is 0 for all"),
    row("md", "minimal-distance", Kind::Smallest(Measure::Distance),
        "the shortest distance in the topological order between the ends of a product, of its longest one"),
    row("mmr", "maximal-markowitz-reduction", Kind::Largest(Measure::MarkowitzReduction),
        "what makes the sum of all Markowitz degrees smallest (of faces: leaves the fewest)"),
    row("mpr", "maximal-path-reduction", Kind::Largest(Measure::PathReduction),
        "what shortens the paths from inputs to outputs most, all their lengths added up. Paths are those of the graph at the beginning, so this is the number of paths through the target"),
];

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Filters in the order in which they are applied; the last one leaves a single target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(Vec<&'static Heuristic>);

/// Why a text is no chain.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ChainError {
    /// There is no such heuristic.
    #[error("there is no heuristic `{0}`; there are {names}", names = names())]
    Unknown(String),
    /// Said twice, which does nothing.
    #[error("`{0}` stands twice in a chain of heuristics")]
    Twice(&'static str),
}

fn names() -> String {
    HEURISTICS.iter().map(|heuristic| heuristic.name).collect::<Vec<_>>().join(", ")
}

impl Chain {
    /// The filters.
    pub fn filters(&self) -> &[&'static Heuristic] {
        &self.0
    }

    /// Every heuristic by itself, with `forward` and with `reverse` to break ties, and chains that
    /// are known to be good: the portfolio of a report.
    pub fn portfolio() -> Vec<Chain> {
        let mut texts: Vec<String> = vec!["forward".into(), "reverse".into()];
        for heuristic in HEURISTICS.iter().filter(|h| !h.breaks_ties()) {
            for last in ["forward", "reverse"] {
                texts.push(format!("{heuristic},{last}"));
            }
        }
        for first in ["hs,lm", "lm,hs", "lm,lf", "lm,absorb", "lm,mmr", "lm,md", "fm,lm", "mmr,lm"]
        {
            for last in ["forward", "reverse"] {
                texts.push(format!("{first},{last}"));
            }
        }
        texts.iter().filter_map(|text| text.parse().ok()).collect()
    }
}

impl Heuristic {
    fn breaks_ties(&self) -> bool {
        matches!(self.kind, Kind::Smallest(Measure::Position) | Kind::Largest(Measure::Position))
    }
}

impl FromStr for Chain {
    type Err = ChainError;

    fn from_str(text: &str) -> Result<Chain, ChainError> {
        let mut filters: Vec<&'static Heuristic> = Vec::new();
        for name in text.split(',').map(str::trim) {
            let lower = name.to_ascii_lowercase();
            let known = HEURISTICS.iter().find(|h| h.name == lower || h.long == lower);
            let filter = known.ok_or_else(|| ChainError::Unknown(name.to_owned()))?;
            if filters.contains(&filter) {
                return Err(ChainError::Twice(filter.name));
            }
            filters.push(filter);
        }
        if !filters.last().is_some_and(|last| last.breaks_ties()) {
            match HEURISTICS.first() {
                Some(forward) if !filters.contains(&forward) => filters.push(forward),
                // It stands further to the front, where it leaves nothing to do.
                Some(_) | None => {}
            }
        }
        Ok(Chain(filters))
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|filter| filter.name).collect();
        f.write_str(&names.join(","))
    }
}
