//! How functions use their pointers, from the syntax alone, before any body is lowered.
//!
//! A parameter that is subscripted, moved, or passed on to such a parameter points to the elements of an array; one
//! that is only dereferenced points to one object. A pointer variable gets the array that all its values point into.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lang_c::ast::{
    BinaryOperator, Constant, DeclaratorKind, DerivedDeclarator, Expression, ExternalDeclaration,
    FunctionDefinition, InitDeclarator, Initializer, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use crate::Unit;

/// How one variable of a function is used as a pointer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Use {
    /// It is subscripted, or something is added to it.
    pub(crate) indexed: bool,
    /// It gets another value.
    pub(crate) moved: bool,
    /// The variables that it gets its value from; `None` is something else.
    pub(crate) roots: BTreeSet<Option<String>>,
    /// It gets memory from `malloc` or `calloc`.
    pub(crate) allocated: bool,
    /// It is an argument: function and position.
    passed: Vec<(String, usize)>,
}

/// How a function uses its variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    /// The names of the parameters.
    params: Vec<String>,
    vars: HashMap<String, Use>,
    /// Variables whose address is taken.
    pub(crate) addressed: BTreeSet<String>,
}

impl Usage {
    /// How a variable is used.
    pub(crate) fn of(&self, name: &str) -> Use {
        self.vars.get(name).cloned().unwrap_or_default()
    }

    /// Whether a parameter points to the elements of an array.
    pub(crate) fn is_array(&self, name: &str) -> bool {
        self.vars.get(name).is_some_and(|one| one.indexed || one.moved)
    }
}

/// The usage of all defined functions.
pub(crate) fn usage(units: &[Unit]) -> BTreeMap<String, Usage> {
    let mut found = BTreeMap::new();
    for unit in units {
        for one in &unit.tree.0 {
            if let ExternalDeclaration::FunctionDefinition(function) = &one.node {
                let mut finder = Finder::default();
                finder.usage.params = params(&function.node);
                visit::visit_statement(
                    &mut finder,
                    &function.node.statement.node,
                    &function.node.statement.span,
                );
                found.insert(name_of(&function.node.declarator.node), finder.usage);
            }
        }
    }
    // What is passed to an array parameter, and what is the root of a pointer, is an array.
    let mut grows = true;
    while grows {
        grows = false;
        let arrays: BTreeMap<String, Vec<bool>> = found
            .iter()
            .map(|(name, usage): (&String, &Usage)| {
                (name.clone(), usage.params.iter().map(|param| usage.is_array(param)).collect())
            })
            .collect();
        for usage in found.values_mut() {
            let roots: BTreeSet<String> =
                usage.vars.values().flat_map(|one| one.roots.iter().flatten().cloned()).collect();
            for (name, one) in &mut usage.vars {
                let passed = one.passed.iter().any(|(callee, position)| {
                    arrays.get(callee).is_some_and(|params| params.get(*position) == Some(&true))
                });
                if !one.indexed && (passed || roots.contains(name)) {
                    one.indexed = true;
                    grows = true;
                }
            }
        }
    }
    found
}

/// The name that a declarator declares.
pub(crate) fn name_of(declarator: &lang_c::ast::Declarator) -> String {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => name.node.name.clone(),
        DeclaratorKind::Declarator(inner) => name_of(&inner.node),
        DeclaratorKind::Abstract => String::new(),
    }
}

fn params(function: &FunctionDefinition) -> Vec<String> {
    let mut declarator = &function.declarator.node;
    loop {
        for one in &declarator.derived {
            if let DerivedDeclarator::Function(list) = &one.node {
                let name = |param: &Node<lang_c::ast::ParameterDeclaration>| {
                    param.node.declarator.as_ref().map_or(String::new(), |one| name_of(&one.node))
                };
                return list.node.parameters.iter().map(name).collect();
            }
        }
        match &declarator.kind.node {
            DeclaratorKind::Declarator(inner) => declarator = &inner.node,
            _ => return Vec::new(),
        }
    }
}

/// The name of a variable.
pub(crate) fn variable(expr: &Expression) -> Option<&str> {
    match expr {
        Expression::Identifier(name) => Some(&name.node.name),
        Expression::Cast(cast) => variable(&cast.node.expression.node),
        _ => None,
    }
}

