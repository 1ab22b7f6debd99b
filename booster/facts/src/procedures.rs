//! Which body is executed when a name is called, which procedure a scope belongs to, and which
//! variables outlive an activation.
//!
//! Resolved by the rules of the language: a symbol that names a body itself, else an external
//! procedure with the same name, else a separate module procedure of a submodule. What dummy
//! procedures, procedure pointers and dispatched calls may mean is not decided here but in
//! [`storage`](super::storage), which follows procedures as values.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Attr, Body, Document, DummyArg, ExprId, ExprKind, Init, ProcClass, ProcId, ProcKind, RefId,
    Role, ScopeId, ScopeKind, SecondaryMap, SpecItem, Symbol, SymbolId, VertexId, VertexKind,
};

/// A way into a body: the procedure, and the vertex of an ENTRY (`None` is the main entry).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryOf {
    /// The procedure that is executed.
    pub proc: ProcId,
    /// The vertex of the ENTRY statement.
    pub point: Option<VertexId>,
}

/// The procedures of a document and what belongs to each.
#[derive(Clone, Debug)]
pub struct Procedures {
    bodies: HashMap<SymbolId, EntryOf>,
    externals: HashMap<String, EntryOf>,
    separate: HashMap<String, Vec<EntryOf>>,
    owners: SecondaryMap<ScopeId, Option<ProcId>>,
    statics: HashSet<SymbolId>,
    dummies: HashMap<SymbolId, ProcId>,
}

impl Procedures {
    /// Works it out, in time linear in the size of the declarations.
    pub fn new(doc: &Document) -> Self {
        let mut this = Procedures {
            bodies: HashMap::new(),
            externals: HashMap::new(),
            separate: HashMap::new(),
            owners: SecondaryMap::new(),
            statics: HashSet::new(),
            dummies: HashMap::new(),
        };
        this.name_bodies(doc);
        this.own_scopes(doc);
        this.find_statics(doc);
        this
    }

    /// The body that is executed when `symbol` itself is called; `None` for what has no body here
    /// and for dummy procedures and pointers.
    pub fn executed(&self, doc: &Document, symbol: SymbolId) -> Option<EntryOf> {
        if let Some(entry) = self.bodies.get(&symbol) {
            return Some(*entry);
        }
        let class = match doc.role(symbol) {
            Some(Role::Procedure(info)) => info.class,
            Some(Role::Unresolved { .. }) | None => ProcClass::External,
            Some(_) => return None,
        };
        let name = doc.name(symbol).to_ascii_lowercase();
        match class {
            ProcClass::External | ProcClass::Entry => self.externals.get(&name).copied(),
            ProcClass::Module => self.implementation(doc, symbol, &name),
            ProcClass::Internal
            | ProcClass::Dummy
            | ProcClass::Pointer
            | ProcClass::Intrinsic
            | ProcClass::Abstract => None,
        }
    }

    /// The separate module procedure that implements the interface `symbol`: of those with its name
    /// the one in a submodule of its module.
    fn implementation(&self, doc: &Document, symbol: SymbolId, name: &str) -> Option<EntryOf> {
        let module = doc.symbols[symbol].scope;
        let candidates = self.separate.get(name)?.iter().copied();
        let is_below = |entry: &EntryOf| {
            let mut at = doc.scopes[doc.procs[entry.proc].scope].parent;
            // Submodules that are given as each other's parents have no module above them.
            for _ in 0..doc.scopes.len() {
                match at {
                    Some(scope) if scope == module => return true,
                    Some(scope) => at = doc.scopes[scope].parent,
                    None => return false,
                }
            }
            false
        };
        candidates.into_iter().find(is_below)
    }

    /// The procedure whose activation holds the variables of `scope`: its own, or that of a BLOCK,
    /// ASSOCIATE or implied DO in it.
    pub fn owner(&self, scope: ScopeId) -> Option<ProcId> {
        self.owners[scope]
    }

    /// Whether `inner` is an internal procedure of `outer`, or is in one.
    pub fn is_inside(&self, doc: &Document, inner: ProcId, outer: ProcId) -> bool {
        let mut at = doc.scopes[doc.procs[inner].scope].parent;
        for _ in 0..doc.scopes.len() {
            let Some(scope) = at else { return false };
            if self.owners[scope] == Some(outer) {
                return true;
            }
            at = doc.scopes[scope].parent;
        }
        false
    }

