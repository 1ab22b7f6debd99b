//! Program units: their scopes, symbols and procedures, before any declaration is looked at.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Body, Cfg, Effects, ProcClass, ProcId, ProcKind, ProcSort, Procedure, ProcedureInfo,
    Role, ScopeId, ScopeKind, SpecItem, SymbolId,
};

use super::tables::{Host, Pending};
use crate::lower::Lowering;
use crate::syntax::ast;

/// What a procedure is made from.
#[derive(Clone, Copy)]
pub(super) struct Header<'a> {
    pub(super) name: &'a ast::Name,
    pub(super) sort: ProcSort,
    pub(super) kind: ProcKind,
}

impl<'a> Lowering<'a> {
    /// Makes scopes and symbols for all program units of `files`.
    pub(super) fn enter_files(&mut self, files: &'a [ast::File]) {
        for (index, file) in files.iter().enumerate() {
            self.file = index;
            self.names[self.global].file = index;
            let items = self.enter_units(self.global, &file.items);
            self.doc.scopes[self.global].items.extend(items);
        }
    }

    /// Enters the units of a file or of a CONTAINS, with the comments between them.
    fn enter_units(&mut self, parent: ScopeId, units: &'a [ast::UnitItem]) -> Vec<SpecItem> {
        let mut items = Vec::new();
        for item in units {
            match item {
                ast::UnitItem::Unit(unit) => {
                    items.push(SpecItem::Unit(self.enter_unit(parent, unit)));
                    items.extend(self.comments_of(&unit.end.head));
                }
                ast::UnitItem::Trivia(trivia) => {
                    if let ast::Trivia::Directive(directive) = trivia {
                        self.directive_outside(directive);
                    }
                    items.push(SpecItem::Comment(self.trivia(trivia)));
                }
            }
        }
        items
    }

    /// Makes the scope of a unit, and of all that it contains.
    pub(super) fn enter_unit(&mut self, parent: ScopeId, unit: &'a ast::Unit) -> ScopeId {
        let place = unit.head.place;
        let scope = match &unit.kind {
            ast::UnitKind::Program(name) => {
                let unnamed = ast::Name::new("", place);
                let name = name.as_ref().unwrap_or(&unnamed);
                self.enter_program(name, unit)
            }
            ast::UnitKind::Module(name) => self.enter_module(name, name.key().into(), unit),
            ast::UnitKind::Submodule(submodule) => {
                let key = submodule_key(submodule.ancestor.key(), submodule.name.key());
                self.enter_module(&submodule.name, key, unit)
            }
            ast::UnitKind::BlockData(name) => self.enter_block_data(name.as_ref(), unit),
            ast::UnitKind::Subroutine(_)
            | ast::UnitKind::Function(_)
            | ast::UnitKind::ModuleProcedure(_) => self.enter_procedure(parent, unit),
        };
        // A main program without PROGRAM statement begins with what is its first statement anyway.
        if !matches!(unit.kind, ast::UnitKind::Program(None)) {
            let comments = self.comments_of(&unit.head);
            self.doc.scopes[scope].items.extend(comments);
        }
        self.enter_contained(scope, unit);
        self.doc.scopes[scope].end = self.place(unit.end.head.place);
        scope
    }

    /// The comments on the line of a statement that opens or closes something.
    pub(super) fn comments_of(&self, head: &ast::Head) -> Vec<SpecItem> {
        head.comments.iter().map(|comment| SpecItem::Comment(self.trailing(comment))).collect()
    }

    fn enter_contained(&mut self, scope: ScopeId, unit: &'a ast::Unit) {
        let Some(contains) = &unit.contains else { return };
        let mut items = self.comments_of(&contains.head);
        items.extend(self.enter_units(scope, &contains.items));
        self.doc.scopes[scope].contains = items;
    }

    fn enter_program(&mut self, name: &ast::Name, unit: &'a ast::Unit) -> ScopeId {
        let key = if name.key().is_empty() { "main program" } else { name.key() };
        let info = ProcedureInfo {
            sort: ProcSort::Program,
            class: ProcClass::External,
            proc: None,
            interface: None,
            pass: None,
        };
        let symbol = self.define(self.global, key, name, Role::Procedure(info));
        self.make_proc(self.global, symbol, ProcKind::Program, unit)
    }

    fn enter_module(&mut self, name: &ast::Name, key: Box<str>, unit: &'a ast::Unit) -> ScopeId {
        let symbol = self.define(self.global, &key, name, Role::Module { scope: None });
        let scope = self.open_scope(self.global, ScopeKind::Module(symbol), unit.head.place);
        self.decl_mut(symbol, |decl| decl.role = Role::Module { scope: Some(scope) });
        self.modules.push((scope, unit));
        scope
    }

