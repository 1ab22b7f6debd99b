//! The new program units: `p_d` beside an external procedure `p`, `m_d` beside a module `m`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Attr, Body, Decl, Document, FileId, Language, Nest, Place, ProcClass, ProcId, ProcSort,
    ProcedureInfo, Role, ScopeId, ScopeKind, SourceFile, SpecItem, Symbol, SymbolId, SymbolKind,
    TypeClass, TypeSpec, VertexKind,
};

use super::callables;
use super::heading::{Effects, effects};
use super::names::{self, Imported};
use super::plan::Plan;
use super::{Counterparts, Naming};
use booster_build::Copied;

/// A document on its way to having derivative units.
pub(super) struct Maker<'a> {
    pub(super) doc: &'a mut Document,
    /// The scopes as they were.
    pub(super) tree: Arc<Nest>,
    pub(super) naming: &'a Naming,
    pub(super) plan: Plan,
    pub(super) out: Counterparts,
    pub(super) problems: Diagnostics,
    /// The originals of derivative variables (as the new units name them).
    pub(super) primals: HashMap<SymbolId, SymbolId>,
    /// Derivatives of COMMON blocks.
    pub(super) blocks: HashMap<SymbolId, SymbolId>,
    /// The derivative procedure of a procedure or entry of the user, except internal ones.
    pub(super) derivatives: HashMap<SymbolId, SymbolId>,
    pub(super) global: ScopeId,
    /// Dummy arguments of a dispatch procedure that wait for their derivatives.
    pub(super) dispatched: Vec<SymbolId>,
    /// The new program units.
    pub(super) units: Vec<ScopeId>,
    /// All names of the user's document, and those of new units.
    taken: HashSet<String>,
    pub(super) imported: Imported,
    /// The derivative modules of modules.
    pub(super) modules: BTreeMap<ScopeId, ModuleUnit>,
    /// The modules by the scopes of their derivative modules.
    pub(super) homes: HashMap<ScopeId, ScopeId>,
    /// The copies of each procedure of the user.
    pub(super) copies: HashMap<ProcId, Vec<ProcId>>,
    /// Interface bodies that describe others alone.
    pub(super) templates: HashSet<SymbolId>,
    /// What procedures do to variables that have derivatives.
    pub(super) effects: Effects,
    files: HashMap<Option<FileId>, FileId>,
    /// The names of program units and COMMON blocks, as many symbols as have been listed.
    global_names: GlobalNames,
    listed: usize,
}

/// The derivative module of a module.
pub(super) struct ModuleUnit {
    /// Its scope.
    pub(super) scope: ScopeId,
    /// What of the module is copied because it cannot be reached.
    pub(super) copied: Copied,
    /// Names that cannot be given to what is declared in the module.
    pub(super) taken: Outer,
}

/// Names that are seen from outside of a procedure. Those of all units are made once.
#[derive(Clone, Debug, Default)]
pub(super) struct Outer {
    global: GlobalNames,
    /// How many of the global names were there when it was made.
    known: usize,
    pub(super) others: HashSet<String>,
}

/// The names of all units with their numbers. Names are only added, so all procedures share one table.
type GlobalNames = Rc<RefCell<HashMap<String, usize>>>;

impl Outer {
    pub(super) fn contains(&self, name: &str) -> bool {
        let is_known = |&number: &usize| number < self.known;
        self.global.borrow().get(name).is_some_and(is_known) || self.others.contains(name)
    }
}

/// Where a procedure is put.
pub(super) struct Site {
    /// The scope around it.
    pub(super) parent: ScopeId,
    /// Its symbol.
    pub(super) symbol: SymbolId,
    /// What is mapped from outside.
    pub(super) copied: Copied,
    /// Names that are seen from outside.
    pub(super) outer: Outer,
}

pub(super) fn make(
    doc: &mut Document,
    naming: &Naming,
    directions: Option<u32>,
) -> Result<(Counterparts, Diagnostics), Diagnostics> {
    let Some(global) = doc.global_scope() else {
        return Ok((Counterparts::default(), Diagnostics::new()));
    };
    let tree = doc.nest();
    let plan = Plan::new(doc, directions)?;
    let taken = doc.symbols.values().map(|symbol| symbol.id.trim_matches('/').to_owned()).collect();
    let out = Counterparts { directions, types: plan.types.clone(), ..Counterparts::default() };
    let templates = callables::templates(doc);
    let effects = effects(doc, &plan, directions);
    let mut maker = Maker {
        doc,
        tree,
        naming,
        plan,
        out,
        problems: Diagnostics::new(),
        primals: HashMap::new(),
        blocks: HashMap::new(),
        derivatives: HashMap::new(),
        global,
        dispatched: Vec::new(),
        units: Vec::new(),
        taken,
        imported: Imported::default(),
        modules: BTreeMap::new(),
        homes: HashMap::new(),
        copies: HashMap::new(),
        templates,
        effects,
        files: HashMap::new(),
        global_names: GlobalNames::default(),
        listed: 0,
    };
    maker.run();
    let Maker { mut out, problems, units, .. } = maker;
    out.units = units;
    if problems.has_errors() { Err(problems) } else { Ok((out, problems)) }
}