    /// Whether a variable keeps its value from one activation to the next: SAVE, initial values,
    /// COMMON, modules, the main program.
    pub fn is_static(&self, symbol: SymbolId) -> bool {
        self.statics.contains(&symbol)
    }

    /// The procedure of which `symbol` is a dummy argument.
    pub fn dummy_of(&self, symbol: SymbolId) -> Option<ProcId> {
        self.dummies.get(&symbol).copied()
    }

    /// The dummy arguments of an entry, in order.
    pub fn dummies<'d>(&self, doc: &'d Document, entry: EntryOf) -> &'d [DummyArg] {
        match entry_point(doc, entry) {
            Some(point) => &point.args,
            None => &doc.procs[entry.proc].args,
        }
    }

    /// The variable that holds the result of an entry.
    pub fn result(&self, doc: &Document, entry: EntryOf) -> Option<SymbolId> {
        match entry_point(doc, entry) {
            Some(point) => point.result,
            None => doc.procs[entry.proc].result,
        }
    }

    /// The variables that hold the results of all entries of a procedure.
    pub fn results(&self, doc: &Document, proc: ProcId) -> Vec<SymbolId> {
        let entries = match &doc.procs[proc].body {
            Body::Flow(cfg) => Some(cfg.vertices.values()),
            Body::Interface | Body::Replacements { .. } => None,
        };
        let of_entries = entries.into_iter().flatten().filter_map(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(point)) => point.result,
            _ => None,
        });
        doc.procs[proc].result.into_iter().chain(of_entries).collect()
    }

    fn name_bodies(&mut self, doc: &Document) {
        for (id, proc) in &doc.procs {
            for arg in &proc.args {
                self.dummies.extend(arg.symbol.map(|symbol| (symbol, id)));
            }
            let Body::Flow(cfg) = &proc.body else { continue };
            self.name_body(doc, proc.symbol, EntryOf { proc: id, point: None });
            for (vertex, data) in &cfg.vertices {
                if let VertexKind::Entry(Some(point)) = &data.kind {
                    self.name_body(doc, point.symbol, EntryOf { proc: id, point: Some(vertex) });
                    for arg in &point.args {
                        self.dummies.extend(arg.symbol.map(|symbol| (symbol, id)));
                    }
                }
            }
        }
        // A body's dummy arguments are its own even where an interface shares their symbols.
        for (id, proc) in &doc.procs {
            if let Body::Flow(_) = &proc.body {
                self.dummies.extend(proc.args.iter().filter_map(|arg| Some((arg.symbol?, id))));
            }
        }
    }

    fn name_body(&mut self, doc: &Document, symbol: SymbolId, entry: EntryOf) {
        self.bodies.insert(symbol, entry);
        let name = doc.name(symbol).to_ascii_lowercase();
        let kind = doc.scopes[doc.symbols[symbol].scope].kind;
        if matches!(kind, ScopeKind::Submodule { .. }) {
            self.separate.entry(name).or_default().push(entry);
            return;
        }
        let external = match doc.role(symbol) {
            Some(Role::Procedure(info)) => match info.class {
                ProcClass::External => true,
                ProcClass::Entry => matches!(kind, ScopeKind::Global),
                ProcClass::Module
                | ProcClass::Internal
                | ProcClass::Dummy
                | ProcClass::Pointer
                | ProcClass::Intrinsic
                | ProcClass::Abstract => false,
            },
            Some(_) | None => true,
        };
        if external {
            self.externals.entry(name).or_insert(entry);
        }
    }

    fn own_scopes(&mut self, doc: &Document) {
        for (id, proc) in &doc.procs {
            self.owners[proc.scope] = Some(id);
        }
        for (id, proc) in &doc.procs {
            // A separate module procedure has the arguments of its interface.
            if proc.kind == ProcKind::ModuleProcedure && matches!(proc.body, Body::Flow(_)) {
                for symbol in proc.args.iter().filter_map(|arg| arg.symbol).chain(proc.result) {
                    self.owners[doc.symbols[symbol].scope] = Some(id);
                }
            }
        }
        for scope in doc.scopes.keys() {
            let mut chain = Vec::new();
            let mut at = Some(scope);
            // A chain that is longer than there are scopes goes round in a circle.
            while let Some(scope) = at
                && self.owners[scope].is_none()
                && chain.len() <= doc.scopes.len()
            {
                chain.push(scope);
                at = match doc.scopes[scope].kind {
                    ScopeKind::Block
                    | ScopeKind::Associate
                    | ScopeKind::Indices
                    | ScopeKind::StatementFunction(_) => doc.scopes[scope].parent,
                    ScopeKind::Plain
                    | ScopeKind::Global
                    | ScopeKind::Module(_)
                    | ScopeKind::Submodule { .. }
                    | ScopeKind::Procedure(_)
                    | ScopeKind::BlockData(_)
                    | ScopeKind::DerivedType(_) => None,
                };
            }
            let owner = at.and_then(|scope| self.owners[scope]);
            for scope in chain {
                self.owners[scope] = owner;
            }
        }
    }

    fn find_statics(&mut self, doc: &Document) {
        let mut whole = HashSet::new();
        for (id, scope) in &doc.scopes {
            let main = self.owners[id].is_some_and(|p| doc.procs[p].kind == ProcKind::Program);
            let save = scope.items.iter().any(|item| matches!(item, SpecItem::SaveAll));
            if main || save || self.owners[id].is_none() {
                whole.insert(id);
            }
            for item in &scope.items {
                if let SpecItem::Data(sets) = item {
                    let objects = sets.iter().flat_map(|set| &set.objects).copied();
                    self.statics.extend(data_variables(doc, objects.collect()));
                }
            }
        }
        let entries = doc.procs.values().flat_map(|proc| match &proc.body {
            Body::Flow(cfg) => cfg.vertices.values().collect(),
            Body::Interface | Body::Replacements { .. } => Vec::new(),
        });
        let of_entries = entries.filter_map(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(point)) => point.result,
            _ => None,
        });
        let results: HashSet<SymbolId> =
            doc.procs.values().filter_map(|proc| proc.result).chain(of_entries).collect();
        for (id, symbol) in &doc.symbols {
            let initialised = lasts(symbol);
            let saved = whole.contains(&symbol.scope)
                && (self.owners[symbol.scope].is_none()
                    || !self.dummies.contains_key(&id)
                        && !results.contains(&id)
                        && has_constant_bounds(symbol));
            if initialised || saved {
                self.statics.insert(id);
            }
        }
        for scope in doc.scopes.keys() {
            doc.add_equivalent(scope, &mut self.statics);
        }
    }
}

