//! What procedures that are not in the document may do to storage: those without a body, when they
//! are called, keep pointers and set those that they get; unknown callers pass in the worst way that
//! the rules of Fortran allow; a pointer of a module or COMMON block that nobody in the document
//! sets has been set by them, to anything that outlives activations.
//!
//! Nothing of that holds for pointers and targets of which the user promises the opposite (`no_alias`).

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Callee, Document, ExprKind, Init, Place, ProcId, RefId, StmtKind,
    SymbolId,
};

use super::bind::{Binder, constructor_components, place_of};
use super::targets::targets;
use super::tree::{Forest, NodeId, Shape};
use super::{Lifetime, is_data, is_target};

impl Binder<'_> {
    /// Arguments of a procedure without a body: it may keep pointers, and set those that it gets.
    pub(super) fn outside(&mut self, callee: &Callee, args: &[Arg]) {
        let doc = self.doc;
        let name = doc.name(callee.symbol).to_ascii_lowercase();
        let interface = doc.procedure_of(callee.symbol).map(|proc| doc.procs[proc].args.as_slice());
        for arg in args {
            let ArgValue::Expr(actual) = arg.value else { continue };
            let position = (arg.position as usize).wrapping_sub(1);
            let dummy = interface.and_then(|dummies| dummies.get(position)?.symbol);
            let keeps = dummy.is_some_and(|dummy| is_target(&doc.symbols[dummy]));
            // MOVE_ALLOC leaves pointers to what it moves in place.
            if keeps || matches!(name.as_str(), "c_loc" | "c_f_pointer" | "loc") {
                self.point(self.escaped, actual);
            }
            if name != "move_alloc" && !doc.is_intrinsic(callee.symbol) {
                match doc.exprs[actual].kind {
                    // Whoever is given a structure may keep what its pointers point to, not the structure.
                    ExprKind::Ref(reference) => {
                        if let Some(node) = self.storage.node_of(doc, reference) {
                            self.storage.forest.unify_pointees(self.escaped, node);
                        }
                    }
                    _ => self.copy(self.escaped, actual),
                }
            }
        }
        if name == "move_alloc" {
            self.move_alloc(args);
        }
    }

    fn move_alloc(&mut self, args: &[Arg]) {
        let doc = self.doc;
        let reference = |position: u32| {
            let arg = args.iter().find(|arg| arg.position == position)?;
            let ArgValue::Expr(expr) = arg.value else { return None };
            match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => Some(reference),
                _ => None,
            }
        };
        let (Some(from), Some(to)) = (reference(1), reference(2)) else { return };
        let nodes = (self.storage.node_of(doc, from), self.storage.node_of(doc, to));
        let (Some(a), Some(b)) = nodes else { return };
        if is_target(&doc.symbols[doc.refs[from].base]) {
            self.storage.forest.unify(a, b, true);
        } else {
            self.storage.forest.unify_targets(a, b);
        }
    }

    /// The pointer and target dummy arguments of a procedure that only strangers call may share
    /// storage with each other and with all pointers and targets that outlive activations.
    pub(super) fn callers_outside(&mut self, set: &BTreeSet<SymbolId>) {
        let doc = self.doc;
        let mut globals: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
        let mut of_procs: BTreeMap<ProcId, BTreeMap<Kind, Vec<NodeId>>> = BTreeMap::new();
        for (id, symbol) in &doc.symbols {
            let (Some(node), Some(decl)) = (self.storage.nodes[id], &symbol.decl) else { continue };
            if !is_data(symbol) {
                continue;
            }
            let mut nodes = Vec::new();
            if is_target(symbol) && !decl.has(Attr::Restrict) {
                nodes.push((kind_of(doc, decl.spec.base()), node));
            }
            for (component, target) in self.storage.forest.pointers_below(node) {
                if doc.has(component, Attr::Restrict) {
                    continue;
                }
                let decl = doc.symbols[component].decl.as_ref();
                let base = decl.map_or(Base::Unknown, |decl| decl.spec.base());
                nodes.push((kind_of(doc, base), target));
            }
            let map = match self.storage.procedures.dummy_of(id) {
                Some(proc) if !self.storage.is_called(proc) => of_procs.entry(proc).or_default(),
                Some(_) => continue,
                None if matches!(self.storage.home_of(doc, id), Lifetime::Global) => &mut globals,
                None => continue,
            };
            for (kind, node) in nodes {
                map.entry(kind).or_default().push(node);
            }
        }
        self.because(
            Place::default(),
            "a caller that is not given may pass the same memory for both",
        );
        for groups in of_procs.into_values() {
            for (kind, nodes) in groups {
                let [first, rest @ ..] = nodes.as_slice() else { continue };
                for other in rest.iter().chain(globals.get(&kind).into_iter().flatten()) {
                    self.storage.forest.unify(*first, *other, true);
                }
            }
        }
        for (kind, node, pointer) in self.unset_pointers(set) {
            self.storage.forest.because(place_of(doc, pointer), || {
                let name = doc.name(pointer);
                format!(
                    "no given source associates `{name}`: it may point to any target of its type"
                )
            });
            for &other in globals.get(&kind).into_iter().flatten() {
                self.storage.forest.unify(node, other, true);
            }
        }
    }

    /// The pointers that outlive activations and that no statement or declaration of the document
    /// sets, with the kinds of their targets.
    fn unset_pointers(&self, set: &BTreeSet<SymbolId>) -> Vec<(Kind, NodeId, SymbolId)> {
        let doc = self.doc;
        let mut found = Vec::new();
        for (id, symbol) in &doc.symbols {
            let (Some(node), Some(decl)) = (self.storage.nodes[id], &symbol.decl) else { continue };
            if !is_data(symbol)
                || self.storage.procedures.dummy_of(id).is_some()
                || !matches!(self.storage.home_of(doc, id), Lifetime::Global)
            {
                continue;
            }
            let is_open =
                |pointer: SymbolId| !set.contains(&pointer) && !doc.has(pointer, Attr::Restrict);
            if decl.has(Attr::Pointer) && is_open(id) {
                found.push((kind_of(doc, decl.spec.base()), node, id));
            }
            for (component, target) in self.storage.forest.pointers_below(node) {
                if is_open(component) {
                    let decl = doc.symbols[component].decl.as_ref();
                    let base = decl.map_or(Base::Unknown, |decl| decl.spec.base());
                    found.push((kind_of(doc, base), target, component));
                }
            }
        }
        found
    }
}

