//! Procedures that are called by one name: they must agree on which arguments have derivatives.
//!
//! A dummy procedure stands for all procedures that are passed for it, a procedure pointer for all
//! that it is associated with, a deferred or overridden binding for all that implement it, an
//! interface body for the procedure that it describes. Such procedures form a class; an argument
//! that has a derivative in one of them has one in all. What is passed to one of a class is passed to
//! all, so their dummy procedures are of one class, too.

use std::collections::{BTreeSet, HashMap, HashSet};

use booster_facts::{CalleeNode, arguments_of_callee, callee_node, inherited};
use xaif_schema::model::{
    Arg, ArgValue, Body, Document, ExprId, ExprKind, Init, Part, ProcClass, ProcId, RefId, Role,
    ScopeKind, StmtKind, SymbolId,
};

/// The classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    parent: HashMap<CalleeNode, CalleeNode>,
    /// The members of each class, by its root.
    members: HashMap<CalleeNode, BTreeSet<CalleeNode>>,
    /// Classes that have a derivative.
    differentiable: HashSet<CalleeNode>,
}

impl Classes {
    /// Which procedures belong together.
    pub(super) fn new(doc: &Document) -> Self {
        let mut classes = Classes::default();
        classes.describe(doc);
        classes.bindings(doc);
        for stmt in doc.stmts.values() {
            match &stmt.kind {
                StmtKind::PointerAssign { lhs, rhs } => {
                    let pair = named_by_reference(doc, *lhs).zip(named(doc, *rhs));
                    if let Some((left, right)) = pair {
                        classes.join(left, right);
                    }
                }
                StmtKind::Assign { .. }
                | StmtKind::Call(_)
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
            match &expr.kind {
                ExprKind::StructureConstructor { spec, args } => {
                    let base = spec.base();
                    let xaif_schema::model::Base::Derived(owner) = base else { continue };
                    classes.structure(doc, owner, args);
                }
                ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Call(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        for (symbol, data) in doc.symbols.iter() {
            let Some(decl) = data.decl.as_deref() else { continue };
            let Some(node) = callee_node(doc, symbol) else { continue };
            let own = classes.root(node);
            classes.members.entry(own).or_default().insert(node);
            if let Some(Init::Target(target)) = decl.init
                && let Some(target) = named(doc, target)
            {
                classes.join(node, target);
            }
        }
        classes.close(doc);
        classes
    }

    /// What is passed to a name is passed to all that the name may stand for, so procedures of one class
    /// have dummy procedures of one class, and what is passed belongs to it. That a class grows may tell
    /// more of others.
    pub(super) fn close(&mut self, doc: &Document) {
        let calls = passing(doc);
        let mut grows = true;
        while grows {
            grows = false;
            let classes: Vec<Vec<CalleeNode>> =
                self.members.values().map(|nodes| nodes.iter().copied().collect()).collect();
            for nodes in classes {
                let mut first: HashMap<u32, CalleeNode> = HashMap::new();
                let lists = nodes.iter().filter_map(|&node| arguments_of_callee(doc, node));
                for arg in lists.flatten() {
                    let Some(own) = arg.symbol.and_then(|symbol| callee_node(doc, symbol)) else {
                        continue;
                    };
                    grows |= self.join(*first.entry(arg.position).or_insert(own), own);
                }
            }
            for &(callee, position, actual) in &calls {
                let Some(class) = callee_node(doc, callee) else { continue };
                let nodes: Vec<CalleeNode> = self.nodes(class).chain([class]).collect();
                let dummies = nodes.into_iter().filter_map(|node| {
                    let mut args = arguments_of_callee(doc, node)?.iter();
                    callee_node(doc, args.find(|arg| arg.position == position)?.symbol?)
                });
                for dummy in dummies {
                    grows |= self.join(actual, dummy);
                }
            }
        }
    }

    /// Decides which classes have a derivative. `called`: classes that an active call names.
    pub(super) fn decide(&mut self, doc: &Document, procs: &BTreeSet<ProcId>, analysed: bool) {
        let selected =
            |node: &CalleeNode| matches!(node, CalleeNode::Proc(proc) if procs.contains(proc));
        self.differentiable = self
            .members
            .iter()
            .filter(|(_, members)| !analysed || members.iter().any(selected))
            .map(|(&root, _)| root)
            .collect();
        let statements = doc.stmts.values().filter_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) if call.active == Some(true) => Some(call.callee.symbol),
            _ => None,
        });
        let expressions = doc.exprs.values().filter_map(|expr| match &expr.kind {
            ExprKind::Call(call) if call.active == Some(true) => Some(call.callee.symbol),
            _ => None,
        });
        for callee in statements.chain(expressions) {
            if let Some(node) = callee_node(doc, callee) {
                let root = self.root(node);
                self.differentiable.insert(root);
            }
        }
    }

    /// Whether a procedure name has a derivative beside it.
    pub(super) fn is_differentiable(&self, doc: &Document, symbol: SymbolId) -> bool {
        callee_node(doc, symbol).is_some_and(|node| self.differentiable.contains(&self.root(node)))
    }

    /// The members of each class that has a derivative, in order.
    pub(super) fn groups(&self) -> Vec<Vec<ProcId>> {
        let mut groups: Vec<Vec<ProcId>> = self
            .members
            .iter()
            .filter(|(root, _)| self.differentiable.contains(root))
            .map(|(_, members)| {
                let procs = members.iter().filter_map(|member| match member {
                    CalleeNode::Proc(proc) => Some(*proc),
                    CalleeNode::Symbol(_) => None,
                });
                procs.collect()
            })
            .collect();
        groups.sort_unstable();
        groups
    }

    /// The procedures that `symbol` may stand for, in order.
    pub(super) fn members(&self, doc: &Document, symbol: SymbolId) -> Vec<ProcId> {
        let Some(node) = callee_node(doc, symbol) else { return Vec::new() };
        let members = self.members.get(&self.root(node)).into_iter().flatten();
        members
            .filter_map(|member| match member {
                CalleeNode::Proc(proc) => Some(*proc),
                CalleeNode::Symbol(_) => None,
            })
            .collect()
    }

    /// The class that a name belongs to.
    pub(super) fn class_of(&self, doc: &Document, symbol: SymbolId) -> Option<CalleeNode> {
        callee_node(doc, symbol).map(|node| self.root(node))
    }

    /// All that belongs to a class.
    pub(super) fn nodes(&self, class: CalleeNode) -> impl Iterator<Item = CalleeNode> + '_ {
        self.members.get(&self.root(class)).into_iter().flatten().copied()
    }

