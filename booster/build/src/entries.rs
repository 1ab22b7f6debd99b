//! Statements that are executed first as a procedure is entered, by its own name or by an ENTRY, and
//! last before it returns.

use std::collections::{HashMap, HashSet};
use std::mem;

use xaif_schema::model::{
    Body, Cfg, Comment, CommentKind, Document, EdgeId, Jump, Place, ProcId, StmtId, StmtKind,
    Vertex, VertexId, VertexKind,
};

use super::emit::open_inline_ifs;
use super::scopes::scopes_at;
use super::{Emitter, rewrite_blocks, statement};

/// Writes statements that are executed first as `proc` is entered: `emit` is called for each of its
/// entries, in the order of the text.
///
/// Where execution also comes along to an ENTRY from above ([`passed_from_above`]), it comes through
/// these statements as well.
pub fn rewrite_entries<E>(
    doc: &mut Document,
    proc: ProcId,
    mut emit: impl FnMut(&mut Emitter<'_>, VertexId) -> Result<(), E>,
) -> Result<(), E> {
    let scope = doc.procs[proc].scope;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = mem::take(cfg);
    let mut holders: HashMap<StmtId, VertexId> = HashMap::new();
    for vertex in mem::take(&mut cfg.layout) {
        cfg.layout.push(vertex);
        if !matches!(cfg.vertices[vertex].kind, VertexKind::Entry(_)) {
            continue;
        }
        let place = cfg.vertices[vertex].place;
        let holder = holder(doc, place);
        holders.insert(holder, vertex);
        let kind = VertexKind::BasicBlock { scope, stmts: vec![holder] };
        let first = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        let from_above = edges_from_above(&cfg, vertex);
        for edge in cfg.edges.values_mut().filter(|edge| edge.source == vertex) {
            edge.source = first;
        }
        for edge in from_above {
            cfg.edges[edge].target = first;
        }
        cfg.connect(vertex, first);
        cfg.layout.push(first);
    }
    doc.procs[proc].body = Body::Flow(cfg);
    rewrite_blocks(doc, proc, |emitter, stmt| match holders.get(&stmt) {
        Some(&entry) => emit(emitter, entry),
        None => {
            emitter.push(stmt);
            Ok(())
        }
    })
}

/// Writes statements that are executed last: before each RETURN of `proc`, and at its end.
pub fn rewrite_exits<E>(
    doc: &mut Document,
    proc: ProcId,
    mut emit: impl FnMut(&mut Emitter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let outer = doc.procs[proc].scope;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = mem::take(cfg);
    let scopes = scopes_at(doc, &cfg, outer);
    let mut holders = HashSet::new();
    for vertex in mem::take(&mut cfg.layout) {
        let kind = &cfg.vertices[vertex].kind;
        if !matches!(kind, VertexKind::Exit | VertexKind::Goto(Jump::Return)) {
            cfg.layout.push(vertex);
            continue;
        }
        let jumps =
            |edge: EdgeId| matches!(cfg.vertices[cfg.edges[edge].source].kind, VertexKind::Goto(_));
        let into: Vec<EdgeId> = cfg
            .edges
            .keys()
            .filter(|&edge| cfg.edges[edge].target == vertex && !jumps(edge))
            .collect();
        if !into.is_empty() {
            let place = cfg.vertices[vertex].place;
            let holder = holder(doc, place);
            holders.insert(holder);
            let kind = VertexKind::BasicBlock { scope: scopes[vertex], stmts: vec![holder] };
            let last = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
            let sources = into.iter().map(|&edge| cfg.edges[edge].source).collect();
            for edge in into {
                cfg.edges[edge].target = last;
            }
            cfg.connect(last, vertex);
            cfg.layout.push(last);
            open_inline_ifs(&mut cfg, sources);
        }
        cfg.layout.push(vertex);
    }
    doc.procs[proc].body = Body::Flow(cfg);
    rewrite_blocks(doc, proc, |emitter, stmt| {
        if holders.contains(&stmt) {
            return emit(emitter);
        }
        emitter.push(stmt);
        Ok(())
    })
}

/// A statement that keeps the place of others.
fn holder(doc: &mut Document, place: Place) -> StmtId {
    let comment = Comment { text: "".into(), trailing: false, kind: CommentKind::Blank, place };
    let kind = StmtKind::Comment(comment);
    statement(doc, kind, place)
}

/// Whether execution also arrives behind an entry from the statement above it.
pub fn passed_from_above(cfg: &Cfg, entry: VertexId) -> bool {
    !edges_from_above(cfg, entry).is_empty()
}

/// The edges by which execution comes along past an ENTRY: those that lead where the entry leads and
/// are no jumps.
fn edges_from_above(cfg: &Cfg, entry: VertexId) -> Vec<EdgeId> {
    let behind: Vec<VertexId> = cfg.successors(entry).map(|edge| edge.target).collect();
    let above: Vec<VertexId> =
        cfg.layout.iter().copied().take_while(|&vertex| vertex != entry).collect();
    let edges = cfg.edges.iter().filter(|(_, edge)| {
        behind.contains(&edge.target)
            && above.contains(&edge.source)
            && !matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(_) | VertexKind::Entry(_))
    });
    edges.map(|(id, _)| id).collect()
}
