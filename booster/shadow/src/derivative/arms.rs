//! The arms of SELECT TYPE and SELECT RANK: inside an arm the selector has a narrower type or a
//! rank, and so must its derivative have. Each arm becomes
//!
//! ```fortran
//! type is (t)
//!   select type (vd)
//!   type is (t)
//!     …
//!   end select
//! ```
//!
//! (`select type (ld => vd)` in `select type (l => v)`) since the derivative has the dynamic type and rank of its original.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Body, BranchForm, Cfg, Edge, ExprId, ExprKind, Guard, Jump, Place, ProcId, Role, Scope,
    ScopeId, ScopeKind, Symbol, SymbolId, Vertex, VertexId, VertexKind,
};

use super::Direction;
use super::dispatch::add;
use super::names;
use super::units::{Maker, Outer};
use booster_build::stop_marker;
use booster_build::{Copied, copy_decl, integer, value_of};

/// One arm.
pub(super) struct Arm {
    branch: VertexId,
    first: VertexId,
    /// The end of the construct.
    end: VertexId,
    /// The vertices of the arm, in the order of the layout.
    range: Vec<VertexId>,
}

impl Maker<'_> {
    /// The scopes of the arms of a procedure's SELECT TYPE and SELECT RANK constructs. An arm that stops the
    /// program may do without one.
    pub(super) fn arm_scopes(&self, proc: ProcId) -> HashSet<ScopeId> {
        let Body::Flow(cfg) = &self.doc.procs[proc].body else { return HashSet::new() };
        let own = self.doc.procs[proc].scope;
        let edges = cfg.edges.values().filter(|edge| edge.guard.is_some());
        edges
            .filter_map(|edge| {
                match (&cfg.vertices[edge.source].kind, &cfg.vertices[edge.target].kind) {
                    (
                        VertexKind::Branch {
                            form: BranchForm::SelectType | BranchForm::SelectRank,
                            ..
                        },
                        VertexKind::BasicBlock { scope, .. },
                    ) => Some(*scope),
                    _ => None,
                }
            })
            .filter(|&scope| scope != own)
            .collect()
    }

    /// Opens the arms of `new` whose selectors have derivatives. `own`: the scopes of its original, `within`
    /// those of ASSOCIATE inside of arms, whose derivatives are declared as the arms are open.
    pub(super) fn arms(
        &mut self,
        new: ProcId,
        (own, mut within): (&[ScopeId], Vec<ScopeId>),
        copied: &Copied,
        outer: &Outer,
    ) {
        let Body::Flow(mut cfg) = std::mem::replace(&mut self.doc.procs[new].body, Body::Interface)
        else {
            return;
        };
        let mut names: HashMap<ScopeId, SymbolId> = HashMap::new();
        for &old in own.iter().filter(|&&old| self.doc.scopes[old].kind == ScopeKind::Associate) {
            let symbols = self.doc.scopes[old].symbols.iter().copied();
            let mut active = symbols.filter(|symbol| self.plan.variables.contains(symbol));
            if let Some(symbol) = active.next() {
                names.insert(copied.copier.scope(old), copied.copier.symbol(symbol));
            }
        }
        // Outer constructs first: an inner selector may be the name of an outer arm.
        for branch in cfg.layout.clone() {
            let VertexKind::Branch { condition: Some(selector), form, .. } =
                cfg.vertices[branch].kind
            else {
                continue;
            };
            if !matches!(form, BranchForm::SelectType | BranchForm::SelectRank) {
                continue;
            }
            let arms = arms_of(&cfg, branch);
            let around = self.scopes_around(&cfg, &arms);
            let (now, later): (Vec<ScopeId>, Vec<ScopeId>) =
                within.into_iter().partition(|&old| around.contains(&copied.copier.scope(old)));
            within = later;
            for old in now {
                self.declare(old, copied.copier.scope(old), copied, outer);
            }
            for arm in arms {
                self.arm(&mut cfg, &arm, selector, &names, outer);
            }
        }
        for old in within {
            self.declare(old, copied.copier.scope(old), copied, outer);
        }
        self.doc.procs[new].body = Body::Flow(cfg);
    }

    /// The scopes that a construct with these arms stands in.
    fn scopes_around(&self, cfg: &Cfg, arms: &[Arm]) -> HashSet<ScopeId> {
        let parent = |&scope: &ScopeId| self.doc.scopes[scope].parent;
        let scopes = arms.iter().filter_map(|arm| match cfg.vertices[arm.first].kind {
            VertexKind::BasicBlock { scope, .. } => Some(scope),
            _ => None,
        });
        scopes.flat_map(|scope| std::iter::successors(Some(scope), parent)).collect()
    }

    pub(super) fn arm(
        &mut self,
        cfg: &mut Cfg,
        arm: &Arm,
        selector: ExprId,
        names: &HashMap<ScopeId, SymbolId>,
        outer: &Outer,
    ) {
        let VertexKind::BasicBlock { scope, .. } = cfg.vertices[arm.first].kind else { return };
        let Some(&primal) = names.get(&scope) else { return };
        let ExprKind::Ref(reference) = self.doc.exprs[selector].kind else { return };
        let out = std::mem::take(&mut self.out);
        let derived = out.reference(self.doc, reference, Direction::All);
        let nameable = out.takes_all(self.doc, reference);
        self.out = out;
        let Some(derived) = derived else { return };
        if !nameable {
            let message = "what is selected has no derivative in several directions at once";
            let spot = self.doc.spot(self.doc.exprs[selector].place);
            self.problems.push(
                Diagnostic::error(Code::SEVERAL_DIRECTIONS, spot, message)
                    .with_help("compute one direction at a time, or select a variable"),
            );
            return;
        }
        let Some((condition, guard)) = self.guard(cfg, arm) else { return };
        // `select type (v)`: its derivative keeps its name, too.
        let own = self.doc.refs[reference].base;
        let renamed = self.doc.symbols[own].id != self.doc.symbols[primal].id;
        let inner = self.narrowed((primal, renamed), scope, derived, outer);
        let place = cfg.vertices[arm.first].place;
        let form = match cfg.vertices[arm.branch].kind {
            VertexKind::Branch { form, .. } => form,
            _ => return,
        };
        let selector = value_of(self.doc, derived);
        let block = |scope| VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let mut push = |kind| cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        let before = push(block(scope));
        let head = push(VertexKind::Branch { condition: Some(selector), form, name: None });
        let end = push(VertexKind::EndBranch);
        let after = push(block(scope));
        self.rescope(cfg, arm, scope, inner);
        let inside: HashSet<VertexId> = arm.range.iter().copied().collect();
        for edge in cfg.edges.values_mut() {
            let jump = matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(_));
            if edge.source == arm.branch && edge.target == arm.first {
                edge.target = before;
            } else if edge.target == arm.end && inside.contains(&edge.source) && !jump {
                edge.target = end;
            }
        }
        cfg.connect(before, head);
        let default = condition.is_none();
        cfg.edges.push(Edge { source: head, target: arm.first, condition, guard: Some(guard) });
        let others = if default { Vec::new() } else { self.other_type(cfg, head, inner, place) };
        cfg.connect(end, after);
        cfg.connect(after, arm.end);
        let position = |vertex: Option<&VertexId>| {
            vertex.and_then(|v| cfg.layout.iter().position(|other| other == v))
        };
        if let Some((first, last)) = position(arm.range.first()).zip(position(arm.range.last())) {
            cfg.layout.splice(last + 1..last + 1, others.into_iter().chain([end, after]));
            cfg.layout.splice(first..first, [before, head]);
        }
    }

    /// A derivative of another type or rank than its original would go unnoticed: it stops the
    /// program.
    fn other_type(
        &mut self,
        cfg: &mut Cfg,
        head: VertexId,
        scope: ScopeId,
        place: Place,
    ) -> Vec<VertexId> {
        let exit = cfg.vertices.iter().find(|(_, one)| matches!(one.kind, VertexKind::Exit));
        let Some(exit) = exit.map(|(id, _)| id) else { return Vec::new() };
        let block = VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let other = cfg.vertices.push(Vertex { kind: block, place, id: None, recorded: None });
        let stop = VertexKind::Goto(Jump::Stop);
        let stop = cfg.vertices.push(Vertex { kind: stop, place, id: None, recorded: None });
        let guard = Some(Box::new(Guard::Default));
        cfg.edges.push(Edge { source: head, target: other, condition: None, guard });
        cfg.connect(other, stop);
        cfg.connect(stop, exit);
        cfg.structured = Some(false);
        let message = stop_marker("error stop 'a derivative of another type'");
        add(self.doc, cfg, other, message, place);
        vec![other, stop]
    }

    /// The guard of the inner construct and the condition value of its edge.
    fn guard(&mut self, cfg: &Cfg, arm: &Arm) -> Option<(Option<i64>, Box<Guard>)> {
        let mut edges =
            cfg.edges.values().filter(|edge| edge.source == arm.branch && edge.target == arm.first);
        let guard = edges.find_map(|edge| edge.guard.as_deref())?.clone();
        let copier = booster_build::Copier::new();
        let guard = match guard {
            Guard::TypeIs(mut spec) => {
                copier.spec(self.doc, &mut spec);
                Guard::TypeIs(spec)
            }
            Guard::ClassIs(mut spec) => {
                copier.spec(self.doc, &mut spec);
                Guard::ClassIs(spec)
            }
            Guard::Rank(rank) => Guard::Rank(self.led_rank(rank)?),
            Guard::Default => return Some((None, Box::new(Guard::Default))),
            Guard::RankStar => Guard::RankStar,
            Guard::Case(_) => return None,
        };
        Some((Some(1), Box::new(guard)))
    }

    /// The rank of the derivative: one more with several directions.
    fn led_rank(&mut self, rank: ExprId) -> Option<ExprId> {
        if self.out.directions.is_none() {
            return Some(booster_build::Copier::new().expr(self.doc, rank));
        }
        let place = self.doc.exprs[rank].place;
        let ExprKind::Constant(constant) = &self.doc.exprs[rank].kind else { return None };
        let number: i64 = constant.text.parse().ok()?;
        Some(integer(self.doc, number + 1, place))
    }

    /// The scope of an inner arm, with the narrowed derivative. Where the construct gives its selector
    /// another name (`renamed`), other constructs within may narrow the selector once more, and so the
    /// derivative has a name of its own.
    fn narrowed(
        &mut self,
        (primal, renamed): (SymbolId, bool),
        scope: ScopeId,
        derived: xaif_schema::model::RefId,
        outer: &Outer,
    ) -> ScopeId {
        let place = self.doc.scopes[scope].place;
        let inner = self.doc.scopes.push(Scope::new(Some(scope), ScopeKind::Associate, place));
        let old = self.doc.symbols[primal].clone();
        let base = self.doc.refs[derived].base;
        let whole = self.doc.refs[derived].parts.is_empty();
        let name = if whole && !renamed {
            self.doc.name(base).to_owned()
        } else {
            let wish = names::derived(self.doc.name(primal), &self.naming.variable);
            let above = self.names_above(inner);
            names::fresh(&wish, |name| outer.contains(name) || above.contains_key(name))
        };
        let decl = old.decl.as_deref().cloned().map(|mut decl| {
            copy_decl(self.doc, &mut decl, &Copied::default());
            decl.name = name.clone();
            decl.role = Role::Associate { selector: None };
            Box::new(decl)
        });
        let led = u8::from(self.out.directions.is_some());
        let derivative = self.doc.add_symbol(Symbol {
            id: name.to_ascii_lowercase(),
            scope: inner,
            rank: old.rank.map(|rank| rank.saturating_add(led)),
            active: Some(false),
            temp: Some(true),
            decl,
            ..old
        });
        self.primals.insert(derivative, primal);
        self.out.variables.insert(primal, derivative);
        inner
    }

    /// The blocks of the arm belong to the inner arm now.
    fn rescope(&mut self, cfg: &mut Cfg, arm: &Arm, old: ScopeId, new: ScopeId) {
        for &vertex in &arm.range {
            if let VertexKind::BasicBlock { scope, .. } = &mut cfg.vertices[vertex].kind
                && *scope == old
            {
                *scope = new;
            }
        }
        self.doc.move_scopes(old, new);
    }
}

