//! The facts as a document records them.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{
    Arg, ArgValue, Document, EntityRef, ExprId, ExprKind, ProcClass, ProcId, RefId, Reference,
    Role, StmtId, StmtKind, SymbolId, SymbolKind,
};

use super::equations::StepId;
use super::heads::Head;
use super::marks::Marks;
use super::program::{Body, Piece, Program};
use crate::access::CallSort;

/// Facts that are found and not yet recorded. What is not here is not active.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    heads: Vec<Head>,
    symbols: BTreeSet<SymbolId>,
    references: BTreeSet<RefId>,
    procs: BTreeSet<ProcId>,
    subroutine_calls: BTreeSet<StmtId>,
    function_calls: BTreeSet<ExprId>,
}

impl Facts {
    /// Whether a variable has a derivative.
    pub(super) fn is_active(&self, symbol: SymbolId) -> bool {
        self.symbols.contains(&symbol)
    }

    pub(super) fn new(program: &Program<'_>, marks: &Marks, heads: &[Head]) -> Self {
        let mut facts = Facts {
            heads: heads.to_vec(),
            symbols: marks.symbols.clone(),
            references: marks.references.clone(),
            procs: marks.procs.clone(),
            ..Facts::default()
        };
        for &location in &marks.locations {
            for member in &program.storage.locations()[location].members {
                facts.symbols.insert(member.symbol);
                facts.symbols.extend(member.path.iter());
            }
        }
        facts.procedure_variables(program);
        for &proc in &marks.procs {
            if let Some(body) = program.body(proc) {
                facts.calls(proc, body, marks);
                facts.objects(program, body, marks);
            }
        }
        facts
    }

    /// A dummy procedure or procedure pointer is active if one of the procedures that it may mean
    /// is: the derivative procedure goes with it.
    fn procedure_variables(&mut self, program: &Program<'_>) {
        for symbol in program.doc.symbols.keys() {
            if is_procedure_variable(program.doc, symbol) {
                let bodies = program.storage.meaning(program.doc, symbol).bodies;
                if bodies.iter().any(|entry| self.procs.contains(&entry.proc)) {
                    self.symbols.insert(symbol);
                }
            }
        }
    }

    fn calls(&mut self, proc: ProcId, body: &Body, marks: &Marks) {
        let with_body = body.steps.iter().flat_map(|(&step, pieces)| {
            pieces.iter().filter_map(move |piece| match piece {
                Piece::Call(call) => Some((step, call.event, call.sort)),
                Piece::Plain(_) => None,
            })
        });
        let active = |step, event| marks.calls.contains(&(proc, step, event));
        for (step, _, sort) in with_body.filter(|&(step, event, _)| active(step, event)) {
            self.call(step, sort);
        }
        for (&(step, event), outside) in &body.outside {
            if marks.outside.contains(&(proc, step, event)) {
                self.call(step, outside.sort);
            }
        }
    }

    fn call(&mut self, step: StepId, sort: CallSort) {
        match (sort, step) {
            (CallSort::Function(expr), _) => {
                self.function_calls.insert(expr);
            }
            (CallSort::Subroutine, StepId::Stmt(stmt)) => {
                self.subroutine_calls.insert(stmt);
            }
            // The procedure of a user-defined assignment: the left-hand side tells.
            (CallSort::Subroutine | CallSort::Assignment, _) => {}
        }
    }

    /// Objects that are allocated, released or associated, and the targets of the latter.
    fn objects(&mut self, program: &Program<'_>, body: &Body, marks: &Marks) {
        let (doc, storage) = (program.doc, program.storage);
        let mut references = body.objects.clone();
        for step in &body.moves {
            if let StepId::Stmt(stmt) = step
                && let StmtKind::PointerAssign { rhs, .. } = &doc.stmts[*stmt].kind
                && let ExprKind::Ref(target) = &doc.exprs[*rhs].kind
            {
                references.push(*target);
            }
        }
        for reference in references {
            let locations = storage.reach(doc, reference);
            if locations.iter().any(|location| marks.locations.contains(location)) {
                self.references.insert(reference);
            }
        }
    }

