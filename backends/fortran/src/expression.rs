//! Expressions, references and types as text.
//!
//! Parentheses are put where the source has them and where the tree would be read differently
//! without them, nowhere else. A tree is printed with a stack of things to do, never by recursion,
//! so that its depth does not matter.

use std::borrow::Cow;

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::intrinsics::{self, Fixity, Operator, Spelling};
use xaif_schema::model::{
    Arg, ArgValue, BoolOp, Callee, Constant, ConstantKind, Expr, ExprId, ExprKind, ForallHeader,
    FunctionCall, GenericSpec, ImpliedDo, IndexRange, Operand, Part, RefId, Role, ScopeId,
    ScopeKind, Subscript, SymbolId, TypeSpec,
};

use crate::code::{Code, Level};
use crate::context::Context;
use crate::literal::{is_signed, literal};

/// Precedence of what needs no parentheses anywhere.
const PRIMARY: u8 = 13;
/// Precedence of `**`, of products, of a sign, and of sums.
const POWER: u8 = 10;
const PRODUCT: u8 = 9;
const SIGN: u8 = 8;
const SUM: u8 = 7;
/// More text than any real statement has: a graph whose shared nodes unfold without end.
const LONGEST_STATEMENT: usize = 10_000_000;

/// Something to be printed.
#[derive(Debug)]
pub(crate) enum Tok<'d> {
    /// Text.
    Text(Cow<'d, str>),
    /// A place to break the line; the weight is that of the operator or comma there.
    Break(u8),
    /// An expression that needs parentheses if it binds less than this.
    Expr(ExprId, u8),
    /// A reference.
    Ref(RefId),
    /// A list of arguments begins or ends: places in it are worse for breaking.
    Down,
    /// The end of what [`Tok::Down`] began.
    Up,
    /// Sums are printed without blanks from here (in subscripts), to the matching [`Tok::Loose`].
    Tight,
    /// The end of what [`Tok::Tight`] began.
    Loose,
}

/// Text that is known beforehand.
pub(crate) fn text(text: &str) -> Tok<'_> {
    Tok::Text(Cow::Borrowed(text))
}

/// Text that is made up.
pub(crate) fn owned<'d>(text: impl Into<String>) -> Tok<'d> {
    Tok::Text(Cow::Owned(text.into()))
}

/// An expression in a place where nothing binds stronger.
pub(crate) fn whole<'d>(expr: ExprId) -> Tok<'d> {
    Tok::Expr(expr, 0)
}

/// A comma between two items of a list.
pub(crate) fn comma<'d>() -> [Tok<'d>; 3] {
    [text(","), Tok::Break(2), text(" ")]
}

/// Prints in one scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer<'c, 'd> {
    pub(crate) cx: &'c Context<'d>,
    /// The scope where the printed statement stands.
    pub(crate) scope: ScopeId,
}

