//! The body of a loop as an internal procedure.
//!
//! The procedure has no arguments: it sees the variables of the procedure around it. An iteration that leaves the loop by EXIT
//! tells that by a logical variable. CYCLE returns. The condition of DO WHILE becomes part of the iteration, as it may call
//! functions.

use std::collections::{HashMap, HashSet};

use booster_build::{
    boolean, constant, construct_at, new_variable, scopes_at, statement, unique_name, value_of,
    whole,
};
use booster_shadow::derivative::{declaration, symbol as symbol_of};
use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Base, Body, BoolOp, BranchForm, Callee, Cfg, Checkpoints, ConstantClass, Document, Edge,
    Effects, ExprId, ForForm, Jump, Place, ProcClass, ProcId, ProcKind, ProcSort, Procedure,
    ProcedureInfo, Role, Scope, ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, SubroutineCall,
    SymbolId, Ty, Verb, Vertex, VertexId, VertexKind,
};

/// A loop and the parts of its body.
struct Region {
    head: VertexId,
    end: VertexId,
    /// The vertices of the body, in the order of the text.
    inside: Vec<VertexId>,
    /// Whether an iteration may leave the loop.
    leaves: bool,
    /// The condition of DO WHILE.
    condition: Option<ExprId>,
}

/// Moves the body of the loop at a position of the text into a procedure, and lets the loop call it. Positions before the
/// loop stay as they are.
///
/// # Errors
/// A loop that cannot have checkpoints (OX4491); the document is as it was.
pub fn outline(
    doc: &mut Document,
    proc: ProcId,
    position: usize,
    checkpoints: Checkpoints,
) -> Result<(), Diagnostic> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Ok(()) };
    let Some(region) = region(doc, proc, (cfg, position))? else { return Ok(()) };
    let place = cfg.vertices[region.head].place;
    let outer = doc.procs[proc].scope;
    let (symbol, scope) = declare(doc, proc, place);
    let leaves = region.leaves.then(|| new_variable(doc, outer, "leaves", Base::Logical(4), place));
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = std::mem::take(cfg);
    let inner = body(doc, &cfg, &region, leaves, (outer, scope), place);
    let call = call_of(doc, symbol, checkpoints, place);
    replace(doc, &mut cfg, &region, (outer, call, leaves), place);
    doc.procs[proc].body = Body::Flow(cfg);
    let made = doc.procs.push(Procedure {
        symbol,
        scope,
        args: Vec::new(),
        result: None,
        kind: ProcKind::Subroutine,
        body: Body::Flow(inner),
        place,
        active: None,
        entry_written: false,
        effects: Effects::default(),
        independent: Vec::new(),
        dependent: Vec::new(),
    });
    if let Some(Role::Procedure(info)) =
        doc.symbols[symbol].decl.as_deref_mut().map(|decl| &mut decl.role)
    {
        info.proc = Some(made);
    }
    doc.scopes[outer].contains.push(SpecItem::Unit(scope));
    Ok(())
}

/// The loop at a position of the text, if there is one, and its body can be a procedure.
fn region(
    doc: &Document,
    proc: ProcId,
    (cfg, position): (&Cfg, usize),
) -> Result<Option<Region>, Diagnostic> {
    let Some(&head) = cfg.layout.get(position) else { return Ok(None) };
    let Some((end, inside)) = construct_at(cfg, position) else { return Ok(None) };
    if !is_loop(&cfg.vertices[head].kind) {
        return Ok(None);
    }
    let place = cfg.vertices[head].place;
    if let VertexKind::ForLoop { init, .. } = cfg.vertices[head].kind
        && !counts_by_integer(doc, init)
    {
        let message = "the variable of this loop is no integer of 4 or 8 bytes";
        return Err(refused(doc, place, message));
    }
    let parent = doc.scopes[doc.procs[proc].scope].parent;
    if parent.is_some_and(|parent| matches!(doc.scopes[parent].kind, ScopeKind::Procedure(_))) {
        return Err(refused(doc, place, "the procedure around this loop is internal"));
    }
    let outer = doc.procs[proc].scope;
    if scopes_at(doc, cfg, outer)[head] != outer {
        return Err(refused(
            doc,
            place,
            "this loop stands in a BLOCK, ASSOCIATE or SELECT construct",
        ));
    }
    let inside: Vec<VertexId> = inside.iter().copied().filter(|&vertex| vertex != end).collect();
    let within: HashSet<VertexId> = inside.iter().copied().collect();
    let behind = behind(cfg, head, end, &within);
    let condition = match cfg.vertices[head].kind {
        VertexKind::PreLoop { condition, .. } => condition,
        _ => None,
    };
    let mut leaves = condition.is_some();
    for edge in cfg.edges.values() {
        let (from, to) = (within.contains(&edge.source), within.contains(&edge.target));
        if to && !from && edge.source != head {
            let place = cfg.vertices[edge.target].place;
            return Err(refused(doc, place, "control jumps into the body of this loop"));
        }
        let kind = &cfg.vertices[edge.source].kind;
        if from && !to && edge.target != end && !matches!(kind, VertexKind::Goto(Jump::Stop)) {
            let is_jump = matches!(kind, VertexKind::Goto(Jump::Exit(_) | Jump::Goto));
            if !is_jump || Some(edge.target) != behind {
                let place = cfg.vertices[edge.source].place;
                return Err(refused(doc, place, "control leaves the body of this loop here"));
            }
            leaves = true;
        }
    }
    unwritable(doc, cfg, &inside)?;
    Ok(Some(Region { head, end, inside, leaves, condition }))
}

