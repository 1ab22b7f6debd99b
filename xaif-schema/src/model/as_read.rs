//! What a XAIF 1.0 document spelt in a way that the model does not need to know.
//!
//! The model holds meanings; XAIF leaves some spellings open: local vertex and edge ids, listing
//! order of edges, `true` or `1`, annotations, an attribute that is written although it has its
//! default. The reader notes here only what differs from how the writer would spell it, so that a
//! XAIF 1.0 document is written again as it was, and our own documents leave this table empty.
//! A stage that makes new entities need not know of it.
//!
//! An attribute is noted with the text that the writer would have written for the value that was
//! read. The noted spelling is used for as long as the writer would write that text: when a stage
//! changes the value, the note no longer applies, and nothing stale is written.

use std::collections::HashMap;

use super::{EdgeId, ExprId, ProcId, RefId, ScopeId, StmtId, SymbolId, VertexId};

/// The spellings; empty for documents of our own dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsRead {
    /// Whether the document was read from XML without declarations in our namespace.
    pub(crate) xaif_1: bool,
    /// Distinct spellings; documents repeat few of them.
    pub(crate) spellings: Vec<Spelling>,
    /// The spelling of an element, as an index into `spellings`.
    pub(crate) elements: HashMap<Key, u32>,
    /// The order in which the children of an element are listed.
    pub(crate) orders: HashMap<Key, Vec<Listed>>,
}

impl AsRead {
    /// The spelling of the element `key`.
    pub(crate) fn spelling(&self, key: Key) -> Option<&Spelling> {
        if self.elements.is_empty() {
            return None;
        }
        self.spellings.get(*self.elements.get(&key)? as usize)
    }
}

/// How one element is spelt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Spelling {
    /// Another name of the element (`If` for a branch), or a word for another form of it.
    pub(crate) form: Option<&'static str>,
    /// Attributes.
    pub(crate) attributes: Vec<SpeltAttribute>,
}

/// How one attribute is spelt; `None` is its absence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SpeltAttribute {
    /// The name, with its prefix.
    pub(crate) name: Box<str>,
    /// What the writer would write.
    pub(crate) canonical: Option<Box<str>>,
    /// What stands in the document.
    pub(crate) raw: Option<Box<str>>,
}

/// An element of a document, by the entity that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// The root.
    CallGraph,
    /// `ScopeHierarchy`.
    ScopeHierarchy,
    /// A scope.
    Scope(ScopeId),
    /// The edge to a scope's parent.
    ScopeEdge(ScopeId),
    /// A symbol.
    Symbol(SymbolId),
    /// A set map: alias, DU/UD, DO.
    Map(u8),
    /// A member of a set of a map: map, set, member.
    Member(u8, u32, u32),
    /// A procedure.
    Proc(ProcId),
    /// The list of its dummy arguments.
    ArgumentList(ProcId),
    /// A dummy argument.
    Dummy(ProcId, u32),
    /// A fragment of a replacement list (0 for the body of a procedure).
    Cfg(ProcId, u32),
    /// A vertex of such a fragment.
    Vertex(ProcId, u32, VertexId),
    /// An edge of such a fragment.
    Edge(ProcId, u32, EdgeId),
    /// An edge of the call graph.
    Call(u32),
    /// A statement.
    Stmt(StmtId),
    /// An actual argument of a call statement.
    Argument(StmtId, u32),
    /// The arguments of a function call that are children of it.
    FunctionArguments(ExprId),
    /// An expression node that is no reference.
    Expr(ExprId),
    /// The edge to an operand: operator and number of the operand.
    Operand(ExprId, u32),
    /// A reference.
    Ref(RefId),
    /// A vertex of a reference: 0 is the symbol, then the parts.
    RefVertex(RefId, u32),
    /// An edge of a reference.
    RefEdge(RefId, u32),
    /// A subscript of a part of a reference.
    Subscript(RefId, u32, u32),
    /// A property of the symbol of a reference.
    Property(RefId, u32),
}

/// One child in a list of vertices and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Listed {
    /// The vertex (scope, procedure, expression node) with this number.
    Vertex(u32),
    /// The edge with this number; for an expression, operator and number of the operand.
    Edge(u32, u32),
}
