//! Whether a local Jacobian pays, and what an adjoint had better record of it.
//!
//! What is counted are operations of the derivative, with weights that were measured (docs/elimination/pays.md,
//! "What pays"). A product and the addition of it to a sum are one operation, and so is each other addition; a
//! division is as much as eight, a choice between a derivative and 0 as much as an addition. Single statements take one for each edge of the graph, each division that the
//! tangent of an operation has, and they write a derivative for each assignment: all that in each
//! direction. The local Jacobian takes once what its accumulation and the divisions of its partial derivatives
//! are, and in each direction one for each entry and for each output that is written.
//!
//! Several directions are a vector: up to four of them cost as much as one number, eight as much as two. A
//! single number that is written stays in a register and counts nothing.
//!
//! Where no directions are told an adjoint may come next, and what is recorded counts, too: with the local Jacobian its
//! entries, or what the accumulation reads (`Store`); without it what the partial derivatives read; of all
//! that what may be overwritten behind the run. In a counted loop the scalars that each iteration records go to
//! block that is allocated for the loop (`indexed_tape`), which costs less than half of a push. Then the
//! Jacobian has to save a quarter of all.
//!
//! In an array statement each operation costs as much for each element, in whatever direction, and what is
//! assigned to is memory. There are the derivatives of all assignments
//! without a local Jacobian, and with it the partial derivatives, the products, and the derivatives of
//! the outputs.
//!
//! `--store auto` compares what goes onto the tape by the same figures. That is no arithmetic more: where the
//! backward sweep accumulates, the forward sweep does not.

use std::collections::{HashMap, HashSet};

use elimination::listing::{Expression, Listing};
use elimination::{Accumulation, Partial, Variable};
use xaif_schema::model::{Cfg, Document, ExprId, ExprKind, RefId, VertexId, VertexKind};

use super::choices::{chosen, deciding};
use super::graph::{Coefficient, Computed, Local, Vertex};
use super::outputs::Behind;
use super::places::Places;
use super::runs::Run;
use booster_build::{nodes_of, subscripts_of};
use booster_facts::Storage;
use booster_facts::loops::{Loop, loops};

/// How many directions cost as much as one.
const LANES: usize = 4;

/// What a division costs, in multiply-adds.
const DIVISION: usize = 8;

/// What it costs to push a number and pop it, in multiply-adds.
const PUSH: usize = 10;

/// What it costs to keep a number in the block of a loop.
const ROOM: usize = 4;

/// How often a run is executed in an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounds {
    /// Once.
    One,
    /// In each iteration of a counted loop.
    Counted,
    /// Perhaps several times.
    Several,
}

/// What tells how often the blocks of a procedure are executed.
pub(super) struct Repeats<'a> {
    cfg: &'a Cfg,
    /// The places of vertices in the order of the text.
    places: HashMap<VertexId, usize>,
    loops: Vec<Loop>,
    /// The edges that lead back: from where and to where.
    back: Vec<(usize, usize)>,
}

impl<'a> Repeats<'a> {
    pub(super) fn new(doc: &Document, cfg: &'a Cfg) -> Self {
        let places: HashMap<VertexId, usize> =
            cfg.layout.iter().enumerate().map(|(place, &vertex)| (vertex, place)).collect();
        let ends = cfg
            .edges
            .values()
            .filter_map(|edge| Some((*places.get(&edge.source)?, *places.get(&edge.target)?)));
        let back = ends.filter(|(from, to)| to <= from).collect();
        Repeats { cfg, places, loops: loops(doc, cfg), back }
    }

    /// How often what stands in a block is executed.
    pub(super) fn of(&self, block: VertexId) -> Rounds {
        let Some(&at) = self.places.get(&block) else { return Rounds::Several };
        if !self.back.iter().any(|&(from, to)| (to..=from).contains(&at)) {
            return Rounds::One;
        }
        let around = self.loops.iter().filter(|one| (one.head..one.end).contains(&at));
        match around.max_by_key(|one| one.head) {
            Some(inner) if self.is_directly_in(inner, at) => Rounds::Counted,
            Some(_) | None => Rounds::Several,
        }
    }

