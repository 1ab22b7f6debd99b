//! Expressions, references and types as text, with no more parentheses than they need.
//!
//! Everything here works off an explicit stack: an expression of any depth is written without
//! recursion, and a graph whose nodes have several users is cut off (`…`) before it can grow
//! beyond what the document holds.

mod reference;
mod types;

use std::borrow::Cow;
use std::fmt::Write as _;

use super::ShowOptions;
use crate::intrinsics::{self, Fixity, Operator, Spelling};
use crate::model::{
    Arg, ArgValue, Callee, Constant, ConstantClass, ConstantKind, Document, ExprId, ExprKind,
    ForallHeader, GenericSpec, IndexRange, Operands, Part, RefId, Role, SymbolId, Ty, TypeSpec,
};

/// Writes the parts of a document that stand within a line.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) doc: &'a Document,
    pub(crate) options: &'a ShowOptions,
}

/// What is still to be written.
enum Work<'a> {
    Text(Cow<'a, str>),
    /// An expression that is put in parentheses if it binds less than this.
    Expr(ExprId, u8),
    Ref(RefId),
    Derivative(RefId),
    Spec(&'a TypeSpec),
}

/// Pieces in the order in which they are to be written.
type Pieces<'a> = Vec<Work<'a>>;

impl<'a> Text<'a> {
    /// An expression.
    pub(crate) fn expr(&self, id: ExprId) -> String {
        self.run(Work::Expr(id, 0))
    }

    /// A reference.
    pub(crate) fn reference(&self, id: RefId) -> String {
        self.run(Work::Ref(id))
    }

    /// The derivative of a reference.
    pub(crate) fn derivative(&self, id: RefId) -> String {
        self.run(Work::Derivative(id))
    }

    /// An expression as an operand of a product.
    pub(crate) fn factor(&self, id: ExprId) -> String {
        self.run(Work::Expr(id, 9))
    }

    /// A type as a declaration writes it.
    pub(crate) fn spec<'b>(&self, spec: &'b TypeSpec) -> String
    where
        'a: 'b,
    {
        let text: Text<'b> = *self;
        text.run(Work::Spec(spec))
    }

    /// The name of a symbol, with its id where ids are wanted.
    pub(crate) fn name(&self, symbol: SymbolId) -> String {
        let mut name = match self.doc.symbols.get(symbol) {
            Some(_) => self.doc.name(symbol).to_owned(),
            None => "?".to_owned(),
        };
        if self.options.ids {
            let _ = write!(name, "{{{symbol}}}");
        }
        name
    }

    fn run(&self, start: Work<'a>) -> String {
        let mut out = String::new();
        let mut stack = vec![start];
        let mut pieces = Pieces::new();
        // A tree needs far less; only a graph with shared nodes can ask for more.
        let mut budget = 10_000 + 16 * (self.doc.exprs.len() + self.doc.refs.len());
        while let Some(work) = stack.pop() {
            if budget == 0 {
                out.push('…');
                break;
            }
            budget -= 1;
            match work {
                Work::Text(text) => out.push_str(&text),
                Work::Expr(id, least) => self.expr_pieces(id, least, &mut pieces),
                Work::Ref(id) => self.ref_pieces(id, false, &mut pieces),
                Work::Derivative(id) => self.ref_pieces(id, true, &mut pieces),
                Work::Spec(spec) => self.spec_pieces(spec, &mut pieces),
            }
            stack.extend(pieces.drain(..).rev());
        }
        out
    }

    fn expr_pieces(&self, id: ExprId, least: u8, to: &mut Pieces<'a>) {
        let Some(expr) = self.doc.exprs.get(id) else {
            return push(to, "?");
        };
        let (least, closes) = if expr.parens {
            push(to, "(");
            (0, true)
        } else {
            (least, false)
        };
        match &expr.kind {
            ExprKind::Constant(constant) => self.constant(constant, least, to),
            ExprKind::Ref(reference) => to.push(Work::Ref(*reference)),
            ExprKind::Intrinsic { name, spelling, operands } => {
                self.intrinsic((name, spelling.as_deref(), expr.ty), operands, least, to);
            }
            ExprKind::Boolean { op, operands } => {
                self.operation(&intrinsics::boolean_operator(*op), operands, least, to);
            }
            ExprKind::Call(call) => {
                self.callee(&call.callee, to);
                self.args(&call.args, &|_| None, to);
                self.type_of_call(expr.ty, to);
            }
            ExprKind::ArrayConstructor { spec, items } => {
                push(to, "[");
                if let Some(spec) = spec {
                    to.push(Work::Spec(spec));
                    push(to, " :: ");
                }
                list(items, to);
                push(to, "]");
            }
            ExprKind::ImpliedDo(implied) => {
                push(to, "(");
                list(&implied.items, to);
                push(to, ", ");
                self.range(&implied.control, ", ", to);
                push(to, ")");
            }
            ExprKind::StructureConstructor { spec, args } => {
                to.push(Work::Spec(spec));
                self.args(args, &|_| None, to);
            }
            ExprKind::Procedure(symbol) => to.push(Work::Text(self.name(*symbol).into())),
            ExprKind::Opaque(text) => {
                push(to, "opaque{");
                to.push(Work::Text(text.as_ref().into()));
                push(to, "}");
            }
        }
        if closes {
            push(to, ")");
        }
    }

    fn type_of_call(&self, ty: Ty, to: &mut Pieces<'a>) {
        if self.options.types {
            to.push(Work::Text(format!(":{}", self.ty(ty)).into()));
        }
    }

    fn constant(&self, constant: &'a Constant, least: u8, to: &mut Pieces<'a>) {
        let text = constant.text.as_ref();
        let signed = text.starts_with(['-', '+']) && least > 8;
        if signed {
            push(to, "(");
        }
        let quoted = matches!(constant.class, ConstantClass::Char | ConstantClass::String)
            && !text.starts_with(['\'', '"']);
        match constant.class {
            _ if quoted => to.push(Work::Text(format!("'{}'", text.replace('\'', "''")).into())),
            ConstantClass::Null if text.is_empty() => push(to, "null()"),
            _ => to.push(Work::Text(text.into())),
        }
        match constant.kind {
            ConstantKind::None => {}
            ConstantKind::Number(kind) => to.push(Work::Text(format!("_{kind}").into())),
            ConstantKind::Named(symbol) => {
                to.push(Work::Text(format!("_{}", self.name(symbol)).into()));
            }
        }
        if signed {
            push(to, ")");
        }
    }

    fn intrinsic(
        &self,
        (name, spelling, ty): (&'a str, Option<&'a str>, Ty),
        operands: &'a Operands,
        least: u8,
        to: &mut Pieces<'a>,
    ) {
        let known = intrinsics::spelling(name);
        if let Some(Spelling::Operator(operator)) = known
            && operands.len() == arity(operator.fixity)
        {
            return self.operation(operator, operands, least, to);
        }
        let (plain, row) = match known {
            Some(Spelling::Function(row)) => (row.fortran, Some(row)),
            Some(Spelling::Operator(_)) | None => (name, None),
        };
        to.push(Work::Text(spelling.unwrap_or(plain).into()));
        push(to, "(");
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                push(to, ", ");
            }
            let position = usize::from(operand.position);
            let dummy = row.and_then(|row| row.dummy(position.wrapping_sub(1)));
            match dummy {
                Some(dummy) if operand.keyword => {
                    to.push(Work::Text(format!("{}=", dummy.name).into()));
                }
                _ if operand.keyword || position != index + 1 => {
                    to.push(Work::Text(format!("@{position}=").into()));
                }
                _ => {}
            }
            to.push(Work::Expr(operand.expr, 0));
        }
        push(to, ")");
        self.type_of_call(ty, to);
    }

    fn operation(
        &self,
        operator: &Operator,
        operands: &'a Operands,
        least: u8,
        to: &mut Pieces<'a>,
    ) {
        let mut sorted = operands.clone();
        sorted.sort_by_key(|operand| operand.position);
        let symbol = operator.symbol.trim_matches('.');
        let own = operator.precedence;
        let parens = own < least;
        if parens {
            push(to, "(");
        }
        match (operator.fixity, sorted.as_slice()) {
            (Fixity::Prefix, [operand]) => {
                push(to, symbol);
                if symbol.ends_with(char::is_alphabetic) {
                    push(to, " ");
                }
                to.push(Work::Expr(operand.expr, own + 1));
            }
            (Fixity::Left | Fixity::Right | Fixity::Never, [left, right]) => {
                let (low, high) = match operator.fixity {
                    Fixity::Left => (own, own + 1),
                    Fixity::Right => (own + 1, own),
                    Fixity::Never | Fixity::Prefix | Fixity::Around => (own + 1, own + 1),
                };
                to.push(Work::Expr(left.expr, low));
                match symbol {
                    "**" | "*" | "/" => push(to, symbol),
                    _ => to.push(Work::Text(format!(" {symbol} ").into())),
                }
                to.push(Work::Expr(right.expr, high));
            }
            (Fixity::Around, [left, right]) => {
                push(to, "(");
                to.push(Work::Expr(left.expr, 0));
                push(to, ", ");
                to.push(Work::Expr(right.expr, 0));
                push(to, ")");
            }
            // An operation with too few or too many operands: a document that the verifier blames.
            _ => {
                to.push(Work::Text(operator.xaif.into()));
                push(to, "(");
                for (index, operand) in sorted.iter().enumerate() {
                    if index > 0 {
                        push(to, ", ");
                    }
                    to.push(Work::Expr(operand.expr, 0));
                }
                push(to, ")");
            }
        }
        if parens {
            push(to, ")");
        }
    }

    /// A call's head: `generic:specific`, `object%binding`, `object%binding:specific`.
    fn callee(&self, callee: &Callee, to: &mut Pieces<'a>) {
        let name = self.name(callee.symbol);
        let reached = match (callee.object, callee.generic) {
            (Some(object), _) => {
                to.push(Work::Ref(object));
                let last = self.doc.refs.get(object).and_then(|object| object.parts.last());
                match last {
                    Some(Part::Component { name, .. }) => Some(name.to_string()),
                    _ => Some(String::new()),
                }
            }
            (None, Some(generic)) => {
                let generic = self.generic(generic);
                to.push(Work::Text(generic.clone().into()));
                Some(generic)
            }
            (None, None) => None,
        };
        match reached {
            None => to.push(Work::Text(name.into())),
            Some(reached) if reached.eq_ignore_ascii_case(&name) => {}
            Some(_) => to.push(Work::Text(format!(":{name}").into())),
        }
    }

    /// A generic name, operator or assignment.
    pub(crate) fn generic(&self, symbol: SymbolId) -> String {
        match self.doc.role(symbol) {
            Some(Role::Generic { spec: GenericSpec::Operator(operator), .. }) => {
                format!("operator({operator})")
            }
            Some(Role::Generic { spec: GenericSpec::Assignment, .. }) => "assignment(=)".into(),
            Some(Role::Generic { spec: GenericSpec::Io(text), .. }) => text.clone(),
            _ => self.name(symbol),
        }
    }

    /// A call without its verb. `way` says where an alternate return goes.
    pub(crate) fn call<'b>(
        &self,
        callee: &Callee,
        args: &'b [Arg],
        way: &dyn Fn(i64) -> Option<String>,
    ) -> String
    where
        'a: 'b,
    {
        let text: Text<'b> = *self;
        let mut pieces = Pieces::new();
        text.callee(callee, &mut pieces);
        text.args(args, way, &mut pieces);
        text.join(pieces)
    }

    /// `(args)`.
    pub(crate) fn arguments<'b>(&self, args: &'b [Arg]) -> String
    where
        'a: 'b,
    {
        let text: Text<'b> = *self;
        let mut pieces = Pieces::new();
        text.args(args, &|_| None, &mut pieces);
        text.join(pieces)
    }

    fn join(&self, pieces: Pieces<'a>) -> String {
        pieces.into_iter().map(|piece| self.run(piece)).collect()
    }

    fn args(&self, args: &'a [Arg], way: &dyn Fn(i64) -> Option<String>, to: &mut Pieces<'a>) {
        push(to, "(");
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                push(to, ", ");
            }
            match &arg.keyword {
                Some(keyword) => to.push(Work::Text(format!("{keyword}=").into())),
                None if arg.position as usize != index + 1 => {
                    to.push(Work::Text(format!("@{}=", arg.position).into()));
                }
                None => {}
            }
            match arg.value {
                ArgValue::Expr(expr) => to.push(Work::Expr(expr, 0)),
                ArgValue::AlternateReturn(value) => {
                    let target = way(value).unwrap_or_else(|| value.to_string());
                    to.push(Work::Text(format!("*{target}").into()));
                }
            }
        }
        push(to, ")");
    }

    /// `var = lower, upper, step`, or with colons between the bounds.
    fn range(&self, range: &IndexRange, between: &'static str, to: &mut Pieces<'a>) {
        to.push(Work::Text(format!("{} = ", self.name(range.var)).into()));
        to.push(Work::Expr(range.lower, 0));
        for bound in [Some(range.upper), range.step].into_iter().flatten() {
            push(to, between);
            to.push(Work::Expr(bound, 0));
        }
    }

    /// The header of a FORALL or DO CONCURRENT: `(i = 1:n, mask)`.
    pub(crate) fn header(&self, header: &ForallHeader) -> String {
        let mut parts = Vec::new();
        for range in &header.ranges {
            let mut pieces = Pieces::new();
            self.range(range, ":", &mut pieces);
            parts.push(self.join(pieces));
        }
        parts.extend(header.mask.map(|mask| self.expr(mask)));
        let spec =
            header.spec.as_ref().map_or(String::new(), |spec| format!("{} :: ", self.spec(spec)));
        format!("({spec}{})", parts.join(", "))
    }
}

fn push<'a>(to: &mut Pieces<'a>, text: &'static str) {
    to.push(Work::Text(Cow::Borrowed(text)));
}

fn list<'a>(items: &[ExprId], to: &mut Pieces<'a>) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            push(to, ", ");
        }
        to.push(Work::Expr(*item, 0));
    }
}

fn arity(fixity: Fixity) -> usize {
    match fixity {
        Fixity::Prefix => 1,
        Fixity::Left | Fixity::Right | Fixity::Never | Fixity::Around => 2,
    }
}
