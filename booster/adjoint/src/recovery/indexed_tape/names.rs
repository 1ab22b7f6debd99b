//! What names which variable in the iterations of a loop.

mod arms;

use std::collections::HashMap;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Cfg, Document, ExprId, Intent, RefId, ScopeId, StmtId, StmtKind,
    SubroutineCall, SymbolId, Verb, VertexId, VertexKind,
};

use crate::loops::buffer_swap::is_pure;
use crate::queries::tape_operations::tape_operation;
use arms::Construct;
use booster_build::{constant_integer, subscripts_of};
use booster_facts::Storage;
use booster_facts::loops::Loop;
use booster_flow::Ways;
use booster_tangent::reads::references;

/// What happens to a variable in a body: that of the loop, or an arm of a construct.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    /// It goes on the tape, by one of these statements; whether that happens each time the body is executed.
    Push(Vec<StmtId>, bool),
    /// It is taken back; likewise.
    Pop(Vec<StmtId>, bool),
    /// It is given a value each time.
    Set,
    /// It may be given a value.
    Write,
    /// It is read.
    Read,
}

/// What happens to each variable, in the order of the text, with the positions.
type Events = HashMap<SymbolId, Vec<(usize, Event)>>;

/// An operation of the tape that every iteration executes once.
#[derive(Clone)]
pub(crate) struct Tape {
    /// What executes it, with what goes on the tape or is taken back: a statement of the body itself, or
    /// the last ones of all arms of a construct, which push constants (the numbers of the arms).
    pub(crate) stmts: Vec<(StmtId, ExprId)>,
    push: bool,
    scalar: bool,
    /// Whether the iteration itself has given a value to what is pushed.
    pub(crate) set: bool,
}

/// The iterations of a loop that is left at its head alone and in which nobody jumps.
pub(crate) struct Side<'a> {
    storage: &'a Storage,
    /// What happens in each iteration.
    events: Events,
    /// The constructs that are open, the innermost last.
    open: Vec<Construct>,
    /// Where anything may happen.
    anything: Vec<usize>,
    /// Whether something is called.
    calls: bool,
    /// What every iteration puts on the tape or takes back by itself, in the order of the text.
    tape: Vec<Tape>,
    position: usize,
}

