//! Which names an execution part uses, found before anything is lowered.
//!
//! Two things hang on it. A contained procedure has the variables of its host, also those that the
//! host does not declare; and its declarations are looked at before the host's body is. And a name
//! that is passed as an argument may turn out to be a function only further down.

use std::collections::HashSet;

use crate::syntax::ast::{
    Argument, ArgumentValue, ArrayConstructor, ArrayItem, CaseSelector, CaseValue, Concurrent,
    Designator, DoControl, ExecItem, Expr, ExprKind, ImpliedDo, Io, IoValue, Locality, Name,
    RankGuard, SpecItem, SpecKind, Stmt, StmtKind,
};

/// The names that an execution part uses, those left out that a construct has for itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentions<'a> {
    /// Names used as variables: without a list, or with components.
    pub(super) variables: HashSet<&'a str>,
    /// Names with an argument list behind them.
    pub(super) called: HashSet<&'a str>,
    /// Names that CALL calls.
    pub(super) subroutines: HashSet<&'a str>,
    /// Names that are whole actual arguments.
    pub(super) passed: HashSet<&'a str>,
    /// Names of the constructs around the statement.
    hidden: Vec<&'a str>,
}

impl<'a> Mentions<'a> {
    /// Looks through an execution part.
    pub(super) fn of(exec: &'a [ExecItem]) -> Self {
        let mut mentions = Mentions::default();
        mentions.block(exec);
        mentions
    }

