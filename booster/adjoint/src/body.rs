//! Which statement is handled where, and how the two sweeps become a procedure.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Body, Cfg, Document, EntryPoint, ExprId, ExprKind, Intent, LocalJacobian, Place,
    ProcId, Procedure, RefId, Role, ScopeId, StmtId, StmtKind, SymbolId, VertexKind,
};

use crate::Options;
use crate::call_modes::choice::CallModes;
use crate::calls::saved_adjoints;
use crate::context::ProcedureContext;
use crate::liveness::{self, adjoint_effects};
use crate::queries::loop_variables::counting;
use crate::recovery::constant::overwritten_dummies;
use booster_build::{Emitter, has_call, new_variable};
use booster_facts::overwrites::Overwrites;
use booster_facts::side_effects::SideEffects;
use booster_facts::{Accesses, Allocation, Bodies, Changes, LocationId, StepKey, Storage, lasting};
use booster_flow::Callees;
use booster_reversal::{Checkpointed, MirroredLoop, Narrowed, Sweeps, take_out_narrowing};
use booster_shadow::derivative::Counterparts;
use booster_shadow::jacobian::{
    entries_that_are_allocated, executed_again, local_jacobian, named_backwards,
};
use booster_shadow::persistent_state::{Outliving, outliving};
use booster_tangent as tangent;
use booster_tangent::body::Tangent;

/// The adjoint stage at work.
pub(crate) struct Adjoint<'a> {
    /// What derivative statements of both modes are made with.
    pub(crate) tools: Tangent<'a>,
    /// The locations of storage of the document as it was before any statement was rewritten.
    pub(crate) storage: Storage,
    /// What each statement of the bodies may overwrite.
    pub(crate) overwrites: HashMap<ProcId, Overwrites>,
    /// Which variables are allocated as control arrives at each statement of the bodies.
    pub(crate) allocation: HashMap<ProcId, Allocation>,
    /// The procedure whose adjoint is written.
    pub(crate) proc: ProcId,
    /// The state of that procedure.
    pub(crate) context: ProcedureContext,
    /// The options of the mode.
    pub(crate) options: &'a Options,
    /// Calls that are split.
    pub(crate) split: HashSet<StmtId>,
    /// Whether arguments that begin at different elements never overlap.
    pub(crate) disjoint: bool,
    /// What the procedures of the derivative read.
    pub(crate) read: BTreeSet<LocationId>,
    /// Local targets of procedures that execute one sweep: memory behind pointers.
    pub(crate) moved: HashSet<SymbolId>,
    /// Calls of adjoint procedures with one adjoint for several arguments.
    pub(crate) shared: HashMap<StmtId, SymbolId>,
    /// Saved variables whose adjoints go from one call to the one before: see `kept`.
    pub(crate) kept: HashMap<ProcId, Vec<SymbolId>>,
    /// What outlives procedures that the user calls: see `afterwards`.
    pub(crate) outliving: HashMap<ProcId, Outliving>,
    /// The callees of each procedure, by the bodies before they are rewritten.
    pub(crate) callees: Callees,
    /// The dummy arguments that procedures with adjoints may overwrite.
    pub(crate) overwritten_dummies: BTreeSet<SymbolId>,
    /// What the backward sweep executes again before what mirrors a propagator.
    pub(crate) again: HashMap<StmtId, Vec<StmtId>>,
    /// The objects of ALLOCATE and DEALLOCATE for local Jacobians that the backward sweep names.
    pub(crate) memory: HashMap<StmtId, Vec<RefId>>,
    /// Entries and partial derivatives that are allocated for a local Jacobian.
    pub(crate) fresh: HashSet<SymbolId>,
    /// The variables of the counted loops around statements, which nothing may change there.
    pub(crate) counting: HashMap<StmtId, Vec<SymbolId>>,
    /// The loops of both sweeps of each procedure.
    pub(crate) mirrors: HashMap<ProcId, Vec<MirroredLoop>>,
    /// The variables that tell how control has flowed.
    pub(crate) ways: HashSet<SymbolId>,
}

