//! Runs: consecutive statements of a basic block whose derivatives become one local Jacobian.
//!
//! A run has active assignments to real and complex scalars, or to arrays of them, whose partial derivatives are factors, and between
//! them statements that are passive, overwrite no place of the run and nothing that subscripts of such
//! a place read. Everything else is a border: calls, memory, pointers, masks, input and output, labels,
//! what is not understood, and what [`places`](super::places) cannot tell apart. An assignment to arrays ends
//! a run before it where no array in it has had its shape since the run began, and where it may give another shape
//! to an array whose shape or derivative the run has asked for.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::model::{
    Attr, Base, CommentKind, Document, ExprId, Part, RefId, Role, StmtId, StmtKind, Subscript,
    SymbolId,
};

use super::places::{PlaceId, Places, indices, same_place};
use super::shape::{Extents, ShapeId, Shapes};
use booster_facts::{Accesses, BodyEvents, Event, LocationId, Storage};
use booster_flow::Step;
use booster_linearize::keeps_shape;
use booster_linearize::{Linearised, Node, NodeKind};
use booster_rules::Catalogue;
use booster_shadow::derivative::Types;

/// A run.
#[derive(Clone, Debug, Default)]
pub(super) struct Run<'c> {
    /// Its statements in order; the first and the last are assignments.
    pub(super) items: Vec<Item<'c>>,
    /// The places that its active references name.
    pub(super) places: Places,
    /// Whether it assigns to arrays: no run assigns to these and to scalars.
    pub(super) of_arrays: bool,
    /// What has been found out of shapes.
    known: Known,
}

/// What is known of the shapes of arrays in a run.
#[derive(Clone, Debug, Default)]
struct Known {
    /// References with their shapes, by what they are based on.
    shapes: HashMap<SymbolId, Vec<(RefId, ShapeId)>>,
    /// What the run may have overwritten.
    written: HashSet<LocationId>,
    /// What it may have given another shape.
    reshaped: HashSet<LocationId>,
}

impl Known {
    fn shape(&self, doc: &Document, reference: RefId) -> Option<ShapeId> {
        let known = self.shapes.get(&doc.refs[reference].base)?;
        known.iter().find(|&&(one, _)| same_place(doc, one, reference)).map(|&(_, shape)| shape)
    }

    fn note(&mut self, doc: &Document, reference: RefId, shape: ShapeId) {
        if self.shape(doc, reference).is_none() {
            let known = self.shapes.entry(doc.refs[reference].base).or_default();
            known.push((reference, shape));
        }
    }
}

/// A statement of a run.
#[derive(Clone, Debug)]
pub(super) struct Item<'c> {
    /// The statement.
    pub(super) stmt: StmtId,
    /// What it may overwrite.
    pub(super) writes: BTreeSet<LocationId>,
    /// What it is, if it is active.
    pub(super) assignment: Option<Assignment<'c>>,
}

/// An active assignment.
#[derive(Clone, Debug)]
pub(super) struct Assignment<'c> {
    /// The left-hand side.
    pub(super) lhs: RefId,
    /// Its place.
    pub(super) target: PlaceId,
    /// The right-hand side.
    pub(super) rhs: ExprId,
    /// The graph of the right-hand side.
    pub(super) graph: Linearised<'c>,
    /// The places of its leaves, in the order of its nodes; `None` for operations.
    pub(super) sources: Vec<Option<PlaceId>>,
    /// The shape of what is assigned, if that is an array.
    pub(super) shape: Option<ShapeId>,
}

/// What a statement is to a run.
enum Sort<'c> {
    /// It ends one.
    Border,
    /// It moves no derivatives, and writes these locations.
    Passive(BTreeSet<LocationId>),
    /// An assignment.
    Active(Candidate<'c>),
}

/// An active assignment that may belong to a run.
struct Candidate<'c> {
    lhs: RefId,
    rhs: ExprId,
    graph: Linearised<'c>,
    shape: Extent,
    /// Whether it may give an allocatable variable another shape.
    reshapes: bool,
}

impl Candidate<'_> {
    /// The active references of the right-hand side, in the order of the nodes of its graph.
    fn leaves(&self) -> Vec<Option<RefId>> {
        let leaves = self.graph.nodes.iter().map(|node| match node.kind {
            NodeKind::Leaf(reference) => Some(reference),
            NodeKind::Operation(_) | NodeKind::Constructor => None,
        });
        leaves.collect()
    }
}

