//! What the statements of a derivative turned out not to need: plain copies of internal and PRIVATE
//! procedures and derivatives of procedures that nobody calls, derivatives that are never used, declarations of functions that
//! have become subroutines, names in USE statements. What is left stands in the order in which compilers
//! take it.

use std::collections::HashSet;

use xaif_schema::model::{
    Attr, Body, Comment, CommentKind, Document, Nest, Piece, ProcClass, ProcId, Role, ScopeId,
    ScopeKind, SpecItem, StmtKind, SymbolId, VertexKind,
};

use super::Counterparts;
use booster_build::{mentions, sweep};

impl Counterparts {
    /// Takes out of the new program units what nothing in them names. All entities of `doc` get new
    /// ids; what this table holds is brought up to date, other ids are stale.
    ///
    /// What is named in texts only (directives, FORMAT, statements that are carried) stays.
    pub fn sweep(&mut self, doc: &mut Document) {
        let tree = doc.nest();
        let mut candidates = HashSet::new();
        for &unit in &self.units {
            self.candidates(doc, &tree, unit, &mut candidates);
        }
        self.uncalled(doc, &tree, &mut candidates);
        // Scopes are renumbered, too: the units are found again by their symbols.
        let names: Vec<Option<SymbolId>> =
            self.units.iter().map(|&unit| unit_symbol(doc, unit)).collect();
        let (symbols, procs) = sweep(doc, &candidates);
        let new = |symbol: SymbolId| symbols.get(&symbol).copied();
        self.shares.clear();
        self.units = names.into_iter().filter_map(|name| scope_of(doc, new(name?)?)).collect();
        self.procedures = self
            .procedures
            .iter()
            .filter_map(|(old, derivative)| Some((*procs.get(old)?, *procs.get(derivative)?)))
            .collect();
        for (_, zeroed) in &mut self.zeroed {
            *zeroed = zeroed.iter().filter_map(|&symbol| new(symbol)).collect();
        }
        self.zeroed = std::mem::take(&mut self.zeroed)
            .into_iter()
            .filter_map(|(proc, symbols)| Some((*procs.get(&proc)?, symbols)))
            .collect();
        let both = |(a, b): (SymbolId, SymbolId)| Some((new(a)?, new(b)?));
        self.variables = self.variables.iter().filter_map(both).collect();
        self.callees = self.callees.iter().filter_map(|(&a, &b)| both((a, b))).collect();
        self.signatures = std::mem::take(&mut self.signatures)
            .into_iter()
            .filter_map(|(symbol, slots)| Some((new(symbol)?, slots)))
            .collect();
        self.hidden = self.hidden.iter().filter_map(|&symbol| new(symbol)).collect();
        self.types = super::Types::new(doc);
        let tree = doc.nest();
        for &unit in &self.units {
            for scope in tree.inside(unit) {
                unused_imports(doc, &tree, scope);
                declare_dummy_procedures(doc, scope);
            }
        }
        order(doc, &tree, &self.units);
    }

    /// Derivative procedures that may be taken out where the heads are known: users call those of heads. An adjoint whose
    /// calls are all split is one; what an interface body, a text or an ENTRY names stays.
    fn uncalled(&self, doc: &Document, tree: &Nest, candidates: &mut HashSet<SymbolId>) {
        let is_head = |proc: ProcId| {
            let data = &doc.procs[proc];
            !data.independent.is_empty() || !data.dependent.is_empty()
        };
        if !doc.procs.keys().any(is_head) {
            return;
        }
        let mut named = HashSet::new();
        for &unit in &self.units {
            for scope in tree.inside(unit) {
                texts(doc, tree, scope, &mut named);
            }
        }
        let bodies = doc.procs.values().filter(|data| matches!(data.body, Body::Interface));
        named.extend(bodies.map(|data| doc.symbols[data.symbol].id.clone()));
        for &(original, derivative) in &self.procedures {
            let data = &doc.procs[derivative];
            let Body::Flow(cfg) = &data.body else { continue };
            let has_entries = cfg
                .vertices
                .values()
                .any(|vertex| matches!(vertex.kind, VertexKind::Entry(Some(_))));
            let symbol = &doc.symbols[data.symbol];
            let is_own =
                matches!(doc.scopes[symbol.scope].kind, ScopeKind::Global | ScopeKind::Module(_));
            if is_own
                && !is_head(original)
                && !has_entries
                && !symbol.has(Attr::Module)
                && !named.contains(symbol.id.as_str())
            {
                candidates.insert(data.symbol);
            }
        }
    }

