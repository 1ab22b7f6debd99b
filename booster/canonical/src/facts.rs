//! What is known of activity, and what follows where nobody has told.
//!
//! Without activity facts a call may still be told to be passive by its place: where its value can
//! only decide (a condition, a subscript, a bound) and the procedure changes nothing that has a
//! derivative, no derivative passes through it. Such a procedure is called quiet here. One that changes
//! what it keeps between calls (SAVE, DATA) is not quiet: its derivative procedure has variables of its own
//! for that, so all calls must execute the same of the two.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Access, Arg, ArgValue, Attr, Base, Body, Cfg, Document, ExprId, ExprKind, FunctionCall, ProcId,
    ProcKind, RefId, Role, ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, SymbolId, VertexKind,
};
use xaif_schema::uses::Uses;

use booster_build::nodes_of;
use booster_facts::may_hold_numbers;

/// How many statement functions are followed that use one another.
const STATEMENT_FUNCTIONS_DEEP: u32 = 8;

/// The facts of one document.
#[derive(Debug)]
pub(super) struct Facts {
    /// Whether activity analysis has run.
    pub(super) analysed: bool,
    /// Procedures with a body that change nothing outside that has a derivative.
    quiet: HashSet<ProcId>,
    /// Procedures with a body that change nothing at all outside, and read and write no file: it does
    /// not matter how often they are executed.
    still: HashSet<ProcId>,
    /// Variables that EQUIVALENCE overlays with others.
    overlaid: HashSet<SymbolId>,
    /// Variables that procedures inside their own scope mention.
    shared: HashSet<SymbolId>,
    /// Variables of procedures that keep their value from one call to the next.
    kept: HashSet<SymbolId>,
}

impl Facts {
    pub(super) fn gather(doc: &Document) -> Self {
        let analysed = doc.procs.values().any(|proc| proc.active.is_some());
        let mut overlaid = HashSet::new();
        for item in doc.scopes.values().flat_map(|scope| &scope.items) {
            if let SpecItem::Equivalence(sets) = item {
                overlaid.extend(sets.iter().flatten().map(|&reference| doc.refs[reference].base));
            }
        }
        let (quiet, still) = (HashSet::new(), HashSet::new());
        let (shared, kept) = (shared(doc), kept(doc));
        let mut facts = Facts { analysed, quiet, still, overlaid, shared, kept };
        facts.quiet = facts.without_effect(doc, |doc, body| {
            let types = body.written.iter().copied();
            types.filter(|&written| may_hold_numbers(doc, doc.refs[written].ty.base)).collect()
        });
        facts.still = facts.without_effect(doc, |_, body| {
            body.unknown |= body.markers;
            body.written.clone()
        });
        facts
    }

    /// Whether a derivative procedure may be made of `proc`.
    pub(super) fn concerns(&self, doc: &Document, proc: ProcId) -> bool {
        let data = &doc.procs[proc];
        match data.active {
            Some(active) => active,
            None => data.kind != ProcKind::Program,
        }
    }

    /// Whether activity passes through a call whose value is used where it has a derivative
    /// (`flows`) or where it has none.
    pub(super) fn passes(
        &self,
        doc: &Document,
        call: &FunctionCall,
        base: Base,
        flows: bool,
    ) -> bool {
        match call.active {
            // Of functions of intrinsic modules only those stay that pass none.
            _ if doc.is_intrinsic(call.callee.symbol) => false,
            Some(active) => active,
            None => flows && may_hold_numbers(doc, base) || !self.is_quiet(doc, call),
        }
    }

    /// Whether the procedure that is called changes nothing that has a derivative.
    pub(super) fn is_quiet(&self, doc: &Document, call: &FunctionCall) -> bool {
        self.is_quiet_within(doc, call, STATEMENT_FUNCTIONS_DEEP)
    }