impl<'d> Printer<'_, 'd> {
    /// Everything in `tokens`, one after the other.
    pub(crate) fn code(self, mut tokens: Vec<Tok<'d>>) -> Code {
        let mut code = Code::default();
        let mut nesting = 0_u16;
        let mut tight = 0_u32;
        tokens.reverse();
        while let Some(token) = tokens.pop() {
            let more = match token {
                Tok::Text(text) if tight > 0 && matches!(&*text, " + " | " - ") => {
                    code.push(text.trim());
                    continue;
                }
                Tok::Text(text) => {
                    code.push(&text);
                    continue;
                }
                Tok::Break(weight) => {
                    code.allow_break(Level(nesting.saturating_mul(8) + u16::from(weight)));
                    continue;
                }
                Tok::Down => {
                    nesting = nesting.saturating_add(1).min(1000);
                    continue;
                }
                Tok::Up => {
                    nesting = nesting.saturating_sub(1);
                    continue;
                }
                Tok::Tight => {
                    tight += 1;
                    continue;
                }
                Tok::Loose => {
                    tight = tight.saturating_sub(1);
                    continue;
                }
                Tok::Expr(expr, least) => self.open_expr(expr, least),
                Tok::Ref(reference) => self.reference(reference),
            };
            tokens.extend(more.into_iter().rev());
            if code.text.len() > LONGEST_STATEMENT {
                self.cx.error(
                    DiagCode::ENDLESS_EXPRESSION,
                    xaif_schema::model::Place::default(),
                    "an expression is too large to be printed",
                );
                return Code::default();
            }
        }
        code
    }

    /// An expression with the parentheses it needs.
    fn open_expr(self, id: ExprId, least: u8) -> Vec<Tok<'d>> {
        let doc = self.cx.doc;
        let node = &doc.exprs[id];
        let needs = node.parens || self.precedence(node) < least;
        if !needs {
            return self.node(node);
        }
        let mut tokens = vec![text("("), Tok::Down];
        tokens.extend(self.node(node));
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    fn precedence(self, node: &Expr) -> u8 {
        match &node.kind {
            ExprKind::Constant(constant) if is_signed(constant) => SIGN,
            ExprKind::Intrinsic { name, operands, .. } => match operator_of(name, operands.len()) {
                Some(operator) if operator.fixity != Fixity::Around => operator.precedence,
                _ => PRIMARY,
            },
            ExprKind::Boolean { op, .. } => intrinsics::boolean_operator(*op).precedence,
            ExprKind::Call(call) => match self.operator_call(call) {
                Some((_, precedence, _)) => precedence,
                None => PRIMARY,
            },
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => PRIMARY,
        }
    }

    fn node(self, node: &'d Expr) -> Vec<Tok<'d>> {
        match &node.kind {
            ExprKind::Constant(constant) => vec![owned(self.constant(constant))],
            ExprKind::Ref(reference) => vec![Tok::Ref(*reference)],
            ExprKind::Intrinsic { name, spelling, operands } => {
                self.intrinsic(name, spelling.as_deref(), operands)
            }
            ExprKind::Boolean { op, operands } => boolean(*op, operands),
            ExprKind::Call(call) => self.function_call(call),
            ExprKind::ArrayConstructor { spec, items } => {
                let mut tokens = vec![text("["), Tok::Down];
                if let Some(spec) = spec {
                    tokens.extend(self.bare_type(spec));
                    tokens.push(text(" :: "));
                }
                tokens.extend(list(items.iter().map(|&item| whole(item))));
                tokens.extend([Tok::Up, text("]")]);
                tokens
            }
            ExprKind::ImpliedDo(implied) => self.implied_do(implied),
            ExprKind::StructureConstructor { spec, args } => {
                let mut tokens = self.bare_type(spec);
                tokens.extend(self.arguments(args));
                tokens
            }
            ExprKind::Procedure(symbol) => vec![owned(self.cx.refer(self.scope, *symbol))],
            ExprKind::Opaque(opaque) => vec![text(opaque)],
        }
    }

    fn constant(self, constant: &Constant) -> String {
        let suffix = match constant.kind {
            ConstantKind::None => return literal(constant),
            ConstantKind::Number(number) => number.to_string(),
            ConstantKind::Named(symbol) => {
                let instead = self.cx.value_instead(self.scope, symbol);
                instead.unwrap_or_else(|| self.cx.name(self.scope, symbol))
            }
        };
        let literal = literal(constant);
        if literal.starts_with(['\'', '"']) {
            format!("{suffix}_{literal}")
        } else {
            format!("{literal}_{suffix}")
        }
    }

    fn intrinsic(
        self,
        name: &'d str,
        spelling: Option<&'d str>,
        operands: &'d [Operand],
    ) -> Vec<Tok<'d>> {
        if let Some(operator) = operator_of(name, operands.len()) {
            return operation(operator, operands);
        }
        let row = intrinsics::by_xaif(name);
        let function = spelling.or(row.map(|row| row.fortran));
        if let (Some(function), Some(_)) = (function, row) {
            self.cx.calls_intrinsic(self.scope, function, operands);
        }
        let mut ordered: Vec<Operand> = operands.to_vec();
        if !ordered.iter().any(|operand| operand.keyword) {
            ordered.sort_by_key(|operand| operand.position);
        }
        let mut tokens = vec![match function {
            Some(function) => text(function),
            None => owned(xaif_schema::names::legal(name)),
        }];
        tokens.extend([text("("), Tok::Down]);
        let mut named = false;
        for (index, operand) in ordered.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            named |= operand.keyword || usize::from(operand.position) != index + 1;
            let dummy =
                row.and_then(|row| row.dummy(usize::from(operand.position).saturating_sub(1)));
            if let Some(dummy) = dummy.filter(|dummy| named && !dummy.repeated) {
                tokens.push(text(dummy.name));
                tokens.push(text("="));
            }
            // gfortran 12 reads the memory between the components of a transposed array where another intrinsic takes
            // the result. It copies an expression in parentheses.
            let copied = function == Some("transpose") && self.is_spread_out(operand.expr);
            tokens.push(match copied {
                true => Tok::Expr(operand.expr, PRIMARY + 1),
                false => whole(operand.expr),
            });
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    /// Whether other memory lies between the elements of a variable: they are a component or a part of the elements of an
    /// array.
    fn is_spread_out(self, expr: ExprId) -> bool {
        let ExprKind::Ref(reference) = self.cx.doc.exprs[expr].kind else { return false };
        let reference = &self.cx.doc.refs[reference];
        let is_part = match reference.parts.last() {
            Some(Part::Component { symbol, .. }) => {
                symbol.is_some_and(|symbol| self.cx.doc.symbols[symbol].rank.unwrap_or(0) == 0)
            }
            Some(Part::Inquiry(_)) => true,
            Some(Part::Elements(_) | Part::Substring { .. } | Part::Deref) | None => false,
        };
        reference.ty.rank > 0 && is_part
    }

    fn function_call(self, call: &'d FunctionCall) -> Vec<Tok<'d>> {
        if let Some((symbol, precedence, fixity)) = self.operator_call(call) {
            let operands: Vec<ExprId> = call.args.iter().filter_map(argument_expr).collect();
            match operands[..] {
                [operand] => {
                    let least = if precedence == SIGN { PRODUCT } else { precedence + 1 };
                    let gap = if symbol.starts_with('.') { " " } else { "" };
                    return vec![owned(format!("{symbol}{gap}")), Tok::Expr(operand, least)];
                }
                [left, right] => return infix(&symbol, precedence, fixity, left, right),
                _ => {}
            }
        }
        let mut tokens = self.callee(&call.callee);
        tokens.extend(self.arguments(&call.args));
        tokens
    }

    /// The operator by which a function is called, with its precedence.
    fn operator_call(self, call: &FunctionCall) -> Option<(String, u8, Fixity)> {
        let generic = call.callee.generic.unwrap_or(call.callee.symbol);
        let symbol = match self.cx.doc.role(generic)? {
            Role::Generic { spec: GenericSpec::Operator(symbol), .. } => symbol.as_str(),
            // An operator of a module that was not given.
            Role::Unresolved { .. } => {
                let id = self.cx.doc.symbols[generic].id.as_str();
                id.strip_prefix("operator(")?.strip_suffix(')')?
            }
            _ => return None,
        };
        let unary = match call.args.len() {
            1 => true,
            2 => false,
            _ => return None,
        };
        if !call.args.iter().all(|arg| matches!(arg.value, ArgValue::Expr(_))) {
            return None;
        }
        let symbol = symbol.to_ascii_lowercase();
        let (fixity, precedence) = intrinsic_operator(&symbol, unary).unwrap_or_else(|| {
            if unary { intrinsics::defined_unary() } else { intrinsics::defined_binary() }
        });
        let local = self.renamed_operator(generic).unwrap_or(symbol);
        Some((local, precedence, fixity))
    }

    /// The name of a defined operator where USE renames it.
    fn renamed_operator(self, generic: SymbolId) -> Option<String> {
        let name = self.cx.name(self.scope, generic).to_ascii_lowercase();
        let inner = name.strip_prefix("operator")?.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(inner.trim().to_owned())
    }

    /// What a call names.
    pub(crate) fn callee(self, callee: &Callee) -> Vec<Tok<'d>> {
        match callee.object {
            Some(object) => vec![Tok::Ref(object)],
            None => {
                let symbol = callee.generic.unwrap_or(callee.symbol);
                let name = self.cx.refer(self.scope, symbol);
                self.cx.calls_by(self.scope, &name, callee);
                vec![owned(name)]
            }
        }
    }

    /// Actual arguments in parentheses.
    pub(crate) fn arguments(self, args: &'d [Arg]) -> Vec<Tok<'d>> {
        let mut tokens = vec![text("("), Tok::Down];
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            if let Some(keyword) = &arg.keyword {
                tokens.extend([text(keyword), text("=")]);
            }
            match arg.value {
                ArgValue::Expr(expr) => tokens.push(whole(expr)),
                // Statements that have them print their arguments themselves: only they know
                // the labels.
                ArgValue::AlternateReturn(value) => tokens.push(owned(format!("*{value}"))),
            }
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    fn implied_do(self, implied: &'d ImpliedDo) -> Vec<Tok<'d>> {
        let mut tokens = vec![text("("), Tok::Down];
        tokens.extend(list(implied.items.iter().map(|&item| whole(item))));
        tokens.extend(comma());
        if let Some(spec) = self.own_type(implied.control.var) {
            tokens.extend(self.type_spec(spec));
            tokens.push(text(" :: "));
        }
        tokens.extend(self.range(&implied.control, ", "));
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    /// The type that an implied DO gives its index; without one, it is that of the variable of its name around.
    fn own_type(self, index: SymbolId) -> Option<&'d TypeSpec> {
        let symbol = &self.cx.doc.symbols[index];
        let own = matches!(self.cx.doc.scopes[symbol.scope].kind, ScopeKind::Indices);
        symbol.decl.as_deref().filter(|decl| own && !decl.implicit).map(|decl| &decl.spec)
    }

    /// `var = lower, upper, step` with `separator` between the bounds.
    pub(crate) fn range(self, range: &'d IndexRange, separator: &'static str) -> Vec<Tok<'d>> {
        let mut tokens = vec![
            owned(self.cx.refer(self.scope, range.var)),
            text(if separator == ":" { "=" } else { " = " }),
            whole(range.lower),
            text(separator),
            whole(range.upper),
        ];
        if let Some(step) = range.step {
            tokens.extend([text(separator), whole(step)]);
        }
        tokens
    }

    /// The header of FORALL and DO CONCURRENT.
    pub(crate) fn forall_header(self, header: &'d ForallHeader) -> Vec<Tok<'d>> {
        let inner = Printer { cx: self.cx, scope: header.scope };
        let mut tokens = vec![text("("), Tok::Down];
        if let Some(spec) = &header.spec {
            tokens.extend(self.type_spec(spec));
            tokens.push(text(" :: "));
        }
        for (index, range) in header.ranges.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            tokens.extend(inner.range(range, ":"));
        }
        if let Some(mask) = header.mask {
            tokens.extend(comma());
            tokens.push(whole(mask));
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    /// A reference with all its parts.
    fn reference(self, id: RefId) -> Vec<Tok<'d>> {
        let reference = &self.cx.doc.refs[id];
        if let Some(value) = self.cx.value_instead(self.scope, reference.base) {
            return vec![owned(value)];
        }
        let mut tokens = vec![owned(self.cx.refer(self.scope, reference.base))];
        for part in &reference.parts {
            match part {
                Part::Elements(subscripts) => tokens.extend(self.subscripts(subscripts)),
                Part::Component { symbol, name } => {
                    tokens.push(text("%"));
                    tokens.push(match symbol {
                        Some(symbol) => owned(self.cx.names.declared(*symbol)),
                        None => text(name),
                    });
                }
                Part::Substring { lower, upper } => {
                    tokens.push(text("("));
                    tokens.extend([Tok::Down, Tok::Tight]);
                    tokens.extend(section(*lower, *upper, None));
                    tokens.extend([Tok::Loose, Tok::Up]);
                    tokens.push(text(")"));
                }
                Part::Inquiry(name) => tokens.extend([text("%"), text(name)]),
                Part::Deref => self.cx.error_with_help(
                    DiagCode::NO_FORTRAN_FOR_IT,
                    reference.place,
                    "Fortran has no way to write the target of a C pointer",
                    "print this document with a C back-end",
                ),
            }
        }
        tokens
    }

    /// Subscripts in parentheses.
    pub(crate) fn subscripts(self, subscripts: &[Subscript]) -> Vec<Tok<'d>> {
        let mut tokens = vec![text("("), Tok::Down, Tok::Tight];
        for (index, subscript) in subscripts.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            match *subscript {
                Subscript::Index(expr) => tokens.push(whole(expr)),
                Subscript::Section { lower, upper, stride } => {
                    tokens.extend(section(lower, upper, stride));
                }
            }
        }
        tokens.extend([Tok::Loose, Tok::Up, text(")")]);
        tokens
    }
}

/// `lower:upper:stride`
pub(crate) fn section<'d>(
    lower: Option<ExprId>,
    upper: Option<ExprId>,
    stride: Option<ExprId>,
) -> Vec<Tok<'d>> {
    let mut tokens = Vec::new();
    tokens.extend(lower.map(whole));
    tokens.push(text(":"));
    tokens.extend(upper.map(whole));
    if let Some(stride) = stride {
        tokens.extend([text(":"), whole(stride)]);
    }
    tokens
}

