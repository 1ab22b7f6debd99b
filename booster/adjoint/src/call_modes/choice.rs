//! Which calls are differentiated jointly and which are split (paper 3, section 3.5).
//!
//! Jointly: the forward sweep calls the procedure itself, the backward sweep `p_b`, which executes it
//! once more. Split: the forward sweep calls `p_fwd`, which records, the backward sweep `p_bwd`.
//! Joint mode needs less tape and is what happens unless somebody asks for the other; but it is
//! wrong for what cannot be done twice (`once`), or cannot be undone by giving variables of the caller
//! their old values (`hidden`):
//!
//! - variables that the caller has no name for: saved ones of the callee, PRIVATE ones of modules,
//!   members of COMMON blocks that the caller does not declare;
//! - arguments whose extent the caller does not know;
//! - values that cannot go onto the tape.
//!
//! Such calls are split whatever was asked for. Where nobody forbids it, those are as well whose
//! callee records no more than a snapshot holds (`auto_split`).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Arg, Attr, Body, Callee, CommentKind, Document, ExprId, ExprKind, ProcId, RefId, Role,
    ScopeKind, StmtId, StmtKind, SymbolId,
};

use crate::body::{entries, statements};
use crate::call_modes::extents::changes_extents;
use crate::call_modes::not_repeatable::{Origin, once};
use crate::call_modes::not_storable_here::hidden;
use crate::call_modes::shared_adjoints::shared_calls;
use crate::call_modes::split_heuristic::auto_split;
use crate::call_modes::targets::{addressed, passed, why_not_passed, why_not_split};
use crate::queries::procedure_pointers::points_to_dummy;
use booster_build::has_call;
use booster_facts::access::{Accesses, CallSite, Event};
use booster_facts::activity::names::is_procedure;
use booster_facts::arguments_of;
use booster_facts::externals::Externals;
use booster_facts::nameable::Nameable;
use booster_facts::overwrites::{Designator, Overwrites};
use booster_facts::side_effects::SideEffects;
use booster_facts::{Bodies, BodyEvents, Lifetime, LocationId, StepAt, StepKey};
use booster_flow::{Callees, Step};
use booster_rules::Catalogue;
use booster_shadow::derivative::{Callables, Class, Counterparts};

/// What a user may choose.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    /// Procedures whose calls are split.
    pub split: Vec<String>,
    /// Procedures whose calls are not split although `all` is.
    pub joint: Vec<String>,
    /// Whether the calls of all procedures are split that can be; some that associate pointers cannot.
    pub all: bool,
    /// Whether calls are split without being asked where that costs no more tape than a snapshot.
    pub auto_split: bool,
    /// Whether arguments of a call that begin at different elements of a variable never overlap.
    pub disjoint: bool,
}

impl Modes {
    /// Warnings of names that no procedure of `doc` has.
    ///
    /// # Errors
    /// A procedure that is to be split and joint.
    pub fn check(&self, doc: &Document) -> Result<Diagnostics, Diagnostics> {
        let twice = |name: &&String| self.joint.iter().any(|one| one.eq_ignore_ascii_case(name));
        let both = self.split.iter().filter(twice).map(|name| {
            let message = format!("`{name}` is to be split and joint");
            Diagnostic::error(Code::SPLIT_AND_JOINT, None, message)
                .with_help("name it with one of --split and --joint")
        });
        let errors: Diagnostics = both.collect();
        if errors.has_errors() {
            return Err(errors);
        }
        let declared =
            doc.symbols.keys().filter(|&s| matches!(doc.role(s), Some(Role::Procedure(_))));
        let given = doc.procs.values().map(|proc| proc.symbol);
        let there: Vec<SymbolId> = declared.chain(given).collect();
        let unknown = |name: &&String| !there.iter().any(|&symbol| is_procedure(doc, symbol, name));
        let warning = |name: &String| {
            let message =
                format!("no procedure is called `{name}`, which --split or --joint names");
            Diagnostic::warning(Code::NO_SUCH_CALLEE, None, message)
                .with_help("name procedures as the source does, or with their module: MODULE%NAME")
        };
        Ok(self.split.iter().chain(&self.joint).filter(unknown).map(warning).collect())
    }