/// The arms of a SELECT, in the order of the text.
pub(super) fn arms_of(cfg: &Cfg, branch: VertexId) -> Vec<Arm> {
    let Some(start) = cfg.layout.iter().position(|&vertex| vertex == branch) else {
        return Vec::new();
    };
    let mut depth = 0_usize;
    let mut end = None;
    for (at, &vertex) in cfg.layout.iter().enumerate().skip(start) {
        match &cfg.vertices[vertex].kind {
            VertexKind::Branch { form, .. } if form.has_end() => depth += 1,
            VertexKind::EndBranch => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            end = Some(at);
            break;
        }
    }
    let Some(end_at) = end else { return Vec::new() };
    let targets: HashSet<VertexId> = cfg
        .edges
        .values()
        .filter(|edge| edge.source == branch && edge.guard.is_some())
        .map(|edge| edge.target)
        .collect();
    let mut arms: Vec<Arm> = Vec::new();
    for &vertex in cfg.layout.get(start + 1..end_at).into_iter().flatten() {
        if targets.contains(&vertex) {
            let end = cfg.layout[end_at];
            arms.push(Arm { branch, first: vertex, end, range: Vec::new() });
        }
        if let Some(arm) = arms.last_mut() {
            arm.range.push(vertex);
        }
    }
    arms
}
