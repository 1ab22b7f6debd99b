//! What else makes names share storage: pointers, associate names, results of entries, POINTER and
//! TARGET dummy arguments; and, by the same unification, which procedures a dummy procedure or a
//! procedure pointer may mean (`targets` asks for it).
//!
//! Calls are bound in iterations, because an indirect call binds arguments only when its callees are
//! known; each iteration unifies more or is the last.

use std::collections::BTreeMap;

use xaif_schema::model::{
    Arg, ArgValue, Base, Body, Callee, Document, EntityRef, ExprId, ExprKind, Init, Part, Place,
    RefId, Role, StmtKind, SymbolId, TypeSpec, VertexKind,
};

use super::targets::{object_node, passed_object, targets};
use super::tree::{Forest, NodeId, Shape};
use super::{EntryOf, Storage, is_data, is_target};

/// Unifies everything but overlays, and finds out what indirect calls mean.
pub(super) fn unify_aliases(doc: &Document, storage: &mut Storage) {
    let escaped = storage.forest.leaf(true, true);
    let mut binder = Binder { doc, storage, escaped };
    binder.given_alias_sets();
    binder.results();
    loop {
        let before = binder.knowledge();
        binder.associates();
        binder.initial_targets();
        binder.statements();
        binder.calls();
        binder.index_values();
        if binder.knowledge() == before {
            break;
        }
    }
    let associated = binder.pointers_set();
    binder.callers_outside(&associated);
    binder.index_values();
    storage.associated = associated;
}

/// A document of which the aliases are being found.
pub(super) struct Binder<'a> {
    pub(super) doc: &'a Document,
    pub(super) storage: &'a mut Storage,
    /// What procedures without a body may have kept a pointer to.
    pub(super) escaped: NodeId,
}

