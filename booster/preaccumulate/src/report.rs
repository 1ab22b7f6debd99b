//! What local Jacobians cost, run by run and all of them together, and how they come to be: the
//! eliminations and the arithmetic of each run, as paper 2 prints them (section 3.2, equation 5).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use elimination::listing;
use elimination::portfolio::{Missed, Tried, report, summary, with_heuristics};
use elimination::{Choice, Cost, Graph, Partial};

/// What is told of local Jacobians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What every technique and heuristic would cost, in a table.
    pub costs: bool,
    /// The sequence of eliminations and the accumulation expressions.
    pub steps: bool,
}

/// What has been counted.
#[derive(Debug, Default)]
pub(super) struct Report {
    told: Told,
    text: String,
    runs: usize,
    rewritten: usize,
    /// The edges that carry variables, of all runs.
    edges: usize,
    /// By technique and heuristic, in the order of the tables: in how many runs, and what it cost.
    totals: BTreeMap<(usize, String), (usize, Cost)>,
}

impl Report {
    pub(super) fn new(told: Told) -> Report {
        Report { told, ..Report::default() }
    }

    /// Whether anything is told.
    pub(super) fn is_wanted(&self) -> bool {
        self.told.costs || self.told.steps
    }

    /// Counts a run: what stands at `spot`, what the options have chosen, and whether that is done.
    pub(super) fn add(
        &mut self,
        spot: &str,
        graph: &Graph,
        choice: &Choice,
        (chosen, missed): (&Tried, &[Missed]),
        pays: bool,
    ) {
        let own = vec![chosen.clone()];
        let tried = match self.told.costs {
            true => with_heuristics(graph, choice.technique, own),
            false => own,
        };
        let variable = |partial: &Partial| matches!(partial, Partial::Variable(_));
        let edges = graph.edges().filter(|(_, _, partial)| variable(partial)).count();
        self.runs += 1;
        self.rewritten += usize::from(pays);
        self.edges += edges;
        for (number, one) in tried.iter().enumerate() {
            let name = format!("{} | {}", one.technique.name(), one.by);
            let (count, total) = self.totals.entry((number, name)).or_default();
            let cost = one.cost();
            *count += 1;
            total.multiplications += cost.multiplications;
            total.additions += cost.additions;
            total.entries += cost.entries;
        }
        let Cost { multiplications, additions, entries } = chosen.cost();
        let verdict = if pays { "rewritten" } else { "left as it is" };
        // Writing to a string does not fail.
        let _ = writeln!(
            self.text,
            "{spot}: {}, {edges} of them variable; {} elimination by {}: {multiplications} multiplications, {additions} additions, {entries} entries; {verdict}",
            summary(graph),
            chosen.technique.name(),
            chosen.by,
        );
        for missed in missed {
            let _ = writeln!(self.text, "{spot}: {missed}");
        }
        if self.told.steps {
            for step in &chosen.elimination.steps {
                let _ = writeln!(self.text, "eliminate {}", step.show(graph));
            }
            self.text.push_str(&listing::show(&chosen.elimination.accumulation, graph));
        }
        if self.told.costs {
            self.text.push_str(&report(&tried));
        }
    }

    /// The tables of all runs, and the sum of all.
    pub(super) fn text(self) -> String {
        let Report { told, mut text, runs, rewritten, edges, totals } = self;
        if !told.costs {
            return text;
        }
        let _ = writeln!(
            text,
            "all: {runs} runs with {edges} variable edges, {rewritten} of them rewritten\n\
             | technique | by | runs | multiplications | additions | entries |\n\
             |---|---|---:|---:|---:|---:|"
        );
        for ((_, name), (count, Cost { multiplications, additions, entries })) in totals {
            let _ = writeln!(
                text,
                "| {name} | {count} | {multiplications} | {additions} | {entries} |"
            );
        }
        text
    }
}