    /// Whether no other construct in the loop is around the place.
    fn is_directly_in(&self, inner: &Loop, at: usize) -> bool {
        let between = self.cfg.layout.get(inner.head + 1..at).unwrap_or_default();
        let mut open = 0_usize;
        for vertex in between {
            match &self.cfg.vertices[*vertex].kind {
                VertexKind::ForLoop { .. }
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::Branch { .. } => open += 1,
                VertexKind::EndLoop | VertexKind::EndBranch => open = open.saturating_sub(1),
                // What jumps do within the loop, or out of it, is not looked into.
                VertexKind::Goto(_) | VertexKind::Label { .. } => return false,
                VertexKind::Entry(_) | VertexKind::Exit | VertexKind::BasicBlock { .. } => {}
            }
        }
        open == 0
    }
}

/// What is known of a run when its cost is asked for.
pub(super) struct Costs<'a> {
    pub(super) doc: &'a Document,
    pub(super) storage: &'a Storage,
    pub(super) run: &'a Run<'a>,
    pub(super) local: &'a Local,
    pub(super) accumulation: &'a Accumulation,
    /// What happens behind the run.
    pub(super) behind: &'a Behind,
    pub(super) rounds: Rounds,
}

impl Costs<'_> {
    /// Whether the local Jacobian of a run is cheaper than the derivatives of single statements, in so many
    /// directions. `again`: an adjoint accumulates in its backward sweep.
    pub(super) fn pays(&self, directions: Option<u32>, again: bool) -> bool {
        let Costs { doc, run, local, accumulation, .. } = *self;
        let count = directions.map_or(1, |count| usize::try_from(count).unwrap_or(usize::MAX));
        let with = with(doc, run, local, accumulation).time(run, count);
        let without = without(doc, run, local).time(run, count);
        if run.of_arrays || directions.is_some() {
            return with < without;
        }
        // One direction of an adjoint, which records.
        let operands = self.operands(0);
        let recorded = if again { operands } else { self.entries(0) };
        (with + recorded * LANES) * 4 < (without + operands * LANES) * 3
    }

    /// Whether an adjoint had better record what the accumulation reads than the entries.
    pub(super) fn operands_are_cheaper(&self) -> bool {
        // What is executed once is not overwritten, but a split call hands it from one half to the other.
        self.operands(1) < self.entries(1)
    }

    /// What it costs to record a scalar of the run's own; `once` where it is executed once.
    fn scalar(&self, once: usize) -> usize {
        match self.rounds {
            Rounds::One => once,
            Rounds::Counted if !self.run.of_arrays => ROOM,
            Rounds::Counted | Rounds::Several => PUSH,
        }
    }

    /// What it costs to record the entries that are known only when the program runs.
    fn entries(&self, once: usize) -> usize {
        let entries = self.accumulation.entries().iter();
        entries.filter(|entry| entry.value.known().is_none()).count() * self.scalar(once)
    }

    /// What it costs to record what partial derivatives read that is overwritten behind the run: variables, and partial
    /// derivatives that were computed before what they read was overwritten. Subscripts are not counted:
    /// derivatives are read by them in any case.
    fn operands(&self, once: usize) -> usize {
        let (doc, storage) = (self.doc, self.storage);
        let mut read = Places::default();
        let mut early = 0;
        for coefficient in &self.local.coefficients {
            match coefficient.place {
                Computed::Before(_) => early += self.scalar(once),
                Computed::Behind | Computed::Itself => {
                    for reference in values_read(doc, coefficient.value) {
                        let locations = storage.locations_of(doc, reference);
                        if locations
                            .iter()
                            .any(|location| self.behind.overwritten.contains(location))
                        {
                            read.note(doc, storage, reference);
                        }
                    }
                }
            }
        }
        // Rooms hold scalars, elements of arrays as well.
        let in_room =
            |reference: RefId| self.rounds == Rounds::Counted && doc.refs[reference].ty.rank == 0;
        let cost = |reference: RefId| if in_room(reference) { ROOM } else { PUSH };
        early + read.list.iter().map(|place| cost(place.reference)).sum::<usize>()
    }
}

/// Operations: multiply-adds, and divisions.
#[derive(Clone, Copy, Debug, Default)]
struct Operations {
    count: usize,
    divisions: usize,
}

/// What derivatives take.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    /// Once.
    scalar: Operations,
    /// In each direction.
    vector: Operations,
    /// Derivatives that are written.
    written: usize,
}

impl Work {
    fn time(self, run: &Run<'_>, directions: usize) -> usize {
        let lanes = if run.of_arrays { 1 } else { LANES };
        let Work { scalar, vector, .. } = self;
        let once = scalar.count + scalar.divisions * DIVISION;
        // A number stays in a register, a vector is written.
        let written = if run.of_arrays || directions > 1 { self.written } else { 0 };
        let each = vector.count + written + vector.divisions * DIVISION;
        // A vector that is not full costs as much as a full one.
        once * lanes + each * directions.max(lanes)
    }
}