    /// Names that are passed as they are in one place and called as functions in another.
    pub(super) fn functions(&self) -> HashSet<&'a str> {
        self.called.intersection(&self.passed).copied().collect()
    }

    fn block(&mut self, block: &'a [ExecItem]) {
        for item in block {
            match item {
                ExecItem::Stmt(stmt) => self.stmt(stmt),
                ExecItem::Trivia(_) => {}
            }
        }
    }

    /// A block in which these names are not those outside of it.
    fn block_with(&mut self, names: impl IntoIterator<Item = &'a Name>, block: &'a [ExecItem]) {
        let before = self.hidden.len();
        self.hidden.extend(names.into_iter().map(Name::key));
        self.block(block);
        self.hidden.truncate(before);
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Assign { target, value } | StmtKind::PointerAssign { target, value } => {
                self.target(target);
                self.expr(value);
            }
            StmtKind::AssignLabel { variable, .. } | StmtKind::AssignedGoto { variable, .. } => {
                self.variable(variable);
            }
            StmtKind::Call { procedure, arguments } => {
                match procedure.simple() {
                    Some(name) if !self.hidden.contains(&name.key()) => {
                        self.subroutines.insert(name.key());
                    }
                    Some(_) => {}
                    None => self.target(procedure),
                }
                self.arguments(arguments.as_deref().unwrap_or(&[]), true);
            }
            StmtKind::ComputedGoto { selector: value, .. }
            | StmtKind::ArithmeticIf { value, .. } => self.expr(value),
            StmtKind::LogicalIf { condition: mask, action }
            | StmtKind::WhereStmt { mask, action } => {
                self.expr(mask);
                self.stmt(action);
            }
            StmtKind::Return(value) | StmtKind::Pause(value) => self.exprs(value),
            StmtKind::Stop { code, quiet, .. } => self.exprs(code.iter().chain(quiet)),
            StmtKind::Io(io) => self.io(io),
            StmtKind::Allocate { objects, options, .. }
            | StmtKind::Deallocate { objects, options } => {
                objects.iter().for_each(|object| self.target(object));
                self.exprs(options.iter().map(|(_, value)| value));
            }
            StmtKind::Nullify(objects) => objects.iter().for_each(|object| self.target(object)),
            StmtKind::If(conditional) | StmtKind::Where(conditional) => {
                for arm in &conditional.arms {
                    self.exprs(&arm.condition);
                    self.block(&arm.body);
                }
            }
            StmtKind::Forall { header, body, .. } => self.concurrent(header, &[], body),
            StmtKind::ForallStmt { header, action } => {
                let before = self.hidden.len();
                self.concurrent(header, &[], &[]);
                self.hidden.extend(header.indices.iter().map(|index| index.variable.key()));
                self.stmt(action);
                self.hidden.truncate(before);
            }
            StmtKind::Do(construct) => self.loop_(&construct.control, &construct.body),
            StmtKind::SelectCase(select) => {
                self.expr(&select.subject);
                for arm in &select.arms {
                    self.case(&arm.guard);
                    self.block(&arm.body);
                }
            }
            StmtKind::SelectType(select) => {
                self.expr(&select.subject.selector);
                for arm in &select.arms {
                    self.block_with(&select.subject.name, &arm.body);
                }
            }
            StmtKind::SelectRank(select) => {
                self.expr(&select.subject.selector);
                for arm in &select.arms {
                    if let RankGuard::Rank(rank) = &arm.guard {
                        self.expr(rank);
                    }
                    self.block_with(&select.subject.name, &arm.body);
                }
            }
            StmtKind::Associate { associations, body, .. } => {
                self.exprs(associations.iter().map(|(_, value)| value));
                self.block_with(associations.iter().map(|(name, _)| name), body);
            }
            StmtKind::Block { spec, body, .. } => self.block_with(declared(spec), body),
            StmtKind::Critical { body, .. } => self.block(body),
            StmtKind::Goto(_)
            | StmtKind::Cycle(_)
            | StmtKind::Exit(_)
            | StmtKind::Continue
            | StmtKind::Spec(_)
            | StmtKind::Opaque(_) => {}
        }
    }

    fn loop_(&mut self, control: &'a DoControl, body: &'a [ExecItem]) {
        match control {
            DoControl::Forever => {}
            DoControl::Counted(range) => {
                self.target(&range.variable);
                self.exprs([&range.first, &range.last].into_iter().chain(&range.step));
            }
            DoControl::While(condition) => self.expr(condition),
            DoControl::Concurrent { header, locality } => {
                return self.concurrent(header, locality, body);
            }
        }
        self.block(body);
    }

    fn concurrent(
        &mut self,
        header: &'a Concurrent,
        locality: &'a [Locality],
        body: &'a [ExecItem],
    ) {
        for index in &header.indices {
            self.exprs([&index.first, &index.last].into_iter().chain(&index.step));
        }
        for name in locality.iter().flat_map(|locality| match locality {
            Locality::Local(names)
            | Locality::LocalInit(names)
            | Locality::Shared(names)
            | Locality::Reduce(_, names) => names.as_slice(),
            Locality::DefaultNone => &[],
        }) {
            self.variable(name);
        }
        let before = self.hidden.len();
        self.hidden.extend(header.indices.iter().map(|index| index.variable.key()));
        self.exprs(header.mask.iter().map(|mask| &**mask));
        self.block(body);
        self.hidden.truncate(before);
    }

    fn case(&mut self, guard: &'a CaseSelector) {
        let values = match guard {
            CaseSelector::Default => &[][..],
            CaseSelector::Values(values) => values,
        };
        for value in values {
            match value {
                CaseValue::Value(value) => self.expr(value),
                CaseValue::Range(lower, upper) => self.exprs(lower.iter().chain(upper)),
            }
        }
    }

    fn io(&mut self, io: &'a Io) {
        for control in &io.control {
            match &control.value {
                // A name alone may be that of a namelist, which no contained procedure declares.
                IoValue::Expr(value) => self.expr(value),
                IoValue::Star | IoValue::Label(_) => {}
            }
        }
        // The variable of an implied DO of an I/O list is one of the unit.
        self.items(&io.items, true);
    }

    fn items(&mut self, items: &'a [ArrayItem], shares_variable: bool) {
        for item in items {
            match item {
                ArrayItem::Expr(value) => self.expr(value),
                ArrayItem::ImpliedDo(implied) => self.implied(implied, shares_variable),
            }
        }
    }

    fn implied(&mut self, implied: &'a ImpliedDo<ArrayItem>, shares_variable: bool) {
        self.exprs([&implied.first, &implied.last].into_iter().chain(&implied.step));
        let before = self.hidden.len();
        if shares_variable {
            self.variable(&implied.variable);
        } else {
            self.hidden.push(implied.variable.key());
        }
        self.items(&implied.items, shares_variable);
        self.hidden.truncate(before);
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &'a Expr) {
        // The left operands of a chain of operators by a loop: a chain may be long.
        let mut expr = expr;
        loop {
            expr = match &expr.kind {
                ExprKind::Binary(_, left, right) => {
                    self.expr(right);
                    left
                }
                ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => inner,
                ExprKind::Complex(re, im) => {
                    self.expr(re);
                    im
                }
                ExprKind::Literal(_) => return,
                ExprKind::Designator(designator) => return self.value(designator),
                ExprKind::Array(ArrayConstructor { items, .. }) => {
                    return self.items(items, false);
                }
                ExprKind::LiteralSubstring(_, range) => return self.argument(range, false),
            };
        }
    }

    /// A designator in an expression: one with a list may be a function reference.
    fn value(&mut self, designator: &'a Designator) {
        if let [part] = designator.parts.as_slice()
            && let [list] = part.arguments.as_slice()
        {
            let is_section = |one: &Argument| matches!(one.value, ArgumentValue::Section { .. });
            if !list.iter().any(is_section) && !self.hidden.contains(&part.name.key()) {
                self.called.insert(part.name.key());
            }
            return self.arguments(list, true);
        }
        self.target(designator);
    }

    /// A designator that is a variable.
    fn target(&mut self, designator: &'a Designator) {
        if let Some(first) = designator.parts.first()
            && (first.arguments.is_empty() || designator.parts.len() > 1)
        {
            self.variable(&first.name);
        }
        for list in designator.parts.iter().flat_map(|part| &part.arguments) {
            self.arguments(list, false);
        }
    }

    fn arguments(&mut self, arguments: &'a [Argument], may_pass: bool) {
        arguments.iter().for_each(|argument| self.argument(argument, may_pass));
    }

    fn argument(&mut self, argument: &'a Argument, may_pass: bool) {
        match &argument.value {
            ArgumentValue::Expr(value) => {
                if let (true, ExprKind::Designator(designator)) = (may_pass, &value.kind)
                    && let Some(name) = designator.simple()
                    && !self.hidden.contains(&name.key())
                {
                    self.passed.insert(name.key());
                }
                self.expr(value);
            }
            ArgumentValue::Section { lower, upper, stride } => {
                let bounds = [lower, upper, stride].into_iter().flatten();
                self.exprs(bounds.map(|bound| &**bound));
            }
            ArgumentValue::Percent(_, value) => self.expr(value),
            ArgumentValue::Alternate(_) | ArgumentValue::Star => {}
        }
    }

    fn variable(&mut self, name: &'a Name) {
        if !self.hidden.contains(&name.key()) {
            self.variables.insert(name.key());
        }
    }
}

