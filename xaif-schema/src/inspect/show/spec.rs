//! Scopes: headers, specification parts, procedures, and the scopes within.

use std::collections::HashSet;

use super::decl::{common_name, intent_word};
use super::{Gutter, Line, Show};
use crate::model::{
    Body, Comment, CommentKind, DataSet, DummyArg, InterfaceItem, Place, ProcId, ProcKind,
    Procedure, RefId, Role, ScopeId, ScopeKind, SpecItem, SymbolId, Use,
};

/// Scopes that nest deeper are written after the others instead of within them.
const DESCENT: usize = 60;

impl<'a> Show<'a> {
    /// A scope, its procedures and what is within it.
    pub(super) fn scope(&mut self, id: ScopeId, indent: usize, descent: usize) {
        if self.done[id] || descent > DESCENT || !self.doc.scopes.is_valid(id) {
            return;
        }
        self.done[id] = true;
        let scope = &self.doc.scopes[id];
        let procs = self.procs.get(&id).cloned().unwrap_or_default();
        let (mut inside, descent) = (indent + 1, descent + 1);
        match (procs.as_slice(), scope.kind) {
            ([first, ..], _) => {
                self.gap();
                self.procedure_header(*first, indent);
            }
            ([], ScopeKind::Global) => inside = indent,
            ([], ScopeKind::Plain) if scope.symbols.is_empty() && scope.items.is_empty() => {}
            ([], ScopeKind::Plain) if scope.parent.is_none() => inside = indent,
            ([], _) => {
                if !matches!(scope.kind, ScopeKind::DerivedType(_)) {
                    self.gap();
                }
                let header = self.scope_header(id);
                self.decorated(indent, header, Vec::new(), scope.place);
            }
        }
        self.specification(id, inside, descent);
        for (index, &proc) in procs.iter().enumerate() {
            if index > 0 {
                self.procedure_header(proc, indent);
            }
            self.procedure_facts(proc, inside);
            self.body(proc, indent);
        }
        for item in &scope.contains {
            self.item(item, inside, descent);
        }
        for inner in self.inner[id].clone() {
            if !self.told_by_construct(inner) {
                self.scope(inner, inside, descent);
            }
        }
    }

