//! What an innermost loop of the backward sweep adds to one element of an array is summed in a variable.
//!
//! The adjoint of `a(i, k) = a(i, k) - a(i, l)*a(k, l)` in a loop over `i` adds to `ab(i, l)` and to
//! `ab(k, l)`. As far as a compiler knows the second may be one of the first, so it is read and
//! written in each iteration, and each iteration waits for the one before. Sums may be formed in any order
//! (scalar replacement of a reduction; Allen and Kennedy, "Optimizing Compilers for Modern
//! Architectures", sections 5.6.2 and 8.3): the loop adds to a variable that begins with zero, and
//! what it holds at the end is added to the element once.
//!
//! That is done where the loop names other elements of the array as well (a compiler sees the rest),
//! and only adds to those that may be the same one (`apart` tells which are not). The element is named only if the loop
//! has an iteration: else it may be none of the array.

use std::collections::HashSet;

use xaif_schema::model::{
    ArgValue, Base, BranchForm, Cfg, Document, ExprId, ForForm, Part, RefId, ScopeId, StmtId,
    StmtKind, SymbolId, Ty, Vertex, VertexId, VertexKind,
};

use crate::body::Adjoint;
use crate::loops::distribute::step;
use crate::queries::expressions::{first_term, has_rounds, read_by};
use crate::queries::private_scalars::may_be_same;
use crate::queries::temporaries::temporary;
use booster_build::{
    Copier, assign, binary, nodes_of, real, same_reference, subscripts_of, value_of, whole,
};
use booster_facts::Storage;
use booster_facts::dependence::{Range, Seen, apart};
use booster_facts::loops::{Loop, loops, ranges_at};

/// What is known of the variables of a backward sweep.
struct Known<'a> {
    /// The locations of storage.
    storage: &'a Storage,
    /// Integer variables that nobody overwrites.
    settled: &'a HashSet<SymbolId>,
    /// The scope of new variables.
    scope: ScopeId,
    /// What a new variable is called.
    wish: &'a str,
}

/// A reference that an iteration names.
struct Named {
    reference: RefId,
    /// Whether it is what a statement adds to, on either side.
    sum: bool,
}

impl Adjoint<'_> {
    /// Sums in variables what the innermost loops of the backward sweep add to one element.
    pub(crate) fn sum_in_variables(&self, doc: &mut Document, cfg: &mut Cfg) {
        let wish = format!("sum{}", self.tools.suffix);
        let scope = self.scope(doc);
        let known =
            Known { storage: &self.storage, settled: &self.context.invariants, scope, wish: &wish };
        sum_in_variables(doc, cfg, &known);
    }
}

fn sum_in_variables(doc: &mut Document, cfg: &mut Cfg, known: &Known<'_>) {
    let all = loops(doc, cfg);
    let mut made: Vec<(Base, SymbolId)> = Vec::new();
    for found in all.iter().rev() {
        let around = ranges_at(&all, found.head + 1);
        let targets = targets(doc, cfg, found, &around, known);
        let mut used: Vec<SymbolId> = Vec::new();
        for target in targets {
            let Base::Real(_) = doc.refs[target].ty.base else { continue };
            let base = doc.refs[target].ty.base;
            let free = made.iter().find(|(of, symbol)| *of == base && !used.contains(symbol));
            let symbol = match free {
                Some(&(_, symbol)) => symbol,
                None => {
                    let place = doc.refs[target].place;
                    let ty = Ty { base, rank: 0 };
                    let symbol = temporary(doc, known.scope, known.wish, ty, place);
                    made.push((base, symbol));
                    symbol
                }
            };
            used.push(symbol);
            replace(doc, cfg, (found, used.len() - 1), target, symbol, known.scope);
        }
    }
}

/// The block of an innermost loop.
fn block_of(cfg: &Cfg, head: usize) -> Option<VertexId> {
    let &[head, block, end] = cfg.layout.get(head..head + 3)? else { return None };
    let counted =
        matches!(cfg.vertices[head].kind, VertexKind::ForLoop { form: ForForm::Counted, .. });
    let is_block = matches!(cfg.vertices[block].kind, VertexKind::BasicBlock { .. });
    let ends = matches!(cfg.vertices[end].kind, VertexKind::EndLoop);
    (counted && is_block && ends).then_some(block)
}

/// The elements that a loop only adds to and that are the same in each iteration, each once.
fn targets(
    doc: &Document,
    cfg: &Cfg,
    found: &Loop,
    around: &[Range],
    known: &Known<'_>,
) -> Vec<RefId> {
    let Some(block) = block_of(cfg, found.head) else { return Vec::new() };
    let Some(round) = named(doc, cfg.vertices[block].kind.stmts()) else { return Vec::new() };
    let mut written: HashSet<SymbolId> =
        round.written.iter().map(|&lhs| doc.refs[lhs].base).collect();
    written.insert(found.variable);
    let mut targets: Vec<RefId> = Vec::new();
    for &target in &round.sums {
        let known_already = targets.iter().any(|&other| same_reference(doc, other, target));
        if !known_already
            && stays(doc, target, &written)
            && is_summed(doc, &round, target, around, known)
        {
            targets.push(target);
        }
    }
    targets
}

/// What the statements of an iteration name.
#[derive(Default)]
struct Round {
    /// Everything.
    named: Vec<Named>,
    /// What is written.
    written: Vec<RefId>,
    /// What is added to.
    sums: Vec<RefId>,
}