/// Items with commas between them.
pub(crate) fn list<'d>(items: impl Iterator<Item = Tok<'d>>) -> Vec<Tok<'d>> {
    let mut tokens = Vec::new();
    for item in items {
        if !tokens.is_empty() {
            tokens.extend(comma());
        }
        tokens.push(item);
    }
    tokens
}

fn argument_expr(arg: &Arg) -> Option<ExprId> {
    match arg.value {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    }
}

/// The operator that an operation is written with, if it has the operands for it.
fn operator_of(name: &str, operands: usize) -> Option<&'static Operator> {
    let Some(Spelling::Operator(operator)) = intrinsics::spelling(name) else { return None };
    let wanted = if operator.fixity == Fixity::Prefix { 1 } else { 2 };
    (operands == wanted).then_some(operator)
}

fn operation<'d>(operator: &'static Operator, operands: &[Operand]) -> Vec<Tok<'d>> {
    let mut ordered: Vec<Operand> = operands.to_vec();
    ordered.sort_by_key(|operand| operand.position);
    match ordered[..] {
        [operand] => prefix(operator.symbol, operator.precedence, operand.expr),
        [left, right] if operator.fixity == Fixity::Around => {
            vec![text("("), whole(left.expr), text(", "), whole(right.expr), text(")")]
        }
        [left, right] => {
            infix(operator.symbol, operator.precedence, operator.fixity, left.expr, right.expr)
        }
        _ => Vec::new(),
    }
}

