//! Scopes and symbols.
//!
//! Declarations may name symbols of scopes that come later, so the scope hierarchy is read twice:
//! first what XAIF 1.0 says, which gives every scope and symbol its id, then our declarations.

use std::borrow::Cow;

use super::{Ns, Read, Reader, Tag, Unique, fault, is_number};
use crate::diag::Code;
use crate::model::{
    EntityRef, Key, Listed, Place, Scope, ScopeId, ScopeKind, Symbol, SymbolId, SymbolKind,
    TypeClass,
};
use crate::xml::words::SHAPES;

/// An edge of the scope hierarchy: tag, source, target, and what it is among the children.
type ScopeEdge<'a> = (Tag<'a>, Cow<'a, str>, Cow<'a, str>);

impl<'a> Reader<'a> {
    pub(super) fn scope_hierarchy(&mut self, mut hierarchy: Tag<'a>) -> Read<()> {
        self.keep_annotation(&mut hierarchy)?;
        hierarchy.finish()?;
        let again = self.input.clone();
        let mut edges: Vec<ScopeEdge<'a>> = Vec::new();
        let mut listed = Vec::new();
        let mut edge_ids = Unique::new("edge_id");
        while let Some(mut tag) = self.input.child()? {
            match (tag.ns, tag.name) {
                (Ns::Xaif, "Scope") => {
                    listed.push(Listed::Vertex(self.doc.scopes.len() as u32));
                    self.scope(tag)?;
                }
                (Ns::Xaif, "ScopeEdge") => {
                    listed.push(Listed::Edge(edges.len() as u32, 0));
                    edge_ids.edge(&mut tag, edges.len() + 1)?;
                    let (source, target) = (tag.text("source")?, tag.text("target")?);
                    self.keep_annotation(&mut tag)?;
                    tag.finish()?;
                    self.input.leaf("ScopeEdge")?;
                    edges.push((tag, source, target));
                }
                _ => return tag.unexpected("ScopeHierarchy"),
            }
        }
        self.link_scopes(edges, listed, hierarchy.offset)?;
        if self.input.own {
            let after = std::mem::replace(&mut self.input, again);
            self.declarations()?;
            self.input = after;
        }
        Ok(())
    }

    fn scope(&mut self, mut tag: Tag<'a>) -> Read<()> {
        let number = self.doc.scopes.len() + 1;
        let id = match tag.text_opt("vertex_id")? {
            Some(id) => id,
            None => {
                tag.note("vertex_id", Some("1"), None);
                "1".into()
            }
        };
        let mut scope = Scope::new(None, ScopeKind::Plain, Place::default());
        scope.id = (!is_number(&id, number)).then(|| (*id).into());
        let offset = tag.offset;
        self.positions.scopes.push(offset as u32);
        let scope = self.doc.scopes.push(scope);
        if self.scopes.insert(id.clone(), scope).is_some() {
            let message = format!("the vertex_id `{id}` is used by two scopes");
            return fault(Code::DUPLICATE_ID, offset, message);
        }
        self.keep_annotation(&mut tag)?;
        tag.finish_plain()?;
        self.note(tag, Key::Scope(scope));
        let mut tables = 0;
        while let Some(tag) = self.input.child()? {
            match (tag.ns, tag.name) {
                (Ns::Xaif, "SymbolTable") => {
                    tables += 1;
                    tag.finish()?;
                    self.symbol_table(scope)?;
                }
                (Ns::Ox, _) => self.input.skip()?,
                _ => return tag.unexpected("Scope"),
            }
        }
        match tables {
            1 => Ok(()),
            0 => fault(Code::MISSING_ELEMENT, offset, "the scope has no `SymbolTable`"),
            _ => fault(Code::UNKNOWN_ELEMENT, offset, "the scope has more than one `SymbolTable`"),
        }
    }

    fn symbol_table(&mut self, scope: ScopeId) -> Read<()> {
        while let Some(tag) = self.input.child()? {
            self.expect(&tag, Ns::Xaif, "Symbol", "SymbolTable")?;
            self.symbol(tag, scope)?;
        }
        Ok(())
    }

