//! Specification parts: the items of a scope in their order, and what no item mentions.
//!
//! Attribute statements have been merged into declarations, so a declaration may now stand before
//! a constant that it needs; such constants are declared as soon as they are needed.

use std::collections::HashSet;

use xaif_schema::model::{
    Attr, CommentKind, DataSet, ExprId, ImplicitRule, InterfaceItem, ProcClass, ProcSort, RefId,
    Role, Scope, ScopeId, ScopeKind, SpecItem, SymbolId, Use, UseName,
};

use crate::attribute::attributes;
use crate::code::Code;
use crate::context::Context;
use crate::expression::{Printer, Tok, comma, list, owned, text, whole};
use crate::lines::Lines;
use crate::statement::{breakable, comment};
use crate::tape::Tape;
use xaif_schema::uses::Uses;

/// Prints the specification part of one scope.
pub(crate) struct Specification<'c, 'd> {
    pub(crate) printer: Printer<'c, 'd>,
    /// What has been declared.
    done: HashSet<SymbolId>,
    /// What no item mentions, in the order of the scope.
    missing: Vec<SymbolId>,
    /// The same as a set.
    is_missing: HashSet<SymbolId>,
    /// How deep interface blocks are nested here.
    pub(crate) depth: u32,
}

impl<'c, 'd> Specification<'c, 'd> {
    /// Prepares for `scope`; `result` is a function result that the FUNCTION statement declares.
    pub(crate) fn new(
        cx: &'c Context<'d>,
        scope: ScopeId,
        result: Option<SymbolId>,
        depth: u32,
    ) -> Self {
        let missing = missing(cx, scope, result);
        let is_missing = missing.iter().copied().collect();
        Specification {
            printer: Printer { cx, scope },
            done: HashSet::new(),
            missing,
            is_missing,
            depth,
        }
    }

