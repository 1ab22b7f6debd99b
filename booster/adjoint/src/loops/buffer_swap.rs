//! Time levels that are copied change places.
//!
//! A model in time steps computes the next level of its state, `un`, and copies it to `u` at the end of the
//! step. In an adjoint procedure the copy is pure cost: `un` is used for nothing else there. So both become
//! allocatable, and three calls of MOVE_ALLOC let them change places (double buffering, which an adjoint by
//! hand has as well). What the copy does not reach, the rim, must be the same in both: `un = u` once before
//! the loop makes it so.
//!
//! That is right if nobody asks for what `un` holds: in each iteration of the loop over time all that the copy
//! reads is assigned before, by a statement for the same elements (`bounds`); nothing else in the loop names
//! `un`, and nothing behind it. And the copy alone overwrites `u` in the loop, so that the rim stays the same.
//! Both are local arrays that are declared alike and share storage with nothing. The loop is within no other
//! loop or branch, it is left at its head alone, and calls nothing. How often it is executed does not
//! matter. Anything else stays as it is.

mod bounds;
mod exchange;

use std::cell::OnceCell;
use std::ops::Range;

use xaif_schema::model::{
    Base, Body, Cfg, Dim, Document, ExprId, ExprKind, ForForm, ProcClass, ProcId, Role, StmtId,
    StmtKind, SymbolId, VertexId, VertexKind,
};

use crate::loops::distribute::drop_replaced;
use crate::queries::private_scalars::has_internal_procedures;
use booster_build::{mentions_of_declaration, nodes_of, same_expr, subscripts_of};
use booster_facts::Storage;
use booster_facts::loops::{Loop, loops};
use booster_flow::Ways;
use booster_tangent::reads::{names_in_statement, reads};
use bounds::{Elements, Site};
use exchange::{MOVE, exchange};
pub(crate) use exchange::{move_symbol, moved};

/// Lets time levels of `procs` change places.
pub(crate) fn exchange_levels(doc: &mut Document, procs: &[ProcId]) {
    if means_something_else(doc) {
        return;
    }
    let storage = OnceCell::new();
    for &proc in procs {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        let all = loops(doc, cfg);
        if all.is_empty() {
            continue;
        }
        // An exchange changes nothing of what shares storage with what.
        let storage = storage.get_or_init(|| Storage::new(doc));
        let view = View { doc, cfg, proc, storage, ways: Ways::new(cfg), all };
        let copies = view.find();
        if !copies.is_empty() {
            exchange(doc, proc, &copies);
        }
    }
}

/// A copy that may become an exchange.
struct Copy {
    /// The loop over time.
    outer: VertexId,
    /// The first vertex of the nest of loops that is the copy, and the last; of a copy by an array
    /// assignment both are its block.
    first: VertexId,
    last: VertexId,
    /// The statements and, of each, `u` and `un`.
    pairs: Vec<(StmtId, SymbolId, SymbolId)>,
}

/// A procedure that is looked at.
struct View<'a> {
    doc: &'a Document,
    cfg: &'a Cfg,
    proc: ProcId,
    storage: &'a Storage,
    ways: Ways<'a>,
    all: Vec<Loop>,
}

