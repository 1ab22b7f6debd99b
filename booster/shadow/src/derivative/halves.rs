//! Procedures that are called by a name that stands for several, in calls that are split.
//!
//! What a dummy procedure or a procedure pointer `f` stands for is known only when the program runs. Its
//! companion `f_b` (`callables`) executes both sweeps. Where a call of `f` is split, `f_b` gives way to
//! `f_fwd` and `f_bwd`: beside its declaration, among the dummy arguments of all procedures and
//! interface bodies that have it, and where procedures are passed. A forward sweep is given `f_fwd`
//! alone.
//!
//! That holds for all procedures that are called by one name (`classes`), so whatever is passed for `f`
//! has both halves, and no call of `f` that has a derivative is joint.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::model::{
    Arg, ArgValue, Body, Document, DummyArg, Expr, ExprKind, Init, InterfaceItem, ProcClass,
    ProcId, Role, ScopeId, ScopeKind, SpecItem, StmtKind, Symbol, SymbolId, Use, UseName,
    VertexKind,
};

use super::classes::Classes;
use super::sweep_pairs::{SUFFIXES, Sweep, calls_of, entries, goes_forward};
use super::{Counterparts, Slot, names};
use booster_build::{Copied, copy_decl, fresh_name, renamed};
use booster_facts::CalleeNode;
use booster_facts::arguments_of;

/// Procedures that are called by one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(CalleeNode);

/// Which procedures names that are none themselves may stand for, in a document with derivatives.
#[derive(Clone, Debug)]
pub struct Callables {
    classes: Classes,
}

impl Callables {
    /// Looks at all that is called and passed. The dummy arguments of a derivative procedure, whose
    /// calls are those of the original yet, stand for what those of the original do.
    pub fn new(doc: &Document, parts: &Counterparts) -> Self {
        let mut classes = Classes::new(doc);
        for &(original, derivative) in &parts.procedures {
            let (own, copies) = (&doc.procs[original].args, &doc.procs[derivative].args);
            let slots = parts.signature(doc.procs[derivative].symbol).unwrap_or_default();
            for (slot, copy) in slots.iter().zip(copies) {
                let Slot::Argument(number) = *slot else { continue };
                let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
                let own = own.get(index).and_then(|arg| arg.symbol);
                if let Some((own, copy)) = own.zip(copy.symbol) {
                    classes.unite(doc, own, copy);
                }
            }
        }
        classes.close(doc);
        Callables { classes }
    }

    /// What a dummy procedure or a procedure pointer may stand for; `None` for other names.
    pub fn class(&self, doc: &Document, symbol: SymbolId) -> Option<Class> {
        let Some(Role::Procedure(info)) = doc.role(symbol) else { return None };
        let stands_for_others = match info.class {
            ProcClass::Dummy | ProcClass::Pointer | ProcClass::Abstract => true,
            ProcClass::External
            | ProcClass::Module
            | ProcClass::Internal
            | ProcClass::Intrinsic
            | ProcClass::Entry => false,
        };
        self.classes.class_of(doc, symbol).filter(|_| stands_for_others).map(Class)
    }

    /// The derivative procedures, with both sweeps, of what belongs to a class.
    pub fn procedures(&self, doc: &Document, parts: &Counterparts, class: Class) -> Vec<ProcId> {
        let belongs = |node| self.classes.root(node) == self.classes.root(class.0);
        let shared: HashSet<SymbolId> = parts.shares.values().copied().collect();
        let pairs = parts.procedures.iter().filter(|&&(original, derivative)| {
            let entered = entries(doc, original).into_iter().map(CalleeNode::Symbol);
            parts.sweep_of(derivative) == Sweep::Both
                && !shared.contains(&doc.procs[derivative].symbol)
                && entered.chain([CalleeNode::Proc(original)]).any(belongs)
        });
        pairs.map(|&(_, derivative)| derivative).collect()
    }

