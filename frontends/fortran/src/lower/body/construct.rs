//! IF, SELECT CASE and DO.

use std::collections::BTreeMap;

use xaif_schema::diag::Code;
use xaif_schema::model::{
    BoolOp, BranchForm, CaseRange, ConstantClass, ExprId, ExprKind, ForForm, ForallHeader, Guard,
    IndexRange, ScopeKind, StmtKind, Ty, VertexId, VertexKind,
};

use super::{Builder, Way};
use crate::syntax::ast;

/// A construct around the statement that is lowered.
#[derive(Debug)]
pub(super) struct Construct {
    /// Its name, lower case.
    name: Option<Box<str>>,
    /// Whether EXIT without name leaves it.
    pub(super) is_loop: bool,
    /// EXIT statements that leave it.
    pub(super) exits: Vec<Way>,
    /// CYCLE statements that go on with it.
    pub(super) cycles: Vec<Way>,
}

impl Construct {
    /// A construct that was just entered.
    pub(super) fn new(name: Option<&ast::Name>, is_loop: bool) -> Self {
        let name = name.map(|name| name.key().into());
        Construct { name, is_loop, exits: Vec::new(), cycles: Vec::new() }
    }

    /// Whether this is its name.
    pub(super) fn is_called(&self, name: &ast::Name) -> bool {
        self.name.as_deref() == Some(name.key())
    }
}

/// The name of a construct as the model has it.
pub(super) fn spelt(name: Option<&ast::Name>) -> Option<Box<str>> {
    name.map(|name| name.spelling().into())
}

impl Builder<'_, '_> {
    /// Adds a branch vertex.
    pub(super) fn branch(
        &mut self,
        condition: Option<ExprId>,
        form: BranchForm,
        name: Option<&ast::Name>,
        place: ast::Place,
    ) -> VertexId {
        self.vertex(VertexKind::Branch { condition, form, name: spelt(name) }, place)
    }

    /// Enters a construct that EXIT may name.
    pub(super) fn enter(&mut self, name: Option<&ast::Name>, is_loop: bool) {
        self.constructs.push(Construct::new(name, is_loop));
    }

    /// Leaves the innermost construct: its EXIT and CYCLE statements.
    pub(super) fn leave_construct(&mut self) -> (Vec<Way>, Vec<Way>) {
        match self.constructs.pop() {
            Some(construct) => (construct.exits, construct.cycles),
            None => (Vec::new(), Vec::new()),
        }
    }

    /// The END statement of a construct that has no loop: a label that is jumped to stands behind
    /// the construct, which is the same; then its comments.
    pub(super) fn end_construct(&mut self, end: &ast::Head) {
        self.define_label(end);
        self.comments_inside(end);
    }

    /// IF … ELSE IF … ELSE … END IF
    pub(super) fn if_construct(&mut self, conditional: &ast::Conditional, head: &ast::Head) {
        self.enter(conditional.name.as_ref(), false);
        // Each branch with the ways that lead to its end; an ELSE IF is a branch in an else arm.
        let mut branches: Vec<(VertexId, Vec<Way>)> = Vec::new();
        let mut has_else = false;
        for (index, arm) in conditional.arms.iter().enumerate() {
            let place = arm.head.place;
            if let Some((outer, _)) = branches.last() {
                self.begin_arm(Way::on(*outer), place);
            }
            match &arm.condition {
                Some(condition) => {
                    let condition = self.low.expr(self.scope, condition);
                    let (form, name) = match index {
                        0 => (BranchForm::If, conditional.name.as_ref()),
                        _ => (BranchForm::ElseIf, None),
                    };
                    let branch = self.branch(Some(condition), form, name, place);
                    branches.push((branch, Vec::new()));
                    self.begin_arm(Way::when(branch, 1), place);
                }
                None => has_else = true,
            }
            self.comments_inside(if index == 0 { head } else { &arm.head });
            self.items(&arm.body);
            let ways = std::mem::take(&mut self.open);
            if let Some((_, ends)) = branches.last_mut() {
                ends.extend(ways);
            }
        }
        let (exits, _) = self.leave_construct();
        let end = &conditional.end.head;
        let mut innermost = true;
        while let Some((branch, ends)) = branches.pop() {
            let inner = std::mem::take(&mut self.open);
            self.open = ends;
            if innermost && !has_else {
                self.open.push(Way::on(branch));
            }
            self.open.extend(inner);
            if branches.is_empty() {
                self.open.extend(exits.iter().cloned());
            }
            self.vertex(VertexKind::EndBranch, end.place);
            innermost = false;
        }
        self.end_construct(end);
    }

