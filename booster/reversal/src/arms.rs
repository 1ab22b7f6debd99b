//! SELECT TYPE and SELECT RANK in the backward sweep: what stands in an arm is written inside the same
//! arm of a construct with the same selector.
//!
//! The dynamic type of a selector is in the backward sweep what it was, since allocation and
//! association are restored; what could change it within the construct is refused. An arm that
//! control leaves by a jump is no arm of the backward sweep: there each of its blocks and constructs
//! stands in an arm of its own.
//!
//! Where a derivative has a narrower type, too ([`Narrowed`]), it is so in the backward sweep alone.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    BranchForm, Cfg, Document, Edge, ExprId, ExprKind, Guard, Part, ScopeId, ScopeKind, StmtId,
    StmtKind, SymbolId, VertexId, VertexKind,
};

use booster_build::stop_marker;
use booster_build::{Copier, Emitter};

/// What is narrowed within an arm besides its selector.
#[derive(Clone, Debug)]
pub struct Narrowed {
    /// The selector of the inner construct.
    pub selector: ExprId,
    /// The guard of its arm.
    pub guard: Guard,
    /// The scope of that arm.
    pub scope: ScopeId,
}

/// An arm.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    form: BranchForm,
    pub(super) selector: ExprId,
    guard: Guard,
}

fn is_by_type(form: BranchForm) -> bool {
    matches!(form, BranchForm::SelectType | BranchForm::SelectRank)
}

/// The arms of a body by their scopes.
pub(super) fn arms(doc: &Document, cfg: &Cfg) -> HashMap<ScopeId, Arm> {
    let mut found = HashMap::new();
    for edge in cfg.edges.values() {
        if let (
            VertexKind::Branch { condition: Some(selector), form, .. },
            VertexKind::BasicBlock { scope, .. },
            Some(guard),
        ) = (&cfg.vertices[edge.source].kind, &cfg.vertices[edge.target].kind, &edge.guard)
            && is_by_type(*form)
            && doc.scopes[*scope].kind == ScopeKind::Associate
        {
            let guard = (**guard).clone();
            found.insert(*scope, Arm { form: *form, selector: *selector, guard });
        }
    }
    found
}

/// Refuses selectors that cannot be named once more, or whose type may change within the construct.
pub(super) fn refuse(doc: &Document, cfg: &Cfg, head: VertexId) -> Result<(), Diagnostic> {
    let VertexKind::Branch { condition: Some(selector), form, .. } = cfg.vertices[head].kind else {
        return Ok(());
    };
    if !is_by_type(form) {
        return Ok(());
    }
    let refused = |message: &str, help: &str| {
        let spot = doc.spot(cfg.vertices[head].place);
        Err(Diagnostic::error(Code::REVERSED_SELECT, spot, message).with_help(help))
    };
    let ExprKind::Ref(reference) = doc.exprs[selector].kind else {
        return refused(
            "a SELECT TYPE of an expression cannot be reversed",
            "assign the expression to a variable",
        );
    };
    let reference = &doc.refs[reference];
    let components = reference.parts.iter().filter_map(|part| match part {
        Part::Component { symbol, .. } => *symbol,
        _ => None,
    });
    let way: HashSet<SymbolId> = std::iter::once(reference.base).chain(components).collect();
    let changes = |object| doc.refs[object].entity().is_some_and(|symbol| way.contains(&symbol));
    for &vertex in inside(cfg, head) {
        let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else { continue };
        let anew = stmts.iter().any(|&stmt: &StmtId| match &doc.stmts[stmt].kind {
            StmtKind::PointerAssign { lhs, .. } => changes(*lhs),
            StmtKind::Allocate(allocate) => allocate.objects.iter().any(|&one| changes(one)),
            StmtKind::Release(release) => release.objects.iter().any(|&one| changes(one)),
            StmtKind::Call(call) => {
                doc.moved(call).is_some_and(|(from, to)| changes(from) || changes(to))
            }
            StmtKind::Assign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        });
        if anew {
            return refused(
                "a SELECT TYPE or SELECT RANK whose selector changes its type within cannot be reversed",
                "allocate or associate the selector outside of the construct",
            );
        }
    }
    Ok(())
}

/// The vertices between a branch and its end.
fn inside(cfg: &Cfg, head: VertexId) -> &[VertexId] {
    let Some(first) = cfg.layout.iter().position(|&vertex| vertex == head) else { return &[] };
    let mut depth = 0_usize;
    for (at, &vertex) in cfg.layout.iter().enumerate().skip(first) {
        match &cfg.vertices[vertex].kind {
            VertexKind::Branch { form, .. } if form.has_end() => depth += 1,
            VertexKind::EndBranch => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return cfg.layout.get(first..at).unwrap_or(&[]);
        }
    }
    &[]
}