fn boolean<'d>(op: BoolOp, operands: &[Operand]) -> Vec<Tok<'d>> {
    let operator = intrinsics::boolean_operator(op);
    let mut ordered: Vec<Operand> = operands.to_vec();
    ordered.sort_by_key(|operand| operand.position);
    match ordered[..] {
        [operand] => prefix(operator.symbol, operator.precedence, operand.expr),
        [left, right] => {
            infix(operator.symbol, operator.precedence, operator.fixity, left.expr, right.expr)
        }
        // The verifier refuses other numbers of operands; nothing is lost silently here, for the
        // empty text does not compile.
        _ => Vec::new(),
    }
}

fn prefix<'d>(symbol: &'static str, precedence: u8, operand: ExprId) -> Vec<Tok<'d>> {
    // A sign stands before a product; `.not.` before what is not itself negated.
    let least = if precedence == SIGN { PRODUCT } else { precedence + 1 };
    let gap = if symbol.starts_with('.') { " " } else { "" };
    vec![owned(format!("{symbol}{gap}")), Tok::Expr(operand, least)]
}

fn infix<'d>(
    symbol: &str,
    precedence: u8,
    fixity: Fixity,
    left: ExprId,
    right: ExprId,
) -> Vec<Tok<'d>> {
    let (left_least, right_least) = match fixity {
        // A sign may stand at the left of a sum only.
        Fixity::Left if precedence == SUM => (SUM, PRODUCT),
        Fixity::Left | Fixity::Prefix | Fixity::Around => (precedence, precedence + 1),
        Fixity::Right => (precedence + 1, precedence),
        Fixity::Never => (precedence + 1, precedence + 1),
    };
    let spaced = match precedence {
        POWER | PRODUCT => owned(symbol.to_owned()),
        _ => owned(format!(" {symbol} ")),
    };
    let weight = match precedence {
        0..=3 => 1,
        4..=6 => 3,
        7 | 8 => 4,
        PRODUCT => 5,
        _ => 7,
    };
    vec![Tok::Expr(left, left_least), Tok::Break(weight), spaced, Tok::Expr(right, right_least)]
}

/// Precedence of an intrinsic operator that a program has given more meanings.
fn intrinsic_operator(symbol: &str, unary: bool) -> Option<(Fixity, u8)> {
    let row = match symbol {
        "**" => (Fixity::Right, POWER),
        "*" | "/" => (Fixity::Left, PRODUCT),
        "+" | "-" if unary => (Fixity::Prefix, SIGN),
        "+" | "-" => (Fixity::Left, SUM),
        "//" => (Fixity::Left, 6),
        "==" | "/=" | "<" | "<=" | ">" | ">=" | ".eq." | ".ne." | ".lt." | ".le." | ".gt."
        | ".ge." => (Fixity::Never, 5),
        ".not." => (Fixity::Prefix, 4),
        ".and." => (Fixity::Left, 3),
        ".or." => (Fixity::Left, 2),
        ".eqv." | ".neqv." => (Fixity::Left, 1),
        _ => return None,
    };
    Some(row)
}