/// The shape of what a statement assigns.
#[derive(Clone, Copy)]
enum Extent {
    /// It is a number.
    Scalar,
    /// It is known where the procedure begins.
    Known(ShapeId),
    /// It is that of an array where the statement stands.
    Here,
}

/// Whether a reference has a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    /// As far as it is known here.
    Active,
    /// Certainly not.
    Passive,
    /// The stages behind may see it either way.
    Open,
}

/// Looks for runs.
pub(super) struct Finder<'a, 'd, 'c> {
    pub(super) doc: &'d Document,
    pub(super) accesses: &'a Accesses<'d>,
    pub(super) storage: &'a Storage,
    pub(super) types: &'a Types,
    pub(super) catalogue: &'c Catalogue,
    /// Whether activity analysis has run.
    pub(super) analysed: bool,
    /// Whether each assignment is a run.
    pub(super) per_statement: bool,
}

impl<'c> Finder<'_, '_, 'c> {
    /// The runs among the statements of a basic block of `body`.
    pub(super) fn runs(
        &self,
        body: &BodyEvents<'_>,
        (extents, shapes): (&Extents<'_>, &mut Shapes),
        stmts: &[StmtId],
    ) -> Vec<Run<'c>> {
        let mut found = Vec::new();
        let mut open: Option<Run<'c>> = None;
        for &stmt in stmts {
            let sort = self.sort(body, (extents, &mut *shapes), stmt);
            if self.per_statement {
                found.extend(open.take());
            }
            if let Some(run) = &mut open
                && self.joins((run, (extents, &mut *shapes)), stmt, &sort)
            {
                continue;
            }
            found.extend(open.take());
            let mut run = Run::default();
            if matches!(sort, Sort::Active(_))
                && self.joins((&mut run, (extents, &mut *shapes)), stmt, &sort)
            {
                open = Some(run);
            }
        }
        found.extend(open);
        for run in &mut found {
            let used = run.items.iter().rposition(|item| item.assignment.is_some());
            run.items.truncate(used.map_or(0, |last| last + 1));
        }
        found
    }