    /// Writes the facts into the document that they were found in.
    pub fn record(&self, doc: &mut Document) {
        let variables: Vec<SymbolId> =
            doc.symbols.keys().filter(|&symbol| may_be_active(doc, symbol)).collect();
        for symbol in variables {
            doc.symbols[symbol].active = Some(self.symbols.contains(&symbol));
        }
        for (id, reference) in &mut doc.refs {
            reference.active = Some(self.references.contains(&id));
        }
        for stmt in (0..doc.stmts.len()).map(StmtId::new) {
            let active = self.is_active_call(doc, stmt);
            if let StmtKind::Call(call) = &mut doc.stmts[stmt].kind {
                call.active = Some(active);
            }
        }
        // What a statement function computes is that of its expression.
        let is_function = |id: &ExprId| {
            matches!(&doc.exprs[*id].kind, ExprKind::Call(call)
                if !matches!(doc.role(call.callee.symbol), Some(Role::StatementFunction)))
        };
        let functions: Vec<ExprId> = doc.exprs.keys().filter(is_function).collect();
        for id in functions {
            if let ExprKind::Call(call) = &mut doc.exprs[id].kind {
                call.active = Some(self.function_calls.contains(&id));
            }
        }
        for (id, proc) in &mut doc.procs {
            proc.active = Some(self.procs.contains(&id));
        }
        self.record_heads(doc);
    }

    /// An intrinsic subroutine (MOVE_ALLOC) is no call to the analysis: its arguments tell.
    fn is_active_call(&self, doc: &Document, stmt: StmtId) -> bool {
        let StmtKind::Call(call) = &doc.stmts[stmt].kind else { return false };
        let is_intrinsic = matches!(
            doc.role(call.callee.symbol),
            Some(Role::Procedure(info)) if info.class == ProcClass::Intrinsic
        );
        let is_active = |arg: &Arg| match arg.value {
            ArgValue::Expr(expr) => {
                matches!(&doc.exprs[expr].kind, ExprKind::Ref(r) if self.references.contains(r))
            }
            ArgValue::AlternateReturn(_) => false,
        };
        self.subroutine_calls.contains(&stmt) || (is_intrinsic && call.args.iter().any(is_active))
    }

    fn record_heads(&self, doc: &mut Document) {
        let chosen: BTreeMap<ProcId, &Head> =
            self.heads.iter().map(|head| (head.proc, head)).collect();
        for proc in (0..doc.procs.len()).map(ProcId::new) {
            let head = chosen.get(&proc);
            let independent = head.map_or(&[][..], |head| head.independent.as_slice());
            let dependent = head.map_or(&[][..], |head| head.dependent.as_slice());
            let old = std::mem::take(&mut doc.procs[proc].independent);
            doc.procs[proc].independent = references(doc, &old, independent);
            let old = std::mem::take(&mut doc.procs[proc].dependent);
            doc.procs[proc].dependent = references(doc, &old, dependent);
        }
    }
}

/// References of the document for what is chosen; those that it has already are taken.
fn references(doc: &mut Document, old: &[RefId], chosen: &[Reference]) -> Vec<RefId> {
    let mut ids = Vec::new();
    for reference in chosen {
        let same = |&&id: &&RefId| {
            doc.refs[id].base == reference.base && doc.refs[id].parts == reference.parts
        };
        let id = match old.iter().find(same) {
            Some(&id) => id,
            None => doc.refs.push(reference.clone()),
        };
        doc.refs[id].active = Some(true);
        // A document may name a variable twice.
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

fn is_procedure_variable(doc: &Document, symbol: SymbolId) -> bool {
    match doc.role(symbol) {
        Some(Role::Procedure(info)) => {
            matches!(info.class, ProcClass::Dummy | ProcClass::Pointer)
        }
        Some(_) | None => false,
    }
}

/// Whether it makes sense to say of a symbol that it is active or not.
fn may_be_active(doc: &Document, symbol: SymbolId) -> bool {
    match doc.role(symbol) {
        Some(Role::Variable | Role::Associate { .. } | Role::Unresolved { .. }) => true,
        Some(Role::Procedure(_)) => is_procedure_variable(doc, symbol),
        Some(
            Role::Constant
            | Role::Generic { .. }
            | Role::DerivedType { .. }
            | Role::TypeParam { .. }
            | Role::Binding { .. }
            | Role::Final { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::CommonBlock
            | Role::Namelist
            | Role::StatementFunction,
        ) => false,
        None => doc.symbols[symbol].kind != SymbolKind::Subroutine,
    }
}