impl View<'_> {
    /// The copies, in the order of the text.
    fn find(&self) -> Vec<Copy> {
        let inner = has_internal_procedures(self.doc, self.proc);
        let entries = self.cfg.vertices.values();
        let entries = entries.filter(|vertex| matches!(vertex.kind, VertexKind::Entry(_))).count();
        if inner || entries != 1 || self.cfg.structured == Some(false) {
            return Vec::new();
        }
        let free = self.free_positions(0..self.cfg.layout.len());
        let outermost = self.all.iter().filter(|one| free.binary_search(&one.head).is_ok());
        outermost.flat_map(|outer| self.find_in(outer)).collect()
    }

    fn find_in(&self, outer: &Loop) -> Vec<Copy> {
        if !self.is_closed(outer) {
            return Vec::new();
        }
        let sites = self.sites(outer);
        let mut found = Vec::new();
        for site in &sites {
            let fits = |&(_, kept, next, ref of): &(StmtId, SymbolId, SymbolId, Elements)| {
                self.fit(outer, (site, of), &sites, kept, next)
            };
            let pairs = self.copies(site);
            // The statements of a nest go together or not at all.
            let pairs: Vec<_> = match (&pairs, site.loops.is_empty()) {
                (Some(pairs), true) => pairs.iter().filter(|pair| fits(pair)).collect(),
                (Some(pairs), false) if pairs.iter().all(fits) => pairs.iter().collect(),
                (Some(_) | None, _) => Vec::new(),
            };
            if !pairs.is_empty() {
                let layout = &self.cfg.layout;
                let pairs = pairs.iter().map(|&&(stmt, kept, next, _)| (stmt, kept, next));
                found.push(Copy {
                    outer: layout[outer.head],
                    first: layout[site.head],
                    last: layout[site.end],
                    pairs: pairs.collect(),
                });
            }
        }
        found
    }

    /// The positions of a range that stand in no branch and no loop of it: of a construct its head
    /// alone.
    fn free_positions(&self, range: Range<usize>) -> Vec<usize> {
        let (mut depth, mut found) = (0_usize, Vec::new());
        for position in range {
            if depth == 0 {
                found.push(position);
            }
            match self.cfg.vertices[self.cfg.layout[position]].kind {
                VertexKind::Branch { .. }
                | VertexKind::ForLoop { .. }
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. } => depth += 1,
                VertexKind::EndBranch | VertexKind::EndLoop => depth = depth.saturating_sub(1),
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::BasicBlock { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        found
    }

    /// Whether a loop consists of assignments that call nothing, tape operations, branches and counted
    /// loops, and is left at its head alone.
    fn is_closed(&self, outer: &Loop) -> bool {
        let (doc, cfg) = (self.doc, self.cfg);
        let region = &cfg.layout[outer.head..=outer.end];
        let head = cfg.layout[outer.head];
        let plain = |stmt: StmtId| match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                is_pure(doc, subscripts_of(&doc.refs[*lhs]).into_iter().chain([*rhs]))
            }
            StmtKind::InlinableCall(_) | StmtKind::Comment(_) => true,
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => false,
        };
        self.ways.is_closed(head, region)
            && region.iter().all(|&vertex| match &cfg.vertices[vertex].kind {
                VertexKind::BasicBlock { stmts, .. } => stmts.iter().all(|&stmt| plain(stmt)),
                VertexKind::Branch { condition, .. } => is_pure(doc, *condition),
                VertexKind::ForLoop { init, condition, form: ForForm::Counted, .. } => {
                    plain(*init) && is_pure(doc, [*condition])
                }
                VertexKind::EndBranch | VertexKind::EndLoop => true,
                VertexKind::ForLoop { .. }
                | VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => false,
            })
    }

    /// Whether `next` and `kept` may change places where the elements `of` are copied.
    fn fit(
        &self,
        outer: &Loop,
        (copy, of): (&Site, &Elements),
        sites: &[Site],
        kept: SymbolId,
        next: SymbolId,
    ) -> bool {
        self.is_own_array(kept)
            && self.is_own_array(next)
            && self.declared_alike(kept, next)
            && self.bounds_stay(outer, of)
            && self.is_written_by(outer, copy, kept)
            && self.is_renewed(outer, (copy, of), sites, next)
            && !self.cfg.layout[outer.end + 1..].iter().any(|&vertex| self.names(vertex, next))
    }

    /// A local array of numbers, declared with bounds, that shares its storage with nothing and that no
    /// other declaration names.
    fn is_own_array(&self, symbol: SymbolId) -> bool {
        let doc = self.doc;
        let data = &doc.symbols[symbol];
        let Some(decl) = data.decl.as_deref() else { return false };
        let locations = self.storage.locations_of_symbol(symbol);
        let scope = doc.procs[self.proc].scope;
        let named = doc.scopes[scope].symbols.iter().any(|&other| {
            other != symbol
                && mentions_of_declaration(doc, other).iter().any(|one| one.symbol == symbol)
        });
        data.scope == scope
            && matches!(decl.role, Role::Variable)
            && matches!(decl.spec.base(), Base::Integer(_) | Base::Real(_) | Base::Complex(_))
            && !decl.dims.is_empty()
            && decl.dims.iter().all(|dim| matches!(dim, Dim::Explicit { .. }))
            && decl.attrs.is_empty()
            && decl.intent.is_none()
            && decl.init.is_none()
            && decl.common.is_none()
            && decl.bind_name.is_none()
            && !doc.procs[self.proc].args.iter().any(|arg| arg.symbol == Some(symbol))
            && doc.procs[self.proc].result != Some(symbol)
            && !self.storage.procedures().is_static(symbol)
            && matches!(&locations[..], [location] if self.storage.locations()[*location].members.len() == 1)
            && !named
    }

    fn declared_alike(&self, one: SymbolId, other: SymbolId) -> bool {
        let decl = |symbol: SymbolId| self.doc.symbols[symbol].decl.as_deref();
        let (Some(one), Some(other)) = (decl(one), decl(other)) else { return false };
        let same = |pair: (&Dim, &Dim)| match pair {
            (Dim::Explicit { lower, upper }, Dim::Explicit { lower: low, upper: up }) => {
                let lower = match (*lower, *low) {
                    (Some(a), Some(b)) => same_expr(self.doc, a, b),
                    (None, None) => true,
                    (Some(_), None) | (None, Some(_)) => false,
                };
                lower && same_expr(self.doc, *upper, *up)
            }
            _ => false,
        };
        one.spec.base() == other.spec.base()
            && one.dims.len() == other.dims.len()
            && one.dims.iter().zip(&other.dims).all(same)
    }

    /// Whether nothing in the loop but the copy overwrites an array.
    fn is_written_by(&self, outer: &Loop, copy: &Site, symbol: SymbolId) -> bool {
        let doc = self.doc;
        let writes = |stmt: &&StmtId| match &doc.stmts[**stmt].kind {
            StmtKind::Assign { lhs, .. } => doc.refs[*lhs].base == symbol,
            StmtKind::InlinableCall(call) => {
                !call.name.starts_with("push") && names_in_statement(doc, **stmt, symbol)
            }
            // `is_closed` has let nothing else through.
            StmtKind::Comment(_)
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => false,
        };
        let blocks = self.cfg.layout[outer.head..=outer.end].iter();
        let written = blocks.map(|&at| self.stmts_of(at).iter().filter(&writes).count());
        let by_copy = self.stmts_of(copy.block).iter().filter(&writes).count();
        by_copy == 1 && written.sum::<usize>() == 1
    }

    /// Whether all that the copy reads of `next` is assigned before it in each iteration, and nothing else in
    /// the loop names it.
    fn is_renewed(
        &self,
        outer: &Loop,
        (copy, of): (&Site, &Elements),
        sites: &[Site],
        next: SymbolId,
    ) -> bool {
        let doc = self.doc;
        let naming = |site: &Site| -> Vec<StmtId> {
            let all = self.stmts_of(site.block).iter().copied();
            all.filter(|&stmt| names_in_statement(doc, stmt, next)).collect()
        };
        let assigns = |site: &Site, stmt: StmtId| {
            let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { return false };
            let own = doc.refs[lhs].base == next && !reads(doc, rhs, next);
            own && self.elements(site, lhs).is_some_and(|other| self.same(&other, of))
        };
        let (mut assigned, mut copied) = (false, false);
        for site in sites {
            for stmt in naming(site) {
                let is_copy = site.block == copy.block && !copied && assigned;
                if assigns(site, stmt) && !copied {
                    assigned = true;
                } else if is_copy && matches!(doc.stmts[stmt].kind, StmtKind::Assign { .. }) {
                    copied = true;
                } else {
                    return false;
                }
            }
        }
        let elsewhere = self.cfg.layout[outer.head..=outer.end]
            .iter()
            .filter(|&&vertex| !sites.iter().any(|site| site.block == vertex));
        copied && elsewhere.into_iter().all(|&vertex| !self.names(vertex, next))
    }

    fn stmts_of(&self, vertex: VertexId) -> &[StmtId] {
        self.cfg.vertices[vertex].kind.stmts()
    }

    /// Whether a vertex names a variable.
    fn names(&self, vertex: VertexId, symbol: SymbolId) -> bool {
        let doc = self.doc;
        match &self.cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => {
                stmts.iter().any(|&stmt| names_in_statement(doc, stmt, symbol))
            }
            VertexKind::Branch { condition, .. } => {
                condition.iter().any(|&condition| reads(doc, condition, symbol))
            }
            VertexKind::ForLoop { init, condition, update, .. } => {
                reads(doc, *condition, symbol)
                    || [*init, *update].iter().any(|&stmt| names_in_statement(doc, stmt, symbol))
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Label { .. } => false,
            // Not looked into.
            VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::Goto(_) => true,
        }
    }
}

/// Whether the name of the intrinsic subroutine means something else in the program.
fn means_something_else(doc: &Document) -> bool {
    doc.symbols.values().filter_map(|symbol| symbol.decl.as_deref()).any(|decl| {
        let intrinsic = match &decl.role {
            Role::Procedure(info) => info.class == ProcClass::Intrinsic,
            _ => false,
        };
        decl.name.eq_ignore_ascii_case(MOVE) && !intrinsic
    })
}

/// Whether expressions call nothing that the program defines.
pub(crate) fn is_pure(doc: &Document, exprs: impl IntoIterator<Item = ExprId>) -> bool {
    nodes_of(doc, exprs)
        .into_iter()
        .all(|node| !matches!(doc.exprs[node].kind, ExprKind::Call(_) | ExprKind::Opaque(_)))
}
