//! Bindings that extensions override: which procedure is called is known when the program runs, so
//! the derivative is a procedure that asks for the type and calls the derivative of the one that
//! belongs to it.
//!
//! It stands in the derivative of the module that has the types, or, where several modules have
//! them, of the one that uses all others. A type that the document does not know stops the program.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Arg, ArgValue, Attr, Body, BranchForm, Callee, Cfg, DummyArg, Edge, Effects, Expr, ExprKind,
    Guard, Intent, Jump, Place, ProcClass, ProcId, ProcKind, Procedure, Role, Scope, ScopeId,
    ScopeKind, SpecItem, StmtKind, SubroutineCall, Symbol, SymbolId, Ty, TypeSpec, Vertex,
    VertexId, VertexKind,
};
use xaif_schema::model::{Base, Document};

use super::Slot;
use super::names;
use super::units::{Maker, Outer};
use booster_build::stop_marker;
use booster_build::{Copied, copy_signature, statement, value_of, whole};
use booster_facts::inherited;
use booster_facts::{CalleeNode, callee_node};

/// A type and the procedure that a binding means for it.
type Case = (SymbolId, SymbolId);

impl Maker<'_> {
    /// Makes the dispatch procedure of `binding` of type `owner`, where it can be.
    pub(super) fn dispatch(&mut self, owner: SymbolId, binding: SymbolId) -> Option<SymbolId> {
        let (pass, nopass) = match self.doc.symbols[binding].decl.as_deref() {
            Some(decl) => match &decl.role {
                Role::Binding { pass, .. } => (pass.clone(), decl.has(Attr::NoPass)),
                _ => return None,
            },
            None => return None,
        };
        let Some(CalleeNode::Proc(model)) = callee_node(self.doc, binding) else { return None };
        if nopass {
            return None;
        }
        let id = self.doc.symbols[binding].id.clone();
        let mut cases: Vec<Case> = Vec::new();
        for one in self.plan.types.with_extensions(owner) {
            let is_abstract = self.doc.symbols[one].has(Attr::Abstract);
            let target = inherited(self.doc, one, &id).and_then(|b| match self.doc.role(b) {
                Some(Role::Binding { target, .. }) => *target,
                _ => None,
            });
            if !is_abstract {
                cases.push((one, self.out.callee(target?)?));
            }
        }
        let first = *cases.first()?;
        let module = self.topmost(owner, &cases)?;
        let home = self.modules.get(&module)?.scope;
        let passed = match &pass {
            Some(name) => self.doc.procs[model].args.iter().position(|arg| {
                arg.symbol.is_some_and(|s| self.doc.name(s).eq_ignore_ascii_case(name))
            })?,
            None => 0,
        };
        let type_name = self.doc.name(owner).to_owned();
        let wish = format!("{type_name}_{}", self.doc.name(binding));
        let name = self.global_name(&names::derived(&wish, &self.naming.procedure), home);
        let symbol = self.procedure_symbol(first.1, home, name);
        // What it calls may call the binding of the type that it extends.
        if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Recursive);
        }
        self.dispatch_body(model, passed, &cases, module, symbol)?;
        Some(symbol)
    }

    /// Of the modules that have the types, the one that uses all others.
    fn topmost(&self, owner: SymbolId, cases: &[Case]) -> Option<ScopeId> {
        let types = cases.iter().map(|case| case.0).chain([owner]);
        let mut homes: Vec<ScopeId> = types.map(|one| self.doc.symbols[one].scope).collect();
        let hidden = cases.iter().any(|&(one, _)| self.plan.is_hidden(self.doc, one));
        homes.sort_unstable();
        homes.dedup();
        if hidden || homes.iter().any(|&home| !self.is_module(home)) {
            return None;
        }
        homes.iter().copied().find(|&home| {
            let below = modules_below(self.doc, home);
            homes.iter().all(|other| below.contains(other))
        })
    }

    /// The dispatch procedure itself.
    fn dispatch_body(
        &mut self,
        model: ProcId,
        passed: usize,
        cases: &[Case],
        module: ScopeId,
        symbol: SymbolId,
    ) -> Option<()> {
        let home = self.doc.symbols[symbol].scope;
        let data = &self.doc.procs[model];
        let (old, place) = (data.scope, data.place);
        let (args, result) = (data.args.clone(), data.result);
        let scope = Scope::new(Some(home), ScopeKind::Procedure(symbol), place);
        let scope = self.doc.scopes.push(scope);
        let mut copied = self.modules.get(&module)?.copied.clone();
        let outer = self.outer_of(module, module);
        let dummies =
            copy_signature(self.doc, &self.tree, (old, scope), (&args, result), &mut copied);
        let originals = dummies.into_iter().filter(|one| self.plan.variables.contains(one));
        self.dispatched = originals.map(|one| copied.copier.symbol(one)).collect();
        self.derive_dummies(scope, &outer);
        self.companions(old, scope, &copied, &outer, |_, _, class| class == ProcClass::Dummy);
        let mapped = |symbol: SymbolId| copied.copier.symbol(symbol);
        let args: Vec<DummyArg> = args
            .iter()
            .map(|arg| DummyArg { symbol: arg.symbol.map(mapped), ..arg.clone() })
            .collect();
        let result = result.map(mapped);
        for one in result.into_iter().flat_map(|r| [Some(r), self.out.variable(r)]).flatten() {
            if let Some(decl) = self.doc.symbols[one].decl.as_deref_mut() {
                decl.intent = Some(Intent::Out);
            }
        }
        let (list, slots) = self.expand(&args, result);
        let object = args.get(passed)?.symbol?;
        let cfg = self.dispatch_graph((scope, object), cases, (&list, &slots), &outer, place);
        self.out.signatures.insert(symbol, slots);
        let proc = self.doc.procs.push(Procedure {
            symbol,
            scope,
            args: list,
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Flow(cfg),
            place,
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
        if let Some(Role::Procedure(info)) =
            self.doc.symbols[symbol].decl.as_deref_mut().map(|decl| &mut decl.role)
        {
            info.proc = Some(proc);
        }
        self.doc.scopes[home].contains.push(SpecItem::Unit(scope));
        Some(())
    }

    /// Declares the derivatives of the dummy arguments of a dispatch procedure.
    fn derive_dummies(&mut self, scope: ScopeId, outer: &Outer) {
        let mut derivatives = HashMap::new();
        for primal in std::mem::take(&mut self.dispatched) {
            let own: HashSet<String> = names::ids(self.doc, scope).collect();
            let wish = names::derived(self.doc.name(primal), &self.naming.variable);
            let name = names::fresh(&wish, |name| own.contains(name) || outer.contains(name));
            let made = self.variable(primal, scope, name, &Copied::default(), false);
            derivatives.extend(made.map(|derivative| (primal, derivative)));
        }
        self.interleave(scope, &derivatives);
    }

    /// `select type (object)` with a call in each arm.
    fn dispatch_graph(
        &mut self,
        (scope, object): (ScopeId, SymbolId),
        cases: &[Case],
        (list, slots): (&[DummyArg], &[Slot]),
        outer: &Outer,
        place: Place,
    ) -> Cfg {
        let mut cfg = Cfg { structured: Some(false), ..Cfg::default() };
        let vertex = |kind| Vertex { kind, place, id: None, recorded: None };
        let block = |scope| VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let entry = cfg.push(vertex(VertexKind::Entry(None)));
        let selector = whole(self.doc, object, place);
        let selector = value_of(self.doc, selector);
        let branch = cfg.push(vertex(VertexKind::Branch {
            condition: Some(selector),
            form: BranchForm::SelectType,
            name: None,
        }));
        cfg.connect(entry, branch);
        let mut narrowed = HashMap::new();
        let mut arms = Vec::new();
        for (&(owner, target), number) in cases.iter().zip(1..) {
            let (inner, name) = self.narrowed_object(scope, object, owner);
            narrowed.insert(inner, name);
            let arm = cfg.push(vertex(block(inner)));
            let name = self.doc.name(owner).to_owned();
            let spec =
                TypeSpec::Derived { symbol: Some(owner), name, class: false, params: Vec::new() };
            let guard = Some(Box::new(Guard::TypeIs(spec)));
            cfg.edges.push(Edge { source: branch, target: arm, condition: Some(number), guard });
            arms.push((arm, target, inner));
        }
        let other = cfg.push(vertex(block(scope)));
        let stop = cfg.push(vertex(VertexKind::Goto(Jump::Stop)));
        let end = cfg.push(vertex(VertexKind::EndBranch));
        let exit = cfg.push(vertex(VertexKind::Exit));
        let guard = Some(Box::new(Guard::Default));
        cfg.edges.push(Edge { source: branch, target: other, condition: None, guard });
        cfg.connect(other, stop);
        cfg.connect(stop, exit);
        for &(arm, ..) in &arms {
            cfg.connect(arm, end);
        }
        cfg.connect(end, exit);
        let message = "error stop 'a type without a derivative'";
        add(self.doc, &mut cfg, other, stop_marker(message), place);
        for arm in super::arms::arms_of(&cfg, branch) {
            self.arm(&mut cfg, &arm, selector, &narrowed, outer);
        }
        for (arm, target, inner) in arms {
            let Some(&name) = narrowed.get(&inner) else { continue };
            let call = self.dispatched_call(target, (object, name), (list, slots), place);
            add(self.doc, &mut cfg, arm, call, place);
        }
        cfg
    }

    /// The scope of an arm, and the object in it.
    fn narrowed_object(
        &mut self,
        scope: ScopeId,
        object: SymbolId,
        owner: SymbolId,
    ) -> (ScopeId, SymbolId) {
        let place = self.place_of(object);
        let inner = self.doc.scopes.push(Scope::new(Some(scope), ScopeKind::Associate, place));
        let old = self.doc.symbols[object].clone();
        let name = self.doc.name(owner).to_owned();
        let decl = old.decl.as_deref().cloned().map(|mut decl| {
            decl.role = Role::Associate { selector: None };
            decl.spec =
                TypeSpec::Derived { symbol: Some(owner), name, class: false, params: Vec::new() };
            (decl.intent, decl.dims) = (None, Vec::new());
            decl.attrs.clear();
            Box::new(decl)
        });
        (inner, self.doc.add_symbol(Symbol { scope: inner, decl, ..old }))
    }

    fn dispatched_call(
        &mut self,
        target: SymbolId,
        (object, narrowed): (SymbolId, SymbolId),
        (list, slots): (&[DummyArg], &[Slot]),
        place: Place,
    ) -> StmtKind {
        let derivative = self.out.variable(object);
        let taken = self.out.signatures.get(&target).cloned();
        let mut args = Vec::new();
        // An object of a type without numbers has no derivative.
        let is_taken = |slot: &Slot| taken.as_ref().is_none_or(|taken| taken.contains(slot));
        let kept = list.iter().zip(slots).filter(|(_, slot)| is_taken(slot));
        for ((arg, _), position) in kept.zip(1..) {
            let Some(symbol) = arg.symbol else { continue };
            let symbol = if symbol == object {
                narrowed
            } else if Some(symbol) == derivative {
                self.out.variable(narrowed).unwrap_or(symbol)
            } else {
                symbol
            };
            let value = match self.doc.role(symbol) {
                Some(Role::Procedure(_)) => self.doc.exprs.push(Expr {
                    kind: ExprKind::Procedure(symbol),
                    ty: Ty::scalar(Base::Procedure),
                    place,
                    parens: false,
                }),
                Some(_) | None => {
                    let reference = whole(self.doc, symbol, place);
                    value_of(self.doc, reference)
                }
            };
            args.push(Arg { position, keyword: None, value: ArgValue::Expr(value) });
        }
        let formal_count = u32::try_from(args.len()).ok();
        let callee = Callee { symbol: target, generic: None, object: None };
        StmtKind::Call(Box::new(SubroutineCall { callee, args, formal_count, active: None }))
    }
}

/// A module and all that it uses.
pub fn modules_below(doc: &Document, module: ScopeId) -> HashSet<ScopeId> {
    let mut below = HashSet::new();
    let mut work = vec![module];
    while let Some(here) = work.pop() {
        if !below.insert(here) {
            continue;
        }
        for item in &doc.scopes[here].items {
            if let SpecItem::Use(used) = item
                && let Some(Role::Module { scope: Some(scope) }) = doc.role(used.module)
            {
                work.push(*scope);
            }
        }
    }
    below
}

/// Adds a statement to a block.
pub(super) fn add(
    doc: &mut Document,
    cfg: &mut Cfg,
    vertex: VertexId,
    kind: StmtKind,
    place: Place,
) {
    let stmt = statement(doc, kind, place);
    if let VertexKind::BasicBlock { stmts, .. } = &mut cfg.vertices[vertex].kind {
        stmts.push(stmt);
    }
}