impl<'a> Adjoint<'a> {
    /// Looks at the bodies as they are before they are rewritten.
    pub(crate) fn new(
        doc: &Document,
        parts: Counterparts,
        options: &'a tangent::Options,
        user: &'a Options,
    ) -> Adjoint<'a> {
        let modes = &user.modes;
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let bodies = Bodies::new(&accesses);
        let effects = SideEffects::new(&accesses, &bodies, &options.externals);
        let overwrites_with = |effects: &SideEffects| -> HashMap<ProcId, Overwrites> {
            let found = parts.procedures.iter().filter_map(|&(_, proc)| {
                let body = bodies.get(proc)?;
                Some((proc, Overwrites::new(&accesses, body, &options.externals, effects)))
            });
            found.collect()
        };
        let rules = (&options.externals, &options.catalogue);
        let chooser = CallModes::new(&accesses, &bodies, rules, Some(&parts), modes, &effects);
        let mut overwrites = overwrites_with(&effects);
        let chosen = overwrites.iter().flat_map(|(&proc, found)| chooser.split_calls(proc, found));
        let split = chosen.collect();
        let is_recording_told = doc.stmts.values().any(|stmt| stmt.recorded.is_some());
        if liveness::is_told(doc) && is_recording_told {
            // A snapshot holds the values that the adjoint of the callee reads. One without facts of recording reads all
            // values that it overwrites.
            overwrites = overwrites_with(&adjoint_effects(&accesses, &bodies, rules, &effects));
        }
        let procedures = parts.procedures.iter().map(|&(_, proc)| proc);
        let changes = Changes::new(&accesses, &bodies);
        let allocation = procedures
            .clone()
            .filter_map(|proc| {
                Some((proc, Allocation::new(&accesses, bodies.get(proc)?, &changes)))
            })
            .collect();
        let read: BTreeSet<LocationId> =
            procedures.clone().flat_map(|proc| effects.of(proc).used.iter().copied()).collect();
        let overwritten_dummies = overwritten_dummies(&storage, &effects, procedures);
        let (kept, told) =
            saved_adjoints::kept(doc, &storage, &parts, |proc| effects.of(proc).clone());
        let outliving = outliving(doc, &storage, &bodies, &effects, (&parts, true));
        let callees = Callees::of_calls(bodies.calls(&accesses));
        let mut tools = Tangent::new(parts, &options.catalogue, options);
        tools.adjoint = true;
        tools.problems.extend(told);
        let proc = ProcId::from_u32(0);
        Adjoint {
            tools,
            storage,
            callees,
            overwrites,
            allocation,
            proc,
            context: ProcedureContext::default(),
            options: user,
            split,
            disjoint: modes.disjoint,
            read,
            moved: HashSet::new(),
            shared: HashMap::new(),
            kept,
            outliving,
            overwritten_dummies,
            again: executed_again(doc),
            memory: named_backwards(doc),
            fresh: entries_that_are_allocated(doc),
            counting: counting(doc),
            mirrors: HashMap::new(),
            ways: HashSet::new(),
        }
    }

    /// Adjoints are narrower in the backward sweep alone.
    pub(crate) fn adjoints_without_arms(&self, doc: &mut Document) -> HashMap<ScopeId, Narrowed> {
        let Body::Flow(cfg) = &mut doc.procs[self.proc].body else { return HashMap::new() };
        let mut cfg = std::mem::take(cfg);
        let adjoints = self.tools.parts.derivatives();
        let is_adjoint = |doc: &Document, selector: ExprId| match doc.exprs[selector].kind {
            ExprKind::Ref(reference) => adjoints.contains(&doc.refs[reference].base),
            _ => false,
        };
        let narrowed = take_out_narrowing(doc, &mut cfg, is_adjoint);
        doc.procs[self.proc].body = Body::Flow(cfg);
        narrowed
    }

    /// The adjoints of variables that live as long as the activation and that the backward sweep
    /// names, or reaches through pointers (`pointed_to`), or that of an internal procedure, which is not
    /// written yet: it may name the adjoint of what the procedure names. Those of saved allocatable variables are
    /// among them, whose values the next call does not read: they are allocated as their originals are.
    pub(crate) fn adjoints_of_locals(
        &self,
        doc: &Document,
        pointed_to: &HashSet<SymbolId>,
    ) -> Vec<(SymbolId, SymbolId)> {
        let named: HashSet<SymbolId> = self.tools.named(doc);
        let inner: HashSet<SymbolId> = self
            .internal_procedures(doc)
            .into_iter()
            .flat_map(|proc| self.tools.named_in(doc, proc))
            .collect();
        let scope = self.tools.scope(doc);
        let lasting = lasting(doc, scope);
        let kept = self.kept.get(&self.proc).map(Vec::as_slice).unwrap_or_default();
        let lives_here = |own: &SymbolId, symbol: &SymbolId| {
            let data = &doc.symbols[*symbol];
            let Some(decl) = data.decl.as_deref() else { return false };
            let begins_anew = decl.has(Attr::Allocatable) && !kept.contains(own);
            !self.is_dummy(*symbol)
                && matches!(decl.role, Role::Variable)
                && self.tools.parts.types.carries(decl.spec.base())
                && (begins_anew || !lasting.contains(symbol))
                && !doc.has(*symbol, Attr::Pointer)
        };
        // The adjoints of arguments are no variables of the forward half, which is not given them.
        let symbols = doc.scopes[scope].symbols.iter().copied();
        let symbols = symbols.filter(|&symbol| !self.is_dummy(symbol));
        let pairs = symbols.filter_map(|symbol| Some((symbol, self.tools.parts.variable(symbol)?)));
        let is_named = |original: &SymbolId, adjoint: &SymbolId| {
            named.contains(adjoint) || pointed_to.contains(adjoint) || inner.contains(original)
        };
        pairs.filter(|(own, adjoint)| is_named(own, adjoint) && lives_here(own, adjoint)).collect()
    }

    /// Whether a variable is a dummy argument, be it one of an ENTRY.
    pub(crate) fn is_dummy(&self, symbol: SymbolId) -> bool {
        self.storage.procedures().dummy_of(symbol).is_some()
    }

    /// The procedures behind CONTAINS of the procedure.
    pub(crate) fn internal_procedures(&self, doc: &Document) -> Vec<ProcId> {
        doc.nest().procedures_in(self.tools.scope(doc))
    }

    /// The variables of callers and modules that this procedure may allocate, and that have adjoints.
    pub(crate) fn may_be_reallocated(&self, doc: &Document) -> Vec<SymbolId> {
        let scope = self.tools.scope(doc);
        let mut found: Vec<SymbolId> = Vec::new();
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return found };
        for stmt in statements(cfg) {
            let objects = match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, .. } if self.reshapes(doc, *lhs, *rhs) => vec![*lhs],
                _ => self.memory_objects(doc, stmt),
            };
            for object in objects {
                let base = doc.refs[object].base;
                let local = doc.symbols[base].scope == scope && !self.is_dummy(base);
                let allocatable = doc.has(base, Attr::Allocatable);
                if !local && allocatable && !found.contains(&base) {
                    found.push(base);
                }
            }
        }
        found
    }

    /// Adjoints are read and written whatever happens to their originals; an original that is only
    /// written is overwritten and taken back. So it is told in the procedures and in interface bodies
    /// of them.
    pub(crate) fn signatures(&self, doc: &mut Document) {
        let procs: Vec<ProcId> = doc.procs.keys().collect();
        for proc in procs {
            let symbol = doc.procs[proc].symbol;
            if self.tools.parts.signature(symbol).is_none() {
                continue;
            }
            let Procedure { args, body, .. } = &mut doc.procs[proc];
            let vertices = match body {
                Body::Flow(cfg) => Some(cfg.vertices.values_mut()),
                Body::Interface | Body::Replacements { .. } => None,
            };
            let entered = vertices.into_iter().flatten().filter_map(|v| match &mut v.kind {
                VertexKind::Entry(Some(entry)) => Some(&mut entry.args),
                _ => None,
            });
            for arg in entered.flatten().chain(args) {
                let Some(symbol) = arg.symbol else { continue };
                let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() else { continue };
                // A pointer that is associated with nothing else: INTENT(IN) says no more of it.
                let points = decl.has(Attr::Pointer) && decl.intent == Some(Intent::In);
                let changes = arg.deriv && decl.intent.is_some() && !points;
                if changes || decl.intent == Some(Intent::Out) {
                    decl.intent = Some(Intent::InOut);
                    arg.intent = Some(Intent::InOut);
                }
                if arg.deriv {
                    // It is added to.
                    decl.attrs.remove(&Attr::Value);
                }
            }
            if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                // The tape is a side effect.
                let stays =
                    |attr: &Attr| !matches!(attr, Attr::Pure | Attr::Elemental | Attr::Impure);
                decl.attrs.retain(stays);
            }
        }
    }

    /// What a statement may overwrite.
    pub(crate) fn overwritten(
        &self,
        stmt: StmtId,
    ) -> Option<&booster_facts::overwrites::Overwritten> {
        self.overwrites.get(&self.proc)?.of(StepKey::Stmt(stmt))
    }

    /// The locations of storage that an expression reads.
    pub(crate) fn locations_read(&self, doc: &Document, expr: ExprId) -> Vec<LocationId> {
        let references = tangent::reads::references(doc, expr);
        references.into_iter().flat_map(|r| self.storage.locations_of(doc, r)).collect()
    }

    pub(crate) fn is_active(&self, doc: &Document, reference: RefId) -> bool {
        self.tools.is_active(doc, reference)
    }

    /// An error of this stage.
    pub(crate) fn refused(
        &self,
        doc: &Document,
        place: Place,
        message: impl Into<String>,
        help: &str,
    ) -> Diagnostic {
        Diagnostic::error(Code::ADJOINT_REFUSED, doc.spot(place), message).with_help(help)
    }

    pub(crate) fn scope(&self, doc: &Document) -> ScopeId {
        self.tools.scope(doc)
    }
}

