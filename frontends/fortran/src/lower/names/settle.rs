//! Looking at what was gathered about a symbol: its type, shape, length and initial value.
//!
//! A declaration may use names that are declared elsewhere, also further down or in another unit;
//! so symbols are settled when they are first asked for, and at the latest where they stand.

use xaif_schema::model::{Attr, Base, Init, ProcSort, Role, ScopeId, SymbolId, Ty, TypeSpec};

use super::facts::{Facts, InitialFact};
use super::tables::Pending;
use crate::lower::Lowering;

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

    fn settle_type(&mut self, symbol: SymbolId, facts: &Facts<'a>) {
        let Some(decl) = self.doc.symbols[symbol].decl.as_deref() else { return };
        let untyped = match &decl.role {
            Role::Procedure(info) => facts.interface.is_some() || info.sort != ProcSort::Function,
            Role::Variable | Role::Constant => false,
            _ => true,
        };
        let mut char_len = None;
        let (spec, implicit) = match (facts.spec, facts.length) {
            (Some(spec), None) => (self.type_spec(facts.scope, spec), false),
            (Some(spec), Some(length)) => {
                let spec = self.lengthened(facts.scope, spec, length, &mut char_len);
                (spec, false)
            }
            (None, _) => self.untold_spec(symbol, facts, untyped),
        };
        self.decl_mut(symbol, |decl| {
            decl.spec = spec;
            decl.implicit = implicit;
            decl.char_len = char_len;
        });
        self.classify(symbol);
    }

    /// The type of a name that no declaration gives one, and whether it is implicit.
    fn untold_spec(
        &mut self,
        symbol: SymbolId,
        facts: &Facts<'a>,
        untyped: bool,
    ) -> (TypeSpec, bool) {
        let is_enumerator =
            self.doc.symbols[symbol].decl.as_deref().is_some_and(|decl| decl.has(Attr::Enumerator));
        if untyped {
            return (TypeSpec::None, false);
        }
        if is_enumerator {
            return (self.spec_from(Ty::scalar(Base::Integer(4))), false);
        }
        let key = self.doc.symbols[symbol].id.clone();
        if let Some(spec) = self.implicit_spec(facts.scope, &key) {
            return (spec, true);
        }
        // That it is called is all that need be said of a dummy procedure.
        if self.is_called_dummy(facts.scope, symbol) {
            self.make_procedure(symbol, ProcSort::Subroutine);
        } else {
            self.undeclared(symbol);
        }
        (TypeSpec::None, false)
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
