//! Statements, and what is evaluated as a procedure or construct is entered.

use xaif_schema::intrinsics;
use xaif_schema::model::{
    Access, Allocate, Arg, Attr, Base, CharLen, Dim, ExprId, ExprKind, Forall, ForallHeader, Init,
    Marker, MarkerOperand, Propagator, RefId, Release, Role, ScopeId, StmtId, StmtKind,
    SubroutineCall, SymbolId, TypeSpec, Verb, Where,
};
use xaif_schema::tape;

use super::expr::Walk;
use super::{
    Actual, CallSite, CallSort, Event, ReadRole, Reshape, Source, Write, Written, expr_of,
    is_variable,
};
use crate::components::holds_allocatable;
use crate::storage::takes_property;
use booster_build::keeps_shape;

/// The intrinsic subroutines that change properties of what they write.
const RESHAPING: &[&str] = &["move_alloc", "c_f_pointer", "c_f_procpointer"];
/// Types inside types, deeper than this, are taken as having initial values.
const DEEPEST: u32 = 50;

/// How a statement writes the properties of an object.
struct ReshapeWay {
    /// Those of the object itself, not only those of its components.
    own: bool,
    certain: bool,
    explicit: bool,
    keeps: bool,
}

impl<'d> Walk<'_, 'd> {
    /// Executes a statement; `certain`: it stands under no mask.
    pub(super) fn stmt(&mut self, id: StmtId, certain: bool) {
        let doc = self.accesses.doc();
        let stmt = &doc.stmts[id];
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                self.read(*rhs, ReadRole::Value);
                self.indices(*lhs, ReadRole::Index);
                let sources = self.flows(*rhs);
                self.write(*lhs, certain, sources);
                self.reshape_by_value(*lhs, Some(*rhs), certain);
            }
            StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
                self.read(*rhs, ReadRole::Value);
                self.indices(*lhs, ReadRole::Index);
                let left = super::ActualValue::Variable(*lhs);
                let right = super::ActualValue::Value(*rhs, self.flows(*rhs));
                let actuals = [left, right].into_iter().enumerate();
                let actuals = actuals.map(|(position, value)| Actual { position, value }).collect();
                self.ask(*lhs);
                let targets = self.accesses.storage().targets(doc, callee);
                let (sort, place) = (CallSort::Assignment, stmt.place);
                let site = CallSite { callee, targets, sort, actuals, place };
                self.events.push(Event::Call(Box::new(site)));
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.indices(*lhs, ReadRole::Bound);
                self.target(*rhs);
                self.ask_way(*lhs);
                self.events.push(Event::Associate(*lhs));
                self.reshape(*lhs, certain);
            }
            StmtKind::Call(call) => {
                if self.accesses.doc().is_intrinsic(call.callee.symbol) {
                    self.intrinsic(call);
                } else {
                    self.arguments(&call.callee, &call.args);
                    self.call(&call.callee, &call.args, CallSort::Subroutine, stmt.place);
                }
            }
            StmtKind::InlinableCall(call) => match tape::operation(&call.name) {
                Some(operation) => self.tape(operation, &call.args),
                None => self.unknown_arguments(&call.args),
            },
            StmtKind::Propagate(list) => self.propagate(list),
            StmtKind::Where(construct) => self.masked(construct),
            StmtKind::Forall(forall) => self.forall(forall),
            StmtKind::Allocate(allocate) => self.allocate(allocate),
            StmtKind::Release(release) => self.release(release),
            StmtKind::OpenScope(open) => self.open(open.scope),
            StmtKind::CloseScope(_) | StmtKind::Comment(_) => {}
            StmtKind::Marker(marker) => self.marker(marker),
        }
    }

    fn write(&mut self, reference: RefId, certain: bool, sources: Vec<Source>) {
        self.ask_target(reference);
        let place = Written::Ref(reference);
        self.events.push(Event::Write(Write { place, certain, sources }));
    }

    /// Reads the properties that the place of an assignment depends on.
    fn ask_target(&mut self, reference: RefId) {
        let locations = self.accesses.storage().asked_by_target(self.accesses.doc(), reference);
        self.ask_locations(reference, locations);
    }

    /// Reads the properties on the way to an object, but for its own.
    fn ask_way(&mut self, reference: RefId) {
        let locations = self.accesses.storage().asked_on_way(self.accesses.doc(), reference);
        self.ask_locations(reference, locations);
    }

    /// Writes the properties that an assignment of a value may give: those of an allocatable that is assigned as a
    /// whole, unless it keeps its shape, and those of components.
    fn reshape_by_value(&mut self, lhs: RefId, rhs: Option<ExprId>, certain: bool) {
        let doc = self.accesses.doc();
        let allocatable =
            doc.refs[lhs].whole_entity().is_some_and(|symbol| doc.has(symbol, Attr::Allocatable));
        let ty = doc.refs[lhs].ty;
        let is_fixed = matches!(
            ty.base,
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
        );
        let keeps = |rhs: ExprId| {
            is_fixed && (ty.rank > 0 && doc.exprs[rhs].ty.rank == 0 || keeps_shape(doc, rhs, lhs))
        };
        let own = allocatable && !rhs.is_some_and(keeps);
        let keeps = own && self.accesses.storage().may_be_shifted(ty.rank);
        let way = ReshapeWay { own, certain, explicit: false, keeps };
        self.reshape_as(lhs, way);
    }

    /// Writes the properties of an object by a statement that stands for this alone.
    fn reshape(&mut self, object: RefId, certain: bool) {
        self.reshape_as(object, ReshapeWay { own: true, certain, explicit: true, keeps: false });
    }

    fn reshape_as(&mut self, object: RefId, way: ReshapeWay) {
        let ReshapeWay { own, certain, explicit, keeps } = way;
        let (locations, steady) =
            self.accesses.storage().reshaped_by(self.accesses.doc(), object, own);
        if !locations.is_empty() {
            let (place, certain) = (Written::Ref(object), certain && steady);
            let reshape = Reshape { place, locations, certain, explicit, keeps };
            self.events.push(Event::Reshape(reshape));
        }
    }

    /// Writes the properties of a variable that begins anew. A dummy argument that is neither allocatable nor a
    /// pointer keeps those of the actual argument.
    fn begin(&mut self, symbol: SymbolId, is_dummy: bool) {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let own = !is_dummy || takes_property(doc, symbol);
        let locations = storage.properties_of_symbol(symbol, own);
        if !locations.is_empty() {
            let certain =
                locations.iter().all(|&location| storage.locations()[location].strong_update);
            let place = Written::Symbol(symbol);
            self.events.push(Event::Reshape(Reshape {
                place,
                locations,
                certain,
                explicit: false,
                keeps: false,
            }));
        }
    }

    /// What stands behind `=>`: nothing of a target is read.
    fn target(&mut self, target: ExprId) {
        match &self.accesses.doc().exprs[target].kind {
            ExprKind::Ref(reference) => {
                self.indices(*reference, ReadRole::Index);
                self.ask(*reference);
            }
            _ => self.read(target, ReadRole::Value),
        }
    }

    /// An intrinsic subroutine, by the table. All that is read flows into all that is written.
    fn intrinsic(&mut self, call: &SubroutineCall) {
        let doc = self.accesses.doc();
        let name = doc.name(call.callee.symbol).to_ascii_lowercase();
        let Some((row, _)) = intrinsics::named(&name) else {
            self.arguments(&call.callee, &call.args);
            self.events.push(Event::Anything);
            return;
        };
        let mut sources = Vec::new();
        let mut written = Vec::new();
        for arg in &call.args {
            let Some(expr) = expr_of(arg.value) else { continue };
            // Functions that are also subroutines have more arguments than the table tells.
            let dummy = row.dummies.get((arg.position as usize).wrapping_sub(1));
            let access = dummy.map_or(Access::ReadWrite, |dummy| dummy.access);
            self.operand(MarkerOperand { expr, access }, &mut sources, &mut written);
        }
        let moves = doc.moved(call).is_some();
        for (reference, certain) in written {
            self.write(reference, certain, sources.clone());
            if RESHAPING.contains(&row.fortran) {
                let certain = certain || moves;
                let way = ReshapeWay { own: true, certain, explicit: moves, keeps: false };
                self.reshape_as(reference, way);
            }
        }
    }

    /// Reads an operand as far as it is read, and notes what is written (and whether all of it is).
    fn operand(
        &mut self,
        operand: MarkerOperand,
        sources: &mut Vec<Source>,
        written: &mut Vec<(RefId, bool)>,
    ) {
        let doc = self.accesses.doc();
        let reference = match &doc.exprs[operand.expr].kind {
            ExprKind::Ref(reference) => Some(*reference),
            _ => None,
        };
        match (operand.access, reference) {
            (Access::Read, _) => {
                self.read(operand.expr, ReadRole::Value);
                sources.extend(self.flows(operand.expr));
            }
            (Access::Inquire, _) => self.read(operand.expr, ReadRole::Inquiry),
            (Access::ReadWrite, Some(reference)) => {
                self.read(operand.expr, ReadRole::Value);
                sources.extend(self.flows(operand.expr));
                written.push((reference, false));
            }
            (Access::Write, Some(reference)) => {
                self.indices(reference, ReadRole::Index);
                written.push((reference, true));
            }
            (Access::Write | Access::ReadWrite, None) => self.written_items(operand, written),
        }
    }

    /// An implied DO (or something odder) that is written: what it names may be.
    fn written_items(&mut self, operand: MarkerOperand, written: &mut Vec<(RefId, bool)>) {
        let doc = self.accesses.doc();
        let mut work = vec![operand.expr];
        while let Some(expr) = work.pop() {
            match &doc.exprs[expr].kind {
                ExprKind::Ref(reference) => {
                    self.indices(*reference, ReadRole::Index);
                    if operand.access == Access::ReadWrite {
                        self.read_reference(*reference, ReadRole::Value);
                    }
                    written.push((*reference, false));
                }
                ExprKind::ImpliedDo(implied) => {
                    let control = &implied.control;
                    self.range(control.lower, control.upper, control.step);
                    self.write_symbol(control.var, Vec::new());
                    work.extend(implied.items.iter().rev());
                }
                ExprKind::Constant(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::Call(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => self.read(expr, ReadRole::Value),
            }
        }
    }

    /// Arguments of something of which nothing is known but that it sees nothing else.
    /// An operation of the tape, by its table. What a value was when it was recorded, nobody knows
    /// here: modes that differentiate refuse the tape.
    fn tape(&mut self, operation: &tape::Operation, args: &[Arg]) {
        let (mut sources, mut written) = (Vec::new(), Vec::new());
        for (formal, arg) in operation.args.iter().zip(args) {
            let Some(expr) = expr_of(arg.value) else { continue };
            if formal.sort == tape::Sort::Block && formal.access == Access::Write {
                if let ExprKind::Ref(pointer) = self.accesses.doc().exprs[expr].kind {
                    self.events.push(Event::Associate(pointer));
                    self.reshape(pointer, true);
                }
                continue;
            }
            let operand = MarkerOperand { expr, access: formal.access };
            self.operand(operand, &mut sources, &mut written);
        }
        for (reference, certain) in written {
            self.write(reference, certain, Vec::new());
        }
    }

    fn unknown_arguments(&mut self, args: &[Arg]) {
        let (mut sources, mut written) = (Vec::new(), Vec::new());
        for expr in args.iter().filter_map(|arg| expr_of(arg.value)) {
            let access = match self.accesses.doc().exprs[expr].kind {
                ExprKind::Ref(_) => Access::ReadWrite,
                _ => Access::Read,
            };
            self.operand(MarkerOperand { expr, access }, &mut sources, &mut written);
        }
        for (reference, _) in written {
            self.write(reference, false, sources.clone());
        }
    }

    /// Derivatives are moved, which are no locations; values are read for the partials.
    fn propagate(&mut self, list: &[Propagator]) {
        for propagator in list {
            match propagator {
                Propagator::Set { target, source }
                | Propagator::SetNegative { target, source }
                | Propagator::Increment { target, source }
                | Propagator::Decrement { target, source } => {
                    self.indices(*source, ReadRole::Index);
                    self.indices(*target, ReadRole::Index);
                }
                Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
                    for (partial, source) in terms {
                        self.read(*partial, ReadRole::Value);
                        self.indices(*source, ReadRole::Index);
                    }
                    self.indices(*y, ReadRole::Index);
                }
                Propagator::Zero { target } => self.indices(*target, ReadRole::Index),
            }
        }
    }

    fn masked(&mut self, construct: &Where) {
        for arm in &construct.arms {
            if let Some(mask) = arm.mask {
                self.read(mask, ReadRole::Control);
            }
            for &stmt in &arm.body {
                self.stmt(stmt, false);
            }
        }
    }

    fn forall(&mut self, forall: &Forall) {
        self.header(&forall.header);
        for &stmt in &forall.body {
            self.stmt(stmt, false);
        }
    }

    /// The header of FORALL and DO CONCURRENT.
    pub(super) fn header(&mut self, header: &ForallHeader) {
        for range in &header.ranges {
            self.range(range.lower, range.upper, range.step);
        }
        for range in &header.ranges {
            self.write_symbol(range.var, Vec::new());
        }
        if let Some(mask) = header.mask {
            self.read(mask, ReadRole::Control);
        }
    }

    fn range(&mut self, lower: ExprId, upper: ExprId, step: Option<ExprId>) {
        for bound in [Some(lower), Some(upper), step].into_iter().flatten() {
            self.read(bound, ReadRole::Bound);
        }
    }

    fn allocate(&mut self, allocate: &Allocate) {
        let mut sources = Vec::new();
        if let Some(source) = allocate.source {
            self.read(source, ReadRole::Value);
            sources = self.flows(source);
        }
        if let Some(mold) = allocate.mold {
            self.read(mold, ReadRole::Inquiry);
        }
        for &object in &allocate.objects {
            self.indices(object, ReadRole::Bound);
            self.ask_way(object);
            self.events.push(Event::Allocate(object));
            self.reshape(object, allocate.stat.is_none());
            let base = self.accesses.doc().refs[object].ty.base;
            if allocate.source.is_some() || self.has_initial_values(base, 0) {
                self.write(object, allocate.source.is_some(), sources.clone());
            }
        }
        self.status(allocate.stat, allocate.errmsg);
    }

    fn release(&mut self, release: &Release) {
        for &object in &release.objects {
            self.indices(object, ReadRole::Index);
            if release.nullify {
                self.ask_way(object);
            } else {
                self.ask_target(object);
            }
            self.events.push(Event::Release { object, nullify: release.nullify });
            self.reshape(object, release.stat.is_none());
        }
        self.status(release.stat, release.errmsg);
    }

    fn status(&mut self, stat: Option<RefId>, errmsg: Option<RefId>) {
        for (reference, certain) in
            stat.map(|r| (r, true)).into_iter().chain(errmsg.map(|r| (r, false)))
        {
            self.indices(reference, ReadRole::Index);
            self.write(reference, certain, Vec::new());
        }
    }

    fn marker(&mut self, marker: &Marker) {
        let certain = match marker.verb {
            Verb::AssignLabel => true,
            Verb::Genuine
            | Verb::Io
            | Verb::Format
            | Verb::Stop
            | Verb::Pause
            | Verb::Continue
            | Verb::Return
            | Verb::Opaque => false,
        };
        let (mut sources, mut written) = (Vec::new(), Vec::new());
        for &operand in &marker.operands {
            self.operand(operand, &mut sources, &mut written);
        }
        // What is read from a file comes from no variable.
        for (reference, whole) in written {
            self.write(reference, certain && whole, Vec::new());
        }
        if marker.pessimistic {
            self.events.push(Event::Anything);
        }
    }

    /// BLOCK and ASSOCIATE.
    fn open(&mut self, scope: ScopeId) {
        let doc = self.accesses.doc();
        self.declarations(scope);
        for &symbol in &doc.scopes[scope].symbols {
            let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol) else {
                continue;
            };
            match &doc.exprs[*selector].kind {
                ExprKind::Ref(reference) if is_variable(&doc.exprs[*selector]) => {
                    self.indices(*reference, ReadRole::Index);
                    self.ask(*reference);
                }
                _ => {
                    self.read(*selector, ReadRole::Value);
                    self.select(*selector);
                }
            }
        }
    }

    /// Gives the value of an expression that has been read to the names that are associated with it.
    pub(super) fn select(&mut self, selector: ExprId) {
        let accesses = self.accesses;
        for &symbol in accesses.selected.get(&selector).into_iter().flatten() {
            let sources = self.flows(selector);
            self.write_symbol(symbol, sources);
        }
    }

    /// A procedure is entered: bounds are evaluated, components get their default values.
    pub(super) fn enter(&mut self, proc: xaif_schema::model::ProcId) {
        let doc = self.accesses.doc();
        self.declarations(doc.procs[proc].scope);
    }

    fn declarations(&mut self, scope: ScopeId) {
        let doc = self.accesses.doc();
        let procedures = self.accesses.storage().procedures();
        for &symbol in &doc.scopes[scope].symbols {
            if procedures.is_static(symbol) {
                continue;
            }
            let Some(decl) = &doc.symbols[symbol].decl else { continue };
            if !matches!(decl.role, Role::Variable) {
                continue;
            }
            for dim in &decl.dims {
                let (lower, upper) = match *dim {
                    Dim::Explicit { lower, upper } => (lower, Some(upper)),
                    Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => (lower, None),
                    Dim::Deferred | Dim::AssumedRank => (None, None),
                };
                for bound in [lower, upper].into_iter().flatten() {
                    self.read(bound, ReadRole::Bound);
                }
            }
            let of_type = match &decl.spec {
                TypeSpec::Character { len, .. } => *len,
                _ => CharLen::One,
            };
            if let CharLen::Expr(length) = decl.char_len.unwrap_or(of_type) {
                self.read(length, ReadRole::Bound);
            }
            self.default_values(symbol, decl);
        }
    }

    fn default_values(&mut self, symbol: SymbolId, decl: &xaif_schema::model::Decl) {
        let doc = self.accesses.doc();
        let is_dummy = self.accesses.storage().procedures().dummy_of(symbol).is_some();
        let is_made = !is_dummy || decl.intent == Some(xaif_schema::model::Intent::Out);
        let indirect = decl.has(Attr::Allocatable) || decl.has(Attr::Pointer);
        if is_made {
            self.begin(symbol, is_dummy);
        }
        let gets_values = !indirect && self.has_initial_values(decl.spec.base(), 0);
        // An INTENT(OUT) argument is released as the procedure begins, and so are its allocatable components.
        let declared = match decl.spec.base() {
            Base::Class(ty) => Base::Derived(ty),
            base => base,
        };
        let is_released = is_dummy
            && !decl.has(Attr::Pointer)
            && (decl.has(Attr::Allocatable) || holds_allocatable(doc, declared));
        if is_made && (gets_values || is_released) {
            let (place, sources) = (Written::Symbol(symbol), Vec::new());
            self.events.push(Event::Write(Write { place, certain: false, sources }));
        }
    }

    fn has_initial_values(&self, base: Base, depth: u32) -> bool {
        let doc = self.accesses.doc();
        let (Base::Derived(ty) | Base::Class(ty)) = base else { return false };
        let Some(Role::DerivedType { scope, extends, .. }) = doc.role(ty) else { return false };
        if depth > DEEPEST {
            return true;
        }
        let own = doc.scopes[*scope].symbols.iter().filter_map(|&component| {
            let decl = doc.symbols[component].decl.as_ref()?;
            matches!(decl.role, Role::Variable).then_some(decl)
        });
        let mut inner = own.filter(|decl| !decl.has(Attr::Pointer) && !decl.has(Attr::Allocatable));
        inner.any(|decl| {
            matches!(decl.init, Some(Init::Value(_)))
                || self.has_initial_values(decl.spec.base(), depth + 1)
        }) || extends
            .is_some_and(|parent| self.has_initial_values(Base::Derived(parent), depth + 1))
    }
}