    fn enter_block_data(&mut self, name: Option<&ast::Name>, unit: &'a ast::Unit) -> ScopeId {
        let unnamed = ast::Name::new("", unit.head.place);
        let (key, name) = match name {
            Some(name) => (name.key(), name),
            None => ("block data", &unnamed),
        };
        let symbol = self.define(self.global, key, name, Role::BlockData);
        let scope = self.open_scope(self.global, ScopeKind::BlockData(symbol), unit.head.place);
        self.modules.push((scope, unit));
        scope
    }

    /// Adds a global or contained name; a second definition is an error.
    fn define(&mut self, scope: ScopeId, key: &str, name: &ast::Name, role: Role) -> SymbolId {
        let place = self.place(name.place);
        let Some(&first) = self.names[scope].own.get(key) else {
            return self.declare_key(scope, key, name.spelling(), role, place);
        };
        let known = self.doc.symbols[first].decl.as_deref().map(|decl| decl.place);
        let first_spot = known.and_then(|place| self.doc.spot(place));
        let spot = self.doc.spot(place);
        self.diagnostics.push(
            Diagnostic::error(Code::DUPLICATE_UNIT, spot, format!("`{key}` is defined twice"))
                .with_note(first_spot, "it is defined here first")
                .with_help("translate the files in separate runs, or rename one"),
        );
        let number = self.doc.scopes[scope].symbols.len();
        self.add(scope, &format!("{key} {number}"), name.spelling(), role, place)
    }

    fn enter_procedure(&mut self, parent: ScopeId, unit: &'a ast::Unit) -> ScopeId {
        let Some(header) = header(unit) else { return parent };
        let class = match self.doc.scopes[parent].kind {
            ScopeKind::Module(_) | ScopeKind::Submodule { .. } => ProcClass::Module,
            ScopeKind::Procedure(_) => ProcClass::Internal,
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => ProcClass::External,
        };
        let info =
            ProcedureInfo { sort: header.sort, class, proc: None, interface: None, pass: None };
        let role = Role::Procedure(info);
        let symbol = self.define(parent, header.name.key(), header.name, role);
        let scope = self.make_proc(parent, symbol, header.kind, unit);
        let is_separate =
            header.kind == ProcKind::ModuleProcedure || self.has_attr(symbol, Attr::Module);
        if let Some(proc) = self.names[scope].proc.filter(|_| is_separate) {
            self.separate.entry(header.name.key().to_owned()).or_default().push(proc);
        }
        scope
    }

    /// The interface body `unit` in the interface block of `parent`.
    pub(super) fn enter_interface_body(
        &mut self,
        parent: ScopeId,
        unit: &'a ast::Unit,
        is_abstract: bool,
    ) -> Option<ScopeId> {
        let header = header(unit)?;
        let is_module = prefixes(unit).iter().any(|prefix| matches!(prefix, ast::Prefix::Module));
        let known = self.names[parent].own.get(header.name.key()).copied();
        let is_dummy = known.is_some_and(|symbol| self.is_dummy(symbol));
        let class = match (is_abstract, is_module, is_dummy) {
            (true, _, _) => ProcClass::Abstract,
            (_, true, _) => ProcClass::Module,
            (_, _, true) => ProcClass::Dummy,
            (false, false, false) => ProcClass::External,
        };
        let info =
            ProcedureInfo { sort: header.sort, class, proc: None, interface: None, pass: None };
        let symbol = match known {
            // A dummy procedure, or a name that a PUBLIC, POINTER or like statement mentions.
            Some(symbol) if matches!(self.doc.role(symbol), Some(Role::Variable)) => {
                self.decl_mut(symbol, |decl| decl.role = Role::Procedure(info));
                symbol
            }
            Some(symbol) if self.is_generic(symbol) => {
                let place = self.place(header.name.place);
                let key = header.name.key();
                let spelling = header.name.spelling();
                let (generic, id) = (symbol, format!("generic {key}"));
                self.doc.symbols[generic].id = id;
                let symbol = self.add(parent, key, spelling, Role::Procedure(info), place);
                self.names[parent].hidden.insert(key.into(), symbol);
                symbol
            }
            Some(_) | None => {
                self.define(parent, header.name.key(), header.name, Role::Procedure(info))
            }
        };
        let scope = self.make_proc(parent, symbol, header.kind, unit);
        self.work.pop();
        if !is_module {
            self.names[scope].host = Host::None;
        }
        let proc = self.names[scope].proc?;
        self.doc.procs[proc].body = Body::Interface;
        self.doc.scopes[scope].end = self.place(unit.end.head.place);
        Some(scope)
    }

