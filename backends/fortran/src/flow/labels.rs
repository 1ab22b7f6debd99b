//! Numbers for the places that jumps lead to.
//!
//! A label of the source keeps its number where nobody else has it; others get the next free
//! multiple of ten.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Piece, StmtId, StmtKind, Verb, VertexId, VertexKind};

use backend_flow::graph::Graph;
use backend_flow::plan::{Op, Plan, Site};

/// The largest label.
const LARGEST: u32 = 99_999;

/// The labels of a body.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// By place.
    pub(crate) sites: HashMap<Site, u32>,
    /// By statement.
    pub(crate) statements: HashMap<StmtId, u32>,
    /// By the number that the source has.
    pub(crate) by_number: HashMap<u32, u32>,
    /// Statements whose label another one has, too, though somebody names it.
    pub(crate) twice: Vec<StmtId>,
}

/// Numbers all places that `plan` names, and all statements whose label is used.
pub(crate) fn number(graph: &Graph<'_>, plan: &Plan) -> Numbers {
    let mut numbers = Numbers::default();
    let mut taken: HashSet<u32> = HashSet::new();
    let wanted = wanted_numbers(graph);
    for stmt in statements(graph) {
        let node = &graph.doc.stmts[stmt];
        let Some(label) = node.label else { continue };
        let format = matches!(&node.kind, StmtKind::Marker(m) if m.verb == Verb::Format);
        if !format && !wanted.contains(&label) {
            continue;
        }
        if !taken.insert(label) {
            numbers.twice.push(stmt);
        } else {
            numbers.statements.insert(stmt, label);
            numbers.by_number.insert(label, label);
        }
    }
    let mut unnumbered = Vec::new();
    for site in in_order(plan, &wanted, graph) {
        match source_label(graph, site) {
            Some(label) if taken.insert(label) => {
                numbers.sites.insert(site, label);
                numbers.by_number.entry(label).or_insert(label);
            }
            _ => unnumbered.push(site),
        }
    }
    let mut next = 10;
    for site in unnumbered {
        while !taken.insert(next) {
            next += if next + 10 <= LARGEST { 10 } else { 1 };
        }
        numbers.sites.insert(site, next);
    }
    numbers
}

/// The number that the source gives a place.
fn source_label(graph: &Graph<'_>, site: Site) -> Option<u32> {
    let Site::Vertex(vertex) = site else { return None };
    match graph.kind(vertex) {
        VertexKind::Label { label } => *label,
        _ => None,
    }
}

/// The named places in the order of the text.
fn in_order(plan: &Plan, wanted: &HashSet<u32>, graph: &Graph<'_>) -> Vec<Site> {
    let mut sites = Vec::new();
    for &op in &plan.ops {
        let candidates = match op {
            Op::Vertex(vertex) => vec![Site::Vertex(vertex), Site::Test(vertex)],
            Op::EndBranch(vertex, _) | Op::EndLoop(vertex, _) => vec![Site::Vertex(vertex)],
            Op::End => vec![Site::End],
            Op::Arm(..) | Op::AfterLoop(_) => Vec::new(),
        };
        for site in candidates {
            let assigned = source_label(graph, site).is_some_and(|label| wanted.contains(&label));
            if plan.sites.contains(&site) || assigned {
                sites.push(site);
            }
        }
    }
    sites
}

/// The numbers that statements name themselves: formats, ASSIGN, assigned GOTO.
fn wanted_numbers(graph: &Graph<'_>) -> HashSet<u32> {
    let mut wanted = HashSet::new();
    for stmt in statements(graph) {
        if let StmtKind::Marker(marker) = &graph.doc.stmts[stmt].kind {
            for piece in &marker.text {
                if let Piece::StatementLabel(number) = piece {
                    wanted.insert(*number);
                }
            }
        }
    }
    wanted
}

fn statements(graph: &Graph<'_>) -> impl Iterator<Item = StmtId> {
    let block = |&vertex: &VertexId| match graph.kind(vertex) {
        VertexKind::BasicBlock { stmts, .. } => stmts.as_slice(),
        _ => &[],
    };
    graph.cfg.layout.iter().flat_map(block).copied()
}