impl Binder<'_> {
    /// Variables and components that a pointer assignment, ALLOCATE, a call, a structure constructor
    /// or a declaration of the document may associate with a target.
    pub(super) fn pointers_set(&self) -> BTreeSet<SymbolId> {
        let doc = self.doc;
        let mut set = BTreeSet::new();
        for (id, symbol) in &doc.symbols {
            let init = symbol.decl.as_ref().and_then(|decl| decl.init);
            if let Some(Init::Target(target)) = init
                && doc.exprs[target].reference().is_some()
            {
                set.insert(id);
            }
        }
        for stmt in doc.stmts.values() {
            match &stmt.kind {
                StmtKind::PointerAssign { lhs, .. } => {
                    set.insert(entity(doc, *lhs));
                }
                StmtKind::Allocate(allocate) => {
                    set.extend(allocate.objects.iter().map(|&object| entity(doc, object)));
                }
                StmtKind::Call(call) => self.set_by_call(&mut set, &call.callee, &call.args),
                StmtKind::Assign { .. }
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
        for expr in doc.exprs.values() {
            match &expr.kind {
                ExprKind::Call(call) => self.set_by_call(&mut set, &call.callee, &call.args),
                ExprKind::StructureConstructor { spec, .. } => {
                    let components = match spec.base() {
                        Base::Derived(ty) => constructor_components(doc, ty),
                        _ => None,
                    };
                    set.extend(components.into_iter().flatten());
                }
                ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        set
    }

    /// What a call hands over to pointers, or to a procedure of which nobody knows what it takes.
    fn set_by_call(&self, set: &mut BTreeSet<SymbolId>, callee: &Callee, args: &[Arg]) {
        let doc = self.doc;
        let called = targets(doc, self.storage, callee);
        for arg in args {
            let ArgValue::Expr(actual) = arg.value else { continue };
            let Some(reference) = doc.exprs[actual].reference() else { continue };
            let position = (arg.position as usize).wrapping_sub(1);
            let is_pointer = |dummy: Option<SymbolId>| {
                let decl = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_ref());
                decl.is_some_and(|decl| decl.has(Attr::Pointer))
            };
            let in_body = called.bodies.iter().any(|&entry| {
                let dummies = self.storage.procedures.dummies(doc, entry);
                dummies.get(position).is_some_and(|dummy| is_pointer(dummy.symbol))
            });
            let outside = called.outside.iter().any(|&symbol| {
                let proc = doc.procedure_of(symbol).map(|proc| &doc.procs[proc]);
                let dummy = proc.and_then(|proc| proc.args.get(position)?.symbol);
                is_pointer(dummy) || doc.is_intrinsic(symbol)
            });
            if in_body || outside || called.unknown {
                set.insert(entity(doc, reference));
            }
        }
    }
}

/// The component that a reference ends with, else its variable.
fn entity(doc: &Document, reference: RefId) -> SymbolId {
    let data = &doc.refs[reference];
    data.entity().unwrap_or(data.base)
}

/// What may be associated with what: types that have a common ancestor, or equal types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Intrinsic(u8, u8),
    Derived(SymbolId),
    Any,
}

fn kind_of(doc: &Document, base: Base) -> Kind {
    match base {
        Base::Integer(n) => Kind::Intrinsic(0, n),
        Base::Unsigned(n) => Kind::Intrinsic(1, n),
        Base::Real(n) => Kind::Intrinsic(2, n),
        Base::Complex(n) => Kind::Intrinsic(3, n),
        Base::Logical(n) => Kind::Intrinsic(4, n),
        Base::Character(n) => Kind::Intrinsic(5, n),
        Base::Derived(ty) | Base::Class(ty) => {
            Kind::Derived(doc.lineage(ty).last().copied().unwrap_or(ty))
        }
        Base::Unknown
        | Base::Void
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => Kind::Any,
    }
}

impl Forest {
    /// The targets of the pointer components below a node.
    fn pointers_below(&self, id: NodeId) -> Vec<(SymbolId, NodeId)> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let id = self.find(id);
            if let Shape::Struct(children) = self.shape(id)
                && !seen.contains(&id)
            {
                seen.push(id);
                for (&component, child) in children {
                    if child.pointer {
                        found.push((component, child.node));
                    }
                    work.push(child.node);
                }
            }
        }
        found
    }
}
