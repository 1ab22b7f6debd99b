//! The first and last lines of constructs, which show and dot share.

use super::flow::Flow;
use super::show::Text;
use crate::model::{
    BoolOp, BranchForm, CaseRange, Cfg, Edge, ExprId, ExprKind, ForForm, Guard, Jump, Operands,
    RefId, Reversal, StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};

/// Writes the headers of one flow graph.
#[derive(Clone, Copy)]
pub(crate) struct Headers<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) cfg: &'a Cfg,
    pub(crate) flow: &'a Flow,
}

impl<'a> Headers<'a> {
    /// `if (x > 0)`, `select (i)`, `goto by i`.
    pub(crate) fn branch_header(&self, vertex: VertexId) -> String {
        let VertexKind::Branch { condition, form, name } = &self.cfg.vertices[vertex].kind else {
            return String::new();
        };
        let condition = condition.map_or("?".to_owned(), |condition| self.bare(condition));
        let text = match form {
            BranchForm::Plain if self.flow.selects[vertex] => format!("select ({condition})"),
            BranchForm::Plain | BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf => {
                format!("if ({condition})")
            }
            BranchForm::SelectCase => format!("select ({condition})"),
            BranchForm::SelectType => format!("select type ({condition})"),
            BranchForm::SelectRank => format!("select rank ({condition})"),
            BranchForm::ArithmeticIf => format!("goto by sign of {condition}"),
            BranchForm::ComputedGoto => format!("goto by {condition}"),
            BranchForm::AssignedGoto => format!("goto by label in {condition}"),
            BranchForm::IndirectGoto => format!("goto by address {condition}"),
        };
        with_name(name, text)
    }

    /// Whether the way that is taken is to be recorded.
    pub(crate) fn branch_facts(&self, vertex: VertexId) -> Vec<String> {
        let fact = match self.cfg.vertices[vertex].recorded {
            Some(true) => "records the way",
            Some(false) => "decided again",
            None => return Vec::new(),
        };
        vec![fact.to_owned()]
    }

    /// An expression without the parentheses that the construct has anyway.
    fn bare(&self, id: ExprId) -> String {
        self.text.expr(id)
    }

    /// `do i = 1, n`, `while (x > 0)`, with facts.
    pub(crate) fn loop_header(&self, vertex: VertexId) -> (String, Vec<String>) {
        let mut facts = Vec::new();
        let text = match &self.cfg.vertices[vertex].kind {
            VertexKind::ForLoop { init, condition, update, reversal, form, name } => {
                facts.extend(reversal.map(|reversal| {
                    match reversal {
                        Reversal::Explicit => "reversed by its variable",
                        Reversal::Anonymous => "reversed by counting",
                    }
                    .to_owned()
                }));
                let init_stmt = self.text.doc.stmts.get(*init);
                facts.extend(init_stmt.and_then(|init| self.text.recorded(init)));
                let update_stmt = self.text.doc.stmts.get(*update);
                let each = update_stmt.and_then(|update| self.text.recorded(update));
                facts.extend(each.map(|text| format!("{text} in each round")));
                let counted = match form {
                    ForForm::Counted => self.counted(*init, *condition, *update),
                    ForForm::General => None,
                };
                let text = counted.unwrap_or_else(|| {
                    let word = if *form == ForForm::Counted { "do for" } else { "for" };
                    let init = self.assignment(*init);
                    let update = self.assignment(*update);
                    format!("{word} ({init}; {}; {update})", self.text.expr(*condition))
                });
                with_name(name, text)
            }
            VertexKind::PreLoop { condition, name, forever } => {
                let text = match condition {
                    Some(condition) => format!("while ({})", self.bare(*condition)),
                    None if *forever => "do".to_owned(),
                    None => "while (?)".to_owned(),
                };
                with_name(name, text)
            }
            VertexKind::PostLoop { condition } => match condition {
                Some(condition) => format!("do … while ({})", self.bare(*condition)),
                None => "do … while (?)".to_owned(),
            },
            VertexKind::ConcurrentLoop { header, locality, name } => {
                let locality =
                    locality.as_ref().map_or(String::new(), |locality| format!(" {locality}"));
                let header = self.text.header(header);
                with_name(name, format!("do concurrent {header}{locality}"))
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => String::new(),
        };
        (text, facts)
    }

    /// The last line of the construct that `vertex` closes.
    pub(crate) fn end_word(&self, vertex: VertexId) -> &'static str {
        let opener = self.flow.nodes[vertex].mate;
        let opener_kind = opener.map(|opener| &self.cfg.vertices[opener].kind);
        match (&self.cfg.vertices[vertex].kind, opener_kind) {
            (VertexKind::EndBranch, Some(_)) => match opener {
                Some(opener) if self.flow.selects[opener] => "end select",
                _ => "end if",
            },
            (VertexKind::EndBranch, None) => "end branch",
            (_, Some(VertexKind::ForLoop { form: ForForm::General, .. })) => "end for",
            (_, Some(VertexKind::PreLoop { forever: false, .. })) => "end while",
            (_, Some(_)) => "end do",
            (_, None) => "end loop",
        }
    }