    /// Whether the document has the bodies of all procedures of a class, as far as it tells which they
    /// are.
    pub fn is_complete(&self, doc: &Document, class: Class) -> bool {
        let with_body: HashSet<&str> = self
            .classes
            .nodes(class.0)
            .filter_map(|node| match node {
                CalleeNode::Proc(proc) => Some(&doc.procs[proc]),
                CalleeNode::Symbol(_) => None,
            })
            .filter(|proc| matches!(proc.body, Body::Flow(_)))
            .map(|proc| doc.symbols[proc.symbol].id.as_str())
            .collect();
        let is_outside = |node| {
            let symbol = match node {
                CalleeNode::Proc(proc) => doc.procs[proc].symbol,
                CalleeNode::Symbol(symbol) => symbol,
            };
            let Some(Role::Procedure(info)) = doc.role(symbol) else { return false };
            match info.class {
                ProcClass::External => !with_body.contains(doc.symbols[symbol].id.as_str()),
                ProcClass::Intrinsic => true,
                ProcClass::Dummy
                | ProcClass::Pointer
                | ProcClass::Abstract
                | ProcClass::Module
                | ProcClass::Internal
                | ProcClass::Entry => false,
            }
        };
        !with_body.is_empty() && !self.classes.nodes(class.0).any(is_outside)
    }
}

impl Counterparts {
    /// Whether `symbol`, a dummy procedure or procedure pointer, is called in two halves.
    pub fn is_halved(&self, doc: &Document, symbol: SymbolId) -> bool {
        matches!(doc.role(symbol), Some(Role::Procedure(info))
            if matches!(info.class, ProcClass::Dummy | ProcClass::Pointer))
            && self.callee(symbol).is_some_and(|callee| self.twins.symbols.contains_key(&callee))
    }

    /// Declares the halves of all names whose classes are `halved`, and gives them to all procedures
    /// that have such a name among their arguments.
    pub(super) fn halve_names(
        &mut self,
        doc: &mut Document,
        callables: &Callables,
        halved: &BTreeSet<Class>,
        taken: &mut HashSet<String>,
    ) {
        if halved.is_empty() {
            return;
        }
        let primals: HashMap<SymbolId, SymbolId> =
            self.callees.iter().map(|(&primal, &companion)| (companion, primal)).collect();
        let is_halved = |doc: &Document, symbol| {
            callables.class(doc, symbol).is_some_and(|class| halved.contains(&class))
        };
        let mut companions: Vec<(SymbolId, SymbolId)> =
            primals.iter().map(|(&a, &b)| (a, b)).collect();
        companions.retain(|&(_, primal)| is_halved(doc, primal));
        // An interface body is copied when what it declares has its halves.
        companions.sort_by_key(|&(companion, _)| {
            let scope = doc.symbols[companion].scope;
            let above = |&scope: &ScopeId| doc.scopes[scope].parent;
            (Reverse(std::iter::successors(Some(scope), above).count()), companion)
        });
        let passed = |doc: &Document, class: CalleeNode, number: u32| {
            let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
            callables.classes.nodes(class).any(|node| {
                let symbol = match node {
                    CalleeNode::Proc(proc) => doc.procs[proc].symbol,
                    CalleeNode::Symbol(symbol) => symbol,
                };
                let args = arguments_of(doc, symbol).unwrap_or_default();
                let dummy = args.get(index).and_then(|arg| arg.symbol);
                dummy.is_some_and(|dummy| is_halved(doc, dummy))
            })
        };
        let unbodied: Vec<SymbolId> =
            self.signatures.keys().copied().filter(|&s| doc.procedure_of(s).is_none()).collect();
        for companion in unbodied {
            let class = primals.get(&companion).and_then(|&p| callables.classes.class_of(doc, p));
            let (Some(class), Some(slots)) = (class, self.signatures.get_mut(&companion)) else {
                continue;
            };
            *slots =
                slots.iter().flat_map(|&slot| halves(slot, |n| passed(doc, class, n))).collect();
        }
        for (companion, primal) in companions {
            let Some(class) = callables.class(doc, primal) else { continue };
            let procs = callables.procedures(doc, self, class).into_iter();
            let addressed = procs.flat_map(|proc| self.addressed(doc.procs[proc].symbol)).collect();
            self.halve_name(doc, companion, primal, &addressed, taken);
        }
        let procs: Vec<ProcId> = doc.procs.keys().collect();
        for proc in procs {
            self.halve_arguments(doc, proc);
            let own = self.procedures.iter().any(|&(_, derivative)| derivative == proc);
            if !own && self.signatures.contains_key(&doc.procs[proc].symbol) {
                self.halve_what_is_passed(doc, proc);
            }
        }
    }