impl<'a> Side<'a> {
    pub(crate) fn new(
        doc: &Document,
        storage: &'a Storage,
        (cfg, ways): (&Cfg, &Ways<'_>),
        of: &Loop,
    ) -> Option<Self> {
        if !is_closed(cfg, ways, of) {
            return None;
        }
        let mut side = Side {
            storage,
            events: HashMap::new(),
            open: Vec::new(),
            anything: Vec::new(),
            calls: false,
            tape: Vec::new(),
            position: 0,
        };
        for &vertex in &cfg.layout[of.head + 1..of.end] {
            side.vertex(doc, (cfg, ways), vertex);
        }
        Some(side)
    }

    /// The scalars, and what records them, that each iteration records before it may give them a value,
    /// and then surely gives one to; in the order of the text.
    pub(crate) fn recorded(&self, variable: SymbolId) -> Vec<(SymbolId, Vec<StmtId>)> {
        let mut found: Vec<(usize, SymbolId, Vec<StmtId>)> = Vec::new();
        for (&symbol, events) in &self.events {
            let tape =
                |event: &&(usize, Event)| matches!(event.1, Event::Push(..) | Event::Pop(..));
            let mut tape = events.iter().filter(tape);
            let (Some((at, Event::Push(stmts, true))), None) = (tape.next(), tape.next()) else {
                continue;
            };
            let at = *at;
            let writes = |event: &Event| matches!(event, Event::Set | Event::Write);
            let too_early = events.iter().any(|(position, event)| *position < at && writes(event))
                || self.anything.iter().any(|&position| position < at);
            let set = events.iter().any(|(position, event)| *position > at && *event == Event::Set);
            if symbol != variable && !too_early && set {
                found.push((at, symbol, stmts.clone()));
            }
        }
        found.sort_unstable_by_key(|&(at, symbol, _)| (at, symbol));
        found.into_iter().map(|(_, symbol, stmts)| (symbol, stmts)).collect()
    }

    /// What takes a scalar back in each iteration, if nothing else gives it a value and nobody names it
    /// behind that.
    pub(crate) fn taken_back(&self, symbol: SymbolId, variable: SymbolId) -> Option<Vec<StmtId>> {
        let events = self.events.get(&symbol)?;
        let ((_, last), before) = events.split_last()?;
        let Event::Pop(stmts, true) = last else { return None };
        let alone = before.iter().all(|(_, event)| *event == Event::Read);
        (alone && self.anything.is_empty() && symbol != variable).then(|| stmts.clone())
    }

    /// What an iteration of a forward sweep leaves on the tape, each with what takes it back in an iteration of
    /// the backward sweep; only scalars. Nothing if the two do not mirror each other.
    pub(crate) fn left_on_tape(&self, back: &Self, doc: &Document) -> Vec<(Tape, Tape)> {
        let there = beyond(self.tape.iter(), true);
        let back = beyond(back.tape.iter().rev(), false);
        let (Some(there), Some(back)) = (there, back) else { return Vec::new() };
        let name = |one: &Tape| {
            let [(_, value)] = one.stmts[..] else { return None };
            let reference = doc.exprs[value].reference()?;
            Some(doc.name(doc.refs[reference].base).to_lowercase())
        };
        // Constants have no names.
        let alike = |(there, back): (&Tape, &Tape)| {
            there.scalar == back.scalar && name(there).is_none_or(|own| Some(own) == name(back))
        };
        if there.len() != back.len() || !there.iter().zip(&back).all(alike) {
            return Vec::new();
        }
        there.into_iter().zip(back).filter(|(there, _)| there.scalar).collect()
    }

    /// Whether an expression has one value in all iterations.
    pub(crate) fn leaves(&self, doc: &Document, expr: ExprId) -> bool {
        let alone = |reference: RefId| {
            let symbol = doc.refs[reference].base;
            let far = [Attr::Pointer, Attr::Target, Attr::Allocatable, Attr::Volatile];
            let locations = self.storage.locations_of_symbol(symbol);
            doc.refs[reference].parts.is_empty()
                && doc.symbols[symbol].rank == Some(0)
                && !far.iter().any(|&attr| doc.has(symbol, attr))
                && matches!(&locations[..], [location] if self.storage.locations()[*location].members.len() == 1)
                && self.events.get(&symbol).is_none_or(|events| {
                    events.iter().all(|(_, event)| match event {
                        Event::Read | Event::Push(..) => true,
                        Event::Pop(..) | Event::Set | Event::Write => false,
                    })
                })
        };
        !self.calls && self.anything.is_empty() && references(doc, expr).into_iter().all(alone)
    }

    fn vertex(&mut self, doc: &Document, (cfg, ways): (&Cfg, &Ways<'_>), vertex: VertexId) {
        self.position += 1;
        if let Some(construct) = self.open.last_mut() {
            construct.begin_arm((cfg, ways), vertex);
        }
        match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => {
                for &stmt in stmts {
                    self.position += 1;
                    self.stmt(doc, stmt);
                }
            }
            VertexKind::Branch { condition, form, .. } => {
                self.read(doc, *condition);
                self.open.push(Construct::branch(vertex, *form, self.position));
            }
            VertexKind::ForLoop { init, condition, update, .. } => {
                // Its variable is given a value whatever it is used for.
                self.open.push(Construct::other(self.position));
                self.stmt(doc, *init);
                self.read(doc, [*condition]);
                self.stmt(doc, *update);
            }
            VertexKind::PreLoop { condition, .. } | VertexKind::PostLoop { condition } => {
                self.read(doc, *condition);
                self.open.push(Construct::other(self.position));
            }
            VertexKind::ConcurrentLoop { .. } => {
                self.anything.push(self.position);
                self.open.push(Construct::other(self.position));
            }
            VertexKind::EndBranch => {
                self.close();
                if self.open.is_empty()
                    && let Some(stmts) = number_of_arm(doc, (cfg, ways), vertex)
                {
                    self.tape.push(Tape { stmts, push: true, scalar: true, set: true });
                }
            }
            VertexKind::EndLoop => self.close(),
            // Not in a loop that is closed.
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => self.anything.push(self.position),
        }
    }

    fn note(&mut self, symbol: SymbolId, event: Event) {
        let body = self.open.last_mut().map_or(&mut self.events, Construct::body);
        body.entry(symbol).or_default().push((self.position, event));
    }

    /// A construct ends: what happens in it happens in what is around it.
    fn close(&mut self) {
        let Some(construct) = self.open.pop() else { return };
        let body = self.open.last_mut().map_or(&mut self.events, Construct::body);
        let anything = self.anything.iter().any(|&at| construct.begins_before(at));
        for (symbol, events) in construct.seen_from_outside(self.position, anything) {
            body.entry(symbol).or_default().extend(events);
        }
    }

    /// An expression is evaluated: what it passes to a function may be given a value.
    fn read(&mut self, doc: &Document, exprs: impl IntoIterator<Item = ExprId>) {
        for expr in exprs {
            let calls = !is_pure(doc, [expr]);
            self.calls |= calls;
            for reference in references(doc, expr) {
                self.note(doc.refs[reference].base, if calls { Event::Write } else { Event::Read });
            }
        }
    }

    fn stmt(&mut self, doc: &Document, stmt: StmtId) {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                self.read(doc, subscripts_of(&doc.refs[*lhs]).into_iter().chain([*rhs]));
                let whole = doc.refs[*lhs].parts.is_empty();
                self.note(doc.refs[*lhs].base, if whole { Event::Set } else { Event::Write });
            }
            StmtKind::InlinableCall(call) => self.operation(doc, stmt, &call.name, &call.args),
            StmtKind::Call(call) => {
                self.calls = true;
                self.written(doc, call.callee.object);
                for arg in &call.args {
                    match arg.value {
                        ArgValue::Expr(value) if self.is_only_read(doc, call, arg) => {
                            self.read(doc, [value]);
                        }
                        ArgValue::Expr(value) => {
                            let passed = references(doc, value);
                            self.written(doc, passed);
                        }
                        ArgValue::AlternateReturn(_) => self.anything.push(self.position),
                    }
                }
            }
            StmtKind::Comment(_) => {}
            StmtKind::Marker(marker) if matches!(marker.verb, Verb::Continue | Verb::Format) => {}
            StmtKind::Assign { defined: Some(_), .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::Marker(_) => {
                self.calls = true;
                self.anything.push(self.position);
            }
            // What stands in it does not stand in the body of the loop itself.
            StmtKind::OpenScope(_) => {
                self.anything.push(self.position);
                self.open.push(Construct::other(self.position));
            }
            StmtKind::CloseScope(_) => self.close(),
        }
    }

