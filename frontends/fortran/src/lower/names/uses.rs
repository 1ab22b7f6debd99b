//! USE, IMPORT and IMPLICIT: what a scope sees of others, and the rules for undeclared names.

use std::collections::HashSet;
use std::rc::Rc;

use xaif_schema::diag::Code;
use xaif_schema::model::{
    ImplicitRule, Place, Role, ScopeId, ScopeKind, SpecItem, SymbolId, Use, UseName,
};
use xaif_schema::tape::MODULE;

use super::intrinsic_modules::intrinsic_module;
use super::tables::{Host, ImplicitRules, UseLink};
use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// A USE statement: the link for look-up, and the item.
    pub(super) fn use_statement(&mut self, scope: ScopeId, used: &ast::Use) -> SpecItem {
        let (module, module_scope) = self.used_module(used);
        let mut link = UseLink {
            module,
            scope: module_scope,
            only: used.only,
            names: Default::default(),
            renamed: HashSet::new(),
        };
        let mut names = Vec::new();
        for item in &used.items {
            let local = generic_key(&item.local);
            let original = item.original.as_ref().map_or_else(|| local.clone(), generic_key);
            if item.original.is_some() {
                link.renamed.insert(original.clone());
            }
            link.names.insert(local.clone(), original.clone());
            let symbol = match module_scope {
                Some(module_scope) => self.exported(scope, module_scope, &original, &local, item),
                None => Some(self.unknown_import(scope, module, &local, item)),
            };
            names.push(UseName {
                local: generic_spelling(&item.local),
                remote: generic_spelling(item.original.as_ref().unwrap_or(&item.local)),
                symbol,
            });
        }
        self.names[scope].uses.push(link);
        self.note_missing(scope, used.only, module, module_scope);
        let nature = used.intrinsic.map(|intrinsic| {
            if intrinsic { "intrinsic".to_owned() } else { "non_intrinsic".to_owned() }
        });
        let place = self.place(used.module.place);
        SpecItem::Use(Use { module, nature, only: used.only, names, place })
    }

    /// What the name `original` of a module means; an error where it has no such name.
    fn exported(
        &mut self,
        scope: ScopeId,
        module: ScopeId,
        original: &str,
        local: &str,
        item: &ast::UseItem,
    ) -> Option<SymbolId> {
        if let Some(symbol) = self.exported_name(module, original) {
            return Some(symbol);
        }
        if let Some(missing) = self.names[module].missing_behind {
            return Some(self.unknown_import(scope, missing, local, item));
        }
        if is_everywhere(original) {
            // The types of the module may bind it; nothing else is lost.
            return None;
        }
        let place = generic_place(&item.local);
        let name = match self.doc.scopes[module].kind {
            ScopeKind::Module(symbol) => self.doc.name(symbol).to_owned(),
            _ => String::new(),
        };
        self.error(
            Code::NOT_IN_MODULE,
            place,
            format!("module `{name}` has no public name `{original}`"),
            "check the spelling and the PUBLIC and PRIVATE statements of the module",
        );
        Some(self.unknown_import(scope, self.global_module(module), local, item))
    }

    fn global_module(&self, module: ScopeId) -> SymbolId {
        match self.doc.scopes[module].kind {
            ScopeKind::Module(symbol) => symbol,
            _ => self.doc.scopes[self.global].symbols[0],
        }
    }

    /// A name of a module of which nothing is known.
    fn unknown_import(
        &mut self,
        scope: ScopeId,
        module: SymbolId,
        local: &str,
        item: &ast::UseItem,
    ) -> SymbolId {
        if let Some(&symbol) = self.names[scope].own.get(local) {
            return symbol;
        }
        let spelling = generic_spelling(&item.local);
        let place = self.place(generic_place(&item.local));
        let role = Role::Unresolved { module: Some(module) };
        self.declare_key(scope, local, &spelling, role, place)
    }

    /// A module that re-exports a missing one may have any name.
    fn note_missing(
        &mut self,
        scope: ScopeId,
        only: bool,
        module: SymbolId,
        module_scope: Option<ScopeId>,
    ) {
        let is_module = matches!(self.doc.scopes[scope].kind, ScopeKind::Module(_));
        let missing = match module_scope {
            None => Some(module),
            Some(module_scope) => self.names[module_scope].missing_behind,
        };
        if is_module && !only && missing.is_some() {
            self.names[scope].missing_behind = missing;
        }
    }

    /// The symbol and (where it is given or intrinsic) the scope of a used module.
    fn used_module(&mut self, used: &ast::Use) -> (SymbolId, Option<ScopeId>) {
        let key = used.module.key();
        let given = self.names[self.global].own.get(key).copied();
        let is_given = given.is_some_and(|symbol| {
            matches!(self.doc.role(symbol), Some(Role::Module { scope: Some(_) }))
        });
        if ((!is_given && used.intrinsic != Some(false)) || used.intrinsic == Some(true))
            && let Some(name) = intrinsic_module(key)
        {
            return self.intrinsic_module_symbol(name);
        }
        match given.map(|symbol| (symbol, self.doc.role(symbol))) {
            Some((symbol, Some(Role::Module { scope }))) => (symbol, *scope),
            _ => (self.missing_module_symbol(&used.module), None),
        }
    }

    fn intrinsic_module_symbol(&mut self, name: &'static str) -> (SymbolId, Option<ScopeId>) {
        if let Some(&known) = self.intrinsic_modules.get(name) {
            return known;
        }
        let scope = self.doc.add_scope(self.global, ScopeKind::Plain, Place::default());
        let role = Role::Module { scope: Some(scope) };
        let id = if self.names[self.global].own.contains_key(name) {
            format!("intrinsic {name}")
        } else {
            name.to_owned()
        };
        let symbol = self.add(self.global, &id, name, role, Place::default());
        self.doc.scopes[scope].kind = ScopeKind::Module(symbol);
        self.names[scope].intrinsic = Some(name);
        self.intrinsic_modules.insert(name, (symbol, Some(scope)));
        (symbol, Some(scope))
    }

    /// The symbol of a module that was not given; said once.
    fn missing_module_symbol(&mut self, name: &ast::Name) -> SymbolId {
        let key: Box<str> = format!("module {}", name.key()).into();
        if let Some(&known) = self.names[self.global].hidden.get(&key) {
            return known;
        }
        // The runtime is known.
        if name.key() != MODULE {
            self.warn(
                Code::MISSING_MODULE,
                name.place,
                format!("the source of module `{name}` was not given"),
                "add the file that defines it to the command line",
            );
        }
        let id =
            if self.names[self.global].own.contains_key(name.key()) { &*key } else { name.key() };
        let place = self.place(name.place);
        let role = Role::Module { scope: None };
        let symbol = self.add(self.global, id, name.spelling(), role, place);
        self.names[self.global].hidden.insert(key, symbol);
        symbol
    }

    /// An IMPORT statement.
    pub(super) fn import_statement(&mut self, scope: ScopeId, import: &ast::Import) -> SpecItem {
        let host = &mut self.names[scope].host;
        let (names, mode) = match import {
            ast::Import::All => {
                *host = Host::All;
                (Vec::new(), None)
            }
            ast::Import::None => {
                *host = Host::None;
                (Vec::new(), Some("none".to_owned()))
            }
            ast::Import::Names(names) => {
                let keys = names.iter().map(|name| Box::<str>::from(name.key()));
                match host {
                    Host::Names(known) => known.extend(keys),
                    Host::None => *host = Host::Names(keys.collect()),
                    Host::All => {}
                }
                (names.iter().map(|name| name.spelling().to_owned()).collect(), None)
            }
        };
        SpecItem::Import { names, mode }
    }

    /// An IMPLICIT statement: the rules for look-up.
    pub(super) fn implicit_statement(&mut self, scope: ScopeId, implicit: &'a ast::Implicit) {
        let is_first = self.names[scope].implicit.is_none();
        let inherited = self.implicit_rules(scope).map(|(rules, _)| rules);
        let mut rules = inherited.map_or_else(ImplicitRules::default, |rules| (*rules).clone());
        match implicit {
            ast::Implicit::None { types, external } => {
                if *types || !external {
                    rules = ImplicitRules { none: true, letters: [None; 26] };
                }
            }
            ast::Implicit::Rules(written) => {
                if is_first {
                    rules.none = false;
                }
                for (spec, ranges) in written {
                    for letter in ranges.iter().flat_map(|&(first, last)| first..=last) {
                        let index = (letter as usize).wrapping_sub('a' as usize);
                        if let Some(rule) = rules.letters.get_mut(index) {
                            *rule = Some(spec);
                        }
                    }
                }
            }
        }
        self.names[scope].implicit = Some(Rc::new(rules));
    }

    /// An IMPLICIT statement as an item.
    pub(super) fn implicit_item(&mut self, scope: ScopeId, implicit: &ast::Implicit) -> SpecItem {
        match implicit {
            ast::Implicit::None { types, external } => {
                SpecItem::ImplicitNone(match (types, external) {
                    (true, true) => Some("type, external".to_owned()),
                    (false, true) => Some("external".to_owned()),
                    (_, false) => None,
                })
            }
            ast::Implicit::Rules(written) => SpecItem::Implicit(
                written
                    .iter()
                    .map(|(spec, letters)| ImplicitRule {
                        spec: self.type_spec(scope, spec),
                        letters: letters.clone(),
                    })
                    .collect(),
            ),
        }
    }
}