    fn symbol(&mut self, mut tag: Tag<'a>, scope: ScopeId) -> Read<()> {
        let offset = tag.offset;
        let id = tag.text("symbol_id")?;
        let kind = tag.word_or("kind", SymbolKind::Variable)?;
        let class = tag.word_or("type", TypeClass::Real)?;
        let fe_type = tag.text_opt("feType")?.map(Into::into);
        let rank = shape(&mut tag, class)?;
        let active = tag.flag("active")?;
        let temp = tag.flag("temp")?;
        let pointer = tag.flag("pointer")?;
        self.keep_annotation(&mut tag)?;
        tag.finish_plain()?;
        let mut bounds = Vec::new();
        while let Some(mut child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Xaif, "DimensionBounds") => {
                    let lower = child.number_required("lower")?;
                    bounds.push((lower, child.number_required("upper")?));
                    child.finish()?;
                    self.input.leaf("DimensionBounds")?;
                }
                (Ns::Ox, _) => self.input.skip()?,
                _ => return child.unexpected("Symbol"),
            }
        }
        let symbol = self.doc.symbols.push(Symbol {
            id: (*id).into(),
            scope,
            kind,
            class,
            fe_type,
            rank,
            bounds,
            active,
            temp,
            pointer,
            decl: None,
        });
        self.positions.symbols.push(offset as u32);
        self.doc.scopes[scope].symbols.push(symbol);
        self.note(tag, Key::Symbol(symbol));
        match self.symbols.insert((scope, id), symbol) {
            None => Ok(()),
            Some(_) => {
                let id = &self.doc.symbols[symbol].id;
                let message = format!("the scope has two symbols `{id}`");
                fault(Code::DUPLICATE_ID, offset, message)
            }
        }
    }

    /// Turns edges into parents and checks that they make a tree.
    fn link_scopes(
        &mut self,
        edges: Vec<ScopeEdge<'a>>,
        listed: Vec<Listed>,
        offset: usize,
    ) -> Read<()> {
        let mut children = Vec::with_capacity(edges.len());
        for (tag, source, target) in edges {
            let find = |id: &str| match self.scopes.get(id) {
                Some(scope) => Ok(*scope),
                None => {
                    let message = format!("there is no scope `{id}`");
                    fault(Code::DANGLING_EDGE, tag.offset, message)
                }
            };
            let (child, parent) = (find(&source)?, find(&target)?);
            if self.doc.scopes[child].parent.replace(parent).is_some() {
                let message = format!("the scope `{source}` has two parents");
                return fault(Code::SCOPE_TREE, tag.offset, message);
            }
            self.note(tag, Key::ScopeEdge(child));
            children.push(child);
        }
        self.doc.forget_nest();
        self.check_tree(offset)?;
        let order = listed.into_iter().map(|item| match item {
            Listed::Edge(edge, _) => Listed::Edge(children[edge as usize].as_u32(), 0),
            Listed::Vertex(_) => item,
        });
        let canonical = self.doc.scopes.iter().flat_map(|(id, scope)| {
            let edge = scope.parent.map(|_| Listed::Edge(id.as_u32(), 0));
            std::iter::once(Listed::Vertex(id.as_u32())).chain(edge)
        });
        let order: Vec<Listed> = order.collect();
        if !canonical.eq(order.iter().copied()) {
            self.doc.as_read.orders.insert(Key::ScopeHierarchy, order);
        }
        Ok(())
    }

    fn check_tree(&self, offset: usize) -> Read<()> {
        let mut roots = self.doc.scopes.iter().filter(|(_, scope)| scope.parent.is_none());
        let (Some((root, _)), None) = (roots.next(), roots.next()) else {
            return fault(
                Code::SCOPE_TREE,
                offset,
                "exactly one scope, the global one, must have no edge to a parent",
            );
        };
        // 0 not seen, 1 on the way, 2 leads to the root.
        let mut state = vec![0u8; self.doc.scopes.len()];
        state[root.index()] = 2;
        for start in self.doc.scopes.keys() {
            let mut path = Vec::new();
            let mut at = start;
            while state[at.index()] == 0 {
                state[at.index()] = 1;
                path.push(at);
                let Some(parent) = self.doc.scopes[at].parent else { break };
                at = parent;
            }
            if state[at.index()] == 1 {
                return fault(Code::SCOPE_TREE, offset, "the edges of the scopes make a circle");
            }
            for scope in path {
                state[scope.index()] = 2;
            }
        }
        Ok(())
    }

    /// The second reading: what our namespace says about scopes and symbols.
    fn declarations(&mut self) -> Read<()> {
        let (mut scope, mut symbol) = (0, 0);
        while let Some(mut tag) = self.input.child()? {
            if tag.name != "Scope" {
                self.input.skip()?;
                continue;
            }
            let id = ScopeId::from_u32(scope);
            scope += 1;
            self.scope_declaration(&mut tag, id)?;
            while let Some(tag) = self.input.child()? {
                match tag.name {
                    "SymbolTable" => {
                        while let Some(tag) = self.input.child()? {
                            self.symbol_declaration(tag, SymbolId::from_u32(symbol))?;
                            symbol += 1;
                        }
                    }
                    "Specification" => self.doc.scopes[id].items = self.spec_items(tag)?,
                    "Contains" => self.doc.scopes[id].contains = self.spec_items(tag)?,
                    _ => return tag.unexpected("Scope"),
                }
            }
        }
        Ok(())
    }

    fn scope_declaration(&mut self, tag: &mut Tag<'a>, id: ScopeId) -> Read<()> {
        let symbol = self.own_symbol_opt(tag, "symbol")?;
        let parent = self.own_symbol_opt(tag, "parent")?;
        let place = self.place(tag, "at")?;
        let end = self.place(tag, "end")?;
        let provided = tag.own_flag("provided")?;
        let kind = match (tag.own_text("kind")?.as_deref(), symbol, parent) {
            (None, None, None) => ScopeKind::Plain,
            (Some("global"), None, None) => ScopeKind::Global,
            (Some("module"), Some(symbol), None) => ScopeKind::Module(symbol),
            (Some("submodule"), Some(symbol), Some(parent)) => {
                ScopeKind::Submodule { symbol, parent }
            }
            (Some("procedure"), Some(symbol), None) => ScopeKind::Procedure(symbol),
            (Some("block-data"), Some(symbol), None) => ScopeKind::BlockData(symbol),
            (Some("derived-type"), Some(symbol), None) => ScopeKind::DerivedType(symbol),
            (Some("block"), None, None) => ScopeKind::Block,
            (Some("associate"), None, None) => ScopeKind::Associate,
            (Some("indices"), None, None) => ScopeKind::Indices,
            (Some("statement-function"), Some(symbol), None) => {
                ScopeKind::StatementFunction(symbol)
            }
            _ => return tag.bad("the kind of the scope does not go with its symbols"),
        };
        let scope = &mut self.doc.scopes[id];
        scope.kind = kind;
        scope.provided = provided;
        scope.place = place.unwrap_or_default();
        scope.end = end.unwrap_or(scope.place);
        tag.finish_own()
    }

    fn symbol_declaration(&mut self, mut tag: Tag<'a>, id: SymbolId) -> Read<()> {
        if let Some(rank) = tag.own_number("rank")? {
            self.doc.symbols[id].rank = Some(rank);
        }
        tag.finish_own()?;
        while let Some(tag) = self.input.child()? {
            match (tag.ns, tag.name) {
                (Ns::Ox, "Decl") => {
                    let decl = self.decl(tag, id)?;
                    self.doc.symbols[id].decl = Some(Box::new(decl));
                }
                (Ns::Ox, _) => return tag.unexpected("Symbol"),
                _ => self.input.skip()?,
            }
        }
        Ok(())
    }
}

/// The number of dimensions; a subroutine has no shape unless one is written.
fn shape(tag: &mut Tag<'_>, class: TypeClass) -> Read<Option<u8>> {
    let default = if class == TypeClass::Void { "void" } else { "scalar" };
    let Some(text) = tag.text_opt("shape")? else {
        return Ok((class != TypeClass::Void).then_some(0));
    };
    let rank = match SHAPES.iter().position(|shape| **shape == *text) {
        Some(rank) => Some(rank as u8),
        None if text == "void" => None,
        None => return tag.bad(format!("`shape` cannot be `{text}`")),
    };
    if text == default {
        tag.note("shape", None, Some(&text));
    }
    Ok(rank)
}