    /// What of a unit may be taken out.
    fn candidates(
        &self,
        doc: &Document,
        tree: &Nest,
        unit: ScopeId,
        candidates: &mut HashSet<SymbolId>,
    ) {
        let scopes = tree.inside(unit);
        let mut words = HashSet::new();
        for &scope in &scopes {
            texts(doc, tree, scope, &mut words);
        }
        let lenders = lenders(doc, tree, unit);
        for &scope in &scopes {
            let data = &doc.scopes[scope];
            let module = matches!(data.kind, ScopeKind::Module(_));
            let local = match data.kind {
                ScopeKind::Procedure(_) | ScopeKind::Block => true,
                ScopeKind::Module(_) => true,
                ScopeKind::Plain
                | ScopeKind::Global
                | ScopeKind::Submodule { .. }
                | ScopeKind::BlockData(_)
                | ScopeKind::DerivedType(_)
                | ScopeKind::Associate
                | ScopeKind::Indices
                | ScopeKind::StatementFunction(_) => false,
            };
            for &symbol in data.symbols.iter().filter(|_| local) {
                let removable = match doc.role(symbol) {
                    Some(Role::Variable | Role::Constant | Role::Procedure(_)) => true,
                    Some(Role::Generic { .. }) => module,
                    Some(_) | None => false,
                };
                let own = !module || self.hidden.contains(&symbol);
                let named = words.contains(doc.symbols[symbol].id.as_str());
                if removable && own && !named && !lenders.contains(&symbol) {
                    candidates.insert(symbol);
                }
            }
        }
    }
}

/// The variables of a unit whose types are those of indices and of arguments of statement functions that
/// have their names.
fn lenders(doc: &Document, tree: &Nest, unit: ScopeId) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    for mention in mentions(doc, tree, unit, |_| false) {
        let scope = doc.symbols[mention.symbol].scope;
        let kind = doc.scopes[scope].kind;
        if matches!(kind, ScopeKind::Indices | ScopeKind::StatementFunction(_)) {
            let parent = |&scope: &ScopeId| doc.scopes[scope].parent;
            let mut around = std::iter::successors(parent(&scope), parent);
            let id = &doc.symbols[mention.symbol].id;
            found.extend(around.find_map(|scope| doc.symbol_in(scope, id)));
        }
    }
    found
}

/// Puts new program units behind the modules among them that they use, in other respects in the order
/// that they have. The derivative of a module may use that of a module that extends its types, of which
/// the source came later.
fn order(doc: &mut Document, tree: &Nest, units: &[ScopeId]) {
    let Some(global) = doc.global_scope() else { return };
    let used_by = |unit: ScopeId| -> HashSet<ScopeId> {
        let inside = tree.inside(unit);
        let items = inside.iter().flat_map(|&scope| &doc.scopes[scope].items);
        items
            .filter_map(|item| match item {
                SpecItem::Use(used) => match doc.role(used.module) {
                    Some(Role::Module { scope }) => *scope,
                    _ => None,
                },
                _ => None,
            })
            .collect()
    };
    let is_new = |item: &SpecItem| matches!(item, SpecItem::Unit(unit) if units.contains(unit));
    let mut waiting: Vec<(ScopeId, HashSet<ScopeId>)> = doc.scopes[global]
        .items
        .iter()
        .filter_map(|item| match *item {
            SpecItem::Unit(unit) if is_new(item) => Some((unit, used_by(unit))),
            _ => None,
        })
        .collect();
    let mut left: HashSet<ScopeId> = waiting.iter().map(|&(unit, _)| unit).collect();
    let mut ordered = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let ready = waiting.iter().position(|(unit, used)| {
            used.iter().all(|other| other == unit || !left.contains(other))
        });
        // Modules that use one another no order helps.
        let (next, _) = waiting.remove(ready.unwrap_or(0));
        left.remove(&next);
        ordered.push(next);
    }
    let mut ordered = ordered.into_iter();
    for item in &mut doc.scopes[global].items {
        let place = match item {
            SpecItem::Unit(unit) if units.contains(unit) => unit,
            _ => continue,
        };
        if let Some(next) = ordered.next() {
            *place = next;
        }
    }
}

