//! The backward sweep: the operations of all levels, written as a body.

use std::collections::HashMap;

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Arg, ArgValue, Base, BoolOp, BranchForm, CaseRange, Cfg, Document, Edge, ExprId, Guard,
    InlinableCall, ProcId, ScopeId, SecondaryMap, StmtId, StmtKind, SymbolId, Ty, Vertex, VertexId,
    VertexKind,
};

use xaif_schema::tape::NO_ACTION;

use super::arms::{self, Opened};
use super::code::{Op, Test, code};
use super::loops::{Known, Last, Rounds};
use super::plan::{Choice, Plan};
use super::tree::{Arm, Tree};
use super::{Checkpointed, Sweeps, tape};
use booster_build::{
    Copier, Emitter, binary, boolean, constant_integer, integer, intrinsic, negate, promote,
    scopes_at, sum, value_of, whole,
};

/// What is still to be written, the last first.
enum Task {
    Op(usize, Op),
    Level(usize),
    Else,
    EndIf,
    Case(Guard),
    EndSelect,
    /// An arm of SELECT TYPE or SELECT RANK, told by its scope.
    Arm(ScopeId),
    EndArm(ScopeId),
    /// The end of such a construct, which stands in this scope.
    EndArms(ScopeId),
    /// The end of a construct with one such arm.
    EndOnly(ScopeId, ScopeId),
    EndDo,
    /// The end of the loop over the actions of checkpoints.
    EndActions(Checkpointed),
    Backward(StmtId),
}

/// Makes the backward sweep. Beside it: what assigns the first value in each loop over values, by
/// construct.
pub(super) fn backward(
    doc: &mut Document,
    proc: ProcId,
    original: &Cfg,
    tree: &Tree,
    plan: &Plan,
    sweeps: &mut dyn Sweeps,
) -> Result<(Cfg, Vec<(usize, StmtId)>), Diagnostic> {
    let (scope, place) = (doc.procs[proc].scope, doc.procs[proc].place);
    let mut cfg = Cfg::default();
    let opened = Opened {
        arms: arms::arms(doc, original),
        narrowed: sweeps.narrowed(),
        ..Opened::default()
    };
    let scopes = scopes_at(doc, original, scope);
    let e = Emitter::fresh(doc, scope, &mut cfg, place);
    let labels = HashMap::new();
    let loops = Vec::new();
    let mut writer = Writer { e, original, tree, plan, sweeps, labels, opened, scopes, loops };
    let mut tasks = vec![Task::Level(0)];
    while let Some(task) = tasks.pop() {
        writer.task(task, &mut tasks)?;
    }
    let loops = writer.loops;
    writer.e.finish();
    settle(doc, &mut cfg);
    Ok((cfg, loops))
}

/// A call in the backward sweep that passes labels for alternate returns goes on behind it, however
/// it returns: the sweep knows from the tape where control came from.
fn settle(doc: &Document, cfg: &mut Cfg) {
    for vertex in std::mem::take(&mut cfg.layout) {
        cfg.layout.push(vertex);
        let mut block = vertex;
        loop {
            let place = cfg.vertices[block].place;
            let VertexKind::BasicBlock { scope, stmts } = &mut cfg.vertices[block].kind else {
                break;
            };
            let scope = *scope;
            let returns = stmts.iter().map(|&stmt| alternates(doc, stmt));
            let Some((at, labels)) = returns.enumerate().find(|(_, labels)| !labels.is_empty())
            else {
                break;
            };
            let rest = stmts.split_off(at + 1);
            let kind = VertexKind::Label { label: None };
            let label = cfg.push(Vertex { kind, place, id: None, recorded: None });
            let kind = VertexKind::BasicBlock { scope, stmts: rest };
            let behind = cfg.push(Vertex { kind, place, id: None, recorded: None });
            for edge in cfg.edges.values_mut().filter(|edge| edge.source == block) {
                edge.source = behind;
            }
            cfg.connect(block, label);
            for number in labels {
                cfg.connect_if(block, label, number);
            }
            cfg.connect(label, behind);
            block = behind;
        }
    }
}