    fn scope(&self) -> &'d Scope {
        &self.printer.cx.doc.scopes[self.printer.scope]
    }

    /// Prints everything. Whether it ends in a statement: what follows is then set off by a blank
    /// line. A comment at its end belongs to what follows.
    pub(crate) fn print(mut self, lines: &mut Lines) -> bool {
        let items = in_order(&self.scope().items);
        let rest_at = items
            .iter()
            .position(|item| matches!(item, SpecItem::StatementFunction { .. }))
            .unwrap_or_else(|| {
                let last = items.iter().rposition(|item| !matches!(item, SpecItem::Comment(_)));
                last.map_or(0, |last| last + 1)
            });
        let tape = self.tape_use();
        let tape_at = tape_use_at(&items);
        let mut said = false;
        for (index, item) in items.iter().copied().enumerate() {
            if index == tape_at {
                tape.iter().for_each(|tape| lines.code(None, tape));
            }
            if index == rest_at {
                self.rest(lines);
            }
            let printed = std::mem::take(&mut said);
            match (item, items.get(index + 1)) {
                (SpecItem::Declare(symbols), Some(SpecItem::Comment(next)))
                    if next.trailing && next.kind == CommentKind::Text =>
                {
                    said = self.declare(lines, symbols, Some(&next.text));
                }
                (SpecItem::Comment(_), _) if printed => {}
                _ => self.item(lines, item),
            }
        }
        if tape_at >= items.len() {
            tape.iter().for_each(|tape| lines.code(None, tape));
        }
        if rest_at >= items.len() {
            self.rest(lines);
        }
        let any = !items.is_empty() || !self.missing.is_empty() || tape.is_some();
        any && lines.ends_in_statement()
    }

    /// The USE of the operations of the tape that the body of this procedure calls.
    fn tape_use(&self) -> Option<Code> {
        let cx = self.printer.cx;
        let items = cx.tape.use_items(cx.proc_of(self.printer.scope)?)?;
        let mut tokens = vec![owned(Tape::use_head())];
        tokens.extend(list(items.into_iter().map(owned)));
        Some(self.printer.code(tokens))
    }

    /// Declares what no item mentions.
    fn rest(&mut self, lines: &mut Lines) {
        let rest = self.missing.clone();
        self.declare(lines, &rest, None);
    }

    /// Declares `symbols`, and before them the constants they need, with a comment behind the line of
    /// the first of them: where it becomes several lines (a variable and its adjoint of other intent),
    /// it was written of that one. Whether the comment was printed.
    fn declare(&mut self, lines: &mut Lines, symbols: &[SymbolId], behind: Option<&str>) -> bool {
        let mut behind = behind;
        let told = behind.is_some();
        let mut ready: Vec<SymbolId> = Vec::new();
        for &symbol in symbols {
            if self.done.contains(&symbol) {
                continue;
            }
            let before = self.needed_before(symbol);
            if !before.is_empty() {
                self.flush(lines, &mut ready, &mut behind);
                for needed in before {
                    if self.done.insert(needed) {
                        self.flush(lines, &mut vec![needed], &mut None);
                    }
                }
            }
            if self.done.insert(symbol) {
                ready.push(symbol);
            }
        }
        self.flush(lines, &mut ready, &mut behind);
        told && behind.is_none()
    }

    fn flush(&self, lines: &mut Lines, ready: &mut Vec<SymbolId>, behind: &mut Option<&str>) {
        for code in self.printer.declarations(ready) {
            lines.code(None, &code);
            if let Some(comment) = behind.take() {
                lines.trailing(comment);
            }
        }
        ready.clear();
    }

    /// Constants (and undeclared variables) of this scope that must be declared before `symbol`,
    /// in the order in which they must be.
    fn needed_before(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = vec![(symbol, false)];
        while let Some((current, expanded)) = stack.pop() {
            if expanded {
                if current != symbol {
                    order.push(current);
                }
                continue;
            }
            // Seen is what is expanded, not what waits: what is needed twice comes before both.
            if !seen.insert(current) {
                continue;
            }
            stack.push((current, true));
            let doc = self.printer.cx.doc;
            let Some(decl) = doc.symbols[current].decl.as_deref() else { continue };
            let mut uses = Uses::new(doc);
            uses.decl(decl);
            for used in uses.symbols {
                let here = doc.symbols[used].scope == self.printer.scope;
                let constant = matches!(doc.role(used), Some(Role::Constant));
                let pending = constant || self.is_missing.contains(&used);
                if here && pending && !self.done.contains(&used) && !seen.contains(&used) {
                    stack.push((used, false));
                }
            }
        }
        order
    }

    /// Declares those of `symbols` that no item declares.
    fn declare_missing(&mut self, lines: &mut Lines, symbols: &[SymbolId]) {
        let missing: Vec<SymbolId> =
            symbols.iter().copied().filter(|symbol| self.is_missing.contains(symbol)).collect();
        self.declare(lines, &missing, None);
    }

    fn item(&mut self, lines: &mut Lines, item: &'d SpecItem) {
        match item {
            SpecItem::Comment(text) => comment(self.printer.cx, lines, text),
            SpecItem::Unit(scope) => {
                crate::unit::unit(self.printer.cx, lines, *scope, self.depth + 1)
            }
            SpecItem::Use(used) => lines.code(None, &self.use_statement(used)),
            SpecItem::Import { names, mode } => lines.code(None, &import(names, mode.as_deref())),
            SpecItem::ImplicitNone(None) => lines.plain("implicit none"),
            SpecItem::ImplicitNone(Some(what)) => lines.plain(&format!("implicit none ({what})")),
            SpecItem::Implicit(rules) => {
                lines.code(None, &self.printer.code(self.implicit(rules)));
            }
            SpecItem::Declare(symbols) => {
                self.declare(lines, symbols, None);
            }
            SpecItem::Access { private, symbols } => {
                lines.code(None, &self.access(*private, symbols));
            }
            SpecItem::SaveAll => lines.plain("save"),
            SpecItem::SaveCommon(blocks) => {
                let names = blocks.iter().map(|&block| owned(self.block_name(block)));
                let mut tokens = vec![text("save ")];
                tokens.extend(list(names));
                lines.code(None, &self.printer.code(tokens));
            }
            SpecItem::Common { block, members } => {
                self.declare_missing(lines, members);
                lines.code(None, &self.common(*block, members));
            }
            SpecItem::Equivalence(sets) => self.equivalence(lines, sets),
            SpecItem::Data(sets) => self.data(lines, sets),
            SpecItem::Namelist { group, members } => {
                self.declare_missing(lines, members);
                let mut tokens = vec![owned(format!("namelist /{}/ ", self.name(*group)))];
                tokens.extend(list(members.iter().map(|&member| owned(self.name(member)))));
                lines.code(None, &self.printer.code(tokens));
            }
            SpecItem::Interface { generic, is_abstract, items } => {
                self.interface(lines, *generic, *is_abstract, items);
            }
            SpecItem::DerivedType(symbol) => self.derived_type(lines, *symbol),
            SpecItem::Enum(symbols) => self.enumeration(lines, symbols),
            SpecItem::StatementFunction { symbol, scope, args, body } => {
                self.statement_function(lines, *symbol, *scope, args, *body);
            }
            SpecItem::Generic(symbol) => lines.code(None, &self.generic(*symbol)),
            SpecItem::TypeContains => self.type_contains(lines),
            SpecItem::Opaque { label, text, .. } => {
                lines.code(*label, &self.printer.code(breakable(text)));
            }
        }
    }

    pub(crate) fn name(&self, symbol: SymbolId) -> String {
        self.printer.cx.name(self.printer.scope, symbol)
    }

    fn block_name(&self, block: SymbolId) -> String {
        format!("/{}/", self.name(block).trim_matches('/'))
    }

    fn use_statement(&self, used: &'d Use) -> Code {
        let mut tokens = match &used.nature {
            Some(nature) => vec![owned(format!("use, {nature} :: "))],
            None => vec![text("use ")],
        };
        tokens.push(owned(self.printer.cx.names.declared(used.module)));
        if used.only {
            tokens.push(text(", only:"));
            if !used.names.is_empty() {
                tokens.push(text(" "));
            }
        } else if !used.names.is_empty() {
            tokens.push(text(", "));
        }
        tokens.extend(list(used.names.iter().map(use_name)));
        self.printer.code(tokens)
    }

    fn implicit(&self, rules: &'d [ImplicitRule]) -> Vec<Tok<'d>> {
        let mut tokens = vec![text("implicit ")];
        for (index, rule) in rules.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            tokens.extend(self.printer.type_spec(&rule.spec));
            let letters: Vec<String> = rule
                .letters
                .iter()
                .map(
                    |&(from, to)| {
                        if from == to { from.to_string() } else { format!("{from}-{to}") }
                    },
                )
                .collect();
            tokens.push(owned(format!(" ({})", letters.join(", "))));
        }
        tokens
    }

    fn access(&self, private: bool, symbols: &[SymbolId]) -> Code {
        let mut tokens = vec![text(if private { "private" } else { "public" })];
        if !symbols.is_empty() {
            tokens.push(text(" :: "));
            tokens.extend(list(symbols.iter().map(|&symbol| owned(self.name(symbol)))));
        }
        self.printer.code(tokens)
    }

    fn common(&self, block: SymbolId, members: &[SymbolId]) -> Code {
        let name = self.block_name(block);
        let mut tokens = vec![text("common ")];
        if name != "//" {
            tokens.push(owned(format!("{name} ")));
        }
        tokens.extend(list(members.iter().map(|&member| owned(self.name(member)))));
        self.printer.code(tokens)
    }

    fn equivalence(&mut self, lines: &mut Lines, sets: &'d [Vec<RefId>]) {
        let mut uses = Uses::new(self.printer.cx.doc);
        sets.iter().flatten().for_each(|&reference| uses.reference(reference));
        self.declare_missing(lines, &uses.symbols);
        let mut tokens = vec![text("equivalence ")];
        for (index, set) in sets.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            tokens.extend([text("("), Tok::Down]);
            tokens.extend(list(set.iter().map(|&reference| Tok::Ref(reference))));
            tokens.extend([Tok::Up, text(")")]);
        }
        lines.code(None, &self.printer.code(tokens));
    }

    fn data(&mut self, lines: &mut Lines, sets: &'d [DataSet]) {
        let mut uses = Uses::new(self.printer.cx.doc);
        for set in sets {
            set.objects.iter().for_each(|&object| uses.expr(object));
            for &(repeat, value) in &set.values {
                repeat.into_iter().for_each(|repeat| uses.expr(repeat));
                uses.expr(value);
            }
        }
        self.declare_missing(lines, &uses.symbols);
        lines.code(None, &self.printer.code(data_tokens(sets)));
    }

    fn statement_function(
        &mut self,
        lines: &mut Lines,
        symbol: SymbolId,
        scope: ScopeId,
        args: &[SymbolId],
        body: ExprId,
    ) {
        let inner = Printer { cx: self.printer.cx, scope };
        let mut tokens = vec![owned(self.name(symbol)), text("(")];
        tokens.extend(list(args.iter().map(|&arg| owned(inner.cx.name(scope, arg)))));
        tokens.extend([text(") ="), Tok::Break(6), text(" "), whole(body)]);
        lines.code(None, &inner.code(tokens));
    }

    fn interface(
        &self,
        lines: &mut Lines,
        generic: Option<SymbolId>,
        is_abstract: bool,
        items: &'d [InterfaceItem],
    ) {
        let tag = generic.map_or(String::new(), |generic| format!(" {}", self.name(generic)));
        let word = if is_abstract { "abstract interface" } else { "interface" };
        lines.plain(&format!("{word}{tag}"));
        lines.indent();
        for item in items {
            match item {
                InterfaceItem::Body(scope) => {
                    crate::unit::unit(self.printer.cx, lines, *scope, self.depth + 1);
                }
                InterfaceItem::Procedures { module, symbols } => {
                    let word = if *module { "module procedure" } else { "procedure" };
                    let mut tokens = vec![owned(format!("{word} :: "))];
                    tokens.extend(list(symbols.iter().map(|&symbol| owned(self.name(symbol)))));
                    lines.code(None, &self.printer.code(tokens));
                }
                InterfaceItem::Comment(text) => comment(self.printer.cx, lines, text),
            }
        }
        lines.dedent();
        // Behind END, gfortran takes a generic that USE renames for another one.
        let is_renamed = generic.is_some_and(|generic| self.is_renamed_here(&self.name(generic)));
        lines.plain(&format!("end interface{}", if is_renamed { "" } else { &tag }));
        if !is_abstract {
            self.attributes_of_described(lines, items);
        }
    }

    /// The attributes of procedures that interface bodies describe: they have statements of their own.
    fn attributes_of_described(&self, lines: &mut Lines, items: &'d [InterfaceItem]) {
        let doc = self.printer.cx.doc;
        for item in items {
            let InterfaceItem::Body(scope) = item else { continue };
            let ScopeKind::Procedure(symbol) = doc.scopes[*scope].kind else { continue };
            let Some(decl) = doc.symbols[symbol].decl.as_deref() else { continue };
            for word in attributes(decl, true).split(", ").filter(|word| !word.is_empty()) {
                lines.plain(&format!("{word} :: {}", self.name(symbol)));
            }
        }
    }

    /// Whether `name` is what a USE statement of this scope renames something to.
    fn is_renamed_here(&self, name: &str) -> bool {
        self.scope().items.iter().any(|item| match item {
            SpecItem::Use(used) => used.names.iter().any(|one| {
                one.local.eq_ignore_ascii_case(name) && !one.remote.eq_ignore_ascii_case(name)
            }),
            _ => false,
        })
    }

    fn enumeration(&mut self, lines: &mut Lines, symbols: &[SymbolId]) {
        self.done.extend(symbols);
        let doc = self.printer.cx.doc;
        lines.plain("enum, bind(c)");
        lines.indent();
        for &symbol in symbols {
            let mut tokens = vec![text("enumerator :: "), owned(self.name(symbol))];
            let decl = doc.symbols[symbol].decl.as_deref();
            if let Some(xaif_schema::model::Init::Value(value)) = decl.and_then(|decl| decl.init) {
                tokens.extend([text(" = "), whole(value)]);
            }
            lines.code(None, &self.printer.code(tokens));
        }
        lines.dedent();
        lines.plain("end enum");
    }
}