    fn assignment(&self, id: StmtId) -> String {
        match self.parts(id) {
            Some((lhs, rhs)) => {
                format!("{} = {}", self.text.reference(lhs), self.text.expr(rhs))
            }
            None => "?".into(),
        }
    }

    fn parts(&self, id: StmtId) -> Option<(RefId, ExprId)> {
        match &self.text.doc.stmts.get(id)?.kind {
            StmtKind::Assign { lhs, rhs, .. } => Some((*lhs, *rhs)),
            _ => None,
        }
    }

    /// `do i = 1, n, 2`, if init, condition and update are what a counted loop has.
    fn counted(&self, init: StmtId, condition: ExprId, update: StmtId) -> Option<String> {
        let (variable, lower) = self.parts(init)?;
        let symbol = self.text.doc.refs.get(variable)?.base;
        let (upper, direction) = self.upper(condition, symbol)?;
        let (_, next) = self.parts(update)?;
        let (left, step) = self.binary(next, "add_scal_scal")?;
        if !self.is_variable(left, symbol) {
            return None;
        }
        let step_text = self.text.expr(step);
        let negative = step_text.starts_with('-');
        let fits = match direction {
            Direction::Up => !negative,
            Direction::Down => negative,
            Direction::ByStep(other) => self.text.expr(other) == step_text,
        };
        if !fits {
            return None;
        }
        let variable = self.text.reference(variable);
        let (lower, upper) = (self.text.expr(lower), self.text.expr(upper));
        let step = if step_text == "1" { String::new() } else { format!(", {step_text}") };
        Some(format!("do {variable} = {lower}, {upper}{step}"))
    }

    fn upper(&self, condition: ExprId, symbol: SymbolId) -> Option<(ExprId, Direction)> {
        let ExprKind::Boolean { op, operands } = &self.text.doc.exprs.get(condition)?.kind else {
            return None;
        };
        let (left, right) = pair(operands)?;
        if self.is_variable(left, symbol) {
            return match op {
                BoolOp::LessOrEqual => Some((right, Direction::Up)),
                BoolOp::GreaterOrEqual => Some((right, Direction::Down)),
                _ => None,
            };
        }
        let (difference, step) = self.binary(left, "mul_scal_scal")?;
        let (left, upper) = self.binary(difference, "sub_scal_scal")?;
        let fits = *op == BoolOp::LessOrEqual && self.is_variable(left, symbol);
        fits.then_some((upper, Direction::ByStep(step)))
    }

    fn binary(&self, id: ExprId, wanted: &str) -> Option<(ExprId, ExprId)> {
        match &self.text.doc.exprs.get(id)?.kind {
            ExprKind::Intrinsic { name, operands, .. } if name.as_ref() == wanted => pair(operands),
            _ => None,
        }
    }

