//! Writes exchanges of time levels.

use std::collections::HashMap;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Callee, Cfg, Dim, Document, Part, Place, ProcClass, ProcId,
    ProcSort, ProcedureInfo, Role, ScopeId, StmtId, StmtKind, SubroutineCall, Subscript, Symbol,
    SymbolId, Ty, Vertex, VertexId, VertexKind,
};

use super::{Copy, drop_replaced};
use crate::call_modes::targets::allocate_first;
use crate::queries::temporaries::temporary;
use booster_build::{assign, statement, value_of, whole};
use booster_shadow::derivative::{declaration, symbol};

/// The intrinsic subroutine that exchanges memory.
pub(crate) const MOVE: &str = "move_alloc";

/// Makes the arrays of copies allocatable, and the copies exchanges.
pub(crate) fn exchange(doc: &mut Document, proc: ProcId, copies: &[Copy]) {
    let scope = doc.procs[proc].scope;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
    let mut cfg = std::mem::take(cfg);
    let mut levels = Vec::new();
    for copy in copies {
        let place = cfg.vertices[copy.outer].place;
        let moves = move_symbol(doc, place);
        let (mut first, mut swaps) = (Vec::new(), HashMap::new());
        for &(stmt, kept, next) in &copy.pairs {
            let level = level_like(doc, scope, kept, &mut levels);
            first.push(same_rim(doc, kept, next, place));
            let swap = [(kept, level), (next, kept), (level, next)];
            let swap = swap.map(|(from, to)| moved(doc, moves, from, to, place));
            swaps.insert(stmt, swap.to_vec());
        }
        in_place_of(&mut cfg, copy, &swaps);
        before(&mut cfg, copy.outer, first, scope);
    }
    drop_replaced(&mut cfg);
    doc.procs[proc].body = Body::Flow(cfg);
    let pairs = copies.iter().flat_map(|copy| &copy.pairs);
    let symbols: Vec<SymbolId> = pairs.flat_map(|&(_, kept, next)| [kept, next]).collect();
    // What is written first stands behind what is written later.
    for &symbol in symbols.iter().rev() {
        allocate_first(doc, proc, symbol);
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Allocatable);
            decl.dims.iter_mut().for_each(|dim| *dim = Dim::Deferred);
        }
        doc.symbols[symbol].bounds.clear();
    }
}

/// The variable by way of which levels like this one change places: one for each type and rank.
fn level_like(
    doc: &mut Document,
    scope: ScopeId,
    kept: SymbolId,
    levels: &mut Vec<(Ty, SymbolId)>,
) -> SymbolId {
    let decl = doc.symbols[kept].decl.as_deref();
    let (base, place) =
        decl.map_or((Base::Unknown, Place::default()), |decl| (decl.spec.base(), decl.place));
    let ty = Ty { base, rank: doc.symbols[kept].rank.unwrap_or(0) };
    if let Some(&(_, level)) = levels.iter().find(|(of, _)| *of == ty) {
        return level;
    }
    let level = temporary(doc, scope, "level", ty, place);
    levels.push((ty, level));
    level
}

/// `un(:, :) = u`: as a section, which keeps its shape.
fn same_rim(doc: &mut Document, kept: SymbolId, next: SymbolId, place: Place) -> StmtId {
    let (target, value) = (whole(doc, next, place), whole(doc, kept, place));
    let rank = usize::from(doc.symbols[next].rank.unwrap_or(0));
    let all = Subscript::Section { lower: None, upper: None, stride: None };
    doc.refs[target].parts.push(Part::Elements(vec![all; rank]));
    let value = value_of(doc, value);
    assign(doc, target, value, place)
}

/// `call move_alloc(from, to)`
pub(crate) fn moved(
    doc: &mut Document,
    callee: SymbolId,
    from: SymbolId,
    to: SymbolId,
    place: Place,
) -> StmtId {
    let args = [from, to].into_iter().zip(1..).map(|(symbol, position)| {
        let reference = whole(doc, symbol, place);
        Arg { position, keyword: None, value: ArgValue::Expr(value_of(doc, reference)) }
    });
    let args = args.collect();
    let callee = Callee { symbol: callee, generic: None, object: None };
    let call = SubroutineCall { callee, args, formal_count: None, active: Some(false) };
    statement(doc, StmtKind::Call(Box::new(call)), place)
}

/// The symbol of the intrinsic subroutine, as the front end makes it.
pub(crate) fn move_symbol(doc: &mut Document, place: Place) -> SymbolId {
    let id = format!("intrinsic {MOVE}");
    if let Some((known, _)) = doc.symbols.iter().find(|(_, symbol)| symbol.id == id) {
        return known;
    }
    let scope = doc.scopes.iter().find(|(_, scope)| scope.parent.is_none()).map(|(id, _)| id);
    let role = Role::Procedure(ProcedureInfo {
        sort: ProcSort::Subroutine,
        class: ProcClass::Intrinsic,
        proc: None,
        interface: None,
        pass: None,
    });
    let decl = declaration(MOVE.into(), role, place);
    let scope = scope.unwrap_or(ScopeId::from_u32(0));
    doc.add_symbol(Symbol { id, ..symbol(scope, decl) })
}

/// Puts statements in the place of a copy, and of the loops around it.
fn in_place_of(cfg: &mut Cfg, copy: &Copy, swaps: &HashMap<StmtId, Vec<StmtId>>) {
    let at = |vertex: VertexId| cfg.layout.iter().position(|&other| other == vertex);
    let (Some(head), Some(end)) = (at(copy.first), at(copy.last)) else { return };
    let gone: Vec<VertexId> = cfg.layout[head..=end].to_vec();
    let holds = |vertex: &&VertexId| match &cfg.vertices[**vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.iter().any(|stmt| swaps.contains_key(stmt)),
        _ => false,
    };
    let Some(&block) = gone.iter().find(holds) else { return };
    if let VertexKind::BasicBlock { stmts, .. } = &mut cfg.vertices[block].kind {
        let new = stmts.iter().map(|stmt| swaps.get(stmt).cloned().unwrap_or(vec![*stmt]));
        *stmts = new.flatten().collect();
    }
    if copy.first == copy.last {
        return;
    }
    let mut behind = None;
    for edge in cfg.edges.values_mut() {
        let inside = gone.contains(&edge.source);
        if edge.source == copy.first && !gone.contains(&edge.target) {
            behind = Some(edge.target);
        } else if edge.target == copy.first && !inside {
            edge.target = block;
        } else if edge.source == block {
            // The way round the loops; its end goes, and so does the edge.
            edge.target = copy.last;
        }
    }
    if let Some(behind) = behind {
        cfg.connect(block, behind);
    }
    cfg.layout.splice(head..=end, [block]);
}

/// Puts statements before a loop.
fn before(cfg: &mut Cfg, head: VertexId, stmts: Vec<StmtId>, scope: ScopeId) {
    let place = cfg.vertices[head].place;
    let kind = VertexKind::BasicBlock { scope, stmts };
    let block = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
    let vertices = &cfg.vertices;
    for edge in cfg.edges.values_mut() {
        if edge.target == head && !matches!(vertices[edge.source].kind, VertexKind::EndLoop) {
            edge.target = block;
        }
    }
    cfg.connect(block, head);
    if let Some(at) = cfg.layout.iter().position(|&vertex| vertex == head) {
        cfg.layout.insert(at, block);
    }
}
