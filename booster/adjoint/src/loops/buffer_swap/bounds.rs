//! Which elements of an array an assignment within the loop over time means, as bounds for each dimension.
//!
//! An assignment stands in the loop itself (`u(2:n-1) = …`, `u = …`) or in a nest of loops in steps of one
//! that holds nothing but one block; a subscript is then the variable of one of the loops, and each of them
//! stands in one dimension. Nothing else is understood.

use xaif_schema::model::{
    ExprId, Part, RefId, StmtId, StmtKind, Subscript, SymbolId, VertexId, VertexKind,
};

use super::{Loop, View};
use crate::queries::expressions::read_by;
use booster_build::same_expr;

/// A block in a loop, or a nest of loops around one.
pub(crate) struct Site {
    /// The positions of the first vertex and of the last.
    pub(crate) head: usize,
    pub(crate) end: usize,
    /// The positions of the heads of the nest's loops.
    pub(crate) loops: Vec<usize>,
    pub(crate) block: VertexId,
}

/// A bound of a dimension.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    /// The declared one.
    Declared,
    Given(ExprId),
}

/// The bounds of each dimension.
pub(crate) type Elements = Vec<[Bound; 2]>;

impl View<'_> {
    /// The blocks and nests of loops that each iteration of a loop executes.
    pub(crate) fn sites(&self, outer: &Loop) -> Vec<Site> {
        let free = self.free_positions(outer.head + 1..outer.end);
        let site = |position: usize| {
            let vertex = self.cfg.layout[position];
            match self.cfg.vertices[vertex].kind {
                VertexKind::BasicBlock { .. } => {
                    Some(Site { head: position, end: position, loops: Vec::new(), block: vertex })
                }
                VertexKind::ForLoop { .. } => self.nest_at(position),
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::Branch { .. }
                | VertexKind::EndBranch
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => None,
            }
        };
        free.into_iter().filter_map(site).collect()
    }

    /// The nest of loops that begins at a position. Blocks without statements may stand between its heads.
    fn nest_at(&self, head: usize) -> Option<Site> {
        let end = self.loop_at(head)?.end;
        let (mut loops, mut block, mut ends) = (Vec::new(), None, 0);
        for position in head..=end {
            let vertex = self.cfg.layout[position];
            match &self.cfg.vertices[vertex].kind {
                VertexKind::BasicBlock { stmts, .. } if stmts.is_empty() => {}
                VertexKind::BasicBlock { .. } if block.is_none() && ends == 0 => {
                    block = Some(vertex);
                }
                VertexKind::ForLoop { .. } if block.is_none() && ends == 0 => {
                    self.loop_at(position).filter(|one| one.step == 1)?;
                    loops.push(position);
                }
                VertexKind::EndLoop => ends += 1,
                _ => return None,
            }
        }
        Some(Site { head, end, loops, block: block? })
    }

    fn loop_at(&self, position: usize) -> Option<&Loop> {
        self.all.iter().find(|one| one.head == position)
    }

    /// The copies at a site, with `u`, `un` and the elements of each; of a nest where it does nothing else.
    pub(crate) fn copies(
        &self,
        site: &Site,
    ) -> Option<Vec<(StmtId, SymbolId, SymbolId, Elements)>> {
        let mut found = Vec::new();
        for &stmt in self.stmts_of(site.block) {
            if matches!(self.doc.stmts[stmt].kind, StmtKind::Comment(_)) {
                continue;
            }
            match self.copy(site, stmt) {
                Some((kept, next, of)) => found.push((stmt, kept, next, of)),
                None if site.loops.is_empty() => {}
                None => return None,
            }
        }
        // What one statement overwrites the next must not read in the same nest.
        let symbols = || found.iter().flat_map(|&(_, kept, next, _)| [kept, next]);
        let once = symbols().all(|symbol| symbols().filter(|&other| other == symbol).count() == 1);
        (once || site.loops.is_empty()).then_some(found)
    }

    /// `u` and `un` where a statement is `u(i, j) = un(i, j)`.
    fn copy(&self, site: &Site, stmt: StmtId) -> Option<(SymbolId, SymbolId, Elements)> {
        let doc = self.doc;
        let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else {
            return None;
        };
        let from = doc.exprs[rhs].reference()?;
        let (kept, next) = (doc.refs[lhs].base, doc.refs[from].base);
        let (of, other) = (self.elements(site, lhs)?, self.elements(site, from)?);
        let alike = self.same(&of, &other) && self.same_order(site, lhs, from);
        (alike && kept != next && doc.stmts[stmt].label.is_none()).then_some((kept, next, of))
    }

    /// Whether the loops of a nest stand in the same dimensions of two references: the copy of a
    /// transposed matrix is none.
    fn same_order(&self, site: &Site, one: RefId, other: RefId) -> bool {
        let order = |reference: RefId| -> Vec<Option<usize>> {
            match &self.doc.refs[reference].parts[..] {
                [Part::Elements(list)] => {
                    list.iter().map(|index| self.level(site, *index)).collect()
                }
                _ => Vec::new(),
            }
        };
        site.loops.is_empty() || order(one) == order(other)
    }

    /// The head of the loop of a nest whose variable a subscript is.
    fn level(&self, site: &Site, subscript: Subscript) -> Option<usize> {
        let Subscript::Index(index) = subscript else { return None };
        let variable = &self.doc.refs[self.doc.exprs[index].reference()?];
        let is_its = |&&head: &&usize| {
            self.loop_at(head).is_some_and(|one| one.variable == variable.base)
                && variable.parts.is_empty()
        };
        site.loops.iter().find(is_its).copied()
    }

    /// The elements that an assignment at a site means by a reference, over all iterations of its loops.
    pub(crate) fn elements(&self, site: &Site, reference: RefId) -> Option<Elements> {
        let data = &self.doc.refs[reference];
        let (mut found, mut used): (Elements, Vec<usize>) = (Vec::new(), Vec::new());
        match &data.parts[..] {
            [] => {
                let rank = self.doc.symbols[data.base].rank?;
                found = vec![[Bound::Declared; 2]; usize::from(rank)];
            }
            [Part::Elements(list)] => {
                for &subscript in list {
                    if let Subscript::Section { lower, upper, stride: None } = subscript {
                        found.push([lower, upper].map(|b| b.map_or(Bound::Declared, Bound::Given)));
                        continue;
                    }
                    let level = self.level(site, subscript)?;
                    let one = self.loop_at(level)?;
                    found.push([Bound::Given(one.lower), Bound::Given(one.upper)]);
                    used.push(level);
                }
            }
            _ => return None,
        }
        // Each loop once: a diagonal is not all elements, nor is the last of many assignments to one.
        used.sort_unstable();
        (used == site.loops).then_some(found)
    }

    /// Whether two assignments surely mean the same elements of arrays that are declared alike.
    pub(crate) fn same(&self, one: &Elements, other: &Elements) -> bool {
        let same = |(a, b): (&Bound, &Bound)| match (*a, *b) {
            (Bound::Declared, Bound::Declared) => true,
            (Bound::Given(a), Bound::Given(b)) => same_expr(self.doc, a, b),
            (Bound::Declared, Bound::Given(_)) | (Bound::Given(_), Bound::Declared) => false,
        };
        one.len() == other.len() && one.iter().flatten().zip(other.iter().flatten()).all(same)
    }

    /// Whether bounds are the same in each iteration, and wherever they stand in it.
    pub(crate) fn bounds_stay(&self, outer: &Loop, of: &Elements) -> bool {
        let doc = self.doc;
        let region = &self.cfg.layout[outer.head..=outer.end];
        let stays = |reference: RefId| {
            let data = &doc.refs[reference];
            data.parts.is_empty()
                && data.ty.rank == 0
                && self.storage.locations_of(doc, reference).len() == 1
                && !region.iter().any(|&vertex| self.may_write(vertex, reference))
        };
        of.iter().flatten().all(|bound| match *bound {
            Bound::Declared => true,
            Bound::Given(bound) => read_by(doc, bound).into_iter().all(stays),
        })
    }

    /// Whether a vertex may overwrite what a reference reads.
    fn may_write(&self, vertex: VertexId, reference: RefId) -> bool {
        let doc = self.doc;
        let locations = self.storage.locations_of(doc, reference);
        let touches = |written: RefId| {
            let other = self.storage.locations_of(doc, written);
            other.is_empty() || other.iter().any(|location| locations.contains(location))
        };
        let writes = |stmt: StmtId| match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, .. } => touches(*lhs),
            StmtKind::InlinableCall(call) => !call.name.starts_with("push"),
            StmtKind::Comment(_) => false,
            StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => true,
        };
        match &self.cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => stmts.iter().any(|&stmt| writes(stmt)),
            VertexKind::ForLoop { init, .. } => writes(*init),
            _ => false,
        }
    }
}