    fn is_quiet_within(&self, doc: &Document, call: &FunctionCall, fuel: u32) -> bool {
        let symbol = call.callee.symbol;
        if doc.is_promised_pure(symbol) || doc.is_intrinsic(symbol) {
            return true;
        }
        if let Some((_, body)) = statement_function(doc, symbol) {
            let Some(fuel) = fuel.checked_sub(1) else { return false };
            return nodes_of(doc, [body]).into_iter().all(|node| match &doc.exprs[node].kind {
                ExprKind::Call(inner) => self.is_quiet_within(doc, inner, fuel),
                _ => true,
            });
        }
        if let Some(proc) = doc.procedure_of(symbol)
            && matches!(doc.procs[proc].body, Body::Flow(_))
        {
            return self.quiet.contains(&proc);
        }
        // Where nothing is passed to it that has a derivative, whoever differentiates decides what
        // it may do to globals.
        call.args.iter().all(|arg| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(_) => !may_hold_numbers(doc, doc.exprs[expr].ty.base),
                ExprKind::Procedure(_) => false,
                ExprKind::Constant(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::Call(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Opaque(_) => true,
            },
            ArgValue::AlternateReturn(_) => true,
        })
    }

    /// Whether the value of `expr` may have a derivative that is not zero.
    pub(super) fn is_active_value(&self, doc: &Document, expr: ExprId) -> bool {
        may_hold_numbers(doc, doc.exprs[expr].ty.base)
            && nodes_of(doc, [expr]).into_iter().any(|node| match &doc.exprs[node].kind {
                ExprKind::Ref(reference) => self.is_active(doc, *reference),
                ExprKind::Call(call) => self.passes(doc, call, doc.exprs[node].ty.base, true),
                ExprKind::Constant(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => false,
            })
    }

    fn is_active(&self, doc: &Document, reference: RefId) -> bool {
        let reference = &doc.refs[reference];
        let variable = !matches!(doc.role(reference.base), Some(Role::Constant));
        let told = match reference.active {
            Some(active) => active,
            None => !self.analysed || doc.symbols[reference.base].active == Some(true),
        };
        variable && told && may_hold_numbers(doc, reference.ty.base)
    }

    /// Whether a variable shares storage with others by EQUIVALENCE.
    pub(super) fn is_overlaid(&self, symbol: SymbolId) -> bool {
        self.overlaid.contains(&symbol)
    }

    /// Whether nothing but `reference` itself can be meant by another name or during a call:
    /// a local variable or dummy argument that is no pointer, no target, in no COMMON block, and
    /// of which no internal procedure knows.
    pub(super) fn is_private(&self, doc: &Document, reference: RefId, scope: ScopeId) -> bool {
        let base = doc.refs[reference].base;
        let symbol = &doc.symbols[base];
        let Some(decl) = &symbol.decl else { return false };
        let local = std::iter::successors(Some(symbol.scope), |&s| doc.scopes[s].parent)
            .any(|s| s == scope);
        let open = |attr| decl.has(attr);
        let pointed = doc.refs[reference].parts.iter().any(|part| match part {
            xaif_schema::model::Part::Component { symbol: Some(component), .. } => {
                doc.symbols[*component].decl.as_ref().is_none_or(|decl| decl.has(Attr::Pointer))
            }
            xaif_schema::model::Part::Component { symbol: None, .. }
            | xaif_schema::model::Part::Deref => true,
            _ => false,
        });
        local
            && matches!(decl.role, Role::Variable)
            && decl.common.is_none()
            && ![Attr::Pointer, Attr::Target, Attr::Volatile].into_iter().any(open)
            && !pointed
            && !self.overlaid.contains(&base)
            && !self.shared.contains(&base)
    }

    /// Whether it does not matter how often a function is executed.
    pub(super) fn is_still(&self, doc: &Document, call: &FunctionCall) -> bool {
        let mut body = Mentions::default();
        body.call(doc, call.callee.symbol);
        !body.unknown && body.called.iter().all(|proc| self.still.contains(proc))
    }

    /// What is left when all procedures are taken away that write something outside (of what
    /// `written` says), then all that call one of those.
    fn without_effect(
        &self,
        doc: &Document,
        mut written: impl FnMut(&Document, &mut Mentions) -> Vec<RefId>,
    ) -> HashSet<ProcId> {
        let mut quiet = HashSet::new();
        let mut callers: HashMap<ProcId, Vec<ProcId>> = HashMap::new();
        let mut loud = Vec::new();
        for (id, proc) in doc.procs.iter() {
            let Body::Flow(cfg) = &proc.body else { continue };
            let mut body = Mentions::default();
            body.cfg(doc, cfg);
            let written = written(doc, &mut body);
            let keeps = |&reference: &RefId| self.kept.contains(&doc.refs[reference].base);
            let changes = written.iter().any(|&reference| !self.is_own(doc, reference, id))
                || body.written.iter().chain(&body.passed).any(keeps);
            if changes || body.unknown {
                loud.push(id);
            } else {
                quiet.insert(id);
            }
            for callee in body.called {
                callers.entry(callee).or_default().push(id);
            }
        }
        while let Some(proc) = loud.pop() {
            for caller in callers.remove(&proc).unwrap_or_default() {
                if quiet.remove(&caller) {
                    loud.push(caller);
                }
            }
        }
        quiet
    }

    /// Whether a reference is to a variable that only this execution of `proc` has.
    fn is_own(&self, doc: &Document, reference: RefId, proc: ProcId) -> bool {
        let data = &doc.procs[proc];
        let base = doc.refs[reference].base;
        let dummy = data.args.iter().any(|arg| arg.symbol == Some(base));
        !dummy && !self.kept.contains(&base) && self.is_private(doc, reference, data.scope)
    }
}

/// The dummy arguments and the value of a statement function.
pub(super) fn statement_function(
    doc: &Document,
    symbol: SymbolId,
) -> Option<(&[SymbolId], ExprId)> {
    // Asked of every call, in scopes with thousands of declarations.
    if !matches!(doc.role(symbol), Some(Role::StatementFunction)) {
        return None;
    }
    doc.scopes[doc.symbols[symbol].scope].items.iter().find_map(|item| match item {
        SpecItem::StatementFunction { symbol: own, args, body, .. } if *own == symbol => {
            Some((&args[..], *body))
        }
        _ => None,
    })
}

/// Variables that are mentioned in a procedure inside the one that they belong to.
fn shared(doc: &Document) -> HashSet<SymbolId> {
    let mut shared = HashSet::new();
    for proc in doc.procs.values() {
        let Body::Flow(cfg) = &proc.body else { continue };
        let Some(host) = doc.scopes[proc.scope].parent else { continue };
        if !matches!(doc.scopes[host].kind, ScopeKind::Procedure(_)) {
            continue;
        }
        let mut uses = Uses::new(doc);
        uses.cfg(cfg);
        shared.extend(uses.symbols.into_iter().filter(|&symbol| doc.symbols[symbol].scope == host));
    }
    shared
}

/// Variables of procedures that keep their value: by SAVE, by an initial value, by DATA.
fn kept(doc: &Document) -> HashSet<SymbolId> {
    let saved = |symbol: &SymbolId| {
        let decl = doc.symbols[*symbol].decl.as_ref();
        decl.is_some_and(|decl| {
            matches!(decl.role, Role::Variable) && (decl.has(Attr::Save) || decl.init.is_some())
        })
    };
    let within = |kind| matches!(kind, ScopeKind::Procedure(_) | ScopeKind::Block);
    let mut kept = HashSet::new();
    for scope in doc.scopes.values().filter(|scope| within(scope.kind)) {
        kept.extend(scope.symbols.iter().copied().filter(saved));
        for item in &scope.items {
            match item {
                SpecItem::SaveAll => kept.extend(&scope.symbols),
                SpecItem::Data(sets) => {
                    let roots = sets.iter().flat_map(|set| set.objects.iter().copied());
                    for node in nodes_of(doc, roots) {
                        if let ExprKind::Ref(reference) = doc.exprs[node].kind {
                            kept.insert(doc.refs[reference].base);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    kept
}

/// What a body writes and calls.
#[derive(Default)]
struct Mentions {
    written: Vec<RefId>,
    /// Variables that are passed to procedures, which may write them.
    passed: Vec<RefId>,
    called: Vec<ProcId>,
    /// Whether it calls what is not known, or may do anything.
    unknown: bool,
    /// Whether it has statements for input and output and the like.
    markers: bool,
}

impl Mentions {
    fn cfg(&mut self, doc: &Document, cfg: &Cfg) {
        let mut roots: Vec<ExprId> = Vec::new();
        for vertex in cfg.vertices.values() {
            match &vertex.kind {
                VertexKind::BasicBlock { stmts, .. } => {
                    stmts.iter().for_each(|&stmt| self.stmt(doc, stmt, &mut roots));
                }
                VertexKind::Branch { condition, .. }
                | VertexKind::PreLoop { condition, .. }
                | VertexKind::PostLoop { condition } => roots.extend(condition),
                VertexKind::ForLoop { init, condition, update, .. } => {
                    self.stmt(doc, *init, &mut roots);
                    self.stmt(doc, *update, &mut roots);
                    roots.push(*condition);
                }
                VertexKind::ConcurrentLoop { header, .. } => {
                    roots.extend(header.mask);
                    roots.extend(header.ranges.iter().flat_map(|range| [range.lower, range.upper]));
                }
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::EndBranch
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        for node in nodes_of(doc, roots) {
            if let ExprKind::Call(call) = &doc.exprs[node].kind {
                self.pass(doc, &call.args);
                self.call(doc, call.callee.symbol);
            }
        }
    }

    /// The variables among the arguments of a call.
    fn pass(&mut self, doc: &Document, args: &[Arg]) {
        let variable = |arg: &Arg| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => Some(reference),
                _ => None,
            },
            ArgValue::AlternateReturn(_) => None,
        };
        self.passed.extend(args.iter().filter_map(variable));
    }

    fn call(&mut self, doc: &Document, symbol: SymbolId) {
        if doc.is_promised_pure(symbol) || doc.is_intrinsic(symbol) {
            return;
        }
        if let Some((_, body)) = statement_function(doc, symbol) {
            for node in nodes_of(doc, [body]) {
                let ExprKind::Call(call) = &doc.exprs[node].kind else { continue };
                match statement_function(doc, call.callee.symbol) {
                    Some(_) => self.unknown = true,
                    None => self.call(doc, call.callee.symbol),
                }
            }
            return;
        }
        match doc.procedure_of(symbol) {
            Some(proc) if matches!(doc.procs[proc].body, Body::Flow(_)) => self.called.push(proc),
            _ => self.unknown = true,
        }
    }

    fn stmt(&mut self, doc: &Document, stmt: StmtId, roots: &mut Vec<ExprId>) {
        let mut stack = vec![stmt];
        while let Some(stmt) = stack.pop() {
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, defined } => {
                    self.written.push(*lhs);
                    self.unknown |= defined.is_some();
                    roots.push(*rhs);
                }
                StmtKind::PointerAssign { lhs, rhs } => {
                    self.written.push(*lhs);
                    roots.push(*rhs);
                }
                StmtKind::Call(call) => {
                    let intrinsic = doc.is_intrinsic(call.callee.symbol);
                    self.pass(doc, &call.args);
                    if !intrinsic {
                        self.call(doc, call.callee.symbol);
                    }
                    for arg in &call.args {
                        let ArgValue::Expr(expr) = arg.value else { continue };
                        roots.push(expr);
                        if let (true, ExprKind::Ref(passed)) = (intrinsic, &doc.exprs[expr].kind) {
                            self.written.push(*passed);
                        }
                    }
                }
                // The values whose derivatives it computes have been assigned before it.
                StmtKind::Propagate(_) if doc.stmts[stmt].local_jacobian.is_some() => {}
                StmtKind::InlinableCall(_) | StmtKind::Propagate(_) => self.unknown = true,
                StmtKind::Where(construct) => {
                    roots.extend(construct.arms.iter().filter_map(|arm| arm.mask));
                    stack.extend(construct.arms.iter().flat_map(|arm| &arm.body));
                }
                StmtKind::Forall(construct) => {
                    roots.extend(construct.header.mask);
                    stack.extend(&construct.body);
                }
                StmtKind::Allocate(allocate) => {
                    self.written.extend(&allocate.objects);
                    roots.extend(allocate.source);
                }
                StmtKind::Release(release) => self.written.extend(&release.objects),
                StmtKind::Marker(marker) => {
                    self.markers = true;
                    self.unknown |= marker.pessimistic;
                    for operand in &marker.operands {
                        roots.push(operand.expr);
                        if matches!(operand.access, Access::Write | Access::ReadWrite) {
                            let inner = nodes_of(doc, [operand.expr]);
                            self.written.extend(inner.into_iter().filter_map(|node| {
                                match doc.exprs[node].kind {
                                    ExprKind::Ref(reference) => Some(reference),
                                    _ => None,
                                }
                            }));
                        }
                    }
                }
                StmtKind::OpenScope(_) | StmtKind::CloseScope(_) | StmtKind::Comment(_) => {}
            }
        }
    }
}
