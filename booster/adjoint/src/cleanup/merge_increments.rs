//! Increments of one adjoint in one block become one statement.
//!
//! `xb(i) = xb(i) + a` and, later in the block, `xb(i) = xb(i) + b` become `xb(i) = xb(i) + a + b`; so do an assignment
//! and an increment, and a zero and an increment become an assignment (Hascoët, Naumann, Pascual, "To be recorded analysis
//! in reverse-mode automatic differentiation", appendix B). The dependence graph of the block decides: what depends on
//! the first statement moves behind the second, unless the second depends on it. So every statement keeps its order to
//! those that read or overwrite the same memory, and each sum keeps the order of its terms.
//!
//! The pass goes from the last statement up and looks for the nearest earlier statement of the same reference. Only
//! adjoints and temporaries of the stage are merged; statements that are no assignments without calls bound the search.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Body, Document, ExprId, ExprKind, ProcId, RefId, StmtId, StmtKind, SymbolId, VertexId,
    VertexKind,
};

use super::aliasing::{Aliasing, Effect, effect, reads};
use super::share_values::{is_temporary, own_blocks};
use super::zero_adjoints::{assign_first, is_zero};
use crate::queries::expressions::first_term;
use booster_build::{nodes_of, same_reference};
use booster_facts::dependence::Range;
use booster_facts::loops::{loops, ranges_at};

/// Over so many statements it looks for the one to merge with.
const WINDOW: usize = 60;
/// No merged right-hand side has more nodes.
const LONGEST: usize = 70;

/// Merges increments in the blocks of `procs` that write `adjoints` or temporaries of the stage.
pub(crate) fn merge_increments(doc: &mut Document, procs: &[ProcId], adjoints: &HashSet<SymbolId>) {
    let aliasing = Aliasing::new(doc);
    for &proc in procs {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        let all = loops(doc, cfg);
        let blocks: Vec<(VertexId, Vec<StmtId>, Vec<Range>)> = own_blocks(doc, cfg, adjoints)
            .into_iter()
            .map(|position| {
                let vertex = cfg.layout[position];
                (vertex, cfg.vertices[vertex].kind.stmts().to_vec(), ranges_at(&all, position))
            })
            .collect();
        for (vertex, stmts, around) in blocks {
            let mut merger = Merger { doc, aliasing: &aliasing, adjoints, around: &around };
            let merged = merger.block(&stmts);
            if let Body::Flow(cfg) = &mut doc.procs[proc].body
                && let VertexKind::BasicBlock { stmts, .. } = &mut cfg.vertices[vertex].kind
            {
                *stmts = merged;
            }
        }
    }
}

/// A statement with what it does to memory.
#[derive(Clone, Debug)]
struct Item {
    stmt: StmtId,
    written: Option<RefId>,
    read: Vec<RefId>,
    /// It uses the tape, whose operations keep their order.
    tape: bool,
}

struct Merger<'a> {
    doc: &'a mut Document,
    aliasing: &'a Aliasing,
    adjoints: &'a HashSet<SymbolId>,
    /// The loops around the block.
    around: &'a [Range],
}

