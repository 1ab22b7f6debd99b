//! Expressions: what is read and called as they are evaluated, and what flows into their value.
//!
//! Both go over the nodes with a stack of their own, so that deep expressions cannot overflow the
//! stack of the thread.

use std::collections::{HashMap, HashSet};

use xaif_schema::intrinsics::{self, ResultType};
use xaif_schema::model::{
    Access, Arg, Base, Callee, Expr, ExprId, ExprKind, FunctionCall, ImpliedDo, Operands, Part,
    Place, RefId, Role, Subscript, SymbolId, Ty, TypeClass,
};

use super::{
    Accesses, Actual, ActualValue, CallSite, CallSort, Event, Events, ReadRole, Source, Write,
    Written, expr_of, is_variable,
};
use crate::EntryOf;
use crate::storage::{Locations, Targets, takes_property};

/// Statement functions that call each other more deeply go round in a circle.
const MOST_STATEMENT_FUNCTIONS: u32 = 64;

/// Operands through which no derivative passes although they are real numbers, by Fortran name and
/// position (0 is all). Derivatives with respect to them are zero wherever they exist.
const SECOND_CLASS: &[(&str, u16)] =
    &[("aint", 0), ("anint", 0), ("nearest", 2), ("rrspacing", 0), ("sign", 2), ("spacing", 0)];

/// The events of one step as they are found.
pub(super) struct Walk<'a, 'd> {
    pub(super) accesses: &'a Accesses<'d>,
    pub(super) events: Events<'d>,
    /// The events of the calls; more than one for a call in a statement function.
    calls: HashMap<ExprId, Vec<u32>>,
    depth: u32,
    /// Calls within statement functions whose events are there: those of another execution are the same.
    written_out: HashSet<(ExprId, ReadRole)>,
}

/// The sources of the values of statement functions, by their bodies.
type Values = HashMap<ExprId, Vec<Source>>;

/// What is still to be done, last first.
enum Task {
    Visit(ExprId, ReadRole),
    Read(RefId, ReadRole),
    Call(ExprId),
    /// What an impure intrinsic function writes.
    Change(ExprId),
    Index(SymbolId),
    StatementFunction(ExprId, ReadRole),
}

impl<'a, 'd> Walk<'a, 'd> {
    pub(super) fn new(accesses: &'a Accesses<'d>) -> Self {
        Walk {
            accesses,
            events: Vec::new(),
            calls: HashMap::new(),
            depth: 0,
            written_out: HashSet::new(),
        }
    }