/// The items in an order that the language takes: all that declare stand before the statement functions and
/// the comments above these. A stage adds its items at the end.
fn in_order(items: &[SpecItem]) -> Vec<&SpecItem> {
    let is_function = |item: &SpecItem| matches!(item, SpecItem::StatementFunction { .. });
    let is_comment = |item: &SpecItem| matches!(item, SpecItem::Comment(_));
    let Some(first) = items.iter().position(is_function) else { return items.iter().collect() };
    let (before, behind) = items.split_at(first);
    let above = before.iter().rposition(|item| !is_comment(item)).map_or(0, |last| last + 1);
    // A comment on the line of the item before stays with it.
    let is_trailing = |item: &&SpecItem| matches!(item, SpecItem::Comment(text) if text.trailing);
    let above = above + items[above..first].iter().take_while(is_trailing).count();
    let (mut declared, mut functions): (Vec<&SpecItem>, Vec<&SpecItem>) = (Vec::new(), Vec::new());
    let mut moves = false;
    for item in behind {
        if !is_trailing(&item) {
            moves = !is_function(item) && !is_comment(item);
        }
        if moves { declared.push(item) } else { functions.push(item) }
    }
    let (before, comments) = before.split_at(above);
    before.iter().chain(declared).chain(comments).chain(functions).collect()
}

