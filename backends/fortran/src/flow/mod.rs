//! Bodies: from a control flow graph to text.
//!
//! - `graph` of `backend_flow`: adjacency and where nothing happens;
//! - `order` of `backend_flow`: an order of the vertices for graphs whose layout is none;
//! - `structure` of `backend_flow`: which constructs can be written as such;
//! - `plan` of `backend_flow`: the text as a list of operations with the jumps it needs;
//! - `check` of `backend_flow`: reads the plan back and compares it with the graph;
//! - `labels`: numbers;
//! - `loops` of `backend_flow`: which loops are counted;
//! - `iterations`: counted loops that are jumped into and whose bounds change;
//! - `print`, `select`: the lines.
//!
//! A body is never printed with another flow than its graph has: an edge that the text does not
//! have by itself becomes a jump, a construct that is jumped into is written with labels, and what
//! Fortran cannot say at all is an error.

mod labels;
mod print;
mod rounds;
mod select;

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::model::{
    Cfg, DummyArg, EntryPoint, ForForm, ProcKind, Procedure, VertexId, VertexKind,
};

use backend_flow::loops::Rounds;
use backend_flow::plan::Dialect;
use backend_flow::{check, graph, loops, order, plan};

pub(crate) use rounds::count;

use crate::context::Context;
use crate::lines::{Lines, Spot};

/// An ENTRY statement that was printed.
pub(crate) struct Entry<'d> {
    /// The place behind it.
    pub(crate) spot: Spot,
    pub(crate) point: &'d EntryPoint,
    /// Whether control also comes from elsewhere to what stands behind it.
    pub(crate) joined: bool,
}

/// Prints the body of a procedure; `apart` is whether a blank line is to stand before it. Gives its ENTRY
/// statements and where they stand.
pub(crate) fn print<'d>(
    cx: &Context<'d>,
    lines: &mut Lines,
    proc: &'d Procedure,
    cfg: &'d Cfg,
    apart: bool,
) -> Vec<Entry<'d>> {
    if cfg.vertices.is_empty() {
        return Vec::new();
    }
    let graph = graph::Graph::new(cx.doc, cfg);
    let program = proc.kind == ProcKind::Program;
    let mut best = plan::plan(&graph, &layout(cfg), program, Dialect::Fortran);
    let fixed = best.stuck.is_none() && begins_further_down(proc, cfg);
    if !best.is_clean(&graph) && !fixed {
        let walked = plan::plan(&graph, &order::walk(&graph), program, Dialect::Fortran);
        if walked.cost() < best.cost() {
            best = walked;
        }
    }
    if let Some(vertex) = best.stuck {
        cx.error_with_help(
            DiagCode::CANNOT_STRUCTURE,
            cfg.vertices[vertex].place,
            format!(
                "the flow of `{}` jumps into a construct that Fortran cannot take apart",
                cx.names.declared(proc.symbol)
            ),
            "restructure the source so that the construct is entered at its beginning",
        );
        return Vec::new();
    }
    if let Some(vertex) = check::difference(&graph, &best) {
        cx.error_with_help(
            DiagCode::FLOW_DIFFERS,
            cfg.vertices[vertex].place,
            format!("the printed flow of `{}` would differ here", cx.names.declared(proc.symbol)),
            "this is a defect of xaif2f: please report it with the document",
        );
        return Vec::new();
    }
    if all_counted(cx, &graph, &best, proc) {
        print::Body::new(cx, &graph, &best, proc.scope).print(lines, apart)
    } else {
        Vec::new()
    }
}

/// Whether an ENTRY has dummy arguments that the procedure has not: in the text nothing may name them
/// before it, so the order of the vertices counts.
fn begins_further_down(proc: &Procedure, cfg: &Cfg) -> bool {
    let own = |arg: &DummyArg| proc.args.iter().any(|other| other.symbol == arg.symbol);
    cfg.vertices.values().any(|vertex| match &vertex.kind {
        VertexKind::Entry(Some(entry)) => !entry.args.iter().all(own),
        _ => false,
    })
}

/// Whether every counted loop has as many iterations in the text as Fortran says.
fn all_counted(
    cx: &Context<'_>,
    graph: &graph::Graph<'_>,
    plan: &plan::Plan,
    proc: &Procedure,
) -> bool {
    let mut all = true;
    for (head, vertex) in graph.cfg.vertices.iter() {
        let VertexKind::ForLoop { form: ForForm::Counted, .. } = vertex.kind else { continue };
        let rounds = match plan.structure.end.contains_key(&head) {
            true if loops::counted(graph, head).is_some() => continue,
            true => Rounds::Unknown,
            false => loops::rounds(graph, head),
        };
        match rounds {
            Rounds::Steady => continue,
            Rounds::Fixed { begun: true } => cx.must_count(proc.scope, head),
            Rounds::Fixed { begun: false } | Rounds::Unknown => cx.error_with_help(
                DiagCode::CANNOT_STRUCTURE,
                vertex.place,
                "nobody can tell how many rounds this counted loop has",
                "enter the loop at its beginning, and let it count as a DO does",
            ),
        }
        all = false;
    }
    all
}

/// The layout, and behind it what it forgets.
fn layout(cfg: &Cfg) -> Vec<VertexId> {
    let mut seen = std::collections::HashSet::new();
    let all = cfg.layout.iter().copied().chain(cfg.vertices.keys());
    all.filter(|&vertex| seen.insert(vertex)).collect()
}