    /// Declares the halves of a name beside its companion.
    fn halve_name(
        &mut self,
        doc: &mut Document,
        companion: SymbolId,
        primal: SymbolId,
        addressed: &BTreeSet<u32>,
        taken: &mut HashSet<String>,
    ) {
        let home = doc.symbols[companion].scope;
        let info = match doc.role(companion) {
            Some(Role::Procedure(info)) => info.clone(),
            _ => return,
        };
        let body = info.proc.filter(|&proc| doc.procs[proc].body == Body::Interface);
        if let Some(body) = body {
            self.halve_arguments(doc, body);
        }
        let mut both = [companion; 2];
        for which in [1, 0] {
            let wish = names::derived(doc.name(primal), SUFFIXES[which]);
            let name = half_named(doc, home, &wish, taken);
            taken.insert(name.to_ascii_lowercase());
            let half = match body {
                Some(body) => self.interface(doc, body, companion, name, home),
                None => self.declare_half(doc, companion, name, home),
            };
            self.twins.addressed.insert(half, addressed.clone());
            both[which] = half;
        }
        for symbol in both.into_iter().chain([companion]) {
            self.twins.symbols.insert(symbol, both);
        }
        match doc.procedure_of(both[0]).filter(|_| body.is_some()) {
            Some(forward) => self.without_adjoints(doc, forward),
            None => {
                if let Some(slots) = self.signatures.get_mut(&both[0]) {
                    slots.retain(|slot| goes_forward(*slot, addressed));
                }
            }
        }
    }

    /// A half that is declared as its companion is.
    fn declare_half(
        &mut self,
        doc: &mut Document,
        companion: SymbolId,
        name: String,
        home: ScopeId,
    ) -> SymbolId {
        let half = renamed(doc, companion, home, name);
        if let Some(mut decl) = doc.symbols[half].decl.take() {
            copy_decl(doc, &mut decl, &Copied::default());
            doc.symbols[half].decl = Some(decl);
        }
        if let Some(slots) = self.signatures.get(&companion).cloned() {
            self.signatures.insert(half, slots);
        }
        for item in &mut doc.scopes[home].items {
            if let SpecItem::Declare(symbols) = item
                && let Some(at) = symbols.iter().position(|&symbol| symbol == companion)
            {
                symbols.insert(at + 1, half);
                break;
            }
        }
        half
    }

    /// Gives a procedure, by all its names, the halves in the place of each dummy argument that has them.
    fn halve_arguments(&mut self, doc: &mut Document, proc: ProcId) {
        let own = doc.procs[proc].symbol;
        let mut args = std::mem::take(&mut doc.procs[proc].args);
        self.halve_list(own, &mut args);
        doc.procs[proc].args = args;
        if let Body::Flow(mut cfg) = std::mem::replace(&mut doc.procs[proc].body, Body::Interface) {
            for vertex in cfg.vertices.values_mut() {
                if let VertexKind::Entry(Some(entry)) = &mut vertex.kind {
                    self.halve_list(entry.symbol, &mut entry.args);
                }
            }
            doc.procs[proc].body = Body::Flow(cfg);
        }
    }