    /// Makes the procedure and the scope of `symbol`.
    fn make_proc(
        &mut self,
        parent: ScopeId,
        symbol: SymbolId,
        kind: ProcKind,
        unit: &'a ast::Unit,
    ) -> ScopeId {
        let scope = self.open_scope(parent, ScopeKind::Procedure(symbol), unit.head.place);
        let place = self.place(unit.head.place);
        let proc = self.doc.procs.push(Procedure {
            symbol,
            scope,
            args: Vec::new(),
            result: None,
            kind,
            body: Body::Flow(Cfg::default()),
            place,
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
        self.names[scope].proc = Some(proc);
        self.decl_mut(symbol, |decl| {
            if let Role::Procedure(info) = &mut decl.role {
                info.proc = Some(proc);
            }
            decl.attrs.extend(prefixes(unit).iter().filter_map(prefix_attribute));
        });
        self.pending[symbol] = Some(Box::new(Pending::Unit(unit, proc)));
        self.work.push((unit, proc));
        for entry in entries(unit) {
            self.enter_entry(parent, entry, proc, kind);
        }
        scope
    }

    fn enter_entry(
        &mut self,
        parent: ScopeId,
        entry: &'a ast::Entry,
        proc: ProcId,
        kind: ProcKind,
    ) {
        let sort = match kind {
            ProcKind::Function => ProcSort::Function,
            ProcKind::Subroutine | ProcKind::Program | ProcKind::ModuleProcedure => {
                ProcSort::Subroutine
            }
        };
        let info = ProcedureInfo {
            sort,
            class: ProcClass::Entry,
            proc: Some(proc),
            interface: None,
            pass: None,
        };
        self.define(parent, entry.name.key(), &entry.name, Role::Procedure(info));
    }

    /// The procedure that the program unit `key` defines, where its source was given.
    pub(crate) fn given_external(&self, key: &str) -> Option<ProcId> {
        let symbol = self.names[self.global].own.get(key)?;
        match self.doc.role(*symbol) {
            Some(Role::Procedure(info)) => info.proc,
            _ => None,
        }
    }

    /// The global symbol of `name`, where there is one.
    pub(super) fn external_named(&self, name: &ast::Name) -> Option<SymbolId> {
        self.names[self.global].own.get(name.key()).copied()
    }
}

/// Under which key a submodule stands in the global scope.
pub(super) fn submodule_key(ancestor: &str, name: &str) -> Box<str> {
    format!("{ancestor}:{name}").into()
}

/// Name and kind of a procedure.
pub(super) fn header(unit: &ast::Unit) -> Option<Header<'_>> {
    let (name, sort, kind) = match &unit.kind {
        ast::UnitKind::Subroutine(procedure) => {
            (&procedure.name, ProcSort::Subroutine, ProcKind::Subroutine)
        }
        ast::UnitKind::Function(procedure) => {
            (&procedure.name, ProcSort::Function, ProcKind::Function)
        }
        ast::UnitKind::ModuleProcedure(name) => {
            (name, ProcSort::Unknown, ProcKind::ModuleProcedure)
        }
        ast::UnitKind::Program(_)
        | ast::UnitKind::Module(_)
        | ast::UnitKind::Submodule(_)
        | ast::UnitKind::BlockData(_) => return None,
    };
    Some(Header { name, sort, kind })
}

/// The opening statement of a subroutine or function.
pub(super) fn opening(unit: &ast::Unit) -> Option<&ast::Procedure> {
    match &unit.kind {
        ast::UnitKind::Subroutine(procedure) | ast::UnitKind::Function(procedure) => {
            Some(procedure)
        }
        ast::UnitKind::Program(_)
        | ast::UnitKind::Module(_)
        | ast::UnitKind::Submodule(_)
        | ast::UnitKind::BlockData(_)
        | ast::UnitKind::ModuleProcedure(_) => None,
    }
}

pub(super) fn prefixes(unit: &ast::Unit) -> &[ast::Prefix] {
    opening(unit).map_or(&[], |procedure| &procedure.prefixes)
}

fn prefix_attribute(prefix: &ast::Prefix) -> Option<Attr> {
    match prefix {
        ast::Prefix::Pure => Some(Attr::Pure),
        ast::Prefix::Impure => Some(Attr::Impure),
        ast::Prefix::Elemental => Some(Attr::Elemental),
        ast::Prefix::Recursive => Some(Attr::Recursive),
        ast::Prefix::NonRecursive => Some(Attr::NonRecursive),
        ast::Prefix::Module => Some(Attr::Module),
        ast::Prefix::Type(_) => None,
    }
}

/// The ENTRY statements of a unit, among declarations or executable statements.
pub(super) fn entries(unit: &ast::Unit) -> impl Iterator<Item = &ast::Entry> {
    let declared = unit.spec.iter().filter_map(|item| match item {
        ast::SpecItem::Stmt(stmt) => match &stmt.kind {
            ast::SpecKind::Entry(entry) => Some(entry),
            _ => None,
        },
        ast::SpecItem::Trivia(_) => None,
    });
    let executable = unit.exec.iter().filter_map(|item| match item {
        ast::ExecItem::Stmt(stmt) => match &stmt.kind {
            ast::StmtKind::Spec(spec) => match &**spec {
                ast::SpecKind::Entry(entry) => Some(entry),
                _ => None,
            },
            _ => None,
        },
        ast::ExecItem::Trivia(_) => None,
    });
    declared.chain(executable)
}