    /// Whether calls of `callee` are to be split.
    fn asks(&self, doc: &Document, callee: SymbolId) -> bool {
        self.names(doc, callee) || self.all && !among(&self.joint, doc, callee)
    }

    /// Whether `callee` is to have both halves, whoever calls it.
    fn names(&self, doc: &Document, callee: SymbolId) -> bool {
        among(&self.split, doc, callee)
    }
}

fn among(list: &[String], doc: &Document, callee: SymbolId) -> bool {
    list.iter().any(|one| is_procedure(doc, callee, one))
}

/// What decides.
pub(crate) struct CallModes<'a, 'd> {
    accesses: &'a Accesses<'d>,
    bodies: &'a Bodies<'d>,
    externals: &'a Externals,
    /// What has been made; nothing while the program is only looked at.
    parts: Option<&'a Counterparts>,
    modes: &'a Modes,
    effects: &'a SideEffects,
    /// Procedures that cannot be executed twice.
    once: HashMap<ProcId, Origin>,
    /// The dummy arguments of procedures with derivatives that pointers come to point to.
    pub(crate) addressed: HashMap<ProcId, BTreeSet<u32>>,
    /// Procedures that are split without being asked.
    auto_split: HashSet<ProcId>,
    /// What names that are no procedures themselves stand for.
    callables: Option<Callables>,
    /// Who calls whom, found when it is asked.
    callees: OnceLock<Callees>,
    nameable: Nameable<'d>,
}