/// The derivatives of single statements: a multiply-add for each edge, a division for each operation whose
/// partial derivatives are quotients, and an assignment for each statement.
fn without(doc: &Document, run: &Run<'_>, local: &Local) -> Work {
    let mut terms: HashMap<u32, Terms> = HashMap::new();
    let mut quotients = HashSet::new();
    let mut choices = 0;
    for (_, target, partial) in local.graph.edges() {
        // Beside arrays numbers cost nothing.
        if run.of_arrays && local.forms[target as usize].shape.is_none() {
            continue;
        }
        let location = match partial {
            Partial::Constant(number) => number.abs() == 1.0,
            Partial::Variable(Variable(number)) => {
                let coefficient = &local.coefficients[number as usize];
                if is_quotient(doc, coefficient.value) {
                    quotients.insert(target);
                }
                choices += usize::from(coefficient.chooses);
                false
            }
        };
        terms.entry(target).or_default().add(location);
    }
    let assigned = run.items.iter().filter(|item| item.assignment.is_some()).count();
    let count = terms.values().map(|terms| terms.operations()).sum::<usize>() + choices;
    let vector = Operations { count, divisions: quotients.len() };
    Work { scalar: Operations::default(), vector, written: assigned }
}

/// The local Jacobian: partial derivatives that are quotients, the accumulation, and a multiply-add for
/// each entry.
fn with(doc: &Document, run: &Run<'_>, local: &Local, accumulation: &Accumulation) -> Work {
    let mut terms: HashMap<u32, Terms> = HashMap::new();
    for entry in accumulation.entries() {
        terms.entry(entry.target).or_default().add(entry.value.is_unit());
    }
    let outputs = local.vertices.iter().filter(|one| matches!(one, Vertex::Output(_))).count();
    let listing = Listing::new(accumulation);
    let chosen = chosen(&local.coefficients, &listing);
    let choices = accumulation.entries().iter().filter(|one| chosen.contains(&one.value.atom));
    let count = terms.values().map(|terms| terms.operations()).sum::<usize>() + choices.count();
    let vector = Operations { count, divisions: 0 };
    let computed = |one: &&Coefficient| {
        one.place != Computed::Itself && (!run.of_arrays || one.form.shape.is_some())
    };
    let partials = local.coefficients.iter().filter(computed);
    let divisions = partials.clone().filter(|one| is_quotient(doc, one.value)).count();
    let decided = listing.statements.iter().map(|one| match one.expression {
        Expression::Product(a, b) | Expression::MultiplyAdd { factors: (a, b), .. } => {
            deciding(&chosen, a, b).count()
        }
        Expression::Sum(..) => 0,
    });
    let statements = listing.statements.len();
    let decided: usize = decided.sum();
    // An array that is written is memory that is written.
    let written = if run.of_arrays { statements + partials.count() } else { 0 };
    let count = statements + decided + written;
    Work { scalar: Operations { count, divisions }, vector, written: outputs }
}

/// The terms of a sum.
#[derive(Clone, Copy, Debug, Default)]
struct Terms {
    products: usize,
    locations: usize,
}

impl Terms {
    fn add(&mut self, location: bool) {
        match location {
            true => self.locations += 1,
            false => self.products += 1,
        }
    }

    /// A multiply-add for each product, an addition for each other term but the first.
    fn operations(self) -> usize {
        self.products + self.locations.saturating_sub(1)
    }
}

/// Whether an expression is a quotient, whatever its sign.
fn is_quotient(doc: &Document, expr: ExprId) -> bool {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return false };
    match &**name {
        "div_scal_scal" => true,
        "minus_scal" => operands.first().is_some_and(|one| is_quotient(doc, one.expr)),
        _ => false,
    }
}

/// The variables whose values an expression reads, but for those in subscripts.
fn values_read(doc: &Document, expr: ExprId) -> Vec<RefId> {
    let nodes = nodes_of(doc, [expr]);
    let references = nodes.iter().filter_map(|&node| doc.exprs[node].reference());
    let subscripts = references.flat_map(|one| subscripts_of(&doc.refs[one]));
    let inner: HashSet<ExprId> = nodes_of(doc, subscripts).into_iter().collect();
    let outer = nodes.into_iter().filter(|node| !inner.contains(node));
    outer.filter_map(|node| doc.exprs[node].reference()).collect()
}
