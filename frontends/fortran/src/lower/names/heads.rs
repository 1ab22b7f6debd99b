//! Opening statements of procedures and ENTRY: dummy arguments and results.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Attr, Body, DummyArg, EntryPoint, ProcId, ProcKind, Role, ScopeId, SymbolId,
};

use super::facts::Facts;
use super::tables::Pending;
use super::units::{entries, opening, prefixes};
use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// Declares dummy arguments and result of `unit` before its specification part is gathered.
    pub(super) fn open_head(&mut self, unit: &'a ast::Unit, scope: ScopeId) {
        let Some(proc) = self.names[scope].proc else { return };
        if self.doc.procs[proc].scope != scope {
            return;
        }
        let symbol = self.doc.procs[proc].symbol;
        match &unit.kind {
            ast::UnitKind::Subroutine(procedure) | ast::UnitKind::Function(procedure) => {
                let args = self.dummies(scope, procedure.dummies.as_deref());
                let result = self.result(scope, symbol, &procedure.name, procedure.result.as_ref());
                self.doc.procs[proc].args = args;
                self.doc.procs[proc].result = result;
                if let Some(bind) = &procedure.bind {
                    self.add_attr(symbol, Attr::BindC);
                    let name = bind.name.as_ref().map(|name| self.expr(scope, name));
                    self.decl_mut(symbol, |decl| decl.bind_name = name);
                }
                if let (Some(result), Some(spec)) = (result, prefix_type(unit)) {
                    self.facts(result, |facts| facts.spec = Some(spec));
                }
            }
            ast::UnitKind::ModuleProcedure(name) => {
                self.take_interface(scope, proc, name);
                self.names[scope].own.insert(name.key().into(), symbol);
            }
            ast::UnitKind::Program(_)
            | ast::UnitKind::Module(_)
            | ast::UnitKind::Submodule(_)
            | ast::UnitKind::BlockData(_) => {}
        }
        for entry in entries(unit) {
            self.open_entry(scope, entry);
        }
    }

    fn open_entry(&mut self, scope: ScopeId, entry: &'a ast::Entry) {
        let Some(parent) = self.doc.scopes[scope].parent else { return };
        let Some(&symbol) = self.names[parent].own.get(entry.name.key()) else { return };
        let args = self.dummies(scope, entry.dummies.as_deref());
        let result = self.result(scope, symbol, &entry.name, entry.result.as_ref());
        self.entries.insert(symbol, EntryPoint { symbol, args, result });
    }

    /// Name, arguments and result of the ENTRY `name` of the procedure around `scope`.
    pub(crate) fn entry_point(&self, scope: ScopeId, name: &ast::Name) -> Option<EntryPoint> {
        let proc = self.procedure_around(scope)?;
        let parent = self.doc.scopes[self.doc.procs[proc].scope].parent?;
        let symbol = self.names[parent].own.get(name.key())?;
        self.entries.get(symbol).cloned()
    }

    fn dummies(&mut self, scope: ScopeId, dummies: Option<&'a [ast::Dummy]>) -> Vec<DummyArg> {
        let mut args = Vec::new();
        for (position, dummy) in dummies.unwrap_or_default().iter().enumerate() {
            let symbol = match dummy {
                ast::Dummy::Name(name) => {
                    let symbol = self.entity(scope, name);
                    self.names[scope].dummies.insert(symbol);
                    Some(symbol)
                }
                ast::Dummy::Star(_) => None,
            };
            let position = u32::try_from(position + 1).unwrap_or(u32::MAX);
            args.push(DummyArg { position, symbol, intent: None, deriv: false });
        }
        args
    }

    /// Declares the result variable of a function or function ENTRY. Where the procedure's own name
    /// is not that of its result, it means the procedure.
    fn result(
        &mut self,
        scope: ScopeId,
        symbol: SymbolId,
        name: &'a ast::Name,
        result: Option<&'a ast::Name>,
    ) -> Option<SymbolId> {
        let is_function = matches!(
            self.doc.role(symbol),
            Some(Role::Procedure(info)) if info.sort == xaif_schema::model::ProcSort::Function
        );
        if !is_function || result.is_some_and(|result| result != name) {
            self.names[scope].own.insert(name.key().into(), symbol);
        }
        if !is_function {
            return None;
        }
        let variable = self.entity(scope, result.unwrap_or(name));
        if self.pending[variable].is_none() {
            self.pending[variable] = Some(Box::new(Pending::Facts(Facts::new(scope))));
        }
        Some(variable)
    }

    /// `module procedure p`: arguments and result are those of the interface.
    fn take_interface(&mut self, scope: ScopeId, proc: ProcId, name: &ast::Name) {
        let submodule = self.doc.scopes[scope].parent;
        let around = submodule.and_then(|submodule| self.doc.scopes[submodule].parent);
        let interface = around
            .and_then(|around| self.find(around, name.key()))
            .or_else(|| submodule.and_then(|s| self.names[s].hidden.get(name.key()).copied()))
            .and_then(|symbol| self.doc.procedure_of(symbol))
            .filter(|&interface| matches!(self.doc.procs[interface].body, Body::Interface));
        let Some(interface) = interface else {
            self.error(
                Code::NO_INTERFACE,
                name.place,
                format!("no interface of the module procedure `{name}` was found"),
                "declare its interface in the ancestor module, or give that module's source",
            );
            return;
        };
        self.settle(self.doc.procs[interface].symbol);
        let source = &self.doc.procs[interface];
        let (args, result, inner) = (source.args.clone(), source.result, source.scope);
        let (told, own) = (source.symbol, self.doc.procs[proc].symbol);
        let told = [Attr::Elemental, Attr::Pure, Attr::Impure]
            .into_iter()
            .filter(|&attr| self.doc.symbols[told].has(attr))
            .collect::<Vec<_>>();
        self.decl_mut(own, |decl| decl.attrs.extend(told));
        self.names[scope].interface = Some(inner);
        self.doc.procs[proc].args = args;
        self.doc.procs[proc].result = result;
        self.doc.procs[proc].kind = ProcKind::ModuleProcedure;
    }

    /// Settles arguments and results once all declarations are gathered.
    pub(super) fn close_head(&mut self, scope: ScopeId) {
        let Some(proc) = self.names[scope].proc else { return };
        if self.doc.procs[proc].scope != scope {
            return;
        }
        let mut args = std::mem::take(&mut self.doc.procs[proc].args);
        self.settle_args(&mut args);
        self.doc.procs[proc].args = args;
        let symbol = self.doc.procs[proc].symbol;
        self.settle_result(symbol, self.doc.procs[proc].result);
        let mut own: Vec<SymbolId> = self
            .entries
            .keys()
            .copied()
            .filter(|&entry| self.doc.procedure_of(entry) == Some(proc))
            .collect();
        own.sort();
        for symbol in own {
            let Some(mut entry) = self.entries.remove(&symbol) else { continue };
            self.settle_args(&mut entry.args);
            self.settle_result(symbol, entry.result);
            self.entries.insert(symbol, entry);
        }
    }

    fn settle_args(&mut self, args: &mut [DummyArg]) {
        for arg in args {
            if let Some(dummy) = arg.symbol {
                self.settle(dummy);
                arg.intent = self.doc.symbols[dummy].decl.as_deref().and_then(|decl| decl.intent);
            }
        }
    }

    /// The procedure's symbol has the type of its result.
    fn settle_result(&mut self, symbol: SymbolId, result: Option<SymbolId>) {
        let Some(result) = result else { return };
        self.settle(result);
        let spec = self.spec_of(result);
        let rank = self.doc.symbols[result].rank;
        self.decl_mut(symbol, |decl| decl.spec = spec);
        self.classify(symbol);
        self.doc.symbols[symbol].rank = rank;
    }
}

/// The type in front of FUNCTION.
fn prefix_type(unit: &ast::Unit) -> Option<&ast::TypeSpec> {
    opening(unit)?;
    prefixes(unit).iter().find_map(|prefix| match prefix {
        ast::Prefix::Type(spec) => Some(spec),
        ast::Prefix::Pure
        | ast::Prefix::Impure
        | ast::Prefix::Elemental
        | ast::Prefix::Recursive
        | ast::Prefix::NonRecursive
        | ast::Prefix::Module => None,
    })
}