    fn halve_list(&mut self, name: SymbolId, args: &mut Vec<DummyArg>) {
        let Some(slots) = self.signatures.get_mut(&name).filter(|s| s.len() == args.len()) else {
            return;
        };
        let (mut list, mut into) = (Vec::new(), Vec::new());
        for (arg, &slot) in args.drain(..).zip(slots.iter()) {
            let both = arg.symbol.and_then(|symbol| self.twins.symbols.get(&symbol));
            let made = halves(slot, |_| both.is_some());
            if let (Some(both), [_, _]) = (both, &made[..]) {
                list.extend(both.map(|half| DummyArg { symbol: Some(half), ..arg.clone() }));
            } else {
                list.push(arg);
            }
            into.extend(made);
        }
        list.iter_mut().zip(1..).for_each(|(arg, position)| arg.position = position);
        (*slots, *args) = (into, list);
    }

    /// A procedure that chooses among others passes both halves on.
    fn halve_what_is_passed(&self, doc: &mut Document, proc: ProcId) {
        for stmt in calls_of(doc, proc) {
            let StmtKind::Call(mut call) = doc.stmts[stmt].kind.clone() else { continue };
            let mut args: Vec<Arg> = Vec::new();
            for arg in call.args {
                let ArgValue::Expr(expr) = arg.value else { continue };
                let both = match doc.exprs[expr].kind {
                    ExprKind::Procedure(symbol) => self.twins.symbols.get(&symbol),
                    _ => None,
                };
                let Some(both) = both else {
                    args.push(arg);
                    continue;
                };
                for &half in both {
                    let kind = ExprKind::Procedure(half);
                    let value = doc.exprs.push(Expr { kind, ..doc.exprs[expr].clone() });
                    args.push(Arg { value: ArgValue::Expr(value), ..arg.clone() });
                }
            }
            args.iter_mut().zip(1..).for_each(|(arg, position)| arg.position = position);
            call.args = args;
            call.formal_count = None;
            doc.stmts[stmt].kind = StmtKind::Call(call);
        }
    }

    /// Halves that are declared by what has halves itself, or begin associated with that, and can see it.
    pub(super) fn settle_names(&mut self, doc: &mut Document) {
        let mut all: Vec<(SymbolId, usize)> = Vec::new();
        for (&symbol, both) in &self.twins.symbols {
            all.extend(both.iter().position(|&half| half == symbol).map(|which| (symbol, which)));
        }
        all.sort_unstable();
        for &(symbol, which) in &all {
            self.describe_half(doc, symbol, which);
        }
        let half_of = |symbol: SymbolId, which: usize| {
            self.twins.symbols.get(&symbol).map(|both| both[which]).filter(|&half| half != symbol)
        };
        for (symbol, which) in all {
            let Some(decl) = doc.symbols[symbol].decl.as_deref() else { continue };
            let Role::Procedure(info) = &decl.role else { continue };
            let known = info.interface;
            let interface = known.and_then(|interface| half_of(interface, which));
            let target = match decl.init {
                Some(Init::Target(target)) => match doc.exprs[target].kind {
                    ExprKind::Procedure(named) => half_of(named, which).map(|half| (target, half)),
                    _ => None,
                },
                _ => None,
            };
            let seen = doc.symbols[symbol].scope;
            if let (Some(known), Some(half)) = (known, interface) {
                if let Some(Role::Procedure(info)) = role_mut(&mut doc.symbols[symbol]) {
                    info.interface = Some(half);
                }
                see_beside(doc, seen, known, half);
            }
            if let Some((target, half)) = target {
                let kind = ExprKind::Procedure(half);
                let value = doc.exprs.push(Expr { kind, ..doc.exprs[target].clone() });
                if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                    decl.init = Some(Init::Target(value));
                }
            }
        }
    }
}

