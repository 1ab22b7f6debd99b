//! Type specifications and array shapes.

use xaif_schema::diag::Code;

use super::super::ast::{
    Argument, CharSelector, Dimension, KindSelector, Length, NumericType, Place, TypeKind,
    TypeSpec, Upper,
};
use super::super::cursor::{Cursor, Parse, Scan};

/// Types that take a kind and nothing else.
const NUMERIC: &[(&str, NumericType)] = &[
    ("integer", NumericType::Integer),
    ("real", NumericType::Real),
    ("complex", NumericType::Complex),
    ("logical", NumericType::Logical),
];

impl Cursor<'_> {
    /// A type specification, which must come next.
    pub(super) fn type_spec(&mut self) -> Parse<TypeSpec> {
        let place = self.place();
        let kind = self.type_kind(place)?;
        Ok(TypeSpec { place, kind })
    }

    /// A type as ALLOCATE and array constructors name it: derived types without `TYPE()`.
    pub(in super::super) fn type_or_name(&mut self) -> Parse<TypeSpec> {
        let place = self.place();
        if self.sees_intrinsic_type() {
            return self.type_spec();
        }
        let (name, parameters) = self.derived()?;
        Ok(TypeSpec { place, kind: TypeKind::Derived(name, parameters) })
    }

    /// `type ::`, where that comes next. The look ahead keeps nested lists from being read again
    /// and again.
    pub(in super::super) fn type_before_colons(&mut self) -> Parse<Option<Box<TypeSpec>>> {
        if !self.sees_colons() {
            return Ok(None);
        }
        let type_spec = self.type_or_name()?;
        self.expect("::")?;
        Ok(Some(Box::new(type_spec)))
    }

    /// Whether `::` comes before the next comma or closing parenthesis.
    fn sees_colons(&self) -> bool {
        let mut scan = Scan::new(self.text, self.at);
        let mut depth = 0_usize;
        while let Some((at, byte)) = scan.next_code() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' | b',' if depth == 0 => return false,
                b')' | b']' => depth -= 1,
                b':' if depth == 0 && self.text.as_bytes().get(at + 1) == Some(&b':') => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether an intrinsic type comes next, and behind it `::` or `)`.
    fn sees_intrinsic_type(&mut self) -> bool {
        let start = self.at;
        let others = ["double precision", "double complex", "character", "byte", "type", "class"];
        let mut words = NUMERIC.iter().map(|(word, _)| *word).chain(others);
        let found = words.any(|word| {
            self.at = start;
            if !self.word(word) {
                return false;
            }
            if self.sees("(") {
                self.at = self.behind_parenthesis(self.at).unwrap_or(self.text.len());
            }
            matches!(self.peek(), Some(b':' | b')' | b'*'))
        });
        self.at = start;
        found
    }

    fn derived(&mut self) -> Parse<(super::Name, Vec<Argument>)> {
        let name = self.name()?;
        let parameters = if self.sees("(") { self.arguments()? } else { Vec::new() };
        Ok((name, parameters))
    }

    fn type_kind(&mut self, place: Place) -> Parse<TypeKind> {
        let start = self.at;
        for (word, numeric) in NUMERIC {
            if self.word(word) {
                return Ok(TypeKind::Numeric(*numeric, self.kind_selector()?));
            }
        }
        if self.word("double precision") {
            return Ok(TypeKind::DoublePrecision);
        }
        if self.word("double complex") {
            return Ok(TypeKind::DoubleComplex);
        }
        if self.word("character") {
            return Ok(TypeKind::Character(self.char_selector()?));
        }
        if self.word("byte") {
            return Ok(TypeKind::Byte);
        }
        let class = self.word("class");
        if (class || self.word("type")) && self.eat("(") {
            let kind = self.type_in_parentheses(class, place)?;
            self.expect(")")?;
            return Ok(kind);
        }
        self.at = start;
        self.expected("a type")
    }

    fn type_in_parentheses(&mut self, class: bool, _place: Place) -> Parse<TypeKind> {
        if self.eat("*") {
            return Ok(if class { TypeKind::ClassStar } else { TypeKind::TypeStar });
        }
        let intrinsic = self.attempt(|cursor| {
            let inner = cursor.type_spec()?;
            if cursor.sees(")") { Ok(inner) } else { cursor.expected("`)`") }
        });
        match intrinsic {
            Some(inner) if !class => Ok(TypeKind::TypeOf(Box::new(inner))),
            Some(_) => self.fault("CLASS takes a derived type"),
            None => {
                let (name, parameters) = self.derived()?;
                Ok(if class {
                    TypeKind::Class(name, parameters)
                } else {
                    TypeKind::Derived(name, parameters)
                })
            }
        }
    }

    fn kind_selector(&mut self) -> Parse<KindSelector> {
        if self.eat("*") {
            return match self.digits().parse() {
                Ok(bytes) => Ok(KindSelector::Star(bytes)),
                Err(_) => self.expected("a number of bytes"),
            };
        }
        if !self.eat("(") {
            return Ok(KindSelector::Default);
        }
        if let Some(keyword) = self.keyword()
            && keyword.key() != "kind"
        {
            return self.expected("KIND=");
        }
        let kind = self.expr()?;
        self.expect(")")?;
        Ok(KindSelector::Kind(Box::new(kind)))
    }

    fn char_selector(&mut self) -> Parse<CharSelector> {
        if self.eat("*") {
            let length = Some(self.star_length()?);
            return Ok(CharSelector { length, kind: None, star: true });
        }
        let mut selector = CharSelector::default();
        if !self.eat("(") {
            return Ok(selector);
        }
        let mut position = 0;
        loop {
            let keyword = self.keyword();
            let is_kind = match &keyword {
                Some(name) if name.key() == "len" => false,
                Some(name) if name.key() == "kind" => true,
                Some(_) => return self.expected("LEN= or KIND="),
                None => position == 1,
            };
            if is_kind {
                selector.kind = Some(Box::new(self.expr()?));
            } else {
                selector.length = Some(self.length()?);
            }
            position += 1;
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(selector)
    }

    /// The length behind `*`: digits, or something in parentheses.
    pub(super) fn star_length(&mut self) -> Parse<Length> {
        if self.eat("(") {
            let length = self.length()?;
            self.expect(")")?;
            return Ok(length);
        }
        let place = self.place();
        let digits = self.digits();
        if digits.is_empty() {
            return self.expected("a length");
        }
        let literal = super::super::ast::Literal::Integer { digits: digits.into(), kind: None };
        let kind = super::super::ast::ExprKind::Literal(literal);
        Ok(Length::Expr(Box::new(super::Expr { place, kind })))
    }

    fn length(&mut self) -> Parse<Length> {
        if self.eat("*") {
            Ok(Length::Assumed)
        } else if self.eat(":") {
            Ok(Length::Deferred)
        } else {
            Ok(Length::Expr(Box::new(self.expr()?)))
        }
    }

    /// `(dimensions)`
    pub(super) fn shape(&mut self) -> Parse<Vec<Dimension>> {
        self.parenthesised(Cursor::one_dimension)
    }

    fn one_dimension(&mut self) -> Parse<Dimension> {
        let place = self.place();
        let bare = |upper| Dimension { place, lower: None, upper };
        if self.eat("..") {
            return Ok(bare(Upper::Rank));
        }
        if self.eat("*") {
            return Ok(bare(Upper::Star));
        }
        if self.eat(":") {
            return Ok(bare(Upper::Open));
        }
        let first = Box::new(self.expr()?);
        if !self.eat(":") {
            return Ok(bare(Upper::Expr(first)));
        }
        let upper = match self.peek() {
            Some(b'*') => {
                self.at += 1;
                Upper::Star
            }
            Some(b',' | b')') => Upper::Open,
            _ => Upper::Expr(Box::new(self.expr()?)),
        };
        Ok(Dimension { place, lower: Some(first), upper })
    }

    /// Refuses `[…]` behind a declared name.
    pub(super) fn no_codimension(&mut self) -> Parse<()> {
        if self.sees("[") {
            return self.coded(Code::UNSUPPORTED, "coarrays are not supported");
        }
        Ok(())
    }
}
