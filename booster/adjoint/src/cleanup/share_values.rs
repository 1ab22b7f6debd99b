//! Values that the backward sweep needs more than once are computed once.
//!
//! In each block that holds statements of adjoints the values get numbers (`numbering`); assignments of other blocks
//! count where they are available (`available`). A value that stands in a variable is read from there:
//! one of the program (`cr` for `sqrt(gam*p/rho)`), a temporary of the stage, or a new one where a function, a division,
//! a power or a choice is saved. So a statement that the backward sweep executes again and its adjoint share
//! `exp(-k*t)`, and the partial derivative of a quotient or root is written with its result.
//!
//! A temporary whose statement would only copy goes, and so does one without readers. Arrays are read from where they
//! are, but no temporary is made for one. Nothing is moved across the bounds of a block.

mod available;
mod in_loops;
mod numbering;
mod rewrite;

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Body, Cfg, Document, ProcId, StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};

use super::aliasing::{Aliasing, effect};
use crate::queries::private_scalars::{has_internal_procedures, is_own_scalar};
use available::Available;
use booster_build::{has_call, mentions_of_step};
use booster_facts::loops::{loops, ranges_at};
use booster_flow::{Step, steps_of_edge, steps_of_vertex};
use numbering::Numbering;
use rewrite::{Plan, Rewriter};

/// The most searches for temporaries without readers: each may be the only reader of another one.
const ROUNDS: usize = 4;

/// Shares values in the blocks of `procs` that write `adjoints` or temporaries of the stage.
pub(crate) fn share_values(doc: &mut Document, procs: &[ProcId], adjoints: &HashSet<SymbolId>) {
    let aliasing = Aliasing::new(doc);
    for &proc in procs {
        share_in(doc, proc, &aliasing, adjoints);
    }
}

fn share_in(doc: &mut Document, proc: ProcId, aliasing: &Aliasing, adjoints: &HashSet<SymbolId>) {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return };
    let blocks = own_blocks(doc, cfg, adjoints);
    if blocks.is_empty() {
        return;
    }
    let vertices: Vec<VertexId> = blocks.iter().map(|&position| cfg.layout[position]).collect();
    let all = loops(doc, cfg);
    let ranges: Vec<_> = blocks.iter().map(|&position| ranges_at(&all, position)).collect();
    let mut available = Available::new(doc, proc, cfg, aliasing, &vertices);
    let mut mentions = Mentions::new(doc, proc, aliasing, adjoints);
    available.copy(doc);
    for (&block, around) in vertices.iter().zip(&ranges) {
        let Body::Flow(cfg) = &doc.procs[proc].body else { return };
        let stmts = cfg.vertices[block].kind.stmts().to_vec();
        let mut numbering = Numbering::new(doc, proc, aliasing, around);
        let facts = available.at(doc, block, around).into_iter();
        for fact in facts.filter(|fact| !mentions.gone.contains(&fact.stmt)) {
            numbering.begin_with(fact.lhs, fact.rhs);
        }
        let own = of_derivatives(doc, &stmts, adjoints);
        let plan = Plan::new(doc, numbering, &stmts, (&mentions, own));
        if plan.is_empty() {
            continue;
        }
        let stmts = Rewriter::new(doc, doc.procs[proc].scope, plan, &mut mentions).run(&stmts);
        set_stmts(doc, proc, block, stmts);
    }
    drop_unread(doc, proc, aliasing, adjoints);
}

/// The positions of the blocks that write adjoints or temporaries; not within DO CONCURRENT, whose iterations would
/// share a new variable.
pub(super) fn own_blocks(doc: &Document, cfg: &Cfg, adjoints: &HashSet<SymbolId>) -> Vec<usize> {
    let is_own = |&stmt: &StmtId| is_own(doc, stmt, adjoints);
    let mut found = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    for (position, &vertex) in cfg.layout.iter().enumerate() {
        match &cfg.vertices[vertex].kind {
            VertexKind::ConcurrentLoop { .. } => open.push(true),
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. } => {
                open.push(false);
            }
            VertexKind::EndLoop => {
                open.pop();
            }
            VertexKind::BasicBlock { stmts, .. } => {
                if !open.contains(&true) && stmts.iter().any(is_own) {
                    found.push(position);
                }
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    found
}

/// Whether a statement assigns to an adjoint or a temporary of the stage.
fn is_own(doc: &Document, stmt: StmtId, adjoints: &HashSet<SymbolId>) -> bool {
    match doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, .. } => {
            let symbol = doc.refs[lhs].base;
            adjoints.contains(&symbol) || is_temporary(doc, symbol, adjoints)
        }
        _ => false,
    }
}

