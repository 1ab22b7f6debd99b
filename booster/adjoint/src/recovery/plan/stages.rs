//! Equations of arrays that loops compute.
//!
//! All assignments to an array stand together, each in counted loops of its own, and write the same elements in each of their
//! executions: `do i = 1, n; w(i) = q(i)/r(i)`, with `w(0) = 0` beside it. Behind the last one the assignments hold as equations until
//! an operand is overwritten. They may be executed once more, each with loops of its own (loop distribution; Allen and
//! Kennedy, "Optimizing Compilers for Modern Architectures", 2.4.3), if no assignment reads an element before it is written
//! there, and none writes an element twice. Scalars of an iteration are replaced by their definitions.
//!
//! Elements that no assignment writes never change in the procedure, so they need no equation.
//!
//! Not done: branches in the loops, calls, loops that carry a recurrence, arrays that are no local variables.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use xaif_schema::model::{
    Attr, Base, Document, ExprId, RefId, SecondaryMap, StmtId, StmtKind, SymbolId, VertexId,
    VertexKind,
};

use super::cost::cost_of;
use super::equations::{Equation, Item, is_movable, is_plain_read, is_understood, own_location};
use crate::queries::expressions::read_by;
use booster_build::{nodes_of, subscripts_of};
use booster_facts::access::Event;
use booster_facts::dependence::{Access, Order};
use booster_facts::loops::{Loop, loops};
use booster_facts::overwrites::Overwrites;
use booster_facts::{Accesses, BodyEvents, LocationId, StepKey, Storage};
use booster_flow::Step;
use booster_flow::structure::{Item as Piece, Structure};

/// The most assignments of a stage.
const MOST_ITEMS: usize = 16;

/// The most nodes of a right-hand side, scalars replaced.
const MOST_NODES: usize = 80;

/// The most steps from the first assignment of a stage to the last one.
const MOST_STEPS: usize = 2000;

/// A construct around a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Nest {
    head: VertexId,
    arm: usize,
    is_loop: bool,
}

/// A body as this analysis sees it.
pub(super) struct Stages<'f, 'd> {
    doc: &'f Document,
    storage: &'f Storage,
    body: &'f BodyEvents<'d>,
    overwrites: &'f Overwrites,
    order: Order<'f>,
    /// Variables that no step overwrites.
    settled: HashSet<SymbolId>,
    /// The constructs around each vertex, outer ones first.
    around: SecondaryMap<VertexId, Vec<Nest>>,
    loops: HashMap<VertexId, Loop>,
    positions: SecondaryMap<VertexId, usize>,
    /// The number of each statement among the steps.
    numbers: HashMap<StmtId, usize>,
    /// The steps that overwrite each location, ascending.
    writers: BTreeMap<LocationId, Vec<usize>>,
}

/// The right-hand side of an assignment, scalars replaced.
#[derive(Default)]
struct Expanded {
    reads: Vec<RefId>,
    replaced: HashMap<ExprId, ExprId>,
    nodes: usize,
}