fn unit_symbol(doc: &Document, unit: ScopeId) -> Option<SymbolId> {
    match doc.scopes[unit].kind {
        ScopeKind::Module(symbol) | ScopeKind::Procedure(symbol) | ScopeKind::BlockData(symbol) => {
            Some(symbol)
        }
        _ => None,
    }
}

fn scope_of(doc: &Document, symbol: SymbolId) -> Option<ScopeId> {
    match doc.role(symbol)? {
        Role::Module { scope } => *scope,
        Role::Procedure(info) => info.proc.map(|proc| doc.procs[proc].scope),
        _ => None,
    }
}

/// The words of all that is text in a scope.
fn texts(doc: &Document, tree: &Nest, scope: ScopeId, words: &mut HashSet<String>) {
    let data = &doc.scopes[scope];
    for item in data.items.iter().chain(&data.contains) {
        match item {
            SpecItem::Opaque { text, .. } => split(text, words),
            SpecItem::Import { names, .. } => names.iter().for_each(|name| split(name, words)),
            SpecItem::Comment(comment) => directive(comment, words),
            _ => {}
        }
    }
    let Some(proc) = tree.procedure(scope) else { return };
    let Body::Flow(cfg) = &doc.procs[proc].body else { return };
    for vertex in cfg.vertices.values() {
        match &vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => {
                for &stmt in stmts {
                    match &doc.stmts[stmt].kind {
                        StmtKind::Comment(comment) => directive(comment, words),
                        StmtKind::Marker(marker) => {
                            for piece in &marker.text {
                                if let Piece::Text(text) = piece {
                                    split(text, words);
                                }
                            }
                        }
                        StmtKind::Assign { .. }
                        | StmtKind::PointerAssign { .. }
                        | StmtKind::Call(_)
                        | StmtKind::InlinableCall(_)
                        | StmtKind::Propagate(_)
                        | StmtKind::Where(_)
                        | StmtKind::Forall(_)
                        | StmtKind::Allocate(_)
                        | StmtKind::Release(_)
                        | StmtKind::OpenScope(_)
                        | StmtKind::CloseScope(_) => {}
                    }
                }
            }
            VertexKind::ConcurrentLoop { locality: Some(text), .. } => split(text, words),
            _ => {}
        }
    }
}

fn directive(comment: &Comment, words: &mut HashSet<String>) {
    if comment.kind == CommentKind::Directive {
        split(&comment.text, words);
    }
}

fn split(text: &str, words: &mut HashSet<String>) {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.extend(parts.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase));
}

/// Drops the names after ONLY that nothing in the scope mentions.
/// A dummy procedure may be known by its calls alone, of which a derivative has no more.
fn declare_dummy_procedures(doc: &mut Document, scope: ScopeId) {
    for symbol in doc.scopes[scope].symbols.clone() {
        let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() else { continue };
        let Role::Procedure(info) = &decl.role else { continue };
        let is_bare = info.class == ProcClass::Dummy
            && info.interface.is_none()
            && info.proc.is_none()
            && !decl.has(Attr::Pointer);
        if is_bare {
            decl.attrs.insert(Attr::External);
        }
    }
}

fn unused_imports(doc: &mut Document, tree: &Nest, scope: ScopeId) {
    let uses = |item: &SpecItem| matches!(item, SpecItem::Use(used) if used.only);
    if !doc.scopes[scope].items.iter().any(uses) {
        return;
    }
    let mut words = HashSet::new();
    for inner in tree.inside(scope) {
        texts(doc, tree, inner, &mut words);
    }
    let found = mentions(doc, tree, scope, |_| false);
    words.extend(found.iter().map(|mention| doc.symbols[mention.symbol].id.clone()));
    let mut items = std::mem::take(&mut doc.scopes[scope].items);
    items.retain_mut(|item| {
        let SpecItem::Use(used) = item else { return true };
        if !used.only || used.names.is_empty() {
            return true;
        }
        used.names.retain(|name| {
            let Some(symbol) = name.symbol else { return true };
            name.local.contains('(')
                || words.contains(doc.symbols[symbol].id.as_str())
                || words.contains(&name.local.to_ascii_lowercase())
        });
        !used.names.is_empty()
    });
    doc.scopes[scope].items = items;
}