impl<'a, 'd> CallModes<'a, 'd> {
    pub(crate) fn new(
        accesses: &'a Accesses<'d>,
        bodies: &'a Bodies<'d>,
        (externals, catalogue): (&'a Externals, &Catalogue),
        parts: Option<&'a Counterparts>,
        modes: &'a Modes,
        effects: &'a SideEffects,
    ) -> Self {
        let once = once(accesses, bodies, externals);
        let (doc, procedures) = (accesses.doc(), accesses.storage().procedures());
        let callables = parts.map(|parts| Callables::new(doc, parts));
        let addressed = match parts.zip(callables.as_ref()) {
            Some((parts, callables)) => addressed(doc, procedures, parts, callables),
            None => HashMap::new(),
        };
        let auto_split = match modes.auto_split {
            true => auto_split(accesses, bodies, catalogue),
            false => HashSet::new(),
        };
        CallModes {
            accesses,
            bodies,
            externals,
            parts,
            modes,
            effects,
            once,
            addressed,
            auto_split,
            callables,
            callees: OnceLock::new(),
            nameable: Nameable::new(doc),
        }
    }

    /// The calls of `proc`, a procedure of the derivative, that are split.
    pub(crate) fn split_calls(&self, proc: ProcId, overwrites: &Overwrites) -> Vec<StmtId> {
        let doc = self.accesses.doc();
        let Some(body) = self.bodies.get(proc) else { return Vec::new() };
        let asked = asked_in_text(doc, body, "nocheckpoint");
        let joint = asked_in_text(doc, body, "checkpoint");
        let unlike = self.unlike_their_originals(proc, body);
        let returning = body.steps.iter().filter(|at| !at.ends);
        let calls = returning.filter_map(|at| match at.step {
            Step::Stmt(stmt) => match callee_of(doc, stmt)? {
                (_, Some(false)) => None,
                (callee, _) => Some((stmt, callee, &at.events)),
            },
            Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => None,
        });
        calls
            .filter(|(stmt, callee, events)| {
                if self.parts.is_none_or(|parts| parts.callee(callee.symbol).is_none()) {
                    return false;
                }
                let can = !self.twins_of(callee.symbol).is_empty();
                let names = self.names_of(callee.symbol);
                // All that can be.
                let asks = asked.contains(stmt)
                    || names.iter().any(|&name| self.modes.names(doc, name))
                    || names.iter().all(|&name| self.modes.asks(doc, name))
                        && !self.associates(callee.symbol, *stmt)
                    || self.is_thrifty(callee.symbol)
                        && !doc.stmts[*stmt].joint
                        && !self.associates(callee.symbol, *stmt);
                // A loop with checkpoints executes its body again.
                let executed_again = doc.stmts[*stmt].checkpoints.is_some() || joint.contains(stmt);
                can && asks && !executed_again
                    || self.parts.is_some_and(|parts| parts.is_halved(doc, callee.symbol))
                    || unlike.contains(stmt)
                    || self.is_impure_for_arrays(*stmt, callee)
                    || self.must_split(proc, *stmt, events, overwrites).is_some()
            })
            .map(|(stmt, _, _)| stmt)
            .collect()
    }

    /// The calls of `proc`, a procedure of the user's program, that will surely not be split: what
    /// is called is known by its name, nobody asks for it, and nothing that its adjoint procedure
    /// might see otherwise than the original speaks for it. Who looks for facts may rely on it and
    /// says so (`Stmt::joint`).
    pub(crate) fn joint_calls(&self, proc: ProcId) -> HashSet<StmtId> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let Some(body) = self.bodies.get(proc) else { return HashSet::new() };
        let overwrites = Overwrites::new(self.accesses, body, self.externals, self.effects);
        let joint = asked_in_text(doc, body, "checkpoint");
        let asked = asked_in_text(doc, body, "nocheckpoint");
        let visible = |stmt: StmtId| {
            let found = overwrites.of(StepKey::Stmt(stmt));
            found.is_some_and(|found| {
                !found.world
                    && found.names.iter().all(|name| match name {
                        Designator::Member(member) => !doc.is_private(member.symbol),
                        Designator::Ref(reference)
                        | Designator::Around(reference)
                        | Designator::Component(reference, _) => {
                            !doc.is_private(doc.refs[*reference].base)
                        }
                        Designator::Symbol(symbol) => !doc.is_private(*symbol),
                    })
            })
        };
        let plain = |events: &[Event<'_>], callee: SymbolId| {
            let known = |call: &CallSite<'_>| {
                let direct = doc.procedure_of(callee);
                !call.targets.unknown
                    && call.targets.outside.is_empty()
                    && matches!(call.targets.bodies[..], [one] if Some(one.proc) == direct)
            };
            let mut calls = events.iter().filter_map(|event| match event {
                Event::Call(call) => Some(known(call)),
                _ => None,
            });
            calls.next() == Some(true) && calls.all(|known| known)
        };
        let returning = body.steps.iter().filter(|at| !at.ends);
        let stmts = returning.filter_map(|at| match at.step {
            Step::Stmt(stmt) => Some((stmt, &at.events)),
            Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => None,
        });
        let joint = stmts.filter(|&(stmt, events)| {
            let Some((callee, _)) = callee_of(doc, stmt) else { return false };
            plain(events, callee.symbol)
                && storage.procedures().dummy_of(callee.symbol).is_none()
                && (doc.stmts[stmt].checkpoints.is_some()
                    || joint.contains(&stmt)
                    || !asked.contains(&stmt)
                        && !self.modes.asks(doc, callee.symbol)
                        && !self.is_thrifty(callee.symbol))
                && !self.is_impure_for_arrays(stmt, callee)
                && self.must_split(proc, stmt, events, &overwrites).is_none()
                && visible(stmt)
        });
        joint.map(|(stmt, _)| stmt).collect()
    }

    /// Whether calls of a procedure are split although nobody asks for it.
    fn is_thrifty(&self, callee: SymbolId) -> bool {
        let doc = self.accesses.doc();
        doc.procedure_of(callee).is_some_and(|proc| self.auto_split.contains(&proc))
            && !among(&self.modes.joint, doc, callee)
    }

    /// Calls through dummy procedures that do what their arguments do not show. Nobody calls a copy yet,
    /// so what such a call may execute is asked of the original.
    fn unlike_their_originals(&self, proc: ProcId, body: &BodyEvents<'_>) -> HashSet<StmtId> {
        let locations = self.accesses.storage().locations();
        let unknown = |events: &[Event<'_>]| {
            events.iter().any(|event| matches!(event, Event::Call(call) if call.targets.unknown))
        };
        let calls: Vec<StmtId> = body
            .steps
            .iter()
            .filter_map(|at| match at.step {
                Step::Stmt(stmt) if unknown(&at.events) => Some(stmt),
                _ => None,
            })
            .collect();
        let mut pairs = self.parts.into_iter().flat_map(|parts| &parts.procedures);
        let pair = pairs.find(|(_, copy)| *copy == proc);
        let original = pair.and_then(|(original, _)| self.bodies.get(*original));
        let Some(original) = original.filter(|_| !calls.is_empty()) else { return HashSet::new() };
        let outer = Overwrites::new(self.accesses, original, self.externals, self.effects);
        // A copy may have got statements where it begins (`targets`).
        let from_behind = |cfg| statements(cfg).collect::<Vec<_>>().into_iter().rev();
        let (own, others) = (from_behind(body.flow.cfg), from_behind(original.flow.cfg));
        let twins: HashMap<StmtId, StmtId> = own.zip(others).collect();
        let unlike = |stmt: &StmtId| {
            let Some(&twin) = twins.get(stmt) else { return false };
            let found = outer.of(StepKey::Stmt(twin));
            // Variables of a host are changed by procedures behind its CONTAINS.
            let elsewhere = |location: LocationId| match locations[location].lifetime {
                Lifetime::Global => true,
                Lifetime::Local(owner) | Lifetime::Dummy(owner) => owner != original.proc,
            };
            let outer = found
                .is_some_and(|found| !found.world && found.locations.iter().any(|&u| elsewhere(u)));
            let once = original.events(Step::Stmt(twin)).iter().any(|event| match event {
                Event::Call(call) => {
                    call.targets.bodies.iter().any(|entry| self.once.contains_key(&entry.proc))
                }
                _ => false,
            });
            outer || once
        };
        calls.into_iter().filter(unlike).collect()
    }

    /// The derivative procedure that can be had in two halves. One with several entries cannot if an
    /// argument is addressed: each entry has other places for it; nor one with extents that do not stay.
    pub(crate) fn twin_of(&self, callee: SymbolId) -> Option<ProcId> {
        let doc = self.accesses.doc();
        let proc = self.parts?.derivative_procedure(doc, callee)?;
        self.can_be_halved(proc).then_some(proc)
    }

    fn can_be_halved(&self, proc: ProcId) -> bool {
        let Body::Flow(cfg) = &self.accesses.doc().procs[proc].body else { return false };
        let addressed = self.addressed.get(&proc).is_some_and(|positions| !positions.is_empty());
        let steady = self.original_of(proc).is_none_or(|original| {
            let CallModes { accesses, bodies, externals, effects, .. } = self;
            !changes_extents(accesses, bodies, externals, effects, original)
        });
        steady && (!addressed || entries(cfg).next().is_none())
    }

    /// The procedure that a derivative procedure is made of.
    fn original_of(&self, derivative: ProcId) -> Option<ProcId> {
        let pairs = &self.parts?.procedures;
        pairs.iter().find(|pair| pair.1 == derivative).map(|&(original, _)| original)
    }

    /// A procedure, those that it is internal to, and what they are derivatives of.
    fn with_hosts(&self, proc: ProcId) -> Vec<ProcId> {
        let doc = self.accesses.doc();
        let parent = |&scope: &_| doc.scopes[scope].parent;
        let scopes = std::iter::successors(Some(doc.procs[proc].scope), parent);
        let procs = scopes.filter_map(|scope| match doc.scopes[scope].kind {
            ScopeKind::Procedure(symbol) => doc.procedure_of(symbol),
            ScopeKind::Global
            | ScopeKind::Plain
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => None,
        });
        let all = std::iter::once(proc).chain(procs);
        all.flat_map(|proc| [Some(proc), self.original_of(proc)]).flatten().collect()
    }

    /// Whether one of `own`, a procedure with its hosts and originals, may be executed while `owner` is, which is none
    /// of them: only then are the variables of `owner` there. Of copies the originals are asked, since nobody
    /// calls a copy yet.
    fn is_executed_above(&self, owner: ProcId, own: &[ProcId]) -> bool {
        let owner = self.original_of(owner).unwrap_or(owner);
        if own.contains(&owner) {
            return false;
        }
        let callees =
            self.callees.get_or_init(|| Callees::of_calls(self.bodies.calls(self.accesses)));
        let below = callees.reached([owner]);
        let is_unclear = |&proc: &ProcId| {
            self.bodies.get(proc).is_some_and(|body| {
                let mut events = body.steps.iter().flat_map(|at| &at.events);
                events.any(|event| matches!(event, Event::Anything))
            })
        };
        own.iter().any(|proc| below.contains(proc)) || below.iter().any(is_unclear)
    }

    /// What a name that is no procedure itself stands for.
    fn class_of(&self, callee: SymbolId) -> Option<Class> {
        self.callables.as_ref()?.class(self.accesses.doc(), callee)
    }

    /// The derivative procedures that are executed in two halves if a call of `callee` is split: all
    /// that it may stand for. None if one of them cannot be had so.
    fn twins_of(&self, callee: SymbolId) -> Vec<ProcId> {
        let doc = self.accesses.doc();
        let class = self.class_of(callee);
        let (Some(class), Some(parts), Some(callables)) = (class, self.parts, &self.callables)
        else {
            return self.twin_of(callee).into_iter().collect();
        };
        let procs = callables.procedures(doc, parts, class);
        let can =
            callables.is_complete(doc, class) && procs.iter().all(|&proc| self.can_be_halved(proc));
        if can { procs } else { Vec::new() }
    }

    /// A procedure, or those that a name stands for, as users name them.
    fn names_of(&self, callee: SymbolId) -> Vec<SymbolId> {
        let doc = self.accesses.doc();
        let of = |class| {
            let (Some(parts), Some(callables)) = (self.parts, &self.callables) else {
                return Vec::new();
            };
            let procs = callables.procedures(doc, parts, class);
            let originals = procs.into_iter().filter_map(|proc| self.original_of(proc));
            originals.map(|original| doc.procs[original].symbol).collect()
        };
        let others = self.class_of(callee).map(of).unwrap_or_default();
        others.into_iter().chain([callee]).collect()
    }

    /// Whether a call cannot be split since the procedure associates pointers.
    fn associates(&self, callee: SymbolId, stmt: StmtId) -> bool {
        let (doc, procedures) = (self.accesses.doc(), self.accesses.storage().procedures());
        let twins = self.twins_of(callee);
        let parts = self.parts;
        let dispatched = |&proc| parts.map(|parts| parts.dispatched(doc, proc)).unwrap_or_default();
        let own: Vec<ProcId> = twins.iter().flat_map(dispatched).collect();
        let bodies = own.into_iter().chain(twins).filter_map(|proc| match &doc.procs[proc].body {
            Body::Flow(cfg) => Some(cfg),
            Body::Interface | Body::Replacements { .. } => None,
        });
        // Arguments have adjoints in the forward sweep where that is needed, but results have none.
        let lacks = |symbol| doc.has(symbol, Attr::Value) || procedures.dummy_of(symbol).is_none();
        let refused = |(pointer, rhs): (RefId, Option<ExprId>)| {
            doc.refs[pointer].whole_entity().is_some_and(|s| doc.has(s, Attr::Pointer))
                && (why_not_split(doc, procedures, &lacks, pointer, rhs).is_some()
                    || points_to_dummy(doc, pointer, rhs))
        };
        bodies.flat_map(statements).flat_map(|stmt| associations(doc, stmt)).any(refused)
            || self.is_passed_elsewhere(callee, stmt)
    }

    /// Whether the two halves of a procedure that pointers to its arguments could not be given the same
    /// memory by a call.
    fn is_passed_elsewhere(&self, callee: SymbolId, stmt: StmtId) -> bool {
        let (doc, procedures) = (self.accesses.doc(), self.accesses.storage().procedures());
        let twins = self.twins_of(callee).into_iter();
        let addressed = twins.filter_map(|proc| self.addressed.get(&proc));
        let addressed: BTreeSet<u32> = addressed.flatten().copied().collect();
        let dummies = arguments_of(doc, callee);
        let lacks = |symbol| doc.has(symbol, Attr::Value) || procedures.dummy_of(symbol).is_none();
        passed(doc, stmt).iter().filter(|(at, _)| addressed.contains(at)).any(|(at, reference)| {
            let at = usize::try_from(*at).unwrap_or(0).wrapping_sub(1);
            let dummy = dummies.and_then(|args| args.get(at)).and_then(|arg| arg.symbol);
            why_not_passed(doc, procedures, (&lacks, false), reference.as_ref(), dummy).is_some()
        })
    }

    /// Whether a procedure is executed for one element after the other, each of which may use what the
    /// one before has changed.
    fn is_impure_for_arrays(&self, stmt: StmtId, callee: &Callee) -> bool {
        let doc = self.accesses.doc();
        let impure = doc.is_impure_elemental(callee.symbol);
        let array = |args: &[Arg]| {
            args.iter().any(|arg| match arg.value {
                xaif_schema::model::ArgValue::Expr(expr) => doc.exprs[expr].ty.rank > 0,
                xaif_schema::model::ArgValue::AlternateReturn(_) => false,
            })
        };
        let arrays = match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => array(&call.args),
            StmtKind::Assign { lhs, .. } => doc.refs[*lhs].ty.rank > 0,
            StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        };
        impure && arrays
    }

    fn must_split(
        &self,
        proc: ProcId,
        stmt: StmtId,
        events: &[Event<'_>],
        overwrites: &Overwrites,
    ) -> Option<Reason> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let mut once = events.iter().filter_map(|event| match event {
            Event::Call(call) => {
                call.targets.bodies.iter().find_map(|entry| self.once.get(&entry.proc))
            }
            _ => None,
        });
        if let Some(origin) = once.next() {
            return Some(Reason::Once(origin.clone()));
        }
        let found = overwrites.of(StepKey::Stmt(stmt))?;
        // What has no name here is never the caller's own. Variables of another procedure are reached by
        // one behind its CONTAINS, which has been passed on.
        let own = self.with_hosts(proc);
        let nameless =
            found.nameless.iter().find(|&&location| match storage.locations()[location].lifetime {
                Lifetime::Global => true,
                Lifetime::Local(owner) | Lifetime::Dummy(owner) => {
                    self.is_executed_above(owner, &own)
                }
            });
        if let Some(&location) = nameless {
            return Some(Reason::Nameless(storage.name(doc, location)));
        }
        let names = match doc.stmts[stmt].recorded {
            Some(_) => &found.snapshot,
            None => &found.names,
        };
        hidden(doc, (storage, &self.nameable), proc, stmt, names).map(Reason::Unrecordable)
    }

    /// Warnings of calls among `calls`, those of `proc` that are split, that nobody asks to split and that are to be
    /// joint or are repeated by a loop: what they record grows with the loop.
    fn warnings(&self, proc: ProcId, calls: &[StmtId], overwrites: &Overwrites) -> Diagnostics {
        let doc = self.accesses.doc();
        let Some(body) = self.bodies.get(proc).filter(|_| !calls.is_empty()) else {
            return Diagnostics::new();
        };
        let asked = asked_in_text(doc, body, "nocheckpoint");
        let on_cycles = body.flow.on_cycles();
        let steps = body.steps.iter().filter_map(|at| match at.step {
            Step::Stmt(stmt) if calls.contains(&stmt) && !asked.contains(&stmt) => Some((stmt, at)),
            _ => None,
        });
        let warning = |(stmt, at): (StmtId, &StepAt<'_>)| {
            let (callee, _) = callee_of(doc, stmt)?;
            let names = self.names_of(callee.symbol);
            let is_joint = names.iter().any(|&name| among(&self.modes.joint, doc, name));
            let is_asked = names.iter().any(|&name| self.modes.asks(doc, name));
            if !is_joint && (is_asked || !on_cycles.contains(&at.vertex)) {
                return None;
            }
            let reason = self.must_split(proc, stmt, &at.events, overwrites)?;
            Some(reason.warning(doc, stmt, doc.name(callee.symbol), is_joint))
        };
        steps.filter_map(warning).collect()
    }
}