/// `None` where a statement is none that can be looked at.
fn named(doc: &Document, stmts: &[StmtId]) -> Option<Round> {
    let mut round = Round::default();
    for &stmt in stmts {
        if let StmtKind::InlinableCall(call) = &doc.stmts[stmt].kind {
            for arg in &call.args {
                let ArgValue::Expr(value) = arg.value else { return None };
                let all = read_by(doc, value);
                round.written.push(doc.exprs[value].reference()?);
                round
                    .named
                    .extend(all.into_iter().map(|reference| Named { reference, sum: false }));
            }
            continue;
        }
        let step = step(doc, stmt)?;
        let own = first_term(doc, step.rhs).filter(|&own| same_reference(doc, own, step.lhs));
        let mut plain = read_by(doc, step.rhs);
        plain.retain(|&read| Some(read) != own);
        for index in subscripts_of(&doc.refs[step.lhs]) {
            plain.extend(read_by(doc, index));
        }
        round.written.push(step.lhs);
        round.sums.extend(own.map(|_| step.lhs));
        round.named.push(Named { reference: step.lhs, sum: own.is_some() });
        round.named.extend(plain.into_iter().map(|reference| Named { reference, sum: false }));
    }
    Some(round)
}

/// Whether an element has subscripts, which nothing in the loop changes.
fn stays(doc: &Document, target: RefId, written: &HashSet<SymbolId>) -> bool {
    let elements = matches!(&doc.refs[target].parts[..], [Part::Elements(_)]);
    let plain = |index: ExprId| {
        nodes_of(doc, [index]).into_iter().all(|node| {
            doc.exprs[node].reference().is_none_or(|r| {
                doc.refs[r].parts.is_empty() && !written.contains(&doc.refs[r].base)
            })
        })
    };
    elements && subscripts_of(&doc.refs[target]).into_iter().all(plain)
}

/// Whether an iteration does nothing with an element but add to it, and names others of its array.
fn is_summed(
    doc: &Document,
    round: &Round,
    target: RefId,
    around: &[Range],
    known: &Known<'_>,
) -> bool {
    let base = doc.refs[target].base;
    let shared = around.len().saturating_sub(1);
    let seen = |reference| Seen { reference, around };
    let mut others = false;
    for Named { reference, sum } in &round.named {
        let own = doc.refs[*reference].base == base;
        if !own {
            if may_be_same(doc, known.storage, base, doc.refs[*reference].base) {
                return false;
            }
            continue;
        }
        others |= !same_reference(doc, *reference, target);
        if !sum && !apart(doc, seen(target), seen(*reference), shared, known.settled) {
            return false;
        }
    }
    others
}

/// Lets the loop add to `symbol` in the place of `target`.
fn replace(
    doc: &mut Document,
    cfg: &mut Cfg,
    (found, before): (&Loop, usize),
    target: RefId,
    symbol: SymbolId,
    known_scope: ScopeId,
) {
    // Each element before this one has put a block before the loop.
    let head = found.head + before;
    let Some(block) = block_of(cfg, head) else { return };
    let target = Copier::new().reference(doc, target);
    let place = doc.refs[target].place;
    let base = doc.refs[target].ty.base;
    for stmt in cfg.vertices[block].kind.stmts().to_vec() {
        let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { continue };
        let own = first_term(doc, rhs).filter(|_| same_reference(doc, lhs, target));
        for reference in own.into_iter().flat_map(|own| [own, lhs]) {
            let variable = whole(doc, symbol, doc.refs[reference].place);
            doc.refs[reference] = doc.refs[variable].clone();
        }
    }
    let sum = whole(doc, symbol, place);
    let zero = real(doc, "0", base, place);
    let begin = assign(doc, sum, zero, place);
    let element = Copier::new().reference(doc, target);
    let again = Copier::new().reference(doc, target);
    let old = value_of(doc, again);
    let sum = whole(doc, symbol, place);
    let sum = value_of(doc, sum);
    let total = binary(doc, "add_scal_scal", old, sum);
    let end = assign(doc, element, total, place);
    let condition = has_rounds(doc, found);
    let scope = match cfg.vertices[block].kind {
        VertexKind::BasicBlock { scope, .. } => scope,
        _ => known_scope,
    };
    around(cfg, head, [begin, end], condition, scope);
}

/// Puts one statement before the loop and one behind it, that one under a condition.
fn around(cfg: &mut Cfg, at: usize, [begin, end]: [StmtId; 2], condition: ExprId, scope: ScopeId) {
    let head = cfg.layout[at];
    let place = cfg.vertices[head].place;
    let mut vertex = |kind| cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
    let block = |stmt| VertexKind::BasicBlock { scope, stmts: vec![stmt] };
    let first = vertex(block(begin));
    let form = BranchForm::InlineIf;
    let branch = vertex(VertexKind::Branch { condition: Some(condition), form, name: None });
    let arm = vertex(block(end));
    let last = vertex(VertexKind::EndBranch);
    let vertices = &cfg.vertices;
    for edge in cfg.edges.values_mut() {
        if edge.source == head && edge.condition.is_none() {
            edge.source = last;
        } else if edge.target == head && !matches!(vertices[edge.source].kind, VertexKind::EndLoop)
        {
            edge.target = first;
        }
    }
    cfg.connect(first, head);
    cfg.connect(head, branch);
    cfg.connect_if(branch, arm, 1);
    cfg.connect(arm, last);
    cfg.connect(branch, last);
    let behind = at + 3;
    cfg.layout.splice(behind..behind, [branch, arm, last]);
    cfg.layout.insert(at, first);
}