    /// Adds a statement to a run, where it can be a part of it.
    fn joins(
        &self,
        (run, shapes): (&mut Run<'c>, (&Extents<'_>, &mut Shapes)),
        stmt: StmtId,
        sort: &Sort<'c>,
    ) -> bool {
        match sort {
            Sort::Border => false,
            Sort::Passive(writes) => {
                let locations: Vec<LocationId> = writes.iter().copied().collect();
                let joins = run.places.are_left_alone(&locations);
                if joins {
                    run.known.written.extend(&locations);
                    run.known.reshaped.extend(&locations);
                    run.items.push(Item { stmt, writes: writes.clone(), assignment: None });
                }
                joins
            }
            Sort::Active(candidate) => self.adds((run, shapes), stmt, candidate).is_some(),
        }
    }

    /// Adds an active assignment to a run, where it can be a part of it.
    fn adds(
        &self,
        (run, shapes): (&mut Run<'c>, (&Extents<'_>, &mut Shapes)),
        stmt: StmtId,
        candidate: &Candidate<'c>,
    ) -> Option<()> {
        let (doc, lhs) = (self.doc, candidate.lhs);
        let of_arrays = !matches!(candidate.shape, Extent::Scalar);
        if !run.items.is_empty() && run.of_arrays != of_arrays {
            return None;
        }
        let written = self.storage.locations_of(doc, lhs);
        if candidate.reshapes && !self.may_be_reshaped(run, candidate) {
            return None;
        }
        let leaves = candidate.leaves();
        let own = (!candidate.reshapes).then_some(lhs);
        let arrays = own.into_iter().chain(leaves.iter().flatten().copied());
        let arrays: Vec<RefId> = arrays.filter(|&one| doc.refs[one].ty.rank > 0).collect();
        let shape = match candidate.shape {
            Extent::Scalar => None,
            Extent::Known(shape) => Some(shape),
            Extent::Here => Some(self.shape_here(run, shapes, &arrays)?),
        };
        let (sources, target) = run.places.assignment(doc, self.storage, &leaves, lhs)?;
        if let Some(shape) = shape {
            arrays.into_iter().chain([lhs]).for_each(|one| run.known.note(doc, one, shape));
        }
        run.of_arrays = of_arrays;
        run.known.written.extend(&written);
        if candidate.reshapes {
            run.known.reshaped.extend(&written);
        }
        let (rhs, graph) = (candidate.rhs, candidate.graph.clone());
        let assignment = Some(Assignment { lhs, target, rhs, graph, sources, shape });
        let writes = written.into_iter().collect();
        run.items.push(Item { stmt, writes, assignment });
        Some(())
    }

    /// Whether a run may give what is assigned another shape: its derivative must not have been an input, and
    /// nobody has asked for its shape.
    fn may_be_reshaped(&self, run: &Run<'c>, candidate: &Candidate<'c>) -> bool {
        let written = self.storage.locations_of(self.doc, candidate.lhs);
        let mut read = candidate.leaves().into_iter().flatten();
        let reads_itself = read.any(|one| {
            self.storage
                .locations_of(self.doc, one)
                .iter()
                .any(|location| written.contains(location))
        });
        !reads_itself && run.places.are_left_alone(&written)
    }

    /// The shape of the first of these arrays that has had one from the beginning of the run to here.
    fn shape_here(
        &self,
        run: &Run<'c>,
        (extents, shapes): (&Extents<'_>, &mut Shapes),
        arrays: &[RefId],
    ) -> Option<ShapeId> {
        let known = arrays.iter().find_map(|&one| run.known.shape(self.doc, one));
        known.or_else(|| {
            let lasts = |&&one: &&RefId| {
                let named = indices(self.doc, self.storage, one);
                let own = self.storage.locations_of(self.doc, one);
                !named.iter().any(|location| run.known.written.contains(location))
                    && !own.iter().any(|location| run.known.reshaped.contains(location))
            };
            arrays.iter().find(lasts).map(|&one| extents.here(shapes, one))
        })
    }

    fn sort(
        &self,
        body: &BodyEvents<'_>,
        shapes: (&Extents<'_>, &mut Shapes),
        stmt: StmtId,
    ) -> Sort<'c> {
        let data = &self.doc.stmts[stmt];
        if data.label.is_some() || data.recompute {
            return Sort::Border;
        }
        match &data.kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                self.assignment(body, shapes, stmt, (*lhs, *rhs))
            }
            StmtKind::Comment(comment) => match comment.kind {
                CommentKind::Text | CommentKind::Blank => Sort::Passive(BTreeSet::new()),
                CommentKind::Directive => Sort::Border,
            },
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => Sort::Border,
        }
    }

    fn assignment(
        &self,
        body: &BodyEvents<'_>,
        (extents, shapes): (&Extents<'_>, &mut Shapes),
        stmt: StmtId,
        (lhs, rhs): (RefId, ExprId),
    ) -> Sort<'c> {
        let mut writes = BTreeSet::new();
        for event in body.events(Step::Stmt(stmt)) {
            match event {
                Event::Read(reference, _) => {
                    if self.changes_by_itself(*reference) {
                        return Sort::Border;
                    }
                }
                Event::Write(write) => writes.extend(self.accesses.written(write).0),
                Event::Ask(..) | Event::Reshape(_) => {}
                Event::Call(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Anything => return Sort::Border,
            }
        }
        if self.changes_by_itself(lhs) {
            return Sort::Border;
        }
        match self.activity(lhs) {
            Activity::Open => return Sort::Border,
            Activity::Passive => return Sort::Passive(writes),
            Activity::Active => {}
        }
        let reshapes = self.may_grow(lhs) && !self.keeps_shape(lhs, rhs);
        if !self.is_plain(lhs) || reshapes && self.doc.refs[lhs].ty.rank == 0 {
            return Sort::Border;
        }
        let mut open = false;
        let graph = Linearised::of(self.doc, self.catalogue, rhs, &mut |reference| {
            let activity = self.activity(reference);
            open |= activity == Activity::Open;
            activity == Activity::Active
        });
        let graph = match graph {
            Ok(graph) if !open && self.is_elementwise(&graph, lhs) => graph,
            // What has no derivative is told by whoever makes one.
            Ok(_) | Err(_) => return Sort::Border,
        };
        let mut candidate = Candidate { lhs, rhs, graph, shape: Extent::Scalar, reshapes };
        if self.doc.refs[lhs].ty.rank > 0 {
            let leaves = candidate.leaves().into_iter().flatten();
            let known = extents.of(shapes, std::iter::once(lhs).chain(leaves));
            candidate.shape = known.map_or(Extent::Here, Extent::Known);
        }
        Sort::Active(candidate)
    }

    /// Whether all nodes are numbers or arrays of the shape of `lhs`, and all partial derivatives factors, one
    /// for each element. The factor of a complex operand is its derivative as a complex number, which only
    /// what is complex again has; so real numbers may lead to complex ones, and never back.
    fn is_elementwise(&self, graph: &Linearised<'_>, lhs: RefId) -> bool {
        let whole = self.doc.refs[lhs].ty.rank;
        let rank = |node: &Node<'_>| self.doc.exprs[node.expr].ty.rank;
        let fits = |node: &Node<'_>| {
            let sources = node.edges.iter().map(|edge| rank(&graph.nodes[edge.source]));
            let own = rank(node);
            let conform = sources.into_iter().all(|source| source == 0 || source == own);
            conform && (own == 0 || own == whole)
        };
        let base = |node: &Node<'_>| self.doc.exprs[node.expr].ty.base;
        let widens = |node: &Node<'_>| {
            let mut sources = node.edges.iter().map(|edge| base(&graph.nodes[edge.source]));
            sources.all(|source| !is_lost(source, base(node)))
        };
        let assigned = self.doc.refs[lhs].ty.base;
        let fits = |node: &Node<'_>| fits(node) && widens(node);
        graph.nodes.last().is_none_or(|root| !is_lost(base(root), assigned))
            && graph.has_only_factors(self.doc)
            && graph.nodes.iter().all(|node| {
                is_number(base(node))
                    && fits(node)
                    && match node.kind {
                        NodeKind::Leaf(reference) => self.is_plain(reference),
                        NodeKind::Operation(_) => true,
                        NodeKind::Constructor => false,
                    }
            })
    }

    /// Whether a reference names real or complex numbers, none of them twice.
    fn is_plain(&self, reference: RefId) -> bool {
        let data = &self.doc.refs[reference];
        let is_index = |subscript: &Subscript| match *subscript {
            Subscript::Index(index) => self.doc.exprs[index].ty.rank == 0,
            Subscript::Section { .. } => true,
        };
        let parts = data.parts.iter().all(|part| match part {
            Part::Elements(list) => list.iter().all(is_index),
            Part::Component { symbol, .. } => symbol.is_some(),
            Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
        });
        is_number(data.ty.base) && !data.deriv && parts
    }

    /// Whether an assignment to an array leaves it in its shape in any case.
    fn keeps_shape(&self, lhs: RefId, rhs: ExprId) -> bool {
        let spread = self.doc.exprs[rhs].ty.rank == 0;
        self.doc.refs[lhs].ty.rank > 0 && (spread || keeps_shape(self.doc, rhs, lhs))
    }

    /// Whether an assignment to a reference may give it another shape, or memory.
    fn may_grow(&self, reference: RefId) -> bool {
        let whole = !matches!(self.doc.refs[reference].parts.last(), Some(Part::Elements(_)));
        let allocatable = |last| self.doc.has(last, Attr::Allocatable);
        whole && self.doc.refs[reference].whole_entity().is_none_or(allocatable)
    }

    fn changes_by_itself(&self, reference: RefId) -> bool {
        let data = &self.doc.refs[reference];
        let components = data.parts.iter().filter_map(|part| match part {
            Part::Component { symbol, .. } => *symbol,
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
        });
        let mut symbols = components.chain([data.base]);
        let is = |symbol: SymbolId| {
            self.doc.has(symbol, Attr::Volatile) || self.doc.has(symbol, Attr::Asynchronous)
        };
        symbols.any(is)
    }

    /// Whether a reference has a derivative, for the stages behind this one.
    pub(super) fn activity(&self, reference: RefId) -> Activity {
        let data = &self.doc.refs[reference];
        let symbol = &self.doc.symbols[data.base];
        let variable = match self.doc.role(data.base) {
            Some(Role::Variable | Role::Associate { .. }) => true,
            Some(_) => false,
            // Nothing is declared of it.
            None => return Activity::Open,
        };
        if !variable || data.active == Some(false) || !self.types.carries(data.ty.base) {
            return Activity::Passive;
        }
        if self.analysed && symbol.active == Some(false) && data.active.is_none() {
            return Activity::Open;
        }
        Activity::Active
    }
}

fn is_number(base: Base) -> bool {
    matches!(base, Base::Real(bytes) | Base::Complex(bytes) if bytes > 0)
}

/// Whether a complex number becomes a real one, or loses digits.
fn is_lost(from: Base, to: Base) -> bool {
    match (from, to) {
        (Base::Complex(from), Base::Complex(to)) => from > to,
        (Base::Complex(_), _) => true,
        _ => false,
    }
}
