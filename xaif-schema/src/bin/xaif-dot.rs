//! `xaif-dot`: the graphs of a document, as DOT or as a picture.

use std::process::ExitCode;

use clap::Parser;
use xaif_schema::cli::{self, CommonArgs};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::lens::dot::dot;
use xaif_schema::lens::graph::Graph;
use xaif_schema::lens::graphs::Graphs;
use xaif_schema::lens::svg::svg;
use xaif_schema::model::Document;

/// Draw the call graph, control flow graphs or expression graphs of a XAIF document.
///
/// Prints DOT for graphviz, one digraph for each graph; with --svg a finished picture, for which
/// nothing else need be installed. Without any selection it is the call graph. Arrows that close a
/// cycle are dashed.
#[derive(Parser)]
#[command(name = "xaif-dot", version)]
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
    /// Draw a picture instead of printing DOT
    #[arg(long)]
    svg: bool,
    #[command(flatten)]
    common: CommonArgs,
}

fn main() -> ExitCode {
    cli::run(
        |args: &Args| &args.common,
        |args, console| {
            let doc = console.read_document(&args.input)?;
            let graphs = select(args, &doc)?;
            let text = if args.svg { svg(&graphs) } else { dot(&graphs) };
            Ok(Some(text.into_bytes()))
        },
    )
}

/// The graphs that the options ask for.
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
