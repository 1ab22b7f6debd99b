//! One derivative procedure: a copy of the original with the declarations of a derivative.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Body, ProcClass, ProcId, ProcKind, ProcSort, ProcedureInfo, Role, ScopeId, ScopeKind,
    SpecItem, SymbolId, VertexKind,
};

use super::names;
use super::types::Types;
use super::units::{Maker, Outer, Site, declaration, symbol};
use booster_build::{Copied, copy_scope, mentions};

impl Maker<'_> {
    /// Makes the derivative procedure of `proc` and of its internal procedures. Returns its scope,
    /// which the caller lists.
    pub(super) fn procedure(&mut self, proc: ProcId, site: Site) -> ScopeId {
        let Site { parent, symbol, mut copied, outer } = site;
        let root = self.doc.procs[proc].scope;
        let itself = self.itself(proc, &mut copied);
        self.one_result(proc, &mut copied);
        let adopted = self.adopt_interface(proc, &mut copied);
        let scope = copy_scope(self.doc, &self.tree, root, parent, &mut copied);
        self.local_types(root);
        if let Some(itself) = itself {
            self.doc.symbols[itself].scope = scope;
            let data = &mut self.doc.scopes[scope];
            data.symbols.push(itself);
            data.items.push(SpecItem::Declare(vec![itself]));
        }
        self.settle_interface(proc, scope, &adopted, &copied);
        for inner in self.tree.inside(root) {
            let pair =
                self.tree.procedure(inner).and_then(|old| Some((old, copied.procs.get(&old)?)));
            if let Some((old, &new)) = pair {
                self.copies.entry(old).or_default().push(new);
            }
        }
        let Some(&new) = copied.procs.get(&proc) else { return scope };
        self.name_procedure(new, symbol);
        let own = self.own_scopes(root);
        let arms = self.arm_scopes(proc);
        if let Some(interface) = self.interface_scope(proc) {
            self.declare(interface, scope, &copied, &outer);
        }
        // What ASSOCIATE names within an arm may be what the arm narrows.
        let (within, before): (Vec<ScopeId>, Vec<ScopeId>) =
            own.iter().copied().filter(|old| !arms.contains(old)).partition(|&old| {
                let parent = |&scope: &ScopeId| self.doc.scopes[scope].parent;
                self.doc.scopes[old].kind == ScopeKind::Associate
                    && std::iter::successors(Some(old), parent).any(|s| arms.contains(&s))
            });
        for old in before {
            self.declare(old, copied.copier.scope(old), &copied, &outer);
        }
        for &old in &own {
            self.companions(old, copied.copier.scope(old), &copied, &outer, |_, _, _| true);
        }
        for &old in &own {
            let new = copied.copier.scope(old);
            self.shared_storage(old, new, &copied);
            self.leave_common(new);
            self.local_callees(new);
        }
        self.signature(proc, new, &copied);
        self.arms(new, (&own, within), &copied, &outer);
        let new_scopes: Vec<ScopeId> = own.iter().map(|&old| copied.copier.scope(old)).collect();
        if matches!(self.doc.procs[new].body, Body::Flow(_)) {
            self.note_zeroed(new, &new_scopes);
            self.internals(root, scope, &copied, &outer);
            self.out.procedures.push((proc, new));
        }
        scope
    }

    /// A type that a procedure declares is another type in its copy.
    fn local_types(&mut self, root: ScopeId) {
        let is_type = |scope| matches!(self.doc.scopes[scope].kind, ScopeKind::DerivedType(_));
        if self.tree.inside(root).into_iter().any(is_type) {
            self.plan.types = Types::new(self.doc);
            self.out.types = self.plan.types.clone();
        }
    }

    /// The results of the entries of a function are one variable in the language, as far as their
    /// types agree; as dummy arguments they must be.
    fn one_result(&mut self, proc: ProcId, copied: &mut Copied) {
        let data = &self.doc.procs[proc];
        let (Body::Flow(cfg), Some(result)) = (&data.body, data.result) else { return };
        let shape = |symbol: SymbolId| {
            let symbol = &self.doc.symbols[symbol];
            (symbol.decl.as_ref().map(|decl| decl.spec.base()), symbol.rank, symbol.bounds.clone())
        };
        let entries = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(entry)) => Some((entry.result?, vertex.place)),
            _ => None,
        });
        for (other, place) in entries.filter(|&(other, _)| other != result) {
            if shape(other) == shape(result) {
                copied.merged.insert(other, result);
                continue;
            }
            let message = format!(
                "`{}` and `{}` are entries of one function with results of different types",
                self.doc.name(data.symbol),
                self.doc.name(other)
            );
            self.problems.push(
                Diagnostic::error(Code::RESULTS_DIFFER, self.doc.spot(place), message)
                    .with_help("make the entry a function of its own"),
            );
        }
    }

    /// Gives a copy its symbol; it is a subroutine from now on.
    fn name_procedure(&mut self, new: ProcId, symbol: SymbolId) {
        let data = &mut self.doc.procs[new];
        data.symbol = symbol;
        data.kind = ProcKind::Subroutine;
        let scope = data.scope;
        self.doc.scopes[scope].kind = ScopeKind::Procedure(symbol);
        if let Some(Role::Procedure(info)) =
            self.doc.symbols[symbol].decl.as_deref_mut().map(|decl| &mut decl.role)
        {
            info.proc = Some(new);
        }
    }

    /// The scopes of a procedure that are neither internal procedures, interface bodies nor types;
    /// outer ones first.
    fn own_scopes(&self, root: ScopeId) -> Vec<ScopeId> {
        let mut left_out = HashSet::new();
        let mut own = Vec::new();
        for scope in self.tree.inside(root) {
            let data = &self.doc.scopes[scope];
            let foreign = match data.kind {
                ScopeKind::Procedure(_)
                | ScopeKind::DerivedType(_)
                | ScopeKind::StatementFunction(_) => scope != root,
                _ => false,
            };
            if foreign || data.parent.is_some_and(|parent| left_out.contains(&parent)) {
                left_out.insert(scope);
            } else {
                own.push(scope);
            }
        }
        own
    }

    /// An external function that calls itself has no declaration of its own name for that; its
    /// derivative procedure, where it is another's name, needs one.
    fn itself(&mut self, proc: ProcId, copied: &mut Copied) -> Option<SymbolId> {
        let data = &self.doc.procs[proc];
        let (name, scope) = (data.symbol, data.scope);
        let result = data.result.filter(|_| data.kind == ProcKind::Function)?;
        if self.doc.scopes[scope].parent != Some(self.global) {
            return None;
        }
        let found = mentions(self.doc, &self.tree, scope, |_| false);
        found.iter().find(|mention| mention.symbol == name)?;
        let spec = self.doc.symbols[result].decl.as_deref()?.spec.clone();
        let info = ProcedureInfo {
            sort: ProcSort::Function,
            class: ProcClass::External,
            proc: Some(proc),
            interface: None,
            pass: None,
        };
        let old = self.doc.symbols[name].decl.as_deref()?;
        let mut decl = declaration(old.name.clone(), Role::Procedure(info), old.place);
        decl.attrs.insert(Attr::External);
        decl.spec = spec;
        booster_build::copy_decl(self.doc, &mut decl, copied);
        let local = self.doc.symbols.push(symbol(scope, decl));
        copied.copier.symbols.insert(name, local);
        Some(local)
    }

    /// Derivative procedures of what a scope calls by a name of its own (`real, external :: f`).
    fn local_callees(&mut self, new: ScopeId) {
        for symbol in self.doc.scopes[new].symbols.clone() {
            let Some(Role::Procedure(info)) = self.doc.role(symbol) else { continue };
            if let (ProcClass::External, Some(proc)) = (info.class, info.proc)
                && let Some(derivative) = self.derivative_named(proc, symbol)
            {
                self.out.callees.insert(symbol, derivative);
            }
        }
    }

    /// The derivative of the procedure or of the entry of it that `local` names.
    fn derivative_named(&self, proc: ProcId, local: SymbolId) -> Option<SymbolId> {
        let id = &self.doc.symbols[local].id;
        let own = self.doc.procs.get(proc)?.symbol;
        let entries = self.entries(proc);
        let named = entries.into_iter().find(|&entry| self.doc.symbols[entry].id == *id);
        self.derivatives.get(&named.unwrap_or(own)).copied()
    }

    /// The derivatives of the internal procedures of `root`, each behind its plain copy.
    fn internals(&mut self, root: ScopeId, new: ScopeId, copied: &Copied, outer: &Outer) {
        let mut placed: HashMap<ScopeId, ScopeId> = HashMap::new();
        let mut planned = Vec::new();
        for item in self.doc.scopes[root].contains.clone() {
            let SpecItem::Unit(inner) = item else { continue };
            let Some(proc) = self.tree.procedure(inner) else { continue };
            if self.plan.procs.contains(&proc) {
                let original = self.doc.procs[proc].symbol;
                let symbol = self.internal_symbol(original, root, new, outer);
                self.out.callees.insert(copied.copier.symbol(original), symbol);
                planned.push((inner, proc, symbol));
            }
        }
        for (inner, proc, symbol) in planned {
            let site = Site { parent: new, symbol, copied: copied.clone(), outer: outer.clone() };
            let scope = self.procedure(proc, site);
            placed.insert(copied.copier.scope(inner), scope);
        }
        let items = std::mem::take(&mut self.doc.scopes[new].contains);
        let contains = items.into_iter().flat_map(|item| {
            let derivative = match item {
                SpecItem::Unit(scope) => placed.get(&scope).map(|&scope| SpecItem::Unit(scope)),
                _ => None,
            };
            std::iter::once(item).chain(derivative)
        });
        self.doc.scopes[new].contains = contains.collect();
    }

    fn internal_symbol(
        &mut self,
        original: SymbolId,
        root: ScopeId,
        new: ScopeId,
        outer: &Outer,
    ) -> SymbolId {
        let mut taken: HashSet<String> = names::ids(self.doc, new).collect();
        for scope in self.tree.inside(root) {
            taken.extend(names::ids(self.doc, scope));
        }
        let wish = names::derived(self.doc.name(original), &self.naming.procedure);
        let name = names::fresh(&wish, |name| taken.contains(name) || outer.contains(name));
        self.procedure_symbol(original, new, name)
    }
}