/// The names that the specification part of a BLOCK construct declares. What it only uses there is
/// left to the lowering of the block.
fn declared(spec: &[SpecItem]) -> impl Iterator<Item = &Name> {
    spec.iter().flat_map(|item| match item {
        SpecItem::Stmt(stmt) => declared_by(&stmt.kind),
        SpecItem::Trivia(_) => Vec::new(),
    })
}

fn declared_by(kind: &SpecKind) -> Vec<&Name> {
    match kind {
        SpecKind::Declaration(declaration) => {
            declaration.entities.iter().map(|entity| &entity.name).collect()
        }
        SpecKind::Procedure(declaration) => {
            declaration.entities.iter().map(|(name, _)| name).collect()
        }
        SpecKind::Parameter { list, .. } => list.iter().map(|(name, _)| name).collect(),
        SpecKind::Dimension(entities) | SpecKind::Attribute(_, entities) => {
            entities.iter().map(|entity| &entity.name).collect()
        }
        SpecKind::External(names) | SpecKind::Intrinsic(names) => names.iter().collect(),
        SpecKind::Use(used) => used
            .items
            .iter()
            .filter_map(|item| match &item.local {
                crate::syntax::ast::GenericName::Name(name) => Some(name),
                _ => None,
            })
            .collect(),
        SpecKind::Import(_)
        | SpecKind::Implicit(_)
        | SpecKind::Data(_)
        | SpecKind::Save(_)
        | SpecKind::Common(_)
        | SpecKind::Equivalence(_)
        | SpecKind::Namelist(_)
        | SpecKind::Bind(..)
        | SpecKind::Access(..)
        | SpecKind::Generic(_)
        | SpecKind::TypeDef(_)
        | SpecKind::Enum(_)
        | SpecKind::Interface(_)
        | SpecKind::Entry(_)
        | SpecKind::Format(_)
        | SpecKind::Opaque(_) => Vec::new(),
    }
}