/// Why a call is split although nobody asks for it.
enum Reason {
    /// The callee cannot be executed twice.
    Once(Origin),
    /// It overwrites a variable that has no name here.
    Nameless(String),
    /// It overwrites a variable that cannot be recorded here.
    Unrecordable(String),
}

impl Reason {
    fn warning(&self, doc: &Document, stmt: StmtId, callee: &str, is_joint: bool) -> Diagnostic {
        let spot = doc.spot(doc.stmts[stmt].place);
        let asked = if is_joint { "although --joint names it" } else { "in a loop" };
        let because = match self {
            Reason::Once(_) => "it cannot be executed twice".to_owned(),
            Reason::Nameless(name) => format!("it overwrites `{name}`, which has no name here"),
            Reason::Unrecordable(name) => {
                format!("it overwrites `{name}`, which cannot be recorded here")
            }
        };
        let message = format!("the call of `{callee}` is split {asked}: {because}");
        let warning = Diagnostic::warning(Code::SPLIT_ANYWAY, spot, message);
        match self {
            Reason::Once(origin) => warning
                .with_note(doc.spot(origin.place), format!("this statement {}", origin.does))
                .with_help("move the statement out of the procedure, or name the procedure with --split"),
            Reason::Nameless(_) => warning.with_help(
                "declare the variable where the caller can name it, or name the procedure with --split",
            ),
            Reason::Unrecordable(_) => warning.with_help(
                "pass the variable with its extents and without pointers, or name the procedure with --split",
            ),
        }
    }
}

