//! Expressions, by precedence climbing.

use xaif_schema::diag::Code;

use super::ast::{
    Argument, ArgumentValue, ArrayConstructor, ArrayItem, BinaryOp, Designator, Expr, ExprKind,
    ImpliedDo, KindParam, Literal, MAX_HEIGHT, Name, Part, Place, UnaryOp,
};
use super::cursor::{Cursor, Parse, Scan, is_word};

/// How deep the parser goes into an expression: each level is some three stack frames.
const MAX_DEPTH: u32 = 256;

/// Precedences, from the loosest operator to the tightest (Fortran 2018, table 10.1).
mod level {
    pub(super) const DEFINED_BINARY: u8 = 1;
    pub(super) const EQUIVALENCE: u8 = 2;
    pub(super) const OR: u8 = 3;
    pub(super) const AND: u8 = 4;
    pub(super) const NOT: u8 = 5;
    pub(super) const RELATION: u8 = 6;
    pub(super) const CONCAT: u8 = 7;
    pub(super) const ADD: u8 = 8;
    pub(super) const MULTIPLY: u8 = 9;
    pub(super) const POWER: u8 = 10;
    pub(super) const DEFINED_UNARY: u8 = 11;
}

/// Operators between dots, with their levels.
const DOTTED: &[(&str, BinaryOp, u8)] = &[
    ("eq", BinaryOp::Eq, level::RELATION),
    ("ne", BinaryOp::Ne, level::RELATION),
    ("lt", BinaryOp::Lt, level::RELATION),
    ("le", BinaryOp::Le, level::RELATION),
    ("gt", BinaryOp::Gt, level::RELATION),
    ("ge", BinaryOp::Ge, level::RELATION),
    ("and", BinaryOp::And, level::AND),
    ("or", BinaryOp::Or, level::OR),
    ("eqv", BinaryOp::Eqv, level::EQUIVALENCE),
    ("neqv", BinaryOp::Neqv, level::EQUIVALENCE),
    ("xor", BinaryOp::Neqv, level::EQUIVALENCE),
];

/// Operators of other characters; longer ones first.
const MARKS: &[(&str, BinaryOp, u8)] = &[
    ("**", BinaryOp::Power, level::POWER),
    ("*", BinaryOp::Multiply, level::MULTIPLY),
    ("//", BinaryOp::Concat, level::CONCAT),
    ("/=", BinaryOp::Ne, level::RELATION),
    ("/", BinaryOp::Divide, level::MULTIPLY),
    ("+", BinaryOp::Add, level::ADD),
    ("-", BinaryOp::Subtract, level::ADD),
    ("==", BinaryOp::Eq, level::RELATION),
    ("<=", BinaryOp::Le, level::RELATION),
    ("<", BinaryOp::Lt, level::RELATION),
    (">=", BinaryOp::Ge, level::RELATION),
    (">", BinaryOp::Gt, level::RELATION),
];