/// The numbers of the alternate returns that a call passes.
fn alternates(doc: &Document, stmt: StmtId) -> Vec<i64> {
    let StmtKind::Call(call) = &doc.stmts[stmt].kind else { return Vec::new() };
    let number = |arg: &Arg| match arg.value {
        ArgValue::AlternateReturn(number) => Some(number),
        ArgValue::Expr(_) => None,
    };
    call.args.iter().filter_map(number).collect()
}

struct Writer<'a> {
    e: Emitter<'a>,
    original: &'a Cfg,
    tree: &'a Tree,
    plan: &'a Plan,
    sweeps: &'a mut dyn Sweeps,
    labels: HashMap<(usize, usize), VertexId>,
    opened: Opened,
    /// The scope that stands at each vertex.
    scopes: SecondaryMap<VertexId, ScopeId>,
    /// The loops over values that are written, by construct: what assigns their first values.
    loops: Vec<(usize, StmtId)>,
}

impl Writer<'_> {
    fn task(&mut self, task: Task, tasks: &mut Vec<Task>) -> Result<(), Diagnostic> {
        match task {
            Task::Level(level) => {
                let ops = code(self.plan, level, self.tree.levels[level].construct);
                tasks.extend(ops.into_iter().rev().map(|op| Task::Op(level, op)));
            }
            Task::Op(level, op) => self.op(level, op, tasks)?,
            Task::Else => self.e.open_else(),
            Task::EndIf => self.e.close_if(),
            Task::Case(guard) => self.e.open_case(guard),
            Task::EndSelect => self.e.close_select(),
            Task::Arm(scope) => self.opened.arm(&mut self.e, scope),
            Task::EndArm(scope) => self.opened.end_arm(&mut self.e, scope),
            Task::EndArms(outer) => {
                self.e.scope = outer;
                self.e.close_select();
            }
            Task::EndOnly(scope, outer) => self.opened.end_select(&mut self.e, scope, outer),
            Task::EndDo => self.e.close_do(),
            Task::EndActions(variables) => {
                self.next_action(variables);
                self.e.close_do();
            }
            Task::Backward(stmt) => self.sweeps.backward(&mut self.e, stmt)?,
        }
        Ok(())
    }

    fn label(&mut self, level: usize, node: usize) -> VertexId {
        let e = &mut self.e;
        *self.labels.entry((level, node)).or_insert_with(|| e.label())
    }

    fn op(&mut self, level: usize, op: Op, tasks: &mut Vec<Task>) -> Result<(), Diagnostic> {
        match op {
            Op::Label(node) => {
                let label = self.label(level, node);
                self.e.put_label(label);
            }
            Op::Goto(node) => {
                let label = self.label(level, node);
                self.e.goto(label);
            }
            Op::GotoIf(test, node) => {
                let label = self.label(level, node);
                let test = self.test(&test);
                self.e.goto_if(test, label);
            }
            Op::If(test) => {
                let test = self.test(&test);
                self.e.open_if(test, self.e.place());
            }
            Op::Else => self.e.open_else(),
            Op::EndIf => self.e.close_if(),
            Op::Pop(variable) => self.pop(variable),
            Op::Set(variable, number) => {
                let place = self.e.place();
                let target = whole(self.e.doc, variable, place);
                let value = integer(self.e.doc, number, place);
                self.e.assign(target, value, place);
            }
            Op::Vertex(vertex) => self.vertex(vertex)?,
            Op::Construct(construct) => self.construct(construct, tasks)?,
            Op::Update => {
                let around = self.tree.levels[level].construct;
                let plan = around.and_then(|construct| self.plan.loops.get(&construct));
                if let Some(update) = plan.and_then(|plan| plan.update) {
                    self.sweeps.backward(&mut self.e, update)?;
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, symbol: SymbolId) -> ExprId {
        let reference = whole(self.e.doc, symbol, self.e.place());
        value_of(self.e.doc, reference)
    }

    fn pop(&mut self, symbol: SymbolId) {
        let place = self.e.place();
        let target = self.value(symbol);
        tape(&mut self.e, "pop", target, place);
    }

    fn test(&mut self, test: &Test) -> ExprId {
        let place = self.e.place();
        let (op, join) = match test.negated {
            false => (BoolOp::Equal, BoolOp::Or),
            true => (BoolOp::NotEqual, BoolOp::And),
        };
        let mut all = None;
        for &value in &test.values {
            let variable = self.value(test.variable);
            let value = integer(self.e.doc, value, place);
            let one = boolean(self.e.doc, op, &[variable, value]);
            all = Some(match all {
                Some(all) => boolean(self.e.doc, join, &[all, one]),
                None => one,
            });
        }
        match all {
            Some(all) => all,
            None => self.value(test.variable),
        }
    }

    /// The statements of a block in reverse.
    fn vertex(&mut self, vertex: VertexId) -> Result<(), Diagnostic> {
        let VertexKind::BasicBlock { scope, stmts } = &self.original.vertices[vertex].kind else {
            return Ok(());
        };
        let mut busy = Vec::new();
        for &stmt in stmts.iter().rev() {
            if self.sweeps.has_backward(self.e.doc, stmt) {
                busy.push(stmt);
            }
        }
        self.e.set_place(self.original.vertices[vertex].place);
        let ends = if busy.is_empty() { Vec::new() } else { self.open_arms(*scope)? };
        self.e.enter(*scope, self.original.vertices[vertex].place);
        for stmt in busy {
            self.sweeps.backward(&mut self.e, stmt)?;
        }
        for (scope, outer) in ends {
            self.opened.end_select(&mut self.e, scope, outer);
        }
        Ok(())
    }

    /// Opens the arms that `scope` stands in, as far as they are not open; how they end, the last
    /// first.
    fn open_arms(&mut self, scope: ScopeId) -> Result<Vec<(ScopeId, ScopeId)>, Diagnostic> {
        let mut ends = Vec::new();
        for arm in self.opened.missing(self.e.doc, scope) {
            ends.push((arm, self.e.scope));
            if let Some(selector) = self.opened.arms.get(&arm).map(|arm| arm.selector) {
                self.sweeps.selected(&mut self.e, selector)?;
            }
            self.opened.select(&mut self.e, arm);
        }
        ends.reverse();
        Ok(ends)
    }

    fn construct(&mut self, construct: usize, tasks: &mut Vec<Task>) -> Result<(), Diagnostic> {
        let this = &self.tree.constructs[construct];
        self.e.set_place(self.original.vertices[this.head].place);
        let ends = self.open_arms(self.scopes[this.head])?;
        tasks.extend(ends.into_iter().rev().map(|(arm, outer)| Task::EndOnly(arm, outer)));
        if !this.is_loop {
            self.branch(construct, tasks)?;
            return Ok(());
        }
        if let Some(&init) = self.plan.inits.get(&construct) {
            tasks.push(Task::Backward(init));
        }
        let body = this.arms.first().and_then(|arm| arm.level);
        if let (Some(plan), Some(body)) = (self.plan.loops.get(&construct), body) {
            let init = self.open_loop(plan.rounds);
            self.loops.extend(init.map(|init| (construct, init)));
            tasks.push(match plan.rounds {
                Rounds::Checkpointed(variables) => Task::EndActions(variables),
                Rounds::Counted { .. } | Rounds::Over { .. } => Task::EndDo,
            });
            tasks.push(Task::Level(body));
        }
        Ok(())
    }

    /// Opens the loop that repeats the iterations backwards; what assigns its first value, if it runs over
    /// the same values.
    fn open_loop(&mut self, rounds: Rounds) -> Option<StmtId> {
        let place = self.e.place();
        let (variable, first, last, step) = match rounds {
            Rounds::Checkpointed(variables) => {
                self.next_action(variables);
                let action = self.value(variables.action);
                let none = integer(self.e.doc, NO_ACTION, place);
                let goes_on = boolean(self.e.doc, BoolOp::NotEqual, &[action, none]);
                self.e.open_while(goes_on, place);
                return None;
            }
            Rounds::Counted { count, round } => {
                self.pop(count);
                let bounds = (integer(self.e.doc, 1, place), self.value(count));
                self.e.open_do(round, bounds, false, place);
                return None;
            }
            Rounds::Over { variable, first, last, step } => (variable, first, last, step),
        };
        if let Last::Popped(last) = last {
            self.pop(last);
        }
        for known in [step, first] {
            if let Known::Kept(symbol) = known {
                self.pop(symbol);
            }
        }
        let begin = match last {
            Last::Bound(bound) => Copier::new().expr(self.e.doc, bound),
            Last::Popped(last) => self.value(last),
            Last::From(bound) => self.last(first, bound, step),
        };
        let bounds = (begin, self.known(first));
        match step {
            Known::Number(step) => {
                self.e.open_do_steps(variable, bounds, step.saturating_neg(), place);
            }
            Known::Again(_) | Known::Kept(_) => {
                let step = self.known(step);
                let back = negate(self.e.doc, step);
                self.e.open_do_by(variable, bounds, back, place);
            }
        }
        self.e.first_value()
    }

    /// Asks for the next action of a loop with checkpoints.
    fn next_action(&mut self, variables: Checkpointed) {
        let place = self.e.place();
        let values = [variables.variable, variables.action].map(|symbol| self.value(symbol));
        let args = values.into_iter().zip(1..).map(|(value, position)| Arg {
            position,
            keyword: None,
            value: ArgValue::Expr(value),
        });
        let call = InlinableCall { name: "checkpoint_next".into(), args: args.collect() };
        self.e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
    }

    fn known(&mut self, known: Known) -> ExprId {
        match known {
            Known::Number(number) => {
                let place = self.e.place();
                integer(self.e.doc, number, place)
            }
            Known::Again(expr) => Copier::new().expr(self.e.doc, expr),
            Known::Kept(symbol) => self.value(symbol),
        }
    }

    /// `first + ((bound - first + step)/step - 1)*step`, right also where there is no iteration; with
    /// the signs turned round for a negative constant step.
    fn last(&mut self, first: Known, bound: ExprId, step: Known) -> ExprId {
        let downwards = matches!(step, Known::Number(..0));
        let step = match step {
            Known::Number(step) => Known::Number(step.saturating_abs()),
            Known::Again(_) | Known::Kept(_) => step,
        };
        // A quotient of constants would be one that compilers warn of.
        if let (Some(from), Some(to), Known::Number(by)) =
            (self.number(first), constant_integer(self.e.doc, bound), step)
            && let Some(last) = last_value(from, to, if downwards { -by } else { by })
        {
            return integer(self.e.doc, last, self.e.place());
        }
        let (from, to) = (self.known(first), Copier::new().expr(self.e.doc, bound));
        let (of_from, of_to) = (self.e.doc.exprs[from].ty.base, self.e.doc.exprs[to].ty.base);
        // Between numbers of small kinds may be more than such a number tells.
        let small = Some(promote(of_from, of_to));
        let small = small.filter(|base| matches!(base, Base::Integer(1 | 2)));
        let mut wide = |value: ExprId| match small {
            Some(_) => intrinsic(self.e.doc, "int_scal", &[value], Ty::scalar(Base::Integer(4))),
            None => value,
        };
        let (from, to) = (wide(from), wide(to));
        let distance = if downwards { (from, to) } else { (to, from) };
        let distance = sum(self.e.doc, "sub_scal_scal", distance.0, distance.1);
        let one = self.known(step);
        let distance = sum(self.e.doc, "add_scal_scal", distance, one);
        let by = self.known(step);
        let rounds = binary(self.e.doc, "div_scal_scal", distance, by);
        let one = integer(self.e.doc, 1, self.e.place());
        let before = binary(self.e.doc, "sub_scal_scal", rounds, one);
        let by = self.known(step);
        let length = binary(self.e.doc, "mul_scal_scal", before, by);
        let from = self.known(first);
        let name = if downwards { "sub_scal_scal" } else { "add_scal_scal" };
        let last = binary(self.e.doc, name, from, length);
        let Some(Base::Integer(bytes)) = small else { return last };
        let kind = integer(self.e.doc, i64::from(bytes), self.e.place());
        let ty = Ty::scalar(Base::Integer(bytes));
        intrinsic(self.e.doc, "int_scal", &[last, kind], ty)
    }

    fn number(&self, known: Known) -> Option<i64> {
        match known {
            Known::Number(number) => Some(number),
            Known::Again(expr) => constant_integer(self.e.doc, expr),
            Known::Kept(_) => None,
        }
    }

    fn branch(&mut self, construct: usize, tasks: &mut Vec<Task>) -> Result<(), Diagnostic> {
        let this = &self.tree.constructs[construct];
        let Some(choice) = self.plan.choices.get(&construct) else { return Ok(()) };
        let level = |arm: usize| this.arms.get(arm).and_then(|arm| arm.level);
        match choice {
            Choice::Only(arm) => tasks.extend(level(*arm).map(Task::Level)),
            Choice::Again => {
                let VertexKind::Branch { condition: Some(condition), form, .. } =
                    self.original.vertices[this.head].kind
                else {
                    return Ok(());
                };
                if matches!(form, BranchForm::SelectType | BranchForm::SelectRank) {
                    self.types_again(condition, form, &this.arms, tasks)?;
                } else if form == BranchForm::SelectCase {
                    self.select_again(condition, &this.arms, tasks);
                } else {
                    self.if_again(condition, form, &this.arms, tasks);
                }
            }
            Choice::Popped(busy) => self.popped(busy, &this.arms, tasks),
        }
        Ok(())
    }

    /// The arm as its number on the tape says.
    fn popped(&mut self, busy: &[usize], arms: &[Arm], tasks: &mut Vec<Task>) {
        let Some(branch) = self.plan.branch else { return };
        self.pop(branch);
        let level = |arm: usize| arms.get(arm).and_then(|arm| arm.level);
        let idle = self.has_idle(busy, arms);
        if busy.len() <= 2 && !(busy.len() == 2 && idle) {
            let test = Test { variable: branch, values: vec![1], negated: false };
            let test = self.test(&test);
            self.e.open_if(test, self.e.place());
            tasks.push(Task::EndIf);
            if let Some(second) = busy.get(1).and_then(|&arm| level(arm)) {
                tasks.extend([Task::Level(second), Task::Else]);
            }
            tasks.extend(busy.first().and_then(|&arm| level(arm)).map(Task::Level));
            return;
        }
        let selector = self.value(branch);
        self.e.open_select(selector, BranchForm::SelectCase, self.e.place());
        tasks.push(Task::EndSelect);
        for (position, &arm) in busy.iter().enumerate().rev() {
            let number = i64::try_from(position + 1).unwrap_or(i64::MAX);
            let value = integer(self.e.doc, number, self.e.place());
            tasks.extend(level(arm).map(Task::Level));
            tasks.push(Task::Case(Guard::Case(vec![CaseRange::Value(value)])));
        }
    }

    /// Whether the backward sweep may come to an arm in which nothing is to be done.
    fn has_idle(&self, busy: &[usize], arms: &[Arm]) -> bool {
        (0..arms.len()).any(|arm| !busy.contains(&arm))
    }

    /// IF with its condition evaluated again, on one line where the original is and one line is
    /// enough.
    fn if_again(
        &mut self,
        condition: ExprId,
        form: BranchForm,
        arms: &[Arm],
        tasks: &mut Vec<Task>,
    ) {
        let holds = |arm: &&Arm| {
            let edges = arm.edges.iter().map(|&edge| &self.original.edges[edge]);
            edges.into_iter().any(|edge: &Edge| edge.condition == Some(1))
        };
        let busy = |arm: &Arm| arm.level.filter(|&level| self.plan.graphs[level].is_some());
        let first = arms.iter().find(holds).and_then(busy);
        let second = arms.iter().find(|arm| !holds(arm)).and_then(busy);
        let mut condition = Copier::new().expr(self.e.doc, condition);
        let inline = form == BranchForm::InlineIf && (first.is_none() || second.is_none());
        tasks.push(Task::EndIf);
        match (first, second) {
            (Some(first), Some(second)) => {
                tasks.extend([Task::Level(second), Task::Else, Task::Level(first)]);
            }
            (Some(only), None) => tasks.push(Task::Level(only)),
            (None, Some(only)) => {
                condition = boolean(self.e.doc, BoolOp::Not, &[condition]);
                tasks.push(Task::Level(only));
            }
            (None, None) => {}
        }
        let place = self.e.place();
        if inline {
            self.e.open_inline_if(condition, place);
        } else {
            self.e.open_if(condition, place);
        }
    }

    /// SELECT TYPE or SELECT RANK once more. All arms are there: which of them fits depends on others.
    fn types_again(
        &mut self,
        selector: ExprId,
        form: BranchForm,
        arms: &[Arm],
        tasks: &mut Vec<Task>,
    ) -> Result<(), Diagnostic> {
        self.sweeps.selected(&mut self.e, selector)?;
        let selector = Copier::new().expr(self.e.doc, selector);
        self.e.open_select(selector, form, self.e.place());
        tasks.push(Task::EndArms(self.e.scope));
        for arm in arms.iter().rev() {
            let VertexKind::BasicBlock { scope, .. } = self.original.vertices[arm.first].kind
            else {
                continue;
            };
            if !self.opened.arms.contains_key(&scope) {
                continue;
            }
            tasks.push(Task::EndArm(scope));
            tasks.extend(arm.level.map(Task::Level));
            tasks.push(Task::Arm(scope));
        }
        Ok(())
    }

    /// SELECT CASE with its selector evaluated again.
    fn select_again(&mut self, selector: ExprId, arms: &[Arm], tasks: &mut Vec<Task>) {
        let selector = Copier::new().expr(self.e.doc, selector);
        self.e.open_select(selector, BranchForm::SelectCase, self.e.place());
        tasks.push(Task::EndSelect);
        for arm in arms.iter().rev() {
            let Some(level) = arm.level else { continue };
            let guard = arm.edges.first().and_then(|&edge| self.original.edges[edge].guard.clone());
            let Some(guard) = guard else { continue };
            tasks.push(Task::Level(level));
            tasks.push(Task::Case(copied(self.e.doc, &guard)));
        }
    }
}

pub(super) fn copied(doc: &mut Document, guard: &Guard) -> Guard {
    let mut copy = |expr: ExprId| Copier::new().expr(doc, expr);
    match guard {
        Guard::Case(ranges) => Guard::Case(
            ranges
                .iter()
                .map(|range| match *range {
                    CaseRange::Value(value) => CaseRange::Value(copy(value)),
                    CaseRange::Range(lower, upper) => {
                        CaseRange::Range(lower.map(&mut copy), upper.map(&mut copy))
                    }
                })
                .collect(),
        ),
        Guard::Rank(rank) => Guard::Rank(copy(*rank)),
        Guard::Default => Guard::Default,
        Guard::TypeIs(_) | Guard::ClassIs(_) | Guard::RankStar => guard.clone(),
    }
}

/// The value that a loop over constants gives its variable last; where there is no iteration, one from
/// which there is none backwards.
fn last_value(from: i64, to: i64, by: i64) -> Option<i64> {
    let distance = if by < 0 { from.checked_sub(to)? } else { to.checked_sub(from)? };
    let by_size = by.checked_abs()?;
    let rounds = distance.checked_add(by_size)?.checked_div(by_size)?;
    from.checked_add(rounds.checked_sub(1)?.checked_mul(by)?)
}