    /// Evaluates an expression.
    pub(super) fn read(&mut self, root: ExprId, role: ReadRole) {
        let doc = self.accesses.doc;
        let mut tasks = vec![Task::Visit(root, role)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(expr, role) => self.visit(expr, role, &mut tasks),
                Task::Read(reference, role) => self.read_reference(reference, role),
                Task::Call(id) => {
                    if let ExprKind::Call(call) = &doc.exprs[id].kind {
                        self.call_function(id, call);
                    }
                }
                Task::Change(id) => self.change(id),
                Task::Index(symbol) => self.write_symbol(symbol, Vec::new()),
                Task::StatementFunction(id, role) => self.statement_function(id, role),
            }
        }
    }

    fn visit(&mut self, id: ExprId, role: ReadRole, tasks: &mut Vec<Task>) {
        let doc = self.accesses.doc;
        match &doc.exprs[id].kind {
            ExprKind::Constant(_) | ExprKind::Procedure(_) => {}
            ExprKind::Ref(reference) => {
                tasks.push(Task::Read(*reference, role));
                push_indices(&doc.refs[*reference].parts, ReadRole::Index, tasks);
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                let row = intrinsics::by_xaif(name);
                let access = |position: u16| {
                    let index = usize::from(position).wrapping_sub(1);
                    row.and_then(|row| row.dummy(index)).map_or(Access::Read, |d| d.access)
                };
                let changes =
                    |position| matches!(access(position), Access::Write | Access::ReadWrite);
                if operands.iter().any(|operand| changes(operand.position)) {
                    tasks.push(Task::Change(id));
                }
                for operand in operands.iter().rev() {
                    match access(operand.position) {
                        Access::Inquire => {
                            tasks.push(Task::Visit(operand.expr, ReadRole::Inquiry));
                        }
                        Access::Read | Access::ReadWrite => {
                            tasks.push(Task::Visit(operand.expr, role));
                        }
                        Access::Write => {}
                    }
                }
            }
            ExprKind::Boolean { operands, .. } => visit_all(operands, role, tasks),
            ExprKind::Call(call) => match doc.role(call.callee.symbol) {
                Some(Role::StatementFunction) => tasks.push(Task::StatementFunction(id, role)),
                Some(_) | None => {
                    tasks.push(Task::Call(id));
                    self.visit_arguments(&call.callee, &call.args, tasks);
                }
            },
            ExprKind::ArrayConstructor { items, .. } => {
                tasks.extend(items.iter().rev().map(|&item| Task::Visit(item, role)));
            }
            ExprKind::ImpliedDo(implied) => visit_implied_do(implied, role, tasks),
            ExprKind::StructureConstructor { args, .. } => {
                let values = args.iter().rev().filter_map(|arg| expr_of(arg.value));
                tasks.extend(values.map(|value| Task::Visit(value, role)));
            }
            ExprKind::Opaque(_) => self.events.push(Event::Anything),
        }
    }

    /// What is evaluated before a call: indices of variables, values of expressions.
    fn visit_arguments(&self, callee: &Callee, args: &[Arg], tasks: &mut Vec<Task>) {
        let doc = self.accesses.doc;
        for arg in args.iter().rev() {
            let Some(id) = expr_of(arg.value) else { continue };
            match &doc.exprs[id] {
                Expr { kind: ExprKind::Ref(reference), parens: false, .. }
                    if !self.accesses.doc().is_intrinsic(callee.symbol) =>
                {
                    push_indices(&doc.refs[*reference].parts, ReadRole::Index, tasks);
                }
                _ => tasks.push(Task::Visit(id, ReadRole::Value)),
            }
        }
        if let Some(object) = callee.object {
            push_indices(&doc.refs[object].parts, ReadRole::Index, tasks);
        }
    }

    /// Evaluates what is evaluated before a call.
    pub(super) fn arguments(&mut self, callee: &Callee, args: &[Arg]) {
        let mut tasks = Vec::new();
        self.visit_arguments(callee, args, &mut tasks);
        self.run(tasks);
    }

    /// Reads the subscripts, bounds and so on of a reference.
    pub(super) fn indices(&mut self, reference: RefId, role: ReadRole) {
        let mut tasks = Vec::new();
        push_indices(&self.accesses.doc.refs[reference].parts, role, &mut tasks);
        self.run(tasks);
    }

    fn run(&mut self, mut tasks: Vec<Task>) {
        tasks.reverse();
        for task in tasks {
            match task {
                Task::Visit(expr, role) => self.read(expr, role),
                Task::Read(reference, role) => self.read_reference(reference, role),
                Task::Index(symbol) => self.write_symbol(symbol, Vec::new()),
                Task::Call(_) | Task::Change(_) | Task::StatementFunction(..) => {}
            }
        }
    }

    pub(super) fn read_reference(&mut self, reference: RefId, role: ReadRole) {
        if self.accesses.storage.has_storage(self.accesses.doc.refs[reference].base) {
            self.events.push(Event::Read(reference, role));
            self.ask(reference);
        }
    }

    /// Reads the properties that reading `reference` depends on.
    pub(super) fn ask(&mut self, reference: RefId) {
        let locations = self.accesses.storage.asked_by(self.accesses.doc, reference);
        self.ask_locations(reference, locations);
    }

    pub(super) fn ask_locations(&mut self, reference: RefId, locations: Locations) {
        if !locations.is_empty() {
            self.events.push(Event::Ask(reference, locations));
        }
    }

    /// The properties that passing arguments depends on, for dummy arguments that do not take the property itself.
    fn ask_actuals(&mut self, callee: &Callee, targets: &Targets, actuals: &[Actual]) {
        let (doc, storage) = (self.accesses.doc, self.accesses.storage);
        for actual in actuals {
            let ActualValue::Variable(reference) = actual.value else { continue };
            // What a known callee asks of passive components is among its own effects.
            let is_known = !targets.unknown && targets.outside.is_empty();
            let locations = match is_known && doc.refs[reference].active == Some(false) {
                true => storage.asked_by_passing(doc, reference),
                false => storage.asked_by(doc, reference),
            };
            let takes =
                |symbol: Option<SymbolId>| symbol.is_some_and(|symbol| takes_property(doc, symbol));
            let in_body = |&entry: &EntryOf| {
                let dummies = storage.procedures().dummies(doc, entry);
                takes(dummies.get(actual.position).and_then(|dummy| dummy.symbol))
            };
            if !locations.is_empty() && !targets.bodies.iter().any(in_body) {
                self.ask_locations(reference, locations);
            }
        }
        if let Some(object) = callee.object {
            let locations = storage.asked_by_object(doc, object);
            self.ask_locations(object, locations);
        }
    }

    pub(super) fn write_symbol(&mut self, symbol: SymbolId, sources: Vec<Source>) {
        let place = Written::Symbol(symbol);
        self.events.push(Event::Write(Write { place, certain: true, sources }));
    }

    fn call_function(&mut self, id: ExprId, call: &'d FunctionCall) {
        if self.accesses.doc().is_intrinsic(call.callee.symbol) {
            return;
        }
        let place = self.accesses.doc.exprs[id].place;
        let index = self.call(&call.callee, &call.args, CallSort::Function(id), place);
        self.calls.entry(id).or_default().push(index);
    }

    /// Adds the event of a call whose arguments have been evaluated.
    pub(super) fn call(
        &mut self,
        callee: &'d Callee,
        args: &[Arg],
        sort: CallSort,
        place: Place,
    ) -> u32 {
        let doc = self.accesses.doc;
        let mut actuals = Vec::new();
        for arg in args {
            let Some(expr) = expr_of(arg.value) else { continue };
            let position = (arg.position as usize).wrapping_sub(1);
            actuals.push(Actual { position, value: self.actual(expr) });
        }
        let targets = self.accesses.storage.targets(doc, callee);
        self.ask_actuals(callee, &targets, &actuals);
        let site = CallSite { callee, targets, sort, actuals, place };
        self.events.push(Event::Call(Box::new(site)));
        self.events.len() as u32 - 1
    }

    pub(super) fn actual(&self, id: ExprId) -> ActualValue {
        let doc = self.accesses.doc;
        let expr = &doc.exprs[id];
        match &expr.kind {
            ExprKind::Ref(reference) if is_variable(expr) => ActualValue::Variable(*reference),
            ExprKind::Procedure(symbol) => ActualValue::Procedure(*symbol),
            ExprKind::Call(call) if !expr.parens => {
                let results = self.accesses.storage.pointer_results(doc, &call.callee);
                let event = self.calls.get(&id).and_then(|events| events.last());
                match event {
                    Some(&event) if !results.is_empty() => ActualValue::Target(results, event),
                    Some(_) | None => ActualValue::Value(id, self.flows(id)),
                }
            }
            ExprKind::Ref(_)
            | ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => ActualValue::Value(id, self.flows(id)),
        }
    }

    /// What an impure intrinsic function writes: `ran(seed)`.
    fn change(&mut self, id: ExprId) {
        let doc = self.accesses.doc;
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[id].kind else { return };
        let Some(row) = intrinsics::by_xaif(name) else { return };
        for operand in operands {
            let dummy = row.dummy(usize::from(operand.position).wrapping_sub(1));
            let changed =
                dummy.is_some_and(|d| matches!(d.access, Access::Write | Access::ReadWrite));
            if let (true, ExprKind::Ref(reference)) = (changed, &doc.exprs[operand.expr].kind) {
                let place = Written::Ref(*reference);
                let sources = Vec::new();
                self.events.push(Event::Write(Write { place, certain: false, sources }));
            }
        }
    }

    /// A statement function: its dummy arguments get the values of the actual ones, then its
    /// expression is evaluated.
    fn statement_function(&mut self, id: ExprId, role: ReadRole) {
        let Some((call, dummies, body)) = self.statement_function_of(id) else { return };
        if self.depth > MOST_STATEMENT_FUNCTIONS {
            self.events.push(Event::Anything);
            return;
        }
        // A function that calls another twice, which calls a third one twice, has exponentially many events.
        if self.depth > 0 && !self.written_out.insert((id, role)) {
            return;
        }
        self.depth += 1;
        let actuals: Vec<ExprId> = call.args.iter().filter_map(|arg| expr_of(arg.value)).collect();
        for &actual in &actuals {
            self.read(actual, role);
        }
        for (&dummy, &actual) in dummies.iter().zip(&actuals) {
            let sources = self.flows(actual);
            self.write_symbol(dummy, sources);
        }
        self.read(body, role);
        self.depth -= 1;
    }

    fn statement_function_of(
        &self,
        id: ExprId,
    ) -> Option<(&'d FunctionCall, &'d [SymbolId], ExprId)> {
        let ExprKind::Call(call) = &self.accesses.doc.exprs[id].kind else { return None };
        let (dummies, body) = self.accesses.statement_functions.get(&call.callee.symbol)?;
        Some((call, dummies, *body))
    }

    /// What flows differentiably into the value of an expression that has been read: DP(e) of
    /// paper 1, section 4.1.
    pub(super) fn flows(&self, root: ExprId) -> Vec<Source> {
        self.flows_into(root, self.depth, &mut Values::new())
    }

    fn flows_into(&self, root: ExprId, depth: u32, values: &mut Values) -> Vec<Source> {
        let mut sources = Vec::new();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            let expr = &self.accesses.doc.exprs[id];
            if !carries(expr.ty) {
                continue;
            }
            match &expr.kind {
                ExprKind::Ref(reference) => {
                    if self.carries_reference(*reference) {
                        sources.push(Source::Ref(*reference));
                    }
                }
                ExprKind::Intrinsic { name, operands, .. } => {
                    work.extend(first_class(name, operands));
                }
                ExprKind::Call(call) => match self.statement_function_of(id) {
                    Some((_, dummies, body)) if depth <= MOST_STATEMENT_FUNCTIONS => {
                        if !values.contains_key(&body) {
                            let value = self.flows_into(body, depth + 1, values);
                            values.insert(body, value);
                        }
                        let value = values.get(&body).map_or(&[][..], Vec::as_slice);
                        self.flows_of_statement_function(
                            call,
                            dummies,
                            value,
                            &mut sources,
                            &mut work,
                        );
                    }
                    Some(_) => {}
                    None => self.flows_of_call(id, call, &mut sources, &mut work),
                },
                ExprKind::ArrayConstructor { items, .. } => work.extend(items),
                ExprKind::ImpliedDo(implied) => work.extend(&implied.items),
                ExprKind::StructureConstructor { args, .. } => {
                    work.extend(args.iter().filter_map(|arg| expr_of(arg.value)));
                }
                ExprKind::Constant(_)
                | ExprKind::Boolean { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// `value` is what flows into the body of the function, where its dummy arguments stand for the actual ones.
    fn flows_of_statement_function(
        &self,
        call: &FunctionCall,
        dummies: &[SymbolId],
        value: &[Source],
        sources: &mut Vec<Source>,
        work: &mut Vec<ExprId>,
    ) {
        for &source in value {
            let Source::Ref(reference) = source else {
                sources.push(source);
                continue;
            };
            let base = self.accesses.doc.refs[reference].base;
            match dummies.iter().position(|&dummy| dummy == base) {
                Some(index) => {
                    work.extend(call.args.get(index).and_then(|arg| expr_of(arg.value)));
                }
                None => sources.push(source),
            }
        }
    }

    fn flows_of_call(
        &self,
        id: ExprId,
        call: &FunctionCall,
        sources: &mut Vec<Source>,
        work: &mut Vec<ExprId>,
    ) {
        if self.accesses.doc().is_intrinsic(call.callee.symbol) {
            work.extend(call.args.iter().filter_map(|arg| expr_of(arg.value)));
        } else {
            let events = self.calls.get(&id).into_iter().flatten();
            sources.extend(events.map(|&event| Source::Result(event)));
        }
    }

    fn carries_reference(&self, reference: RefId) -> bool {
        let doc = self.accesses.doc;
        let reference = &doc.refs[reference];
        if !carries(reference.ty) || reference.deriv {
            return false;
        }
        let class = doc.symbols[reference.base].class;
        // XAIF 1.0 documents say nothing but the class of the variable.
        let told = reference.ty.base != Base::Unknown;
        told || match class {
            TypeClass::Real | TypeClass::Complex | TypeClass::Opaque | TypeClass::Void => true,
            TypeClass::Integer | TypeClass::Bool | TypeClass::Char | TypeClass::String => false,
        }
    }
}

/// Whether a value of the type may have a derivative.
pub(super) fn carries(ty: Ty) -> bool {
    match ty.base {
        Base::Unknown
        | Base::Real(_)
        | Base::Complex(_)
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Pointer(_) => true,
        Base::Void
        | Base::Integer(_)
        | Base::Unsigned(_)
        | Base::Logical(_)
        | Base::Character(_)
        | Base::Procedure => false,
    }
}

/// The operands through which derivatives pass.
fn first_class(name: &str, operands: &Operands) -> Vec<ExprId> {
    let Some(row) = intrinsics::by_xaif(name) else {
        return operands.iter().map(|operand| operand.expr).collect();
    };
    let passes = match row.result {
        ResultType::None
        | ResultType::IntegerKind
        | ResultType::LogicalKind
        | ResultType::CharacterKind
        | ResultType::Integer
        | ResultType::IntegerOf(_)
        | ResultType::Logical
        | ResultType::Character => false,
        ResultType::Like(_)
        | ResultType::RealOf(_)
        | ResultType::Promoted
        | ResultType::RealKind
        | ResultType::RealKindLike
        | ResultType::ComplexKind
        | ResultType::Real
        | ResultType::Double
        | ResultType::Unknown => true,
    };
    if !passes {
        return Vec::new();
    }
    let passes = |position: u16| {
        let dummy = row.dummy(usize::from(position).wrapping_sub(1));
        dummy.is_none_or(|dummy| dummy.access != Access::Inquire)
            && !SECOND_CLASS.iter().any(|&(function, operand)| {
                function == row.fortran && (operand == 0 || operand == position)
            })
    };
    let passing = operands.iter().filter(|operand| passes(operand.position));
    passing.map(|operand| operand.expr).collect()
}
fn visit_all(operands: &Operands, role: ReadRole, tasks: &mut Vec<Task>) {
    tasks.extend(operands.iter().rev().map(|operand| Task::Visit(operand.expr, role)));
}

fn visit_implied_do(implied: &ImpliedDo, role: ReadRole, tasks: &mut Vec<Task>) {
    let control = &implied.control;
    tasks.extend(implied.items.iter().rev().map(|&item| Task::Visit(item, role)));
    tasks.push(Task::Index(control.var));
    let bounds = [Some(control.lower), Some(control.upper), control.step];
    let bounds = bounds.into_iter().rev().flatten();
    tasks.extend(bounds.map(|bound| Task::Visit(bound, ReadRole::Bound)));
}

/// The expressions inside a reference, to be evaluated from left to right.
fn push_indices(parts: &[Part], role: ReadRole, tasks: &mut Vec<Task>) {
    for part in parts.iter().rev() {
        match part {
            Part::Elements(subscripts) => {
                for subscript in subscripts.iter().rev() {
                    match *subscript {
                        Subscript::Index(index) => tasks.push(Task::Visit(index, role)),
                        Subscript::Section { lower, upper, stride } => {
                            let bounds = [lower, upper, stride].into_iter().rev().flatten();
                            tasks.extend(bounds.map(|bound| Task::Visit(bound, role)));
                        }
                    }
                }
            }
            Part::Substring { lower, upper } => {
                let bounds = [*lower, *upper].into_iter().rev().flatten();
                tasks.extend(bounds.map(|bound| Task::Visit(bound, role)));
            }
            Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
        }
    }
}
