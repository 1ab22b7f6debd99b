//! Reads values from variables in the place of computing them again.
//!
//! [`Plan`] finds where each value of a block would be computed; [`Rewriter`] goes through the statements in order. The
//! first statement that computes a value leaves it in a variable: in that of its left-hand side, if this keeps the
//! value long enough, else in a temporary. Where the stage has a temporary for the value, its statement moves there.

use std::collections::{HashMap, HashSet};

use xaif_schema::intrinsics;
use xaif_schema::model::{
    Base, BoolOp, Document, ExprId, ExprKind, RefId, ScopeId, StmtId, StmtKind, SymbolId,
};

use super::numbering::{Holder, Number, Numbering, Value, denominator, is_one};
use super::{Mentions, is_rewritten, named_by};
use crate::cleanup::aliasing::{effect, expressions};
use booster_build::{
    Copier, assign, binary, new_variable, nodes_of, real, same_reference, value_of, whole,
};

/// The name of a function's argument goes into that of a temporary up to this length.
const LONGEST_NAME: usize = 16;

/// What is known of the values of a block.
pub(super) struct Plan {
    of: HashMap<ExprId, Number>,
    values: Vec<Value>,
    worth: HashSet<Number>,
    holders: HashMap<Number, Vec<Holder>>,
    /// The statements that compute each value, in order; one that stands within another value only once.
    computed: HashMap<Number, Vec<usize>>,
    /// Temporaries that one statement of the block defines as a value.
    defined: HashMap<Number, Vec<(usize, SymbolId)>>,
    /// The statements of the block that read each of these temporaries, one entry for each time.
    read: HashMap<SymbolId, Vec<usize>>,
    /// Temporaries that other statements than assignments read.
    passed: HashSet<SymbolId>,
    /// The numbers of reciprocals by those of their denominators.
    reciprocals: HashMap<Number, Number>,
    /// Denominators of which two statements of adjoints divide something, or one does twice.
    denominators: HashSet<Number>,
    /// The statements of adjoints: only these may be rounded in another way.
    own: HashSet<usize>,
}

impl Plan {
    pub(super) fn new(
        doc: &Document,
        mut numbering: Numbering<'_>,
        stmts: &[StmtId],
        (mentions, own): (&Mentions, HashSet<usize>),
    ) -> Self {
        let (mut computed, mut defined) = (HashMap::new(), HashMap::new());
        let (mut read, mut passed) = (HashMap::new(), HashSet::new());
        let mut roots: Vec<(usize, ExprId)> = Vec::new();
        for (position, &stmt) in stmts.iter().enumerate() {
            for expr in expressions(doc, stmt) {
                numbering.number(expr);
            }
            let rewritten = is_rewritten(doc, stmt);
            let mut named = named_by(doc, stmt);
            if let (true, StmtKind::Assign { lhs, rhs, .. }) = (rewritten, &doc.stmts[stmt].kind) {
                let symbol = doc.refs[*lhs].base;
                let own = mentions.single.contains(&symbol) && doc.refs[*lhs].parts.is_empty();
                if let (true, Some(&number)) = (own, numbering.of.get(rhs))
                    && doc.refs[*lhs].ty == doc.exprs[*rhs].ty
                {
                    defined.entry(number).or_insert_with(Vec::new).push((position, symbol));
                }
                if let Some(at) = named.iter().position(|&one| one == symbol) {
                    named.swap_remove(at);
                }
                roots.push((position, *rhs));
            }
            for symbol in named.into_iter().filter(|symbol| mentions.single.contains(symbol)) {
                read.entry(symbol).or_insert_with(Vec::new).push(position);
                if !rewritten {
                    passed.insert(symbol);
                }
            }
            numbering.execute(stmt, effect(doc, stmt), position);
        }
        let worth = worth(doc, &numbering, &roots);
        let mut quotients: Vec<(Number, Number)> = Vec::new();
        for (position, root) in roots {
            let mut stack = vec![root];
            while let Some(node) = stack.pop() {
                let number = numbering.of.get(&node).copied().filter(|_| computes(doc, node));
                if let Some(number) = number.filter(|number| worth.contains(number)) {
                    let list: &mut Vec<usize> = computed.entry(number).or_default();
                    list.push(position);
                    let mut holders = numbering.holders.get(&number).into_iter().flatten();
                    let held = holders.any(|one| one.from <= position && position <= one.until);
                    if list.len() > 1 || held {
                        continue;
                    }
                    let quotient = quotient(doc, node).filter(|_| own.contains(&position));
                    let divisor = quotient.and_then(|(_, divisor)| numbering.of.get(&divisor));
                    let divisor = divisor.filter(|&&divisor| !numbering.values[divisor].constant);
                    quotients.extend(divisor.map(|&divisor| (number, divisor)));
                }
                stack.extend(operands_of(doc, node));
            }
        }
        let mut divided: HashMap<Number, usize> = HashMap::new();
        for (number, divisor) in quotients {
            let once = computed.get(&number).is_some_and(|at| at.len() == 1);
            *divided.entry(divisor).or_default() += usize::from(once);
        }
        divided.retain(|_, count| *count > 1);
        let denominators = divided.into_keys().collect();
        let Numbering { of, values, holders, reciprocals, .. } = numbering;
        Plan {
            of,
            values,
            worth,
            holders,
            computed,
            defined,
            read,
            passed,
            reciprocals,
            denominators,
            own,
        }
    }