impl<'f, 'd> Stages<'f, 'd> {
    /// Looks at a body; `None` where control does more than pass through nested constructs, or a step may overwrite anything.
    pub(super) fn new(
        accesses: &'f Accesses<'d>,
        body: &'f BodyEvents<'d>,
        overwrites: &'f Overwrites,
    ) -> Option<Self> {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let cfg = body.flow.cfg;
        let structure = Structure::new(cfg)?;
        let order = Order::new(accesses, cfg)?;
        let mut writers: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
        let mut numbers = HashMap::new();
        for (number, at) in body.steps.iter().enumerate() {
            if let Step::Stmt(stmt) = at.step {
                numbers.insert(stmt, number);
            }
            let Some(found) = overwrites.of(StepKey::of(at.step)) else { continue };
            if found.world {
                return None;
            }
            for &location in found.locations.iter().chain(&found.properties) {
                writers.entry(location).or_default().push(number);
            }
        }
        let mut positions = SecondaryMap::with_default(usize::MAX);
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            positions[vertex] = position;
        }
        let heads = loops(doc, cfg).into_iter().map(|one| (cfg.layout[one.head], one));
        let around = constructs(&structure);
        let settled = settled(doc, storage, body, &writers);
        let loops = heads.collect();
        Some(Stages {
            doc,
            storage,
            body,
            overwrites,
            order,
            settled,
            around,
            loops,
            positions,
            numbers,
            writers,
        })
    }

    /// The equations of all arrays that have one, in the order of the text.
    pub(super) fn equations(&self) -> Vec<Equation> {
        let mut found: Vec<Equation> = Vec::new();
        for (&location, writers) in &self.writers {
            let members = &self.storage.locations()[location].members;
            let [member] = members.as_slice() else { continue };
            let symbol = member.symbol;
            let is_array = self.doc.symbols[symbol].rank.is_some_and(|rank| rank > 0);
            if is_array
                && own_location(self.doc, self.storage, self.body.proc, symbol) == Some(location)
            {
                found.extend(self.equation(symbol, location, writers));
            }
        }
        found
    }

    fn equation(
        &self,
        symbol: SymbolId,
        location: LocationId,
        writers: &[usize],
    ) -> Option<Equation> {
        if writers.len() > MOST_ITEMS {
            return None;
        }
        let mut items: Vec<(usize, Item, RefId)> = Vec::new();
        let mut outside: Option<&[Nest]> = None;
        for &number in writers {
            let (item, lhs, before) = self.item(symbol, location, number)?;
            if *outside.get_or_insert(before) != before {
                return None;
            }
            items.push((number, item, lhs));
        }
        let is_plain = |(_, item, lhs): &(usize, Item, RefId)| {
            item.loops.is_empty() && self.doc.refs[*lhs].parts.is_empty()
        };
        if items.iter().all(is_plain) {
            return None;
        }
        let fixed = outside?.iter().filter(|nest| nest.is_loop).count();
        let span = self.span(&items).filter(|span| span.len() <= MOST_STEPS)?;
        let mut reads: Vec<(Access, LocationId)> = Vec::new();
        let mut own: Vec<(usize, Access)> = Vec::new();
        let mut operands: HashSet<SymbolId> = HashSet::new();
        let mut locations: HashSet<LocationId> = HashSet::new();
        for (at, (number, item, lhs)) in items.iter_mut().enumerate() {
            let expanded = self.expanded(item, *number, &span)?;
            for reference in expanded.reads {
                if self.doc.has(self.doc.refs[reference].base, Attr::Parameter) {
                    continue;
                }
                let found = self.storage.locations_of(self.doc, reference);
                let movable = is_movable(self.doc, reference);
                if found.is_empty() || movable || !is_plain_read(self.doc, reference) {
                    return None;
                }
                let access = self.access(reference, *number, 0);
                if found.contains(&location) {
                    own.push((at, access));
                    continue;
                }
                operands.insert(self.doc.refs[reference].base);
                locations.extend(found.iter().copied());
                locations.extend(self.storage.asked_by(self.doc, reference));
                reads.extend(found.into_iter().map(|location| (access, location)));
            }
            item.replaced = expanded.replaced;
            for index in subscripts_of(&self.doc.refs[*lhs]).into_iter().chain(bounds(item)) {
                operands
                    .extend(read_by(self.doc, index).iter().map(|&one| self.doc.refs[one].base));
            }
        }
        let writes: Vec<Access> =
            items.iter().map(|(number, _, lhs)| self.access(*lhs, *number, 1)).collect();
        let is_right = self.is_single_assignment(&own, &writes, fixed)
            && self.keeps_operands(&reads, &span, fixed);
        let reaches_out = locations.iter().any(|&location| {
            let lifetime = self.storage.locations()[location].lifetime;
            !matches!(lifetime, booster_facts::Lifetime::Local(_))
        });
        let last = self.end_of(items.last()?)?.1;
        let items = items.into_iter().map(|(_, item, _)| item).collect();
        is_right.then_some(Equation {
            items,
            value: symbol,
            location,
            operands,
            locations,
            reaches_out,
            movable: false,
            span,
            made: last,
        })
    }

    /// An assignment to elements of `symbol`, its own loops, and the constructs around these.
    fn item(
        &self,
        symbol: SymbolId,
        location: LocationId,
        number: usize,
    ) -> Option<(Item, RefId, &[Nest])> {
        let at = &self.body.steps[number];
        let Step::Stmt(stmt) = at.step else { return None };
        let data = &self.doc.stmts[stmt];
        let StmtKind::Assign { lhs, rhs, defined: None } = data.kind else { return None };
        let plain = data.local_jacobian.is_none() && data.adjoint_live;
        let found = self.overwrites.of(StepKey::of(at.step))?;
        let alone = found.locations.len() == 1 && found.locations.contains(&location);
        let is_block =
            matches!(self.body.flow.cfg.vertices[at.vertex].kind, VertexKind::BasicBlock { .. });
        let parts = self.doc.refs[lhs].parts.len();
        if !plain
            || data.recompute
            || !alone
            || !is_block
            || self.doc.refs[lhs].base != symbol
            || parts > 1
        {
            return None;
        }
        let subscripts = subscripts_of(&self.doc.refs[lhs]);
        let named: HashSet<SymbolId> = subscripts
            .iter()
            .flat_map(|&index| read_by(self.doc, index))
            .map(|read| self.doc.refs[read].base)
            .collect();
        let mut before = self.around[at.vertex].as_slice();
        let mut loops: Vec<Loop> = Vec::new();
        while let Some((nest, outer)) = before.split_last()
            && let Some(one) = self.loops.get(&nest.head)
            && named.contains(&one.variable)
        {
            loops.insert(0, *one);
            before = outer;
        }
        let item = Item { stmt, rhs, loops, replaced: HashMap::new() };
        let variables: Vec<SymbolId> = item.loops.iter().map(|one| one.variable).collect();
        let steady = subscripts.into_iter().chain(bounds(&item)).all(|index| {
            is_understood(self.doc, index)
                && read_by(self.doc, index).into_iter().all(|read| {
                    let read = &self.doc.refs[read];
                    read.parts.is_empty()
                        && (variables.contains(&read.base)
                            || self.settled.contains(&read.base)
                            || self.doc.has(read.base, Attr::Parameter))
                })
        });
        steady.then_some((item, lhs, before))
    }

    /// The steps from the first assignment to the end of the last one, their loops included.
    fn span(&self, items: &[(usize, Item, RefId)]) -> Option<Range<usize>> {
        let first = items.iter().map(|(number, item, _)| match item.loops.first() {
            Some(outermost) => self.numbers.get(&outermost.init).copied(),
            None => Some(*number),
        });
        let start = first.min()??;
        let end = items.iter().filter_map(|item| Some(self.end_of(item)?.0)).max()?;
        Some(start..end)
    }

    /// The number of the step behind an assignment and its loops, and the step with which they end.
    fn end_of(&self, (number, item, _): &(usize, Item, RefId)) -> Option<(usize, StepKey)> {
        let Some(outermost) = item.loops.first() else {
            return Some((number + 1, StepKey::Stmt(item.stmt)));
        };
        let steps = &self.body.steps;
        let end = steps.partition_point(|at| self.positions[at.vertex] <= outermost.end);
        let head = self.body.flow.cfg.layout[outermost.head];
        let VertexKind::ForLoop { condition, .. } = self.body.flow.cfg.vertices[head].kind else {
            return None;
        };
        Some((end, StepKey::Evaluate(condition)))
    }

    fn access(&self, reference: RefId, number: usize, phase: u8) -> Access {
        Access { reference, vertex: self.body.steps[number].vertex, rank: (number, phase) }
    }

    /// The right-hand side with the definitions of scalars in the place of these.
    fn expanded(&self, item: &Item, number: usize, span: &Range<usize>) -> Option<Expanded> {
        let mut found = Expanded::default();
        let mut work = vec![(item.rhs, number)];
        while let Some((root, number)) = work.pop() {
            if !is_understood(self.doc, root) || cost_of(self.doc, root).is_none() {
                return None;
            }
            for node in nodes_of(self.doc, [root]) {
                found.nodes += 1;
                let Some(reference) = self.doc.exprs[node].reference() else { continue };
                let data = &self.doc.refs[reference];
                let is_variable = data.parts.is_empty() && data.ty.rank == 0;
                if is_variable && item.loops.iter().any(|one| one.variable == data.base) {
                    continue;
                }
                if is_variable && self.is_overwritten(reference, span) {
                    let (rhs, number) = self.definition(reference, number)?;
                    found.replaced.insert(node, rhs);
                    work.push((rhs, number));
                    continue;
                }
                found.reads.push(reference);
            }
            if found.nodes > MOST_NODES {
                return None;
            }
        }
        Some(found)
    }

    fn is_overwritten(&self, reference: RefId, steps: &Range<usize>) -> bool {
        self.storage.locations_of(self.doc, reference).iter().any(|location| {
            let writers = self.writers.get(location).map_or(&[][..], Vec::as_slice);
            let first = writers.partition_point(|&number| number < steps.start);
            writers.get(first).is_some_and(|&number| number < steps.end)
        })
    }

    /// The expression that a scalar has been given in the same block, if its operands still have their values.
    fn definition(&self, scalar: RefId, number: usize) -> Option<(ExprId, usize)> {
        let symbol = self.doc.refs[scalar].base;
        own_location(self.doc, self.storage, self.body.proc, symbol)?;
        let [location] = self.storage.locations_of(self.doc, scalar)[..] else { return None };
        let writers = self.writers.get(&location)?;
        let before = writers.partition_point(|&writer| writer < number).checked_sub(1)?;
        let before = writers[before];
        let (at, here) = (&self.body.steps[before], &self.body.steps[number]);
        let Step::Stmt(stmt) = at.step else { return None };
        let StmtKind::Assign { lhs, rhs, defined: None } = self.doc.stmts[stmt].kind else {
            return None;
        };
        let whole = self.doc.refs[lhs].parts.is_empty() && at.vertex == here.vertex;
        // A conversion stands between a variable and a value of another type.
        let same = self.doc.refs[lhs].ty == self.doc.exprs[rhs].ty;
        let between = before + 1..number;
        let mut read = read_by(self.doc, rhs).into_iter();
        (whole && same && read.all(|one| !self.is_overwritten(one, &between)))
            .then_some((rhs, before))
    }

    /// Whether each element is written once, and read by these assignments only where it has its last value, by later ones.
    fn is_single_assignment(
        &self,
        own: &[(usize, Access)],
        writes: &[Access],
        fixed: usize,
    ) -> bool {
        let precede = |one, other| self.order.may_precede_within(one, other, fixed, &self.settled);
        let read_late = own.iter().all(|&(reader, read)| {
            writes.iter().enumerate().all(|(writer, &write)| {
                !precede(read, write) && (writer < reader || !precede(write, read))
            })
        });
        let written_once = writes.iter().enumerate().all(|(number, &write)| {
            writes[..number].iter().all(|&earlier| !precede(write, earlier))
                && !precede(write, write)
        });
        read_late && written_once
    }

    /// Whether no step of the span overwrites an operand behind the place where it is read.
    fn keeps_operands(
        &self,
        reads: &[(Access, LocationId)],
        span: &Range<usize>,
        fixed: usize,
    ) -> bool {
        span.clone().all(|number| {
            let at = &self.body.steps[number];
            let Some(found) = self.overwrites.of(StepKey::of(at.step)) else { return true };
            let moves = at.events.iter().any(|event| {
                matches!(event, Event::Anything | Event::Allocate(_) | Event::Release { .. })
            });
            let write = self.element_write(number);
            !moves
                && reads.iter().filter(|(_, own)| found.locations.contains(own)).all(|(read, _)| {
                    write.is_some_and(|write| {
                        !self.order.may_precede_within(*read, write, fixed, &self.settled)
                    })
                })
        })
    }

    /// The access of an assignment to an array or scalar in a block.
    fn element_write(&self, number: usize) -> Option<Access> {
        let at = &self.body.steps[number];
        let Step::Stmt(stmt) = at.step else { return None };
        let StmtKind::Assign { lhs, defined: None, .. } = self.doc.stmts[stmt].kind else {
            return None;
        };
        let found = self.overwrites.of(StepKey::of(at.step))?;
        let is_block =
            matches!(self.body.flow.cfg.vertices[at.vertex].kind, VertexKind::BasicBlock { .. });
        (is_block && found.locations.len() == 1).then(|| self.access(lhs, number, 1))
    }
}