impl Maker<'_> {
    fn run(&mut self) {
        let units: Vec<ScopeId> = self.doc.scopes[self.global]
            .items
            .iter()
            .filter_map(|item| match item {
                SpecItem::Unit(scope) => Some(*scope),
                _ => None,
            })
            .collect();
        // What a stage before has added is not the user's.
        if !self.doc.scopes.values().any(|scope| scope.provided) {
            units.iter().for_each(|&unit| self.doc.scopes[unit].provided = true);
        }
        self.reserve(&units);
        self.module_declarations();
        for &unit in &units {
            match self.doc.scopes[unit].kind {
                ScopeKind::Module(_) | ScopeKind::Submodule { .. } => self.module(unit),
                _ => {
                    if let Some(proc) = self.tree.procedure(unit) {
                        self.external(unit, proc);
                    }
                }
            }
        }
        self.bindings();
        let new = self.units.iter().map(|&unit| SpecItem::Unit(unit));
        self.doc.scopes[self.global].items.extend(new);
        self.use_modules();
        let copies = std::mem::take(&mut self.copies);
        self.call_graph(&copies);
        self.out.procedures.sort_unstable();
        self.out.zeroed.sort_unstable();
    }

    /// Makes the symbols of derivative procedures that are no internal ones, and the modules that
    /// hold them, so that all that is made later can name them.
    fn reserve(&mut self, units: &[ScopeId]) {
        for &unit in units {
            if matches!(self.doc.scopes[unit].kind, ScopeKind::Module(_)) && self.needs_module(unit)
            {
                self.new_module(unit);
            }
        }
        for proc in self.plan.procs.clone() {
            let scope = self.doc.procs[proc].scope;
            let Some(parent) = self.doc.scopes[scope].parent else { continue };
            let home = if parent == self.global {
                Some(self.global)
            } else {
                let module = self.plan.module_of(self.doc, parent);
                module.and_then(|m| self.modules.get(&m)).map(|unit| unit.scope)
            };
            if let Some(home) = home {
                let entries = self.entries(proc);
                for symbol in std::iter::once(self.doc.procs[proc].symbol).chain(entries) {
                    self.new_procedure_symbol(symbol, home);
                }
            }
        }
    }

    /// The names of the ENTRY statements of a procedure.
    pub(super) fn entries(&self, proc: ProcId) -> Vec<SymbolId> {
        let Body::Flow(cfg) = &self.doc.procs[proc].body else { return Vec::new() };
        let vertices = cfg.vertices.values();
        vertices
            .filter_map(|vertex| match &vertex.kind {
                VertexKind::Entry(Some(entry)) => Some(entry.symbol),
                _ => None,
            })
            .collect()
    }

    fn new_procedure_symbol(&mut self, original: SymbolId, home: ScopeId) {
        let wish = names::derived(self.doc.name(original), &self.naming.procedure);
        let name = self.global_name(&wish, home);
        // The prefixes of a separate procedure stand in its module.
        let in_module = self.name_in_module(original);
        let symbol = self.procedure_symbol(in_module.unwrap_or(original), home, name);
        for name in std::iter::once(original).chain(in_module) {
            self.derivatives.insert(name, symbol);
            self.out.callees.insert(name, symbol);
        }
    }

    /// A name that nobody has; names in a derivative module must clash with nothing in the module.
    pub(super) fn global_name(&mut self, wish: &str, home: ScopeId) -> String {
        let module = self.homes.get(&home).and_then(|module| self.modules.get_mut(module));
        let Some(unit) = module else {
            let name = names::fresh(wish, |name| self.taken.contains(name));
            self.taken.insert(name.to_ascii_lowercase());
            return name;
        };
        let name = names::fresh(wish, |name| unit.taken.contains(name));
        unit.taken.others.insert(name.to_ascii_lowercase());
        name
    }

    /// The symbol of the derivative procedure of `original`: a subroutine with the prefixes that
    /// stay true.
    pub(super) fn procedure_symbol(
        &mut self,
        original: SymbolId,
        home: ScopeId,
        name: String,
    ) -> SymbolId {
        let old = self.doc.symbols[original].decl.as_deref();
        let (mut attrs, place) = old.map(|d| (d.attrs.clone(), d.place)).unwrap_or_default();
        let class = match old.map(|decl| &decl.role) {
            Some(Role::Procedure(info)) => info.class,
            _ => ProcClass::External,
        };
        attrs.retain(|attr| match attr {
            Attr::Pure | Attr::Impure | Attr::Recursive | Attr::NonRecursive => true,
            // With a dimension for the directions, arguments are no scalars.
            Attr::Elemental => self.out.directions.is_none(),
            _ => false,
        });
        let elemental = old.is_some_and(|d| d.has(Attr::Elemental));
        let impure = old.is_some_and(|d| d.has(Attr::Impure));
        if elemental && self.out.directions.is_some() && !impure {
            attrs.insert(Attr::Pure);
        }
        let info = ProcedureInfo {
            sort: ProcSort::Subroutine,
            class,
            proc: None,
            interface: None,
            pass: None,
        };
        let decl = Decl { attrs, ..declaration(name, Role::Procedure(info), place) };
        self.doc.add_symbol(symbol(home, decl))
    }

    /// The file that new units beside those of `file` belong to.
    pub(super) fn new_place(&mut self, old: Place) -> Place {
        let doc = &mut *self.doc;
        let suffix = &self.naming.procedure;
        let file = *self.files.entry(old.file).or_insert_with(|| {
            let path = old.file.map_or("program", |file| doc.files[file].path.as_str());
            let (folder, name) = match path.rfind(['/', '\\']) {
                Some(at) => path.split_at(at + 1),
                None => ("", path),
            };
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let c = old.file.is_some_and(|file| doc.files[file].language == Language::C);
            let (extension, language) =
                if c { ("c", Language::C) } else { ("f90", Language::FreeFortran) };
            let path = format!("{folder}{stem}{suffix}.{extension}");
            doc.files.push(SourceFile { path, language })
        });
        Place { file: Some(file), line: 1, column: 1 }
    }

    fn external(&mut self, unit: ScopeId, proc: ProcId) {
        let Some(&symbol) = self.derivatives.get(&self.doc.procs[proc].symbol) else { return };
        let mut outer = self.taken_globally();
        for scope in self.tree.inside(unit) {
            outer.others.extend(self.imported.names_in(self.doc, scope));
        }
        let parent = self.global;
        let scope = self.procedure(proc, Site { parent, symbol, copied: Copied::default(), outer });
        self.settle(unit, scope);
    }

    /// Puts a new unit beside the user's unit that it belongs to.
    pub(super) fn settle(&mut self, unit: ScopeId, new: ScopeId) {
        let place = self.new_place(self.doc.scopes[unit].place);
        let scope = &mut self.doc.scopes[new];
        (scope.place, scope.end) = (place, place);
        self.units.push(new);
    }

    /// Names of program units and COMMON blocks.
    pub(super) fn taken_globally(&mut self) -> Outer {
        let symbols = &self.doc.scopes[self.global].symbols;
        if let Some(new) = symbols.get(self.listed..).filter(|new| !new.is_empty()) {
            let mut names = self.global_names.borrow_mut();
            for &symbol in new {
                let number = names.len();
                names
                    .entry(self.doc.symbols[symbol].id.trim_matches('/').to_owned())
                    .or_insert(number);
            }
            self.listed = symbols.len();
        }
        let global = Rc::clone(&self.global_names);
        let known = global.borrow().len();
        Outer { global, known, others: HashSet::new() }
    }

    /// The new procedures call what the old ones do, until their statements say otherwise.
    fn call_graph(&mut self, copies: &HashMap<ProcId, Vec<ProcId>>) {
        let mut added = Vec::new();
        for &(caller, callee) in &self.doc.calls {
            for &new in copies.get(&caller).into_iter().flatten() {
                added.push((new, callee));
            }
        }
        self.doc.calls.extend(added);
    }
}

/// A declaration that says nothing but a name and a role.
pub fn declaration(name: String, role: Role, place: Place) -> Decl {
    Decl {
        name,
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
    }
}

/// A symbol that is no variable.
pub fn symbol(scope: ScopeId, decl: Decl) -> Symbol {
    Symbol {
        id: decl.name.to_ascii_lowercase(),
        scope,
        kind: SymbolKind::Subroutine,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: Some(Box::new(decl)),
    }
}
