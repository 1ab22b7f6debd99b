//! What cannot be executed twice, or not be undone by giving variables of the caller their old values:
//! allocation and association of what outlives the procedure, input from files, their positions,
//! random numbers, clocks, procedures of which nothing is known. Who calls such a procedure is
//! one, too.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Decl, Document, ExprKind, Intent, Marker, Part, Piece, Place, ProcId,
    RefId, Reference, StmtId, StmtKind, SymbolId, Verb,
};

use crate::queries::designators::is_plain;
use booster_build::keeps_shape;
use booster_facts::access::{Accesses, CallSite, Event};
use booster_facts::components::holds_allocatable;
use booster_facts::externals::Externals;
use booster_facts::{Bodies, BodyEvents};
use booster_flow::Step;

/// The statement for which a procedure must be executed once.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) place: Place,
    /// What the statement does.
    pub(crate) does: String,
}

/// The procedures that must be executed once, and those that call them, each with a statement that is the reason.
pub(crate) fn once(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    externals: &Externals,
) -> HashMap<ProcId, Origin> {
    let look = Look { accesses, externals };
    let mut found: HashMap<ProcId, Origin> = HashMap::new();
    let mut calls: HashMap<ProcId, Vec<ProcId>> = HashMap::new();
    let mut work = Vec::new();
    for body in bodies.iter() {
        let mut once = look.declares_output(body.proc);
        for at in body.steps.iter().filter(|at| !at.ends) {
            let place = match at.step {
                Step::Stmt(stmt) => {
                    let does = once.is_none().then(|| look.irrepeatable(body.proc, stmt)).flatten();
                    once = once.or(does);
                    look.doc().stmts[stmt].place
                }
                Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => {
                    Place::default()
                }
            };
            for event in &at.events {
                if once.is_none() {
                    once = look.changes_shape(body, event, place);
                }
                let Event::Call(call) = event else { continue };
                for callee in &call.targets.bodies {
                    calls.entry(callee.proc).or_default().push(body.proc);
                }
                if once.is_none() {
                    once = look.stranger(call);
                }
            }
        }
        if let Some(origin) = once {
            work.push((body.proc, origin.clone()));
            found.insert(body.proc, origin);
        }
    }
    while let Some((proc, origin)) = work.pop() {
        for &caller in calls.get(&proc).into_iter().flatten() {
            if let Entry::Vacant(place) = found.entry(caller) {
                place.insert(origin.clone());
                work.push((caller, origin.clone()));
            }
        }
    }
    found
}

/// What the questions are put to.
struct Look<'a, 'd> {
    accesses: &'a Accesses<'d>,
    externals: &'a Externals,
}

