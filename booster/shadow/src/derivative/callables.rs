//! Derivatives of what is called by a name that is no procedure itself: dummy procedures, procedure
//! pointers, interface bodies and abstract interfaces. Each gets a companion beside it.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Body, Document, ExprKind, Init, InterfaceItem, ProcClass, ProcId, ProcSort,
    ProcedureInfo, Role, ScopeId, SpecItem, StmtKind, Symbol, SymbolId, TypeSpec,
};

use super::Slot;
use super::names;
use super::units::{Maker, Outer, Site};
use booster_build::Copied;

impl Maker<'_> {
    /// Declares the companions of the procedures that `old` declares in its copy `new` (for a
    /// module: in its derivative module).
    pub(super) fn companions(
        &mut self,
        old: ScopeId,
        new: ScopeId,
        copied: &Copied,
        outer: &Outer,
        chosen: impl Fn(&Self, SymbolId, ProcClass) -> bool,
    ) {
        let mut symbols = self.doc.scopes[old].symbols.clone();
        // Interfaces first: the others are declared by them.
        symbols.sort_by_key(|&symbol| !self.describes_others(symbol));
        for original in symbols {
            let Some(Role::Procedure(info)) = self.doc.role(original) else { continue };
            let (class, proc, interface) = (info.class, info.proc, info.interface);
            let body = proc.filter(|&p| matches!(self.doc.procs[p].body, Body::Interface));
            let wanted = match class {
                ProcClass::Dummy | ProcClass::Pointer | ProcClass::Abstract => {
                    self.plan.classes.is_differentiable(self.doc, original)
                }
                ProcClass::External if self.templates.contains(&original) => {
                    self.plan.classes.is_differentiable(self.doc, original)
                }
                // Without a derivative procedure an interface for it would describe nothing.
                ProcClass::External => {
                    (body.is_some() || interface.is_some()) && self.described(original).is_some()
                }
                ProcClass::Module
                | ProcClass::Internal
                | ProcClass::Intrinsic
                | ProcClass::Entry => false,
            };
            if wanted && chosen(self, original, class) {
                let name = self.companion_name(original, class, (old, new), outer);
                match body {
                    Some(body) => self.companion_body(original, body, name, new, copied, outer),
                    None => self.companion(original, interface, name, new, copied),
                }
            }
        }
    }

    /// Whether a name is that of an interface body by which others may be declared.
    pub(super) fn describes_others(&self, symbol: SymbolId) -> bool {
        let Some(Role::Procedure(info)) = self.doc.role(symbol) else { return false };
        let is_body = info.proc.is_some_and(|proc| self.doc.procs[proc].body == Body::Interface);
        info.class == ProcClass::Abstract || info.class == ProcClass::External && is_body
    }

    /// Whether a name stands for nothing that could be called.
    fn is_interface(&self, symbol: SymbolId) -> bool {
        self.templates.contains(&symbol)
            || matches!(self.doc.role(symbol), Some(Role::Procedure(info))
                if info.class == ProcClass::Abstract)
    }

    /// The procedure among those with a derivative that a declaration describes.
    pub(super) fn describes(&self, symbol: SymbolId) -> Option<SymbolId> {
        let id = &self.doc.symbols[symbol].id;
        let members = self.plan.classes.members(self.doc, symbol);
        let same = |&proc: &ProcId| self.doc.symbols[self.doc.procs[proc].symbol].id == *id;
        let body = members.into_iter().filter(same).find(|proc| self.plan.procs.contains(proc));
        body.map(|proc| self.doc.procs[proc].symbol)
    }

    /// The derivative of the external procedure that a declaration describes.
    fn described(&self, symbol: SymbolId) -> Option<SymbolId> {
        let named = self.describes(symbol);
        let id = &self.doc.symbols[symbol].id;
        let named = named.or_else(|| self.doc.symbol_in(self.global, id));
        self.derivatives.get(&named?).copied()
    }

    fn companion_name(
        &mut self,
        original: SymbolId,
        class: ProcClass,
        (old, new): (ScopeId, ScopeId),
        outer: &Outer,
    ) -> String {
        if class == ProcClass::External
            && let Some(derivative) = self.described(original)
        {
            return self.doc.name(derivative).to_owned();
        }
        let wish = names::derived(self.doc.name(original), &self.naming.procedure);
        if self.is_module(new) {
            return self.global_name(&wish, new);
        }
        let mut taken: HashSet<String> = names::ids(self.doc, new).collect();
        for scope in self.tree.inside(old) {
            taken.extend(names::ids(self.doc, scope));
        }
        names::fresh(&wish, |name| taken.contains(name) || outer.contains(name))
    }

    /// A companion with an interface body of its own.
    fn companion_body(
        &mut self,
        original: SymbolId,
        body: ProcId,
        name: String,
        new: ScopeId,
        copied: &Copied,
        outer: &Outer,
    ) {
        let symbol = self.procedure_symbol(original, new, name);
        if let Some(decl) = self.doc.symbols[original].decl.as_deref() {
            let kept = [Attr::Pointer, Attr::Optional, Attr::Save];
            let kept = kept.into_iter().filter(|&attr| decl.has(attr));
            let kept: Vec<Attr> = kept.collect();
            if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
                decl.attrs.extend(kept);
            }
        }
        let primal = copied.copier.symbol(original);
        self.out.callees.insert(primal, symbol);
        self.primals.insert(symbol, primal);
        let site = Site { parent: new, symbol, copied: copied.clone(), outer: outer.clone() };
        let is_abstract = self.is_interface(original);
        if is_abstract
            && let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut()
            && let Role::Procedure(info) = &mut decl.role
        {
            info.class = ProcClass::Abstract;
        }
        let scope = self.procedure(body, site);
        let items = vec![InterfaceItem::Body(scope)];
        let item = SpecItem::Interface { generic: None, is_abstract, items };
        let old = copied.copier.scope(self.doc.procs[body].scope);
        let items = &mut self.doc.scopes[new].items;
        let beside = items.iter().position(|item| match item {
            SpecItem::Interface { items, .. } => items.contains(&InterfaceItem::Body(old)),
            _ => false,
        });
        let at = beside.map_or(items.len(), |at| at + 1);
        items.insert(at, item);
    }

    /// A companion that is declared like its original.
    fn companion(
        &mut self,
        original: SymbolId,
        interface: Option<SymbolId>,
        name: String,
        new: ScopeId,
        copied: &Copied,
    ) {
        let primal = copied.copier.symbol(original);
        let old = self.doc.symbols[original].clone();
        let Some(mut decl) = old.decl.as_deref().cloned() else { return };
        let class = match &decl.role {
            Role::Procedure(info) => info.class,
            _ => return,
        };
        let interface = interface.and_then(|interface| {
            let named = copied.copier.symbol(interface);
            self.out.callee(named).or_else(|| self.out.callee(interface))
        });
        decl.role = Role::Procedure(ProcedureInfo {
            sort: ProcSort::Subroutine,
            class,
            proc: None,
            interface,
            pass: None,
        });
        decl.name = name.clone();
        decl.spec = TypeSpec::None;
        (decl.implicit, decl.char_len) = (false, None);
        decl.attrs.retain(|attr| {
            matches!(attr, Attr::Pointer | Attr::Optional | Attr::Save | Attr::External)
        });
        if interface.is_none() && class == ProcClass::Dummy && !decl.has(Attr::Pointer) {
            decl.attrs.insert(Attr::External);
        }
        decl.init = self.companion_target(decl.init);
        let symbol = self.doc.add_symbol(Symbol {
            id: name.to_ascii_lowercase(),
            scope: new,
            active: Some(false),
            temp: Some(true),
            class: xaif_schema::model::TypeClass::Void,
            fe_type: None,
            decl: Some(Box::new(decl)),
            ..old
        });
        self.out.callees.insert(primal, symbol);
        self.primals.insert(symbol, primal);
        if let Some(slots) = self.slots_of_class(original) {
            self.out.signatures.insert(symbol, slots);
        }
        self.declare_beside(new, primal, symbol);
    }

    /// A pointer that begins associated with a procedure: its companion with that one's derivative.
    fn companion_target(&mut self, init: Option<Init>) -> Option<Init> {
        let Some(Init::Target(target)) = init else { return None };
        let copy = booster_build::Copier::new().expr(self.doc, target);
        if let ExprKind::Procedure(named) = self.doc.exprs[target].kind {
            match self.derivatives.get(&named).copied() {
                Some(derivative) => {
                    self.doc.exprs[copy].kind = ExprKind::Procedure(derivative);
                }
                None => {
                    let expr = &self.doc.exprs[target];
                    let message = format!(
                        "a procedure pointer begins with `{}`, which has no derivative",
                        self.doc.name(named)
                    );
                    let spot = self.doc.spot(expr.place);
                    self.problems.push(
                        Diagnostic::error(Code::POINTER_WITHOUT_DERIVATIVE, spot, message)
                            .with_help("associate the pointer in the code that is differentiated"),
                    );
                }
            }
        }
        Some(Init::Target(copy))
    }

    fn declare_beside(&mut self, scope: ScopeId, primal: SymbolId, companion: SymbolId) {
        if self.is_module(scope) {
            self.doc.scopes[scope].items.push(SpecItem::Declare(vec![companion]));
            return;
        }
        for item in &mut self.doc.scopes[scope].items {
            if let SpecItem::Declare(symbols) = item
                && let Some(at) = symbols.iter().position(|&symbol| symbol == primal)
            {
                symbols.insert(at + 1, companion);
                return;
            }
        }
    }

    /// The dummy arguments of the derivatives of a class, as far as one of its procedures is known.
    pub(super) fn slots_of_class(&self, symbol: SymbolId) -> Option<Vec<Slot>> {
        let known = self.plan.classes.members(self.doc, symbol);
        let proc = *known.first()?;
        let data = &self.doc.procs[proc];
        let mut slots = Vec::new();
        for (arg, number) in data.args.iter().zip(1..) {
            slots.push(Slot::Argument(number));
            let Some(dummy) = arg.symbol else { continue };
            if self.plan.variables.contains(&dummy)
                || self.plan.classes.is_differentiable(self.doc, dummy)
            {
                slots.push(Slot::ArgumentDerivative(number));
            }
        }
        if let Some(result) = data.result {
            slots.push(Slot::Result);
            if self.plan.variables.contains(&result) {
                slots.push(Slot::ResultDerivative);
            }
        }
        Some(slots)
    }
}

