//! What is PRIVATE in a module, and so out of reach of its derivative module.
//!
//! Constants, procedures, interface bodies and generic names are copied into the derivative
//! module as far as the derivative procedures name them. Variables cannot be copied (there would be
//! two of them), and neither can types: for these, and where a PROTECTED variable is written, there
//! is a message.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Body, Init, InterfaceItem, ProcClass, ProcId, ProcKind, Role, ScopeId, ScopeKind,
    SpecItem, Symbol, SymbolId,
};

use super::units::Maker;
use crate::open::is_hidden_part;
use booster_build::{
    Copied, Mention, copy_decl, copy_item, copy_scope, integer, mentions, mentions_of_declaration,
};

/// What is copied into a derivative module.
#[derive(Debug, Default)]
struct Needed {
    constants: Vec<SymbolId>,
    procedures: Vec<(SymbolId, ProcId)>,
    /// Generic names and abstract interfaces.
    interfaces: Vec<SymbolId>,
    /// Separate procedures of submodules, and their names in the module.
    separate: Vec<(SymbolId, SymbolId)>,
}

impl Maker<'_> {
    /// Copies what the derivative procedures of `module` need and cannot reach.
    pub(super) fn copy_hidden(&mut self, module: ScopeId) {
        let needed = self.needed(module);
        let Some(new) = self.modules.get(&module).map(|unit| unit.scope) else { return };
        let mut copied = Copied::default();
        copied.copier.symbols.extend(needed.separate.iter().copied());
        let procedures = needed.procedures.iter().map(|&(symbol, _)| symbol);
        let all: Vec<SymbolId> = needed
            .constants
            .iter()
            .copied()
            .chain(procedures)
            .chain(needed.interfaces.iter().copied())
            .collect();
        for &symbol in &all {
            let copy = Symbol { scope: new, ..self.doc.symbols[symbol].clone() };
            let copy = self.doc.add_symbol(copy);
            copied.copier.symbols.insert(symbol, copy);
            self.out.hidden.insert(copy);
            if let Some(&derivative) = self.derivatives.get(&symbol) {
                self.out.callees.insert(copy, derivative);
            }
        }
        let mut items = self.copy_interfaces(&needed, new, &mut copied);
        for &(_, proc) in &needed.procedures {
            self.copy_plainly(proc, new, &mut copied);
        }
        for &symbol in &all {
            self.copy_declaration(copied.copier.symbol(symbol), &copied);
        }
        let constants = needed.constants.iter().map(|&symbol| copied.copier.symbol(symbol));
        let constants: Vec<SymbolId> = constants.collect();
        if !constants.is_empty() {
            items.insert(0, SpecItem::Declare(constants));
        }
        self.doc.scopes[new].items.extend(items);
        if let Some(unit) = self.modules.get_mut(&module) {
            unit.copied = copied;
        }
    }

    fn copy_declaration(&mut self, symbol: SymbolId, copied: &Copied) {
        let Some(mut decl) = self.doc.symbols[symbol].decl.take() else { return };
        copy_decl(self.doc, &mut decl, copied);
        decl.attrs.retain(|attr| {
            !matches!(attr, Attr::Private | Attr::Public | Attr::Enumerator | Attr::Module)
        });
        if let (Role::Constant, None, Some(value)) = (&decl.role, decl.init, decl.value) {
            decl.init = Some(Init::Value(integer(self.doc, value, decl.place)));
        }
        self.doc.symbols[symbol].decl = Some(decl);
    }

    fn copy_plainly(&mut self, proc: ProcId, new: ScopeId, copied: &mut Copied) {
        let root = self.doc.procs[proc].scope;
        let scope = copy_scope(self.doc, &self.tree, root, new, copied);
        for inner in self.tree.inside(root) {
            let old = self.tree.procedure(inner);
            if let Some((old, &new)) = old.and_then(|old| Some((old, copied.procs.get(&old)?))) {
                self.copies.entry(old).or_default().push(new);
            }
        }
        self.doc.scopes[new].contains.push(SpecItem::Unit(scope));
    }

    /// The interface blocks of generic names and abstract interfaces.
    fn copy_interfaces(
        &mut self,
        needed: &Needed,
        new: ScopeId,
        copied: &mut Copied,
    ) -> Vec<SpecItem> {
        let mut items = Vec::new();
        let scopes: HashSet<ScopeId> =
            needed.interfaces.iter().map(|&symbol| self.doc.symbols[symbol].scope).collect();
        let mut scopes: Vec<ScopeId> = scopes.into_iter().collect();
        scopes.sort_unstable();
        for scope in scopes {
            for mut item in self.doc.scopes[scope].items.clone() {
                let SpecItem::Interface { generic, items: bodies, .. } = &mut item else {
                    continue;
                };
                if !generic.is_some_and(|generic| needed.interfaces.contains(&generic)) {
                    // Bodies that are named by themselves.
                    *generic = None;
                    bodies.retain(|body| match body {
                        InterfaceItem::Body(scope) => match self.doc.scopes[*scope].kind {
                            ScopeKind::Procedure(symbol) => needed.interfaces.contains(&symbol),
                            _ => false,
                        },
                        InterfaceItem::Procedures { .. } | InterfaceItem::Comment(_) => false,
                    });
                    if bodies.is_empty() {
                        continue;
                    }
                }
                for body in bodies.iter() {
                    if let InterfaceItem::Body(scope) = body {
                        copy_scope(self.doc, &self.tree, *scope, new, copied);
                    }
                }
                copy_item(self.doc, &mut item, &copied.copier);
                items.push(item);
            }
        }
        items
    }

    /// What the derivative procedures of `module` name that their module hides.
    fn needed(&mut self, module: ScopeId) -> Needed {
        let mut work: Vec<Mention> = Vec::new();
        for &proc in &self.plan.procs {
            let scope = self.doc.procs[proc].scope;
            let parent = self.doc.scopes[scope].parent;
            if parent.and_then(|parent| self.plan.module_of(self.doc, parent)) == Some(module) {
                work.extend(mentions(self.doc, &self.tree, scope, |_| false));
            }
        }
        for &variable in &self.doc.scopes[module].symbols {
            if self.plan.variables.contains(&variable) && !self.plan.is_hidden(self.doc, variable) {
                work.extend(mentions_of_declaration(self.doc, variable));
            }
        }
        let mut needed = Needed::default();
        let (mut seen, mut components) = (HashSet::new(), HashSet::new());
        let mut next = 0;
        while let Some(&mention) = work.get(next) {
            next += 1;
            self.check_protected(module, mention);
            // What holds the association of a procedure component has its interface.
            if let Some(Role::Procedure(info)) = self.doc.role(mention.symbol)
                && let Some(symbol) = info.interface
                && components.insert(mention.symbol)
            {
                work.push(Mention { symbol, place: mention.place, written: false, generic: false });
            }
            if !self.is_out_of_reach(module, mention.symbol) || !seen.insert(mention.symbol) {
                continue;
            }
            let symbol = mention.symbol;
            let place = mention.place;
            let public = self.name_in_module(symbol);
            if let Some(name) = public.filter(|&name| !self.plan.is_hidden(self.doc, name)) {
                needed.separate.push((symbol, name));
                continue;
            }
            match self.doc.role(symbol) {
                Some(Role::Constant) => {
                    needed.constants.push(symbol);
                    work.extend(mentions_of_declaration(self.doc, symbol));
                }
                Some(Role::Generic { specifics, .. }) => {
                    needed.interfaces.push(symbol);
                    let named = specifics.iter();
                    work.extend(named.map(|&symbol| Mention {
                        symbol,
                        place,
                        written: false,
                        generic: false,
                    }));
                }
                Some(Role::Procedure(info)) => match (info.class, info.proc) {
                    // A procedure outside of the module may be described in several places.
                    (ProcClass::Abstract | ProcClass::External, Some(proc))
                        if self.doc.procs[proc].body == Body::Interface =>
                    {
                        needed.interfaces.push(symbol);
                        let scope = self.doc.procs[proc].scope;
                        work.extend(mentions(self.doc, &self.tree, scope, |_| false));
                    }
                    (ProcClass::Module, Some(proc)) if self.has_body(proc) => {
                        needed.procedures.push((symbol, proc));
                        let scope = self.doc.procs[proc].scope;
                        work.extend(mentions(self.doc, &self.tree, scope, |_| false));
                    }
                    _ => self.refuse_hidden(module, mention),
                },
                Some(_) | None => self.refuse_hidden(module, mention),
            }
        }
        needed
    }

    /// Whether there is a body that can be copied as it is, with its dummy arguments.
    fn has_body(&self, proc: ProcId) -> bool {
        let data = &self.doc.procs[proc];
        matches!(data.body, Body::Flow(_)) && data.kind != ProcKind::ModuleProcedure
    }

    /// Whether `symbol` belongs to `module` (or a submodule or type of it) and cannot be seen from
    /// outside.
    fn is_out_of_reach(&self, module: ScopeId, symbol: SymbolId) -> bool {
        let home = self.doc.symbols[symbol].scope;
        let data = &self.doc.scopes[home];
        // What comes from elsewhere comes from there for the derivative module, too.
        if matches!(self.doc.role(symbol), Some(Role::Unresolved { .. })) {
            return false;
        }
        match data.kind {
            ScopeKind::Module(_) => home == module && self.plan.is_hidden(self.doc, symbol),
            ScopeKind::Submodule { .. } => self.plan.module_of(self.doc, home) == Some(module),
            ScopeKind::DerivedType(owner) => {
                let above = data.parent == Some(module);
                above && is_hidden_part(self.doc, owner, symbol)
            }
            _ => false,
        }
    }

    fn check_protected(&mut self, module: ScopeId, mention: Mention) {
        let symbol = &self.doc.symbols[mention.symbol];
        let protected = symbol.has(Attr::Protected);
        if mention.written && protected && symbol.scope == module {
            self.refuse(
                module,
                mention,
                "is PROTECTED",
                "drop the attribute PROTECTED there; the driver does so without --closed, and xaif-expose",
            );
        }
    }

    fn refuse_hidden(&mut self, module: ScopeId, mention: Mention) {
        let home = self.doc.symbols[mention.symbol].scope;
        match self.doc.scopes[home].kind {
            ScopeKind::Submodule { .. } => {
                let help = "declare it in the module, where a derivative sees it";
                self.refuse(module, mention, "belongs to a submodule", help);
            }
            _ => {
                let help = "declare it PUBLIC; the driver opens the module without --closed, and xaif-expose";
                self.refuse(module, mention, "is PRIVATE", help);
            }
        }
    }

    fn refuse(&mut self, module: ScopeId, mention: Mention, what: &str, help: &str) {
        let ScopeKind::Module(name) = self.doc.scopes[module].kind else { return };
        let module = self.doc.name(name);
        let message = format!(
            "`{}` {what} {} module `{module}`: the derivative of the module cannot {} it",
            self.doc.name(mention.symbol),
            if what == "belongs to a submodule" { "of" } else { "in" },
            if what == "is PROTECTED" { "write" } else { "see" },
        );
        let declared = self.doc.spot(self.place_of(mention.symbol));
        let spot = self.doc.spot(mention.place);
        self.problems.push(
            Diagnostic::error(Code::HIDDEN_FROM_DERIVATIVE, spot, message)
                .with_note(declared, "it is declared here")
                .with_help(help),
        );
    }
}