impl Counterparts {
    /// The half of an external procedure is described where the half of a name is declared by an interface body
    /// that describes the procedure itself.
    fn describe_half(&mut self, doc: &mut Document, symbol: SymbolId, which: usize) {
        let class = |symbol: SymbolId| match doc.role(symbol) {
            Some(Role::Procedure(info)) => Some((info.class, info.interface)),
            Some(_) | None => None,
        };
        let Some((_, Some(known))) = class(symbol) else { return };
        let is_external = class(known).is_some_and(|(class, _)| class == ProcClass::External);
        if !is_external || self.twins.symbols.contains_key(&known) {
            return;
        }
        let home = doc.symbols[symbol].scope;
        let Some(both) = self.halves_in(doc, home, known) else { return };
        both.into_iter().rev().for_each(|half| describe_before(doc, home, half));
        if let Some(Role::Procedure(info)) = role_mut(&mut doc.symbols[symbol]) {
            info.interface = Some(both[which]);
        }
    }
}

/// Puts the interface body of `half` before what is declared in `home`: some of that by the body.
fn describe_before(doc: &mut Document, home: ScopeId, half: SymbolId) {
    let Some(body) = doc.procedure_of(half).map(|proc| doc.procs[proc].scope) else { return };
    let items = &mut doc.scopes[home].items;
    let is_it = |item: &SpecItem| {
        matches!(item, SpecItem::Interface { items, .. }
            if items.contains(&InterfaceItem::Body(body)))
    };
    let at = items.iter().position(is_it);
    let first = items.iter().position(|item| matches!(item, SpecItem::Declare(_)));
    if let (Some(at), Some(first)) = (at, first)
        && first < at
    {
        let described = items.remove(at);
        items.insert(first, described);
    }
}

/// A name for a half in `home`. What is local may be called like what is local elsewhere.
fn half_named(doc: &Document, home: ScopeId, wish: &str, taken: &HashSet<String>) -> String {
    let is_local = |scope: ScopeId| matches!(doc.scopes[scope].kind, ScopeKind::Procedure(_));
    let local = fresh_name(doc, home, wish);
    let id = local.to_ascii_lowercase();
    let same = |symbol: &&Symbol| symbol.id == id;
    let shared = doc.symbols.values().filter(same).any(|symbol| !is_local(symbol.scope));
    match is_local(home) && !shared {
        true => local,
        false => names::fresh(wish, |name| taken.contains(name)),
    }
}

fn role_mut(symbol: &mut Symbol) -> Option<&mut Role> {
    symbol.decl.as_deref_mut().map(|decl| &mut decl.role)
}

/// What stands in the place of an argument; `has` tells which procedures have halves.
fn halves(slot: Slot, has: impl Fn(u32) -> bool) -> Vec<Slot> {
    match slot {
        Slot::ArgumentDerivative(number) if has(number) => {
            vec![Slot::ArgumentForward(number), Slot::ArgumentBackward(number)]
        }
        Slot::Argument(_)
        | Slot::ArgumentDerivative(_)
        | Slot::ArgumentForward(_)
        | Slot::ArgumentBackward(_)
        | Slot::Result
        | Slot::ResultDerivative => vec![slot],
    }
}

/// A USE that brings `known` into `scope` brings `half`, which has a name of its own, too.
fn see_beside(doc: &mut Document, scope: ScopeId, known: SymbolId, half: SymbolId) {
    let above = |&scope: &ScopeId| doc.scopes[scope].parent;
    let around: Vec<ScopeId> = std::iter::successors(Some(scope), above).collect();
    if around.contains(&doc.symbols[half].scope) {
        return;
    }
    let name = doc.name(half).to_owned();
    let has = |used: &Use, symbol| used.names.iter().any(|name| name.symbol == Some(symbol));
    for scope in around {
        for item in &mut doc.scopes[scope].items {
            let SpecItem::Use(used) = item else { continue };
            if used.only && has(used, known) {
                if !has(used, half) {
                    let (local, remote) = (name.clone(), name.clone());
                    used.names.push(UseName { local, remote, symbol: Some(half) });
                }
                return;
            }
        }
    }
}