/// The bounds of the loops of an assignment.
fn bounds(item: &Item) -> impl Iterator<Item = ExprId> + '_ {
    item.loops.iter().flat_map(|one| [one.lower, one.upper])
}

/// The constructs around each vertex.
fn constructs(structure: &Structure<'_>) -> SecondaryMap<VertexId, Vec<Nest>> {
    let mut around: SecondaryMap<VertexId, Vec<Nest>> = SecondaryMap::new();
    let mut open: Vec<Nest> = Vec::new();
    for &item in &structure.items {
        match item {
            Piece::Plain(vertex) => around[vertex].clone_from(&open),
            Piece::OpenBranch(head) => open.push(Nest { head, arm: 0, is_loop: false }),
            Piece::Arm => {
                if let Some(branch) = open.last_mut() {
                    branch.arm += 1;
                }
            }
            Piece::OpenLoop(edges) => {
                open.push(Nest { head: edges.head, arm: 0, is_loop: true });
            }
            Piece::CloseBranch { .. } | Piece::CloseLoop(_) => {
                open.pop();
            }
        }
    }
    around
}

/// The integer scalars that the body reads and no step overwrites.
fn settled(
    doc: &Document,
    storage: &Storage,
    body: &BodyEvents<'_>,
    writers: &BTreeMap<LocationId, Vec<usize>>,
) -> HashSet<SymbolId> {
    let mut settled = HashSet::new();
    for event in body.steps.iter().flat_map(|at| &at.events) {
        let Event::Read(reference, _) = event else { continue };
        let data = &doc.refs[*reference];
        let is_integer =
            data.parts.is_empty() && data.ty.rank == 0 && matches!(data.ty.base, Base::Integer(_));
        if is_integer
            && storage.locations_of(doc, *reference).iter().all(|own| !writers.contains_key(own))
        {
            settled.insert(data.base);
        }
    }
    settled
}
