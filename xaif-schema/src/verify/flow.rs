//! Procedures and control flow graphs, genuine ones included.

use std::collections::{HashMap, HashSet};

use super::{At, Graph, Verifier, graph};
use crate::diag::Code;
use crate::model::{
    Cfg, DummyArg, EntityRef, ExprKind, ForForm, StmtKind, SymbolId, VertexId, VertexKind,
};

pub(super) fn check_procedures(verifier: &mut Verifier<'_>) {
    for (id, proc) in verifier.doc.procs.iter() {
        check_positions(verifier, At::Proc(id), &proc.args);
    }
    for (graph, cfg) in graph::all(verifier.doc) {
        let laid_out = check_layout(verifier, graph, cfg);
        if laid_out && graph.fragment == 0 {
            check_entry_and_exit(verifier, graph, cfg);
        }
        check_conditions(verifier, graph, cfg);
        for (id, vertex) in cfg.vertices.iter() {
            match &vertex.kind {
                VertexKind::ForLoop { .. } => check_for_loop(verifier, graph, cfg, id),
                VertexKind::Entry(Some(entry)) => {
                    check_positions(verifier, At::Vertex(graph, id), &entry.args);
                }
                VertexKind::Entry(None)
                | VertexKind::Exit
                | VertexKind::BasicBlock { .. }
                | VertexKind::Branch { .. }
                | VertexKind::EndBranch
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => (),
            }
        }
    }
}

/// OX0208 alone, of all graphs.
pub(super) fn check_ways(verifier: &mut Verifier<'_>) {
    for (graph, cfg) in graph::all(verifier.doc) {
        check_conditions(verifier, graph, cfg);
    }
}

/// OX0206: the layout lists each vertex once.
fn check_layout(verifier: &mut Verifier<'_>, graph: Graph, cfg: &Cfg) -> bool {
    let mut listed = vec![false; cfg.vertices.len()];
    let mut right = true;
    for &vertex in &cfg.layout {
        if std::mem::replace(&mut listed[vertex.index()], true) {
            let message = format!("{vertex} stands twice in the layout");
            verifier.report(Code::BAD_LAYOUT, At::Vertex(graph, vertex), message);
            right = false;
        }
    }
    for vertex in cfg.vertices.keys().filter(|vertex| !listed[vertex.index()]) {
        let message = format!("{vertex} does not stand in the layout");
        verifier.report(Code::BAD_LAYOUT, At::Vertex(graph, vertex), message);
        right = false;
    }
    right
}

/// OX0207: one entry, one exit; nothing leads into the one or out of the other.
fn check_entry_and_exit(verifier: &mut Verifier<'_>, graph: Graph, cfg: &Cfg) {
    if cfg.vertices.is_empty() {
        return;
    }
    let of_kind = |wanted: fn(&VertexKind) -> bool| -> Vec<VertexId> {
        cfg.vertices.iter().filter(|(_, v)| wanted(&v.kind)).map(|(id, _)| id).collect()
    };
    let entries = of_kind(|kind| matches!(kind, VertexKind::Entry(None)));
    let exits = of_kind(|kind| matches!(kind, VertexKind::Exit));
    for (what, list) in [("entry", &entries), ("exit", &exits)] {
        match list.as_slice() {
            [_] => (),
            [] => {
                let message = format!("the control flow graph has no {what}");
                verifier.report(Code::ENTRY_AND_EXIT, At::Proc(graph.proc), message);
            }
            [_, more @ ..] => {
                for &vertex in more {
                    let message = format!("a second {what}");
                    verifier.report(Code::ENTRY_AND_EXIT, At::Vertex(graph, vertex), message);
                }
            }
        }
    }
    for (id, edge) in cfg.edges.iter() {
        if matches!(cfg.vertices[edge.target].kind, VertexKind::Entry(_)) {
            let message = "an edge leads into an entry";
            verifier.report(Code::ENTRY_AND_EXIT, At::Edge(graph, id), message);
        }
        if exits.contains(&edge.source) {
            let message = "an edge leads out of the exit";
            verifier.report(Code::ENTRY_AND_EXIT, At::Edge(graph, id), message);
        }
    }
}

/// OX0208: the same condition leads to the same vertex. XAIF 1.0 documents do without a condition
/// where the order of the edges tells which is meant.
fn check_conditions(verifier: &mut Verifier<'_>, graph: Graph, cfg: &Cfg) {
    let mut targets = HashMap::new();
    for (id, edge) in cfg.edges.iter() {
        if edge.condition.is_none() && verifier.doc.as_read.xaif_1 {
            continue;
        }
        let target = *targets.entry((edge.source, edge.condition)).or_insert(edge.target);
        if target != edge.target {
            let message = match edge.condition {
                Some(value) => format!("{} has two ways on for the condition {value}", edge.source),
                None => format!("{} has two ways on without a condition", edge.source),
            };
            verifier.report(Code::AMBIGUOUS_EDGE, At::Edge(graph, id), message);
        }
    }
}

/// OX0209: a loop counts by plain assignments to one variable.
fn check_for_loop(verifier: &mut Verifier<'_>, graph: Graph, cfg: &Cfg, id: VertexId) {
    let VertexKind::ForLoop { init, condition, update, form, .. } = &cfg.vertices[id].kind else {
        return;
    };
    let doc = verifier.doc;
    let variable = |stmt| -> Option<SymbolId> {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, defined: None, .. } => Some(doc.refs[*lhs].base),
            _ => None,
        }
    };
    let at = At::Vertex(graph, id);
    match (variable(*init), variable(*update)) {
        (Some(first), Some(next)) if first == next => (),
        (Some(_), Some(_)) => {
            verifier.report(
                Code::BAD_LOOP,
                at,
                "the loop starts and goes on with different variables",
            );
        }
        (None, _) | (_, None) => {
            verifier.report(
                Code::BAD_LOOP,
                at,
                "the loop counts by something else than an assignment",
            );
        }
    }
    let compares = matches!(doc.exprs[*condition].kind, ExprKind::Boolean { .. });
    if *form == ForForm::Counted && !compares {
        verifier.report(Code::BAD_LOOP, at, "a counted loop goes on as long as a comparison holds");
    }
}

/// OX0211: dummy arguments have distinct positions from 1 on.
fn check_positions(verifier: &mut Verifier<'_>, at: At, args: &[DummyArg]) {
    let mut seen = HashSet::new();
    for arg in args {
        if arg.position == 0 || !seen.insert(arg.position) {
            let message = format!("no argument can have the position {} here", arg.position);
            verifier.report(Code::ARGUMENT_POSITION, at, message);
        }
    }
}
