//! The procedure that a name declares, and its dummy arguments.
//!
//! The bodies that a dummy procedure or a pointer may execute are found by [`storage`](crate::storage).

use xaif_schema::model::{Body, Document, DummyArg, ProcClass, ProcId, Role, SymbolId, VertexKind};

/// The declaration of a callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CalleeNode {
    /// A procedure or interface body.
    Proc(ProcId),
    /// A dummy procedure or procedure pointer of which nothing is declared, or an entry.
    Symbol(SymbolId),
}

/// The declaration of the callee that `symbol` names.
pub fn callee_node(doc: &Document, symbol: SymbolId) -> Option<CalleeNode> {
    let mut symbol = symbol;
    // `procedure(p) :: q` where `p` is declared likewise; no compiler takes a circle.
    for _ in 0..16 {
        match doc.role(symbol)? {
            Role::Procedure(info) => match (info.class, info.proc, info.interface) {
                (ProcClass::Entry, ..) => return Some(CalleeNode::Symbol(symbol)),
                (_, Some(proc), _) => return Some(CalleeNode::Proc(proc)),
                (_, None, Some(interface)) => symbol = interface,
                (_, None, None) => return Some(CalleeNode::Symbol(symbol)),
            },
            Role::Binding { target, interface, .. } => symbol = (*target).or(*interface)?,
            _ => return None,
        }
    }
    None
}

/// The dummy arguments of the procedure that `callee` names.
pub fn arguments_of(doc: &Document, callee: SymbolId) -> Option<&[DummyArg]> {
    arguments_of_callee(doc, callee_node(doc, callee)?)
}

/// The dummy arguments of a node.
pub fn arguments_of_callee(doc: &Document, node: CalleeNode) -> Option<&[DummyArg]> {
    match node {
        CalleeNode::Proc(proc) => Some(&doc.procs[proc].args),
        CalleeNode::Symbol(entry) => {
            let Some(Role::Procedure(info)) = doc.role(entry) else { return None };
            let Body::Flow(cfg) = &doc.procs[info.proc?].body else { return None };
            cfg.vertices.values().find_map(|vertex| match &vertex.kind {
                VertexKind::Entry(Some(point)) if point.symbol == entry => Some(&point.args[..]),
                _ => None,
            })
        }
    }
}

/// The component or binding of a type or of those that it extends.
pub fn inherited(doc: &Document, owner: SymbolId, id: &str) -> Option<SymbolId> {
    doc.lineage(owner).into_iter().find_map(|ty| match doc.role(ty) {
        Some(Role::DerivedType { scope, .. }) => doc.symbol_in(*scope, id),
        _ => None,
    })
}
