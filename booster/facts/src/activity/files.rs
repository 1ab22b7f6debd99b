//! Values that the program writes to a file or string and reads back: what READ gives is constant to a
//! derivative, so that a dependence is cut here. Whoever asks for the derivative is told.
//!
//! A file is known by its unit. A unit that a variable gives may be any; standard input and output
//! are not the same. Whether a WRITE comes before the READ is not looked at.

use std::collections::BTreeMap;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Access, Base, Cfg, Document, EntityRef, ExprId, ExprKind, Marker, Piece as Text, ProcId,
    StmtId, StmtKind, SymbolId, Verb, VertexKind,
};

use super::equations::StepId;
use super::program::{Carrier, Piece, Program};
use super::solve::{Solution, Solved};
use booster_build::nodes_of;

/// Where values go to, or come from.
#[derive(Clone, PartialEq, Eq)]
enum Unit {
    /// Standard input and output.
    Standard,
    /// A number that is written there.
    Number(String),
    /// A string.
    Internal(SymbolId),
    /// What an expression gives.
    Computed,
}

impl Unit {
    fn may_be(&self, other: &Unit) -> bool {
        match (self, other) {
            (Unit::Standard, _) | (_, Unit::Standard) => false,
            (Unit::Internal(_), _) | (_, Unit::Internal(_)) => self == other,
            (Unit::Number(_), Unit::Number(_)) => self == other,
            (Unit::Computed, _) | (_, Unit::Computed) => true,
        }
    }
}

/// Warns where numbers are read from where what is varied is written.
pub(super) fn read_back(program: &Program<'_>, solution: &Solution) -> Diagnostics {
    let doc = program.doc;
    let mut written: Vec<(Unit, StmtId)> = Vec::new();
    let mut read: BTreeMap<StmtId, Unit> = BTreeMap::new();
    for proc in doc.procs.keys() {
        let solved = solution.solved.get(proc.index()).and_then(Option::as_ref);
        let Some((solved, cfg)) = solved.zip(program.cfg(proc)) else { continue };
        for (stmt, marker) in transfers(doc, cfg) {
            let Some((is_input, unit)) = unit_of(doc, marker) else { continue };
            if is_input && gives_numbers(program, proc, stmt) {
                read.insert(stmt, unit);
            } else if !is_input && takes_varied(program, solved, marker) {
                written.push((unit, stmt));
            }
        }
    }
    let told = |(&stmt, unit): (&StmtId, &Unit)| {
        let (_, source) = written.iter().find(|(other, _)| other.may_be(unit))?;
        let line = doc.stmts[*source].place.line;
        let message = format!(
            "what is read here is a constant to the derivative, but the program may have written it, \
             in line {line}, where it has a derivative"
        );
        let help = "keep in a variable what is read back; the derivative is right if something else is read";
        let place = doc.spot(doc.stmts[stmt].place);
        Some(Diagnostic::warning(Code::READ_IS_PASSIVE, place, message).with_help(help))
    };
    read.iter().filter_map(told).collect()
}

/// READ, WRITE and PRINT statements.
fn transfers<'d>(doc: &'d Document, cfg: &'d Cfg) -> impl Iterator<Item = (StmtId, &'d Marker)> {
    let stmts = cfg.vertices.values().flat_map(|vertex| match &vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.as_slice(),
        _ => &[],
    });
    stmts.filter_map(|&stmt| match &doc.stmts[stmt].kind {
        StmtKind::Marker(marker) if marker.verb == Verb::Io => Some((stmt, &**marker)),
        _ => None,
    })
}

/// Whether it is input, and from where or to where it goes; `None` for OPEN and the like.
fn unit_of(doc: &Document, marker: &Marker) -> Option<(bool, Unit)> {
    let Some(Text::Text(first)) = marker.text.first() else { return None };
    let begin: String =
        first.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let (is_input, rest) = match begin.strip_prefix("read") {
        Some(rest) => (true, rest),
        None => (false, begin.strip_prefix("write").or_else(|| begin.strip_prefix("print"))?),
    };
    let Some(inside) = rest.strip_prefix('(') else { return Some((is_input, Unit::Standard)) };
    let inside = inside.strip_prefix("unit=").unwrap_or(inside);
    let unit = match (inside.split([',', ')']).next(), marker.text.get(1)) {
        (Some("*"), _) => Unit::Standard,
        (Some(""), Some(&Text::Operand(operand))) => given(doc, marker.operands.get(operand)?.expr),
        _ => Unit::Computed,
    };
    Some((is_input, unit))
}

/// The unit that an expression gives.
fn given(doc: &Document, expr: ExprId) -> Unit {
    match (&doc.exprs[expr].kind, doc.exprs[expr].ty.base) {
        (ExprKind::Constant(number), _) => Unit::Number(number.text.to_string()),
        (ExprKind::Ref(reference), Base::Character(_)) => Unit::Internal(doc.refs[*reference].base),
        _ => Unit::Computed,
    }
}

/// Whether numbers are read. Whether they matter is not known: what is not varied counts as
/// useful for nothing.
fn gives_numbers(program: &Program<'_>, proc: ProcId, stmt: StmtId) -> bool {
    let body = program.body(proc);
    let pieces = body.and_then(|body| body.steps.get(&StepId::Stmt(stmt)));
    pieces.into_iter().flatten().any(|piece| match piece {
        Piece::Plain(plain) => plain.writes.iter().any(|write| !write.targets.is_empty()),
        Piece::Call(_) => false,
    })
}

/// Whether something that is written is varied anywhere in the procedure.
fn takes_varied(program: &Program<'_>, solved: &Solved, marker: &Marker) -> bool {
    let doc = program.doc;
    let items = marker.operands.iter().filter(|operand| operand.access == Access::Read);
    let nodes = nodes_of(doc, items.map(|operand| operand.expr));
    let carriers: Vec<Carrier> = nodes
        .into_iter()
        .filter_map(|node| doc.exprs[node].reference())
        .flat_map(|reference| program.storage.locations_of(doc, reference))
        .filter(|&unit| program.storage.locations()[unit].continuous)
        .map(Carrier::Location)
        .collect();
    !carriers.is_empty()
        && solved
            .around
            .values()
            .flatten()
            .any(|around| solved.frame.any_in(&carriers, &around.varied))
}
