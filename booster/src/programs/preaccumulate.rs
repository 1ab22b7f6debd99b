//! `xaif-preaccumulate`: local Jacobians by elimination, in a document or of a graph.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use crate::passes::{PassArgs, Verifier};
use crate::stages::{
    CatalogueArgs, EliminationArgs, ExternalsArgs, Known, PreaccumulateArgs, read_graph, read_rules,
};
use crate::transform::preaccumulate;
use clap::Parser;
use elimination::portfolio::{Tried, cheapest, report, summary, with_heuristics};
use elimination::{Begun, Cost, Eliminations, Graph, Scale, Technique, listing, scarcity};
use xaif_cli::CommonArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::Diagnostics;

/// Accumulate local Jacobians: of runs of assignments in a document, or of a graph.
///
/// In a document, consecutive assignments get one derivative propagator, whose coefficients are
/// accumulated by elimination on their linearised computational graph, where that pays. With --graph, a
/// graph is read as JSON (docs/elimination.md); what is written are the eliminations, the arithmetic that
/// they ask for, the entries of the Jacobian, and what it costs. The same for the same options,
/// whatever the number of threads.
#[derive(Parser)]
#[command(
    name = "xaif-preaccumulate",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-canonicalize a.xaif | xaif-preaccumulate -o local.xaif",
        "xaif-preaccumulate --graph graph.json --best --report",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-", conflicts_with = "graph")]
    input: String,
    /// A graph instead of a document; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["per_statement", "always", "name_partials", "directions", "store", "sequence", "intrinsics", "externals"])]
    graph: Option<String>,
    /// Write only what the graph (of a document: each of its runs) is and what it costs, no
    /// eliminations and no arithmetic
    #[arg(long, conflicts_with_all = ["always", "directions", "store", "sequence"])]
    count: bool,
    /// Write the graphs of the document instead of the document: JSON, a line for each run
    #[arg(long, conflicts_with_all = ["graph", "always", "count", "directions", "store", "sequence", "technique", "heuristic", "anneal", "exact", "best", "scarce", "report"])]
    graphs: bool,
    #[command(flatten)]
    elimination: EliminationArgs,
    #[command(flatten)]
    stage: PreaccumulateArgs,
    #[command(flatten)]
    catalogue: CatalogueArgs,
    #[command(flatten)]
    externals: ExternalsArgs,
    #[command(flatten)]
    passes: PassArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    xaif_cli::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    xaif_cli::run(
        |args: &Args| &args.common,
        |args, console| match &args.graph {
            Some(file) => graph(args, file, console),
            None => document(args, console),
        },
    )
}

fn document(args: &Args, console: &mut Console) -> Result<cli::Output, Diagnostics> {
    let rows = preaccumulate::list();
    if let Some(table) = args.passes.listed(&rows) {
        return Ok(Some(table.into()));
    }
    let selection = args.passes.selection(&rows)?;
    let (externals, rules) = read_rules(&args.externals, &args.catalogue, console)?;
    let mut doc = console.read_document(&args.input)?;
    if args.graphs || args.count {
        let options = args.stage.options(&args.elimination, &externals, rules.catalogue);
        let (graphs, warnings) = preaccumulate::graphs(&mut doc, &options)?;
        console.report(&warnings);
        if !args.graphs {
            return Ok(Some(shown(args, &graphs, Scale::MANY).into()));
        }
        let lines = graphs.iter().map(|(name, graph)| graph.to_json(name) + "\n");
        return Ok(Some(lines.collect::<String>().into()));
    }
    let known = Known { externals: &externals, rules: &rules, selection: &selection };
    let mut verifier = Verifier { on: console.verifies_passes() };
    let (warnings, report) = args.stage.apply(&mut doc, &args.elimination, known, &mut verifier)?;
    console.report(&warnings);
    // Nothing is left to be done where nobody reads it.
    let _ = std::io::stderr().lock().write_all(report.as_bytes());
    console.write_document(doc)
}