    /// Whether each value is computed once.
    pub(super) fn is_empty(&self) -> bool {
        let divides = self.denominators.is_empty()
            && self.reciprocals.values().all(|number| !self.holders.contains_key(number));
        divides
            && self.computed.iter().all(|(number, at)| {
                let held = self.holders.get(number).into_iter().flatten();
                at.len() < 2 && held.into_iter().all(|one| at.iter().all(|&at| one.from > at))
            })
    }
}

/// The values that are worth a variable wherever they are computed.
fn worth(doc: &Document, numbering: &Numbering<'_>, roots: &[(usize, ExprId)]) -> HashSet<Number> {
    let (mut worth, mut light) = (HashSet::new(), HashSet::new());
    let mut stack: Vec<ExprId> = roots.iter().map(|&(_, root)| root).collect();
    while let Some(node) = stack.pop() {
        if let (true, Some(&number)) = (computes(doc, node), numbering.of.get(&node)) {
            let list = if numbering.is_worth(node) { &mut worth } else { &mut light };
            list.insert(number);
        }
        stack.extend(operands_of(doc, node));
    }
    worth.difference(&light).copied().collect()
}

/// The numerator and the denominator of a quotient.
fn quotient(doc: &Document, node: ExprId) -> Option<(ExprId, ExprId)> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[node].kind else { return None };
    denominator(doc, name, operands, doc.exprs[node].ty)
}

/// Whether a node is an operation.
fn computes(doc: &Document, node: ExprId) -> bool {
    match &doc.exprs[node].kind {
        ExprKind::Intrinsic { .. } | ExprKind::Boolean { .. } => true,
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    }
}

/// The operands in which values are looked for, from the last to the first. A compiler need not evaluate the second
/// operand of `.and.` and `.or.`.
fn operands_of(doc: &Document, node: ExprId) -> Vec<ExprId> {
    match &doc.exprs[node].kind {
        ExprKind::Boolean { op: BoolOp::And | BoolOp::Or, operands } => {
            operands.iter().take(1).map(|operand| operand.expr).collect()
        }
        ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
            operands.iter().rev().map(|operand| operand.expr).collect()
        }
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => Vec::new(),
    }
}

/// What is left to do with an expression.
enum Work {
    /// Look at this node; its value may be rounded in another way, or not.
    Look(ExprId, bool),
    Emit(StmtId),
}

