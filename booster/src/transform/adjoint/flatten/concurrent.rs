//! DO CONCURRENT becomes DO, a nest of them where it has several indices.
//!
//! The rounds may be executed in any order, so also in this one. It stays where variables are local
//! to a round, where there is a mask, and where bounds of inner loops might change in the loop.

use xaif_schema::model::{
    Body, BoolOp, Cfg, Document, ExprId, ExprKind, ForForm, IndexRange, Place, ProcId, SymbolId,
    Vertex, VertexId, VertexKind,
};

use crate::build::{Copier, assign, binary, boolean, integer, nodes_of, value_of, whole};

/// Rewrites the loops of a procedure.
pub(super) fn flatten(doc: &mut Document, proc: ProcId) {
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
    let mut cfg = std::mem::take(cfg);
    for head in cfg.layout.clone() {
        if let VertexKind::ConcurrentLoop { header, locality, .. } = &cfg.vertices[head].kind {
            let local = locality
                .as_deref()
                .is_some_and(|text| text.contains("local") || text.contains("reduce"));
            let inner = header.ranges.iter().skip(1).flat_map(bounds);
            if local || header.mask.is_some() || !inner.into_iter().all(|e| is_steady(doc, e)) {
                continue;
            }
            rewrite(doc, &mut cfg, head);
        }
    }
    doc.procs[proc].body = Body::Flow(cfg);
}

fn bounds(range: &IndexRange) -> impl Iterator<Item = ExprId> {
    [Some(range.lower), Some(range.upper), range.step].into_iter().flatten()
}

/// Whether an expression has the same value in all rounds, whatever they do: it is a constant, or a
/// dummy argument that nobody may change.
fn is_steady(doc: &Document, expr: ExprId) -> bool {
    use xaif_schema::model::{Intent, Role};
    nodes_of(doc, [expr]).into_iter().all(|node| match &doc.exprs[node].kind {
        ExprKind::Constant(_) | ExprKind::Intrinsic { .. } => true,
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[*reference];
            let decl = doc.symbols[reference.base].decl.as_deref();
            reference.parts.is_empty()
                && decl.is_some_and(|decl| {
                    matches!(decl.role, Role::Constant)
                        || decl.intent == Some(Intent::In) && decl.dims.is_empty()
                })
        }
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

fn rewrite(doc: &mut Document, cfg: &mut Cfg, head: VertexId) {
    let place = cfg.vertices[head].place;
    let VertexKind::ConcurrentLoop { header, name, .. } = cfg.vertices[head].kind.clone() else {
        return;
    };
    let ends = cfg.edges.values().filter(|edge| edge.target == head);
    let mut ends = ends.map(|edge| edge.source);
    let end = ends.find(|&vertex| matches!(cfg.vertices[vertex].kind, VertexKind::EndLoop));
    let enters = cfg.edges.iter().find(|(_, e)| e.source == head && e.condition == Some(1));
    let (Some(end), Some((into, _))) = (end, enters) else { return };
    let scope = doc.scopes[header.scope].parent.unwrap_or(header.scope);
    let mut heads = vec![head];
    let mut inner_ends = Vec::new();
    for (position, range) in header.ranges.iter().enumerate() {
        let variable = range.var;
        super::adopt(doc, variable, scope);
        let name = name.clone().filter(|_| position == 0);
        let kind = counted(doc, variable, range, name, place);
        if position == 0 {
            cfg.vertices[head].kind = kind;
            continue;
        }
        // The body of the loop around it is an empty block and this loop.
        let block = VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let block = cfg.vertices.push(vertex(block, place));
        let inner = cfg.vertices.push(vertex(kind, place));
        let last = cfg.vertices.push(vertex(VertexKind::EndLoop, place));
        heads.extend([block, inner]);
        inner_ends.push((inner, last));
    }
    // What leads into the body leads into the innermost loop, what ends a round ends its round.
    let first = cfg.edges[into].target;
    if let Some(&(_, last)) = inner_ends.last() {
        for edge in cfg.edges.values_mut().filter(|edge| edge.target == end) {
            edge.target = last;
        }
        cfg.edges[into].target = heads[1];
        let mut around = end;
        for (at, &(inner, last)) in inner_ends.iter().enumerate() {
            cfg.connect(heads[2 * at + 1], inner);
            let next = heads.get(2 * at + 3).copied();
            cfg.connect_if(inner, next.unwrap_or(first), 1);
            cfg.connect(last, inner);
            cfg.connect(inner, around);
            around = last;
        }
    }
    let position = |layout: &[VertexId], vertex| layout.iter().position(|&v| v == vertex);
    if let Some(at) = position(&cfg.layout, end) {
        let lasts = inner_ends.iter().rev().map(|&(_, last)| last);
        cfg.layout.splice(at..at, lasts);
    }
    if let Some(at) = position(&cfg.layout, head) {
        cfg.layout.splice(at + 1..at + 1, heads.into_iter().skip(1));
    }
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { scope: of_block, .. } = &mut vertex.kind
            && *of_block == header.scope
        {
            *of_block = scope;
        }
    }
    for inside in doc.scopes.values_mut().filter(|inside| inside.parent == Some(header.scope)) {
        inside.parent = Some(scope);
    }
}

fn vertex(kind: VertexKind, place: Place) -> Vertex {
    Vertex { kind, place, id: None, recorded: None }
}

/// `do variable = lower, upper, step`
fn counted(
    doc: &mut Document,
    variable: SymbolId,
    range: &IndexRange,
    name: Option<Box<str>>,
    place: Place,
) -> VertexKind {
    let target = whole(doc, variable, place);
    let init = assign(doc, target, range.lower, place);
    let value = |doc: &mut Document| {
        let reference = whole(doc, variable, place);
        value_of(doc, reference)
    };
    let step = range.step.unwrap_or_else(|| integer(doc, 1, place));
    let (current, target) = (value(doc), whole(doc, variable, place));
    let next = binary(doc, "add_scal_scal", current, step);
    let update = assign(doc, target, next, place);
    let current = value(doc);
    let condition = match super::super::reversal::constant(doc, step) {
        Some(step) => {
            let op = if step < 0 { BoolOp::GreaterOrEqual } else { BoolOp::LessOrEqual };
            boolean(doc, op, &[current, range.upper])
        }
        None => {
            let away = binary(doc, "sub_scal_scal", current, range.upper);
            let again = Copier::new().expr(doc, step);
            let ahead = binary(doc, "mul_scal_scal", away, again);
            let zero = integer(doc, 0, place);
            boolean(doc, BoolOp::LessOrEqual, &[ahead, zero])
        }
    };
    let form = ForForm::Counted;
    VertexKind::ForLoop { init, condition, update, reversal: None, form, name }
}