/// The index of the item before which a further USE can stand: behind all others, and behind the
/// comment that opens the procedure.
fn tape_use_at(items: &[&SpecItem]) -> usize {
    let last = items.iter().rposition(|item| matches!(item, SpecItem::Use(_)));
    let first = || items.iter().position(|item| !matches!(item, SpecItem::Comment(_)));
    last.map_or_else(|| first().unwrap_or(0), |last| last + 1)
}

/// DATA.
pub(crate) fn data_tokens(sets: &[DataSet]) -> Vec<Tok<'_>> {
    let mut tokens = vec![text("data ")];
    for (index, set) in sets.iter().enumerate() {
        if index > 0 {
            tokens.extend(comma());
        }
        tokens.extend(list(set.objects.iter().map(|&object| whole(object))));
        tokens.extend([text(" /"), Tok::Down]);
        for (index, &(repeat, value)) in set.values.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            if let Some(repeat) = repeat {
                tokens.extend([whole(repeat), text("*")]);
            }
            tokens.push(whole(value));
        }
        tokens.extend([Tok::Up, text("/")]);
    }
    tokens
}

fn use_name(name: &UseName) -> Tok<'_> {
    if name.local.eq_ignore_ascii_case(&name.remote) {
        text(&name.local)
    } else {
        owned(format!("{} => {}", name.local, name.remote))
    }
}

