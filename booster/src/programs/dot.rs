//! `xaif-dot`: the graphs of a document, and graphs under elimination, as DOT or as a picture.

use std::process::ExitCode;

use crate::drawing::elimination_graphs;
use crate::stages::{CatalogueArgs, EliminationArgs, ExternalsArgs, PreaccumulateArgs, read_graph};
use crate::transform::preaccumulate;
use clap::{ArgGroup, Parser};
use elimination::trace::trace;
use elimination::{Eliminations, Graph as Linearised, Scale, Technique};
use xaif_cli::CommonArgs;
use xaif_schema::cli::Console;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::inspect::dot::dot;
use xaif_schema::inspect::graph::Graph;
use xaif_schema::inspect::graphs::Graphs;
use xaif_schema::inspect::svg::svg;
use xaif_schema::model::Document;

/// Draw the call graph, control flow graphs, expression graphs or linearised computational graphs
/// of a XAIF document.
///
/// Prints DOT for graphviz, one digraph for each graph; with --svg a finished picture, for which
/// nothing else need be installed. Without any selection it is the call graph. Arrows that close a
/// cycle are dashed. With --runs, or --graph for a graph in a file, it draws linearised computational
/// graphs before their elimination and after it, and the expressions that accumulate their Jacobians
/// (docs/elimination.md).
#[derive(Parser)]
#[command(
    name = "xaif-dot",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-dot a.xaif --svg -o calls.svg",
        "xaif-dot a.xaif --cfg p | dot -Tpdf -o p.pdf",
    ])
)]
#[command(group(ArgGroup::new("linearised").args(["graph", "runs"])))]
#[command(group(
    ArgGroup::new("how")
        .args(["technique", "heuristic", "anneal", "seed", "exact", "best", "budget", "members", "steps"])
        .multiple(true)
        .requires("linearised")
        .conflicts_with_all(["callgraph", "cfg", "expr", "all"])
))]
#[command(group(
    ArgGroup::new("which")
        .args(["per_statement", "name_partials", "externals", "intrinsics"])
        .multiple(true)
        .requires("runs")
        .conflicts_with_all(["callgraph", "cfg", "expr", "all"])
))]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// The call graph
    #[arg(long)]
    callgraph: bool,
    /// The control flow graph of this procedure (may be repeated)
    #[arg(long, value_name = "PROC")]
    cfg: Vec<String>,
    /// The expression graph of this statement: its id as `xaif-show --ids` prints it (`s12`), or
    /// its XAIF statement_id (may be repeated)
    #[arg(long, value_name = "STMT")]
    expr: Vec<String>,
    /// The call graph and all control flow graphs
    #[arg(long, conflicts_with_all = ["callgraph", "cfg", "expr"])]
    all: bool,
    /// The linearised computational graphs of all runs of assignments whose local Jacobians
    /// `xaif-preaccumulate` would accumulate if they paid
    #[arg(long, conflicts_with_all = ["callgraph", "cfg", "expr", "all"])]
    runs: bool,
    /// A linearised computational graph as JSON instead of a document; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "callgraph", "cfg", "expr", "all", "which"])]
    graph: Option<String>,
    /// Draw the graph at every elimination as well: what that takes away (dotted), what is new (bold,
    /// green) or has absorbed a product (bold, blue)
    #[arg(long)]
    steps: bool,
    /// Let each assignment be a run of its own
    #[arg(long)]
    per_statement: bool,
    /// Give each partial derivative that is no constant a name, also where it is the value of a variable
    #[arg(long)]
    name_partials: bool,
    /// Draw a picture instead of printing DOT
    #[arg(long)]
    svg: bool,
    #[command(flatten)]
    elimination: EliminationArgs,
    #[command(flatten)]
    catalogue: CatalogueArgs,
    #[command(flatten)]
    externals: ExternalsArgs,
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
        |args, console| {
            let graphs = match &args.graph {
                Some(file) => {
                    let text = console.read_text(file)?;
                    let (name, graph) = read_graph(file, &text)?;
                    eliminated(args, &[(name, graph)], Scale::ONE)
                }
                None if args.runs => runs(args, console)?,
                None => select(args, &console.read_document(&args.input)?)?,
            };
            let text = if args.svg { svg(&graphs) } else { dot(&graphs) };
            Ok(Some(text.into()))
        },
    )
}