/// What a statement calls that is one call, and what facts of activity say of it.
pub(crate) fn callee_of(doc: &Document, stmt: StmtId) -> Option<(&Callee, Option<bool>)> {
    call_of(doc, stmt).map(|(callee, _, active)| (callee, active))
}

/// The same with the arguments that are written in a list: a defined assignment has none.
pub(crate) fn call_of(doc: &Document, stmt: StmtId) -> Option<(&Callee, &[Arg], Option<bool>)> {
    match &doc.stmts[stmt].kind {
        StmtKind::Call(call) => Some((&call.callee, &call.args, call.active)),
        StmtKind::Assign { lhs, defined: Some(callee), .. } => {
            Some((callee, &[], doc.refs[*lhs].active))
        }
        StmtKind::Assign { rhs, defined: None, .. } => match &doc.exprs[*rhs].kind {
            ExprKind::Call(call) => Some((&call.callee, &call.args, call.active)),
            _ => None,
        },
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => None,
    }
}

/// The callee that a CALL or the right-hand side of an assignment names and what facts of activity say
/// of the call, to be changed.
pub(crate) fn callee_mut(
    doc: &mut Document,
    stmt: StmtId,
) -> Option<(&mut Callee, &mut Option<bool>)> {
    match &mut doc.stmts[stmt].kind {
        StmtKind::Call(call) => Some((&mut call.callee, &mut call.active)),
        StmtKind::Assign { rhs, .. } => {
            let call = doc.exprs[*rhs].call_mut()?;
            Some((&mut call.callee, &mut call.active))
        }
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => None,
    }
}

