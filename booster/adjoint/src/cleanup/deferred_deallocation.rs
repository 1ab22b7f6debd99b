//! Leaves out DEALLOCATE of local variables that nobody names behind it.
//!
//! `allocate(work(n)); …; deallocate(work)`: the program would release `work` at its end anyway, and the
//! backward sweep, which may need it, begins there. So where one procedure has both sweeps, `work`
//! stays: nothing of it is recorded, and pointers to it stay right.
//!
//! Left as they are: what is named again on some way from there (a loop that allocates it again,
//! `allocated(work)`), DEALLOCATE with STAT=, structures, variables that internal procedures
//! name or that outlive the procedure. What is allocated for a local Jacobian and released behind it has a mirror
//! of its own (`jacobian`).

use std::collections::{BTreeSet, HashMap};

use xaif_schema::model::{
    Attr, Base, Body, Document, Expr, ExprKind, Nest, ProcId, Release, Stmt, StmtId, StmtKind,
    SymbolId, VertexKind,
};

use booster_build::{mentions, mentions_of_declarations, mentions_of_step};
use booster_facts::Procedures;
use booster_flow::{Analysis, Direction, Flow, Step, solve, steps_of_vertex};

/// Lets what `procs` allocate for themselves live until their ends, where they release it and do not
/// name it again.
pub(crate) fn keep_until_the_end(doc: &mut Document, procs: &[ProcId]) {
    let is_release = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Release(_));
    // Text that is not understood may ask for allocation.
    let is_text = |expr: &Expr| matches!(expr.kind, ExprKind::Opaque(_));
    if !doc.stmts.values().any(is_release) || doc.exprs.values().any(is_text) {
        return;
    }
    let procedures = Procedures::new(doc);
    let tree = doc.nest();
    for &proc in procs {
        let own = candidates(doc, &procedures, &tree, proc);
        if own.is_empty() {
            continue;
        }
        let kept = last_releases(doc, proc, &own);
        leave_out(doc, proc, &kept);
    }
}

/// Local allocatable variables of numbers that are named in statements of this procedure alone.
fn candidates(
    doc: &Document,
    procedures: &Procedures,
    tree: &Nest,
    proc: ProcId,
) -> BTreeSet<SymbolId> {
    let is_local = |symbol: &SymbolId| {
        let Some(decl) = doc.symbols[*symbol].decl.as_deref() else { return false };
        let base = decl.spec.base();
        let is_number = matches!(base, Base::Real(_) | Base::Integer(_) | Base::Complex(_));
        (is_number || matches!(base, Base::Logical(_)))
            && decl.has(Attr::Allocatable)
            && procedures.dummy_of(*symbol).is_none()
            && !procedures.is_static(*symbol)
            && doc.procs[proc].result != Some(*symbol)
    };
    let scope = doc.procs[proc].scope;
    let mut own: BTreeSet<SymbolId> =
        doc.scopes[scope].symbols.iter().copied().filter(is_local).collect();
    if own.is_empty() {
        return own;
    }
    let inner = tree.inside(scope).into_iter().skip(1);
    let inner = inner.filter(|&inner| tree.procedure(inner).is_some());
    let inside = inner.flat_map(|inner| mentions(doc, tree, inner, |_| false));
    for mention in inside.chain(mentions_of_declarations(doc, tree, scope)) {
        own.remove(&mention.symbol);
    }
    own
}

/// The symbols that are named on some way to the end.
struct Named<'d> {
    doc: &'d Document,
    own: &'d BTreeSet<SymbolId>,
}

impl Analysis for Named<'_> {
    type Domain = BTreeSet<SymbolId>;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> Self::Domain {
        BTreeSet::new()
    }

    fn boundary(&self) -> Self::Domain {
        BTreeSet::new()
    }

    fn join(&self, state: &mut Self::Domain, other: &Self::Domain) -> bool {
        let before = state.len();
        state.extend(other);
        state.len() > before
    }

    fn transfer(&self, step: Step<'_>, state: &mut Self::Domain) {
        // What is not understood may name anything.
        if let Step::Stmt(stmt) = step
            && let StmtKind::Marker(marker) = &self.doc.stmts[stmt].kind
            && marker.pessimistic
        {
            state.extend(self.own);
        }
        let found = mentions_of_step(self.doc, step).into_iter().map(|mention| mention.symbol);
        state.extend(found.filter(|symbol| self.own.contains(symbol)));
    }
}

/// What each DEALLOCATE releases that is not named behind it.
fn last_releases(
    doc: &Document,
    proc: ProcId,
    own: &BTreeSet<SymbolId>,
) -> HashMap<StmtId, BTreeSet<SymbolId>> {
    let mut found: HashMap<StmtId, BTreeSet<SymbolId>> = HashMap::new();
    let Body::Flow(cfg) = &doc.procs[proc].body else { return found };
    let named = Named { doc, own };
    let flow = Flow::new(cfg);
    let solution = solve(&flow, &named);
    for &vertex in flow.order() {
        let mut state = solution.after(vertex).clone();
        for step in steps_of_vertex(cfg, vertex).into_iter().rev() {
            if let Step::Stmt(stmt) = step
                && let StmtKind::Release(release) = &doc.stmts[stmt].kind
                && doc.stmts[stmt].local_jacobian.is_none()
            {
                let last = released(doc, release).filter(|s| own.contains(s) && !state.contains(s));
                found.entry(stmt).or_default().extend(last);
            }
            named.transfer(step, &mut state);
        }
    }
    found.retain(|_, symbols| !symbols.is_empty());
    found
}

/// The whole variables that a DEALLOCATE releases.
fn released(doc: &Document, release: &Release) -> impl Iterator<Item = SymbolId> {
    let plain = !release.nullify && release.stat.is_none() && release.errmsg.is_none();
    let objects = release.objects.iter().filter(move |_| plain).map(|&object| &doc.refs[object]);
    objects.filter(|object| object.parts.is_empty()).map(|object| object.base)
}

/// Takes the variables out of the statements.
fn leave_out(doc: &mut Document, proc: ProcId, kept: &HashMap<StmtId, BTreeSet<SymbolId>>) {
    for (&stmt, symbols) in kept {
        let StmtKind::Release(release) = &doc.stmts[stmt].kind else { continue };
        let mut release = release.clone();
        release.objects.retain(|&object| !symbols.contains(&doc.refs[object].base));
        doc.stmts[stmt].kind = StmtKind::Release(release);
    }
    let is_empty = |doc: &Document, stmt: StmtId| match &doc.stmts[stmt].kind {
        StmtKind::Release(release) => release.objects.is_empty(),
        _ => false,
    };
    let empty: BTreeSet<StmtId> = kept.keys().copied().filter(|&s| is_empty(doc, s)).collect();
    if let Body::Flow(cfg) = &mut doc.procs[proc].body {
        for vertex in cfg.vertices.values_mut() {
            if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
                stmts.retain(|stmt| !empty.contains(stmt));
            }
        }
    }
}
