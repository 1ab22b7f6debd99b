//! What each step of a flow graph reads, writes and calls, in the order of execution.
//!
//! This is the one place that tells the kinds of statements and expressions apart for analyses.
//! A step becomes a list of [`Event`]s; an analysis that handles every event handles every
//! statement. A write says which reads flow into it differentiably: the set DP(e) of paper 1,
//! section 4.1, without indices, conditions, integer-valued subexpressions, arguments of inquiries
//! and second-class operands. What happens inside a callee is not looked at: a call says which
//! bodies it may execute and what their dummy arguments stand for.
//!
//! Not seen: FINAL procedures, and user-defined procedures for I/O of derived types.
//! `booster_shadow::derivative` refuses those whose effects could make a derivative wrong.

mod expr;
mod stmt;
use std::collections::HashMap;

use smallvec::SmallVec;
use xaif_schema::model::{
    ArgValue, Callee, Document, Expr, ExprId, ExprKind, Place, ProcId, RefId, Role, SpecItem,
    SymbolId,
};

use super::EntryOf;
use super::storage::{Lifetime, Locations, Storage, Targets};
use booster_flow::Step;

/// What a step does, in order.
pub type Events<'d> = Vec<Event<'d>>;

/// One thing that a step does.
#[derive(Clone, Debug)]
pub enum Event<'d> {
    /// The value of a variable is read.
    Read(RefId, ReadRole),
    /// A variable is written.
    Write(Write),
    /// A procedure is called. What it returns is [`Source::Result`] in later events of the step.
    Call(Box<CallSite<'d>>),
    /// ALLOCATE of an object, whose bounds are its last part; its value is undefined afterwards.
    Allocate(RefId),
    /// DEALLOCATE or NULLIFY of an object.
    Release {
        /// The object.
        object: RefId,
        /// Whether it is NULLIFY, which leaves the target as it is.
        nullify: bool,
    },
    /// A pointer is associated with another target, `pointer => …`. The target is of the same location.
    Associate(RefId),
    /// Properties are read: those on the way to what the reference names, and those of its components.
    Ask(RefId, Locations),
    /// Properties of an object are written.
    Reshape(Reshape),
    /// Everything that is visible may be read and written.
    Anything,
}

/// A write of properties.
#[derive(Clone, Debug)]
pub struct Reshape {
    /// The object whose properties, or those of its components, are written.
    pub place: Written,
    /// The properties.
    pub locations: Locations,
    /// Whether all of each of them is written whenever the step is executed.
    pub certain: bool,
    /// Whether the statement stands for this alone: ALLOCATE, DEALLOCATE, NULLIFY, pointer assignment, MOVE_ALLOC. The
    /// adjoint undoes these whatever is required.
    pub explicit: bool,
    /// Whether the new properties depend on the old ones: an assignment of a whole value keeps bounds where the shape
    /// stays.
    pub keeps: bool,
}

/// What a read is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadRole {
    /// A value of an expression; whether it flows on differentiably, the write says.
    Value,
    /// A subscript.
    Index,
    /// A condition, selector or mask.
    Control,
    /// A bound or stride: of a loop, an implied DO, a declaration or an allocation.
    Bound,
    /// Only type, bounds or status are asked for, not the value.
    Inquiry,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {
    /// A reference of the program.
    Ref(RefId),
    /// The whole of a variable that no reference names here: an index of a FORALL, DO CONCURRENT or
    /// implied DO, an associate name whose selector is an expression, a dummy argument of a
    /// statement function, a variable with default initialisation.
    Symbol(SymbolId),
}

/// A write.
#[derive(Clone, Debug)]
pub struct Write {
    /// What is written.
    pub place: Written,
    /// Whether all of `place` is written whenever the step is executed: not masked, not by I/O.
    pub certain: bool,
    /// What flows into it differentiably.
    pub sources: Vec<Source>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A reference that is read.
    Ref(RefId),
    /// The value of the call with this index among the events of the step.
    Result(u32),
}

/// What sort of call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallSort {
    /// CALL.
    Subroutine,
    /// A function reference or user-defined operator: this node.
    Function(ExprId),
    /// User-defined assignment: the first actual argument is the left-hand side.
    Assignment,
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallSite<'d> {
    /// What the program names.
    pub callee: &'d Callee,
    /// What may be executed. A symbol of `outside` that is an intrinsic function (passed as an
    /// argument) reads its arguments and does nothing else.
    pub targets: Targets,
    /// What sort of call it is.
    pub sort: CallSort,
    /// The actual arguments, as far as they are present; the object of a type-bound call, whose
    /// position depends on the body, is not among them.
    pub actuals: Vec<Actual>,
    /// Where it stands.
    pub place: Place,
}

/// An actual argument.
#[derive(Clone, Debug)]
pub struct Actual {
    /// The position among the dummy arguments, from 0.
    pub position: usize,
    /// What is passed.
    pub value: ActualValue,
}

