//! References: a symbol and its selectors.
//!
//! XAIF writes a reference as a small graph. Here its vertices must form a chain as they are
//! listed, from the symbol through the selectors.

use std::borrow::Cow;

use super::{Ns, Read, Reader, Tag, fault};
use crate::diag::Code;
use crate::model::{Key, Part, Place, RefId, Reference, Subscript, SymbolId, Ty};
use crate::xml::graph::{section_elements, section_form};
use crate::xml::value::parse_flag;

impl<'a> Reader<'a> {
    /// The reference that is the element `tag`, to its end. `vertex` is what the writer writes as
    /// its `vertex_id`, if anything.
    pub(super) fn reference(&mut self, mut tag: Tag<'a>, vertex: Option<usize>) -> Read<RefId> {
        let id = tag.text_opt("vertex_id")?;
        match vertex {
            Some(number) => tag.note_id("vertex_id", number, id.as_deref()),
            None => tag.note("vertex_id", None, id.as_deref()),
        }
        self.reference_with(tag)
    }

    /// The same after `vertex_id` has been taken.
    pub(super) fn reference_with(&mut self, mut tag: Tag<'a>) -> Read<RefId> {
        let mut reference =
            Reference::whole(SymbolId::from_u32(0), Ty::default(), Place::default());
        self.reference_values(&mut tag, &mut reference)?;
        tag.finish()?;
        let id = self.reference_content(reference, tag.offset, None, tag.name)?;
        self.note(tag, Key::Ref(id));
        Ok(id)
    }

    /// The attributes of a reference.
    pub(super) fn reference_values(
        &mut self,
        tag: &mut Tag<'a>,
        reference: &mut Reference,
    ) -> Read<()> {
        reference.active = tag.active_use("active")?;
        reference.alias = tag.number("alias")?;
        reference.du_ud = tag.number("du_ud")?;
        if let Some(own) = tag.own_number("chain")? {
            reference.du_ud = Some(own);
        }
        reference.deriv = tag.flag_or_false("deriv")?;
        reference.constant = tag.flag("constant")?;
        reference.live = match tag.name {
            "AssignmentLHS" => tag.flag("live")?,
            _ => tag
                .own("live")?
                .map(|(text, offset)| parse_flag("live", &text, offset))
                .transpose()?,
        };
        reference.ty = self.ty(tag, "ty")?;
        reference.place = self.at(tag)?;
        self.keep_annotation(tag)
    }

    /// The content of a reference, to the end of its element. The first child may have been read.
    pub(super) fn reference_content(
        &mut self,
        mut reference: Reference,
        offset: usize,
        first: Option<Tag<'a>>,
        parent: &str,
    ) -> Read<RefId> {
        let mut content = Content::default();
        let mut next = match first {
            Some(first) => Some(first),
            None => self.input.child()?,
        };
        while let Some(child) = next {
            match (child.ns, child.name) {
                (Ns::Xaif, "VariableReferenceEdge") => self.reference_edge(child, &mut content)?,
                _ => self.reference_vertex(child, parent, &mut content)?,
            }
            next = self.input.child()?;
        }
        let Some(base) = content.base else {
            return fault(Code::MISSING_ELEMENT, offset, "the reference names no symbol");
        };
        content.check_chain(offset)?;
        reference.base = base;
        reference.parts = content.parts.into();
        let id = self.doc.refs.push(reference);
        self.positions.refs.push(offset as u32);
        for (i, tag) in content.vertices.into_iter().enumerate() {
            self.note(tag, Key::RefVertex(id, i as u32));
        }
        for (i, (tag, ..)) in content.edges.into_iter().enumerate() {
            self.note(tag, Key::RefEdge(id, i as u32 + 1));
        }
        for (i, tag) in content.properties.into_iter().enumerate() {
            self.note(tag, Key::Property(id, i as u32));
        }
        for (part, subscript, form) in content.forms {
            self.note_form(Key::Subscript(id, part, subscript), form);
        }
        Ok(id)
    }

    fn reference_edge(&mut self, mut tag: Tag<'a>, content: &mut Content<'a>) -> Read<()> {
        let Some(id) = tag.text_opt("edge_id")? else { return tag.missing("edge_id") };
        tag.note_id("edge_id", content.edges.len() + 1, Some(&id));
        let (source, target) = (tag.text("source")?, tag.text("target")?);
        self.keep_annotation(&mut tag)?;
        tag.finish()?;
        self.input.leaf("VariableReferenceEdge")?;
        content.edges.push((tag, source, target));
        Ok(())
    }

    fn reference_vertex(
        &mut self,
        mut tag: Tag<'a>,
        parent: &str,
        content: &mut Content<'a>,
    ) -> Read<()> {
        let known = matches!(
            (tag.ns, tag.name),
            (Ns::Xaif, "SymbolReference" | "ArrayElementReference")
                | (Ns::Ox, "Component" | "Substring" | "Inquiry" | "Deref")
        );
        let symbol = tag.name == "SymbolReference";
        if !known {
            return tag.unexpected(parent);
        }
        if symbol == content.base.is_some() {
            let message = "a reference names its symbol first, once, and then its selectors";
            return fault(Code::EXPRESSION_GRAPH, tag.offset, message);
        }
        let id = tag.text_opt("vertex_id")?;
        tag.note_id("vertex_id", content.vertices.len() + 1, id.as_deref());
        content.ids.push(id.unwrap_or(Cow::Borrowed("1")));
        self.keep_annotation(&mut tag)?;
        if symbol {
            content.base = Some(self.symbol_attributes(&mut tag)?);
            tag.finish()?;
            while let Some(mut child) = self.input.child()? {
                self.expect(&child, Ns::Xaif, "SymbolReferenceProperty", "SymbolReference")?;
                child.keep("name")?;
                child.keep("value")?;
                child.finish()?;
                self.input.leaf("SymbolReferenceProperty")?;
                content.properties.push(child);
            }
        } else {
            let part = self.part(&mut tag, content)?;
            content.parts.push(part);
        }
        content.vertices.push(tag);
        Ok(())
    }