    /// `if (e) statement`
    pub(super) fn logical_if(
        &mut self,
        condition: &ast::Expr,
        action: &ast::Stmt,
        head: &ast::Head,
    ) {
        let condition = self.low.expr(self.scope, condition);
        let several = matches!(
            action.kind,
            ast::StmtKind::ComputedGoto { .. }
                | ast::StmtKind::AssignedGoto { .. }
                | ast::StmtKind::ArithmeticIf { .. }
        );
        let form = if several { BranchForm::If } else { BranchForm::InlineIf };
        let branch = self.branch(Some(condition), form, None, head.place);
        self.begin_arm(Way::when(branch, 1), action.head.place);
        self.constructs.push(Construct::new(None, false));
        self.statement(action);
        self.constructs.pop();
        self.open.push(Way::on(branch));
        self.vertex(VertexKind::EndBranch, head.place);
        self.comments_inside(head);
    }

    /// SELECT CASE
    pub(super) fn select_case(
        &mut self,
        select: &ast::Select<ast::Expr, ast::CaseSelector>,
        head: &ast::Head,
    ) {
        let form = BranchForm::SelectCase;
        let mut taken = BTreeMap::new();
        self.select(select, head, form, &select.subject, |builder, _, guard| {
            let guard = match guard {
                ast::CaseSelector::Default => Guard::Default,
                ast::CaseSelector::Values(values) => {
                    let ranges = builder.case_ranges(values);
                    for (value, range) in values.iter().zip(&ranges) {
                        builder.disjoint(&mut taken, value, *range);
                    }
                    Guard::Case(ranges)
                }
            };
            (guard, None)
        });
    }

    /// Reports a case of integers that another one has; `taken` has the last of each range by its first.
    fn disjoint(
        &mut self,
        taken: &mut BTreeMap<i64, i64>,
        value: &ast::CaseValue,
        range: CaseRange,
    ) {
        let bound = |expr: Option<ExprId>, open| match expr {
            Some(expr) => self.low.fold_integer(expr),
            None => Some(open),
        };
        let (first, last) = match range {
            CaseRange::Value(value) => (bound(Some(value), 0), bound(Some(value), 0)),
            CaseRange::Range(None, None) => return,
            CaseRange::Range(lower, upper) => (bound(lower, i64::MIN), bound(upper, i64::MAX)),
        };
        let (Some(first), Some(last)) = (first, last) else { return };
        // An empty range is allowed and never chosen.
        if first > last {
            return;
        }
        // The ranges that are taken do not overlap, so the last one that begins up to `last` ends latest.
        let before = taken.range(..=last).next_back();
        if before.is_none_or(|(_, &end)| end < first) {
            taken.insert(first, last);
            return;
        }
        let place = match value {
            ast::CaseValue::Value(expr)
            | ast::CaseValue::Range(Some(expr), _)
            | ast::CaseValue::Range(None, Some(expr)) => expr.place,
            ast::CaseValue::Range(None, None) => return,
        };
        let message = "a value of this case belongs to a case before".to_owned();
        let help = "let each value belong to one case";
        self.low.error(Code::BRANCH_ORDER, place, message, help);
    }

    /// Lines between SELECT and its first branch: they go before the construct.
    pub(super) fn preamble(&mut self, lines: &[ast::Trivia]) {
        for line in lines {
            self.trivia(line);
        }
    }

    pub(super) fn one_default(&mut self, has_default: &mut bool, place: ast::Place) {
        if std::mem::replace(has_default, true) {
            self.low.error(
                Code::BAD_SELECT,
                place,
                "this construct has a default branch already",
                "make one of them, or give this one its values",
            );
        }
    }

