//! Expressions.

use xaif_schema::model::{
    ArgValue, Base, BoolOp, Constant, ConstantClass, ExprId, ExprKind, FunctionCall, Operands,
};

use crate::context::Context;

/// How tightly an operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Whole,
    Conditional,
    Or,
    And,
    Bits,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
    Primary,
}

/// Where an element of an array expression stands: its distance from the first one, in each dimension.
pub(crate) type At<'a> = Option<&'a [String]>;

impl Context<'_> {
    /// The text of a scalar expression.
    pub(crate) fn expr(&self, expr: ExprId) -> String {
        self.at(expr, Level::Whole, None)
    }

    /// The text in a place that asks for a binding of at least `level`.
    pub(crate) fn at(&self, expr: ExprId, level: Level, at: At<'_>) -> String {
        let (text, own) = self.leveled(expr, at);
        if own < level { format!("({text})") } else { text }
    }

    fn leveled(&self, expr: ExprId, at: At<'_>) -> (String, Level) {
        let node = &self.doc.exprs[expr];
        match &node.kind {
            ExprKind::Constant(constant) => {
                (self.constant(constant, node.ty.base, expr), Level::Primary)
            }
            ExprKind::Ref(reference) => {
                let text = self.reference(*reference, at);
                let level = if text.starts_with('*') { Level::Prefix } else { Level::Primary };
                (text, level)
            }
            ExprKind::Boolean { op, operands } => self.boolean(*op, operands, at),
            ExprKind::Intrinsic { name, operands, .. } => self.intrinsic(expr, name, operands, at),
            ExprKind::Call(call) => {
                if node.ty.rank > 0 {
                    return (self.refuse(node.place, "a function of arrays"), Level::Primary);
                }
                (self.call(call), Level::Primary)
            }
            ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. } => match self.initial(expr) {
                Some(text) => {
                    let ty = self.type_name(node.ty.base);
                    (format!("({ty}){text}"), Level::Primary)
                }
                None => {
                    (self.refuse(node.place, "a list of values in an expression"), Level::Primary)
                }
            },
            ExprKind::Procedure(symbol) => (self.refer(*symbol), Level::Primary),
            ExprKind::Opaque(_) => (
                self.refuse(node.place, "text that was carried without being understood"),
                Level::Primary,
            ),
        }
    }

    fn call(&self, call: &FunctionCall) -> String {
        let args = self.arguments(call.callee.symbol, &call.args);
        format!("{}({args})", self.refer(call.callee.symbol))
    }

    fn constant(&self, constant: &Constant, base: Base, expr: ExprId) -> String {
        let place = self.doc.exprs[expr].place;
        match constant.class {
            ConstantClass::Integer => match base {
                Base::Integer(8) => format!("{}L", constant.text),
                Base::Unsigned(8) => format!("{}UL", constant.text),
                Base::Unsigned(_) => format!("{}U", constant.text),
                _ => constant.text.to_string(),
            },
            ConstantClass::Real | ConstantClass::Double => {
                let text = real(&constant.text);
                let single = base == Base::Real(4)
                    || base != Base::Real(8) && constant.class == ConstantClass::Real;
                if single { format!("{text}f") } else { text }
            }
            ConstantClass::Bool => {
                if constant.text.to_ascii_lowercase().contains("true") { "1" } else { "0" }
                    .to_owned()
            }
            ConstantClass::Char | ConstantClass::String => {
                let inner = constant.text.trim_matches(['\'', '"']);
                format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""))
            }
            ConstantClass::Null => {
                self.needs("stddef.h");
                "NULL".to_owned()
            }
            ConstantClass::Boz | ConstantClass::Hollerith => {
                self.refuse(place, "a pattern of bits")
            }
        }
    }

    fn boolean(&self, op: BoolOp, operands: &Operands, at: At<'_>) -> (String, Level) {
        let [a, b] = operands.as_slice() else {
            let Some(only) = operands.first() else { return ("0".to_owned(), Level::Primary) };
            if let ExprKind::Intrinsic { name, .. } = &self.doc.exprs[only.expr].kind
                && matches!(&**name, "present" | "allocated")
            {
                let text = self.at(only.expr, Level::Equality, at);
                return (text.replace(" != ", " == "), Level::Equality);
            }
            // The opposite of a comparison is a comparison, but for numbers that are none.
            return (format!("!{}", self.at(only.expr, Level::Prefix, at)), Level::Prefix);
        };
        let (word, own, inner) = match op {
            BoolOp::LessThan => ("<", Level::Relation, Level::Shift),
            BoolOp::LessOrEqual => ("<=", Level::Relation, Level::Shift),
            BoolOp::GreaterThan => (">", Level::Relation, Level::Shift),
            BoolOp::GreaterOrEqual => (">=", Level::Relation, Level::Shift),
            BoolOp::Equal | BoolOp::Equivalent => ("==", Level::Equality, Level::Shift),
            BoolOp::NotEqual | BoolOp::Xor => ("!=", Level::Equality, Level::Shift),
            BoolOp::And => ("&&", Level::And, Level::Bits),
            // Compilers warn of `a || b && c`.
            BoolOp::Or => ("||", Level::Or, Level::Bits),
            BoolOp::Not => ("!", Level::Prefix, Level::Prefix),
        };
        let chain = |side: ExprId| match (&self.doc.exprs[side].kind, op) {
            (ExprKind::Boolean { op: inner, .. }, BoolOp::And | BoolOp::Or) => *inner == op,
            _ => false,
        };
        let truth = |side: ExprId, level| {
            let text = self.at(side, level, at);
            // A truth may be any number that is not zero.
            match op {
                BoolOp::Xor | BoolOp::Equivalent => {
                    format!("!{}", self.at(side, Level::Prefix, at))
                }
                _ => text,
            }
        };
        let left = if chain(a.expr) { self.at(a.expr, own, at) } else { truth(a.expr, inner) };
        (format!("{left} {word} {}", truth(b.expr, inner)), own)
    }

    fn intrinsic(
        &self,
        expr: ExprId,
        name: &str,
        operands: &Operands,
        at: At<'_>,
    ) -> (String, Level) {
        let node = &self.doc.exprs[expr];
        let by_position = |position: u16| {
            operands.iter().find(|one| one.position == position).map(|one| one.expr)
        };
        let (first, second) = (by_position(1), by_position(2));
        let base = node.ty.base;
        let both = |op: &str, own: Level, right: Level| {
            let a = first.map_or(String::new(), |one| self.at(one, own, at));
            let b = second.map_or(String::new(), |one| self.at(one, right, at));
            // `a - -b`
            // `a - -b`; `a/ *b` begins a comment, `a**b` looks like a power.
            let b = if b.starts_with(['-', '+', '*']) { format!("({b})") } else { b };
            let text =
                if own == Level::Product { format!("{a}{op}{b}") } else { format!("{a} {op} {b}") };
            (text, own)
        };
        let bits = |op: &str| {
            let a = first.map_or(String::new(), |one| self.at(one, Level::Prefix, at));
            let b = second.map_or(String::new(), |one| self.at(one, Level::Prefix, at));
            (format!("{a} {op} {b}"), Level::Bits)
        };
        let whole = matches!(base, Base::Integer(_) | Base::Unsigned(_));
        let suffix = if matches!(base, Base::Real(4)) { "f" } else { "" };
        let of =
            |one: Option<ExprId>| one.map_or(String::new(), |one| self.at(one, Level::Whole, at));
        let function = |function: &str| {
            self.needs("math.h");
            let args: Vec<String> =
                operands.iter().map(|one| self.at(one.expr, Level::Whole, at)).collect();
            (format!("{function}{suffix}({})", args.join(", ")), Level::Primary)
        };
        let complex =
            operands.iter().any(|one| matches!(self.doc.exprs[one.expr].ty.base, Base::Complex(_)));
        if complex
            && !matches!(
                name,
                "add_scal_scal"
                    | "sub_scal_scal"
                    | "mul_scal_scal"
                    | "div_scal_scal"
                    | "minus_scal"
            )
        {
            return (
                self.refuse(node.place, format!("`{name}` of complex numbers")),
                Level::Primary,
            );
        }
        match name {
            "add_scal_scal" => both("+", Level::Sum, Level::Product),
            "sub_scal_scal" => both("-", Level::Sum, Level::Product),
            "mul_scal_scal" => both("*", Level::Product, Level::Prefix),
            "div_scal_scal" => both("/", Level::Product, Level::Prefix),
            "minus_scal" => {
                let inner = first.map_or(String::new(), |one| self.at(one, Level::Product, at));
                let inner =
                    if inner.starts_with(['-', '+']) { format!("({inner})") } else { inner };
                (format!("-{inner}"), Level::Prefix)
            }
            "plus_scal" => {
                first.map_or((String::new(), Level::Primary), |one| self.leveled(one, at))
            }
            "pow_scal_scal" if !whole => self.power(first, second, suffix, at),
            "mod_scal_scal" if whole => both("%", Level::Product, Level::Prefix),
            "mod_scal_scal" => function("fmod"),
            "abs_scal" if whole => {
                self.needs("stdlib.h");
                let word = if base == Base::Integer(8) { "labs" } else { "abs" };
                (format!("{word}({})", of(first)), Level::Primary)
            }
            "abs_scal" => function("fabs"),
            "nc_max_scal_scal" | "nc_min_scal_scal" => {
                self.extreme(operands, name.contains("max"), whole, suffix, at)
            }
            "merge" => {
                let a = first.map_or(String::new(), |one| self.at(one, Level::Or, at));
                let b = second.map_or(String::new(), |one| self.at(one, Level::Conditional, at));
                let mask = by_position(3).map_or(String::new(), |one| self.at(one, Level::Or, at));
                let truth = first.and_then(|one| self.integer(one)) == Some(1)
                    && second.and_then(|one| self.integer(one)) == Some(0);
                match by_position(3) {
                    Some(mask) if truth => self.leveled(mask, at),
                    _ => (format!("{mask} ? {a} : {b}"), Level::Conditional),
                }
            }
            "int_scal" | "real_scal" => self.conversion(expr, first, at),
            "floor" | "ceiling" => {
                let word = if name == "floor" { "floor" } else { "ceil" };
                self.needs("math.h");
                (format!("({}){word}({})", self.type_name(base), of(first)), Level::Prefix)
            }
            "nint_scal" => {
                self.needs("math.h");
                (format!("({})lround({})", self.type_name(base), of(first)), Level::Prefix)
            }
            "aint" => function("trunc"),
            "anint" => function("round"),
            "sign_scal_scal" if !whole => function("copysign"),
            "dim" if !whole => function("fdim"),
            "iand" => bits("&"),
            "ior" => bits("|"),
            "ieor" => bits("^"),
            "shiftl" => bits("<<"),
            "shifta" | "shiftr" => bits(">>"),
            "not" => (
                format!("~{}", first.map_or(String::new(), |one| self.at(one, Level::Prefix, at))),
                Level::Prefix,
            ),
            "present" | "allocated" => {
                self.needs("stddef.h");
                let symbol = first
                    .and_then(|one| self.doc.exprs[one].reference())
                    .map(|one| self.doc.refs[one].base);
                let text = symbol.map_or(String::new(), |symbol| self.refer(symbol));
                (format!("{text} != NULL"), Level::Equality)
            }
            "lbound" | "ubound" | "size" => match self.bound(expr) {
                Some(text) => (text, Level::Sum),
                None => (self.refuse(node.place, "bounds that are not known"), Level::Primary),
            },
            "isnan" => {
                self.needs("math.h");
                (format!("isnan({})", of(first)), Level::Primary)
            }
            "tiny" | "epsilon" | "huge" => {
                self.needs(if whole { "limits.h" } else { "float.h" });
                let single = base == Base::Real(4);
                let text = match (name, whole, single) {
                    ("tiny", _, true) => "FLT_MIN",
                    ("tiny", ..) => "DBL_MIN",
                    ("epsilon", _, true) => "FLT_EPSILON",
                    ("epsilon", ..) => "DBL_EPSILON",
                    (_, true, _) if base == Base::Integer(8) => "LONG_MAX",
                    (_, true, _) => "INT_MAX",
                    (_, false, true) => "FLT_MAX",
                    _ => "DBL_MAX",
                };
                (text.to_owned(), Level::Primary)
            }
            _ => match FUNCTIONS.iter().find(|(xaif, _)| *xaif == name) {
                Some((_, word)) if !whole && operands.len() <= 2 => function(word),
                _ => {
                    let shown =
                        xaif_schema::intrinsics::by_xaif(name).map_or(name, |row| row.fortran);
                    (self.refuse(node.place, format!("C has no `{shown}`")), Level::Primary)
                }
            },
        }
    }

    /// A bound or the number of elements of an array.
    fn bound(&self, expr: ExprId) -> Option<String> {
        let (name, symbol, dim) = self.bound_of(expr)?;
        if name == "size" {
            return self.extent_of(symbol, dim);
        }
        let lower = self.lower(symbol, dim);
        if name == "lbound" {
            return Some(lower);
        }
        let extent = self.extent_of(symbol, dim)?;
        Some(match &*lower {
            "0" => format!("{extent} - 1"),
            "1" => extent,
            _ => format!("{lower} + {extent} - 1"),
        })
    }

    fn power(
        &self,
        first: Option<ExprId>,
        second: Option<ExprId>,
        suffix: &str,
        at: At<'_>,
    ) -> (String, Level) {
        let (Some(first), Some(second)) = (first, second) else {
            return (String::new(), Level::Primary);
        };
        self.needs("math.h");
        let (a, b) = (self.at(first, Level::Whole, at), self.at(second, Level::Whole, at));
        (format!("pow{suffix}({a}, {b})"), Level::Primary)
    }

    fn extreme(
        &self,
        operands: &Operands,
        max: bool,
        whole: bool,
        suffix: &str,
        at: At<'_>,
    ) -> (String, Level) {
        let mut texts = operands.iter().map(|one| self.at(one.expr, Level::Or, at));
        let mut text = texts.next().unwrap_or_default();
        let mut level = Level::Primary;
        for other in texts {
            if whole {
                let op = if max { ">" } else { "<" };
                text = format!("({text} {op} {other} ? {text} : {other})");
            } else {
                self.needs("math.h");
                let word = if max { "fmax" } else { "fmin" };
                text = format!("{word}{suffix}({text}, {other})");
            }
            level = Level::Primary;
        }
        (text, level)
    }

    /// A conversion; `floor` has an integer in a document and a real number in C.
    fn conversion(&self, expr: ExprId, first: Option<ExprId>, at: At<'_>) -> (String, Level) {
        let base = self.doc.exprs[expr].ty.base;
        let Some(first) = first else { return (String::new(), Level::Primary) };
        if let (Base::Real(_), ExprKind::Intrinsic { name, operands, .. }) =
            (base, &self.doc.exprs[first].kind)
            && matches!(&**name, "floor" | "ceiling")
            && let Some(inner) = operands.iter().find(|one| one.position == 1)
            && self.doc.exprs[inner.expr].ty.base == base
        {
            self.needs("math.h");
            let word = if &**name == "floor" { "floor" } else { "ceil" };
            let suffix = if base == Base::Real(4) { "f" } else { "" };
            return (
                format!("{word}{suffix}({})", self.at(inner.expr, Level::Whole, at)),
                Level::Primary,
            );
        }
        if self.doc.exprs[first].ty.base == base {
            return self.leveled(first, at);
        }
        let inner = self.at(first, Level::Prefix, at);
        (format!("({}){inner}", self.type_name(base)), Level::Prefix)
    }

    /// An initialiser: a literal or a list in braces.
    pub(crate) fn initial(&self, expr: ExprId) -> Option<String> {
        match &self.doc.exprs[expr].kind {
            ExprKind::ArrayConstructor { items, .. } => {
                let items: Option<Vec<String>> =
                    items.iter().map(|&item| self.initial(item)).collect();
                Some(format!("{{{}}}", items?.join(", ")))
            }
            ExprKind::StructureConstructor { args, .. } => {
                let values: Option<Vec<String>> = args
                    .iter()
                    .map(|arg| match arg.value {
                        ArgValue::Expr(value) => self.initial(value),
                        ArgValue::AlternateReturn(_) => None,
                    })
                    .collect();
                Some(format!("{{{}}}", values?.join(", ")))
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_) => Some(self.at(expr, Level::Conditional, None)),
            ExprKind::ImpliedDo(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => None,
        }
    }
}