fn graph(args: &Args, file: &str, console: &mut Console) -> Result<cli::Output, Diagnostics> {
    let text = if file == "-" { cli::read_text("-")? } else { console.read_text(file)? };
    let (name, graph) = read_graph(file, &text)?;
    Ok(Some(shown(args, &[(name, graph)], Scale::ONE).into()))
}

/// What graphs are and how they are eliminated.
fn shown(args: &Args, graphs: &[(String, Graph)], scale: Scale) -> String {
    if args.stage.scarce {
        return graphs.iter().map(|(name, graph)| scarce(args, name, graph)).collect();
    }
    let all: Vec<&Graph> = graphs.iter().map(|(_, graph)| graph).collect();
    let choice = args.elimination.choice();
    let (eliminations, begun) = choice.eliminations(&all, scale, args.stage.report);
    let begun = (choice.budget.is_some() || choice.members.is_some()).then_some(begun);
    let told = |((name, graph), found): (&(String, Graph), Eliminations)| {
        told(args, name, graph, (found, begun))
    };
    graphs.iter().zip(eliminations).map(told).collect()
}

/// A graph and its elimination in words.
fn told(
    args: &Args,
    name: &str,
    graph: &Graph,
    (found, begun): (Eliminations, Option<Begun>),
) -> String {
    let Eliminations { tried, at_least, missed } = found;
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "graph {name}: {}", summary(graph));
    if args.stage.report {
        // The best is one of all; else the table is for those who want to choose.
        let technique = args.elimination.technique.map(Technique::from);
        let all = match args.elimination.best {
            true => tried.clone(),
            false => with_heuristics(graph, technique, tried.clone()),
        };
        out.push_str(&report(&all));
    }
    if let Some(best) = cheapest(tried) {
        show_cost(&mut out, &best, at_least);
        for missed in missed {
            let _ = writeln!(out, "{missed}");
        }
        if let Some(begun) = begun {
            show_begun(&mut out, begun);
        }
        if !args.count {
            show(&mut out, graph, &best);
        }
    }
    out
}

/// How it was eliminated and what that costs.
fn show_cost(out: &mut String, tried: &Tried, at_least: Option<u64>) {
    let Cost { multiplications, additions, entries } = tried.cost();
    let _ = writeln!(out, "{} elimination by {}", tried.technique.name(), tried.by);
    let _ = writeln!(
        out,
        "{multiplications} multiplications, {additions} additions, {entries} entries"
    );
    match at_least {
        Some(bound) if bound >= multiplications as u64 => {
            out.push_str("no elimination of the techniques tried takes fewer multiplications\n");
        }
        Some(bound) => {
            let _ = writeln!(out, "none is known to take fewer; every one takes at least {bound}");
        }
        None => {} // Where that was asked for, it is told why.
    }
}

/// How much of the portfolio was tried.
fn show_begun(out: &mut String, begun: Begun) {
    let Begun { members, stopped } = begun;
    let _ = match stopped {
        true => writeln!(out, "the first {members} members of the portfolio (--members {members})"),
        false => writeln!(out, "all {members} members of the portfolio"),
    };
}

/// The elimination and its arithmetic.
fn show(out: &mut String, graph: &Graph, tried: &Tried) {
    for step in &tried.elimination.steps {
        let _ = writeln!(out, "eliminate {}", step.show(graph));
    }
    out.push_str(&listing::show(&tried.elimination.accumulation, graph));
}

/// The graph with the fewest values: its edges are written as entries.
fn scarce(args: &Args, name: &str, graph: &Graph) -> String {
    let elimination = scarcity::scarce(graph);
    let Cost { multiplications, additions, .. } = elimination.accumulation.cost();
    let values = scarcity::values(&elimination);
    let mut out = format!("graph {name}: {}\n", summary(graph));
    let _ = writeln!(
        out,
        "{values} values after {multiplications} multiplications, {additions} additions"
    );
    if args.count {
        return out;
    }
    for step in &elimination.steps {
        let _ = writeln!(out, "eliminate {}", step.show(graph));
    }
    out.push_str(&listing::show(&elimination.accumulation, graph));
    out
}