/// Whether a statement allocates or releases variables for a local Jacobian.
fn is_for_jacobian(doc: &Document, stmt: StmtId) -> bool {
    doc.stmts[stmt].local_jacobian == Some(LocalJacobian::Memory)
}

/// The ENTRY statements of a body, in the order of the text.
pub(crate) fn entries(cfg: &Cfg) -> impl Iterator<Item = &EntryPoint> {
    cfg.layout.iter().filter_map(|&vertex| match &cfg.vertices[vertex].kind {
        VertexKind::Entry(Some(entry)) => Some(&**entry),
        _ => None,
    })
}

/// The statements in the blocks of a body, in the order of the text.
pub(crate) fn statements(cfg: &Cfg) -> impl Iterator<Item = StmtId> {
    cfg.layout
        .iter()
        .flat_map(|&vertex| match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => &stmts[..],
            _ => &[],
        })
        .copied()
}

impl Sweeps for Adjoint<'_> {
    fn forward(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        if e.doc.stmts[stmt].recompute {
            return Ok(());
        }
        if !e.doc.stmts[stmt].adjoint_live {
            // No adjoint needs what it computes, but the backward sweep may overwrite what stands in its place.
            return self.record(e, stmt);
        }
        match &e.doc.stmts[stmt].kind {
            // It computes no values.
            StmtKind::Propagate(_) if local_jacobian(e.doc, stmt).is_some() => Ok(()),
            // The backward sweep computes it where it needs it, and nobody else does; but then it
            // overwrites what stood there.
            StmtKind::Assign { .. }
                if e.doc.stmts[stmt].local_jacobian == Some(LocalJacobian::Again) =>
            {
                self.record(e, stmt)
            }
            StmtKind::Call(_) if self.context.checkpointed.contains_key(&stmt) => {
                self.forward_checkpoint(e, stmt)
            }
            StmtKind::Call(_) | StmtKind::Assign { .. } if self.split.contains(&stmt) => {
                self.forward_split(e, stmt)
            }
            StmtKind::Comment(comment) => {
                let comment = comment.clone();
                self.tools.comment(e, stmt, &comment);
                Ok(())
            }
            StmtKind::Call(call) if e.doc.moved(call).is_some() => {
                let call = call.clone();
                self.forward_move(e, stmt, &call)
            }
            StmtKind::Allocate(_) if is_for_jacobian(e.doc, stmt) => {
                e.push(stmt);
                Ok(())
            }
            StmtKind::Allocate(allocate) => {
                let allocate = allocate.clone();
                self.forward_allocate(e, stmt, &allocate)
            }
            StmtKind::Release(_) if is_for_jacobian(e.doc, stmt) => {
                self.forward_release_entries(e, stmt)
            }
            StmtKind::Release(release) => {
                let release = release.clone();
                self.forward_release(e, stmt, &release)
            }
            StmtKind::Marker(marker) => {
                let marker = marker.clone();
                self.forward_marker(e, stmt, &marker)
            }
            &StmtKind::PointerAssign { lhs, rhs } => {
                self.record(e, stmt)?;
                self.forward_association(e, stmt, lhs, rhs)
            }
            StmtKind::Call(_)
            | StmtKind::Assign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_) => {
                self.record(e, stmt)?;
                e.push(stmt);
                Ok(())
            }
        }
    }

    fn record(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        Adjoint::record(self, e, stmt)
    }

    fn backward(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        self.context.loops_here = self.context.loops_around.get(&stmt).cloned().unwrap_or_default();
        if e.doc.stmts[stmt].recompute {
            self.compute_again(e, stmt);
            return Ok(());
        }
        if let Some(steps) = local_jacobian(e.doc, stmt) {
            self.follow_pointees_of_jacobian(e, &steps)?;
            return self.adjoint_jacobian(e, stmt, &steps);
        }
        self.follow_pointees(e, stmt)?;
        match e.doc.stmts[stmt].kind.clone() {
            StmtKind::Call(_) if self.context.checkpointed.contains_key(&stmt) => {
                self.backward_checkpoint(e, stmt)
            }
            StmtKind::Call(_) | StmtKind::Assign { .. } if self.split.contains(&stmt) => {
                self.backward_split(e, stmt)
            }
            StmtKind::Assign { lhs, rhs, .. } => {
                if self.passes(e.doc, stmt) {
                    self.backward_call(e, stmt)?;
                    return if self.reshapes(e.doc, lhs, rhs) {
                        self.follow(e, lhs)
                    } else {
                        Ok(())
                    };
                }
                self.mirror_assign(e, stmt, lhs, rhs)
            }
            StmtKind::Call(call) if e.doc.is_intrinsic(call.callee.symbol) => {
                if self.backward_move(e, stmt, &call)? {
                    return Ok(());
                }
                self.restore(e, stmt)?;
                self.tools.adjoint_intrinsic(e, stmt, &call)
            }
            StmtKind::Call(_) => self.backward_call(e, stmt),
            StmtKind::Marker(marker) => self.backward_marker(e, stmt, &marker),
            StmtKind::Comment(_) => Ok(()),
            StmtKind::InlinableCall(_) | StmtKind::Propagate(_) => Err(self.refused(
                e.doc,
                place,
                "this statement is the work of another differentiation tool",
                "differentiate the document that this one was made from",
            )),
            StmtKind::Where(construct) => {
                self.restore(e, stmt)?;
                self.adjoint_where(e, stmt, &construct)
            }
            StmtKind::Allocate(_) if is_for_jacobian(e.doc, stmt) => {
                self.backward_allocate_entries(e, stmt);
                Ok(())
            }
            StmtKind::Release(_) if is_for_jacobian(e.doc, stmt) => {
                self.backward_release_entries(e, stmt)
            }
            StmtKind::Allocate(allocate) => self.backward_allocate(e, stmt, &allocate),
            StmtKind::Release(release) => self.backward_release(e, stmt, &release),
            StmtKind::PointerAssign { lhs, .. } => {
                self.backward_association(e, &[lhs])?;
                self.restore(e, stmt)
            }
            StmtKind::Forall(_) | StmtKind::OpenScope(_) | StmtKind::CloseScope(_) => Err(self
                .refused(
                    e.doc,
                    place,
                    "this statement has no adjoint yet",
                    "write it with assignments and loops",
                )),
        }
    }

    fn checkpoints(
        &mut self,
        doc: &mut Document,
        stmt: StmtId,
        variable: Option<SymbolId>,
    ) -> Option<Checkpointed> {
        // Loops around the one whose body it is ask later.
        if !self.has_checkpoints(doc, stmt) || self.context.checkpointed.contains_key(&stmt) {
            return None;
        }
        let action = self.variable(doc, "action", Base::Integer(4));
        let is_counted = variable.is_some();
        let variable =
            variable.unwrap_or_else(|| self.variable(doc, "iteration", Base::Integer(4)));
        let variables = Checkpointed { action, variable };
        self.context.checkpointed.insert(stmt, (variables, is_counted));
        Some(variables)
    }

    fn begin_checkpoints(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        trip_count: Option<ExprId>,
    ) -> Result<(), Diagnostic> {
        self.begin_loop_with_checkpoints(e, stmt, trip_count)
    }

    fn selected(&mut self, e: &mut Emitter<'_>, selector: ExprId) -> Result<(), Diagnostic> {
        self.follow_selector(e, selector)
    }

    fn has_backward(&mut self, doc: &Document, stmt: StmtId) -> bool {
        if doc.stmts[stmt].recompute {
            return true;
        }
        if !self.recorded(doc, stmt).is_empty() || !self.recorded_properties(doc, stmt).is_empty() {
            return true;
        }
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, .. } => self.is_active(doc, *lhs) || self.passes(doc, stmt),
            StmtKind::Call(call) => {
                call.active != Some(false)
                    || self.tools.any_active(doc, &call.args)
                    || self.tools.associates_active(doc, call)
                    || doc.moved(call).is_some()
            }
            StmtKind::Where(construct) => self.where_is_active(doc, construct),
            StmtKind::Marker(marker) => !self.read_items(doc, marker).is_empty(),
            StmtKind::Comment(_) => false,
            StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_) => true,
        }
    }

    fn overwrites(&self, doc: &Document, stmts: &[StmtId], expr: ExprId) -> bool {
        let read = self.locations_read(doc, expr);
        has_call(doc, [expr])
            || stmts.iter().any(|&stmt| match self.overwritten(stmt) {
                Some(found) => {
                    let global = |&location: &LocationId| {
                        matches!(
                            self.storage.locations()[location].lifetime,
                            booster_facts::Lifetime::Global | booster_facts::Lifetime::Dummy(_)
                        )
                    };
                    read.iter().any(|location| found.locations.contains(location))
                        || found.world && read.iter().any(global)
                }
                None => true,
            })
    }

    fn narrowed(&self) -> HashMap<ScopeId, Narrowed> {
        self.context.narrowed.clone()
    }

    fn variable(&mut self, doc: &mut Document, hint: &str, base: Base) -> SymbolId {
        let scope = self.scope(doc);
        let made = new_variable(doc, scope, hint, base, Place::default());
        self.ways.insert(made);
        made
    }
}
