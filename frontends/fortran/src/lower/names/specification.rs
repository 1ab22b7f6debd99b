//! Specification parts: declarations in the order of the source, each after all that it needs.
//!
//! Attribute statements (`dimension x(n)`, `save x`, `parameter (n = 3)`) are merged into the one
//! declaration of their name. Such a declaration stands at the name's type statement, at PARAMETER
//! for a constant, unless it needs something that is declared further down: then it waits.

use std::collections::HashSet;

use xaif_schema::diag::Code;
use xaif_schema::model::{Attr, Place, Role, ScopeId, SpecItem, SymbolId};

use super::collect::{Plan, Slot, enumerators};
use super::needs::Needs;
use crate::lower::Lowering;
use crate::lower::expr::text_of_expr;
use crate::syntax::ast;

/// The items of a scope under construction.
#[derive(Debug, Default)]
struct Emitter {
    items: Vec<SpecItem>,
    declared: HashSet<SymbolId>,
    waiting: Vec<Waiting>,
}

/// A declaration or statement that needs a name which is declared further down.
#[derive(Debug)]
struct Waiting {
    needs: Vec<SymbolId>,
    what: What,
}

#[derive(Debug)]
enum What {
    Symbol(SymbolId),
    Item(Box<SpecItem>),
}

impl Waiting {
    /// Whether this must come before `item`, which stands further down in the source: the members
    /// of a COMMON block or NAMELIST group have the order of all statements for it, and DATA
    /// and EQUIVALENCE statements keep theirs.
    fn precedes(&self, item: &SpecItem) -> bool {
        let What::Item(first) = &self.what else { return false };
        match (&**first, item) {
            (SpecItem::Common { block: a, .. }, SpecItem::Common { block: b, .. }) => a == b,
            (SpecItem::Namelist { group: a, .. }, SpecItem::Namelist { group: b, .. }) => a == b,
            (SpecItem::Data(_), SpecItem::Data(_)) => true,
            (SpecItem::Equivalence(_), SpecItem::Equivalence(_)) => true,
            _ => false,
        }
    }
}

impl<'a> Lowering<'a> {
    /// Lowers the specification part of a unit, with its arguments and results.
    pub(super) fn specification(&mut self, unit: &'a ast::Unit, scope: ScopeId) {
        self.open_head(unit, scope);
        let mut slots = slots(&unit.spec);
        self.late_slots(unit, &mut slots);
        self.lower_slots(scope, slots);
        self.close_head(scope);
    }

    /// The specification part of the BLOCK construct whose first statement stands at `place`.
    pub(crate) fn block_spec(&mut self, scope: ScopeId, place: ast::Place) {
        if let Some(spec) = self.blocks.remove(&(self.file, place)) {
            self.lower_slots(scope, slots(spec));
        }
    }

    /// Declarations among executable statements (behind statement functions, or within constructs,
    /// as old compilers allow), and DATA. Those within a BLOCK construct are not the unit's.
    fn late_slots(&mut self, unit: &'a ast::Unit, slots: &mut Vec<Slot<'a>>) {
        let mut todo: Vec<std::slice::Iter<'a, ast::ExecItem>> = vec![unit.exec.iter()];
        while let Some(items) = todo.last_mut() {
            let Some(item) = items.next() else {
                todo.pop();
                continue;
            };
            let ast::ExecItem::Stmt(stmt) = item else { continue };
            if let ast::StmtKind::Spec(kind) = &stmt.kind {
                let is_declaration = !matches!(
                    **kind,
                    ast::SpecKind::Entry(_) | ast::SpecKind::Format(_) | ast::SpecKind::Opaque(_)
                );
                if is_declaration {
                    slots.push(Slot::Stmt(&stmt.head, kind));
                    self.done.insert((self.file, stmt.head.place));
                }
            } else if !matches!(stmt.kind, ast::StmtKind::Block { .. }) {
                todo.extend(stmt.blocks().into_iter().rev().map(|block| block.iter()));
            }
        }
    }

    /// A specification statement that stands among executable ones, if it is not done already.
    pub(crate) fn late_spec(&mut self, scope: ScopeId, head: &ast::Head, kind: &ast::SpecKind) {
        if self.done.contains(&(self.file, head.place)) {
            return;
        }
        let unit = self.scoping_unit(scope);
        match kind {
            ast::SpecKind::Data(sets) => {
                let item = self.data_statement(scope, sets);
                self.doc.scopes[unit].items.push(item);
            }
            _ => self.error(
                Code::STATEMENT_OUT_OF_PLACE,
                head.place,
                "a declaration among the executable statements of a BLOCK construct",
                "move it to the declarations of the construct",
            ),
        }
    }

