//! Types as declarations spell them, in standard Fortran: `real*8` becomes `real(8)`.

use xaif_schema::model::{Base, CharLen, KindSpelling, Place, SymbolId, TypeParam, TypeSpec};

use xaif_schema::diag::Code as DiagCode;

use crate::expression::{Printer, Tok, comma, owned, text, whole};

impl<'d> Printer<'_, 'd> {
    /// A type as it stands in a declaration.
    pub(crate) fn type_spec(self, spec: &'d TypeSpec) -> Vec<Tok<'d>> {
        self.type_with_len(spec, None)
    }

    /// A type as it stands before `::` in an ALLOCATE or an array constructor, and in a guard of
    /// SELECT TYPE: a derived type by its name alone.
    pub(crate) fn bare_type(self, spec: &'d TypeSpec) -> Vec<Tok<'d>> {
        match spec {
            TypeSpec::Derived { symbol, name, params, .. } => {
                self.derived_name(*symbol, name, params)
            }
            TypeSpec::Intrinsic { .. }
            | TypeSpec::Character { .. }
            | TypeSpec::ClassStar
            | TypeSpec::TypeStar
            | TypeSpec::Pointer(_)
            | TypeSpec::None => self.type_spec(spec),
        }
    }

    /// A type; `entity` is the length that the declared name has of its own.
    pub(crate) fn type_with_len(self, spec: &'d TypeSpec, entity: Option<CharLen>) -> Vec<Tok<'d>> {
        match spec {
            TypeSpec::Intrinsic { base, kind } => intrinsic_type(*base, *kind),
            TypeSpec::Character { kind, len, bytes } => {
                character(entity.unwrap_or(*len), *kind, *bytes)
            }
            TypeSpec::Derived { symbol, name, class, params } => {
                let mut tokens = vec![text(if *class { "class(" } else { "type(" })];
                tokens.extend(self.derived_name(*symbol, name, params));
                tokens.push(text(")"));
                tokens
            }
            TypeSpec::ClassStar => vec![text("class(*)")],
            TypeSpec::TypeStar => vec![text("type(*)")],
            TypeSpec::Pointer(_) => {
                self.cx.error_with_help(
                    DiagCode::NO_FORTRAN_FOR_IT,
                    Place::default(),
                    "Fortran has no type for a C pointer",
                    "print this document with a C back-end",
                );
                Vec::new()
            }
            TypeSpec::None => Vec::new(),
        }
    }

    /// The name of a derived type with the values of its parameters.
    pub(crate) fn derived_name(
        self,
        symbol: Option<SymbolId>,
        name: &'d str,
        params: &'d [(Option<String>, TypeParam)],
    ) -> Vec<Tok<'d>> {
        let mut tokens = vec![match symbol {
            Some(symbol) => owned(self.cx.name(self.scope, symbol)),
            None => text(name),
        }];
        if params.is_empty() {
            return tokens;
        }
        tokens.push(text("("));
        for (index, (keyword, value)) in params.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            if let Some(keyword) = keyword {
                tokens.extend([text(keyword), text("=")]);
            }
            tokens.push(match value {
                TypeParam::Expr(expr) => whole(*expr),
                TypeParam::Assumed => text("*"),
                TypeParam::Deferred => text(":"),
            });
        }
        tokens.push(text(")"));
        tokens
    }
}

fn intrinsic_type<'d>(base: Base, kind: KindSpelling) -> Vec<Tok<'d>> {
    let (word, bytes) = match base {
        Base::Integer(bytes) | Base::Unsigned(bytes) => ("integer", bytes),
        Base::Real(bytes) => ("real", bytes),
        Base::Complex(bytes) => ("complex", bytes),
        Base::Logical(bytes) => ("logical", bytes),
        Base::Character(bytes) => ("character", bytes),
        Base::Unknown
        | Base::Void
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => ("real", 0),
    };
    match kind {
        KindSpelling::Default => vec![text(word)],
        KindSpelling::Named if matches!(base, Base::Real(_)) => vec![text("double precision")],
        KindSpelling::Expr(kind) => vec![text(word), text("("), whole(kind), text(")")],
        KindSpelling::Named | KindSpelling::Star(_) => vec![owned(format!("{word}({bytes})"))],
    }
}

fn character<'d>(len: CharLen, kind: KindSpelling, bytes: u8) -> Vec<Tok<'d>> {
    let kind: Option<Tok<'d>> = match kind {
        KindSpelling::Default => None,
        KindSpelling::Expr(kind) => Some(whole(kind)),
        KindSpelling::Named | KindSpelling::Star(_) => Some(owned(bytes.to_string())),
    };
    let len: Option<Tok<'d>> = match len {
        CharLen::One => None,
        CharLen::Expr(len) => Some(whole(len)),
        CharLen::Assumed => Some(text("*")),
        CharLen::Deferred => Some(text(":")),
    };
    let mut tokens = vec![text("character")];
    let both = len.is_some() && kind.is_some();
    if len.is_none() && kind.is_none() {
        return tokens;
    }
    tokens.push(text("("));
    if let Some(len) = len {
        tokens.extend([text("len="), len]);
    }
    if both {
        tokens.push(text(", "));
    }
    if let Some(kind) = kind {
        tokens.extend([text("kind="), kind]);
    }
    tokens.push(text(")"));
    tokens
}