/// The runs of the document, each with its elimination.
fn runs(args: &Args, console: &mut Console) -> Result<Vec<Graph>, Diagnostics> {
    let externals = args.externals.read(|path| console.read_text(path))?;
    let (rules, warnings) = args.catalogue.read(|path| console.read_text(path))?;
    console.report(&warnings);
    let mut doc = console.read_document(&args.input)?;
    let stage = PreaccumulateArgs {
        per_statement: args.per_statement,
        name_partials: args.name_partials,
        ..PreaccumulateArgs::default()
    };
    let options = stage.options(&args.elimination, &externals, rules.catalogue);
    let (graphs, warnings) = preaccumulate::graphs(&mut doc, &options)?;
    console.report(&warnings);
    Ok(eliminated(args, &graphs, Scale::MANY))
}

/// Linearised graphs before, during and after their elimination, and the accumulation expressions.
fn eliminated(args: &Args, graphs: &[(String, Linearised)], scale: Scale) -> Vec<Graph> {
    let all: Vec<&Linearised> = graphs.iter().map(|(_, graph)| graph).collect();
    let (eliminations, _) = args.elimination.choice().eliminations(&all, scale, false);
    let drawn = |((name, graph), found): (&(String, Linearised), Eliminations)| {
        let best = found.cheapest();
        let steps = best.as_ref().map_or(&[][..], |best| &best.elimination.steps);
        let technique = best.as_ref().map_or(Technique::Vertex, |best| best.technique);
        elimination_graphs(name, graph, &trace(graph, technique, steps), args.steps)
    };
    graphs.iter().zip(eliminations).flat_map(drawn).collect()
}

/// The graphs of the document that the options ask for.
fn select(args: &Args, doc: &Document) -> Result<Vec<Graph>, Diagnostics> {
    let graphs = Graphs::new(doc);
    if args.all {
        return Ok(graphs.all());
    }
    let mut selected = Vec::new();
    let mut problems = Diagnostics::new();
    if args.callgraph || (args.cfg.is_empty() && args.expr.is_empty()) {
        selected.push(graphs.calls());
    }
    for name in &args.cfg {
        let flows: Vec<_> =
            graphs.procedures(name).into_iter().flat_map(|id| graphs.flows(id)).collect();
        if flows.is_empty() {
            problems.push(no_procedure(name, &graphs));
        }
        selected.extend(flows);
    }
    for name in &args.expr {
        let expressions: Vec<_> =
            graphs.statements(name).into_iter().filter_map(|id| graphs.expression(id)).collect();
        if expressions.is_empty() {
            let message = format!("there is no statement {name:?}");
            problems.push(
                Diagnostic::error(Code::NO_SUCH_STATEMENT, None, message)
                    .with_help("xaif-show --ids prints the ids of all statements"),
            );
        }
        selected.extend(expressions);
    }
    if problems.is_empty() { Ok(selected) } else { Err(problems) }
}

fn no_procedure(name: &str, graphs: &Graphs<'_>) -> Diagnostic {
    const SHOWN: usize = 20;
    let names = graphs.names();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown: Vec<_> = names.iter().take(SHOWN).copied().collect();
    let help = match names.is_empty() {
        true => "the document has no procedure with a flow graph".to_owned(),
        false => format!("there are {}{more}", shown.join(", ")),
    };
    let message = format!("there is no procedure {name:?} with a flow graph");
    Diagnostic::error(Code::NO_SUCH_PROCEDURE, None, message).with_help(help)
}