    fn is_variable(&self, id: ExprId, symbol: SymbolId) -> bool {
        match self.text.doc.exprs.get(id).map(|expr| &expr.kind) {
            Some(ExprKind::Ref(id)) => {
                let reference = self.text.doc.refs.get(*id);
                reference.is_some_and(|r| r.base == symbol && r.parts.is_empty())
            }
            _ => false,
        }
    }
}

/// How the condition of a counted loop looks at its variable.
enum Direction {
    Up,
    Down,
    ByStep(ExprId),
}

fn pair(operands: &Operands) -> Option<(ExprId, ExprId)> {
    let at = |position| operands.iter().find(|operand| operand.position == position);
    (operands.len() == 2).then_some(())?;
    Some((at(1)?.expr, at(2)?.expr))
}

fn with_name(name: &Option<Box<str>>, text: String) -> String {
    match name {
        Some(name) => format!("{name}: {text}"),
        None => text,
    }
}

/// The first line of an arm: `else`, `case (1, 2:5)`; nothing for what follows an IF at once.
pub(crate) fn arm_text(
    text: Text<'_>,
    selects: bool,
    edges: &[&Edge],
    is_first: bool,
) -> Option<String> {
    if selects {
        return Some(
            edges.iter().map(|edge| edge_text(text, edge, true)).collect::<Vec<_>>().join(" or "),
        );
    }
    match edges {
        [edge] if edge.condition == Some(1) && is_first => None,
        [edge] if matches!(edge.condition, None | Some(0)) => Some("else".into()),
        _ => {
            let values: Vec<_> = edges
                .iter()
                .map(|edge| edge.condition.map_or("else".to_owned(), |value| value.to_string()))
                .collect();
            Some(format!("on {}", values.join(", ")))
        }
    }
}

/// What decides that an edge is taken.
pub(crate) fn edge_text(text: Text<'_>, edge: &Edge, selection: bool) -> String {
    match (&edge.guard, edge.condition) {
        (Some(guard), _) => guard_text(text, guard),
        (None, Some(value)) if selection => format!("case {value}"),
        (None, None) if selection => "default".into(),
        (None, Some(1)) => "T".into(),
        (None, None | Some(0)) => "F".into(),
        (None, Some(value)) => value.to_string(),
    }
}

fn guard_text(text: Text<'_>, guard: &Guard) -> String {
    match guard {
        Guard::Case(ranges) => {
            let ranges: Vec<_> = ranges
                .iter()
                .map(|range| match *range {
                    CaseRange::Value(value) => text.expr(value),
                    CaseRange::Range(from, to) => {
                        let bound =
                            |bound: Option<ExprId>| bound.map_or(String::new(), |b| text.expr(b));
                        format!("{}:{}", bound(from), bound(to))
                    }
                })
                .collect();
            format!("case ({})", ranges.join(", "))
        }
        Guard::Default => "default".into(),
        Guard::TypeIs(spec) => format!("type is {}", text.spec(spec)),
        Guard::ClassIs(spec) => format!("class is {}", text.spec(spec)),
        Guard::Rank(rank) => format!("rank ({})", text.expr(*rank)),
        Guard::RankStar => "rank (*)".into(),
    }
}

/// `goto`, `exit outer`, `return`.
pub(crate) fn jump_word(jump: &Jump) -> String {
    let named = |word: &str, name: &Option<Box<str>>| match name {
        Some(name) => format!("{word} {name}"),
        None => word.to_owned(),
    };
    match jump {
        Jump::Goto => "goto".to_owned(),
        Jump::Exit(name) => named("exit", name),
        Jump::Cycle(name) => named("cycle", name),
        Jump::Return => "return".to_owned(),
        Jump::Stop => "stop".to_owned(),
        Jump::Break => "break".to_owned(),
        Jump::Continue => "continue".to_owned(),
    }
}
