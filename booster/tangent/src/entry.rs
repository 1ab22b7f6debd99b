//! Derivatives that must be zero as a procedure or BLOCK begins.
//!
//! A derivative is written where its original is written and read where its original is read, so
//! mostly nothing is needed. What may be read before it is written (an actual argument that the
//! procedure defines, a variable that is set in one arm only) is found by liveness (a backward
//! may-analysis on the flow graph) and set to zero at the beginning; so is what comes into being
//! with the values of its type's default initialisation.
//!
//! An array is taken as written where a part of it is, and loops as having an iteration for that: its
//! elements are read where those of the original are.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Body, Cfg, Document, DummyArg, ExprId, ExprKind, Intent, ProcClass,
    ProcId, RefId, Role, ScopeId, StmtId, StmtKind, SubroutineCall, SymbolId, VertexId, VertexKind,
};

use super::body::Tangent;
use super::reads::{references, subscripts};
use booster_build::{Emitter, mentions, passed_from_above, rewrite_blocks, rewrite_entries, whole};
use booster_facts::lasting;
use booster_flow::{Analysis, Direction, Flow, Step, solve};

impl Tangent<'_> {
    /// Sets to zero at the beginning of the procedure and of each BLOCK what must be.
    pub fn zero_first(&mut self, doc: &mut Document) -> Result<(), Diagnostic> {
        let read = self.read_before_written(doc);
        let own = self.scope(doc);
        let mut inner: HashMap<ScopeId, Vec<SymbolId>> = HashMap::new();
        let mut here: Vec<SymbolId> = Vec::new();
        for symbol in self.initialised(doc) {
            let scope = doc.symbols[symbol].scope;
            if scope == own {
                here.push(symbol);
            } else {
                inner.entry(scope).or_default().push(symbol);
            }
        }
        here.extend(self.never_named(doc));
        for symbol in read.in_blocks {
            let list = inner.entry(doc.symbols[symbol].scope).or_default();
            if !list.contains(&symbol) {
                list.push(symbol);
            }
        }
        let needed = |doc: &Document, entry: VertexId| -> Vec<SymbolId> {
            let read = read.at_entries.get(&entry).into_iter().flatten().copied();
            let mut list = here.clone();
            // What a BLOCK declares is set to zero where the BLOCK begins.
            let of_procedure = |symbol: &SymbolId| doc.symbols[*symbol].scope == own;
            list.extend(read.filter(of_procedure).filter(|symbol| !here.contains(symbol)));
            list.retain(|&symbol| self.may_be_named_at(doc, entry, symbol));
            list
        };
        let entries = entries(doc, self.proc);
        let needs: HashMap<VertexId, Vec<SymbolId>> =
            entries.iter().map(|&entry| (entry, needed(doc, entry))).collect();
        if needs.values().any(|list| !list.is_empty()) {
            self.entered_by_itself(doc, &needs)?;
            rewrite_entries(doc, self.proc, |e, entry| {
                self.zero_all(e, needs.get(&entry).map_or(&[], Vec::as_slice))
            })?;
        }
        if inner.is_empty() {
            return Ok(());
        }
        rewrite_blocks(doc, self.proc, |e, stmt| {
            e.push(stmt);
            match &e.doc.stmts[stmt].kind {
                StmtKind::OpenScope(open) => match inner.get(&open.scope) {
                    Some(list) => self.zero_all(e, list),
                    None => Ok(()),
                },
                _ => Ok(()),
            }
        })
    }

    /// Sets to zero the derivative of a lasting scalar where a passive value is assigned to the scalar and its derivative is
    /// passed on: no beginning of the procedure stands between that and what another procedure has left there.
    pub fn zero_with_passive_values(&mut self, doc: &mut Document) -> Result<(), Diagnostic> {
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return Ok(()) };
        let lasting = lasting(doc, self.scope(doc));
        let assigned = statements(cfg).filter_map(|stmt| {
            let lhs = self.passive_scalar(doc, stmt)?;
            Some((stmt, self.parts.variable(lhs).filter(|_| lasting.contains(&lhs))?))
        });
        let assigned: HashMap<StmtId, SymbolId> = assigned.collect();
        if assigned.is_empty() {
            return Ok(());
        }
        let set: HashSet<SymbolId> = assigned.values().copied().collect();
        let shared = self.shared_with_internals(doc);
        let liveness = Liveness { doc, set: &set, shared: &shared };
        let flow = Flow::new(cfg);
        let solution = solve(&flow, &liveness);
        let mut needed: HashMap<StmtId, SymbolId> = HashMap::new();
        for (vertex, data) in cfg.vertices.iter() {
            let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
            let mut state = solution.after(vertex).clone();
            for &stmt in stmts.iter().rev() {
                let derivative = assigned.get(&stmt).filter(|symbol| state.contains(symbol));
                needed.extend(derivative.map(|&symbol| (stmt, symbol)));
                liveness.transfer(Step::Stmt(stmt), &mut state);
            }
        }
        rewrite_blocks(doc, self.proc, |e, stmt| {
            let zeroed = needed.get(&stmt).map_or(&[][..], std::slice::from_ref);
            let done = self.zero_all(e, zeroed);
            e.push(stmt);
            done
        })
    }

    /// The number that an assignment gives a value whose derivative is not asked for. The derivatives of a run with a local
    /// Jacobian are those of its propagator.
    fn passive_scalar(&self, doc: &Document, stmt: StmtId) -> Option<SymbolId> {
        let data = &doc.stmts[stmt];
        let StmtKind::Assign { lhs, defined: None, .. } = data.kind else { return None };
        if data.local_jacobian.is_some() {
            return None;
        }
        let data = &doc.refs[lhs];
        let symbol = data.base;
        let is_whole = data.parts.is_empty() && data.ty.rank == 0 && is_number(doc, symbol);
        (is_whole && !self.is_active(doc, lhs)).then_some(symbol)
    }

    fn zero_all(&mut self, e: &mut Emitter<'_>, list: &[SymbolId]) -> Result<(), Diagnostic> {
        for &symbol in list {
            let place = e.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
            let object = whole(e.doc, symbol, place.unwrap_or_default());
            self.zero_if_there(e, object)?;
        }
        Ok(())
    }

    /// Derivative variables that come into being with values.
    fn initialised(&self, doc: &Document) -> Vec<SymbolId> {
        let of_this = self.parts.zeroed.iter().filter(|(proc, _)| *proc == self.proc);
        let mut found: Vec<SymbolId> = of_this.flat_map(|(_, list)| list).copied().collect();
        let named = self.named(doc);
        let is_dummy = |symbol: SymbolId| {
            doc.procs[self.proc].args.iter().any(|arg| arg.symbol == Some(symbol))
        };
        found.retain(|&symbol| named.contains(&symbol) || is_dummy(symbol));
        found
    }

    /// The derivatives of outputs that nothing in the procedure depends on or is needed for: it has
    /// them since others that may be called in its place do, and who calls may read them.
    fn never_named(&self, doc: &Document) -> Vec<SymbolId> {
        let named = self.named(doc);
        let args = doc.procs[self.proc].args.iter().filter_map(|arg| arg.symbol);
        let is_output = |symbol: &SymbolId| {
            let intent = doc.symbols[*symbol].decl.as_deref().and_then(|decl| decl.intent);
            let elsewhere = doc.has(*symbol, Attr::Allocatable) || doc.has(*symbol, Attr::Pointer);
            doc.symbols[*symbol].temp == Some(true) && intent == Some(Intent::Out) && !elsewhere
        };
        args.filter(|symbol| is_output(symbol) && !named.contains(symbol)).collect()
    }

    /// The symbols that the procedure names.
    pub fn named(&self, doc: &Document) -> HashSet<SymbolId> {
        self.named_in(doc, self.proc)
    }

    /// The symbols that a procedure names.
    pub fn named_in(&self, doc: &Document, proc: ProcId) -> HashSet<SymbolId> {
        let tree = doc.nest();
        let found = mentions(doc, &tree, doc.procs[proc].scope, |_| false);
        found.into_iter().map(|mention| mention.symbol).collect()
    }

    /// Whether a variable exists where a procedure is entered there: a dummy argument is that of
    /// its entries only.
    fn may_be_named_at(&self, doc: &Document, entry: VertexId, symbol: SymbolId) -> bool {
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return false };
        let is_in = |args: &[DummyArg]| args.iter().any(|arg| arg.symbol == Some(symbol));
        let point = |vertex: VertexId| match &cfg.vertices[vertex].kind {
            VertexKind::Entry(Some(point)) => point.args.as_slice(),
            _ => doc.procs[self.proc].args.as_slice(),
        };
        let dummy = entries(doc, self.proc).into_iter().any(|entry| is_in(point(entry)));
        !dummy || is_in(point(entry))
    }

    /// Where execution also comes along from above, what is set to zero at an ENTRY would be lost.
    fn entered_by_itself(
        &self,
        doc: &Document,
        needs: &HashMap<VertexId, Vec<SymbolId>>,
    ) -> Result<(), Diagnostic> {
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return Ok(()) };
        for (&entry, list) in needs {
            if list.is_empty() || !passed_from_above(cfg, entry) {
                continue;
            }
            let named = match &cfg.vertices[entry].kind {
                VertexKind::Entry(Some(point)) => doc.name(point.symbol),
                _ => doc.name(doc.procs[self.proc].symbol),
            };
            let names: Vec<&str> = list.iter().map(|&symbol| doc.name(symbol)).collect();
            return Err(self.error(
                doc,
                Code::DERIVATIVE_REFUSED,
                cfg.vertices[entry].place,
                format!(
                    "the derivative entry `{named}` must set `{}` to zero, and execution also comes \
                     along from above",
                    names.join("`, `")
                ),
                "put RETURN before the ENTRY, or make it a procedure of its own",
            ));
        }
        Ok(())
    }

    /// Local derivative variables that may be read before they are written.
    fn read_before_written(&self, doc: &Document) -> ReadFirst {
        let mut found = ReadFirst::default();
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return found };
        let candidates = self.candidates(doc, cfg);
        if candidates.is_empty() {
            return found;
        }
        let (numbers, others): (HashSet<_>, HashSet<_>) = candidates
            .into_iter()
            .partition(|&symbol| doc.symbols[symbol].rank == Some(0) && is_number(doc, symbol));
        let shared = self.shared_with_internals(doc);
        for (set, cfg) in [(numbers, cfg.clone()), (others, at_least_once(cfg))] {
            let liveness = Liveness { doc, set: &set, shared: &shared };
            let flow = Flow::new(&cfg);
            let solution = solve(&flow, &liveness);
            for (vertex, data) in cfg.vertices.iter() {
                match &data.kind {
                    VertexKind::Entry(_) => {
                        let list = found.at_entries.entry(vertex).or_default();
                        list.extend(solution.before(vertex));
                    }
                    VertexKind::BasicBlock { stmts, .. } => {
                        let mut state = solution.after(vertex).clone();
                        for &stmt in stmts.iter().rev() {
                            if let StmtKind::OpenScope(open) = &doc.stmts[stmt].kind {
                                let of_block =
                                    |symbol: &&SymbolId| doc.symbols[**symbol].scope == open.scope;
                                found.in_blocks.extend(state.iter().filter(of_block));
                            }
                            liveness.transfer(Step::Stmt(stmt), &mut state);
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Derivative variables whose storage comes into being with the procedure or a BLOCK.
    fn candidates(&self, doc: &Document, cfg: &Cfg) -> HashSet<SymbolId> {
        let mut scopes = vec![self.scope(doc)];
        for vertex in cfg.vertices.values() {
            let VertexKind::BasicBlock { stmts, .. } = &vertex.kind else { continue };
            for &stmt in stmts {
                if let StmtKind::OpenScope(open) = &doc.stmts[stmt].kind {
                    scopes.push(open.scope);
                }
            }
        }
        let points = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(point)) => Some(&point.args),
            _ => None,
        });
        let args = points.flatten().chain(&doc.procs[self.proc].args);
        let dummies: HashSet<SymbolId> = args.filter_map(|arg| arg.symbol).collect();
        let lasting: HashSet<SymbolId> =
            scopes.iter().flat_map(|&scope| lasting(doc, scope)).collect();
        let all = scopes.iter().flat_map(|&scope| &doc.scopes[scope].symbols).copied();
        all.filter(|&symbol| {
            let data = &doc.symbols[symbol];
            let Some(decl) = data.decl.as_deref() else { return false };
            let elsewhere = [Attr::Allocatable, Attr::Pointer];
            data.temp == Some(true)
                && matches!(decl.role, Role::Variable)
                && self.parts.types.carries(decl.spec.base())
                && !dummies.contains(&symbol)
                && !lasting.contains(&symbol)
                && !elsewhere.iter().any(|&attr| doc.has(symbol, attr))
        })
        .collect()
    }

    /// What internal procedures name: a call of one may read it.
    fn shared_with_internals(&self, doc: &Document) -> HashSet<SymbolId> {
        let tree = doc.nest();
        let own = self.scope(doc);
        let mut found = HashSet::new();
        for scope in tree.inside(own) {
            if scope != own && tree.procedure(scope).is_some() {
                let named = mentions(doc, &tree, scope, |_| false);
                found.extend(named.into_iter().map(|mention| mention.symbol));
            }
        }
        found
    }
}

/// Derivative variables that may be read before they are written.
#[derive(Default)]
struct ReadFirst {
    /// As the procedure is entered there.
    at_entries: HashMap<VertexId, BTreeSet<SymbolId>>,
    /// As the BLOCK that declares them begins.
    in_blocks: BTreeSet<SymbolId>,
}

/// The statements of the blocks of a body.
fn statements(cfg: &Cfg) -> impl Iterator<Item = StmtId> + '_ {
    cfg.vertices
        .values()
        .flat_map(|vertex| match &vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => stmts.as_slice(),
            _ => &[],
        })
        .copied()
}

