//! The typed ids of a document.
//!
//! Every entity of a document stands in one arena of the [`Document`](super::Document) and is
//! named by an id of its own type. The `Display` of an id is what messages, dumps and tests print.

use cranelift_entity::entity_impl;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(u32);
            entity_impl!($name, $prefix);
        )*
    };
}

ids! {
    /// A source file that the document was made from.
    FileId "file"
    /// A scope: global, module, procedure, derived type, BLOCK and so on.
    ScopeId "scope"
    /// A symbol of some scope.
    SymbolId "sym"
    /// A type that a pointer points to.
    TypeId "type"
    /// A procedure: a control flow graph, an interface body, or a replacement list.
    ProcId "proc"
    /// A vertex of one control flow graph; unique within its procedure only.
    VertexId "v"
    /// An edge of one control flow graph; unique within its procedure only.
    EdgeId "edge"
    /// A statement.
    StmtId "s"
    /// A node of an expression.
    ExprId "e"
    /// One occurrence of a reference to a variable.
    RefId "r"
}