/// Writes the statements of a block anew.
pub(super) struct Rewriter<'a> {
    doc: &'a mut Document,
    scope: ScopeId,
    plan: Plan,
    mentions: &'a mut Mentions,
    /// How often each value has been come across.
    met: HashMap<Number, usize>,
    /// Positions of statements whose temporary is defined before.
    moved: HashSet<usize>,
    /// What is read in the place of temporaries.
    renamed: HashMap<SymbolId, RefId>,
    /// The new statements.
    out: Vec<StmtId>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        doc: &'a mut Document,
        scope: ScopeId,
        plan: Plan,
        mentions: &'a mut Mentions,
    ) -> Self {
        let (met, moved) = (HashMap::new(), HashSet::new());
        let (renamed, out) = (HashMap::new(), Vec::new());
        Rewriter { doc, scope, plan, mentions, met, moved, renamed, out }
    }

    pub(super) fn run(mut self, stmts: &[StmtId]) -> Vec<StmtId> {
        for (position, &stmt) in stmts.iter().enumerate() {
            if self.moved.contains(&position) {
                self.mentions.gone.insert(stmt);
                continue;
            }
            let stays = !is_rewritten(self.doc, stmt) || self.assignment(position, stmt);
            if stays {
                self.out.push(stmt);
            } else {
                self.mentions.gone.insert(stmt);
            }
        }
        self.out
    }

    /// Writes an assignment anew; tells whether it stays.
    fn assignment(&mut self, position: usize, stmt: StmtId) -> bool {
        let StmtKind::Assign { lhs, rhs, .. } = self.doc.stmts[stmt].kind else { return true };
        let mut work = vec![Work::Look(rhs, self.plan.own.contains(&position))];
        let mut source = None;
        while let Some(next) = work.pop() {
            let (node, own) = match next {
                Work::Emit(stmt) => {
                    self.out.push(stmt);
                    continue;
                }
                Work::Look(node, own) => (node, own),
            };
            let inside = |doc: &Document, node: ExprId, own: bool| {
                operands_of(doc, node).into_iter().map(move |part| Work::Look(part, own))
            };
            if self.rename(node) {
                continue;
            }
            let number = self.plan.of.get(&node).copied().filter(|_| computes(self.doc, node));
            let Some(number) = number.filter(|number| self.plan.worth.contains(number)) else {
                work.extend(inside(self.doc, node, own));
                continue;
            };
            let met = self.met.entry(number).or_default();
            *met += 1;
            let again = self.plan.computed.get(&number).is_some_and(|at| at.len() > *met);
            if let Some(holder) = self.holder(number, position) {
                if node == rhs {
                    source = Some(holder);
                }
                self.read_from(node, holder.reference);
            } else if again && self.may_be_kept(number, (position, node == rhs)) {
                let (value, stmt) = self.keep(number, node, position);
                // Statements of the program may share it, whose values stay what they are.
                let at = self.plan.computed.get(&number).into_iter().flatten();
                let own = own && at.into_iter().all(|at| self.plan.own.contains(at));
                work.push(Work::Emit(stmt));
                work.extend(inside(self.doc, value, own));
            } else if let Some((numerator, new)) = self.multiplied((node, own), position) {
                work.push(Work::Look(numerator, own));
                if let Some((divisor, stmt)) = new {
                    work.push(Work::Emit(stmt));
                    work.push(Work::Look(divisor, own));
                }
            } else {
                work.extend(inside(self.doc, node, own));
            }
        }
        source.is_none_or(|source| self.is_needed(lhs, source))
    }

    /// Reads another variable in the place of a temporary.
    fn rename(&mut self, node: ExprId) -> bool {
        let Some(reference) = self.doc.exprs[node].reference() else { return false };
        let Some(&other) = self.renamed.get(&self.doc.refs[reference].base) else { return false };
        self.read_from(node, other);
        true
    }

    fn read_from(&mut self, node: ExprId, reference: RefId) {
        let copy = Copier::new().reference(self.doc, reference);
        for symbol in self.named(copy) {
            *self.mentions.named.entry(symbol).or_default() += 1;
        }
        let value = value_of(self.doc, copy);
        self.doc.exprs[node] = self.doc.exprs[value].clone();
    }

    fn named(&self, reference: RefId) -> Vec<SymbolId> {
        let nodes = nodes_of(self.doc, booster_build::subscripts_of(&self.doc.refs[reference]));
        let inner = nodes.into_iter().filter_map(|node| self.doc.exprs[node].reference());
        inner.chain([reference]).map(|one| self.doc.refs[one].base).collect()
    }

    /// A variable that holds a value at this statement. What was renamed is no variable any more.
    fn holder(&self, number: Number, position: usize) -> Option<Holder> {
        let holders = self.plan.holders.get(&number)?;
        let fits = |one: &&Holder| {
            one.from <= position
                && position <= one.until
                && !self.renamed.contains_key(&self.doc.refs[one.reference].base)
        };
        holders.iter().find(fits).copied()
    }

    /// Whether a temporary is wanted for a value that is computed again: not where the left-hand side keeps it.
    fn may_be_kept(&self, number: Number, (position, is_root): (usize, bool)) -> bool {
        let last = self.plan.computed.get(&number).and_then(|at| at.last()).copied().unwrap_or(0);
        let holders = self.plan.holders.get(&number).into_iter().flatten();
        let held = holders.into_iter().any(|one| one.from == position + 1 && one.until >= last);
        let ty = self.plan.values[number].ty;
        let known = !matches!(ty.base, Base::Real(0) | Base::Complex(0) | Base::Logical(0));
        ty.rank == 0 && known && !(is_root && held)
    }

    /// A temporary for the value of `node`, which reads it; the result is the value and the statement.
    fn keep(&mut self, number: Number, node: ExprId, position: usize) -> (ExprId, StmtId) {
        let place = self.doc.exprs[node].place;
        let base = self.plan.values[number].ty.base;
        let symbol = match self.later(number, position) {
            Some((at, symbol)) => {
                self.moved.insert(at);
                symbol
            }
            None => {
                let wish = wish(self.doc, node);
                new_variable(self.doc, self.scope, &wish, base, place)
            }
        };
        let mut value = self.doc.exprs[node].clone();
        value.parens = false;
        let value = self.doc.exprs.push(value);
        let target = whole(self.doc, symbol, place);
        let stmt = assign(self.doc, target, value, place);
        self.read_from(node, target);
        let holder = Holder { reference: target, from: position, until: usize::MAX };
        self.plan.holders.entry(number).or_default().insert(0, holder);
        (value, stmt)
    }

    /// Makes a product with a reciprocal of a quotient in the adjoint of a statement: with one that is there, or with a
    /// new one where the divisor divides more. The result is the numerator, and the divisor with the statement that
    /// computes the reciprocal where that is new.
    fn multiplied(
        &mut self,
        (node, own): (ExprId, bool),
        position: usize,
    ) -> Option<(ExprId, Option<(ExprId, StmtId)>)> {
        if !own {
            return None;
        }
        let (numerator, divisor) = quotient(self.doc, node)?;
        let number = *self.plan.of.get(&divisor)?;
        let (place, base) = (self.doc.exprs[node].place, self.doc.exprs[divisor].ty.base);
        let there = self.plan.reciprocals.get(&number).copied();
        let holder = there.and_then(|there| self.holder(there, position));
        let (reference, new) = match holder {
            Some(holder) => (holder.reference, None),
            None if self.plan.denominators.contains(&number) => {
                let symbol = new_variable(self.doc, self.scope, "reciprocal", base, place);
                let one = match is_one(self.doc, numerator) {
                    true => Copier::new().expr(self.doc, numerator),
                    false => real(self.doc, "1", base, place),
                };
                let value = binary(self.doc, "div_scal_scal", one, divisor);
                let target = whole(self.doc, symbol, place);
                let stmt = assign(self.doc, target, value, place);
                let reciprocal = match there {
                    Some(there) => there,
                    None => {
                        self.plan.values.push(self.plan.values[number]);
                        self.plan.values.len() - 1
                    }
                };
                self.plan.reciprocals.insert(number, reciprocal);
                let holder = Holder { reference: target, from: position, until: usize::MAX };
                self.plan.holders.entry(reciprocal).or_default().insert(0, holder);
                (target, Some((divisor, stmt)))
            }
            None => return None,
        };
        let copy = Copier::new().reference(self.doc, reference);
        for symbol in self.named(copy) {
            *self.mentions.named.entry(symbol).or_default() += 1;
        }
        let factor = value_of(self.doc, copy);
        let product = match is_one(self.doc, numerator) {
            true => factor,
            false => binary(self.doc, "mul_scal_scal", numerator, factor),
        };
        let parens = self.doc.exprs[node].parens;
        self.doc.exprs[node] = self.doc.exprs[product].clone();
        self.doc.exprs[node].parens = parens;
        Some((numerator, new))
    }

    /// A temporary that a later statement defines as the value.
    fn later(&self, number: Number, position: usize) -> Option<(usize, SymbolId)> {
        let defined = self.plan.defined.get(&number)?;
        let fits = |&&(at, symbol): &&(usize, SymbolId)| {
            let mut read = self.plan.read.get(&symbol).into_iter().flatten();
            at > position && read.all(|&read| read > at)
        };
        defined.iter().find(fits).copied()
    }

    /// Whether an assignment that copies from a variable is needed: not where that can be read in its place.
    fn is_needed(&mut self, lhs: RefId, source: Holder) -> bool {
        if same_reference(self.doc, lhs, source.reference) {
            return false;
        }
        let symbol = self.doc.refs[lhs].base;
        let read = self.plan.read.get(&symbol).map(Vec::as_slice).unwrap_or_default();
        let renamed = self.mentions.single.contains(&symbol)
            && self.doc.refs[lhs].parts.is_empty()
            && self.mentions.named.get(&symbol) == Some(&(read.len() + 1))
            && read.iter().all(|&at| at <= source.until)
            && !self.plan.passed.contains(&symbol);
        if renamed {
            self.renamed.insert(symbol, source.reference);
        }
        !renamed
    }
}

/// What a new variable is called: after the operation, and after the argument of a function where that is a variable.
fn wish(doc: &Document, node: ExprId) -> String {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[node].kind else {
        return "mask".into();
    };
    let first = operands.first().map(|first| first.expr);
    let is_one = first.is_some_and(|first| match &doc.exprs[first].kind {
        ExprKind::Constant(constant) => constant.text.trim_end_matches(['0', '.', 'd']) == "1",
        _ => false,
    });
    let fixed = match &**name {
        "div_scal_scal" if is_one => "reciprocal",
        "div_scal_scal" => "quotient",
        "pow_scal_scal" => "power",
        "mul_scal_scal" => "product",
        "add_scal_scal" | "sub_scal_scal" => "total",
        "minus_scal" => "negative",
        "merge" => "choice",
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.into();
    }
    let function = intrinsics::by_xaif(name).map_or("function", |row| row.fortran);
    let argument = first.filter(|_| operands.len() == 1);
    let argument = argument.and_then(|first| doc.exprs[first].reference());
    match argument.map(|reference| doc.name(doc.refs[reference].base)) {
        Some(variable) if variable.len() <= LONGEST_NAME => format!("{function}_{variable}"),
        Some(_) | None => format!("{function}_value"),
    }
}
