//! Making symbols and scopes, and keeping what XAIF 1.0 says of a symbol true to its declaration.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Decl, Dim, ExprId, Place, ProcId, Role, ScopeId, ScopeKind, Symbol, SymbolId,
    SymbolKind, TypeClass, TypeSpec,
};

use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    /// Adds a symbol for `name` to `scope`, without type.
    pub(crate) fn declare(&mut self, scope: ScopeId, name: &ast::Name, role: Role) -> SymbolId {
        let place = self.place(name.place);
        self.declare_key(scope, name.key(), name.spelling(), role, place)
    }

    /// Adds a symbol whose key is not its lower-case name.
    pub(crate) fn declare_key(
        &mut self,
        scope: ScopeId,
        key: &str,
        spelling: &str,
        role: Role,
        place: Place,
    ) -> SymbolId {
        let symbol = self.add(scope, key, spelling, role, place);
        self.names[scope].own.insert(key.into(), symbol);
        symbol
    }

    /// Adds a symbol that its key does not find.
    pub(super) fn add(
        &mut self,
        scope: ScopeId,
        id: &str,
        spelling: &str,
        role: Role,
        place: Place,
    ) -> SymbolId {
        let decl = Decl {
            name: spelling.to_owned(),
            role,
            spec: TypeSpec::None,
            dims: Vec::new(),
            attrs: BTreeSet::new(),
            intent: None,
            init: None,
            char_len: None,
            common: None,
            bind_name: None,
            implicit: false,
            value: None,
            place,
        };
        let symbol = self.doc.add_symbol(Symbol {
            id: id.to_owned(),
            scope,
            kind: SymbolKind::Variable,
            class: TypeClass::Void,
            fe_type: None,
            rank: None,
            bounds: Vec::new(),
            active: None,
            temp: None,
            pointer: None,
            decl: Some(Box::new(decl)),
        });
        self.classify(symbol);
        symbol
    }

    /// Changes the declaration of `symbol`.
    pub(crate) fn decl_mut(&mut self, symbol: SymbolId, change: impl FnOnce(&mut Decl)) {
        if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
            change(decl);
        }
    }

    /// Reports a name without type under IMPLICIT NONE.
    pub(super) fn undeclared(&mut self, symbol: SymbolId) {
        let Some(decl) = self.doc.symbols[symbol].decl.as_deref() else { return };
        let spot = self.doc.spot(decl.place);
        let message = format!("`{}` is not declared", decl.name);
        self.diagnostics.push(
            Diagnostic::error(Code::NO_IMPLICIT_TYPE, spot, message)
                .with_help("declare it, or remove IMPLICIT NONE"),
        );
    }

    /// Adds a name of which nothing is known.
    pub(super) fn declare_unresolved(
        &mut self,
        scope: ScopeId,
        name: &ast::Name,
        module: Option<SymbolId>,
    ) -> SymbolId {
        self.declare(scope, name, Role::Unresolved { module })
    }

    /// Adds a scope; its names are looked for in `parent` too.
    pub(crate) fn open_scope(
        &mut self,
        parent: ScopeId,
        kind: ScopeKind,
        place: ast::Place,
    ) -> ScopeId {
        let place = self.place(place);
        let scope = self.doc.add_scope(parent, kind, place);
        let proc = self.names[parent].proc;
        self.names[scope].file = self.file;
        self.names[scope].proc = proc;
        scope
    }

    /// The procedure whose body `scope` belongs to.
    pub(crate) fn procedure_around(&self, scope: ScopeId) -> Option<ProcId> {
        self.names[scope].proc
    }

    /// Whether `symbol` is a dummy argument of its procedure.
    pub(crate) fn is_dummy(&self, symbol: SymbolId) -> bool {
        let scope = self.doc.symbols[symbol].scope;
        self.names[scope].dummies.contains(&symbol)
    }

    /// Fills the fields of XAIF 1.0 from the declaration.
    pub(crate) fn classify(&mut self, symbol: SymbolId) {
        let Some(decl) = self.doc.symbols[symbol].decl.as_deref() else { return };
        let base = decl.spec.base();
        let is_value = matches!(
            decl.role,
            Role::Variable | Role::Constant | Role::Associate { .. } | Role::TypeParam { .. }
        );
        let is_pointer = decl.has(Attr::Pointer);
        let kind = match (is_value, is_pointer) {
            (true, true) => SymbolKind::Pointer,
            (true, false) => SymbolKind::Variable,
            (false, _) => SymbolKind::Subroutine,
        };
        let rank = u8::try_from(decl.dims.len()).unwrap_or(u8::MAX);
        let bounds = fixed_bounds(&decl.dims, |expr| self.fold_integer(expr));
        let is_constant = matches!(decl.role, Role::Constant);
        let target = &mut self.doc.symbols[symbol];
        target.kind = kind;
        target.class = class_of(base, is_value);
        target.fe_type = fe_type(base);
        if is_value {
            target.rank = Some(rank);
            target.bounds = bounds;
            target.active = Some(base.is_continuous() && !is_constant);
            target.pointer = is_pointer.then_some(true);
        }
    }
}

/// The bounds in XAIF's order, last dimension first, where all of them are known.
fn fixed_bounds(dims: &[Dim], fold: impl Fn(ExprId) -> Option<i64>) -> Vec<(i64, i64)> {
    let one = |dim: &Dim| match dim {
        Dim::Explicit { lower, upper } => {
            let lower = lower.map_or(Some(1), &fold)?;
            Some((lower, fold(*upper)?))
        }
        Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => {
            None
        }
    };
    dims.iter().rev().map(one).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// XAIF's class of a type.
fn class_of(base: Base, is_value: bool) -> TypeClass {
    match base {
        Base::Void => TypeClass::Void,
        Base::Integer(_) | Base::Unsigned(_) => TypeClass::Integer,
        Base::Real(_) => TypeClass::Real,
        Base::Complex(_) => TypeClass::Complex,
        Base::Logical(_) => TypeClass::Bool,
        Base::Character(_) => TypeClass::String,
        Base::Unknown if !is_value => TypeClass::Void,
        Base::Unknown
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => TypeClass::Opaque,
    }
}

/// The name of the machine type as Open64's front-end had it: `F8`, `I4`, `C8` (both parts), `L4`.
fn fe_type(base: Base) -> Option<String> {
    match base {
        Base::Integer(bytes) => Some(format!("I{bytes}")),
        Base::Unsigned(bytes) => Some(format!("U{bytes}")),
        Base::Real(bytes) => Some(format!("F{bytes}")),
        Base::Complex(bytes) => Some(format!("C{bytes}")),
        Base::Logical(bytes) => Some(format!("I{bytes}")),
        Base::Unknown
        | Base::Void
        | Base::Character(_)
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => None,
    }
}
