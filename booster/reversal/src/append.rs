//! Both sweeps as one body, or one of them with all its entries.

use xaif_schema::model::{
    Base, Cfg, Document, Edge, ExprId, Jump, Place, ScopeId, SecondaryMap, StmtId, StmtKind,
    SymbolId, Verb, Vertex, VertexId, VertexKind,
};

use booster_build::{Copier, assign, integer, new_variable, value_of, whole};

/// The forward sweep and then the backward sweep as one body: whatever leads to the end of the
/// forward sweep (but STOP) goes on to the beginning of the backward sweep. The number of an
/// alternate return is dropped: who calls this procedure knows where control goes on.
pub fn append(doc: &Document, forward: Cfg, backward: Cfg) -> Cfg {
    let mut cfg = forward;
    let Some(old_exit) = find(&cfg, true) else { return backward };
    // The two sweeps meet in a label, to which RETURN jumps.
    cfg.vertices[old_exit].kind = VertexKind::Label { label: None };
    cfg.layout.retain(|&vertex| vertex != old_exit);
    cfg.layout.push(old_exit);
    let mut map: SecondaryMap<VertexId, VertexId> = SecondaryMap::with_default(old_exit);
    let (entry, mut exit) = (find(&backward, false), old_exit);
    for &vertex in backward.layout.iter().filter(|&&vertex| Some(vertex) != entry) {
        map[vertex] = cfg.push(backward.vertices[vertex].clone());
        if matches!(backward.vertices[vertex].kind, VertexKind::Exit) {
            exit = map[vertex];
        }
    }
    for edge in cfg.edges.values_mut().filter(|edge| edge.target == old_exit) {
        match &mut cfg.vertices[edge.source].kind {
            VertexKind::Goto(Jump::Stop) => edge.target = exit,
            VertexKind::Goto(jump) => *jump = Jump::Goto,
            _ => {}
        }
    }
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
            stmts.retain(|&stmt| !is_return(doc, stmt));
        }
    }
    for edge in backward.edges.values() {
        let (source, target) = (map[edge.source], map[edge.target]);
        cfg.edges.push(Edge { source, target, ..edge.clone() });
    }
    cfg.structured = None;
    cfg
}

/// Lets a backward sweep be entered by the names of the ENTRY statements of the forward sweep as well,
/// where it begins in any case.
pub fn enter_alike(backward: &mut Cfg, forward: &Cfg) {
    let Some(first) = find(backward, false) else { return };
    let begin = backward.successors(first).map(|edge| edge.target).next();
    let (Some(begin), mut last) = (begin, first) else { return };
    for &entry in &forward.layout {
        let data = &forward.vertices[entry];
        if matches!(data.kind, VertexKind::Entry(Some(_))) {
            last = put(backward, last, data.kind.clone(), data.place);
            backward.connect(last, begin);
        }
    }
}

fn is_return(doc: &Document, stmt: StmtId) -> bool {
    matches!(&doc.stmts[stmt].kind, StmtKind::Marker(marker) if marker.verb == Verb::Return)
}

/// As [`append`], for a forward sweep that is called in the place of its original: where it returns
/// to a place that its caller names, it does so behind `end`.
pub fn append_to_call(doc: &mut Document, scope: ScopeId, forward: Cfg, end: Cfg) -> Cfg {
    let mut forward = forward;
    let blocks = forward.vertices.values().filter_map(|vertex| match &vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => Some(stmts),
        _ => None,
    });
    let returns: Vec<StmtId> =
        blocks.flatten().copied().filter(|&stmt| is_return(doc, stmt)).collect();
    let Some(&first) = returns.first() else { return append(doc, forward, end) };
    let place = doc.stmts[first].place;
    let number = new_variable(doc, scope, "alternate", Base::Integer(4), place);
    for &stmt in &returns {
        if let StmtKind::Marker(marker) = &doc.stmts[stmt].kind
            && let Some(operand) = marker.operands.first()
        {
            let value = Copier::new().expr(doc, operand.expr);
            let told = told(doc, number, value, place);
            for vertex in forward.vertices.values_mut() {
                if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
                    stmts.iter_mut().filter(|own| **own == stmt).for_each(|own| *own = told);
                }
            }
        }
    }
    // An ordinary return has the number 0.
    for entry in forward.layout.clone() {
        if matches!(forward.vertices[entry].kind, VertexKind::Entry(_)) {
            let zero = integer(doc, 0, place);
            let stmts = vec![told(doc, number, zero, place)];
            let block = put(&mut forward, entry, VertexKind::BasicBlock { scope, stmts }, place);
            for edge in forward.edges.values_mut().filter(|edge| edge.source == entry) {
                edge.source = block;
            }
            forward.connect(entry, block);
        }
    }
    let mut cfg = append(doc, forward, end);
    let Some(exit) = find(&cfg, true) else { return cfg };
    let mut last = doc.stmts[first].clone();
    if let StmtKind::Marker(marker) = &mut last.kind
        && let Some(operand) = marker.operands.first_mut()
    {
        let value = whole(doc, number, place);
        operand.expr = value_of(doc, value);
    }
    let stmts = vec![doc.stmts.push(last)];
    let before = cfg.layout.iter().position(|&v| v == exit).and_then(|at| at.checked_sub(1));
    let Some(before) = before.and_then(|at| cfg.layout.get(at).copied()) else { return cfg };
    let block = put(&mut cfg, before, VertexKind::BasicBlock { scope, stmts }, place);
    let jump = put(&mut cfg, block, VertexKind::Goto(Jump::Return), place);
    for edge in cfg.edges.values_mut().filter(|edge| edge.target == exit) {
        if !matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(Jump::Stop)) {
            edge.target = block;
        }
    }
    cfg.connect(block, jump);
    cfg.connect(jump, exit);
    cfg
}

/// `number = value`
fn told(doc: &mut Document, number: SymbolId, value: ExprId, place: Place) -> StmtId {
    let target = whole(doc, number, place);
    assign(doc, target, value, place)
}

/// A new vertex behind another in the text.
fn put(cfg: &mut Cfg, anchor: VertexId, kind: VertexKind, place: Place) -> VertexId {
    let vertex = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
    let at = cfg.layout.iter().position(|&v| v == anchor).map_or(cfg.layout.len(), |at| at + 1);
    cfg.layout.insert(at, vertex);
    vertex
}

/// The exit or the entry of a graph.
fn find(cfg: &Cfg, exit: bool) -> Option<VertexId> {
    cfg.layout.iter().copied().find(|&vertex| match cfg.vertices[vertex].kind {
        VertexKind::Exit => exit,
        VertexKind::Entry(None) => !exit,
        _ => false,
    })
}