impl<'t> Cursor<'t> {
    /// An expression, which must come next.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.expr_from(level::DEFINED_BINARY)
    }

    /// An expression in a list between slashes: a primary with a sign.
    pub(super) fn signed_primary(&mut self) -> Parse<Expr> {
        let place = self.place();
        let sign = if self.eat("-") {
            UnaryOp::Minus
        } else if self.eat("+") {
            UnaryOp::Plus
        } else {
            return self.primary();
        };
        let operand = self.primary()?;
        self.higher(ExprKind::Unary(sign, Box::new(operand)), place, 0)
    }

    /// An expression whose operators are all at least as tight as `least`.
    fn expr_from(&mut self, least: u8) -> Parse<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.too_deep();
        }
        let mut left = self.operand(least)?;
        while let Some((operator, tightness, length)) = self.binary_operator() {
            if tightness < least {
                break;
            }
            let place = self.place();
            self.at += length;
            let height = self.height;
            let right = match operator {
                BinaryOp::Power => self.expr_from(level::POWER)?,
                _ => self.expr_from(tightness + 1)?,
            };
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.higher(kind, place, height)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn too_deep<T>(&self) -> Parse<T> {
        self.coded(Code::TOO_DEEP, "the expression is nested too deep")
    }

    /// A node above the expression that was read last and one of height `other`.
    fn higher(&mut self, kind: ExprKind, place: Place, other: u32) -> Parse<Expr> {
        self.height = self.height.max(other) + 1;
        if self.height > MAX_HEIGHT {
            return self.too_deep();
        }
        Ok(Expr { place, kind })
    }

    /// An operand with the unary operators before it.
    fn operand(&mut self, least: u8) -> Parse<Expr> {
        let place = self.place();
        let (operator, tightness) = if self.eat("-") {
            (UnaryOp::Minus, level::MULTIPLY)
        } else if self.eat("+") {
            (UnaryOp::Plus, level::MULTIPLY)
        } else {
            match self.dotted() {
                Some(word) if !is_logical_constant(word) => {
                    if DOTTED.iter().any(|(known, ..)| word.eq_ignore_ascii_case(known)) {
                        return self.expected("an operand");
                    }
                    let name = Name::new(word, self.place_at(self.at + 1));
                    self.at += word.len() + 2;
                    match name.key() {
                        "not" => (UnaryOp::Not, level::NOT),
                        _ => (UnaryOp::Defined(name), level::DEFINED_UNARY),
                    }
                }
                _ => return self.primary(),
            }
        };
        let operand = self.expr_from(tightness.max(least))?;
        self.higher(ExprKind::Unary(operator, Box::new(operand)), place, 0)
    }

    /// The word of `.word.` where that comes next.
    fn dotted(&mut self) -> Option<&'t str> {
        if self.peek() != Some(b'.') {
            return None;
        }
        let rest = self.rest().get(1..)?;
        let word = rest.get(..rest.find('.')?)?;
        (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(word)
    }

    /// The binary operator that comes next, its level and its length.
    fn binary_operator(&mut self) -> Option<(BinaryOp, u8, usize)> {
        let first = self.peek()?;
        if first == b'.' {
            let at = self.at;
            let word = self.dotted()?;
            let length = word.len() + 2;
            let known = DOTTED.iter().find(|(known, ..)| word.eq_ignore_ascii_case(known));
            if let Some((_, operator, tightness)) = known {
                return Some((operator.clone(), *tightness, length));
            }
            if is_logical_constant(word) || word.eq_ignore_ascii_case("not") {
                return None;
            }
            let name = Name::new(word, self.place_at(at + 1));
            return Some((BinaryOp::Defined(name), level::DEFINED_BINARY, length));
        }
        let rest = self.rest();
        if rest.starts_with("/)") {
            return None;
        }
        let (mark, operator, tightness) = MARKS.iter().find(|(mark, ..)| rest.starts_with(mark))?;
        Some((operator.clone(), *tightness, mark.len()))
    }

    fn primary(&mut self) -> Parse<Expr> {
        let place = self.place();
        self.height = 1;
        match self.peek() {
            Some(b'(') if self.rest().starts_with("(/") && !self.rest().starts_with("(/=") => {
                self.at += 2;
                self.array_constructor(place, "/)")
            }
            Some(b'(') => self.parenthesis(place),
            Some(b'[') => {
                self.at += 1;
                self.array_constructor(place, "]")
            }
            Some(b'\'' | b'"') => self.characters(place, None),
            Some(b'0'..=b'9' | b'.') => self.number(place),
            _ if self.sees_name() => self.name_or_prefix(place),
            _ => self.expected("an expression"),
        }
    }

    fn parenthesis(&mut self, place: Place) -> Parse<Expr> {
        self.expect("(")?;
        let inner = self.expr()?;
        if self.eat(",") {
            let height = self.height;
            let imaginary = self.expr()?;
            self.expect(")")?;
            let kind = ExprKind::Complex(Box::new(inner), Box::new(imaginary));
            return self.higher(kind, place, height);
        }
        self.expect(")")?;
        self.higher(ExprKind::Paren(Box::new(inner)), place, 0)
    }

    /// A designator, or a literal that begins with letters (`Z'FF'`, `kind_'text'`).
    fn name_or_prefix(&mut self, place: Place) -> Parse<Expr> {
        let start = self.at;
        let name = self.name()?;
        if let Some(quote @ (b'\'' | b'"')) = self.byte(0) {
            if matches!(name.key(), "b" | "o" | "z" | "x") {
                self.quoted(quote)?;
                let text = self.text.get(start..self.at).unwrap_or("");
                return Ok(Expr { place, kind: ExprKind::Literal(Literal::Boz(text.into())) });
            }
            if let Some(kind) = name.spelling().strip_suffix('_') {
                let kind = KindParam::Name(Name::new(kind, name.place));
                return self.characters(place, Some(kind));
            }
        }
        let designator = self.designator_from(name)?;
        Ok(Expr { place, kind: ExprKind::Designator(designator) })
    }

    /// Skips a character literal; the position is at its opening quote.
    fn quoted(&mut self, quote: u8) -> Parse<()> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            self.at += 1;
            if byte == quote {
                if self.byte(0) != Some(quote) {
                    return Ok(());
                }
                self.at += 1;
            }
        }
        self.at = start;
        self.fault("a character literal is not closed")
    }

    fn characters(&mut self, place: Place, kind: Option<KindParam>) -> Parse<Expr> {
        let start = self.at;
        self.quoted(self.byte(0).unwrap_or(b'\''))?;
        let quoted = self.text.get(start..self.at).unwrap_or("");
        let suffix =
            matches!(self.byte(0), Some(b'b' | b'o' | b'z' | b'x' | b'B' | b'O' | b'Z' | b'X'));
        if suffix && kind.is_none() && !self.byte(1).is_some_and(is_word) {
            self.at += 1;
            let text = self.text.get(start..self.at).unwrap_or("");
            return Ok(Expr { place, kind: ExprKind::Literal(Literal::Boz(text.into())) });
        }
        let literal = Literal::Character { kind, quoted: quoted.into() };
        if self.sees("(") {
            self.at += 1;
            let range = self.argument()?;
            self.expect(")")?;
            let kind = ExprKind::LiteralSubstring(literal, Box::new(range));
            return self.higher(kind, place, 0);
        }
        Ok(Expr { place, kind: ExprKind::Literal(literal) })
    }

    /// A number, a logical constant or a Hollerith constant.
    fn number(&mut self, place: Place) -> Parse<Expr> {
        if let Some(word) = self.dotted() {
            let value = word.eq_ignore_ascii_case("true");
            if !is_logical_constant(word) {
                return self.expected("an expression");
            }
            self.at += word.len() + 2;
            let kind = self.kind_suffix()?;
            return Ok(Expr { place, kind: ExprKind::Literal(Literal::Logical { value, kind }) });
        }
        let start = self.at;
        let digits = self.digits();
        if matches!(self.byte(0), Some(b'h' | b'H')) && !digits.is_empty() {
            return self.hollerith(place, digits);
        }
        let real = self.fraction_and_exponent();
        let text = self.text.get(start..self.at).unwrap_or("");
        if text == "." {
            self.at = start;
            return self.expected("an expression");
        }
        if !real && self.byte(0) == Some(b'_') && matches!(self.byte(1), Some(b'\'' | b'"')) {
            self.at += 1;
            return self.characters(place, Some(KindParam::Digits(text.into())));
        }
        let kind = self.kind_suffix()?;
        let literal = if real {
            Literal::Real { text: text.into(), kind }
        } else {
            Literal::Integer { digits: text.into(), kind }
        };
        Ok(Expr { place, kind: ExprKind::Literal(literal) })
    }

    /// Skips `.ddd` and an exponent behind the digits of a number; whether there were any.
    fn fraction_and_exponent(&mut self) -> bool {
        let mut real = false;
        if self.byte(0) == Some(b'.') && self.dotted().is_none() {
            real = true;
            self.at += 1;
            while self.byte(0).is_some_and(|byte| byte.is_ascii_digit()) {
                self.at += 1;
            }
        }
        if matches!(self.byte(0).map(|byte| byte.to_ascii_lowercase()), Some(b'e' | b'd' | b'q')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            if self.byte(1 + sign).is_some_and(|byte| byte.is_ascii_digit()) {
                real = true;
                self.at += 1 + sign;
                while self.byte(0).is_some_and(|byte| byte.is_ascii_digit()) {
                    self.at += 1;
                }
            }
        }
        real
    }

    fn hollerith(&mut self, place: Place, digits: &str) -> Parse<Expr> {
        let count: usize = digits.parse().unwrap_or(usize::MAX);
        let behind = self.text.get(self.at + 1..).unwrap_or("");
        let length: usize = behind.chars().take(count).map(char::len_utf8).sum();
        if behind.chars().take(count).count() < count {
            return self.fault(format!("a Hollerith constant has fewer than {digits} characters"));
        }
        let text = behind.get(..length).unwrap_or("");
        self.at += 1 + length;
        Ok(Expr { place, kind: ExprKind::Literal(Literal::Hollerith(text.into())) })
    }

    fn kind_suffix(&mut self) -> Parse<Option<KindParam>> {
        if self.byte(0) != Some(b'_') {
            return Ok(None);
        }
        self.at += 1;
        let digits = self.digits();
        if digits.is_empty() {
            return Ok(Some(KindParam::Name(self.name()?)));
        }
        Ok(Some(KindParam::Digits(digits.into())))
    }

    /// A designator, which must come next.
    pub(super) fn designator(&mut self) -> Parse<Designator> {
        let name = self.name()?;
        self.height = 1;
        self.designator_from(name)
    }

    fn designator_from(&mut self, name: Name) -> Parse<Designator> {
        let mut height = self.height;
        let mut parts = vec![Part { name, arguments: Vec::new() }];
        loop {
            match self.peek() {
                Some(b'(') => {
                    let arguments = self.arguments()?;
                    height = height.max(self.height);
                    if let Some(part) = parts.last_mut() {
                        part.arguments.push(arguments);
                    }
                }
                Some(b'%') => {
                    self.at += 1;
                    parts.push(Part { name: self.name()?, arguments: Vec::new() });
                }
                Some(b'[') => {
                    return self.coded(Code::UNSUPPORTED, "coarrays are not supported");
                }
                _ => break,
            }
        }
        self.height = height + 1;
        if self.height > MAX_HEIGHT {
            return self.too_deep();
        }
        Ok(Designator { parts })
    }

    /// `(arguments)`
    pub(super) fn arguments(&mut self) -> Parse<Vec<Argument>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        let mut height = 0;
        if !self.eat(")") {
            loop {
                arguments.push(self.argument()?);
                height = height.max(self.height);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.height = height;
        Ok(arguments)
    }

    /// The `name` of `name=`, where that comes next.
    pub(super) fn keyword(&mut self) -> Option<Name> {
        let behind = self.name_before("=")?;
        if self.text.get(behind..).is_some_and(|rest| rest.starts_with(['=', '>'])) {
            return None;
        }
        let name = self.name().ok();
        self.at = behind;
        name
    }

    fn argument(&mut self) -> Parse<Argument> {
        let place = self.place();
        let keyword = self.keyword();
        self.height = 1;
        let value = match self.peek() {
            Some(b'*' | b'&') => {
                self.at += 1;
                match self.peek() {
                    Some(b'0'..=b'9') => ArgumentValue::Alternate(self.label()?),
                    _ => ArgumentValue::Star,
                }
            }
            Some(b'%') => {
                self.at += 1;
                let name = self.name()?;
                self.expect("(")?;
                let inner = self.expr()?;
                self.expect(")")?;
                ArgumentValue::Percent(name, Box::new(inner))
            }
            Some(b':') => self.section(None)?,
            _ => {
                let first = self.expr()?;
                if self.sees(":") {
                    self.section(Some(Box::new(first)))?
                } else {
                    ArgumentValue::Expr(first)
                }
            }
        };
        Ok(Argument { place, keyword, value })
    }

    /// `:[upper][:stride]`
    fn section(&mut self, lower: Option<Box<Expr>>) -> Parse<ArgumentValue> {
        let mut height = self.height;
        self.expect(":")?;
        let mut bound = |cursor: &mut Self| -> Parse<Option<Box<Expr>>> {
            if matches!(cursor.peek(), Some(b':' | b',' | b')')) {
                return Ok(None);
            }
            let bound = cursor.expr()?;
            height = height.max(cursor.height);
            Ok(Some(Box::new(bound)))
        };
        let upper = bound(self)?;
        let stride = if self.eat(":") { bound(self)? } else { None };
        self.height = height;
        Ok(ArgumentValue::Section { lower, upper, stride })
    }

    fn array_constructor(&mut self, place: Place, close: &str) -> Parse<Expr> {
        let type_spec = self.type_before_colons()?;
        let mut items = Vec::new();
        let mut height = 0;
        if !self.eat(close) {
            loop {
                items.push(self.array_item()?);
                height = height.max(self.height);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(close)?;
        }
        let slashes = close == "/)";
        let kind = ExprKind::Array(ArrayConstructor { slashes, type_spec, items });
        self.higher(kind, place, height)
    }

    /// An item of an array constructor or I/O list.
    pub(super) fn array_item(&mut self) -> Parse<ArrayItem> {
        if self.sees_implied_do() {
            let implied = self.implied_do(Self::array_item)?;
            return Ok(ArrayItem::ImpliedDo(Box::new(implied)));
        }
        Ok(ArrayItem::Expr(self.expr()?))
    }

    /// Whether the parenthesis that comes next is an implied DO: it has an `=` of its own.
    pub(super) fn sees_implied_do(&mut self) -> bool {
        if self.peek() != Some(b'(') || self.rest().starts_with("(/") {
            return false;
        }
        let bytes = self.text.as_bytes();
        let mut scan = Scan::new(self.text, self.at);
        let mut depth = 0_usize;
        while let Some((at, byte)) = scan.next_code() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return false;
                    }
                }
                b'=' if depth == 1 => {
                    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
                    let relation = matches!(before, Some(b'=' | b'/' | b'<' | b'>'));
                    if !relation && bytes.get(at + 1) != Some(&b'=') {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// `(items, variable = first, last [, step])`
    pub(super) fn implied_do<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Parse<T>,
    ) -> Parse<ImpliedDo<T>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.too_deep();
        }
        let place = self.place();
        self.expect("(")?;
        let mut items = Vec::new();
        let mut height = 0;
        let (type_spec, variable) = loop {
            let typed = self.type_before_colons()?;
            if typed.is_some() {
                let name = self.name()?;
                self.expect("=")?;
                break (typed, name);
            }
            if let Some(name) = self.keyword() {
                break (None, name);
            }
            items.push(item(self)?);
            height = height.max(self.height);
            self.expect(",")?;
        };
        let first = self.expr()?;
        self.expect(",")?;
        let last = self.expr()?;
        let step = if self.eat(",") { Some(self.expr()?) } else { None };
        self.expect(")")?;
        self.depth -= 1;
        self.height = height + 1;
        Ok(ImpliedDo { place, items, type_spec, variable, first, last, step })
    }
}

fn is_logical_constant(word: &str) -> bool {
    word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false")
}
