//! What procedures that are not in the document may do to storage: those without a body, when they
//! are called, keep pointers and set those that they get; unknown callers pass in the worst way that
//! the rules of Fortran allow.

use std::collections::BTreeMap;

use xaif_schema::model::{Arg, ArgValue, Base, Callee, Document, ExprKind, ProcId, SymbolId};

use super::bind::Binder;
use super::targets::is_intrinsic;
use super::tree::{Forest, NodeId, Shape, ancestors};
use super::{Home, is_data, is_target};

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
            if name != "move_alloc" && !is_intrinsic(doc, callee.symbol) {
                self.copy(self.escaped, actual);
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
    pub(super) fn callers_outside(&mut self) {
        let doc = self.doc;
        let mut globals: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
        let mut of_procs: BTreeMap<ProcId, BTreeMap<Kind, Vec<NodeId>>> = BTreeMap::new();
        for (id, symbol) in &doc.symbols {
            let (Some(node), Some(decl)) = (self.storage.nodes[id], &symbol.decl) else { continue };
            if !is_data(symbol) {
                continue;
            }
            let mut nodes = Vec::new();
            if is_target(symbol) {
                nodes.push((kind_of(doc, decl.spec.base()), node));
            }
            for (component, target) in self.storage.forest.pointers_below(node) {
                let decl = doc.symbols[component].decl.as_ref();
                let base = decl.map_or(Base::Unknown, |decl| decl.spec.base());
                nodes.push((kind_of(doc, base), target));
            }
            let map = match self.storage.procedures.dummy_of(id) {
                Some(proc) if !self.storage.is_called(proc) => of_procs.entry(proc).or_default(),
                Some(_) => continue,
                None if matches!(self.storage.home_of(id, symbol), Home::Global) => &mut globals,
                None => continue,
            };
            for (kind, node) in nodes {
                map.entry(kind).or_default().push(node);
            }
        }
        for groups in of_procs.into_values() {
            for (kind, nodes) in groups {
                let [first, rest @ ..] = nodes.as_slice() else { continue };
                for other in rest.iter().chain(globals.get(&kind).into_iter().flatten()) {
                    self.storage.forest.unify(*first, *other, true);
                }
            }
        }
    }
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
            Kind::Derived(ancestors(doc, ty).last().copied().unwrap_or(ty))
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
