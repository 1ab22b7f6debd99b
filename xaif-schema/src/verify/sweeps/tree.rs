//! What a body leaves on the tape and takes from it.

use std::collections::HashSet;

use super::mirror::meet;
use super::{Fault, Half, half};
use crate::inspect::show::ShowOptions;
use crate::inspect::show::expr::Text;
use crate::model::{
    ArgValue, Base, BoolOp, BranchForm, CaseRange, Cfg, Document, Edge, ExprId, ExprKind, Guard,
    Jump, Part as PartOf, ProcClass, Role, StmtId, StmtKind, Ty, VertexId, VertexKind,
};
use crate::tape;

/// Something that is recorded, or taken back.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A value, or a block.
    Value(Value),
    /// By a half of the procedure of this stem.
    Call(StmtId, String),
    /// In each iteration of a loop.
    Loop(Vec<Item>),
    /// In the arms of a branch.
    Branch(Vec<Arm>),
    /// In the arms of a branch, each of which has recorded its number last, which is now in a variable.
    Numbered(String, Vec<(i64, Vec<Item>)>),
    /// Nothing: a variable has the value of a recorded condition.
    Told(String, String),
}

/// One value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) stmt: StmtId,
    pub(super) sort: Sort,
    pub(super) ty: Ty,
    /// The variable, where it is one of the program.
    pub(super) variable: Option<String>,
    /// The name of the variable, whatever it is.
    pub(super) name: String,
    /// A constant integer.
    pub(super) number: Option<i64>,
    /// What is recorded, as text, where it is a condition.
    pub(super) condition: Option<String>,
}

/// By which operations a value goes onto the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// `push` and `pop`.
    Scalar,
    /// `push_array` and `pop_array`.
    Bytes,
    /// `block_alloc` and `block_free`.
    Block,
    /// `block_push` and `block_pop`.
    Place,
}

/// An arm of a branch.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) test: Test,
    pub(super) items: Vec<Item>,
    /// The number that the arm writes into a block in the end.
    pub(super) number: Option<i64>,
}

/// What decides that an arm is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// The condition or guard, as text.
    Text(String),
    /// A variable has one of these values.
    Is(String, Vec<i64>),
    /// Nothing else does.
    Else,
}

/// What remains of a body: first pops, then pushes.
#[derive(Clone, Debug, Default)]
pub(super) struct Residue {
    pub(super) pops: Vec<Item>,
    pub(super) pushes: Vec<Item>,
    /// Whether anything is recorded, and taken back, anywhere.
    seen: [bool; 2],
}

impl Residue {
    /// What is left of a procedure that executes both sweeps; nothing is told of one that only records or only takes back.
    pub(super) fn left_over(&self) -> Option<(Option<StmtId>, String)> {
        let pushes = self.pushes.iter().find(|item| !is_nothing(item));
        let message = match (pushes, self.pops.first()) {
            _ if self.seen != [true; 2] => return None,
            (Some(item), _) => (stmt_of(item), "more is recorded than is taken back"),
            (None, Some(item)) => (stmt_of(item), "more is taken back than is recorded"),
            (None, None) => return None,
        };
        Some((message.0, message.1.to_owned()))
    }

    fn then(&mut self, next: Residue) -> Result<(), Fault> {
        for pop in next.pops {
            match meet(&mut self.pushes, &pop)? {
                true => {}
                false => self.pops.push(pop),
            }
        }
        self.pushes.extend(next.pushes);
        (0..2).for_each(|side| self.seen[side] |= next.seen[side]);
        Ok(())
    }

    fn of(item: Item, push: bool) -> Residue {
        let seen = [push, !push];
        match push {
            true => Residue { pushes: vec![item], seen, ..Residue::default() },
            false => Residue { pops: vec![item], seen, ..Residue::default() },
        }
    }
}

/// Whether an item stands for nothing any more.
pub(super) fn is_nothing(item: &Item) -> bool {
    match item {
        Item::Numbered(_, leaves) => leaves.iter().all(|(_, items)| items.iter().all(is_nothing)),
        Item::Loop(items) => items.iter().all(is_nothing),
        Item::Branch(arms) => arms.iter().all(|arm| arm.items.iter().all(is_nothing)),
        Item::Told(..) => true,
        Item::Value(_) | Item::Call(..) => false,
    }
}