/// The variable whose elements a pointer value points into, and whether something is added to it.
fn root(expr: &Expression) -> Option<(String, bool)> {
    match expr {
        Expression::Identifier(name) => Some((name.node.name.clone(), false)),
        Expression::Cast(cast) => root(&cast.node.expression.node),
        Expression::BinaryOperator(binary) => match binary.node.operator.node {
            BinaryOperator::Plus | BinaryOperator::Minus => {
                let left = root(&binary.node.lhs.node);
                left.or_else(|| root(&binary.node.rhs.node)).map(|(name, _)| (name, true))
            }
            BinaryOperator::Index => root(&binary.node.lhs.node).map(|(name, _)| (name, true)),
            _ => None,
        },
        Expression::UnaryOperator(unary) => match unary.node.operator.node {
            UnaryOperator::Address
            | UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement => root(&unary.node.operand.node),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression calls `malloc` or `calloc`.
pub(crate) fn allocation(expr: &Expression) -> Option<&Node<lang_c::ast::CallExpression>> {
    match expr {
        Expression::Cast(cast) => allocation(&cast.node.expression.node),
        Expression::Call(call) => match &call.node.callee.node {
            Expression::Identifier(name)
                if matches!(name.node.name.as_str(), "malloc" | "calloc") =>
            {
                Some(call)
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_zero(expr: &Expression) -> bool {
    match expr {
        Expression::Constant(constant) => {
            matches!(&constant.node, Constant::Integer(integer) if &*integer.number == "0")
        }
        _ => false,
    }
}

#[derive(Default)]
struct Finder {
    usage: Usage,
}

impl Finder {
    fn var(&mut self, name: &str) -> &mut Use {
        self.usage.vars.entry(name.to_owned()).or_default()
    }

    fn indexed(&mut self, expr: &Expression) {
        if let Some(name) = variable(expr) {
            self.var(name).indexed = true;
        }
    }

    fn assigned(&mut self, name: &str, value: &Expression) {
        let root = root(value);
        let allocated = allocation(value).is_some();
        let null = is_zero(value)
            || matches!(value, Expression::Cast(cast) if is_zero(&cast.node.expression.node));
        if let Some((root, _)) = &root {
            self.var(root);
        }
        let one = self.var(name);
        one.allocated |= allocated;
        if !allocated && !null {
            one.roots.insert(root.map(|(name, _)| name));
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_init_declarator(&mut self, declarator: &'ast InitDeclarator, span: &'ast Span) {
        if let Some(initializer) = &declarator.initializer
            && let Initializer::Expression(value) = &initializer.node
        {
            self.assigned(&name_of(&declarator.declarator.node), &value.node);
        }
        visit::visit_init_declarator(self, declarator, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::BinaryOperator(binary) => {
                let (lhs, rhs) = (&binary.node.lhs.node, &binary.node.rhs.node);
                match binary.node.operator.node {
                    BinaryOperator::Index if !is_zero(rhs) => self.indexed(lhs),
                    BinaryOperator::Plus | BinaryOperator::Minus => {
                        self.indexed(lhs);
                        self.indexed(rhs);
                    }
                    BinaryOperator::Assign => {
                        if let Some(name) = variable(lhs) {
                            self.var(name).moved = true;
                            self.assigned(name, rhs);
                        }
                    }
                    BinaryOperator::AssignPlus | BinaryOperator::AssignMinus => {
                        if let Some(name) = variable(lhs) {
                            self.var(name).moved = true;
                        }
                    }
                    _ => {}
                }
            }
            Expression::UnaryOperator(unary) => {
                let name = variable(&unary.node.operand.node);
                match (&unary.node.operator.node, name) {
                    (UnaryOperator::Address, Some(name)) => {
                        self.usage.addressed.insert(name.to_owned());
                    }
                    (
                        UnaryOperator::PostIncrement
                        | UnaryOperator::PostDecrement
                        | UnaryOperator::PreIncrement
                        | UnaryOperator::PreDecrement,
                        Some(name),
                    ) => self.var(name).moved = true,
                    _ => {}
                }
            }
            Expression::Call(call) => {
                if let Some(callee) = variable(&call.node.callee.node) {
                    for (position, argument) in call.node.arguments.iter().enumerate() {
                        if let Some(name) = variable(&argument.node) {
                            self.var(name).passed.push((callee.to_owned(), position));
                        }
                    }
                }
            }
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}