/// Interface bodies that describe dummy procedures, pointers and bindings alone, though they are not
/// ABSTRACT: no source and no call is there of what they name, and nobody passes it.
pub(super) fn templates(doc: &Document) -> HashSet<SymbolId> {
    let is_body = |symbol: &SymbolId| match doc.role(*symbol) {
        Some(Role::Procedure(info)) if info.class == ProcClass::External => {
            info.proc.is_some_and(|proc| doc.procs[proc].body == Body::Interface)
        }
        Some(_) | None => false,
    };
    let mut found: HashSet<SymbolId> = doc
        .symbols
        .keys()
        .filter_map(|symbol| match doc.role(symbol)? {
            Role::Procedure(info) => info.interface,
            Role::Binding { interface, .. } => *interface,
            _ => None,
        })
        .filter(is_body)
        .collect();
    let sources: HashSet<&str> = doc
        .procs
        .values()
        .filter(|data| matches!(data.body, Body::Flow(_)))
        .map(|data| &doc.symbols[data.symbol])
        .filter(|symbol| Some(symbol.scope) == doc.global_scope())
        .map(|symbol| symbol.id.as_str())
        .collect();
    found.retain(|&symbol| !sources.contains(doc.symbols[symbol].id.as_str()));
    for symbol in doc.symbols.keys() {
        if let Some(Role::Generic { specifics, .. }) = doc.role(symbol) {
            specifics.iter().for_each(|specific| {
                found.remove(specific);
            });
        }
    }
    for stmt in doc.stmts.values() {
        if let StmtKind::Call(call) = &stmt.kind {
            found.remove(&call.callee.symbol);
        }
    }
    for expr in doc.exprs.values() {
        match &expr.kind {
            ExprKind::Call(call) => found.remove(&call.callee.symbol),
            ExprKind::Procedure(symbol) => found.remove(symbol),
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => false,
        };
    }
    found
}
