//! Counted loops of a body, and subscripts of the form loop variable plus constant.

use xaif_schema::model::{
    Cfg, Document, ExprId, ExprKind, ForForm, Role, SecondaryMap, StmtId, StmtKind, SymbolId,
    VertexId, VertexKind,
};

use crate::dependence::Range;
use booster_build::constant_integer;

/// A counted loop: positions in the layout, its variable and bounds.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// Position of the loop header in the layout.
    pub head: usize,
    /// Position of the end of the loop in the layout.
    pub end: usize,
    /// Statement that initialises the loop variable.
    pub init: StmtId,
    /// Loop variable.
    pub variable: SymbolId,
    /// First value of the loop variable.
    pub lower: ExprId,
    /// Bound of the loop variable.
    pub upper: ExprId,
    /// Constant step of the loop variable.
    pub step: i64,
    /// Number of the counted loop around it, among those of the body.
    pub outer: Option<usize>,
}

/// The counted loops of a body with a constant step, outer ones first.
pub fn loops(doc: &Document, cfg: &Cfg) -> Vec<Loop> {
    // Where the edge back to each vertex comes from.
    let mut positions: SecondaryMap<VertexId, usize> = SecondaryMap::with_default(usize::MAX);
    for (position, &vertex) in cfg.layout.iter().enumerate() {
        positions[vertex] = position;
    }
    let mut ends: SecondaryMap<VertexId, usize> = SecondaryMap::with_default(usize::MAX);
    for edge in cfg.edges.values() {
        let position = positions[edge.source];
        if matches!(cfg.vertices[edge.source].kind, VertexKind::EndLoop)
            && position >= positions[edge.target]
        {
            ends[edge.target] = ends[edge.target].min(position);
        }
    }
    let mut found: Vec<Loop> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (head, &vertex) in cfg.layout.iter().enumerate() {
        let VertexKind::ForLoop { init, condition, update, form: ForForm::Counted, .. } =
            &cfg.vertices[vertex].kind
        else {
            continue;
        };
        let end = Some(ends[vertex]).filter(|&end| end < cfg.layout.len());
        if let Some(end) = end
            && let Some(one) = counted(doc, head, end, *init, *condition, *update)
        {
            while open.pop_if(|outer| found[*outer].end < head).is_some() {}
            let outer = open.last().copied();
            open.push(found.len());
            found.push(Loop { outer, ..one });
        }
    }
    found
}

fn counted(
    doc: &Document,
    head: usize,
    end: usize,
    init: StmtId,
    condition: ExprId,
    update: StmtId,
) -> Option<Loop> {
    let StmtKind::Assign { lhs, rhs: lower, .. } = doc.stmts[init].kind else { return None };
    let StmtKind::Assign { rhs: next, .. } = doc.stmts[update].kind else { return None };
    let variable = doc.refs[lhs].base;
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[next].kind else { return None };
    let operand = |position: u16| operands.iter().find(|operand| operand.position == position);
    let (base, step) = (offset(doc, operand(1)?.expr)?, constant_integer(doc, operand(2)?.expr)?);
    if &**name != "add_scal_scal" || base != (Some(variable), 0) || step == 0 {
        return None;
    }
    let ExprKind::Boolean { operands, .. } = &doc.exprs[condition].kind else { return None };
    let upper = operands.iter().find(|operand| operand.position == 2)?.expr;
    Some(Loop { head, end, init, variable, lower, upper, step, outer: None })
}

/// The loops around a position, outer ones first.
pub fn ranges_at(all: &[Loop], position: usize) -> Vec<Range> {
    let last = all.partition_point(|one| one.head < position).checked_sub(1);
    let outwards = std::iter::successors(last, |&number| all[number].outer);
    let mut ranges: Vec<Range> = outwards
        .map(|number| &all[number])
        .filter(|one| position <= one.end)
        .map(|one| Range {
            variable: one.variable,
            first: one.lower,
            last: one.upper,
            rising: one.step > 0,
        })
        .collect();
    ranges.reverse();
    ranges
}

/// The loops around one of `all`, the innermost first.
pub fn around<'l>(all: &'l [Loop], one: &Loop) -> impl Iterator<Item = &'l Loop> + use<'l> {
    std::iter::successors(one.outer, |&number| all[number].outer).map(|number| &all[number])
}

/// An index as a variable (or none) and a constant.
pub fn offset(doc: &Document, index: ExprId) -> Option<(Option<SymbolId>, i64)> {
    match &doc.exprs[index].kind {
        ExprKind::Constant(constant) => Some((None, constant.text.parse().ok()?)),
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[*reference];
            let plain = reference.parts.is_empty()
                && reference.ty.rank == 0
                && matches!(doc.role(reference.base), Some(Role::Variable));
            plain.then_some((Some(reference.base), 0))
        }
        ExprKind::Intrinsic { name, operands, .. } => {
            let sign = match &**name {
                "add_scal_scal" => 1,
                "sub_scal_scal" => -1,
                _ => return None,
            };
            let operand = |position: u16| {
                let found = operands.iter().find(|operand| operand.position == position)?;
                offset(doc, found.expr)
            };
            match (operand(1)?, operand(2)?) {
                ((base, a), (None, b)) => Some((base, a.checked_add(sign * b)?)),
                ((None, a), (base, b)) if sign == 1 => Some((base, a.checked_add(b)?)),
                _ => None,
            }
        }
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}