/// What is passed for a dummy argument.
#[derive(Clone, Debug)]
pub enum ActualValue {
    /// A variable: the callee reads and writes it itself.
    Variable(RefId),
    /// The object of a type-bound call: the reference without its last part.
    Object(RefId),
    /// The target of a pointer that a function returns: the callee reads and writes the locations of
    /// the variables that hold such results. The value is that of the call with this index.
    Target(Vec<SymbolId>, u32),
    /// The value of an expression, and what flows into it differentiably.
    Value(ExprId, Vec<Source>),
    /// A procedure.
    Procedure(SymbolId),
}

impl CallSite<'_> {
    /// The dummy arguments of one of the bodies with what is passed for them, in order.
    pub fn bindings(
        &self,
        doc: &Document,
        storage: &Storage,
        entry: EntryOf,
    ) -> Vec<(SymbolId, ActualValue)> {
        let dummies = storage.procedures().dummies(doc, entry);
        let dummy = |position: usize| dummies.get(position).and_then(|dummy| dummy.symbol);
        let mut found = Vec::new();
        if let Some((position, object)) = storage.passed_object(doc, self.callee, entry) {
            found.extend(dummy(position).map(|d| (position, d, ActualValue::Object(object))));
        }
        for actual in &self.actuals {
            if let Some(symbol) = dummy(actual.position) {
                found.push((actual.position, symbol, actual.value.clone()));
            }
        }
        found.sort_by_key(|(position, ..)| *position);
        found.into_iter().map(|(_, dummy, value)| (dummy, value)).collect()
    }
}

/// The accesses of a document.
#[derive(Debug)]
pub struct Accesses<'d> {
    doc: &'d Document,
    storage: &'d Storage,
    /// Associate names by selector, where that is no variable.
    selected: HashMap<ExprId, Vec<SymbolId>>,
    statement_functions: HashMap<SymbolId, (&'d [SymbolId], ExprId)>,
}

impl<'d> Accesses<'d> {
    /// Looks through the declarations.
    pub fn new(doc: &'d Document, storage: &'d Storage) -> Self {
        let mut selected: HashMap<ExprId, Vec<SymbolId>> = HashMap::new();
        for symbol in doc.symbols.keys() {
            if let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol)
                && !is_variable(&doc.exprs[*selector])
            {
                selected.entry(*selector).or_default().push(symbol);
            }
        }
        let mut statement_functions = HashMap::new();
        for item in doc.scopes.values().flat_map(|scope| &scope.items) {
            if let SpecItem::StatementFunction { symbol, args, body, .. } = item {
                statement_functions.insert(*symbol, (args.as_slice(), *body));
            }
        }
        Accesses { doc, storage, selected, statement_functions }
    }

    /// The document.
    pub fn doc(&self) -> &'d Document {
        self.doc
    }

    /// The locations of the document.
    pub fn storage(&self) -> &'d Storage {
        self.storage
    }

    /// What a step of the flow graph of `proc` does.
    pub fn of(&self, proc: ProcId, step: Step<'d>) -> Events<'d> {
        let mut walk = expr::Walk::new(self);
        match step {
            Step::Enter(_) => walk.enter(proc),
            Step::Stmt(stmt) => walk.stmt(stmt, true),
            Step::Evaluate(condition) => {
                walk.read(condition, ReadRole::Control);
                walk.select(condition);
            }
            Step::Concurrent(header) => walk.header(header),
            Step::Leave => {}
        }
        walk.events
    }

    /// The locations that a write touches, and whether it overwrites all of each of them.
    pub fn written(&self, write: &Write) -> (Locations, bool) {
        match write.place {
            Written::Ref(reference) => {
                let locations = self.storage.locations_of(self.doc, reference);
                (locations, write.certain && self.storage.kills(self.doc, reference))
            }
            Written::Symbol(symbol) => {
                let locations = self.storage.value_of_symbol(symbol);
                let whole = locations
                    .iter()
                    .all(|&location| self.storage.locations()[location].strong_update);
                (locations, write.certain && whole)
            }
        }
    }

    /// The locations that the results of a call are in, in the callees' terms.
    pub fn results(&self, call: &CallSite<'_>) -> SmallVec<[SymbolId; 2]> {
        let procedures = self.storage.procedures();
        let bodies = call.targets.bodies.iter();
        bodies.filter_map(|&entry| procedures.result(self.doc, entry)).collect()
    }

    /// Whether a body of the document sees a location without being given it: it is global, or a
    /// variable of a procedure around it.
    pub fn sees(&self, proc: ProcId, home: Lifetime) -> bool {
        match home {
            Lifetime::Global => true,
            Lifetime::Local(owner) | Lifetime::Dummy(owner) => {
                owner != proc && self.storage.procedures().is_inside(self.doc, proc, owner)
            }
        }
    }
}

/// Whether an expression is a variable, which an argument or associate name stands for.
fn is_variable(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Ref(_)) && !expr.parens
}

/// The argument, where it is no alternate return.
fn expr_of(value: ArgValue) -> Option<ExprId> {
    match value {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    }
}
