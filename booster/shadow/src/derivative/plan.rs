//! What gets a derivative: decided for the whole document before anything is made.
//!
//! Where activity analysis has run ([`Procedure::active`] tells) it decides; else every procedure
//! with a body but main programs, and every variable whose type carries derivatives.
//!
//! [`Procedure::active`]: xaif_schema::model::Procedure::active

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Body, Document, ProcId, ProcKind, Role, ScopeId, ScopeKind, SpecItem, SymbolId,
};

use super::classes::Classes;
use super::storage::{self, CommonPlan};
use super::types::Types;
use super::unseen;
use crate::jacobian::entries_that_are_allocated;

/// What gets a derivative.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Procedures that get a derivative procedure; with an internal one its hosts.
    pub(super) procs: BTreeSet<ProcId>,
    /// Variables that get a derivative variable.
    pub(super) variables: HashSet<SymbolId>,
    /// Procedures that must agree on their arguments.
    pub(super) classes: Classes,
    /// Types that carry derivatives.
    pub(super) types: Types,
    /// COMMON blocks that get a derivative block.
    pub(super) commons: HashMap<SymbolId, CommonPlan>,
    /// What modules hide: by symbol, and (`None`) unless said otherwise.
    hidden: HashMap<(ScopeId, Option<SymbolId>), bool>,
    /// The procedure whose scope it is.
    pub(super) proc_of: HashMap<ScopeId, ProcId>,
}

impl Plan {
    /// Decides.
    pub(super) fn new(doc: &Document, directions: Option<u32>) -> Result<Plan, Diagnostics> {
        let mut problems = Diagnostics::new();
        let analysed = doc.procs.values().any(|proc| proc.active.is_some());
        let types = Types::new(doc);
        let proc_of = doc.procs.iter().map(|(id, proc)| (proc.scope, id)).collect();
        let hidden = hidden(doc);
        let mut plan = Plan { types, proc_of, hidden, ..Plan::default() };
        for (id, proc) in doc.procs.iter() {
            if !matches!(proc.body, Body::Flow(_)) {
                continue;
            }
            let in_program = plan.is_in_program(doc, id);
            let wanted = if analysed { proc.active == Some(true) } else { !in_program };
            if wanted && in_program {
                problems.push(in_main_program(doc, id));
            } else if wanted {
                plan.procs.insert(id);
                plan.procs.extend(plan.hosts(doc, id));
            }
        }
        let entries = entries_that_are_allocated(doc);
        for (id, symbol) in doc.symbols.iter() {
            let Some(decl) = symbol.decl.as_deref() else { continue };
            let variable = matches!(decl.role, Role::Variable | Role::Associate { .. });
            let wanted = !analysed || symbol.active != Some(false);
            if variable && wanted && !entries.contains(&id) && plan.types.carries(decl.spec.base())
            {
                plan.variables.insert(id);
            }
        }
        storage::close(doc, &mut plan, directions, &mut problems);
        plan.agree(doc, analysed);
        unseen::check(doc, &plan, &mut problems);
        if problems.has_errors() { Err(problems) } else { Ok(plan) }
    }

    /// Procedures that are called by one name agree on which arguments have derivatives, and all of
    /// them have a derivative where one has.
    fn agree(&mut self, doc: &Document, analysed: bool) {
        self.classes = Classes::new(doc);
        self.classes.decide(doc, &self.procs, analysed);
        for group in self.classes.groups() {
            for &proc in &group {
                let body = matches!(doc.procs[proc].body, Body::Flow(_));
                if body && !self.is_in_program(doc, proc) && self.procs.insert(proc) {
                    self.procs.extend(self.hosts(doc, proc));
                }
            }
            let bodies: Vec<ProcId> =
                group.iter().copied().filter(|proc| self.procs.contains(proc)).collect();
            let judges = if bodies.is_empty() { &group } else { &bodies };
            let variables = judges.iter().flat_map(|&proc| arguments(doc, proc));
            let active: HashSet<Option<u32>> = variables
                .filter(|(_, variable)| self.variables.contains(variable))
                .map(|(position, _)| position)
                .collect();
            for (position, variable) in group.iter().flat_map(|&proc| arguments(doc, proc)) {
                let decl = doc.symbols[variable].decl.as_deref();
                let carries = decl.is_some_and(|decl| {
                    matches!(decl.role, Role::Variable) && self.types.carries(decl.spec.base())
                });
                if active.contains(&position) && carries {
                    self.variables.insert(variable);
                } else {
                    self.variables.remove(&variable);
                }
            }
        }
    }