    /// Whether the dummy argument of a procedure that is here says that it is not overwritten.
    fn is_only_read(&self, doc: &Document, call: &SubroutineCall, arg: &Arg) -> bool {
        let procedures = self.storage.procedures();
        let entry = procedures.executed(doc, call.callee.symbol);
        let dummies = entry.map_or(&[][..], |entry| procedures.dummies(doc, entry));
        let at = usize::try_from(arg.position).ok().and_then(|at| at.checked_sub(1));
        let dummy = at.and_then(|at| dummies.get(at)).and_then(|dummy| dummy.symbol);
        let decl = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_deref());
        decl.is_some_and(|decl| decl.intent == Some(Intent::In) && !decl.has(Attr::Pointer))
    }

    fn written(&mut self, doc: &Document, references: impl IntoIterator<Item = RefId>) {
        for reference in references {
            self.note(doc.refs[reference].base, Event::Write);
        }
    }

    /// An operation of the tape.
    fn operation(&mut self, doc: &Document, stmt: StmtId, name: &str, args: &[Arg]) {
        let values = args.iter().filter_map(|arg| match arg.value {
            ArgValue::Expr(value) => Some(value),
            ArgValue::AlternateReturn(_) => None,
        });
        if let (true, [value], "push" | "pop" | "push_array" | "pop_array") =
            (self.open.is_empty(), args, name)
            && let ArgValue::Expr(value) = value.value
        {
            let (push, scalar) = (name.starts_with("push"), !name.ends_with("array"));
            let own = doc.exprs[value].reference().map(|own| doc.refs[own].base);
            let events = own.and_then(|own| self.events.get(&own)).into_iter().flatten();
            let set = events.into_iter().any(|(_, event)| *event == Event::Set);
            self.tape.push(Tape { stmts: vec![(stmt, value)], push, scalar, set });
        }
        let whole = tape_operation(doc, stmt)
            .filter(|&(_, reference)| doc.refs[reference].parts.is_empty())
            .filter(|_| matches!(name, "push" | "pop"));
        match whole {
            Some((true, reference)) => {
                self.note(doc.refs[reference].base, Event::Push(vec![stmt], true));
            }
            Some((false, reference)) => {
                self.note(doc.refs[reference].base, Event::Pop(vec![stmt], true));
            }
            None if matches!(name, "push" | "push_array") => self.read(doc, values),
            None => {
                for value in values {
                    match doc.exprs[value].reference() {
                        Some(reference) => {
                            self.read(doc, subscripts_of(&doc.refs[reference]));
                            self.written(doc, [reference]);
                        }
                        None => self.read(doc, [value]),
                    }
                }
            }
        }
    }
}