/// Statements behind a directive with this word, `nocheckpoint` or `checkpoint`, as far as they have calls.
fn asked_in_text(doc: &Document, body: &BodyEvents<'_>, word: &str) -> HashSet<StmtId> {
    let mut found = HashSet::new();
    let mut asked = None;
    for at in &body.steps {
        let Step::Stmt(stmt) = at.step else {
            asked = None;
            continue;
        };
        let data = &doc.stmts[stmt];
        if let StmtKind::Comment(comment) = &data.kind {
            let text = comment.text.trim_start_matches('$').to_ascii_lowercase();
            let words: Vec<&str> = text.split_whitespace().collect();
            if comment.kind == CommentKind::Directive
                && matches!(words[..], ["oxad" | "ad" | "openad", found, ..] if found == word)
            {
                asked = Some(None);
            }
            continue;
        }
        // A line of the source may have become several statements.
        let line = data.place.line;
        match asked {
            Some(None) => asked = Some(Some(line)),
            Some(Some(first)) if first != line => asked = None,
            Some(Some(_)) | None => {}
        }
        let calls = matches!(data.kind, StmtKind::Call(_))
            || matches!(data.kind, StmtKind::Assign { rhs, .. } if has_call(doc, [rhs]));
        if asked.is_some() && calls {
            found.insert(stmt);
        }
    }
    found
}

