//! Procedures that execute one of the two sweeps of an adjoint: `p_fwd` and `p_bwd` beside `p_b`.
//!
//! Each is a copy of `p_b` as [`Counterparts::make`] has left it: its declarations with a plain copy
//! of the original's body, so this must come before any statement is written. An internal procedure
//! is copied before its host, so that the copies of the host have all three.
//!
//! `p_bwd` has the arguments of `p_b`; `p_fwd` those of `p` itself, with the result of a function as
//! the last: adjoint objects live in the backward sweep alone. But where pointers come to point to an
//! argument, or it is a pointer that is associated, its adjoint must be associated likewise in the
//! forward sweep: `p_fwd` is given that, too.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::model::{
    Attr, Body, Document, DummyArg, InterfaceItem, ProcClass, ProcId, ProcedureInfo, Role, ScopeId,
    ScopeKind, SpecItem, StmtId, StmtKind, SymbolId, VertexKind,
};

use super::halves::{Callables, Class};
use super::types::Types;
use super::visibility::bring_into_sight;
use super::{Counterparts, Slot, names};
use booster_build::{Copied, copy_scope, renamed};

/// What the names of the two procedures end with.
pub(super) const SUFFIXES: [&str; 2] = ["_fwd", "_bwd"];

/// What the comments at their heads begin with.
pub(super) const TITLES: [&str; 2] =
    ["Forward sweep of the adjoint of", "Backward sweep of the adjoint of"];

/// Which sweeps of an adjoint a procedure executes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sweep {
    /// Both, one after the other.
    #[default]
    Both,
    /// The forward sweep.
    Forward,
    /// The backward sweep.
    Backward,
}

/// The procedures of split mode, as far as there are any.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    /// For each derivative procedure (by its symbol) those that execute one sweep: forward, backward.
    pub(super) symbols: HashMap<SymbolId, [SymbolId; 2]>,
    /// Which sweeps a procedure executes; both where it is not listed.
    pub(super) sweeps: HashMap<ProcId, Sweep>,
    /// The dummy arguments of procedures (by their symbols) that pointers come to point to, or that are
    /// associated, by their positions in the original.
    pub(super) addressed: HashMap<SymbolId, BTreeSet<u32>>,
    /// Those of the forward sweep that choose among others.
    dispatching: Vec<ProcId>,
    /// The scopes of these procedures.
    made: HashSet<ScopeId>,
}

impl Counterparts {
    /// Which sweeps of an adjoint `proc` executes.
    pub fn sweep_of(&self, proc: ProcId) -> Sweep {
        self.twins.sweeps.get(&proc).copied().unwrap_or_default()
    }

    /// Makes the procedures that execute one sweep for each of `wanted`, derivative procedures that
    /// are still plain copies. They are added to [`Counterparts::procedures`] and, where they are
    /// program units, to those of the document. `addressed`: the dummy arguments, by their positions in
    /// the original, whose adjoints the forward sweep is given. `halved`: the procedures that are called
    /// in two halves by names that stand for several.
    pub fn split(
        &mut self,
        doc: &mut Document,
        wanted: &BTreeSet<ProcId>,
        addressed: &HashMap<ProcId, BTreeSet<u32>>,
        (callables, halved): (&Callables, &BTreeSet<Class>),
    ) {
        for (&proc, positions) in addressed {
            self.twins.addressed.insert(doc.procs[proc].symbol, positions.clone());
        }
        let depth = |doc: &Document, proc: ProcId| {
            let above = |&scope: &ScopeId| doc.scopes[scope].parent;
            std::iter::successors(Some(doc.procs[proc].scope), above).count()
        };
        let mut order: Vec<ProcId> = wanted.iter().copied().collect();
        // Dispatch procedures call the others.
        order.sort_by_key(|&proc| {
            let dispatches = !self.procedures.iter().any(|(_, derivative)| *derivative == proc);
            (dispatches, std::cmp::Reverse(depth(doc, proc)))
        });
        let mut taken: HashSet<String> =
            doc.symbols.values().map(|symbol| symbol.id.trim_matches('/').to_owned()).collect();
        self.halve_names(doc, callables, halved, &mut taken);
        for proc in order {
            for (which, sweep) in [Sweep::Forward, Sweep::Backward].into_iter().enumerate() {
                self.twin(doc, proc, which, sweep, &mut taken);
            }
        }
        self.settle_names(doc);
        self.procedures.sort_unstable();
    }