/// Whether a vertex begins a loop whose iterations are executed in order.
pub(crate) fn is_loop(kind: &VertexKind) -> bool {
    matches!(kind, VertexKind::ForLoop { form: ForForm::Counted, .. } | VertexKind::PreLoop { .. })
}

/// Whether the variable of a loop, of which this is the first assignment, is one that the runtime can give back.
fn counts_by_integer(doc: &Document, init: StmtId) -> bool {
    let StmtKind::Assign { lhs, .. } = doc.stmts[init].kind else { return false };
    let variable = &doc.refs[lhs];
    variable.parts.is_empty() && matches!(variable.ty.base, Base::Integer(4 | 8))
}

/// Refuses what an internal procedure cannot say: further entries, and labels of FORMAT statements elsewhere.
fn unwritable(doc: &Document, cfg: &Cfg, inside: &[VertexId]) -> Result<(), Diagnostic> {
    if let Some(&entry) =
        inside.iter().find(|&&vertex| matches!(cfg.vertices[vertex].kind, VertexKind::Entry(_)))
    {
        return Err(refused(doc, cfg.vertices[entry].place, "an ENTRY stands in this loop"));
    }
    let verb = |stmt: StmtId| match &doc.stmts[stmt].kind {
        StmtKind::Marker(marker) => Some(marker.verb),
        _ => None,
    };
    let all = cfg.vertices.values().flat_map(|vertex| vertex.kind.stmts());
    let has_formats = all.clone().any(|&stmt| verb(stmt) == Some(Verb::Format));
    let talks = inside.iter().flat_map(|&vertex| cfg.vertices[vertex].kind.stmts());
    let talks = talks.copied().find(|&stmt| verb(stmt) == Some(Verb::Io));
    match talks.filter(|_| has_formats) {
        Some(stmt) => {
            let message =
                "input or output in this loop may need a FORMAT statement of the procedure";
            Err(refused(doc, doc.stmts[stmt].place, message))
        }
        None => Ok(()),
    }
}

/// Where control goes on behind the loop.
fn behind(
    cfg: &Cfg,
    head: VertexId,
    end: VertexId,
    within: &HashSet<VertexId>,
) -> Option<VertexId> {
    let leaving = |vertex: VertexId| {
        let out = cfg.edges.values().filter(move |edge| edge.source == vertex);
        out.map(|edge| edge.target)
            .find(|target| *target != head && !within.contains(target) && *target != end)
    };
    let next = leaving(head).or_else(|| leaving(end));
    // A DO without control has no way out of its own: what stands behind its end in the text is behind it.
    next.or_else(|| {
        let position = cfg.layout.iter().position(|&vertex| vertex == end)?;
        cfg.layout.get(position + 1).copied()
    })
}

fn refused(doc: &Document, place: Place, message: &str) -> Diagnostic {
    let message = format!("{message}, so it cannot have checkpoints");
    Diagnostic::error(Code::CHECKPOINT_LOOP, doc.spot(place), message)
        .with_help("make the body of the loop a call of a procedure, or remove the directive")
}

/// Declares the procedure; its symbol and its scope.
fn declare(doc: &mut Document, proc: ProcId, place: Place) -> (SymbolId, ScopeId) {
    let outer = doc.procs[proc].scope;
    let of = doc.name(doc.procs[proc].symbol).to_owned();
    let name = unique_name(doc, &format!("{of}_step"));
    let role = Role::Procedure(ProcedureInfo {
        sort: ProcSort::Subroutine,
        class: ProcClass::Internal,
        proc: None,
        interface: None,
        pass: None,
    });
    let symbol = doc.add_symbol(symbol_of(outer, declaration(name, role, place)));
    let scope = doc.scopes.push(Scope::new(Some(outer), ScopeKind::Procedure(symbol), place));
    (symbol, scope)
}