    fn part(&mut self, tag: &mut Tag<'a>, content: &mut Content<'a>) -> Read<Part> {
        match tag.name {
            "ArrayElementReference" => {
                tag.finish()?;
                self.elements(content)
            }
            "Component" => {
                let name = tag.own_name_required("name")?.into();
                let symbol = self.own_symbol_opt(tag, "symbol")?;
                tag.finish()?;
                self.input.leaf("Component")?;
                Ok(Part::Component { symbol, name })
            }
            "Substring" => {
                tag.finish()?;
                let (mut lower, mut upper) = (None, None);
                while let Some(child) = self.input.child()? {
                    match (child.ns, child.name) {
                        (Ns::Ox, "Lower") => lower = Some(self.boxed_expr(child)?),
                        (Ns::Ox, "Upper") => upper = Some(self.boxed_expr(child)?),
                        _ => return child.unexpected("Substring"),
                    }
                }
                Ok(Part::Substring { lower, upper })
            }
            "Inquiry" => {
                let name = tag.own_name_required("name")?.into();
                tag.finish()?;
                self.input.leaf("Inquiry")?;
                Ok(Part::Inquiry(name))
            }
            _ => {
                tag.finish()?;
                self.input.leaf("Deref")?;
                Ok(Part::Deref)
            }
        }
    }

    fn elements(&mut self, content: &mut Content<'a>) -> Read<Part> {
        let part = content.parts.len() as u32 + 1;
        let mut subscripts = Vec::new();
        while let Some(child) = self.input.child()? {
            let number = subscripts.len() as u32;
            subscripts.push(match (child.ns, child.name) {
                (Ns::Xaif, "IndexTriplet") => self.index_triplet(child, part, number, content)?,
                (Ns::Xaif, "Index") => {
                    content.forms.push((part, number, "Index"));
                    Subscript::Index(self.boxed_expr(child)?)
                }
                _ => return child.unexpected("ArrayElementReference"),
            });
        }
        Ok(Part::Elements(subscripts))
    }

    fn index_triplet(
        &mut self,
        tag: Tag<'a>,
        part: u32,
        number: u32,
        content: &mut Content<'a>,
    ) -> Read<Subscript> {
        tag.finish()?;
        let (mut index, mut bound, mut stride) = (None, None, None);
        while let Some(child) = self.input.child()? {
            let which = match (child.ns, child.name) {
                (Ns::Xaif, "Index") if bound.is_none() && stride.is_none() => &mut index,
                (Ns::Xaif, "Bound") if stride.is_none() => &mut bound,
                (Ns::Xaif, "Stride") => &mut stride,
                _ => return child.unexpected("IndexTriplet"),
            };
            if which.is_some() {
                return child.unexpected("IndexTriplet");
            }
            child.finish()?;
            *which = Some(self.expr(&child)?);
        }
        Ok(match (index, bound, stride) {
            (Some(Some(index)), None, None) => Subscript::Index(index),
            (lower, upper, stride) => {
                let there = [lower.is_some(), upper.is_some(), stride.is_some()];
                let (lower, upper, stride) = (lower.flatten(), upper.flatten(), stride.flatten());
                if there != section_elements(lower, upper, stride) {
                    content.forms.push((part, number, section_form(there)));
                }
                Subscript::Section { lower, upper, stride }
            }
        })
    }
}

/// What stands inside a reference.
#[derive(Default)]
struct Content<'a> {
    base: Option<SymbolId>,
    parts: Vec<Part>,
    ids: Vec<Cow<'a, str>>,
    vertices: Vec<Tag<'a>>,
    edges: Vec<(Tag<'a>, Cow<'a, str>, Cow<'a, str>)>,
    properties: Vec<Tag<'a>>,
    /// Forms of subscripts: part, subscript, form.
    forms: Vec<(u32, u32, &'static str)>,
}

impl<'a> Content<'a> {
    /// Checks that the edges lead from the symbol through the selectors as they are listed.
    fn check_chain(&self, offset: usize) -> Read<()> {
        for (edge, source, target) in &self.edges {
            for end in [source, target] {
                if !self.ids.contains(end) {
                    let message = format!("there is no vertex `{end}` in the reference");
                    return fault(Code::DANGLING_EDGE, edge.offset, message);
                }
            }
        }
        let steps = self.ids.windows(2);
        let chained = self.edges.len() == self.parts.len()
            && steps.zip(&self.edges).all(|(ids, edge)| ids[0] == edge.1 && ids[1] == edge.2);
        if chained {
            return Ok(());
        }
        let message = "the edges of the reference must lead from its symbol through its selectors";
        fault(Code::EXPRESSION_GRAPH, offset, message)
    }
}