/// Whether a variable is none whose extents are computed as its procedure is entered: SAVE without a
/// list does not mean such a variable.
pub fn has_constant_bounds(symbol: &Symbol) -> bool {
    let deferred = symbol
        .decl
        .as_ref()
        .is_some_and(|decl| decl.has(Attr::Pointer) || decl.has(Attr::Allocatable));
    deferred || symbol.bounds.len() == usize::from(symbol.rank.unwrap_or(0))
}

/// The variables of a scope that outlive an activation by what the scope declares itself (COMMON, SAVE,
/// initial values), or that share storage with such a one.
pub fn lasting(doc: &Document, scope: ScopeId) -> HashSet<SymbolId> {
    let symbols = doc.scopes[scope].symbols.iter().copied();
    let mut found: HashSet<SymbolId> =
        symbols.filter(|&symbol| lasts(&doc.symbols[symbol])).collect();
    for item in &doc.scopes[scope].items {
        if let SpecItem::Data(sets) = item {
            let objects = sets.iter().flat_map(|set| &set.objects).copied();
            found.extend(data_variables(doc, objects.collect()));
        }
    }
    doc.add_equivalent(scope, &mut found);
    found
}

fn lasts(symbol: &Symbol) -> bool {
    symbol.decl.as_ref().is_some_and(|decl| {
        decl.has(Attr::Save)
            || decl.common.is_some()
            || matches!(decl.init, Some(Init::Value(_) | Init::Target(_)))
    })
}

fn entry_point(doc: &Document, entry: EntryOf) -> Option<&xaif_schema::model::EntryPoint> {
    let Body::Flow(cfg) = &doc.procs[entry.proc].body else { return None };
    match &cfg.vertices.get(entry.point?)?.kind {
        VertexKind::Entry(point) => point.as_deref(),
        _ => None,
    }
}

/// The variables that DATA sets.
pub fn data_variables(doc: &Document, mut objects: Vec<ExprId>) -> Vec<SymbolId> {
    let mut found = Vec::new();
    while let Some(object) = objects.pop() {
        let base = |r: RefId| doc.refs[r].base;
        match &doc.exprs[object].kind {
            ExprKind::Ref(r) => found.push(base(*r)),
            ExprKind::ImpliedDo(implied) => objects.extend(&implied.items),
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
    found
}