    /// Whether a scope is written where the construct is that makes it.
    pub(super) fn told_by_construct(&self, id: ScopeId) -> bool {
        match self.doc.scopes[id].kind {
            ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => true,
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::Procedure(_)
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_) => false,
        }
    }

    /// The declarations of a BLOCK or ASSOCIATE.
    pub(super) fn opened_scope(&mut self, id: ScopeId, indent: usize) {
        if self.doc.scopes.is_valid(id) && !self.done[id] {
            self.done[id] = true;
            self.specification(id, indent, 0);
        }
    }

    /// A line with facts and a place.
    pub(super) fn decorated(
        &mut self,
        indent: usize,
        text: String,
        facts: Vec<String>,
        place: Place,
    ) {
        self.line(Line { indent, text, facts, place, ..Line::default() });
    }

    fn scope_header(&self, id: ScopeId) -> String {
        let name = |symbol: SymbolId| self.text.name(symbol);
        match self.doc.scopes[id].kind {
            ScopeKind::Plain => format!("scope {id}"),
            ScopeKind::Global => "global".into(),
            ScopeKind::Module(symbol) => format!("module {}", name(symbol)),
            ScopeKind::Submodule { symbol, parent } => {
                format!("submodule {} of {}", name(symbol), name(parent))
            }
            ScopeKind::Procedure(symbol) => format!("procedure {}", name(symbol)),
            ScopeKind::BlockData(symbol) => {
                format!("block data {}", name(symbol)).trim_end().into()
            }
            ScopeKind::DerivedType(symbol) => self.declaration(symbol).text,
            ScopeKind::Block => "block".into(),
            ScopeKind::Associate => "associate".into(),
            ScopeKind::Indices => "indices".into(),
            ScopeKind::StatementFunction(symbol) => format!("statement function {}", name(symbol)),
        }
    }

    fn procedure_header(&mut self, id: ProcId, indent: usize) {
        let proc = &self.doc.procs[id];
        let decl = self.doc.symbols[proc.symbol].decl.as_deref();
        let mut text = String::new();
        for &attr in decl.iter().flat_map(|decl| &decl.attrs) {
            text.push_str(attr.keyword());
            text.push(' ');
        }
        text.push_str(match proc.kind {
            ProcKind::Program => "program ",
            ProcKind::Subroutine => "subroutine ",
            ProcKind::Function => "function ",
            ProcKind::ModuleProcedure => "module procedure ",
        });
        text.push_str(&self.text.name(proc.symbol));
        if !proc.args.is_empty() || proc.kind != ProcKind::Program {
            text.push_str(&self.dummies(&proc.args));
        }
        if let Some(result) = proc.result {
            text.push_str(&format!(" result {}", self.text.name(result)));
        }
        if let Some(name) = decl.and_then(|decl| decl.bind_name) {
            text.push_str(&format!(", name={}", self.text.expr(name)));
        }
        if matches!(proc.body, Body::Interface) {
            text.push_str(", interface");
        }
        let mut facts = Vec::new();
        facts
            .extend(proc.active.map(|active| if active { "active" } else { "passive" }.to_owned()));
        self.decorated(indent, text, facts, proc.place);
    }

    /// `(x, y, *)`; intents only where no declaration tells them.
    pub(super) fn dummies(&self, args: &[DummyArg]) -> String {
        let args: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(index, arg)| {
                let Some(symbol) = arg.symbol else { return "*".to_owned() };
                let mut text = String::new();
                if arg.position as usize != index + 1 {
                    text.push_str(&format!("@{}=", arg.position));
                }
                match arg.intent {
                    Some(intent) if self.doc.symbols[symbol].decl.is_none() => {
                        text.push_str(intent_word(intent));
                        text.push(' ');
                    }
                    _ => {}
                }
                let name = self.text.name(symbol);
                text.push_str(&if arg.deriv { format!("d({name})") } else { name });
                text
            })
            .collect();
        format!("({})", args.join(", "))
    }

    /// What is known of a procedure as a whole.
    fn procedure_facts(&mut self, id: ProcId, indent: usize) {
        let proc: &Procedure = &self.doc.procs[id];
        let mut lists = vec![
            ("independent", Some(&proc.independent).filter(|list| !list.is_empty())),
            ("dependent", Some(&proc.dependent).filter(|list| !list.is_empty())),
        ];
        if self.options.effects {
            lists.extend([
                ("reads", proc.effects.read.as_ref()),
                ("reads here", proc.effects.read_local.as_ref()),
                ("modifies", proc.effects.modified.as_ref()),
                ("modifies here", proc.effects.mod_local.as_ref()),
                ("set on entry", proc.effects.on_entry.as_ref()),
            ]);
        }
        // What is true here and with callees is told once.
        let mut before = None;
        for (title, list) in lists {
            let list = list.map(|list| self.references(list));
            if let Some(list) = &list
                && !(title.ends_with(" here") && before.as_ref() == Some(list))
            {
                let list = if list.is_empty() { "nothing" } else { list.as_str() };
                self.plain(indent, format!("! {title}: {list}"));
            }
            before = list;
        }
    }

    /// References, separated by commas.
    pub(super) fn references(&self, list: &[RefId]) -> String {
        list.iter().map(|&r| self.text.reference(r)).collect::<Vec<_>>().join(", ")
    }

    /// The items of a specification part, then the symbols that no item mentions.
    pub(super) fn specification(&mut self, id: ScopeId, indent: usize, descent: usize) {
        let scope = &self.doc.scopes[id];
        for item in &scope.items {
            self.item(item, indent, descent);
        }
        let mentioned = mentioned(&scope.items);
        for &symbol in &scope.symbols {
            if !mentioned.contains(&symbol) && !self.told_elsewhere(symbol) {
                self.symbol(symbol, indent);
            }
        }
    }

    /// The declaration of one symbol.
    pub(super) fn symbol(&mut self, symbol: SymbolId, indent: usize) {
        let declaration = self.declaration(symbol);
        let place = self.doc.symbols[symbol].decl.as_ref().map_or(Place::default(), |d| d.place);
        self.decorated(indent, declaration.text, declaration.facts, place);
    }

    /// Whether a symbol without a declaration statement is told by a header or a use of it.
    fn told_elsewhere(&self, id: SymbolId) -> bool {
        let symbol = &self.doc.symbols[id];
        match self.doc.role(id) {
            None => self.given.contains(&id),
            Some(Role::Procedure(info)) => info.proc.is_some_and(|proc| {
                let proc = self.doc.procs.get(proc);
                proc.is_some_and(|proc| !matches!(proc.body, Body::Interface))
            }),
            Some(Role::Module { scope }) => scope.is_some(),
            Some(Role::DerivedType { .. } | Role::BlockData) => true,
            Some(Role::CommonBlock) => symbol
                .decl
                .as_ref()
                .is_some_and(|decl| decl.attrs.is_empty() && decl.bind_name.is_none()),
            Some(
                Role::Variable
                | Role::Constant
                | Role::Generic { .. }
                | Role::TypeParam { .. }
                | Role::Binding { .. }
                | Role::Final { .. }
                | Role::Namelist
                | Role::StatementFunction
                | Role::Unresolved { .. }
                | Role::Associate { .. },
            ) => false,
        }
    }

    fn item(&mut self, item: &'a SpecItem, indent: usize, descent: usize) {
        match item {
            SpecItem::Comment(comment) => self.comment(comment, indent, Gutter::None),
            SpecItem::Unit(unit) => self.scope(*unit, indent, descent),
            SpecItem::Use(used) => self.use_line(used, indent),
            SpecItem::Import { names, mode } => {
                let mode = mode.as_ref().map_or(String::new(), |mode| format!(", {mode}"));
                let names =
                    if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) };
                self.plain(indent, format!("import{mode}{names}"));
            }
            SpecItem::ImplicitNone(text) => {
                let text = text.as_ref().map_or(String::new(), |text| format!("({text})"));
                self.plain(indent, format!("implicit none{text}"));
            }
            SpecItem::Implicit(rules) => {
                for rule in rules {
                    let letters: Vec<_> = rule
                        .letters
                        .iter()
                        .map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") })
                        .collect();
                    let spec = self.text.spec(&rule.spec);
                    self.plain(indent, format!("implicit {}: {spec}", letters.join(", ")));
                }
            }
            SpecItem::Declare(symbols) | SpecItem::Enum(symbols) => {
                if matches!(item, SpecItem::Enum(_)) {
                    self.plain(indent, "enum");
                }
                for &symbol in symbols {
                    self.symbol(symbol, indent + usize::from(matches!(item, SpecItem::Enum(_))));
                }
            }
            SpecItem::Access { private, symbols } => {
                let word = if *private { "private" } else { "public" };
                self.names_line(word, symbols, indent);
            }
            SpecItem::SaveAll => self.plain(indent, "save"),
            SpecItem::SaveCommon(blocks) => {
                let blocks: Vec<_> =
                    blocks.iter().map(|&b| common_name(&self.doc.symbols[b].id)).collect();
                self.plain(indent, format!("save {}", blocks.join(", ")));
            }
            SpecItem::Common { block, members } => {
                let block = common_name(&self.doc.symbols[*block].id);
                self.names_line(&format!("common {block}"), members, indent);
            }
            SpecItem::Equivalence(sets) => {
                let sets: Vec<_> =
                    sets.iter().map(|set| format!("({})", self.references(set))).collect();
                self.plain(indent, format!("equivalence {}", sets.join(", ")));
            }
            SpecItem::Data(sets) => {
                for set in sets {
                    self.data(set, indent);
                }
            }
            SpecItem::Namelist { group, members } => {
                let group = self.text.name(*group);
                self.names_line(&format!("namelist /{group}/"), members, indent);
            }
            SpecItem::Interface { generic, is_abstract, items } => {
                self.interface(*generic, *is_abstract, items, indent, descent);
            }
            SpecItem::DerivedType(symbol) => self.derived_type(*symbol, indent, descent),
            SpecItem::StatementFunction { symbol, scope, args, body } => {
                self.done[*scope] = true;
                let args: Vec<_> = args.iter().map(|&arg| self.text.name(arg)).collect();
                let name = self.text.name(*symbol);
                let body = self.text.expr(*body);
                self.plain(indent, format!("{name}({}) := {body}", args.join(", ")));
            }
            SpecItem::Generic(symbol) => self.symbol(*symbol, indent),
            SpecItem::TypeContains => self.plain(indent, "contains"),
            SpecItem::Opaque { label, text, place } => {
                let label = label.map_or(String::new(), |label| format!("{label}: "));
                self.decorated(indent, format!("{label}carried {text}"), Vec::new(), *place);
            }
        }
    }

    fn names_line(&mut self, word: &str, symbols: &[SymbolId], indent: usize) {
        let names: Vec<_> = symbols.iter().map(|&symbol| self.text.generic(symbol)).collect();
        self.plain(indent, format!("{word} {}", names.join(", ")).trim_end().to_owned());
    }

    fn use_line(&mut self, used: &Use, indent: usize) {
        let names: Vec<_> = used
            .names
            .iter()
            .map(|name| match name.local == name.remote {
                true => name.local.clone(),
                false => format!("{} => {}", name.local, name.remote),
            })
            .collect();
        let nature = used.nature.as_ref().map_or(String::new(), |nature| format!("{nature} "));
        let mut text = format!("use {nature}{}", self.text.name(used.module));
        if used.only {
            text.push_str(", only:");
        } else if !names.is_empty() {
            text.push(',');
        }
        text = format!("{text} {}", names.join(", ")).trim_end().to_owned();
        let known = matches!(self.doc.role(used.module), Some(Role::Module { scope: Some(_) }));
        let facts = if known { Vec::new() } else { vec!["not given".to_owned()] };
        self.decorated(indent, text, facts, used.place);
    }

    fn data(&mut self, set: &DataSet, indent: usize) {
        let objects: Vec<_> = set.objects.iter().map(|&object| self.text.expr(object)).collect();
        let values: Vec<_> = set
            .values
            .iter()
            .map(|&(repeat, value)| match repeat {
                Some(repeat) => format!("{}*{}", self.text.expr(repeat), self.text.expr(value)),
                None => self.text.expr(value),
            })
            .collect();
        self.plain(indent, format!("data {} = {}", objects.join(", "), values.join(", ")));
    }

    fn interface(
        &mut self,
        generic: Option<SymbolId>,
        is_abstract: bool,
        items: &'a [InterfaceItem],
        indent: usize,
        descent: usize,
    ) {
        let word = if is_abstract { "abstract interface" } else { "interface" };
        let name =
            generic.map_or(String::new(), |generic| format!(" {}", self.text.generic(generic)));
        self.plain(indent, format!("{word}{name}"));
        for item in items {
            match item {
                InterfaceItem::Body(scope) => self.scope(*scope, indent + 1, descent),
                InterfaceItem::Procedures { module, symbols } => {
                    let word = if *module { "module procedure" } else { "procedure" };
                    self.names_line(word, symbols, indent + 1);
                }
                InterfaceItem::Comment(comment) => self.comment(comment, indent + 1, Gutter::None),
            }
        }
    }

    fn derived_type(&mut self, symbol: SymbolId, indent: usize, descent: usize) {
        match self.doc.role(symbol) {
            Some(Role::DerivedType { scope, .. }) => self.scope(*scope, indent, descent),
            _ => self.symbol(symbol, indent),
        }
    }

    /// A comment or directive; blank lines only where spellings are wanted.
    pub(super) fn comment(&mut self, comment: &Comment, indent: usize, gutter: Gutter) {
        if !self.options.comments {
            return;
        }
        let text = match comment.kind {
            _ if is_blank(comment) && !self.options.spellings => return,
            CommentKind::Blank => "# blank".to_owned(),
            CommentKind::Text => format!("# {}", comment.text.trim()),
            CommentKind::Directive => format!("#{}", comment.text.trim()),
        };
        self.line(Line { indent, gutter, text, place: comment.place, ..Line::default() });
    }
}

