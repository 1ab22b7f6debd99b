//! Where the entities of a document stand in the XML text.

use std::collections::HashMap;
use std::sync::Arc;

use crate::diag::Spot;
use crate::model::{EdgeId, EntityRef, ExprId, ProcId, RefId, ScopeId, StmtId, SymbolId, VertexId};
use crate::xml::fault::line_and_column;

/// Where the entities of a document stand in the XML text that it was read from.
#[derive(Clone, Debug, Default)]
pub struct Positions<'t> {
    text: &'t str,
    file: Arc<str>,
    noted: bool,
    pub(super) scopes: Vec<u32>,
    pub(super) symbols: Vec<u32>,
    pub(super) procs: Vec<u32>,
    pub(super) stmts: Vec<u32>,
    pub(super) exprs: Vec<u32>,
    pub(super) refs: Vec<u32>,
    pub(super) vertices: HashMap<(ProcId, u32, VertexId), u32>,
    pub(super) edges: HashMap<(ProcId, u32, EdgeId), u32>,
}

impl<'t> Positions<'t> {
    pub(super) fn new(text: &'t str, file: &str, noted: bool) -> Self {
        Positions { text, file: file.into(), noted, ..Positions::default() }
    }

    /// Whether places are noted at all.
    pub(super) fn noted(&self) -> bool {
        self.noted
    }

    fn spot(&self, offset: Option<&u32>) -> Option<Spot> {
        let (line, column) = line_and_column(self.text, *offset? as usize);
        Some(Spot::new(self.file.clone(), line, column))
    }

    /// The document as a whole.
    pub fn document(&self) -> Spot {
        Spot::new(self.file.clone(), 0, 0)
    }

    /// The start tag of a scope.
    pub fn scope(&self, id: ScopeId) -> Option<Spot> {
        self.spot(self.scopes.get(id.index()))
    }

    /// The start tag of a symbol.
    pub fn symbol(&self, id: SymbolId) -> Option<Spot> {
        self.spot(self.symbols.get(id.index()))
    }

    /// The start tag of a procedure.
    pub fn procedure(&self, id: ProcId) -> Option<Spot> {
        self.spot(self.procs.get(id.index()))
    }

    /// The start tag of a statement.
    pub fn stmt(&self, id: StmtId) -> Option<Spot> {
        self.spot(self.stmts.get(id.index()))
    }

    /// The start tag of a node of an expression.
    pub fn expr(&self, id: ExprId) -> Option<Spot> {
        self.spot(self.exprs.get(id.index()))
    }

    /// The start tag of a reference.
    pub fn reference(&self, id: RefId) -> Option<Spot> {
        self.spot(self.refs.get(id.index()))
    }

    /// The start tag of a vertex; `fragment` is 0 but in a replacement list.
    pub fn vertex(&self, proc: ProcId, fragment: u32, id: VertexId) -> Option<Spot> {
        self.spot(self.vertices.get(&(proc, fragment, id)))
    }

    /// The start tag of an edge; `fragment` is 0 but in a replacement list.
    pub fn edge(&self, proc: ProcId, fragment: u32, id: EdgeId) -> Option<Spot> {
        self.spot(self.edges.get(&(proc, fragment, id)))
    }
}