/// The key under which a generic name, operator or assignment stands in a scope.
pub(super) fn generic_key(name: &ast::GenericName) -> Box<str> {
    match name {
        ast::GenericName::Name(name) => name.key().into(),
        ast::GenericName::Operator(_, operator) => {
            format!("operator({})", modern_operator(operator)).into()
        }
        ast::GenericName::Assignment(_) => "assignment(=)".into(),
        ast::GenericName::Io(_, words) => words.clone(),
    }
}

/// Whether `key` is an intrinsic operator or assignment, which every module offers.
fn is_everywhere(key: &str) -> bool {
    match key.strip_prefix("operator(") {
        Some(operator) => {
            !operator.starts_with('.')
                || matches!(operator, ".and.)" | ".or.)" | ".not.)" | ".eqv.)" | ".neqv.)")
        }
        None => key == "assignment(=)",
    }
}

/// `==` for `.eq.` and so on: both spellings name one operator.
fn modern_operator(operator: &str) -> &str {
    match operator {
        ".eq." => "==",
        ".ne." => "/=",
        ".lt." => "<",
        ".le." => "<=",
        ".gt." => ">",
        ".ge." => ">=",
        other => other,
    }
}

/// A generic name, operator or assignment as it is written.
pub(super) fn generic_spelling(name: &ast::GenericName) -> String {
    match name {
        ast::GenericName::Name(name) => name.spelling().to_owned(),
        ast::GenericName::Operator(_, operator) => format!("operator({operator})"),
        ast::GenericName::Assignment(_) | ast::GenericName::Io(..) => generic_key(name).into(),
    }
}

/// Where a generic name stands.
pub(super) fn generic_place(name: &ast::GenericName) -> ast::Place {
    match name {
        ast::GenericName::Name(name) => name.place,
        ast::GenericName::Operator(place, _)
        | ast::GenericName::Assignment(place)
        | ast::GenericName::Io(place, _) => *place,
    }
}