    /// Where the branches of a SELECT meet; unless it `is_complete`, control may pass them all.
    pub(super) fn end_select(
        &mut self,
        branch: VertexId,
        is_complete: bool,
        ends: Vec<Way>,
        end: &ast::End,
    ) {
        let (exits, _) = self.leave_construct();
        self.open = ends;
        if !is_complete {
            self.open.push(Way::on(branch));
        }
        self.open.extend(exits);
        self.vertex(VertexKind::EndBranch, end.head.place);
        self.end_construct(&end.head);
    }

    fn case_ranges(&mut self, values: &[ast::CaseValue]) -> Vec<CaseRange> {
        let mut range = |value: &ast::CaseValue| match value {
            ast::CaseValue::Value(value) => CaseRange::Value(self.low.expr(self.scope, value)),
            ast::CaseValue::Range(lower, upper) => {
                let lower = lower.as_ref().map(|lower| self.low.expr(self.scope, lower));
                let upper = upper.as_ref().map(|upper| self.low.expr(self.scope, upper));
                CaseRange::Range(lower, upper)
            }
        };
        values.iter().map(&mut range).collect()
    }

    /// DO in all its forms.
    pub(super) fn do_construct(&mut self, construct: &ast::Do, head: &ast::Head) {
        let outer = self.scope;
        let name = construct.name.as_ref();
        let forever = matches!(construct.control, ast::DoControl::Forever);
        let kind = match &construct.control {
            ast::DoControl::Forever => {
                VertexKind::PreLoop { condition: None, name: spelt(name), forever: true }
            }
            ast::DoControl::While(condition) => {
                let condition = Some(self.low.expr(self.scope, condition));
                VertexKind::PreLoop { condition, name: spelt(name), forever: false }
            }
            ast::DoControl::Counted(range) => self.counted(range, name, head.place),
            ast::DoControl::Concurrent { header, locality } => {
                let header = Box::new(self.forall_header(header, head.place));
                let inner = header.scope;
                let locality = locality_text(locality);
                let kind = VertexKind::ConcurrentLoop { header, locality, name: spelt(name) };
                self.scope = inner;
                kind
            }
        };
        let vertex = self.vertex(kind, head.place);
        self.enter(name, true);
        self.begin_arm(Way::when(vertex, 1), head.place);
        self.comments_inside(head);
        let end = self.loop_body(construct);
        let (exits, cycles) = self.leave_construct();
        self.open.extend(cycles);
        let end_loop = self.vertex(VertexKind::EndLoop, end.map_or(head.place, |end| end.place));
        self.cfg.connect(end_loop, vertex);
        self.scope = outer;
        self.open.clear();
        if !forever {
            self.open.push(Way::on(vertex));
        }
        self.open.extend(exits);
        if let Some(end) = end {
            self.comments_inside(end);
        }
    }