    fn lower_slots(&mut self, scope: ScopeId, slots: Vec<Slot<'a>>) {
        let mut uses = Vec::new();
        for slot in &slots {
            let Slot::Stmt(_, kind) = slot else { continue };
            match kind {
                ast::SpecKind::Use(used) => uses.push(self.use_statement(scope, used)),
                ast::SpecKind::Import(import) => uses.push(self.import_statement(scope, import)),
                ast::SpecKind::Implicit(rules) => self.implicit_statement(scope, rules),
                _ => {}
            }
        }
        let mut uses = uses.into_iter();
        let plan = self.collect(scope, slots);
        let mut here: Vec<Vec<SymbolId>> = vec![Vec::new(); plan.slots.len()];
        for (&symbol, &(slot, _)) in &plan.places {
            here[slot].push(symbol);
        }
        let mut emitter = Emitter::default();
        for (index, symbols) in here.into_iter().enumerate() {
            let before = emitter.items.len();
            match plan.slots[index] {
                Slot::Trivia(trivia) => {
                    if let ast::Trivia::Directive(directive) = trivia {
                        self.note_directive(scope, directive);
                    }
                    emitter.items.push(SpecItem::Comment(self.trivia(trivia)));
                }
                Slot::Stmt(head, kind) => {
                    if matches!(kind, ast::SpecKind::Use(_) | ast::SpecKind::Import(_)) {
                        emitter.items.extend(uses.next());
                    } else {
                        self.lower_stmt(scope, &plan, &mut emitter, symbols, head, kind);
                    }
                    self.trail(&mut emitter.items, closing_head(head, kind), before);
                }
            }
            self.release(scope, &plan, &mut emitter, false);
        }
        self.release(scope, &plan, &mut emitter, true);
        self.doc.scopes[scope].items.extend(emitter.items);
        self.names[scope].declared.extend(emitter.declared);
    }

    /// Lowers one statement and puts out what it declares.
    fn lower_stmt(
        &mut self,
        scope: ScopeId,
        plan: &Plan<'a>,
        emitter: &mut Emitter,
        mut symbols: Vec<SymbolId>,
        head: &'a ast::Head,
        kind: &'a ast::SpecKind,
    ) {
        symbols.sort_by_key(|&symbol| self.declared_at(symbol));
        match kind {
            ast::SpecKind::TypeDef(definition) => {
                for symbol in symbols {
                    self.type_body(scope, symbol, head, definition);
                    emitter.declared.insert(symbol);
                    emitter.items.push(SpecItem::DerivedType(symbol));
                }
                return;
            }
            ast::SpecKind::Enum(definition) => {
                let item = self.enumeration(scope, definition);
                emitter.declared.extend(symbols);
                emitter.items.push(item);
                return;
            }
            ast::SpecKind::Interface(interface) => {
                let item = self.interface_block(scope, plan, head, interface);
                emitter.declared.extend(symbols);
                emitter.items.push(item);
                return;
            }
            ast::SpecKind::Generic(binding) => {
                let generic = self.generic(scope, &binding.name);
                let found = binding.specifics.iter().map(|name| self.procedure_named(scope, name));
                let found = found.collect();
                self.add_specifics(generic, found);
                // A second statement adds to the first, which is printed with all of them.
                if emitter.declared.insert(generic) {
                    emitter.items.push(SpecItem::Generic(generic));
                }
                return;
            }
            _ => {}
        }
        for &symbol in &symbols {
            self.settle(symbol);
        }
        self.put_symbols(scope, plan, emitter, &symbols);
        for item in self.statement_items(scope, head, kind) {
            self.put_item(scope, plan, emitter, item);
        }
    }

    /// What a statement puts out beside declarations.
    fn statement_items(
        &mut self,
        scope: ScopeId,
        head: &ast::Head,
        kind: &ast::SpecKind,
    ) -> Vec<SpecItem> {
        match kind {
            ast::SpecKind::Implicit(implicit) => vec![self.implicit_item(scope, implicit)],
            ast::SpecKind::Declaration(declaration) => self.old_initials(scope, declaration),
            ast::SpecKind::Data(sets) => vec![self.data_statement(scope, sets)],
            ast::SpecKind::Save(list) => self.save_items(list),
            ast::SpecKind::Common(blocks) => self.common_items(scope, blocks),
            ast::SpecKind::Equivalence(sets) => vec![self.equivalence(scope, sets)],
            ast::SpecKind::Namelist(groups) => self.namelist_items(scope, groups),
            ast::SpecKind::Access(access, names) => {
                vec![self.access_item(scope, *access, names)]
            }
            ast::SpecKind::Bind(bind, list) => list
                .iter()
                .filter_map(|item| match item {
                    ast::NameOrBlock::Block(name) => {
                        Some(self.bound_block(scope, head, bind, name))
                    }
                    ast::NameOrBlock::Name(_) => None,
                })
                .collect(),
            ast::SpecKind::Format(text) => vec![self.carried(head, format!("format{text}"))],
            ast::SpecKind::Opaque(text) => {
                self.warn(
                    Code::OPAQUE_DECLARATION,
                    head.place,
                    "this declaration is not understood; it is carried as it stands",
                    "analyses know nothing of the names that only it declares",
                );
                vec![self.carried(head, text.to_string())]
            }
            ast::SpecKind::Use(_)
            | ast::SpecKind::Import(_)
            | ast::SpecKind::Procedure(_)
            | ast::SpecKind::Parameter { .. }
            | ast::SpecKind::Dimension(_)
            | ast::SpecKind::External(_)
            | ast::SpecKind::Intrinsic(_)
            | ast::SpecKind::Attribute(..)
            | ast::SpecKind::Generic(_)
            | ast::SpecKind::TypeDef(_)
            | ast::SpecKind::Enum(_)
            | ast::SpecKind::Interface(_)
            | ast::SpecKind::Entry(_) => Vec::new(),
        }
    }

