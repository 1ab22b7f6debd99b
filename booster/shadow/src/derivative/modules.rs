//! The derivative module `m_d` of a module `m`: it uses `m` and what `m` uses, and holds the
//! derivatives of its variables and procedures. What is PRIVATE in `m` cannot be reached from there:
//! constants and procedures are copied, for the rest there is a message.

use std::collections::{BTreeMap, HashSet};

use xaif_schema::model::{
    Body, ExprKind, Nest, Place, ProcClass, Role, Scope, ScopeId, ScopeKind, SpecItem, StmtKind,
    SymbolId, Use, UseName, VertexKind,
};

use super::names;
use super::units::{Maker, ModuleUnit, Outer, Site, declaration, symbol};
use booster_build::{Copied, Copier, copy_item, mentions};

impl Maker<'_> {
    /// Whether a module has variables or procedures with derivatives.
    pub(super) fn needs_module(&self, module: ScopeId) -> bool {
        let variables = &self.doc.scopes[module].symbols;
        variables.iter().any(|&symbol| {
            let called = match self.doc.role(symbol) {
                Some(Role::Procedure(info)) => match info.class {
                    ProcClass::Abstract | ProcClass::Pointer => true,
                    ProcClass::External => {
                        self.templates.contains(&symbol) || self.describes(symbol).is_some()
                    }
                    ProcClass::Dummy
                    | ProcClass::Module
                    | ProcClass::Internal
                    | ProcClass::Intrinsic
                    | ProcClass::Entry => false,
                },
                Some(_) | None => false,
            };
            called && self.plan.classes.is_differentiable(self.doc, symbol)
                || self.plan.variables.contains(&symbol)
        }) || self.plan.procs.iter().any(|&proc| {
            let parent = self.doc.scopes[self.doc.procs[proc].scope].parent;
            parent.and_then(|p| self.plan.module_of(self.doc, p)) == Some(module)
        })
    }

    /// Makes the scope of the derivative module.
    pub(super) fn new_module(&mut self, module: ScopeId) {
        let ScopeKind::Module(original) = self.doc.scopes[module].kind else { return };
        let wish = names::derived(self.doc.name(original), &self.naming.procedure);
        let name = self.global_name(&wish, self.global);
        let place = self.place_of(original);
        let role = Role::Module { scope: None };
        let new_symbol = self.doc.add_symbol(symbol(self.global, declaration(name, role, place)));
        let scope = Scope::new(Some(self.global), ScopeKind::Module(new_symbol), place);
        let scope = self.doc.scopes.push(scope);
        if let Some(decl) = self.doc.symbols[new_symbol].decl.as_deref_mut() {
            decl.role = Role::Module { scope: Some(scope) };
        }
        let mut taken = self.taken_globally();
        taken.others.extend(self.imported.of_module(self.doc, module).iter().cloned());
        for inner in self.tree.inside(module) {
            taken.others.extend(names::ids(self.doc, inner));
            taken.others.extend(self.imported.names_in(self.doc, inner));
        }
        let unit = ModuleUnit { scope, copied: Copied::default(), taken };
        self.modules.insert(module, unit);
        self.homes.insert(scope, module);
        let place = self.doc.scopes[module].place;
        let mut items = vec![SpecItem::Use(Use {
            module: original,
            nature: None,
            only: false,
            names: Vec::new(),
            place,
        })];
        for item in self.doc.scopes[module].items.clone() {
            if let SpecItem::Use(_) | SpecItem::ImplicitNone(_) | SpecItem::Implicit(_) = item {
                let mut item = item;
                copy_item(self.doc, &mut item, &Copier::new());
                items.push(item);
            }
        }
        self.doc.scopes[scope].items = items;
    }

    /// Declares variables, interfaces and procedure pointers of derivative modules: before any
    /// procedure is made, so that all can name them.
    pub(super) fn module_declarations(&mut self) {
        let modules: Vec<(ScopeId, ScopeId)> =
            self.modules.iter().map(|(&module, unit)| (module, unit.scope)).collect();
        for &(module, new) in &modules {
            self.copy_hidden(module);
            self.module_variables(module, new);
        }
        for interfaces in [true, false] {
            for &(module, new) in &modules {
                let unit = self.modules.get(&module);
                let copied = unit.map(|unit| unit.copied.clone()).unwrap_or_default();
                let outer = self.outer_of(module, module);
                let wanted = |maker: &Self, symbol, _| maker.describes_others(symbol) == interfaces;
                self.companions(module, new, &copied, &outer, wanted);
            }
        }
    }

    /// Fills the derivative module with what `unit` (the module or one of its submodules) has.
    pub(super) fn module(&mut self, unit: ScopeId) {
        let Some(module) = self.plan.module_of(self.doc, unit) else { return };
        let Some(new) = self.modules.get(&module).map(|unit| unit.scope) else { return };
        if unit == module {
            self.settle(unit, new);
        }
        for item in self.doc.scopes[unit].contains.clone() {
            let SpecItem::Unit(inner) = item else { continue };
            let Some(proc) = self.tree.procedure(inner) else { continue };
            let Some(&symbol) = self.derivatives.get(&self.doc.procs[proc].symbol) else {
                continue;
            };
            let copied = self.modules.get(&module).map(|u| u.copied.clone()).unwrap_or_default();
            let site = Site { parent: new, symbol, copied, outer: self.outer_of(module, inner) };
            let scope = self.procedure(proc, site);
            self.doc.scopes[new].contains.push(SpecItem::Unit(scope));
        }
    }

    /// The names that a procedure in the derivative module of `module` sees.
    pub(super) fn outer_of(&mut self, module: ScopeId, inner: ScopeId) -> Outer {
        let mut outer = self.taken_globally();
        outer.others.extend(self.imported.of_module(self.doc, module).iter().cloned());
        for scope in self.tree.inside(inner) {
            outer.others.extend(self.imported.names_in(self.doc, scope));
        }
        outer
    }

    fn module_variables(&mut self, module: ScopeId, new: ScopeId) {
        let copied = self.modules.get(&module).map(|u| u.copied.clone()).unwrap_or_default();
        let mut declared = Vec::new();
        for variable in self.doc.scopes[module].symbols.clone() {
            let hidden = self.plan.is_hidden(self.doc, variable);
            if hidden || !self.plan.variables.contains(&variable) {
                continue;
            }
            let wish = names::derived(self.doc.name(variable), &self.naming.variable);
            let name = self.global_name(&wish, new);
            declared.extend(self.variable(variable, new, name, &copied, false));
        }
        if !declared.is_empty() {
            self.doc.scopes[new].items.push(SpecItem::Declare(declared));
        }
        self.shared_storage(module, new, &copied);
    }

    /// Gives each new unit the USE statements for the derivatives that live in other modules.
    pub(super) fn use_modules(&mut self) {
        let tree = self.doc.nest();
        let made: HashSet<ScopeId> = self.modules.values().map(|unit| unit.scope).collect();
        for unit in self.units.clone() {
            let mut needed: BTreeMap<ScopeId, Vec<SymbolId>> = BTreeMap::new();
            let mut seen = HashSet::new();
            let named = mentions(self.doc, &tree, unit, |_| false);
            let named = named.into_iter().map(|mention| mention.symbol);
            let named: Vec<SymbolId> = named.chain(self.bound_callees(&tree, unit)).collect();
            for symbol in named {
                let found = [Some(symbol), self.out.variable(symbol), self.out.callee(symbol)];
                for derivative in found.into_iter().flatten() {
                    let home = self.doc.symbols[derivative].scope;
                    if home != unit && made.contains(&home) && seen.insert(derivative) {
                        needed.entry(home).or_default().push(derivative);
                    }
                }
            }
            if needed.is_empty() {
                continue;
            }
            let mut taken = HashSet::new();
            for scope in tree.inside(unit) {
                taken.extend(names::ids(self.doc, scope));
                taken.extend(self.imported.names_in(self.doc, scope));
            }
            let uses: Vec<SpecItem> = needed
                .into_iter()
                .filter_map(|(module, symbols)| self.use_of(module, &symbols, &mut taken))
                .collect();
            let at = self.doc.scopes[unit].behind_uses();
            self.doc.scopes[unit].items.splice(at..at, uses);
        }
    }

    /// The bindings that calls mean; by name a call may have a generic one.
    fn bound_callees(&self, tree: &Nest, unit: ScopeId) -> Vec<SymbolId> {
        let procs = tree.inside(unit).into_iter().filter_map(|scope| tree.procedure(scope));
        let mut found = Vec::new();
        for proc in procs {
            let Body::Flow(cfg) = &self.doc.procs[proc].body else { continue };
            let blocks = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
                VertexKind::BasicBlock { stmts, .. } => Some(stmts),
                _ => None,
            });
            for &stmt in blocks.flatten() {
                let callee = match &self.doc.stmts[stmt].kind {
                    StmtKind::Call(call) => Some(&call.callee),
                    StmtKind::Assign { defined: Some(callee), .. } => Some(callee.as_ref()),
                    StmtKind::Assign { rhs, defined: None, .. } => {
                        match &self.doc.exprs[*rhs].kind {
                            ExprKind::Call(call) => Some(&call.callee),
                            ExprKind::Constant(_)
                            | ExprKind::Ref(_)
                            | ExprKind::Intrinsic { .. }
                            | ExprKind::Boolean { .. }
                            | ExprKind::ArrayConstructor { .. }
                            | ExprKind::ImpliedDo(_)
                            | ExprKind::Procedure(_)
                            | ExprKind::StructureConstructor { .. }
                            | ExprKind::Opaque(_) => None,
                        }
                    }
                    StmtKind::PointerAssign { .. }
                    | StmtKind::InlinableCall(_)
                    | StmtKind::Propagate(_)
                    | StmtKind::Where(_)
                    | StmtKind::Forall(_)
                    | StmtKind::Allocate(_)
                    | StmtKind::Release(_)
                    | StmtKind::OpenScope(_)
                    | StmtKind::CloseScope(_)
                    | StmtKind::Marker(_)
                    | StmtKind::Comment(_) => None,
                };
                found.extend(callee.filter(|callee| callee.object.is_some()).map(|c| c.symbol));
            }
        }
        found
    }

    /// `use m_d, only: xd, f_d`
    fn use_of(
        &self,
        module: ScopeId,
        symbols: &[SymbolId],
        taken: &mut HashSet<String>,
    ) -> Option<SpecItem> {
        let ScopeKind::Module(name) = self.doc.scopes[module].kind else { return None };
        let mut names = Vec::new();
        for &symbol in symbols {
            let remote = self.doc.name(symbol).to_owned();
            let local = names::fresh(&remote, |name| taken.contains(name));
            taken.insert(local.to_ascii_lowercase());
            names.push(UseName { local, remote, symbol: Some(symbol) });
        }
        let place: Place = self.doc.scopes[module].place;
        Some(SpecItem::Use(Use { module: name, nature: None, only: true, names, place }))
    }
}