/// The pointers that a statement may associate, and with what; other objects of memory with them.
pub(crate) fn associations(doc: &Document, stmt: StmtId) -> Vec<(RefId, Option<ExprId>)> {
    match &doc.stmts[stmt].kind {
        StmtKind::PointerAssign { lhs, rhs } => vec![(*lhs, Some(*rhs))],
        StmtKind::Allocate(allocate) => {
            allocate.objects.iter().map(|&object| (object, None)).collect()
        }
        StmtKind::Release(release) => {
            release.objects.iter().map(|&object| (object, None)).collect()
        }
        StmtKind::Assign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => Vec::new(),
    }
}

/// What split mode needs.
pub(crate) struct Wanted {
    /// The derivative procedures that have twins: those that split calls need, and those that the user
    /// has named, who may call the two halves from a program of his own.
    pub(crate) procs: BTreeSet<ProcId>,
    /// The calls that are split.
    pub(crate) calls: Vec<StmtId>,
    /// The dummy arguments whose adjoints the forward halves are given.
    pub(crate) addressed: HashMap<ProcId, BTreeSet<u32>>,
    /// What names that are no procedures themselves stand for.
    pub(crate) callables: Callables,
    /// Those that are called in two halves by such names.
    pub(crate) halved: BTreeSet<Class>,
    /// Warnings of calls that are split without being asked.
    pub(crate) warnings: Diagnostics,
}