    /// The procedures that `proc` is internal to, innermost first.
    fn hosts(&self, doc: &Document, proc: ProcId) -> Vec<ProcId> {
        let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
        let around = std::iter::successors(doc.scopes[doc.procs[proc].scope].parent, parents);
        around.filter_map(|scope| self.proc_of.get(&scope).copied()).collect()
    }

    pub(super) fn is_in_program(&self, doc: &Document, proc: ProcId) -> bool {
        let is_program = |proc: ProcId| doc.procs[proc].kind == ProcKind::Program;
        is_program(proc) || self.hosts(doc, proc).into_iter().any(is_program)
    }

    /// Whether a symbol of a module cannot be seen through a USE of it.
    pub(super) fn is_hidden(&self, doc: &Document, symbol: SymbolId) -> bool {
        let said = |what| self.hidden.get(&(doc.symbols[symbol].scope, what)).copied();
        said(Some(symbol)).or_else(|| said(None)).unwrap_or(false)
    }

    /// The module whose derivative module holds the derivative of a procedure or variable of
    /// `scope`: the module itself, for a submodule the module that it belongs to.
    pub(super) fn module_of(&self, doc: &Document, scope: ScopeId) -> Option<ScopeId> {
        let mut current = Some(scope);
        while let Some(here) = current {
            match doc.scopes[here].kind {
                ScopeKind::Module(_) => return Some(here),
                ScopeKind::Submodule { .. } => current = doc.scopes[here].parent,
                _ => return None,
            }
        }
        None
    }
}

/// The dummy arguments of a procedure with their positions, and (`None`) its result.
fn arguments(doc: &Document, proc: ProcId) -> impl Iterator<Item = (Option<u32>, SymbolId)> + '_ {
    let data = &doc.procs[proc];
    let args = data.args.iter().filter_map(|arg| Some((Some(arg.position), arg.symbol?)));
    args.chain(data.result.map(|result| (None, result)))
}

/// What PUBLIC and PRIVATE statements and attributes say.
fn hidden(doc: &Document) -> HashMap<(ScopeId, Option<SymbolId>), bool> {
    let mut hidden = HashMap::new();
    for (id, scope) in doc.scopes.iter() {
        for item in &scope.items {
            let SpecItem::Access { private, symbols } = item else { continue };
            if symbols.is_empty() {
                hidden.insert((id, None), *private);
            }
            hidden.extend(symbols.iter().map(|&symbol| ((id, Some(symbol)), *private)));
        }
    }
    for (id, symbol) in doc.symbols.iter() {
        let Some(decl) = symbol.decl.as_deref() else { continue };
        for (attr, private) in [(Attr::Private, true), (Attr::Public, false)] {
            if decl.has(attr) {
                hidden.insert((symbol.scope, Some(id)), private);
            }
        }
        // It may have its access from a type of the same name.
        if matches!(decl.role, Role::Generic { .. }) {
            hidden.insert((symbol.scope, Some(id)), doc.is_private(id));
        }
    }
    hidden
}

fn in_main_program(doc: &Document, proc: ProcId) -> Diagnostic {
    let data = &doc.procs[proc];
    let message = match data.kind {
        ProcKind::Program => "a main program has no arguments to be differentiated".to_owned(),
        _ => format!(
            "`{}` is internal to a main program and cannot be differentiated",
            doc.name(data.symbol)
        ),
    };
    Diagnostic::error(Code::ACTIVE_MAIN_PROGRAM, doc.spot(data.place), message)
        .with_help("move what is to be differentiated into a module or an external procedure")
}
