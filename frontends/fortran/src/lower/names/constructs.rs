//! Names that constructs bring: indices, associate names.

use xaif_schema::model::{
    Base, CharLen, Dim, ExprId, KindSpelling, Role, ScopeId, SymbolId, Ty, TypeSpec,
};

use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    /// An index variable of FORALL, DO CONCURRENT or an implied DO: its type is the one written,
    /// else that of the variable of this name around the construct, else the implicit one.
    pub(crate) fn declare_index(
        &mut self,
        scope: ScopeId,
        name: &ast::Name,
        written: Option<&ast::TypeSpec>,
    ) -> SymbolId {
        if let Some(symbol) = self.lookup_own(scope, name.key()) {
            return symbol;
        }
        let spec = match written {
            Some(written) => self.type_spec(scope, written),
            None => match self.lookup(scope, name.key()) {
                Some(outer) => self.spec_of(outer),
                None => {
                    let fallback = self.spec_from(Ty::scalar(Base::Integer(4)));
                    self.implicit_spec(scope, name.key()).unwrap_or(fallback)
                }
            },
        };
        let symbol = self.declare(scope, name, Role::Variable);
        self.decl_mut(symbol, |decl| {
            decl.spec = spec;
            decl.implicit = written.is_none();
        });
        self.classify(symbol);
        symbol
    }

    /// An associate name of ASSOCIATE, SELECT TYPE or SELECT RANK with this type.
    pub(crate) fn declare_associate(
        &mut self,
        scope: ScopeId,
        name: &ast::Name,
        selector: Option<ExprId>,
        spec: TypeSpec,
        rank: u8,
    ) -> SymbolId {
        let symbol = self.declare(scope, name, Role::Associate { selector });
        self.decl_mut(symbol, |decl| {
            decl.spec = spec;
            decl.dims = vec![Dim::AssumedShape { lower: None }; usize::from(rank)];
        });
        self.classify(symbol);
        symbol
    }

    /// The type of `symbol` without expressions, for another symbol that has the same one.
    pub(crate) fn spec_of(&self, symbol: SymbolId) -> TypeSpec {
        match self.doc.symbols[symbol].decl.as_deref() {
            Some(decl) => self.spec_from(Ty::scalar(decl.spec.base())),
            None => TypeSpec::None,
        }
    }

    /// A type specification that says no more than `ty`.
    pub(crate) fn spec_from(&self, ty: Ty) -> TypeSpec {
        match ty.base {
            Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Real(_)
            | Base::Complex(_)
            | Base::Logical(_) => {
                let kind = match ty.base {
                    Base::Integer(4) | Base::Real(4) | Base::Complex(4) | Base::Logical(4) => {
                        KindSpelling::Default
                    }
                    Base::Real(8) | Base::Complex(8) => KindSpelling::Named,
                    Base::Complex(bytes) => KindSpelling::Star(u16::from(bytes) * 2),
                    Base::Integer(bytes)
                    | Base::Unsigned(bytes)
                    | Base::Real(bytes)
                    | Base::Logical(bytes) => KindSpelling::Star(u16::from(bytes)),
                    _ => KindSpelling::Default,
                };
                TypeSpec::Intrinsic { base: ty.base, kind }
            }
            Base::Character(bytes) => {
                TypeSpec::Character { bytes, kind: KindSpelling::Default, len: CharLen::Assumed }
            }
            Base::Derived(symbol) | Base::Class(symbol) => TypeSpec::Derived {
                symbol: Some(symbol),
                name: self.doc.name(symbol).to_owned(),
                class: matches!(ty.base, Base::Class(_)),
                params: Vec::new(),
            },
            Base::ClassStar => TypeSpec::ClassStar,
            Base::TypeStar => TypeSpec::TypeStar,
            Base::Unknown | Base::Void | Base::Procedure | Base::Pointer(_) => TypeSpec::None,
        }
    }
}