/// A statement of an item.
pub(super) fn stmt_of(item: &Item) -> Option<StmtId> {
    match item {
        Item::Value(value) => Some(value.stmt),
        Item::Call(stmt, _) => Some(*stmt),
        Item::Loop(items) => items.iter().find_map(stmt_of),
        Item::Branch(arms) => arms.iter().flat_map(|arm| &arm.items).find_map(stmt_of),
        Item::Numbered(_, leaves) => leaves.iter().flat_map(|(_, items)| items).find_map(stmt_of),
        Item::Told(..) => None,
    }
}

/// The statements of a vertex.
pub(super) fn statements(kind: &VertexKind) -> &[StmtId] {
    match kind {
        VertexKind::BasicBlock { stmts, .. } => stmts,
        _ => &[],
    }
}

/// Which half a statement calls.
pub(super) fn half_of_call(doc: &Document, kind: &StmtKind) -> Option<(Half, String)> {
    let callee = match kind {
        StmtKind::Call(call) => call.callee.symbol,
        StmtKind::Assign { rhs, .. } => doc.exprs[*rhs].call()?.callee.symbol,
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => return None,
    };
    let (half, stem) = half(doc.name(callee))?;
    let is_variable = matches!(doc.role(callee), Some(Role::Procedure(info))
        if matches!(info.class, ProcClass::Dummy | ProcClass::Pointer));
    Some((half, if is_variable { String::new() } else { stem }))
}

/// Reads bodies.
pub(super) struct Tree<'a> {
    doc: &'a Document,
    silent: &'a HashSet<String>,
    /// Whether the document tells variables of stages from others: one that is translated from text does not.
    temps_are_told: bool,
    options: ShowOptions,
}

/// A part of a body: what it leaves, and whether control comes to its end.
type Part = (Residue, bool);

impl<'a> Tree<'a> {
    pub(super) fn new(doc: &'a Document, silent: &'a HashSet<String>) -> Self {
        let temps_are_told = doc.symbols.values().any(|symbol| symbol.temp == Some(true));
        let options = ShowOptions { ids: false, ..ShowOptions::default() };
        Tree { doc, silent, temps_are_told, options }
    }

    pub(super) fn residue(&self, cfg: &Cfg) -> Result<Residue, Fault> {
        Ok(self.sequence(cfg, &cfg.layout)?.0)
    }

    fn text(&self, expr: ExprId) -> String {
        Text { doc: self.doc, options: &self.options }.expr(expr)
    }