/// The graph of the procedure.
fn body(
    doc: &mut Document,
    cfg: &Cfg,
    region: &Region,
    leaves: Option<SymbolId>,
    (outer, scope): (ScopeId, ScopeId),
    place: Place,
) -> Cfg {
    let mut inner = Cfg { structured: cfg.structured, ..Cfg::default() };
    let vertex = |kind| Vertex { kind, place, id: None, recorded: None };
    let entry = inner.push(vertex(VertexKind::Entry(None)));
    let mut first = entry;
    let mut returns = None;
    if let Some(leaves) = leaves {
        let stmts = match region.condition {
            Some(condition) => vec![assign_negated(doc, leaves, condition, place)],
            None => vec![assign_logical(doc, leaves, false, place)],
        };
        let block = inner.push(vertex(VertexKind::BasicBlock { scope, stmts }));
        inner.connect(entry, block);
        first = block;
        if region.condition.is_some() {
            let reference = whole(doc, leaves, place);
            let condition = Some(value_of(doc, reference));
            let kind = VertexKind::Branch { condition, form: BranchForm::InlineIf, name: None };
            let branch = inner.push(vertex(kind));
            let arm = inner.push(vertex(VertexKind::BasicBlock { scope, stmts: Vec::new() }));
            let jump = inner.push(vertex(VertexKind::Goto(Jump::Return)));
            let meet = inner.push(vertex(VertexKind::EndBranch));
            inner.connect(block, branch);
            inner.connect_if(branch, arm, 1);
            inner.connect(arm, jump);
            inner.connect(branch, meet);
            (first, returns) = (meet, Some(jump));
        }
    }
    let mut numbers: HashMap<VertexId, VertexId> = HashMap::new();
    let mut open: Vec<ScopeId> = Vec::new();
    for &old in &region.inside {
        let mut copy = cfg.vertices[old].clone();
        if let VertexKind::BasicBlock { scope: own, stmts } = &mut copy.kind {
            open.extend(stmts.iter().filter_map(|&stmt| match &doc.stmts[stmt].kind {
                StmtKind::OpenScope(open) => Some(open.scope),
                _ => None,
            }));
            if *own == outer {
                *own = scope;
            } else {
                open.push(*own);
            }
        }
        let is_exit = leaving(cfg, region, old);
        if let (true, Some(leaves)) = (is_exit, leaves) {
            let stmts = vec![assign_logical(doc, leaves, true, copy.place)];
            let kind = VertexKind::BasicBlock { scope, stmts };
            let block = inner.push(Vertex { kind, place: copy.place, id: None, recorded: None });
            numbers.insert(old, block);
            copy.kind = VertexKind::Goto(Jump::Return);
            let jump = inner.push(copy);
            inner.connect(block, jump);
            continue;
        }
        if is_cycle(cfg, region, old) {
            copy.kind = VertexKind::Goto(Jump::Return);
        }
        numbers.insert(old, inner.push(copy));
    }
    let exit = inner.push(vertex(VertexKind::Exit));
    if let Some(jump) = returns {
        inner.connect(jump, exit);
    }
    let begin = cfg.edges.values().find(|edge| {
        edge.source == region.head
            && edge.target != region.end
            && numbers.contains_key(&edge.target)
    });
    match begin {
        Some(edge) => inner.connect(first, numbers[&edge.target]),
        None => inner.connect(first, exit),
    };
    for edge in cfg.edges.values() {
        let Some(&source) = numbers.get(&edge.source) else { continue };
        if leaving(cfg, region, edge.source) {
            let jump =
                inner.edges.values().find(|made| made.source == source).map(|made| made.target);
            inner.connect(jump.unwrap_or(source), exit);
            continue;
        }
        let target = numbers.get(&edge.target).copied().unwrap_or(exit);
        inner.edges.push(Edge { source, target, ..edge.clone() });
    }
    for one in open {
        if doc.scopes[one].parent == Some(outer) {
            doc.set_parent(one, Some(scope));
        }
    }
    inner
}

/// Whether a vertex of the body is a jump that leaves the loop.
fn leaving(cfg: &Cfg, region: &Region, vertex: VertexId) -> bool {
    matches!(cfg.vertices[vertex].kind, VertexKind::Goto(Jump::Exit(_) | Jump::Goto))
        && cfg.edges.values().any(|edge| {
            edge.source == vertex
                && edge.target != region.end
                && !region.inside.contains(&edge.target)
        })
}

/// Whether a vertex of the body is a jump to the end of the iteration.
fn is_cycle(cfg: &Cfg, region: &Region, vertex: VertexId) -> bool {
    matches!(cfg.vertices[vertex].kind, VertexKind::Goto(Jump::Cycle(_) | Jump::Goto))
        && cfg.edges.values().any(|edge| edge.source == vertex && edge.target == region.end)
}