fn import(names: &[String], mode: Option<&str>) -> Code {
    let names = names.join(", ");
    Code::from(match mode {
        Some("only") => format!("import, only: {names}"),
        Some(mode) => format!("import, {mode}"),
        None if names.is_empty() => "import".to_owned(),
        None => format!("import :: {names}"),
    })
}

/// The symbols of `scope` that need a declaration and have no item that makes it.
fn missing(cx: &Context<'_>, scope: ScopeId, result: Option<SymbolId>) -> Vec<SymbolId> {
    let doc = cx.doc;
    let data = &doc.scopes[scope];
    let has_declarations = match data.kind {
        ScopeKind::Module(_)
        | ScopeKind::Submodule { .. }
        | ScopeKind::Procedure(_)
        | ScopeKind::BlockData(_)
        | ScopeKind::DerivedType(_)
        | ScopeKind::Block => true,
        ScopeKind::Plain
        | ScopeKind::Global
        | ScopeKind::Associate
        | ScopeKind::Indices
        | ScopeKind::StatementFunction(_) => false,
    };
    if !has_declarations {
        return Vec::new();
    }
    let mut mentioned: HashSet<SymbolId> = result.into_iter().collect();
    for item in &data.items {
        if let SpecItem::Declare(symbols) | SpecItem::Enum(symbols) = item {
            mentioned.extend(symbols);
        }
    }
    let unmentioned = data.symbols.iter().copied().filter(|symbol| !mentioned.contains(symbol));
    unmentioned.filter(|&symbol| needs_declaration(cx, symbol)).collect()
}

fn needs_declaration(cx: &Context<'_>, symbol: SymbolId) -> bool {
    let Some(decl) = cx.doc.symbols[symbol].decl.as_deref() else { return false };
    match &decl.role {
        Role::Variable => true,
        Role::Constant => !decl.has(Attr::Enumerator),
        Role::Procedure(info) => {
            let own =
                matches!(info.class, ProcClass::External | ProcClass::Dummy | ProcClass::Pointer);
            let typed = !decl.implicit && !matches!(decl.spec, xaif_schema::model::TypeSpec::None);
            let wanted = info.class == ProcClass::Pointer
                || info.interface.is_some()
                || decl.has(Attr::External)
                || typed && info.sort != ProcSort::Subroutine;
            own && info.proc.is_none() && wanted
        }
        Role::Generic { .. }
        | Role::DerivedType { .. }
        | Role::TypeParam { .. }
        | Role::Binding { .. }
        | Role::Final { .. }
        | Role::Module { .. }
        | Role::BlockData
        | Role::CommonBlock
        | Role::Namelist
        | Role::StatementFunction
        | Role::Unresolved { .. }
        | Role::Associate { .. } => false,
    }
}