/// Where a procedure is entered.
fn entries(doc: &Document, proc: ProcId) -> Vec<VertexId> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
    let is_entry = |&vertex: &VertexId| matches!(cfg.vertices[vertex].kind, VertexKind::Entry(_));
    cfg.layout.iter().copied().filter(is_entry).collect()
}

fn is_number(doc: &Document, symbol: SymbolId) -> bool {
    doc.symbols[symbol].decl.as_ref().is_some_and(|decl| decl.spec.base().is_continuous())
}

/// The graph in which every loop has an iteration.
fn at_least_once(cfg: &Cfg) -> Cfg {
    let mut changed = cfg.clone();
    let mut ends: HashMap<_, _> = HashMap::new();
    for edge in cfg.edges.values() {
        if matches!(cfg.vertices[edge.source].kind, VertexKind::EndLoop) {
            ends.insert(edge.target, edge.source);
        }
    }
    for edge in changed.edges.values_mut() {
        if edge.condition.is_none()
            && let Some(&end) = ends.get(&edge.source)
        {
            edge.source = end;
        }
    }
    changed
}

/// Which derivative variables may be read before they are written from here on.
struct Liveness<'d> {
    doc: &'d Document,
    set: &'d HashSet<SymbolId>,
    shared: &'d HashSet<SymbolId>,
}