/// `leaves = value`
fn assign_logical(doc: &mut Document, leaves: SymbolId, value: bool, place: Place) -> StmtId {
    let lhs = whole(doc, leaves, place);
    let class = ConstantClass::Bool;
    let text = if value { ".true." } else { ".false." };
    let rhs = constant(doc, class, text, Ty::scalar(Base::Logical(4)), place);
    statement(doc, StmtKind::Assign { lhs, rhs, defined: None }, place)
}

/// `leaves = .not. condition`
fn assign_negated(doc: &mut Document, leaves: SymbolId, condition: ExprId, place: Place) -> StmtId {
    let lhs = whole(doc, leaves, place);
    let rhs = boolean(doc, BoolOp::Not, &[condition]);
    statement(doc, StmtKind::Assign { lhs, rhs, defined: None }, place)
}

/// The call, with what is kept.
fn call_of(doc: &mut Document, symbol: SymbolId, checkpoints: Checkpoints, place: Place) -> StmtId {
    let call = SubroutineCall {
        callee: Callee { symbol, generic: None, object: None },
        args: Vec::new(),
        formal_count: Some(0),
        active: None,
    };
    let stmt = statement(doc, StmtKind::Call(Box::new(call)), place);
    doc.stmts[stmt].checkpoints = Some(checkpoints);
    stmt
}

/// Takes the condition out of a DO WHILE, and the way that leaves the loop where it is false; where that leads.
fn without_condition(cfg: &mut Cfg, region: &Region) -> Option<VertexId> {
    region.condition?;
    let name = match &mut cfg.vertices[region.head].kind {
        VertexKind::PreLoop { name, .. } => name.take(),
        _ => None,
    };
    cfg.vertices[region.head].kind = VertexKind::PreLoop { condition: None, name, forever: true };
    let leads_out = |edge: &Edge| {
        edge.source == region.head
            && edge.target != region.end
            && !region.inside.contains(&edge.target)
    };
    let (way, behind) =
        cfg.edges.iter().find(|(_, edge)| leads_out(edge)).map(|(way, edge)| (way, edge.target))?;
    // An edge of a vertex that stands nowhere in the text goes.
    let place = cfg.vertices[region.head].place;
    let nowhere = Vertex { kind: VertexKind::EndBranch, place, id: None, recorded: None };
    let nowhere = cfg.vertices.push(nowhere);
    cfg.edges[way].source = nowhere;
    Some(behind)
}

/// Puts the call, and the way out of the loop, in the place of the body.
fn replace(
    doc: &mut Document,
    cfg: &mut Cfg,
    region: &Region,
    (scope, call, leaves): (ScopeId, StmtId, Option<SymbolId>),
    place: Place,
) {
    let gone: HashSet<VertexId> = region.inside.iter().copied().collect();
    let within = cfg.edges.values().filter(|edge| gone.contains(&edge.source));
    let behind = within
        .filter(|edge| leaving(cfg, region, edge.source))
        .map(|edge| edge.target)
        .find(|target| *target != region.end && !gone.contains(target));
    let behind = behind.or(without_condition(cfg, region));
    let start = cfg
        .edges
        .iter()
        .find(|(_, edge)| edge.source == region.head && gone.contains(&edge.target));
    let start = start.map(|(id, _)| id);
    let vertex = |kind| Vertex { kind, place, id: None, recorded: None };
    let block = cfg.vertices.push(vertex(VertexKind::BasicBlock { scope, stmts: vec![call] }));
    let mut made = vec![block];
    match start {
        Some(start) => cfg.edges[start].target = block,
        None => {
            cfg.connect(region.head, block);
        }
    }
    match leaves.zip(behind) {
        Some((leaves, behind)) => {
            let reference = whole(doc, leaves, place);
            let condition = Some(value_of(doc, reference));
            let kind = VertexKind::Branch { condition, form: BranchForm::InlineIf, name: None };
            let branch = cfg.vertices.push(vertex(kind));
            let arm =
                cfg.vertices.push(vertex(VertexKind::BasicBlock { scope, stmts: Vec::new() }));
            let jump = cfg.vertices.push(vertex(VertexKind::Goto(Jump::Exit(None))));
            let meet = cfg.vertices.push(vertex(VertexKind::EndBranch));
            cfg.connect(block, branch);
            cfg.connect_if(branch, arm, 1);
            cfg.connect(arm, jump);
            cfg.connect(jump, behind);
            cfg.connect(branch, meet);
            cfg.connect(meet, region.end);
            made.extend([branch, arm, jump, meet]);
        }
        None => {
            cfg.connect(block, region.end);
        }
    }
    let position = cfg.layout.iter().position(|&vertex| vertex == region.end).unwrap_or(0);
    cfg.layout.splice(position..position, made).for_each(drop);
    booster_build::keep_vertices(cfg, |vertex| !gone.contains(&vertex));
}