/// Works that out.
pub(crate) fn wanted(
    chooser: CallModes<'_, '_>,
    parts: &Counterparts,
    overwrites: &HashMap<ProcId, Overwrites>,
) -> Wanted {
    let doc = chooser.accesses.doc();
    let (mut procs, mut calls) = (BTreeSet::new(), Vec::new());
    let mut warnings = Diagnostics::new();
    let mut halved = BTreeSet::new();
    let shared = shared_calls(doc, parts);
    for &(original, proc) in &parts.procedures {
        let name = doc.procs[original].symbol;
        if chooser.modes.names(doc, name) {
            procs.extend(chooser.twin_of(name));
        }
        let Some(overwrites) = overwrites.get(&proc) else { continue };
        let split = chooser.split_calls(proc, overwrites);
        warnings.extend(chooser.warnings(proc, &split, overwrites));
        for stmt in split {
            let Some((callee, _)) = callee_of(doc, stmt) else { continue };
            let twins = match shared.get(&stmt) {
                Some(&shared) => parts.body_of(doc, shared).into_iter().collect(),
                None => chooser.twins_of(callee.symbol),
            };
            halved.extend(chooser.class_of(callee.symbol).filter(|_| !twins.is_empty()));
            procs.extend(twins);
            calls.push(stmt);
        }
    }
    parts.close_over_dispatch(doc, &mut procs);
    let callables = chooser.callables.unwrap_or_else(|| Callables::new(doc, parts));
    Wanted { procs, calls, addressed: chooser.addressed, callables, halved, warnings }
}