    /// The dummy arguments, by their positions in the original, of which a procedure (given by the symbol
    /// of that with both sweeps or of a half) lets pointers point to, or which it associates.
    pub fn addressed(&self, procedure: SymbolId) -> BTreeSet<u32> {
        self.twins.addressed.get(&procedure).cloned().unwrap_or_default()
    }

    /// The procedures that choose among others that execute the forward sweep.
    pub fn dispatching_forward(&self) -> Vec<ProcId> {
        self.twins.dispatching.clone()
    }

    /// The procedures with derivatives among which a procedure that dispatches chooses.
    pub fn dispatched(&self, doc: &Document, proc: ProcId) -> Vec<ProcId> {
        if self.procedures.iter().any(|(_, derivative)| *derivative == proc) {
            return Vec::new();
        }
        let calls = calls_of(doc, proc).into_iter();
        let callees = calls.filter_map(|stmt| match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => Some(call.callee.symbol),
            _ => None,
        });
        callees.filter_map(|callee| self.body_of(doc, callee)).collect()
    }

    /// One of the two copies of `proc`.
    fn twin(
        &mut self,
        doc: &mut Document,
        proc: ProcId,
        which: usize,
        sweep: Sweep,
        taken: &mut HashSet<String>,
    ) {
        let pair = self.procedures.iter().find(|(_, derivative)| *derivative == proc);
        let original = pair.map_or(proc, |(original, _)| *original);
        let dispatches = pair.is_none();
        let root = doc.procs[proc].scope;
        let Some(parent) = doc.scopes[root].parent else { return };
        let mut copied = Copied::default();
        let mut named = vec![(doc.procs[proc].symbol, doc.procs[original].symbol)];
        named.extend(entries(doc, proc).into_iter().zip(entries(doc, original)));
        for (derivative, primal) in named {
            let wish = names::derived(doc.name(primal), SUFFIXES[which]);
            let name = names::fresh(&wish, |name| taken.contains(name));
            taken.insert(name.to_ascii_lowercase());
            let symbol = renamed(doc, derivative, doc.symbols[derivative].scope, name);
            copied.copier.symbols.insert(derivative, symbol);
            let addressed = self.addressed(derivative);
            self.twins.addressed.insert(symbol, addressed);
            self.twins.symbols.entry(derivative).or_insert([derivative; 2])[which] = symbol;
            // The other of the two knows this one by the same table.
            let both = self.twins.symbols[&derivative];
            self.twins.symbols.extend(both.into_iter().map(|one| (one, both)));
        }
        self.copy(doc, proc, parent, &mut copied, TITLES[which]);
        if let Some(&new) = copied.procs.get(&proc) {
            if sweep == Sweep::Forward {
                self.without_adjoints(doc, new);
            }
            if dispatches {
                self.dispatch_to(doc, new, which);
                if sweep == Sweep::Forward {
                    self.twins.dispatching.push(new);
                }
            } else {
                self.twins.sweeps.insert(new, sweep);
            }
        }
    }

    /// Copies `proc` into `parent`; `copied` has its new names.
    pub(super) fn copy(
        &mut self,
        doc: &mut Document,
        proc: ProcId,
        parent: ScopeId,
        copied: &mut Copied,
        heading: &str,
    ) -> ScopeId {
        let root = doc.procs[proc].scope;
        let tree = doc.nest();
        let scope = copy_scope(doc, &tree, root, parent, copied);
        let mut place = doc.scopes[root].place;
        std::mem::swap(&mut doc.scopes[scope].place, &mut place);
        doc.scopes[scope].end = doc.scopes[root].end;
        title(doc, scope, heading);
        let own = doc.procs[proc].symbol;
        self.follow(doc, copied, &entries(doc, proc).into_iter().chain([own]).collect());
        let made: Vec<(ProcId, ProcId)> = copied.procs.iter().map(|(&a, &b)| (a, b)).collect();
        for (old, new) in made {
            if let Some(&(original, _)) = self.procedures.iter().find(|(_, d)| *d == old) {
                self.procedures.push((original, new));
            }
            let inner = self.sweep_of(old);
            if inner != Sweep::Both {
                self.twins.sweeps.insert(new, inner);
            }
            for symbol in std::iter::once(doc.procs[new].symbol).chain(entries(doc, new)) {
                if let Some(Role::Procedure(info)) =
                    doc.symbols[symbol].decl.as_deref_mut().map(|decl| &mut decl.role)
                {
                    info.proc = Some(new);
                }
            }
            let calls: Vec<(ProcId, ProcId)> =
                doc.calls.iter().filter(|call| call.0 == old).map(|call| (new, call.1)).collect();
            doc.calls.extend(calls);
        }
        let is_type = |scope| matches!(doc.scopes[scope].kind, ScopeKind::DerivedType(_));
        if tree.inside(root).into_iter().any(is_type) {
            self.types = Types::new(doc);
        }
        self.list(doc, root, parent, scope);
        scope
    }

    /// Adjoints live in the backward sweep alone: the forward sweep is given those only that pointers
    /// may come to point to.
    pub(super) fn without_adjoints(&mut self, doc: &mut Document, proc: ProcId) {
        let own = doc.procs[proc].symbol;
        let addressed = self.addressed(own);
        let stays = |slot: &Slot| goes_forward(*slot, &addressed);
        let primal = |doc: &mut Document, slots: &[Slot], args: &mut Vec<DummyArg>| {
            let stay = |(at, arg): (usize, &DummyArg)| {
                !arg.deriv || slots.len() == args.len() && slots.get(at).is_some_and(stays)
            };
            let stay: Vec<bool> = args.iter().enumerate().map(stay).collect();
            let goes = args.iter().zip(&stay).filter(|(_, stays)| !**stays);
            for symbol in goes.filter_map(|(arg, _)| arg.symbol) {
                if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                    decl.intent = None;
                    decl.attrs.remove(&Attr::Optional);
                    decl.attrs.remove(&Attr::Value);
                }
            }
            let mut stay = stay.into_iter();
            args.retain(|_| stay.next().unwrap_or(true));
            args.iter_mut().zip(1..).for_each(|(arg, position)| arg.position = position);
        };
        let mut args = std::mem::take(&mut doc.procs[proc].args);
        primal(doc, self.signatures.get(&own).map_or(&[], Vec::as_slice), &mut args);
        doc.procs[proc].args = args;
        let mut symbols = vec![doc.procs[proc].symbol];
        if let Body::Flow(mut cfg) = std::mem::replace(&mut doc.procs[proc].body, Body::Interface) {
            for vertex in cfg.vertices.values_mut() {
                if let VertexKind::Entry(Some(entry)) = &mut vertex.kind {
                    let slots = self.signatures.get(&entry.symbol).map_or(&[][..], Vec::as_slice);
                    primal(doc, slots, &mut entry.args);
                    symbols.push(entry.symbol);
                }
            }
            doc.procs[proc].body = Body::Flow(cfg);
        }
        for symbol in symbols {
            if let Some(slots) = self.signatures.get_mut(&symbol) {
                slots.retain(stays);
            }
        }
    }

    /// A dispatch procedure calls procedures of one sweep.
    fn dispatch_to(&self, doc: &mut Document, proc: ProcId, which: usize) {
        for stmt in calls_of(doc, proc) {
            if let StmtKind::Call(call) = &mut doc.stmts[stmt].kind
                && let Some(both) = self.twins.symbols.get(&call.callee.symbol)
            {
                if which == 0 {
                    let slots = self.signatures.get(&call.callee.symbol);
                    let slots = slots.map(Vec::as_slice).unwrap_or_default();
                    let addressed = self.addressed(call.callee.symbol);
                    let mut slots = slots.iter();
                    call.args.retain(|_| {
                        slots.next().is_none_or(|slot| goes_forward(*slot, &addressed))
                    });
                    call.args.iter_mut().zip(1..).for_each(|(arg, at)| arg.position = at);
                    call.formal_count = None;
                }
                call.callee.symbol = both[which];
                let scope = doc.procs[proc].scope;
                bring_into_sight(doc, scope, both[which]);
            }
        }
    }

    /// Adds the procedures that the dispatch procedures among `wanted` call.
    pub fn close_over_dispatch(&self, doc: &Document, wanted: &mut BTreeSet<ProcId>) {
        for proc in wanted.clone() {
            if self.procedures.iter().any(|(_, derivative)| *derivative == proc) {
                continue;
            }
            for stmt in calls_of(doc, proc) {
                let StmtKind::Call(call) = &doc.stmts[stmt].kind else { continue };
                wanted.extend(self.body_of(doc, call.callee.symbol));
            }
        }
    }

    /// The derivative procedure with this name.
    pub fn body_of(&self, doc: &Document, derivative: SymbolId) -> Option<ProcId> {
        let mut procs = self.procedures.iter().map(|&(_, derivative)| derivative);
        let is_named = |proc: ProcId| {
            doc.procs[proc].symbol == derivative || entries(doc, proc).contains(&derivative)
        };
        // The symbol tells which procedure it names; that of an entry need not.
        match doc.role(derivative) {
            Some(Role::Procedure(ProcedureInfo { proc: Some(proc), .. })) if is_named(*proc) => {
                procs.find(|other| other == proc)
            }
            _ => procs.find(|&proc| is_named(proc)),
        }
    }

    /// What the copy declares has the derivatives that its originals have.
    /// What calls itself goes on calling the procedure with both sweeps, whose names are `itself`.
    fn follow(&mut self, doc: &Document, copied: &Copied, itself: &HashSet<SymbolId>) {
        let map = &copied.copier;
        let value_of =
            |value: SymbolId| if itself.contains(&value) { value } else { map.symbol(value) };
        // What is copied is less than what there is.
        for (&key, &new) in &map.symbols {
            if let Some(value) = self.variables.get(key) {
                self.variables.insert(new, value_of(value));
            }
            if let Some(&value) = self.callees.get(&key) {
                self.callees.insert(new, value_of(value));
            }
            if let Some(slots) = self.signatures.get(&key).cloned() {
                self.signatures.insert(new, slots);
            }
        }
        let inner: Vec<_> = self
            .twins
            .symbols
            .iter()
            .filter(|(key, _)| {
                map.symbols
                    .get(key)
                    .is_some_and(|&new| doc.symbols[new].scope != doc.symbols[**key].scope)
            })
            .map(|(&key, both)| (map.symbol(key), both.map(|symbol| map.symbol(symbol))))
            .collect();
        self.twins.symbols.extend(inner);
        let addressed: Vec<_> = self
            .twins
            .addressed
            .iter()
            .filter_map(|(key, positions)| Some((*map.symbols.get(key)?, positions.clone())))
            .collect();
        self.twins.addressed.extend(addressed);
        let zeroed: Vec<_> = self
            .zeroed
            .iter()
            .filter_map(|(proc, symbols)| {
                let new = *copied.procs.get(proc)?;
                Some((new, symbols.iter().map(|&symbol| map.symbol(symbol)).collect()))
            })
            .collect();
        self.zeroed.extend(zeroed);
    }

    /// Puts `scope` behind `root` in what `parent` has.
    fn list(&mut self, doc: &mut Document, root: ScopeId, parent: ScopeId, scope: ScopeId) {
        let data = &mut doc.scopes[parent];
        let list = match data.kind {
            ScopeKind::Global => &mut data.items,
            _ => &mut data.contains,
        };
        let at =
            list.iter().rposition(|item| matches!(item, SpecItem::Unit(unit) if *unit == root));
        let last = at.map_or(list.len(), |at| at + 1);
        // Behind the other of the two.
        let made = |item: &&SpecItem| match item {
            SpecItem::Unit(unit) => self.twins.made.contains(unit),
            _ => false,
        };
        let others = list[last..].iter().take_while(made).count();
        list.insert(last + others, SpecItem::Unit(scope));
        self.twins.made.insert(scope);
        if doc.scopes[parent].kind == ScopeKind::Global {
            self.units.push(scope);
        }
    }

    /// The derivative procedure with a body that calls of `callee` mean, perhaps one that dispatches;
    /// `None` for dummy procedures and pointers.
    pub fn derivative_procedure(&self, doc: &Document, callee: SymbolId) -> Option<ProcId> {
        let derivative = self.callee(callee)?;
        self.body_of(doc, derivative).or_else(|| {
            let Some(Role::Procedure(info)) = doc.role(derivative) else { return None };
            let dispatches = info.proc.filter(|&proc| {
                info.class == ProcClass::Module
                    && matches!(doc.procs[proc].body, Body::Flow(_))
                    && doc.procs[proc].symbol == derivative
            });
            if dispatches.is_some() {
                return dispatches;
            }
            let external = matches!(info.class, ProcClass::External);
            let global = doc.global_scope().filter(|_| external)?;
            self.body_of(doc, doc.symbol_in(global, &doc.symbols[derivative].id)?)
        })
    }

    /// The procedures that execute one sweep of what `derivative` names in `proc`, forward and
    /// backward, by names that can be used there. An interface that describes it is copied for them.
    pub fn halves(
        &mut self,
        doc: &mut Document,
        proc: ProcId,
        derivative: SymbolId,
    ) -> Option<[SymbolId; 2]> {
        let home = doc.procs[proc].scope;
        self.halves_in(doc, home, derivative)
    }

    /// The same for what is named in the scope `home`.
    pub(super) fn halves_in(
        &mut self,
        doc: &mut Document,
        home: ScopeId,
        derivative: SymbolId,
    ) -> Option<[SymbolId; 2]> {
        if let Some(&known) = self.twins.symbols.get(&derivative) {
            return Some(known);
        }
        let Role::Procedure(info) = doc.role(derivative)?.clone() else { return None };
        let global = doc.global_scope()?;
        let named = doc.symbol_in(global, &doc.symbols[derivative].id)?;
        let both = *self.twins.symbols.get(&named)?;
        let body = info.proc.filter(|&body| matches!(doc.procs[body].body, Body::Interface));
        let Some(body) = body else { return Some(both) };
        let mut local = both;
        for (symbol, forward) in local.iter_mut().zip([true, false]).rev() {
            let known = doc.symbol_in(home, &doc.symbols[*symbol].id);
            *symbol = match known {
                Some(known) => known,
                None => {
                    let addressed = self.addressed(*symbol);
                    let name = doc.name(*symbol).to_owned();
                    let local = self.interface(doc, body, derivative, name, home);
                    self.twins.addressed.insert(local, addressed);
                    local
                }
            };
            if let (true, None, Some(proc)) = (forward, known, doc.procedure_of(*symbol)) {
                self.without_adjoints(doc, proc);
            }
        }
        Some(local)
    }

    /// An interface body for what is called `name` in `home`, like the one of `derivative`.
    pub(super) fn interface(
        &mut self,
        doc: &mut Document,
        body: ProcId,
        derivative: SymbolId,
        name: String,
        home: ScopeId,
    ) -> SymbolId {
        let tree = doc.nest();
        let local = renamed(doc, derivative, home, name);
        let mut copied = Copied::default();
        copied.copier.symbols.insert(derivative, local);
        let scope = copy_scope(doc, &tree, doc.procs[body].scope, home, &mut copied);
        if let (Some(&new), Some(Role::Procedure(info))) =
            (copied.procs.get(&body), doc.symbols[local].decl.as_deref_mut().map(|d| &mut d.role))
        {
            info.proc = Some(new);
        }
        self.follow(doc, &copied, &HashSet::new());
        let like = InterfaceItem::Body(doc.procs[body].scope);
        let beside = doc.scopes[home].items.iter().enumerate().find_map(|(at, item)| match item {
            SpecItem::Interface { items, is_abstract, .. } if items.contains(&like) => {
                Some((at + 1, *is_abstract))
            }
            _ => None,
        });
        let (at, is_abstract) = beside.unwrap_or((doc.scopes[home].items.len(), false));
        let items = vec![InterfaceItem::Body(scope)];
        let item = SpecItem::Interface { generic: None, is_abstract, items };
        doc.scopes[home].items.insert(at, item);
        local
    }
}