impl Binder<'_> {
    /// Grows with everything that is found out.
    fn knowledge(&self) -> (usize, usize) {
        let values = self.storage.values.values().map(Vec::len).sum();
        (self.storage.forest.unified(), values)
    }

    /// Tells why what follows makes nodes one.
    pub(super) fn because(&mut self, place: Place, text: &str) {
        self.storage.forest.because(place, || text.into());
    }

    fn unify(&mut self, a: Option<NodeId>, b: Option<NodeId>, shared: bool) {
        if let (Some(a), Some(b)) = (a, b) {
            self.storage.forest.unify(a, b, shared);
        }
    }

    /// XAIF 1.0 documents say by virtual addresses which variables share storage. The addresses of
    /// each procedure are its own; what they say of dummy arguments is about calls, which are bound
    /// here. How COMMON blocks overlay each other they do not say, so all variables of the global
    /// scope are taken as one.
    fn given_alias_sets(&mut self) {
        let doc = self.doc;
        self.because(Place::default(), "the document gives both one alias set");
        let sets: BTreeMap<i64, _> =
            doc.aliases.sets.iter().map(|(key, set)| (*key, set)).collect();
        let mut ranges = Vec::new();
        let mut global = None;
        for reference in doc.refs.values() {
            let base = reference.base;
            let symbol = &doc.symbols[base];
            let is_dummy = self.storage.procedures.dummy_of(base).is_some();
            if symbol.decl.is_some() || is_dummy {
                continue;
            }
            if doc.scopes[symbol.scope].parent.is_none() {
                let first = *global.get_or_insert(base);
                if first != base {
                    let (a, b) = (self.storage.nodes[first], self.storage.nodes[base]);
                    self.unify(a, b, true);
                }
                continue;
            }
            if let Some(set) = reference.alias.filter(|&key| key > 0).and_then(|key| sets.get(&key))
            {
                let scope = symbol.scope;
                ranges.extend(set.iter().map(|range| (scope, range.from, range.to, base)));
            }
        }
        ranges.sort_unstable();
        ranges.dedup();
        let mut last = None;
        for (scope, from, to, symbol) in ranges {
            match last {
                Some((same, end, other)) if same == scope && from <= end => {
                    if symbol != other {
                        let (a, b) = (self.storage.nodes[symbol], self.storage.nodes[other]);
                        self.unify(a, b, true);
                    }
                    last = Some((scope, to.max(end), other));
                }
                Some(_) | None => last = Some((scope, to, symbol)),
            }
        }
    }

    /// The results of a function and its entries share storage.
    fn results(&mut self) {
        let doc = self.doc;
        for proc in doc.procs.values() {
            let (Body::Flow(cfg), Some(main)) = (&proc.body, proc.result) else { continue };
            for vertex in cfg.vertices.values() {
                if let VertexKind::Entry(Some(point)) = &vertex.kind
                    && let Some(result) = point.result
                {
                    let base = |symbol: SymbolId| {
                        doc.symbols[symbol].decl.as_ref().map(|decl| decl.spec.base())
                    };
                    let (a, b) = (self.storage.nodes[main], self.storage.nodes[result]);
                    self.because(place_of(doc, main), "a function and its ENTRY have one result");
                    self.unify(a, b, base(main) != base(result));
                }
            }
        }
    }

    fn associates(&mut self) {
        for (symbol, data) in &self.doc.symbols {
            let Some(Role::Associate { selector: Some(selector) }) =
                data.decl.as_ref().map(|decl| &decl.role)
            else {
                continue;
            };
            let Some(name) = self.storage.nodes[symbol] else { continue };
            self.because(place_of(self.doc, symbol), "an associate name stands for its selector");
            let expr = &self.doc.exprs[*selector];
            if let Some(reference) = expr.reference().filter(|_| !expr.parens) {
                let node = self.storage.node_of(self.doc, reference);
                let parts = &self.doc.refs[reference].parts;
                let whole = parts.iter().all(|part| matches!(part, Part::Component { .. }));
                self.unify(Some(name), node, !whole);
                continue;
            }
            if let Some(call) = expr.call() {
                self.point_to_results(name, &call.callee);
            }
            self.copy(name, *selector);
        }
    }

    /// `=> target` in declarations.
    fn initial_targets(&mut self) {
        for (id, symbol) in &self.doc.symbols {
            let Some(Init::Target(target)) = symbol.decl.as_ref().and_then(|decl| decl.init) else {
                continue;
            };
            self.because(place_of(self.doc, id), "this declaration associates a pointer");
            match self.storage.nodes[id] {
                Some(node) => self.point(node, target),
                None => {
                    for node in self.storage.forest.children_named(id) {
                        self.point(node, target);
                    }
                }
            }
        }
    }

    fn statements(&mut self) {
        let doc = self.doc;
        for stmt in doc.stmts.values() {
            self.because(stmt.place, "this statement copies or associates pointers");
            match &stmt.kind {
                StmtKind::Assign { lhs, rhs, defined: None } => {
                    if let Some(node) = self.storage.node_of(doc, *lhs) {
                        self.copy(node, *rhs);
                    }
                }
                StmtKind::PointerAssign { lhs, rhs } => {
                    if let Some(node) = self.storage.node_of(doc, *lhs) {
                        self.point(node, *rhs);
                    }
                }
                StmtKind::Allocate(allocate) => {
                    let Some(source) = allocate.source else { continue };
                    for &object in &allocate.objects {
                        if let Some(node) = self.storage.node_of(doc, object) {
                            self.copy(node, source);
                        }
                    }
                }
                StmtKind::Assign { defined: Some(_), .. }
                | StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
    }

    fn calls(&mut self) {
        let doc = self.doc;
        for stmt in doc.stmts.values() {
            self.because(
                stmt.place,
                "this call passes one to the other, or to a procedure without source",
            );
            match &stmt.kind {
                StmtKind::Call(call) => self.call(&call.callee, &call.args),
                StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
                    self.assignment(callee, *lhs, *rhs);
                }
                StmtKind::Assign { defined: None, .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
        for expr in doc.exprs.values() {
            if let ExprKind::Call(call) = &expr.kind {
                self.because(
                    expr.place,
                    "this call passes one to the other, or to a procedure without source",
                );
                self.call(&call.callee, &call.args);
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Arg]) {
        let doc = self.doc;
        let targets = targets(doc, self.storage, callee);
        for &entry in &targets.bodies {
            self.storage.called[entry.proc.index()] = true;
            for arg in args {
                let ArgValue::Expr(actual) = arg.value else { continue };
                let dummies = self.storage.procedures.dummies(doc, entry);
                if let Some(dummy) = dummies.get((arg.position as usize).wrapping_sub(1)) {
                    self.argument(dummy.symbol, actual);
                }
            }
            if let Some((position, object)) = passed_object(doc, self.storage, callee, entry) {
                let dummies = self.storage.procedures.dummies(doc, entry);
                let dummy = dummies.get(position).and_then(|dummy| dummy.symbol);
                if let Some(node) = dummy.and_then(|dummy| self.storage.nodes[dummy]) {
                    let actual = object_node(doc, self.storage, object);
                    match actual {
                        Some(actual) if dummy.is_some_and(|d| is_target(&doc.symbols[d])) => {
                            self.storage.forest.unify(node, actual, true);
                        }
                        Some(actual) => self.storage.forest.unify_targets(node, actual),
                        None => {}
                    }
                }
            }
        }
        if targets.unknown || !targets.outside.is_empty() || doc.is_intrinsic(callee.symbol) {
            self.outside(callee, args);
        }
    }

    /// `lhs = rhs` by a procedure.
    fn assignment(&mut self, callee: &Callee, lhs: RefId, rhs: ExprId) {
        let doc = self.doc;
        for entry in targets(doc, self.storage, callee).bodies {
            self.storage.called[entry.proc.index()] = true;
            let dummies = self.storage.procedures.dummies(doc, entry);
            let symbol = |n: usize| dummies.get(n).and_then(|dummy| dummy.symbol);
            let (left, right) = (symbol(0), symbol(1));
            if let Some(dummy) = left
                && let Some(node) = self.storage.nodes[dummy]
                && let Some(actual) = self.storage.node_of(doc, lhs)
            {
                if is_target(&doc.symbols[dummy]) {
                    self.storage.forest.unify(node, actual, true);
                } else {
                    self.storage.forest.unify_targets(node, actual);
                }
            }
            if let Some(node) = right.and_then(|dummy| self.storage.nodes[dummy]) {
                self.copy(node, rhs);
            }
        }
    }

    fn argument(&mut self, dummy: Option<SymbolId>, actual: ExprId) {
        let Some(dummy) = dummy else { return };
        let Some(node) = self.storage.nodes[dummy] else { return };
        let symbol = &self.doc.symbols[dummy];
        if !is_data(symbol) || is_target(symbol) {
            self.point(node, actual);
        }
        if is_data(symbol) {
            self.copy(node, actual);
        }
    }

    /// `node => target`
    pub(super) fn point(&mut self, node: NodeId, target: ExprId) {
        let doc = self.doc;
        match &doc.exprs[target].kind {
            ExprKind::Ref(reference) => {
                let target = self.storage.node_of(doc, *reference);
                self.unify(Some(node), target, true);
            }
            ExprKind::Call(call) => self.point_to_results(node, &call.callee),
            ExprKind::Procedure(symbol) => match self.storage.nodes[*symbol] {
                Some(pointer) => self.storage.forest.unify(node, pointer, true),
                None if self.storage.without_host.contains(symbol) => {}
                None => {
                    let values = self.storage.values.entry(node).or_default();
                    if !values.contains(symbol) {
                        values.push(*symbol);
                    }
                }
            },
            // NULL, or no target at all.
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => {}
        }
    }

    fn point_to_results(&mut self, node: NodeId, callee: &Callee) {
        for result in self.result_symbols(callee) {
            if is_target(&self.doc.symbols[result]) {
                let result = self.storage.nodes[result];
                self.unify(Some(node), result, true);
            }
        }
    }

    fn result_symbols(&self, callee: &Callee) -> Vec<SymbolId> {
        let entries = targets(self.doc, self.storage, callee).bodies;
        let result = |entry: &EntryOf| self.storage.procedures.result(self.doc, *entry);
        entries.iter().filter_map(result).collect()
    }

    /// `node = value`: the pointers in it point where those of the value point.
    pub(super) fn copy(&mut self, node: NodeId, value: ExprId) {
        if !self.storage.forest.has_pointers(node) {
            return;
        }
        let doc = self.doc;
        let mut work = vec![(node, value)];
        while let Some((node, value)) = work.pop() {
            match &doc.exprs[value].kind {
                ExprKind::Ref(reference) => {
                    if let Some(other) = self.storage.node_of(doc, *reference) {
                        self.storage.forest.unify_targets(node, other);
                    }
                }
                ExprKind::Call(call) => {
                    for result in self.result_symbols(&call.callee) {
                        if let Some(other) = self.storage.nodes[result] {
                            self.storage.forest.unify_targets(node, other);
                        }
                    }
                }
                ExprKind::Intrinsic { operands, .. } => {
                    work.extend(operands.iter().map(|operand| (node, operand.expr)));
                }
                ExprKind::ArrayConstructor { items, .. } => {
                    work.extend(items.iter().map(|&item| (node, item)));
                }
                ExprKind::ImpliedDo(implied) => {
                    work.extend(implied.items.iter().map(|&item| (node, item)));
                }
                ExprKind::StructureConstructor { spec, args } => {
                    self.construct(node, spec, args, &mut work);
                }
                ExprKind::Constant(_)
                | ExprKind::Boolean { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
    }

    fn construct(
        &mut self,
        node: NodeId,
        spec: &TypeSpec,
        args: &[Arg],
        work: &mut Vec<(NodeId, ExprId)>,
    ) {
        let doc = self.doc;
        let components = match spec.base() {
            Base::Derived(ty) => constructor_components(doc, ty),
            _ => None,
        };
        for arg in args {
            let ArgValue::Expr(value) = arg.value else { continue };
            let component = components.as_ref().and_then(|components| match &arg.keyword {
                Some(name) => {
                    components.iter().copied().find(|&c| doc.name(c).eq_ignore_ascii_case(name))
                }
                None => components.get((arg.position as usize).wrapping_sub(1)).copied(),
            });
            match (component, self.storage.forest.shape(node)) {
                (Some(component), Shape::Struct(children)) => {
                    let Some(&child) = children.get(&component) else { continue };
                    if child.pointer {
                        self.point(child.node, value);
                    } else {
                        work.push((child.node, value));
                    }
                }
                // Which component it is nobody knows: any pointer may get it.
                (None, Shape::Struct(children)) => {
                    let pointers: Vec<NodeId> =
                        children.values().filter(|c| c.pointer).map(|c| c.node).collect();
                    for pointer in pointers {
                        self.point(pointer, value);
                    }
                    work.push((node, value));
                }
                (_, Shape::Leaf) => {
                    self.point(node, value);
                    work.push((node, value));
                }
            }
        }
    }

    /// Keeps the procedures that a node may mean at its representative.
    fn index_values(&mut self) {
        let old = std::mem::take(&mut self.storage.values);
        for (node, symbols) in old {
            let known = self.storage.values.entry(self.storage.forest.find(node)).or_default();
            known.extend(symbols);
            known.sort_unstable();
            known.dedup();
        }
    }
}

pub(super) fn place_of(doc: &Document, symbol: SymbolId) -> Place {
    doc.symbols[symbol].decl.as_deref().map(|decl| decl.place).unwrap_or_default()
}

/// The components of a type in the order of its constructor; `None` for an extended type.
pub(super) fn constructor_components(doc: &Document, ty: SymbolId) -> Option<Vec<SymbolId>> {
    let Some(Role::DerivedType { scope, extends: None, .. }) = doc.role(ty) else { return None };
    let is_component =
        |symbol: &SymbolId| matches!(doc.role(*symbol), Some(Role::Variable | Role::Procedure(_)));
    Some(doc.scopes[*scope].symbols.iter().copied().filter(is_component).collect())
}

impl Forest {
    /// The nodes of all components that `component` names.
    pub(super) fn children_named(&self, component: SymbolId) -> Vec<NodeId> {
        self.representatives()
            .filter_map(|id| match self.shape(id) {
                Shape::Struct(children) => children.get(&component).map(|child| child.node),
                Shape::Leaf => None,
            })
            .collect()
    }
}
