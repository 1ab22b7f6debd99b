//! Puts what a loop computes afresh into its mirror, and takes the records of it away.
//!
//! Both only where the sweeps name the scalars in that loop alone; else nothing is changed.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Cfg, Document, Edge, EdgeId, ExprId, ScopeId, StmtId, SymbolId, Vertex, VertexId, VertexKind,
};

use super::{Afresh, Item, value};
use crate::body::Adjoint;
use crate::queries::expressions::read_by;
use crate::queries::tape_operations::tape_operation;
use booster_build::Copier;
use booster_facts::loops::{Loop, loops};
use booster_reversal::Reversed;
use booster_tangent::reads::names_in_statement;

impl Adjoint<'_> {
    /// Puts what is computed afresh into the backward sweep, where that names it in one loop alone, and
    /// takes its records out of both.
    pub(crate) fn compute_afresh(
        &self,
        doc: &mut Document,
        sweeps: &mut Reversed,
        list: Vec<Afresh>,
    ) {
        for one in list {
            let there = named_in_one_loop(doc, &sweeps.forward, &one);
            let back = named_in_one_loop(doc, &sweeps.backward, &one);
            let (Some(_), Some(head)) = (there, back) else { continue };
            let Some(entering) = entering(&sweeps.backward, head) else { continue };
            take_records(doc, &mut sweeps.forward, &one.scalars);
            take_records(doc, &mut sweeps.backward, &one.scalars);
            let scope = self.scope(doc);
            insert(doc, &mut sweeps.backward, (head, entering), &one.items, scope);
        }
    }
}

/// The head of the loop over the same variable that has all that names the scalars.
fn named_in_one_loop(doc: &Document, cfg: &Cfg, one: &Afresh) -> Option<VertexId> {
    let named = |value: ExprId| {
        read_by(doc, value).iter().any(|&r| one.scalars.contains(&doc.refs[r].base))
    };
    let names = |stmt: StmtId| one.scalars.iter().any(|&s| names_in_statement(doc, stmt, s));
    let places: Vec<usize> = (0..cfg.layout.len())
        .filter(|&position| match &cfg.vertices[cfg.layout[position]].kind {
            VertexKind::BasicBlock { stmts, .. } => stmts.iter().any(|&stmt| names(stmt)),
            VertexKind::Branch { condition, .. } => condition.is_some_and(named),
            VertexKind::ForLoop { init, condition, update, .. } => {
                names(*init) || names(*update) || named(*condition)
            }
            VertexKind::PreLoop { condition, .. } | VertexKind::PostLoop { condition, .. } => {
                condition.is_some_and(named)
            }
            VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Entry(_)
            | VertexKind::Exit => false,
            VertexKind::ConcurrentLoop { .. } | VertexKind::Goto(_) | VertexKind::Label { .. } => {
                true
            }
        })
        .collect();
    let (first, last) = (*places.first()?, *places.last()?);
    let all = loops(doc, cfg);
    let around = |of: &&Loop| of.variable == one.variable && of.head < first && last < of.end;
    all.iter().rev().find(around).map(|of| cfg.layout[of.head])
}

/// Takes out the pushes and pops of some scalars.
fn take_records(doc: &Document, cfg: &mut Cfg, scalars: &HashSet<SymbolId>) {
    let is_record = |stmt: &StmtId| {
        tape_operation(doc, *stmt).is_some_and(|(_, r)| scalars.contains(&doc.refs[r].base))
    };
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
            stmts.retain(|stmt| !is_record(stmt));
        }
    }
}

/// The edge from the head of a loop into its body.
fn entering(cfg: &Cfg, head: VertexId) -> Option<EdgeId> {
    let mut edges = cfg.edges.iter();
    edges.find(|(_, edge)| edge.source == head && edge.condition.is_some()).map(|(id, _)| id)
}

/// Puts copies of `items` where the body of the loop at `head` begins.
fn insert(
    doc: &mut Document,
    cfg: &mut Cfg,
    (head, entering): (VertexId, EdgeId),
    items: &[Item],
    scope: ScopeId,
) {
    let body = cfg.edges[entering].target;
    let mut layout = Vec::new();
    let place = cfg.vertices[head].place;
    let mut last: Option<VertexId> = None;
    for item in items {
        // A construct stands behind a block.
        let stmts = match item {
            Item::Statement(stmt) => vec![Copier::new().stmt(doc, *stmt)],
            Item::Construct(..) | Item::Loop(..) => Vec::new(),
        };
        let kind = VertexKind::BasicBlock { scope, stmts };
        let block = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        layout.push(block);
        match last {
            None => cfg.edges[entering].target = block,
            Some(last) => {
                cfg.connect(last, block);
            }
        }
        last = Some(block);
        let (first, end) = match item {
            Item::Statement(_) | Item::Loop(..) => continue,
            Item::Construct(vertices, edges) => {
                let mut copies: HashMap<VertexId, VertexId> = HashMap::new();
                for (old, vertex) in vertices {
                    let copy = copied(doc, vertex);
                    let copy = cfg.vertices.push(copy);
                    copies.insert(*old, copy);
                    layout.push(copy);
                }
                let copy = |old: &VertexId| copies.get(old).copied();
                for edge in edges {
                    if let Some((source, target)) = copy(&edge.source).zip(copy(&edge.target)) {
                        cfg.edges.push(Edge { source, target, ..edge.clone() });
                    }
                }
                let ends = vertices.first().zip(vertices.last());
                let ends = ends.and_then(|((first, _), (end, _))| copy(first).zip(copy(end)));
                let Some(ends) = ends else { continue };
                ends
            }
        };
        cfg.connect(block, first);
        last = Some(end);
    }
    if let Some(last) = last {
        cfg.connect(last, body);
    }
    let at = cfg.layout.iter().position(|&vertex| vertex == head).map_or(0, |at| at + 1);
    cfg.layout.splice(at..at, layout);
}

fn copied(doc: &mut Document, vertex: &Vertex) -> Vertex {
    let mut kind = vertex.kind.clone();
    match &mut kind {
        VertexKind::BasicBlock { stmts, .. } => {
            stmts.retain(|&stmt| value(doc, stmt).is_some());
            for stmt in stmts {
                *stmt = Copier::new().stmt(doc, *stmt);
            }
        }
        VertexKind::Branch { condition: Some(condition), name, .. } => {
            *condition = Copier::new().expr(doc, *condition);
            *name = None;
        }
        _ => {}
    }
    Vertex { kind, id: None, recorded: None, ..vertex.clone() }
}