impl<'d> Look<'_, 'd> {
    fn doc(&self) -> &'d Document {
        self.accesses.doc()
    }

    /// Dummy arguments that the procedure releases as it is entered.
    fn declares_output(&self, proc: ProcId) -> Option<Origin> {
        let doc = self.doc();
        let mut symbols = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol);
        let symbol = symbols.find(|&symbol| {
            let out = |decl: &Decl| decl.intent == Some(Intent::Out);
            doc.has(symbol, Attr::Allocatable)
                && doc.symbols[symbol].decl.as_deref().is_some_and(out)
        })?;
        let does = format!("deallocates `{}`, which is INTENT(OUT)", doc.name(symbol));
        let decl = doc.symbols[symbol].decl.as_deref();
        Some(Origin { place: decl.map(|decl| decl.place).unwrap_or_default(), does })
    }

    /// Something that a second execution does not do alike.
    fn irrepeatable(&self, proc: ProcId, stmt: StmtId) -> Option<Origin> {
        let doc = self.doc();
        let does = match &doc.stmts[stmt].kind {
            StmtKind::Marker(marker) => reads_file(marker).then(|| match marker.verb {
                Verb::Opaque => "is not understood".to_owned(),
                _ => "reads input or moves a file".to_owned(),
            }),
            StmtKind::Call(call) => {
                let name = doc.name(call.callee.symbol).to_ascii_lowercase();
                let once = doc.is_intrinsic(call.callee.symbol)
                    && !matches!(name.as_str(), "mvbits")
                    && (name != "move_alloc" || self.moves_outer(proc, &call.args));
                once.then(|| format!("calls `{name}`"))
            }
            StmtKind::Assign { lhs, rhs, .. } => {
                // An assignment to the whole may allocate it, or what it consists of. Another execution gives a passive
                // object of one type the same shape.
                let Reference { ty, active, .. } = doc.refs[*lhs];
                let entity = doc.refs[*lhs].whole_entity();
                let whole = entity.is_some_and(|s| doc.has(s, Attr::Allocatable));
                let shaped = doc.exprs[*rhs].ty.rank > 0 && !keeps_shape(doc, *rhs, *lhs);
                let gives = whole && (shaped || ty.rank == 0);
                let is_alike = active == Some(false) && is_plain(doc, ty.base);
                let once = (gives && !is_alike || holds_allocatable(doc, ty.base))
                    && self.outlives(proc, *lhs);
                once.then(|| format!("may allocate `{}`", spelt(doc, &doc.refs[*lhs])))
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
            | StmtKind::Comment(_) => None,
        };
        does.map(|does| Origin { place: doc.stmts[stmt].place, does })
    }

    fn moves_outer(&self, proc: ProcId, args: &[Arg]) -> bool {
        let doc = self.doc();
        args.iter().any(|arg| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => self.outlives(proc, reference),
                _ => false,
            },
            ArgValue::AlternateReturn(_) => false,
        })
    }

    fn changes_shape(
        &self,
        body: &BodyEvents<'_>,
        event: &Event<'_>,
        place: Place,
    ) -> Option<Origin> {
        let origin = |does| Some(Origin { place, does });
        let outer = |object: RefId, verb: &str| {
            let is_outer = self.outlives(body.proc, object);
            is_outer
                .then(|| format!("{verb} `{}`", spelt(self.doc(), &self.doc().refs[object])))
                .and_then(origin)
        };
        match event {
            Event::Allocate(object) => outer(*object, "allocates"),
            Event::Release { object, .. } => outer(*object, "deallocates"),
            Event::Associate(object) => outer(*object, "associates"),
            Event::Anything => origin("has unknown effects".to_owned()),
            Event::Read(..)
            | Event::Write(_)
            | Event::Call(_)
            | Event::Ask(..)
            | Event::Reshape(_) => None,
        }
    }

    /// Whether the allocation or association of an object is there behind the procedure.
    fn outlives(&self, proc: ProcId, object: RefId) -> bool {
        let (doc, storage) = (self.doc(), self.accesses.storage());
        let reference = &doc.refs[object];
        let base = reference.base;
        let component = reference.parts.iter().any(|part| matches!(part, Part::Component { .. }));
        let behind_pointer = component && doc.has(base, Attr::Pointer);
        let procedures = storage.procedures();
        let own = storage.owner(doc, base) == Some(proc)
            && !procedures.is_static(base)
            && procedures.dummy_of(base).is_none();
        behind_pointer || !own
    }

    /// A call of something of which nobody has told that it does nothing but what its arguments show.
    fn stranger(&self, call: &CallSite<'_>) -> Option<Origin> {
        let doc = self.doc();
        let targets = &call.targets;
        let is_unknown = |symbol: &SymbolId| {
            let told = self.externals.find(doc, *symbol);
            !doc.is_intrinsic(*symbol)
                && !doc.is_promised_pure(*symbol)
                && !told.is_some_and(|external| external.globals.is_some() || external.pure)
        };
        let outside = targets.outside.iter().copied().find(is_unknown);
        let callee = outside.or(targets.unknown.then_some(call.callee.symbol))?;
        let does = format!("calls `{}`, whose side effects are unknown", doc.name(callee));
        Some(Origin { place: call.place, does })
    }
}

/// The variable and the components that a reference names.
pub(crate) fn spelt(doc: &Document, data: &Reference) -> String {
    let mut text = doc.name(data.base).to_owned();
    for part in &data.parts {
        if let Part::Component { name, .. } = part {
            text.push('%');
            text.push_str(name);
        }
    }
    text
}

/// READ, OPEN, CLOSE and the like; statements that are not understood.
fn reads_file(marker: &Marker) -> bool {
    match marker.verb {
        Verb::Opaque => true,
        Verb::Io => {
            let text = marker.text.iter().find_map(|piece| match piece {
                Piece::Text(text) => Some(text.trim_start().to_ascii_lowercase()),
                _ => None,
            });
            let text = text.unwrap_or_default();
            !["write", "print", "flush"].iter().any(|word| text.starts_with(word))
        }
        Verb::Genuine
        | Verb::Format
        | Verb::Stop
        | Verb::Pause
        | Verb::Continue
        | Verb::AssignLabel
        | Verb::Return => false,
    }
}