    fn sequence(&self, cfg: &Cfg, layout: &[VertexId]) -> Result<Part, Fault> {
        let mut residue = Residue::default();
        let mut at = 0;
        while let Some(&vertex) = layout.get(at) {
            let (part, next, goes_on) = match &cfg.vertices[vertex].kind {
                VertexKind::BasicBlock { stmts, .. } => (self.block(stmts)?, at + 1, true),
                VertexKind::Branch { form, .. } if form.has_end() => {
                    let end = end_of(cfg, layout, at).ok_or(Fault::Unknown)?;
                    (self.branch(cfg, vertex, &layout[at + 1..end])?, end + 1, true)
                }
                VertexKind::ForLoop { .. }
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. } => {
                    let end = end_of(cfg, layout, at).ok_or(Fault::Unknown)?;
                    (self.rounds(cfg, &layout[at + 1..end])?, end + 1, true)
                }
                // A label is a place where ways meet. Who jumps to it is not understood.
                VertexKind::Entry(None) | VertexKind::Exit | VertexKind::Label { .. } => {
                    (Residue::default(), at + 1, true)
                }
                VertexKind::Goto(Jump::Stop) => (Residue::default(), at + 1, false),
                VertexKind::Branch { .. }
                | VertexKind::EndBranch
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Entry(Some(_)) => return Err(Fault::Unknown),
            };
            residue.then(part)?;
            if self.ends_snapshot(&cfg.vertices[vertex].kind) {
                residue = Residue::default();
            }
            if !goes_on {
                return Ok((residue, false));
            }
            at = next;
        }
        Ok((residue, true))
    }

    /// Whether what stands up to here, in the arm of an action, is in a snapshot and not on the tape.
    fn ends_snapshot(&self, kind: &VertexKind) -> bool {
        let is_end = |stmt: &StmtId| matches!(&self.doc.stmts[*stmt].kind, StmtKind::InlinableCall(call) if &*call.name == "checkpoint_end");
        statements(kind).iter().any(is_end)
    }

    fn block(&self, stmts: &[StmtId]) -> Result<Residue, Fault> {
        let mut residue = Residue::default();
        for &stmt in stmts {
            let kind = &self.doc.stmts[stmt].kind;
            if let StmtKind::InlinableCall(call) = kind
                && let Some((sort, push)) = operation(&call.name)
            {
                let Some(ArgValue::Expr(arg)) = call.args.first().map(|arg| arg.value) else {
                    return Err(Fault::Unknown);
                };
                residue.then(Residue::of(Item::Value(self.value(stmt, sort, arg)), push))?;
            } else if let Some((half, stem)) = half_of_call(self.doc, kind)
                && !self.silent.contains(&stem)
            {
                // A dummy procedure or a procedure pointer means another procedure in each sweep.
                if stem.is_empty() {
                    return Err(Fault::Unknown);
                }
                residue.then(Residue::of(Item::Call(stmt, stem), half == Half::Forward))?;
            }
        }
        Ok(residue)
    }

    fn value(&self, stmt: StmtId, sort: Sort, arg: ExprId) -> Value {
        let expr = &self.doc.exprs[arg];
        let base = expr.reference().map(|reference| self.doc.refs[reference].base);
        let name = base.map(|base| self.doc.name(base).to_ascii_lowercase()).unwrap_or_default();
        let given = |base| self.temps_are_told && self.doc.symbols[base].temp != Some(true);
        let variable = base.filter(|&base| given(base)).map(|_| name.clone());
        let is_condition = base.is_none() && matches!(expr.ty.base, Base::Logical(_));
        let condition = is_condition.then(|| self.text(arg));
        Value { stmt, sort, ty: expr.ty, variable, name, number: self.number(arg), condition }
    }

    fn number(&self, expr: ExprId) -> Option<i64> {
        match &self.doc.exprs[expr].kind {
            ExprKind::Constant(constant) => constant.text.parse().ok(),
            _ => None,
        }
    }

    fn rounds(&self, cfg: &Cfg, inside: &[VertexId]) -> Result<Residue, Fault> {
        let (round, _) = self.sequence(cfg, inside)?;
        let Residue { pops, pushes, seen } = round;
        let (items, push) = match (pops.is_empty(), pushes.iter().all(is_nothing)) {
            (true, true) => return Ok(Residue { seen, ..Residue::default() }),
            (true, false) => (pushes, true),
            (false, true) => (pops, false),
            (false, false) => return Err(Fault::Unknown),
        };
        let residue = Residue::of(Item::Loop(items), push);
        Ok(Residue { seen, ..residue })
    }

    fn branch(&self, cfg: &Cfg, head: VertexId, inside: &[VertexId]) -> Result<Residue, Fault> {
        let mut arms: Vec<(Test, Residue, Option<i64>)> = Vec::new();
        let mut starts: Vec<(usize, Test)> = Vec::new();
        for edge in cfg.successors(head) {
            let test = self.test(cfg, head, edge);
            match inside.iter().position(|&vertex| vertex == edge.target) {
                Some(start) if starts.iter().any(|(known, _)| *known == start) => {
                    return Err(Fault::Unknown);
                }
                Some(start) => starts.push((start, test)),
                None => arms.push((test, Residue::default(), None)),
            }
        }
        starts.sort_by_key(|(start, _)| *start);
        for (index, (start, test)) in starts.iter().enumerate() {
            let end = starts.get(index + 1).map_or(inside.len(), |(next, _)| *next);
            let (residue, goes_on) = self.sequence(cfg, &inside[*start..end])?;
            // Nothing behind the construct follows an arm that stops.
            if goes_on {
                arms.push((test.clone(), residue, self.noted(cfg, &inside[*start..end])));
            }
        }
        let selects_type = matches!(
            cfg.vertices[head].kind,
            VertexKind::Branch { form: BranchForm::SelectType | BranchForm::SelectRank, .. }
        );
        // Of the types that there are one is selected.
        arms.retain(|(test, residue, _)| {
            !(selects_type
                && *test == Test::Else
                && residue.pops.is_empty()
                && residue.pushes.is_empty())
        });
        let seen = arms.iter().fold([false; 2], |seen, (_, residue, _)| {
            [seen[0] || residue.seen[0], seen[1] || residue.seen[1]]
        });
        if let ([(_, only, _)], false) = (&arms[..], selects_type) {
            return Ok(only.clone());
        }
        let pops = arms.iter().any(|(_, residue, _)| !residue.pops.is_empty());
        let pushes = arms.iter().any(|(_, residue, _)| !residue.pushes.iter().all(is_nothing));
        let push = match (pops, pushes) {
            (false, false) => return Ok(Residue { seen, ..Residue::default() }),
            (true, true) => return Err(Fault::Unknown),
            (_, pushes) => pushes,
        };
        let arms = arms.into_iter().map(|(test, Residue { pops, pushes, .. }, number)| Arm {
            test,
            items: if push { pushes } else { pops },
            number,
        });
        Ok(Residue { seen, ..Residue::of(Item::Branch(arms.collect()), push) })
    }

    /// The number that the last statement writes into an element of an array.
    fn noted(&self, cfg: &Cfg, inside: &[VertexId]) -> Option<i64> {
        let blocks = inside.iter().rev().map(|&vertex| statements(&cfg.vertices[vertex].kind));
        let last = *blocks.take(2).find_map(|stmts| stmts.last())?;
        let StmtKind::Assign { lhs, rhs, defined: None } = self.doc.stmts[last].kind else {
            return None;
        };
        let is_element = matches!(self.doc.refs[lhs].parts[..], [PartOf::Elements(_)]);
        self.number(rhs).filter(|_| is_element)
    }

    /// What decides that an edge of a branch is taken.
    fn test(&self, cfg: &Cfg, head: VertexId, edge: &Edge) -> Test {
        let VertexKind::Branch { condition, form, .. } = &cfg.vertices[head].kind else {
            return Test::Else;
        };
        let selects = matches!(
            form,
            BranchForm::SelectCase | BranchForm::SelectType | BranchForm::SelectRank
        );
        match (&edge.guard, condition) {
            (Some(guard), Some(condition)) => self.guard(*condition, guard),
            (None, Some(condition)) if !selects && edge.condition == Some(1) => {
                self.condition(*condition)
            }
            (None, _) if matches!(edge.condition, None | Some(0)) => Test::Else,
            (_, _) => Test::Text(format!("on {:?}", edge.condition)),
        }
    }

    /// `branch == 2`, or any other condition as text.
    fn condition(&self, condition: ExprId) -> Test {
        let is = || {
            let ExprKind::Boolean { op: BoolOp::Equal, operands } = &self.doc.exprs[condition].kind
            else {
                return None;
            };
            let [left, right] = &operands[..] else { return None };
            Some(Test::Is(self.scalar(left.expr)?, vec![self.number(right.expr)?]))
        };
        is().unwrap_or_else(|| Test::Text(self.text(condition)))
    }

    /// The name of a whole scalar variable.
    fn scalar(&self, expr: ExprId) -> Option<String> {
        let reference = &self.doc.refs[self.doc.exprs[expr].reference()?];
        reference.parts.is_empty().then(|| self.doc.name(reference.base).to_ascii_lowercase())
    }

    fn guard(&self, selector: ExprId, guard: &Guard) -> Test {
        let text = |guard: &Guard| {
            Test::Text(match guard {
                Guard::TypeIs(spec) => format!("type is {spec:?}"),
                Guard::ClassIs(spec) => format!("class is {spec:?}"),
                Guard::Rank(rank) => format!("rank {}", self.text(*rank)),
                Guard::RankStar => "rank *".to_owned(),
                Guard::Case(_) | Guard::Default => format!("{guard:?}"),
            })
        };
        match guard {
            Guard::Default => Test::Else,
            Guard::Case(ranges) => {
                let value = |range: &CaseRange| match range {
                    CaseRange::Value(value) => self.number(*value),
                    CaseRange::Range(..) => None,
                };
                let values: Option<Vec<i64>> = ranges.iter().map(value).collect();
                match (self.scalar(selector), values) {
                    (Some(variable), Some(values)) => Test::Is(variable, values),
                    (_, _) => text(guard),
                }
            }
            Guard::TypeIs(_) | Guard::ClassIs(_) | Guard::Rank(_) | Guard::RankStar => text(guard),
        }
    }
}

/// What an operation does: `true` puts onto the tape.
fn operation(name: &str) -> Option<(Sort, bool)> {
    tape::operation(name)?;
    match name {
        "push" => Some((Sort::Scalar, true)),
        "pop" => Some((Sort::Scalar, false)),
        "push_array" => Some((Sort::Bytes, true)),
        "pop_array" => Some((Sort::Bytes, false)),
        "block_alloc" => Some((Sort::Block, true)),
        "block_free" => Some((Sort::Block, false)),
        "block_push" => Some((Sort::Place, true)),
        "block_pop" => Some((Sort::Place, false)),
        _ => None,
    }
}

/// Where the construct ends that is opened at `at`.
fn end_of(cfg: &Cfg, layout: &[VertexId], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, &vertex) in layout.iter().enumerate().skip(at) {
        match &cfg.vertices[vertex].kind {
            VertexKind::Branch { form, .. } if form.has_end() => depth += 1,
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => depth += 1,
            VertexKind::EndBranch | VertexKind::EndLoop => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            VertexKind::Branch { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    None
}