/// Whether a comment has no text.
pub(super) fn is_blank(comment: &Comment) -> bool {
    comment.kind == CommentKind::Blank || comment.text.trim().is_empty()
}

/// The symbols that the items of a specification part declare.
fn mentioned(items: &[SpecItem]) -> HashSet<SymbolId> {
    let mut set = HashSet::new();
    for item in items {
        match item {
            SpecItem::Declare(symbols) | SpecItem::Enum(symbols) => set.extend(symbols),
            SpecItem::Namelist { group: symbol, .. }
            | SpecItem::DerivedType(symbol)
            | SpecItem::Generic(symbol)
            | SpecItem::Interface { generic: Some(symbol), .. } => {
                set.insert(*symbol);
            }
            SpecItem::Use(used) => {
                set.insert(used.module);
                set.extend(used.names.iter().filter_map(|name| name.symbol));
            }
            SpecItem::StatementFunction { .. }
            | SpecItem::Interface { generic: None, .. }
            | SpecItem::Comment(_)
            | SpecItem::Unit(_)
            | SpecItem::Import { .. }
            | SpecItem::ImplicitNone(_)
            | SpecItem::Implicit(_)
            | SpecItem::Access { .. }
            | SpecItem::SaveAll
            | SpecItem::SaveCommon(_)
            | SpecItem::Common { .. }
            | SpecItem::Equivalence(_)
            | SpecItem::Data(_)
            | SpecItem::TypeContains
            | SpecItem::Opaque { .. } => {}
        }
    }
    set
}
