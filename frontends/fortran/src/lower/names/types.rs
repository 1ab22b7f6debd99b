//! Types and array shapes as declarations spell them.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Attr, Base, CharLen, Dim, KindSpelling, Role, ScopeId, SymbolId, TypeParam, TypeSpec,
};

use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    /// The type that `spec` means in `scope`. Each call makes expressions of its own.
    ///
    /// A kind that cannot be known (a name of a module that was not given, a parameter of a type)
    /// is 0.
    pub(crate) fn type_spec(&mut self, scope: ScopeId, spec: &ast::TypeSpec) -> TypeSpec {
        match &spec.kind {
            ast::TypeKind::Numeric(class, selector) => {
                self.numeric_spec(scope, *class, selector, spec.place)
            }
            ast::TypeKind::Character(selector) => self.character_spec(scope, selector),
            ast::TypeKind::DoublePrecision => named(Base::Real(8)),
            ast::TypeKind::DoubleComplex => named(Base::Complex(8)),
            ast::TypeKind::Byte => named(Base::Integer(1)),
            ast::TypeKind::Derived(name, params) => self.derived_spec(scope, name, params, false),
            ast::TypeKind::Class(name, params) => self.derived_spec(scope, name, params, true),
            ast::TypeKind::ClassStar => TypeSpec::ClassStar,
            ast::TypeKind::TypeStar => TypeSpec::TypeStar,
            ast::TypeKind::TypeOf(inner) => self.type_spec(scope, inner),
        }
    }

    fn numeric_spec(
        &mut self,
        scope: ScopeId,
        class: ast::NumericType,
        selector: &ast::KindSelector,
        place: ast::Place,
    ) -> TypeSpec {
        let (bytes, kind) = match selector {
            ast::KindSelector::Default => (4, KindSpelling::Default),
            ast::KindSelector::Star(bytes) => return self.sized_spec(class, Some(*bytes), place),
            ast::KindSelector::Kind(kind) => self.kind(scope, kind),
        };
        TypeSpec::Intrinsic { base: base_of(class, bytes), kind }
    }

    /// The type `class*bytes`; a size that no such type has is an error.
    fn sized_spec(
        &mut self,
        class: ast::NumericType,
        bytes: Option<u32>,
        place: ast::Place,
    ) -> TypeSpec {
        let (word, sizes, parts): (_, &[u16], _) = match class {
            ast::NumericType::Integer => ("INTEGER", &[1, 2, 4, 8, 16], 1),
            ast::NumericType::Logical => ("LOGICAL", &[1, 2, 4, 8, 16], 1),
            ast::NumericType::Real => ("REAL", &[2, 4, 8, 10, 16], 1),
            ast::NumericType::Complex => ("COMPLEX", &[4, 8, 16, 20, 32], 2),
        };
        let size = sizes.iter().copied().find(|&size| Some(u32::from(size)) == bytes);
        let Some(size) = size else {
            let listed: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let message = match bytes {
                Some(bytes) => format!("no {word} takes {bytes} bytes"),
                None => format!("the size of a {word} is no constant number of bytes"),
            };
            let help = format!("sizes in bytes are {}", listed.join(", "));
            self.error(Code::BAD_LENGTH, place, message, &help);
            return TypeSpec::Intrinsic { base: base_of(class, 0), kind: KindSpelling::Default };
        };
        let each = u8::try_from(size / parts).unwrap_or(0);
        TypeSpec::Intrinsic { base: base_of(class, each), kind: KindSpelling::Star(size) }
    }

    /// The type of a name with a length of its own, `REAL A*8`. The length of a CHARACTER stays
    /// beside the type; of other types it is a number of bytes.
    pub(super) fn lengthened(
        &mut self,
        scope: ScopeId,
        spec: &ast::TypeSpec,
        length: &ast::Length,
        char_len: &mut Option<CharLen>,
    ) -> TypeSpec {
        let place = match length {
            ast::Length::Expr(expr) => expr.place,
            ast::Length::Assumed | ast::Length::Deferred => spec.place,
        };
        match &spec.kind {
            ast::TypeKind::Character(_) => {
                *char_len = Some(self.char_len(scope, length));
                self.type_spec(scope, spec)
            }
            ast::TypeKind::Numeric(class, _) => {
                let bytes = match self.char_len(scope, length) {
                    CharLen::Expr(expr) => self.fold_integer(expr),
                    CharLen::One | CharLen::Assumed | CharLen::Deferred => None,
                };
                self.sized_spec(*class, bytes.and_then(|bytes| u32::try_from(bytes).ok()), place)
            }
            ast::TypeKind::TypeOf(inner) => self.lengthened(scope, inner, length, char_len),
            ast::TypeKind::DoublePrecision
            | ast::TypeKind::DoubleComplex
            | ast::TypeKind::Byte
            | ast::TypeKind::Derived(..)
            | ast::TypeKind::Class(..)
            | ast::TypeKind::ClassStar
            | ast::TypeKind::TypeStar => {
                self.error(
                    Code::BAD_LENGTH,
                    place,
                    "a name of this type has no length of its own".to_owned(),
                    "remove the length, or declare the name with the type that is meant",
                );
                self.type_spec(scope, spec)
            }
        }
    }

    /// The value of a kind expression, and its spelling.
    fn kind(&mut self, scope: ScopeId, kind: &ast::Expr) -> (u8, KindSpelling) {
        let expr = self.expr(scope, kind);
        let bytes = self.fold_integer(expr).and_then(|value| u8::try_from(value).ok());
        (bytes.unwrap_or(0), KindSpelling::Expr(expr))
    }

    fn character_spec(&mut self, scope: ScopeId, selector: &ast::CharSelector) -> TypeSpec {
        let (bytes, kind) = match &selector.kind {
            Some(kind) => self.kind(scope, kind),
            None => (1, KindSpelling::Default),
        };
        let len = match &selector.length {
            Some(length) => self.char_len(scope, length),
            None => CharLen::One,
        };
        TypeSpec::Character { bytes, kind, len }
    }

    /// The length of a character entity.
    pub(super) fn char_len(&mut self, scope: ScopeId, length: &ast::Length) -> CharLen {
        match length {
            ast::Length::Expr(expr) => CharLen::Expr(self.expr(scope, expr)),
            ast::Length::Assumed => CharLen::Assumed,
            ast::Length::Deferred => CharLen::Deferred,
        }
    }

    fn derived_spec(
        &mut self,
        scope: ScopeId,
        name: &ast::Name,
        params: &[ast::Argument],
        class: bool,
    ) -> TypeSpec {
        let symbol = self.derived_type(scope, name.key());
        if symbol.is_none() {
            self.unknown_type(scope, name);
        }
        let params = params.iter().map(|param| self.type_param(scope, param)).collect();
        TypeSpec::Derived { symbol, name: name.spelling().to_owned(), class, params }
    }

    fn type_param(&mut self, scope: ScopeId, param: &ast::Argument) -> (Option<String>, TypeParam) {
        let keyword = param.keyword.as_ref().map(|name| name.spelling().to_owned());
        let value = match &param.value {
            ast::ArgumentValue::Expr(expr) => TypeParam::Expr(self.expr(scope, expr)),
            ast::ArgumentValue::Percent(_, expr) => TypeParam::Expr(self.expr(scope, expr)),
            ast::ArgumentValue::Section { .. } => TypeParam::Deferred,
            ast::ArgumentValue::Star | ast::ArgumentValue::Alternate(_) => TypeParam::Assumed,
        };
        (keyword, value)
    }

    /// The derived type that `key` names in `scope`, also beside a generic name.
    pub(crate) fn derived_type(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        let symbol = self.find(scope, key)?;
        if matches!(self.doc.role(symbol), Some(Role::DerivedType { .. })) {
            return Some(symbol);
        }
        let owner = self.doc.symbols[symbol].scope;
        let hidden = self.names[owner].hidden.get(&*self.doc.symbols[symbol].id).copied()?;
        matches!(self.doc.role(hidden), Some(Role::DerivedType { .. })).then_some(hidden)
    }

    pub(super) fn unknown_type(&mut self, scope: ScopeId, name: &ast::Name) {
        let known = self.find(scope, name.key());
        let excused = match known {
            Some(symbol) => matches!(self.doc.role(symbol), Some(Role::Unresolved { .. })),
            None => self.missing_module(scope).is_some(),
        };
        if !excused && self.names[scope].reported.insert(name.key().into()) {
            self.error(
                Code::UNKNOWN_TYPE,
                name.place,
                format!("there is no derived type `{name}` here"),
                "define it, USE the module that defines it, or IMPORT it into the interface body",
            );
        }
    }

    /// The dimensions of an entity with the attributes `attrs`.
    pub(super) fn dims(
        &mut self,
        scope: ScopeId,
        dims: &[ast::Dimension],
        is_deferred: bool,
    ) -> Vec<Dim> {
        dims.iter()
            .map(|dim| {
                let lower = dim.lower.as_ref().map(|lower| self.expr(scope, lower));
                match &dim.upper {
                    ast::Upper::Expr(upper) => {
                        Dim::Explicit { lower, upper: self.expr(scope, upper) }
                    }
                    ast::Upper::Open if is_deferred && lower.is_none() => Dim::Deferred,
                    ast::Upper::Open => Dim::AssumedShape { lower },
                    ast::Upper::Star => Dim::AssumedSize { lower },
                    ast::Upper::Rank => Dim::AssumedRank,
                }
            })
            .collect()
    }

    /// Whether open dimensions of `symbol` are deferred, not assumed.
    pub(super) fn has_deferred_shape(&self, symbol: SymbolId) -> bool {
        self.doc.symbols[symbol]
            .decl
            .as_deref()
            .is_some_and(|decl| decl.has(Attr::Allocatable) || decl.has(Attr::Pointer))
    }
}

fn base_of(class: ast::NumericType, bytes: u8) -> Base {
    match class {
        ast::NumericType::Integer => Base::Integer(bytes),
        ast::NumericType::Real => Base::Real(bytes),
        ast::NumericType::Complex => Base::Complex(bytes),
        ast::NumericType::Logical => Base::Logical(bytes),
    }
}

fn named(base: Base) -> TypeSpec {
    TypeSpec::Intrinsic { base, kind: KindSpelling::Named }
}