/// Takes the inner constructs whose selectors `is_inner` out of a body; what they narrow, by the
/// scopes of the arms that they stand in.
pub fn take_out_narrowing(
    doc: &Document,
    cfg: &mut Cfg,
    is_inner: impl Fn(&Document, ExprId) -> bool,
) -> HashMap<ScopeId, Narrowed> {
    let mut found = HashMap::new();
    let mut gone: HashSet<VertexId> = HashSet::new();
    let mut leads: HashMap<VertexId, VertexId> = HashMap::new();
    for &head in &cfg.layout {
        let VertexKind::Branch { condition: Some(selector), form, .. } = cfg.vertices[head].kind
        else {
            continue;
        };
        if !is_by_type(form) || !is_inner(doc, selector) {
            continue;
        }
        let within = inside(cfg, head);
        let position = cfg.layout.iter().position(|&vertex| vertex == head);
        let end = position.and_then(|at| cfg.layout.get(at + within.len()).copied());
        let before = cfg.edges.values().find(|edge| edge.target == head).map(|edge| edge.source);
        let (Some(end), Some(before)) = (end, before) else { continue };
        let VertexKind::BasicBlock { scope: around, .. } = cfg.vertices[before].kind else {
            continue;
        };
        // The first arm is that of the program, the other stops it.
        let arms = cfg.edges.values().filter(|edge| edge.source == head);
        let mut arms = arms.filter_map(|edge| Some((edge.guard.as_deref()?.clone(), edge.target)));
        let Some((guard, first)) = arms.next() else { continue };
        let VertexKind::BasicBlock { scope, .. } = cfg.vertices[first].kind else { continue };
        if let Some((_, other)) = arms.next() {
            gone.insert(other);
            let next = cfg.edges.values().filter(|edge| edge.source == other);
            gone.extend(next.map(|edge| edge.target));
        }
        let behind = cfg.edges.values().find(|edge| edge.source == end).map(|edge| edge.target);
        let Some(behind) = behind else { continue };
        gone.extend([head, end]);
        leads.extend([(head, first), (end, behind)]);
        found.insert(around, Narrowed { selector, guard, scope });
    }
    if found.is_empty() {
        return found;
    }
    let old = std::mem::take(cfg);
    let mut map: HashMap<VertexId, VertexId> = HashMap::new();
    for (vertex, data) in old.vertices {
        if !gone.contains(&vertex) {
            map.insert(vertex, cfg.vertices.push(data));
        }
    }
    for edge in old.edges.values() {
        let mut to = edge.target;
        while let Some(&next) = leads.get(&to) {
            to = next;
        }
        if let (Some(&source), Some(&target)) = (map.get(&edge.source), map.get(&to)) {
            cfg.edges.push(Edge { source, target, ..edge.clone() });
        }
    }
    cfg.layout = old.layout.iter().filter_map(|vertex| map.get(vertex).copied()).collect();
    cfg.structured = old.structured;
    found
}

/// Arms that are open in the backward sweep.
#[derive(Debug, Default)]
pub(super) struct Opened {
    pub(super) arms: HashMap<ScopeId, Arm>,
    pub(super) narrowed: HashMap<ScopeId, Narrowed>,
    pub(super) open: Vec<ScopeId>,
}

impl Opened {
    /// The arms around `scope` that are not open yet, those around others first.
    pub(super) fn missing(&self, doc: &Document, scope: ScopeId) -> Vec<ScopeId> {
        let around = std::iter::successors(Some(scope), |&at| doc.scopes[at].parent);
        let closed = |at: &ScopeId| self.arms.contains_key(at) && !self.open.contains(at);
        let mut missing: Vec<ScopeId> = around.filter(closed).collect();
        missing.reverse();
        missing
    }

    /// `select type (selector)` and the arm with `scope`.
    pub(super) fn select(&mut self, e: &mut Emitter<'_>, scope: ScopeId) {
        let Some(Arm { form, selector, .. }) = self.arms.get(&scope).cloned() else { return };
        let selector = Copier::new().expr(e.doc, selector);
        e.open_select(selector, form, e.place());
        self.arm(e, scope);
    }

    /// The arm with `scope` of the innermost construct.
    pub(super) fn arm(&mut self, e: &mut Emitter<'_>, scope: ScopeId) {
        let Some(Arm { form, guard, .. }) = self.arms.get(&scope).cloned() else { return };
        e.scope = scope;
        let guard = super::backward::copied(e.doc, &guard);
        e.open_case(guard);
        self.open.push(scope);
        let Some(Narrowed { selector, guard, scope }) = self.narrowed.get(&scope).cloned() else {
            return;
        };
        let selector = Copier::new().expr(e.doc, selector);
        e.open_select(selector, form, e.place());
        e.scope = scope;
        let guard = super::backward::copied(e.doc, &guard);
        e.open_case(guard);
    }

    /// The end of the arm with `scope`.
    pub(super) fn end_arm(&mut self, e: &mut Emitter<'_>, scope: ScopeId) {
        self.open.retain(|&open| open != scope);
        let Some(narrowed) = self.narrowed.get(&scope) else { return };
        if narrowed.guard != Guard::Default {
            e.open_case(Guard::Default);
            e.stmt(stop_marker("error stop 'a derivative of another type'"), e.place());
        }
        e.scope = scope;
        e.close_select();
    }

    /// The end of an arm and of its construct; `outer`: the scope around.
    pub(super) fn end_select(&mut self, e: &mut Emitter<'_>, scope: ScopeId, outer: ScopeId) {
        self.end_arm(e, scope);
        e.scope = outer;
        e.close_select();
    }
}