impl Analysis for Liveness<'_> {
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
        if let Step::Stmt(stmt) = step {
            self.stmt(stmt, state);
        }
    }
}

impl Liveness<'_> {
    fn stmt(&self, stmt: StmtId, state: &mut BTreeSet<SymbolId>) {
        match &self.doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                self.write(*lhs, state);
                self.read(*rhs, state);
            }
            StmtKind::PointerAssign { rhs, .. } => self.read(*rhs, state),
            StmtKind::Call(call) => self.call(call, state),
            StmtKind::Where(construct) => {
                for &inner in construct.arms.iter().rev().flat_map(|arm| arm.body.iter().rev()) {
                    self.stmt(inner, state);
                }
            }
            StmtKind::Forall(construct) => {
                for &inner in construct.body.iter().rev() {
                    self.stmt(inner, state);
                }
            }
            StmtKind::Allocate(allocate) => {
                for expr in [allocate.source, allocate.mold].into_iter().flatten() {
                    self.read(expr, state);
                }
            }
            StmtKind::OpenScope(open) => {
                for &symbol in &self.doc.scopes[open.scope].symbols {
                    if let Some(Role::Associate { selector: Some(selector) }) =
                        self.doc.role(symbol)
                    {
                        self.read(*selector, state);
                    }
                }
            }
            StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Release(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
    }

    fn call(&self, call: &SubroutineCall, state: &mut BTreeSet<SymbolId>) {
        let proc = self.doc.described_by(call.callee.symbol);
        let intent = |arg: &Arg| {
            let index = usize::try_from(arg.position).ok()?.checked_sub(1)?;
            let symbol = self.doc.procs[proc?].args.get(index)?.symbol?;
            self.doc.symbols[symbol].decl.as_ref()?.intent
        };
        let values = call.args.iter().filter_map(|arg| match arg.value {
            ArgValue::Expr(expr) => Some((arg, expr)),
            ArgValue::AlternateReturn(_) => None,
        });
        let values: Vec<_> = values.collect();
        for &(arg, expr) in &values {
            if let (ExprKind::Ref(reference), Some(Intent::Out)) =
                (&self.doc.exprs[expr].kind, intent(arg))
            {
                self.write(*reference, state);
            }
        }
        for &(arg, expr) in &values {
            if intent(arg) != Some(Intent::Out) {
                self.read(expr, state);
            }
        }
        let internal = matches!(
            self.doc.role(call.callee.symbol),
            Some(Role::Procedure(info)) if info.class == ProcClass::Internal
        );
        if internal {
            state.extend(self.set.iter().filter(|symbol| self.shared.contains(symbol)));
        }
    }

    fn read(&self, expr: ExprId, state: &mut BTreeSet<SymbolId>) {
        let named = references(self.doc, expr).into_iter().map(|r| self.doc.refs[r].base);
        state.extend(named.filter(|symbol| self.set.contains(symbol)));
    }

    fn write(&self, lhs: RefId, state: &mut BTreeSet<SymbolId>) {
        state.remove(&self.doc.refs[lhs].base);
        for subscript in subscripts(self.doc, lhs) {
            self.read(subscript, state);
        }
    }
}