/// What each way to the end of a construct pushes last, if that is a constant: what tells the ways apart.
fn number_of_arm(
    doc: &Document,
    (cfg, ways): (&Cfg, &Ways<'_>),
    end: VertexId,
) -> Option<Vec<(StmtId, ExprId)>> {
    let mut scopes: Vec<ScopeId> = Vec::new();
    let found: Option<Vec<_>> = ways
        .leading_to(end)
        .map(|way| {
            let VertexKind::BasicBlock { scope, stmts } = &cfg.vertices[way.source].kind else {
                return None;
            };
            scopes.push(*scope);
            let StmtKind::InlinableCall(call) = &doc.stmts[*stmts.last()?].kind else {
                return None;
            };
            let ("push", [arg]) = (&*call.name, &call.args[..]) else { return None };
            let ArgValue::Expr(value) = arg.value else { return None };
            constant_integer(doc, value)?;
            Some((*stmts.last()?, value))
        })
        .collect();
    // What is put around the loop stands in the scope of what was pushed.
    scopes.dedup();
    found.filter(|_| scopes.len() == 1)
}

/// What operations put on the tape (`push`) that they do not take back, in order; with the operations
/// from the last to the first, what they take back that others have put there.
fn beyond<'a>(tape: impl Iterator<Item = &'a Tape>, push: bool) -> Option<Vec<Tape>> {
    let mut left = Vec::new();
    for one in tape {
        match one.push == push {
            true => left.push(one.clone()),
            false => drop(left.pop()?),
        }
    }
    Some(left)
}

/// Whether a loop is entered and left at its head alone, and consists of constructs.
fn is_closed(cfg: &Cfg, ways: &Ways<'_>, of: &Loop) -> bool {
    let (head, end) = (cfg.layout[of.head], cfg.layout[of.end]);
    let region = &cfg.layout[of.head..=of.end];
    let is_construct = |vertex: &VertexId| match &cfg.vertices[*vertex].kind {
        VertexKind::BasicBlock { .. }
        | VertexKind::EndBranch
        | VertexKind::EndLoop
        | VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. } => true,
        VertexKind::Branch { form, .. } => form.has_end(),
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => false,
    };
    let returns = ways.leading_to(head).filter(|edge| edge.source == end);
    ways.is_closed(head, region) && region.iter().all(is_construct) && returns.count() == 1
}
