//! Names of derivatives that clash with nothing that can be seen where they are declared.

use std::collections::{HashMap, HashSet};

use xaif_schema::intrinsics;
use xaif_schema::model::{Document, Role, ScopeId, SpecItem, SymbolId};

use booster_build::first_free;

/// The longest name that Fortran allows, less room for a number.
const LONGEST: usize = 63;

/// `name` with `suffix`, in capitals where the name is.
pub(super) fn derived(name: &str, suffix: &str) -> String {
    let lower = name.chars().any(|c| c.is_ascii_lowercase());
    let upper = name.chars().any(|c| c.is_ascii_uppercase());
    let suffix = if upper && !lower { suffix.to_ascii_uppercase() } else { suffix.to_owned() };
    let stem: String = name.chars().take(LONGEST - 4 - suffix.len().min(40)).collect();
    stem + &suffix
}

/// `wish`, or with a number where it is taken.
pub(super) fn fresh(wish: &str, taken: impl Fn(&str) -> bool) -> String {
    first_free(wish, |name| {
        let lower = name.to_ascii_lowercase();
        taken(&lower) || intrinsics::named(&lower).is_some()
    })
}

/// The names that USE statements bring into scopes.
#[derive(Debug, Default)]
pub(super) struct Imported {
    modules: HashMap<ScopeId, HashSet<String>>,
}

impl Imported {
    /// The names that the items of `scope` bring in, renamed ones included, and (what a name is
    /// that is PRIVATE there does not matter) all that the modules have or bring in themselves.
    pub(super) fn names_in(&mut self, doc: &Document, scope: ScopeId) -> HashSet<String> {
        let mut names = HashSet::new();
        for item in &doc.scopes[scope].items {
            let SpecItem::Use(used) = item else { continue };
            names.extend(used.names.iter().map(|name| name.local.to_ascii_lowercase()));
            if !used.only
                && let Some(Role::Module { scope: Some(module) }) = doc.role(used.module)
            {
                names.extend(self.of_module(doc, *module).iter().cloned());
            }
        }
        names
    }

    /// All names of a module and of those that it uses.
    pub(super) fn of_module(&mut self, doc: &Document, module: ScopeId) -> &HashSet<String> {
        if !self.modules.contains_key(&module) {
            // Against modules that use each other, which no compiler takes.
            self.modules.insert(module, HashSet::new());
            let mut names = self.names_in(doc, module);
            names.extend(ids(doc, module));
            self.modules.insert(module, names);
        }
        self.modules.entry(module).or_default()
    }
}

/// The ids of the symbols of a scope.
pub(super) fn ids(doc: &Document, scope: ScopeId) -> impl Iterator<Item = String> + '_ {
    doc.scopes[scope].symbols.iter().map(|&symbol: &SymbolId| doc.symbols[symbol].id.clone())
}