/// Whether the forward sweep is given an argument.
pub(super) fn goes_forward(slot: Slot, addressed: &BTreeSet<u32>) -> bool {
    match slot {
        Slot::Argument(_) | Slot::Result | Slot::ArgumentForward(_) => true,
        Slot::ArgumentDerivative(position) => addressed.contains(&position),
        Slot::ArgumentBackward(_) | Slot::ResultDerivative => false,
    }
}

/// The names of the ENTRY statements of a procedure, in the order of the text.
pub(super) fn entries(doc: &Document, proc: ProcId) -> Vec<SymbolId> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
    let kinds = cfg.layout.iter().map(|&vertex| &cfg.vertices[vertex].kind);
    kinds
        .filter_map(|kind| match kind {
            VertexKind::Entry(Some(entry)) => Some(entry.symbol),
            _ => None,
        })
        .collect()
}

/// The CALL statements of a procedure.
pub(super) fn calls_of(doc: &Document, proc: ProcId) -> Vec<StmtId> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
    let blocks = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => Some(stmts),
        _ => None,
    });
    let calls = |stmt: &StmtId| matches!(doc.stmts[*stmt].kind, StmtKind::Call(_));
    blocks.flatten().copied().filter(calls).collect()
}

/// Says in the comment at the head of a procedure, which ends with a full stop, which sweep it is.
fn title(doc: &mut Document, scope: ScopeId, title: &str) {
    let items = &mut doc.scopes[scope].items;
    let line = |item: &SpecItem| match item {
        SpecItem::Comment(comment) => Some(comment.text.to_string()),
        _ => None,
    };
    let Some(first) = items.first().and_then(line) else { return };
    let Some((_, rest)) = first.split_once(" of ") else { return };
    let ends = items.iter().map_while(line).position(|text| text.ends_with('.'));
    items.drain(1..=ends.unwrap_or(0));
    let name = rest.split_once(':').map_or(rest, |(name, _)| name).trim_end_matches('.');
    if let Some(SpecItem::Comment(comment)) = items.first_mut() {
        comment.text = format!(" {title} {name}.").into();
    }
}