    /// The body of a loop up to its end, whose label belongs to the body.
    fn loop_body<'t>(&mut self, construct: &'t ast::Do) -> Option<&'t ast::Head> {
        match &construct.end {
            ast::DoEnd::EndDo(end) => {
                self.items(&construct.body);
                self.define_label(&end.head);
                Some(&end.head)
            }
            ast::DoEnd::Shared => {
                self.items(&construct.body);
                None
            }
            ast::DoEnd::Terminal => {
                let is_stmt = |item: &ast::ExecItem| matches!(item, ast::ExecItem::Stmt(_));
                let last = construct.body.iter().rposition(is_stmt);
                let Some(last) = last else {
                    self.items(&construct.body);
                    return None;
                };
                let (before, after) = construct.body.split_at(last);
                self.items(before);
                let Some((ast::ExecItem::Stmt(terminal), rest)) = after.split_first() else {
                    return None;
                };
                match terminal.kind {
                    // It only marks the end, as END DO does.
                    ast::StmtKind::Continue => {
                        self.define_label(&terminal.head);
                        self.items(rest);
                        Some(&terminal.head)
                    }
                    _ => {
                        self.items(after);
                        None
                    }
                }
            }
        }
    }

    /// `i = first, last, step`
    fn counted(
        &mut self,
        range: &ast::DoRange,
        name: Option<&ast::Name>,
        place: ast::Place,
    ) -> VertexKind {
        let first = self.low.expr(self.scope, &range.first);
        let upper = self.low.expr(self.scope, &range.last);
        let step = range.step.as_ref().map(|step| self.low.expr(self.scope, step));
        let lhs = self.low.reference(self.scope, &range.variable);
        let init = self.loose(StmtKind::Assign { lhs, rhs: first, defined: None }, place);
        let ty = self.low.doc.refs[lhs].ty;
        let condition = self.loop_condition(&range.variable, ty, upper, step, place);
        let rhs = {
            let variable = self.variable_value(&range.variable, place);
            let step = match step {
                Some(step) => self.low.copy_expr(step),
                None => self.integer(1, place),
            };
            self.low.operation("add_scal_scal", &[variable, step], ty, place)
        };
        let lhs = self.low.reference(self.scope, &range.variable);
        let update = self.loose(StmtKind::Assign { lhs, rhs, defined: None }, place);
        let (form, name) = (ForForm::Counted, spelt(name));
        VertexKind::ForLoop { init, condition, update, reversal: None, form, name }
    }

    fn loop_condition(
        &mut self,
        variable: &ast::Designator,
        ty: Ty,
        upper: ExprId,
        step: Option<ExprId>,
        place: ast::Place,
    ) -> ExprId {
        let variable = self.variable_value(variable, place);
        let sign = match step {
            None => Some(1),
            Some(step) => self.sign(step),
        };
        match sign {
            Some(1..) => self.compare(BoolOp::LessOrEqual, variable, upper, place),
            Some(_) => self.compare(BoolOp::GreaterOrEqual, variable, upper, place),
            None => {
                let step = step.map(|step| self.low.copy_expr(step));
                let step = step.unwrap_or_else(|| self.integer(1, place));
                let distance = self.low.operation("sub_scal_scal", &[variable, upper], ty, place);
                let product = self.low.operation("mul_scal_scal", &[distance, step], ty, place);
                let zero = self.integer(0, place);
                self.compare(BoolOp::LessOrEqual, product, zero, place)
            }
        }
    }

    /// The sign of a constant step, also of a real one.
    fn sign(&self, step: ExprId) -> Option<i64> {
        if let Some(value) = self.low.fold_integer(step) {
            return Some(value.signum());
        }
        match &self.low.doc.exprs[step].kind {
            ExprKind::Constant(constant) => match constant.class {
                ConstantClass::Real | ConstantClass::Double => Some(1),
                _ => None,
            },
            ExprKind::Intrinsic { name, operands, .. } if &**name == "minus_scal" => {
                self.sign(operands.first()?.expr).map(|sign| -sign)
            }
            ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// The header of FORALL or DO CONCURRENT; its indices have a scope of their own.
    pub(super) fn forall_header(
        &mut self,
        header: &ast::Concurrent,
        place: ast::Place,
    ) -> ForallHeader {
        let outer = self.scope;
        let scope = self.low.open_scope(outer, ScopeKind::Indices, place);
        let spec = header.type_spec.as_ref();
        let written = spec.map(|spec| Box::new(self.low.type_spec(outer, spec)));
        let mut ranges = Vec::new();
        for index in &header.indices {
            let lower = self.low.expr(outer, &index.first);
            let upper = self.low.expr(outer, &index.last);
            let step = index.step.as_ref().map(|step| self.low.expr(outer, step));
            let var = self.low.declare_index(scope, &index.variable, spec.map(|spec| &**spec));
            ranges.push(IndexRange { var, lower, upper, step });
        }
        let mask = header.mask.as_ref().map(|mask| self.low.expr(scope, mask));
        ForallHeader { scope, spec: written, ranges, mask }
    }
}

/// Locality clauses as text.
fn locality_text(locality: &[ast::Locality]) -> Option<Box<str>> {
    let names = |names: &[ast::Name]| {
        let names: Vec<&str> = names.iter().map(ast::Name::spelling).collect();
        names.join(", ")
    };
    let clauses: Vec<String> = locality
        .iter()
        .map(|clause| match clause {
            ast::Locality::Local(list) => format!("local({})", names(list)),
            ast::Locality::LocalInit(list) => format!("local_init({})", names(list)),
            ast::Locality::Shared(list) => format!("shared({})", names(list)),
            ast::Locality::DefaultNone => "default(none)".to_owned(),
            ast::Locality::Reduce(op, list) => format!("reduce({op}: {})", names(list)),
        })
        .collect();
    (!clauses.is_empty()).then(|| clauses.join(" ").into())
}
