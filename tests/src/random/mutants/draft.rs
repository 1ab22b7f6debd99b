//! A document that a change is applied to: places, drawn at random, and what changes share.

use std::convert::Infallible;

use xaif_booster::build::{Emitter, nodes_of, rewrite_blocks, statement};
use xaif_schema::model::{
    ArgValue, Attr, Base, Body, Document, ExprId, ExprKind, Place, ProcId, RefId, Role, ScopeId,
    StmtId, StmtKind, SymbolId, VertexKind, WhereArm,
};

use super::declare::{extents, is_listed};

/// A document, and what draws places in it.
pub(crate) struct Draft<'a> {
    /// The document.
    pub(super) doc: &'a mut Document,
    /// What draws.
    pub(super) rng: &'a mut fastrand::Rng,
}

/// A statement of a basic block.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) proc: ProcId,
    /// The innermost scope of the block.
    pub(super) scope: ScopeId,
    pub(super) stmt: StmtId,
}

/// Statements that follow each other in a basic block.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) proc: ProcId,
    pub(super) scope: ScopeId,
    pub(super) stmts: Vec<StmtId>,
}

impl Draft<'_> {
    /// One of several things.
    pub(super) fn one<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.rng.usize(..list.len())].clone()) }
    }

    /// Where a statement stands.
    pub(super) fn place(&self, stmt: StmtId) -> Place {
        self.doc.stmts[stmt].place
    }

    /// The basic blocks of all procedures: their scopes and statements.
    fn blocks(&self) -> impl Iterator<Item = (ProcId, ScopeId, &[StmtId])> {
        self.doc.procs.iter().flat_map(|(proc, data)| {
            let vertices = match &data.body {
                Body::Flow(cfg) => Some(cfg.vertices.values()),
                Body::Interface | Body::Replacements { .. } => None,
            };
            vertices.into_iter().flatten().filter_map(move |vertex| match &vertex.kind {
                VertexKind::BasicBlock { scope, stmts } => Some((proc, *scope, &stmts[..])),
                _ => None,
            })
        })
    }

    /// The statements of blocks for which `keep` holds.
    pub(super) fn sites(&self, keep: impl Fn(&Document, &StmtKind) -> bool) -> Vec<Site> {
        let of = |(proc, scope, stmts): (_, _, &[StmtId])| -> Vec<Site> {
            stmts.iter().map(|&stmt| Site { proc, scope, stmt }).collect()
        };
        let all = self.blocks().flat_map(of);
        all.filter(|site| keep(self.doc, &self.doc.stmts[site.stmt].kind)).collect()
    }

    /// An assignment of numbers.
    pub(super) fn assignment(&mut self) -> Option<(Site, RefId, ExprId)> {
        let sites = self.sites(|doc, kind| match kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                is_real(doc.refs[*lhs].ty.base) && is_real(doc.exprs[*rhs].ty.base)
            }
            _ => false,
        });
        let site = self.one(&sites)?;
        match self.doc.stmts[site.stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => Some((site, lhs, rhs)),
            _ => None,
        }
    }

    /// The nodes of right-hand sides and actual arguments for which `keep` holds.
    pub(super) fn nodes(&self, keep: impl Fn(&Document, ExprId) -> bool) -> Vec<(Site, ExprId)> {
        let mut found = Vec::new();
        for site in self.sites(|_, _| true) {
            let mut roots = Vec::new();
            values_of(self.doc, site.stmt, &mut roots);
            let nodes = nodes_of(self.doc, roots).into_iter().map(|node| (site, node));
            found.extend(nodes.filter(|(_, node)| keep(self.doc, *node)));
        }
        found
    }

    /// Scalars of a kind that are read somewhere in the procedure of a statement.
    pub(super) fn scalars(&self, site: Site, base: Base) -> Vec<RefId> {
        let here = self.nodes(|doc, node| {
            doc.exprs[node].reference().is_some_and(|own| {
                let own = &doc.refs[own];
                own.ty.base == base && own.ty.rank == 0
            })
        });
        let near = here.into_iter().filter(|(other, _)| other.proc == site.proc);
        near.filter_map(|(_, node)| self.doc.exprs[node].reference()).collect()
    }

    /// Local variables that are numbers of known extents, and nothing else.
    pub(super) fn locals(&self) -> Vec<(ProcId, SymbolId)> {
        let mut found = Vec::new();
        for (proc, data) in &self.doc.procs {
            if !matches!(data.body, Body::Flow(_)) {
                continue;
            }
            let own = self.doc.scopes[data.scope].symbols.iter();
            let own = own.filter(|&&symbol| self.is_plain_local(proc, symbol));
            found.extend(own.map(|&symbol| (proc, symbol)));
        }
        found
    }

    fn is_plain_local(&self, proc: ProcId, symbol: SymbolId) -> bool {
        let data = &self.doc.procs[proc];
        let Some(decl) = self.doc.symbols[symbol].decl.as_deref() else { return false };
        let is_argument = data.args.iter().any(|arg| arg.symbol == Some(symbol))
            || data.result == Some(symbol)
            || data.symbol == symbol;
        matches!(decl.role, Role::Variable)
            && is_real(decl.spec.base())
            && !is_argument
            && !self.is_of_entry(proc, symbol)
            && decl.init.is_none()
            && decl.common.is_none()
            && decl.attrs.iter().all(|attr| *attr == Attr::Target)
            && !is_listed(self.doc, data.scope, symbol)
            && extents(self.doc, symbol).is_some()
    }

    fn is_of_entry(&self, proc: ProcId, symbol: SymbolId) -> bool {
        let Body::Flow(cfg) = &self.doc.procs[proc].body else { return false };
        cfg.vertices.values().any(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(entry)) => {
                entry.result == Some(symbol)
                    || entry.args.iter().any(|arg| arg.symbol == Some(symbol))
            }
            _ => false,
        })
    }

    /// Whether a procedure promises to have no side effects.
    pub(super) fn is_pure(&self, proc: ProcId) -> bool {
        let symbol = &self.doc.symbols[self.doc.procs[proc].symbol];
        symbol.has(Attr::Pure) || symbol.has(Attr::Elemental) && !symbol.has(Attr::Impure)
    }

    /// Up to four statements in a row that change numbers and open or close nothing.
    pub(super) fn run(&mut self) -> Option<Run> {
        let mut found = Vec::new();
        for (proc, scope, stmts) in self.blocks() {
            for (first, _) in stmts.iter().enumerate() {
                let rest = &stmts[first..];
                let count = rest.iter().take_while(|&&stmt| is_movable(self.doc, stmt)).count();
                let longest = (1..=count.min(4)).rev().take(2);
                found.extend(longest.map(|count| Run {
                    proc,
                    scope,
                    stmts: rest[..count].to_vec(),
                }));
            }
        }
        let run = self.one(&found)?;
        let moves = run.stmts.iter().any(|&stmt| !is_comment(self.doc, stmt));
        moves.then_some(run)
    }

    /// Puts something in the place of statements in a row.
    pub(super) fn replace(&mut self, run: &Run, mut emit: impl FnMut(&mut Emitter<'_>, &[StmtId])) {
        let stmts = &run.stmts;
        let done = rewrite_blocks(self.doc, run.proc, |emitter, stmt| {
            if stmts.first() == Some(&stmt) {
                emit(emitter, stmts);
            } else if !stmts.contains(&stmt) {
                emitter.push(stmt);
            }
            Ok::<(), Infallible>(())
        });
        match done {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }

    /// Adds statements before one.
    pub(super) fn before(&mut self, site: Site, kinds: Vec<StmtKind>) {
        let place = self.place(site.stmt);
        let mut new: Vec<StmtId> =
            kinds.into_iter().map(|kind| statement(self.doc, kind, place)).collect();
        new.push(site.stmt);
        let run = Run { proc: site.proc, scope: site.scope, stmts: vec![site.stmt] };
        self.replace(&run, |emitter, _| new.iter().for_each(|&stmt| emitter.push(stmt)));
    }
}

/// Whether it is a real number.
pub(super) fn is_real(base: Base) -> bool {
    matches!(base, Base::Real(_))
}

fn is_comment(doc: &Document, stmt: StmtId) -> bool {
    matches!(doc.stmts[stmt].kind, StmtKind::Comment(_))
}

/// Whether a statement may stand elsewhere: no jump needs it, and it opens no scope.
fn is_movable(doc: &Document, stmt: StmtId) -> bool {
    let stmt = &doc.stmts[stmt];
    let moves = match &stmt.kind {
        StmtKind::Call(call) => {
            call.args.iter().all(|arg| !matches!(arg.value, ArgValue::AlternateReturn(_)))
        }
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::Comment(_) => true,
        StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_) => false,
    };
    moves && stmt.label.is_none()
}

/// The values that a statement computes: right-hand sides and actual arguments that are no variables.
fn values_of(doc: &Document, stmt: StmtId, found: &mut Vec<ExprId>) {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { rhs, .. } => found.push(*rhs),
        StmtKind::Call(call) => found.extend(call.args.iter().filter_map(|arg| match arg.value {
            ArgValue::Expr(expr) if !matches!(doc.exprs[expr].kind, ExprKind::Ref(_)) => Some(expr),
            ArgValue::Expr(_) | ArgValue::AlternateReturn(_) => None,
        })),
        StmtKind::Where(construct) => {
            for WhereArm { body, .. } in &construct.arms {
                body.iter().for_each(|&inner| values_of(doc, inner, found));
            }
        }
        StmtKind::Forall(construct) => {
            construct.body.iter().for_each(|&inner| values_of(doc, inner, found));
        }
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => {}
    }
}