    /// Two names are called alike.
    pub(super) fn unite(&mut self, doc: &Document, one: SymbolId, other: SymbolId) {
        if let Some((one, other)) = callee_node(doc, one).zip(callee_node(doc, other)) {
            self.join(one, other);
        }
    }

    pub(super) fn root(&self, node: CalleeNode) -> CalleeNode {
        let mut current = node;
        while let Some(&up) = self.parent.get(&current) {
            current = up;
        }
        current
    }

    /// Whether they were in two classes.
    fn join(&mut self, a: CalleeNode, b: CalleeNode) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        for root in [a, b] {
            self.members.entry(root).or_default().insert(root);
        }
        if a == b {
            return false;
        }
        let size = |root: CalleeNode| self.members.get(&root).map_or(0, BTreeSet::len);
        let (from, to) = if size(a) < size(b) { (a, b) } else { (b, a) };
        self.parent.insert(from, to);
        let moved = self.members.remove(&from).unwrap_or_default();
        self.members.entry(to).or_default().extend(moved);
        true
    }

    /// Interface bodies describe procedures of the same name.
    fn describe(&mut self, doc: &Document) {
        let mut bodies: HashMap<(&str, bool), ProcId> = HashMap::new();
        let is_global = |proc: ProcId| {
            let scope = doc.procs[proc].scope;
            let parent = doc.scopes[scope].parent;
            parent.is_some_and(|parent| doc.scopes[parent].parent.is_none())
        };
        for (id, proc) in doc.procs.iter() {
            let parent = doc.scopes[proc.scope].parent;
            let separate =
                parent.is_some_and(|p| matches!(doc.scopes[p].kind, ScopeKind::Submodule { .. }));
            if matches!(proc.body, Body::Flow(_)) && (separate || is_global(id)) {
                bodies.insert((doc.symbols[proc.symbol].id.as_str(), separate), id);
            }
        }
        for (id, proc) in doc.procs.iter() {
            if !matches!(proc.body, Body::Interface) {
                continue;
            }
            let Some(Role::Procedure(info)) = doc.role(proc.symbol) else { continue };
            let separate = match info.class {
                ProcClass::Module => true,
                ProcClass::External => false,
                _ => continue,
            };
            if let Some(&body) = bodies.get(&(doc.symbols[proc.symbol].id.as_str(), separate)) {
                self.join(CalleeNode::Proc(id), CalleeNode::Proc(body));
            }
        }
    }

    /// A binding and the bindings that override it.
    fn bindings(&mut self, doc: &Document) {
        let nobody = doc.types_without_objects();
        for scope in doc.scopes.values() {
            let ScopeKind::DerivedType(owner) = scope.kind else { continue };
            if nobody.contains(&owner) {
                continue;
            }
            let Some(Role::DerivedType { extends: Some(parent), .. }) = doc.role(owner) else {
                continue;
            };
            for &symbol in &scope.symbols {
                if let Some(Role::Binding { .. }) = doc.role(symbol)
                    && let Some(other) = inherited(doc, *parent, &doc.symbols[symbol].id)
                    && let Some((a, b)) = callee_node(doc, symbol).zip(callee_node(doc, other))
                {
                    self.join(a, b);
                }
            }
        }
    }

    fn structure(&mut self, doc: &Document, owner: SymbolId, args: &[Arg]) {
        for arg in args {
            let ArgValue::Expr(expr) = arg.value else { continue };
            let Some(actual) = named(doc, expr) else { continue };
            let Some(Role::DerivedType { scope, .. }) = doc.role(owner) else { continue };
            let components = doc.scopes[*scope].symbols.iter().copied();
            let component = match &arg.keyword {
                Some(name) => inherited(doc, owner, &name.to_ascii_lowercase()),
                None => components
                    .filter(|&s| !matches!(doc.role(s), Some(Role::Binding { .. })))
                    .nth(arg.position.saturating_sub(1) as usize),
            };
            if let Some(component) = component.and_then(|symbol| callee_node(doc, symbol)) {
                self.join(actual, component);
            }
        }
    }
}

/// The procedure that an expression names.
fn named(doc: &Document, expr: ExprId) -> Option<CalleeNode> {
    match doc.exprs[expr].kind {
        ExprKind::Procedure(symbol) => callee_node(doc, symbol),
        ExprKind::Ref(reference) => named_by_reference(doc, reference),
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Opaque(_) => None,
    }
}

fn named_by_reference(doc: &Document, reference: RefId) -> Option<CalleeNode> {
    let reference = &doc.refs[reference];
    match reference.parts.last() {
        None => callee_node(doc, reference.base),
        Some(Part::Component { symbol, .. }) => callee_node(doc, (*symbol)?),
        Some(_) => None,
    }
}

/// The procedures that calls pass: what is called, the position and what is passed.
fn passing(doc: &Document) -> Vec<(SymbolId, u32, CalleeNode)> {
    let calls = doc.calls().flat_map(|(callee, args)| {
        args.iter().filter_map(move |arg| match arg.value {
            ArgValue::Expr(expr) => Some((callee.symbol, arg.position, named(doc, expr)?)),
            ArgValue::AlternateReturn(_) => None,
        })
    });
    calls.collect()
}