/// Functions of one or two real numbers that C has, too.
const FUNCTIONS: &[(&str, &str)] = &[
    ("sqrt_scal", "sqrt"),
    ("exp_scal", "exp"),
    ("ln_scal", "log"),
    ("log10", "log10"),
    ("sin_scal", "sin"),
    ("cos_scal", "cos"),
    ("tan_scal", "tan"),
    ("arcsin_scal", "asin"),
    ("arccos_scal", "acos"),
    ("arctan_scal", "atan"),
    ("arctan_scal_scal", "atan2"),
    ("sinh_scal", "sinh"),
    ("cosh_scal", "cosh"),
    ("tanh_scal", "tanh"),
    ("asinh", "asinh"),
    ("acosh", "acosh"),
    ("atanh", "atanh"),
    ("erf", "erf"),
    ("erfc", "erfc"),
    ("gamma", "tgamma"),
    ("log_gamma", "lgamma"),
    ("hypot", "hypot"),
    ("bessel_j0", "j0"),
    ("bessel_j1", "j1"),
    ("bessel_y0", "y0"),
    ("bessel_y1", "y1"),
];

/// A real literal without the exponent letter of Fortran.
fn real(text: &str) -> String {
    let text = text.to_ascii_lowercase().replace(['d', 'q'], "e");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut mantissa = mantissa.to_owned();
    if !mantissa.contains('.') {
        mantissa.push_str(".0");
    }
    if mantissa.ends_with('.') {
        mantissa.push('0');
    }
    if mantissa.starts_with('.') {
        mantissa.insert(0, '0');
    }
    let exponent = exponent.trim_start_matches('+');
    if exponent.trim_start_matches(['-', '0']).is_empty() {
        mantissa
    } else {
        format!("{mantissa}e{exponent}")
    }
}
