//! In which order units are lowered: a module before all that use it.

use std::collections::HashMap;

use xaif_schema::diag::Code;
use xaif_schema::model::{Body, Role, ScopeId, ScopeKind};

use super::mentions::Mentions;
use super::units::submodule_key;
use crate::lower::Lowering;
use crate::syntax::ast;

/// How far the search has come with a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl<'a> Lowering<'a> {
    /// Lowers all of `files`: declarations of modules first, then those of all procedures, then
    /// bodies, hosts before what they contain.
    pub(crate) fn run(&mut self, files: &'a [ast::File]) {
        self.enter_files(files);
        self.adopt_submodules();
        self.note_mentions();
        let modules = self.modules.clone();
        for index in self.module_order(&modules) {
            let (scope, unit) = modules[index];
            self.file = self.names[scope].file;
            self.specification(unit, scope);
        }
        let work = self.work.clone();
        for &(_, proc) in &work {
            self.settle(self.doc.procs[proc].symbol);
        }
        for &(unit, proc) in &work {
            self.lower_body(unit, proc);
        }
        self.name_program();
    }

    /// Looks which names the bodies use, before any declaration is looked at.
    fn note_mentions(&mut self) {
        for (unit, proc) in self.work.clone() {
            let mentions = Mentions::of(&unit.exec);
            let names = &mut self.names[self.doc.procs[proc].scope];
            names.functions = mentions.functions();
            names.subroutines = mentions.subroutines;
            if unit.contains.is_some() {
                names.mentioned = mentions.variables;
            }
        }
    }

    /// Puts each submodule under its parent.
    fn adopt_submodules(&mut self) {
        for (scope, unit) in self.modules.clone() {
            let ast::UnitKind::Submodule(submodule) = &unit.kind else { continue };
            self.file = self.names[scope].file;
            let ScopeKind::Module(symbol) = self.doc.scopes[scope].kind else { continue };
            let (key, parent_name) = match &submodule.parent {
                Some(parent) => (submodule_key(submodule.ancestor.key(), parent.key()), parent),
                None => (submodule.ancestor.key().into(), &submodule.ancestor),
            };
            let parent = match self.names[self.global].own.get(&key).copied() {
                Some(parent) => parent,
                None => {
                    self.error(
                        Code::UNKNOWN_PARENT,
                        parent_name.place,
                        format!("the source of `{parent_name}` was not given"),
                        "add the file that defines it to the command line",
                    );
                    self.declare_key(
                        self.global,
                        &key,
                        parent_name.spelling(),
                        Role::Module { scope: None },
                        self.place(parent_name.place),
                    )
                }
            };
            self.doc.scopes[scope].kind = ScopeKind::Submodule { symbol, parent };
            if let Some(Role::Module { scope: Some(around) }) = self.doc.role(parent)
                && *around != scope
            {
                self.doc.set_parent(scope, Some(*around));
            }
        }
    }

    /// Indices into `modules`, each after the modules that it uses.
    fn module_order(&mut self, modules: &[(ScopeId, &'a ast::Unit)]) -> Vec<usize> {
        let index: HashMap<ScopeId, usize> =
            modules.iter().enumerate().map(|(index, (scope, _))| (*scope, index)).collect();
        let needs: Vec<Vec<(usize, ast::Place)>> =
            modules.iter().map(|(scope, unit)| self.needed_modules(*scope, unit, &index)).collect();
        let mut state = vec![State::New; modules.len()];
        let mut order = Vec::new();
        for start in 0..modules.len() {
            if state[start] != State::New {
                continue;
            }
            state[start] = State::Open;
            let mut path = vec![(start, 0)];
            while let Some((module, next)) = path.last_mut() {
                let module = *module;
                let Some(&(needed, place)) = needs[module].get(*next) else {
                    state[module] = State::Done;
                    order.push(module);
                    path.pop();
                    continue;
                };
                *next += 1;
                match state[needed] {
                    State::New => {
                        state[needed] = State::Open;
                        path.push((needed, 0));
                    }
                    State::Open => {
                        let circle: Vec<usize> = path
                            .iter()
                            .map(|&(module, _)| module)
                            .skip_while(|&module| module != needed)
                            .collect();
                        self.report_circle(modules, &circle, place);
                    }
                    State::Done => {}
                }
            }
        }
        order
    }

    fn report_circle(
        &mut self,
        modules: &[(ScopeId, &'a ast::Unit)],
        circle: &[usize],
        place: ast::Place,
    ) {
        let Some(&last) = circle.last() else { return };
        self.file = self.names[modules[last].0].file;
        let names: Vec<String> = circle
            .iter()
            .chain(circle.first())
            .filter_map(|&module| modules[module].1.name())
            .map(|name| format!("`{name}`"))
            .collect();
        self.error(
            Code::MODULE_CYCLE,
            place,
            format!("modules use each other in a circle: {}", names.join(" uses ")),
            "move what they share into a module of its own",
        );
    }

    /// The given modules that `unit` and what it contains use, and its parent if a submodule.
    fn needed_modules(
        &self,
        scope: ScopeId,
        unit: &'a ast::Unit,
        index: &HashMap<ScopeId, usize>,
    ) -> Vec<(usize, ast::Place)> {
        let mut needs = Vec::new();
        if let Some(parent) = self.doc.scopes[scope].parent
            && let Some(&parent) = index.get(&parent)
        {
            needs.push((parent, unit.head.place));
        }
        let mut todo = vec![unit];
        while let Some(unit) = todo.pop() {
            for used in uses(&unit.spec) {
                let Some(&symbol) = self.names[self.global].own.get(used.module.key()) else {
                    continue;
                };
                if let Some(Role::Module { scope: Some(scope) }) = self.doc.role(symbol)
                    && let Some(&module) = index.get(scope)
                {
                    needs.push((module, used.module.place));
                }
            }
            let items = unit.contains.iter().flat_map(|contains| &contains.items);
            todo.extend(items.filter_map(|item| match item {
                ast::UnitItem::Unit(unit) => Some(unit.as_ref()),
                ast::UnitItem::Trivia(_) => None,
            }));
        }
        needs
    }

    fn name_program(&mut self) {
        let main = self.doc.procs.values().find(|proc| {
            proc.kind == xaif_schema::model::ProcKind::Program && matches!(proc.body, Body::Flow(_))
        });
        let unit = main.map(|proc| proc.symbol).or_else(|| {
            let global = &self.doc.scopes[self.global];
            global.symbols.first().copied()
        });
        self.doc.program_name =
            unit.map(|symbol| self.doc.name(symbol).to_owned()).filter(|name| !name.is_empty());
    }
}

/// The USE statements of a specification part.
fn uses(spec: &[ast::SpecItem]) -> impl Iterator<Item = &ast::Use> {
    spec.iter().filter_map(|item| match item {
        ast::SpecItem::Stmt(stmt) => match &stmt.kind {
            ast::SpecKind::Use(used) => Some(used),
            _ => None,
        },
        ast::SpecItem::Trivia(_) => None,
    })
}