    /// `bind(c, name="x") :: /c/`: its text, and what it says of the block.
    fn bound_block(
        &mut self,
        scope: ScopeId,
        head: &ast::Head,
        bind: &ast::Bind,
        name: &ast::Name,
    ) -> SpecItem {
        let block = self.common_block(Some(name), name.place);
        self.add_attr(block, Attr::BindC);
        let label = match &bind.name {
            Some(label) => {
                let value = self.expr(scope, label);
                self.decl_mut(block, |decl| decl.bind_name = Some(value));
                format!(", name={}", text_of_expr(label))
            }
            None => String::new(),
        };
        self.carried(head, format!("bind(c{label}) :: /{name}/"))
    }

    fn carried(&self, head: &ast::Head, text: String) -> SpecItem {
        let label = head.label.map(|label| label.0);
        SpecItem::Opaque { label, text, place: self.place(head.place) }
    }

    fn enumeration(&mut self, scope: ScopeId, definition: &'a ast::EnumDef) -> SpecItem {
        let mut next = Some(0);
        let mut symbols = Vec::new();
        for (name, value) in enumerators(definition) {
            let Some(&symbol) = self.names[scope].own.get(name.key()) else { continue };
            self.settle(symbol);
            if value.is_none() {
                self.decl_mut(symbol, |decl| decl.value = next);
            } else {
                next = self.doc.symbols[symbol].decl.as_deref().and_then(|decl| decl.value);
            }
            next = next.and_then(|value| value.checked_add(1));
            symbols.push(symbol);
        }
        SpecItem::Enum(symbols)
    }

    fn access_item(
        &mut self,
        scope: ScopeId,
        access: ast::Access,
        names: &[ast::GenericName],
    ) -> SpecItem {
        let mut symbols = Vec::new();
        for name in names {
            let key = super::uses::generic_key(name);
            let found = self.find(scope, &key);
            let symbol = match (found, name) {
                (Some(symbol), _) => Some(symbol),
                (None, ast::GenericName::Name(name)) => Some(self.lookup_or_declare(scope, name)),
                (None, other) => self.missing_module(scope).map(|module| {
                    let spelling = super::uses::generic_spelling(other);
                    let place = self.place(super::uses::generic_place(other));
                    let role = Role::Unresolved { module: Some(module) };
                    self.declare_key(scope, &key, &spelling, role, place)
                }),
            };
            symbols.extend(symbol);
        }
        SpecItem::Access { private: access == ast::Access::Private, symbols }
    }

    /// Where the source declares `symbol`: the order within one statement.
    fn declared_at(&self, symbol: SymbolId) -> Place {
        self.doc.symbols[symbol].decl.as_deref().map_or(Place::default(), |decl| decl.place)
    }

    /// Puts out declarations, as few statements as the source has.
    fn put_symbols(
        &mut self,
        scope: ScopeId,
        plan: &Plan<'a>,
        emitter: &mut Emitter,
        symbols: &[SymbolId],
    ) {
        let mut group: Vec<SymbolId> = Vec::new();
        for &symbol in symbols {
            let needs = Needs::of_symbol(&self.doc, symbol);
            let missing =
                self.missing_needs(scope, plan, emitter, Some(symbol), &needs, &mut group);
            if !missing.is_empty() {
                emitter.waiting.push(Waiting { needs: missing, what: What::Symbol(symbol) });
                continue;
            }
            if group.last().is_some_and(|&last| !self.alike(plan, last, symbol)) {
                emitter.items.push(SpecItem::Declare(std::mem::take(&mut group)));
            }
            group.push(symbol);
            emitter.declared.insert(symbol);
        }
        if !group.is_empty() {
            emitter.items.push(SpecItem::Declare(group));
        }
    }