/// The positions of the statements whose values are derivatives: what they give decides about no control flow, so it may
/// be rounded in another way.
fn of_derivatives(
    doc: &Document,
    stmts: &[StmtId],
    adjoints: &HashSet<SymbolId>,
) -> HashSet<usize> {
    let (mut found, mut derivatives) = (HashSet::new(), HashSet::new());
    for (position, &stmt) in stmts.iter().enumerate() {
        let StmtKind::Assign { lhs, .. } = doc.stmts[stmt].kind else { continue };
        let mut named = named_by(doc, stmt).into_iter();
        if named.any(|symbol| adjoints.contains(&symbol) || derivatives.contains(&symbol)) {
            found.insert(position);
            derivatives.insert(doc.refs[lhs].base);
        } else {
            derivatives.remove(&doc.refs[lhs].base);
        }
    }
    found
}

/// Whether this stage has made a variable for values between statements.
pub(super) fn is_temporary(doc: &Document, symbol: SymbolId, adjoints: &HashSet<SymbolId>) -> bool {
    let data = &doc.symbols[symbol];
    data.temp == Some(true) && data.active == Some(false) && !adjoints.contains(&symbol)
}

fn set_stmts(doc: &mut Document, proc: ProcId, block: VertexId, new: Vec<StmtId>) {
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
    if let VertexKind::BasicBlock { stmts, .. } = &mut cfg.vertices[block].kind {
        *stmts = new;
    }
}

/// How often a body names each temporary of the stage.
pub(super) struct Mentions {
    /// All mentions.
    named: HashMap<SymbolId, usize>,
    /// Temporaries that one statement assigns to.
    single: HashSet<SymbolId>,
    /// Statements that are taken out.
    gone: HashSet<StmtId>,
}

impl Mentions {
    fn new(
        doc: &Document,
        proc: ProcId,
        aliasing: &Aliasing,
        adjoints: &HashSet<SymbolId>,
    ) -> Self {
        let mut found =
            Mentions { named: HashMap::new(), single: HashSet::new(), gone: HashSet::new() };
        let mut written: HashMap<SymbolId, usize> = HashMap::new();
        let Body::Flow(cfg) = &doc.procs[proc].body else { return found };
        let at_vertices = cfg.vertices.keys().flat_map(|vertex| steps_of_vertex(cfg, vertex));
        let on_edges = cfg.edges.keys().filter_map(|edge| steps_of_edge(cfg, edge));
        for step in at_vertices.chain(on_edges) {
            for mention in mentions_of_step(doc, step) {
                *found.named.entry(mention.symbol).or_default() += 1;
                *written.entry(mention.symbol).or_default() += usize::from(mention.written);
            }
        }
        let alone = !has_internal_procedures(doc, proc);
        let is_single = |symbol: &SymbolId| {
            alone
                && is_temporary(doc, *symbol, adjoints)
                && written.get(symbol) == Some(&1)
                && is_own_scalar(doc, proc, aliasing.storage(), *symbol)
        };
        found.single = found.named.keys().copied().filter(is_single).collect();
        found
    }
}

/// Takes out assignments to temporaries that nothing reads.
fn drop_unread(
    doc: &mut Document,
    proc: ProcId,
    aliasing: &Aliasing,
    adjoints: &HashSet<SymbolId>,
) {
    for _ in 0..ROUNDS {
        let mentions = Mentions::new(doc, proc, aliasing, adjoints);
        let is_unread = |doc: &Document, stmt: StmtId| match doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                let symbol = doc.refs[lhs].base;
                mentions.single.contains(&symbol)
                    && mentions.named.get(&symbol) == Some(&1)
                    && !has_call(doc, [rhs])
                    && doc.stmts[stmt].label.is_none()
            }
            _ => false,
        };
        let Body::Flow(cfg) = &doc.procs[proc].body else { return };
        let blocks = cfg.vertices.iter().map(|(vertex, data)| (vertex, data.kind.stmts()));
        let changed: Vec<(VertexId, Vec<StmtId>)> = blocks
            .filter(|(_, stmts)| stmts.iter().any(|&stmt| is_unread(doc, stmt)))
            .map(|(vertex, stmts)| {
                (vertex, stmts.iter().copied().filter(|&stmt| !is_unread(doc, stmt)).collect())
            })
            .collect();
        if changed.is_empty() {
            return;
        }
        for (vertex, stmts) in changed {
            set_stmts(doc, proc, vertex, stmts);
        }
    }
}

/// Whether a statement is an assignment whose right-hand side may be written in another way.
fn is_rewritten(doc: &Document, stmt: StmtId) -> bool {
    use super::aliasing::Effect;
    matches!(doc.stmts[stmt].kind, StmtKind::Assign { .. })
        && matches!(effect(doc, stmt), Effect::Writes(_))
}

/// The mentions of a statement.
fn named_by(doc: &Document, stmt: StmtId) -> Vec<SymbolId> {
    mentions_of_step(doc, Step::Stmt(stmt)).into_iter().map(|mention| mention.symbol).collect()
}
