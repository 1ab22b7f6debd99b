//! Looking at what was gathered about a symbol: its type, shape, length and initial value.
//!
//! A declaration may use names that are declared elsewhere, also further down or in another unit;
//! so symbols are settled when they are first asked for, and at the latest where they stand.

use xaif_schema::model::{Attr, Base, Init, ProcSort, Role, ScopeId, SymbolId, Ty, TypeSpec};

use super::facts::{Facts, InitialFact};
use super::tables::Pending;
use crate::lower::Lowering;
use crate::syntax::ast;
use xaif_schema::diag::Code;

/// So many declarations may need each other; a longer chain stays unsettled until its turn comes.
const MAX_CHAIN: u32 = 64;

impl<'a> Lowering<'a> {
    /// Looks at what is pending for `symbol`, if anything is.
    pub(super) fn settle(&mut self, symbol: SymbolId) {
        if self.depth >= MAX_CHAIN {
            return;
        }
        let Some(pending) = self.pending[symbol].take() else { return };
        self.depth += 1;
        let outer = self.file;
        match *pending {
            Pending::Facts(facts) => {
                self.file = self.names[facts.scope].file;
                self.settle_facts(symbol, &facts);
            }
            Pending::Unit(unit, proc) => {
                let scope = self.doc.procs[proc].scope;
                self.file = self.names[scope].file;
                self.specification(unit, scope);
            }
        }
        self.file = outer;
        self.depth -= 1;
    }

    fn settle_facts(&mut self, symbol: SymbolId, facts: &Facts<'a>) {
        self.settle_type(symbol, facts);
        if let Some(dims) = facts.dims {
            let is_deferred = self.has_deferred_shape(symbol);
            let dims = self.dims(facts.scope, dims, is_deferred);
            self.decl_mut(symbol, |decl| decl.dims = dims);
        }
        let is_number = facts.spec.is_some_and(|spec| is_numeric(spec).is_some());
        if let Some(length) = facts.length.filter(|_| !is_number) {
            let length = self.char_len(facts.scope, length);
            self.decl_mut(symbol, |decl| decl.char_len = Some(length));
        }
        if let Some(bind) = facts.bind {
            let bind = self.expr(facts.scope, bind);
            self.decl_mut(symbol, |decl| decl.bind_name = Some(bind));
        }
        if let Some(name) = facts.interface {
            let interface = self.find(facts.scope, name.key());
            let interface = interface.or_else(|| self.external_named(name));
            self.decl_mut(symbol, |decl| {
                if let Role::Procedure(info) = &mut decl.role {
                    info.interface = interface;
                }
            });
        }
        self.settle_init(symbol, facts);
        self.classify(symbol);
    }

    /// The type of a name. `REAL A*8`: the length behind the name of a number is that of its type, and replaces it.
    fn sized_spec(
        &mut self,
        symbol: SymbolId,
        spec: &ast::TypeSpec,
        facts: &Facts<'a>,
    ) -> TypeSpec {
        let Some(length) = facts.length else { return self.type_spec(facts.scope, spec) };
        if let (Some(class), ast::Length::Expr(length)) = (is_numeric(spec), length)
            && let ast::ExprKind::Literal(ast::Literal::Integer { digits, kind: None }) =
                &length.kind
            && let Ok(bytes) = digits.parse()
        {
            return self.numeric_spec(facts.scope, class, &ast::KindSelector::Star(bytes));
        }
        if !matches!(spec.kind, ast::TypeKind::Character(_)) {
            let place = match length {
                ast::Length::Expr(length) => length.place,
                ast::Length::Assumed | ast::Length::Deferred => spec.place,
            };
            let message =
                format!("the length behind `{}` does not go with its type", self.doc.name(symbol));
            let help = "only a CHARACTER has a length, and a number its bytes: `real x*8`";
            self.error(Code::BAD_LENGTH, place, message, help);
        }
        self.type_spec(facts.scope, spec)
    }

    fn settle_type(&mut self, symbol: SymbolId, facts: &Facts<'a>) {
        let Some(decl) = self.doc.symbols[symbol].decl.as_deref() else { return };
        let untyped = match &decl.role {
            Role::Procedure(info) => facts.interface.is_some() || info.sort != ProcSort::Function,
            Role::Variable | Role::Constant => false,
            _ => true,
        };
        let (spec, implicit) = match facts.spec {
            Some(spec) => (self.sized_spec(symbol, spec, facts), false),
            None if untyped => (TypeSpec::None, false),
            None if decl.has(Attr::Enumerator) => {
                (self.spec_from(Ty::scalar(Base::Integer(4))), false)
            }
            None => {
                let key = self.doc.symbols[symbol].id.clone();
                match self.implicit_spec(facts.scope, &key) {
                    Some(spec) => (spec, true),
                    // That it is called is all that need be said of a dummy procedure.
                    None if self.is_called_dummy(facts.scope, symbol) => {
                        self.make_procedure(symbol, ProcSort::Subroutine);
                        (TypeSpec::None, false)
                    }
                    None => {
                        self.undeclared(symbol);
                        (TypeSpec::None, false)
                    }
                }
            }
        };
        self.decl_mut(symbol, |decl| {
            decl.spec = spec;
            decl.implicit = implicit;
        });
        self.classify(symbol);
    }

    /// Whether the body of the procedure calls this argument of it as a subroutine.
    fn is_called_dummy(&self, scope: ScopeId, symbol: SymbolId) -> bool {
        self.is_dummy(symbol)
            && self.names[scope].subroutines.contains(&*self.doc.symbols[symbol].id)
    }

    fn settle_init(&mut self, symbol: SymbolId, facts: &Facts<'a>) {
        let Some(init) = facts.init else { return };
        let init = match init {
            InitialFact::Value(value) => Init::Value(self.expr(facts.scope, value)),
            InitialFact::Target(target) => Init::Target(self.expr(facts.scope, target)),
        };
        let is_constant = matches!(self.doc.role(symbol), Some(Role::Constant));
        let value = match init {
            Init::Value(value) if is_constant => self.fold_integer(value),
            Init::Value(_) | Init::Target(_) => None,
        };
        self.decl_mut(symbol, |decl| {
            decl.init = Some(init);
            decl.value = value.filter(|_| decl.dims.is_empty());
        });
    }
}

/// The class of a type of numbers or logical values that is written with an optional number of bytes.
fn is_numeric(spec: &ast::TypeSpec) -> Option<ast::NumericType> {
    match &spec.kind {
        ast::TypeKind::Numeric(class, _) => Some(*class),
        ast::TypeKind::TypeOf(inner) => is_numeric(inner),
        ast::TypeKind::Character(_)
        | ast::TypeKind::DoublePrecision
        | ast::TypeKind::DoubleComplex
        | ast::TypeKind::Byte
        | ast::TypeKind::Derived(..)
        | ast::TypeKind::Class(..)
        | ast::TypeKind::ClassStar
        | ast::TypeKind::TypeStar => None,
    }
}