impl Merger<'_> {
    fn block(&mut self, stmts: &[StmtId]) -> Vec<StmtId> {
        let mut out = Vec::with_capacity(stmts.len());
        let mut run: Vec<Item> = Vec::new();
        for &stmt in stmts {
            match self.item(stmt) {
                Some(item) => run.push(item),
                None => {
                    out.extend(self.merged(std::mem::take(&mut run)));
                    out.push(stmt);
                }
            }
        }
        out.extend(self.merged(run));
        out
    }

    /// A statement that others may pass.
    fn item(&self, stmt: StmtId) -> Option<Item> {
        let (written, tape) = match (&self.doc.stmts[stmt].kind, effect(self.doc, stmt)) {
            (StmtKind::Comment(_), _) | (_, Effect::Unknown) => return None,
            (kind, Effect::Writes(written)) => {
                (Some(written), !matches!(kind, StmtKind::Assign { .. }))
            }
            (_, Effect::Nothing) => (None, true),
        };
        Some(Item { stmt, written, read: reads(self.doc, stmt), tape })
    }

    /// The statements of a run in their new order.
    fn merged(&mut self, mut run: Vec<Item>) -> Vec<StmtId> {
        let mut second = run.len();
        while second > 0 {
            second -= 1;
            if let Some(first) = self.partner(&run, second)
                && let Some(next) = self.merge(&mut run, first, second)
            {
                second = next;
            }
        }
        run.into_iter().map(|item| item.stmt).collect()
    }

    /// The nearest statement before an increment that assigns to the same reference.
    fn partner(&self, run: &[Item], second: usize) -> Option<usize> {
        let doc = &*self.doc;
        let target = run[second].written.filter(|_| !run[second].tape)?;
        let symbol = doc.refs[target].base;
        let own = self.adjoints.contains(&symbol) || is_temporary(doc, symbol, self.adjoints);
        let StmtKind::Assign { rhs, .. } = doc.stmts[run[second].stmt].kind else { return None };
        let adds = first_term(doc, rhs).is_some_and(|first| same_reference(doc, first, target));
        let number = doc.refs[target].ty.base.is_continuous();
        // Only the first term is the old value.
        let mut old = run[second].read.iter().filter(|&&read| self.touches(target, read));
        let sum = doc.exprs[rhs].reference().is_none();
        if !own || !adds || !number || !sum || old.nth(1).is_some() {
            return None;
        }
        let earliest = second.saturating_sub(WINDOW);
        (earliest..second).rev().find(|&first| {
            !run[first].tape
                && run[first].written.is_some_and(|other| same_reference(doc, other, target))
        })
    }

    fn touches(&self, written: RefId, read: RefId) -> bool {
        let classes = [written, read].map(|one| self.aliasing.class(self.doc.refs[one].base));
        classes[0] == classes[1] && self.aliasing.touches(self.doc, written, read, self.around)
    }

    /// Whether the second statement must stay behind the first.
    fn depends(&self, second: &Item, first: &Item) -> bool {
        let writes = |one: &Item, other: &Item| {
            one.written.is_some_and(|written| {
                let others = other.read.iter().copied().chain(other.written);
                others.into_iter().any(|read| self.touches(written, read))
            })
        };
        first.tape && second.tape || writes(first, second) || writes(second, first)
    }

    /// Puts the value of the first statement in the place of the first term of the second. The result is the position
    /// behind all that has moved; `None` where they stay apart.
    fn merge(&mut self, run: &mut Vec<Item>, first: usize, second: usize) -> Option<usize> {
        let doc = &*self.doc;
        let [from, to] = [first, second].map(|at| match doc.stmts[run[at].stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => Some((lhs, rhs)),
            _ => None,
        });
        let ((lhs, value), (_, sum)) = (from?, to?);
        let zero = is_zero(doc, value);
        let length = nodes_of(doc, [value, sum]).len();
        if !zero && (length > LONGEST || doc.exprs[value].ty != doc.refs[lhs].ty) {
            return None;
        }
        let mut behind = vec![first];
        for between in first + 1..second {
            let item = &run[between];
            if !behind.iter().any(|&other| self.depends(item, &run[other])) {
                continue;
            }
            if self.depends(&run[second], item) {
                return None;
            }
            behind.push(between);
        }
        if zero {
            assign_first(self.doc, &[run[second].stmt]);
        } else {
            let first_term = innermost(self.doc, sum)?;
            let parens = self.doc.exprs[first_term].parens;
            self.doc.exprs[first_term] = self.doc.exprs[value].clone();
            self.doc.exprs[first_term].parens |= parens;
        }
        let mut moved: HashMap<usize, Item> = HashMap::new();
        for &at in behind.iter().rev() {
            moved.insert(at, run.remove(at));
        }
        let at = second - behind.len();
        run[at] = self.item(run[at].stmt)?;
        let later = behind.iter().skip(1).filter_map(|at| moved.remove(at));
        let later: Vec<Item> = later.collect();
        let next = at + later.len() + 1;
        run.splice(at + 1..at + 1, later);
        Some(next)
    }
}

/// The node of the first term of a sum.
fn innermost(doc: &Document, sum: ExprId) -> Option<ExprId> {
    let mut term = sum;
    while let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[term].kind
        && matches!(&**name, "add_scal_scal" | "sub_scal_scal")
        && let Some(first) = operands.iter().find(|operand| operand.position == 1)
    {
        term = first.expr;
    }
    doc.exprs[term].reference().map(|_| term)
}