    /// Of `needs` those that are declared further down. An undeclared variable is declared now.
    fn missing_needs(
        &mut self,
        scope: ScopeId,
        plan: &Plan<'a>,
        emitter: &mut Emitter,
        own: Option<SymbolId>,
        needs: &[SymbolId],
        group: &mut Vec<SymbolId>,
    ) -> Vec<SymbolId> {
        let mut missing = Vec::new();
        for &need in needs {
            let elsewhere = self.doc.symbols[need].scope != scope;
            if elsewhere || Some(need) == own || emitter.declared.contains(&need) {
                continue;
            }
            if plan.places.contains_key(&need) {
                missing.push(need);
            } else if self.is_undeclared_variable(need) {
                self.settle(need);
                if !group.is_empty() {
                    emitter.items.push(SpecItem::Declare(std::mem::take(group)));
                }
                emitter.declared.insert(need);
                emitter.items.push(SpecItem::Declare(vec![need]));
            }
        }
        missing
    }

    /// A variable that no statement declares, the result of a function excepted.
    pub(super) fn is_undeclared_variable(&self, symbol: SymbolId) -> bool {
        let scope = self.doc.symbols[symbol].scope;
        let result = self.names[scope].proc.and_then(|proc| self.doc.procs[proc].result);
        matches!(self.doc.role(symbol), Some(Role::Variable))
            && result != Some(symbol)
            && !self.names[scope].declared.contains(&symbol)
    }

    /// Whether two symbols of one statement can be declared together.
    fn alike(&self, plan: &Plan<'a>, a: SymbolId, b: SymbolId) -> bool {
        let (Some(first), Some(second)) =
            (self.doc.symbols[a].decl.as_deref(), self.doc.symbols[b].decl.as_deref())
        else {
            return false;
        };
        let typed = |symbol| plan.typed.get(&symbol);
        first.attrs == second.attrs
            && first.intent == second.intent
            && typed(a) == typed(b)
            && first.spec.base() == second.spec.base()
            && std::mem::discriminant(&first.role) == std::mem::discriminant(&second.role)
            && first.bind_name.is_none()
            && second.bind_name.is_none()
    }

    fn put_item(&mut self, scope: ScopeId, plan: &Plan<'a>, emitter: &mut Emitter, item: SpecItem) {
        let needs = Needs::of_item(&self.doc, &item);
        let missing = self.missing_needs(scope, plan, emitter, None, &needs, &mut Vec::new());
        if missing.is_empty() && !emitter.waiting.iter().any(|first| first.precedes(&item)) {
            emitter.items.push(item);
        } else {
            emitter.waiting.push(Waiting { needs: missing, what: What::Item(Box::new(item)) });
        }
    }

    /// Puts out what has waited and need wait no longer; with `all`, whatever waits.
    fn release(&mut self, scope: ScopeId, plan: &Plan<'a>, emitter: &mut Emitter, all: bool) {
        loop {
            let waiting = &emitter.waiting;
            let ready = (0..waiting.len()).find(|&index| {
                let needs = &waiting[index].needs;
                needs.iter().all(|need| emitter.declared.contains(need))
                    && match &waiting[index].what {
                        What::Symbol(_) => true,
                        What::Item(item) => {
                            !waiting[..index].iter().any(|first| first.precedes(item))
                        }
                    }
            });
            let ready = match ready {
                None if all && !emitter.waiting.is_empty() => Some(0),
                other => other,
            };
            let Some(ready) = ready else { return };
            match emitter.waiting.remove(ready).what {
                What::Symbol(symbol) => {
                    let needs = Needs::of_symbol(&self.doc, symbol);
                    let _ = self.missing_needs(
                        scope,
                        plan,
                        emitter,
                        Some(symbol),
                        &needs,
                        &mut Vec::new(),
                    );
                    emitter.declared.insert(symbol);
                    emitter.items.push(SpecItem::Declare(vec![symbol]));
                }
                What::Item(item) => emitter.items.push(*item),
            }
        }
    }
}

/// The statements of a specification part and what stands between them.
fn slots(spec: &[ast::SpecItem]) -> Vec<Slot<'_>> {
    spec.iter()
        .map(|item| match item {
            ast::SpecItem::Stmt(stmt) => Slot::Stmt(&stmt.head, &stmt.kind),
            ast::SpecItem::Trivia(trivia) => Slot::Trivia(trivia),
        })
        .collect()
}

/// The statement that a specification item ends with, on whose line comments follow the item. Those
/// of its first statement, where that is another, belong inside.
fn closing_head<'a>(head: &'a ast::Head, kind: &'a ast::SpecKind) -> &'a ast::Head {
    match kind {
        ast::SpecKind::TypeDef(definition) => &definition.end,
        ast::SpecKind::Interface(interface) => &interface.end,
        _ => head,
    }
}
