//! Expressions and references.
//!
//! XAIF lists the nodes and edges of an expression in any order. They are gathered in a flat
//! buffer; at the end of the element the edges are followed from the root, without recursion, and
//! nodes go into the document operands first.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Ns, Read, Reader, Tag, fault, is_number};
use crate::diag::Code;
use crate::model::{
    Arg, ArgValue, BoolOp, Callee, Constant, ConstantClass, ConstantKind, Expr, ExprId, ExprKind,
    FunctionCall, ImpliedDo, IndexRange, Key, Listed, Operand, Part, Place, RefId, Reference,
    Subscript, SymbolId, Ty, TypeSpec,
};
use crate::xml::graph::{section_elements, section_form};
use crate::xml::input::{parse_flag, parse_number};
use crate::xml::words::{Word, result_words};

/// A node whose operands are not known yet.
struct Node<'a> {
    id: Cow<'a, str>,
    offset: usize,
    kind: NodeKind,
    ty: Ty,
    place: Place,
    parens: bool,
    tag: Option<Tag<'a>>,
}

enum NodeKind {
    /// Complete as it is, without operands.
    Leaf(ExprKind),
    Intrinsic {
        name: Box<str>,
        spelling: Option<Box<str>>,
    },
    Boolean(BoolOp),
    Call(Callee, Vec<Arg>),
    ArrayConstructor(Option<Box<TypeSpec>>),
    ImpliedDo(SymbolId),
    StructureConstructor(Box<TypeSpec>),
}

struct Edge<'a> {
    source: usize,
    target: usize,
    position: u32,
    named: bool,
    keyword: Option<Box<str>>,
    role: Option<Role>,
    tag: Option<Tag<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Lower,
    Upper,
    Step,
}

/// The nodes and edges of one expression.
#[derive(Default)]
pub(super) struct Buffer<'a> {
    nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
    /// Ends of the edges as written, until all nodes are known.
    ends: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Whether each child was an edge.
    listed: Vec<bool>,
}

impl<'a> Reader<'a> {
    /// The expression that is the content of `tag`, to its end; it must not be empty.
    pub(super) fn boxed_expr(&mut self, tag: Tag<'a>) -> Read<ExprId> {
        tag.finish()?;
        match self.expr(&tag)? {
            Some(root) => Ok(root),
            None => {
                let message = format!("`{}` holds no expression", tag.name);
                fault(Code::EXPRESSION_GRAPH, tag.offset, message)
            }
        }
    }

    /// The expression that is the content of `parent`, to its end; `None` if it is empty.
    pub(super) fn expr(&mut self, parent: &Tag<'a>) -> Read<Option<ExprId>> {
        let first = self.input.child()?;
        self.expr_from(first, parent)
    }

    /// The same when the first child has been read already.
    pub(super) fn expr_from(
        &mut self,
        first: Option<Tag<'a>>,
        parent: &Tag<'a>,
    ) -> Read<Option<ExprId>> {
        let mut buffer = self.pool.pop().unwrap_or_default();
        let mut next = first;
        while let Some(tag) = next {
            if tag.ns == Ns::Xaif && tag.name == "ExpressionEdge" {
                buffer.listed.push(true);
                self.expression_edge(tag, &mut buffer)?;
            } else {
                buffer.listed.push(false);
                let node = self.node(tag, parent, &mut buffer)?;
                buffer.nodes.push(node);
            }
            next = self.input.child()?;
        }
        let root = match (buffer.nodes.len(), buffer.edges.len()) {
            (0, 0) => None,
            _ => Some(self.assemble(&mut buffer, parent)?),
        };
        buffer.nodes.clear();
        buffer.edges.clear();
        buffer.ends.clear();
        buffer.listed.clear();
        self.pool.push(buffer);
        Ok(root)
    }

    fn expression_edge(&mut self, mut tag: Tag<'a>, buffer: &mut Buffer<'a>) -> Read<()> {
        let Some(id) = tag.text_opt("edge_id")? else { return tag.missing("edge_id") };
        tag.note_id("edge_id", buffer.edges.len() + 1, Some(&id));
        buffer.ends.push((tag.text("source")?, tag.text("target")?));
        let position = tag.number_required("position")?;
        let named = tag.own_flag("named")?;
        let keyword = tag.own_text("keyword")?.map(Into::into);
        let role = match tag.own_text("role")?.as_deref() {
            None => None,
            Some("lower") => Some(Role::Lower),
            Some("upper") => Some(Role::Upper),
            Some("step") => Some(Role::Step),
            Some(_) => return tag.bad("`role` is `lower`, `upper` or `step`"),
        };
        self.keep_annotation(&mut tag)?;
        tag.finish()?;
        self.input.leaf("ExpressionEdge")?;
        let (source, target) = (0, 0);
        let tag = Some(tag);
        buffer.edges.push(Edge { source, target, position, named, keyword, role, tag });
        Ok(())
    }

    fn node(
        &mut self,
        mut tag: Tag<'a>,
        parent: &Tag<'a>,
        buffer: &mut Buffer<'a>,
    ) -> Read<Node<'a>> {
        let number = buffer.nodes.len() + 1;
        let id = match (tag.ns, tag.name) {
            (Ns::Xaif, "VariableReference" | "Constant" | "Intrinsic" | "BooleanOperation")
            | (Ns::Xaif, "FunctionCall")
            | (
                Ns::Ox,
                "BooleanOperation"
                | "ArrayConstructor"
                | "ImpliedDo"
                | "StructureConstructor"
                | "Procedure"
                | "Opaque",
            ) => tag.text_opt("vertex_id")?,
            _ => return tag.unexpected(parent.name),
        };
        tag.note_id("vertex_id", number, id.as_deref());
        let id = id.unwrap_or(Cow::Borrowed("1"));
        if tag.ns == Ns::Xaif && tag.name == "VariableReference" {
            return self.variable(tag, id);
        }
        let offset = tag.offset;
        let kind = self.node_kind(&mut tag)?;
        let ty = self.ty(&mut tag, "ty")?;
        let parens = tag.own_flag("parens")?;
        let place = self.at(&mut tag)?;
        self.keep_annotation(&mut tag)?;
        if tag.ns == Ns::Xaif && tag.name == "Intrinsic" {
            tag.keep("type")?;
            self.result_attributes(&mut tag, ty)?;
        }
        tag.finish()?;
        let kind = self.node_children(&tag, kind)?;
        Ok(Node { id, offset, kind, ty, place, parens, tag: Some(tag) })
    }

    fn node_kind(&mut self, tag: &mut Tag<'a>) -> Read<NodeKind> {
        Ok(match (tag.ns, tag.name) {
            (Ns::Xaif, "Constant") => NodeKind::Leaf(ExprKind::Constant(self.constant(tag)?)),
            (Ns::Xaif, "Intrinsic") => NodeKind::Intrinsic {
                name: tag.text("name")?.into(),
                spelling: tag.own_text("spelling")?.map(Into::into),
            },
            (_, "BooleanOperation") => match tag.word::<BoolOp>("name")? {
                Some(op) if (op == BoolOp::Equivalent) == (tag.ns == Ns::Ox) => {
                    NodeKind::Boolean(op)
                }
                Some(op) => return tag.bad(format!("`{}` is not of this namespace", op.word())),
                None => return tag.missing("name"),
            },
            (Ns::Xaif, _) => {
                let symbol = self.symbol_attributes(tag)?;
                let generic = self.own_symbol_opt(tag, "generic")?;
                NodeKind::Call(Callee { symbol, generic, object: None }, Vec::new())
            }
            (_, "ArrayConstructor") => NodeKind::ArrayConstructor(None),
            (_, "ImpliedDo") => NodeKind::ImpliedDo(self.own_symbol(tag, "variable")?),
            (_, "StructureConstructor") => NodeKind::StructureConstructor(Box::new(TypeSpec::None)),
            (_, "Procedure") => {
                NodeKind::Leaf(ExprKind::Procedure(self.own_symbol(tag, "symbol")?))
            }
            (_, _) => NodeKind::Leaf(ExprKind::Opaque(tag.own_required("text")?.0.into())),
        })
    }

    /// The children of a node: types, the object of a type-bound call, arguments of XAIF 1.0.
    fn node_children(&mut self, tag: &Tag<'a>, mut kind: NodeKind) -> Read<NodeKind> {
        while let Some(child) = self.input.child()? {
            match (&mut kind, child.ns, child.name) {
                (NodeKind::ArrayConstructor(spec), Ns::Ox, "Type") => {
                    *spec = Some(Box::new(self.type_spec(child)?));
                }
                (NodeKind::StructureConstructor(spec), Ns::Ox, "Type") => {
                    *spec = Box::new(self.type_spec(child)?);
                }
                (NodeKind::Call(callee, _), Ns::Ox, "Object") => {
                    callee.object = Some(self.reference(child, None)?);
                }
                (NodeKind::Call(_, args), Ns::Xaif, "Argument") => {
                    let position = args.len() as u32 + 1;
                    let value = ArgValue::Expr(self.argument_child(child)?);
                    args.push(Arg { position, keyword: None, value });
                }
                _ => return child.unexpected(tag.name),
            }
        }
        Ok(kind)
    }

    /// An argument of a function call as XAIF 1.0 has it: a variable.
    fn argument_child(&mut self, tag: Tag<'a>) -> Read<ExprId> {
        let offset = tag.offset;
        let reference = self.reference(tag, None)?;
        let Reference { ty, place, .. } = self.doc.refs[reference];
        let kind = ExprKind::Ref(reference);
        self.positions.exprs.push(offset as u32);
        Ok(self.doc.exprs.push(Expr { kind, ty, place, parens: false }))
    }

    /// `rType` and `rShape`: in our documents they follow from the type.
    fn result_attributes(&mut self, tag: &mut Tag<'a>, ty: Ty) -> Read<()> {
        let (class, shape) = result_words(ty);
        for (name, canonical) in [("rType", class), ("rShape", shape)] {
            let raw = tag.text_opt(name)?;
            tag.note(name, canonical, raw.as_deref());
        }
        Ok(())
    }

    fn constant(&mut self, tag: &mut Tag<'a>) -> Read<Constant> {
        let class = match (tag.word::<ConstantClass>("type")?, tag.own_word("class")?) {
            (Some(class), None) => class,
            (Some(_), Some(class)) => class,
            (None, _) => return tag.missing("type"),
        };
        let fe_type = tag.text_opt("feType")?.map(Into::into);
        let text = tag.text("value")?.into();
        let kind = match tag.own("kind")? {
            None => ConstantKind::None,
            Some((text, offset)) if text.contains(':') => {
                ConstantKind::Named(self.symbol_text(text, offset)?)
            }
            Some((text, offset)) => ConstantKind::Number(parse_number("kind", &text, offset)?),
        };
        Ok(Constant { class, fe_type, text, kind })
    }

    fn variable(&mut self, mut tag: Tag<'a>, id: Cow<'a, str>) -> Read<Node<'a>> {
        let offset = tag.offset;
        let parens = tag.own_flag("parens")?;
        let value_ty = self.ty_opt(&mut tag, "value-ty")?;
        let value_place = self.place(&mut tag, "value-at")?;
        let reference = self.reference_with(tag)?;
        let Reference { ty, place, .. } = self.doc.refs[reference];
        Ok(Node {
            id,
            offset,
            kind: NodeKind::Leaf(ExprKind::Ref(reference)),
            ty: value_ty.unwrap_or(ty),
            place: value_place.unwrap_or(place),
            parens,
            tag: None,
        })
    }

    /// Follows the edges from the root and adds the nodes to the document; answers the root.
    fn assemble(&mut self, buffer: &mut Buffer<'a>, parent: &Tag<'a>) -> Read<ExprId> {
        resolve(buffer)?;
        let count = buffer.nodes.len();
        if count == 1 && buffer.edges.is_empty() {
            let Some(node) = buffer.nodes.pop() else { return parent.bad("no node") };
            return self.add_node(node, &mut [], &[]);
        }
        let root = root_of(buffer, parent)?;
        // Edges by target: those of node `n` are `by_target[first[n]..first[n + 1]]`.
        let mut first = vec![0usize; count + 1];
        for edge in &buffer.edges {
            first[edge.target + 1] += 1;
        }
        for i in 0..count {
            first[i + 1] += first[i];
        }
        let mut fill = first.clone();
        let mut by_target = vec![0usize; buffer.edges.len()];
        for (i, edge) in buffer.edges.iter().enumerate() {
            by_target[fill[edge.target]] = i;
            fill[edge.target] += 1;
        }
        for n in 0..count {
            if matches!(buffer.nodes[n].kind, NodeKind::ImpliedDo(_)) {
                by_target[first[n]..first[n + 1]].sort_by_key(|&edge| buffer.edges[edge].role);
            }
        }
        let graph = Graph { first, by_target };
        let order = postorder(buffer, &graph, root)?;
        self.add_nodes(buffer, &graph, &order, root)
    }

    /// Adds the nodes in `order` and notes how they were listed.
    fn add_nodes(
        &mut self,
        buffer: &mut Buffer<'a>,
        graph: &Graph,
        order: &[usize],
        root: usize,
    ) -> Read<ExprId> {
        let canonical = is_canonical(buffer, graph, root);
        let mut ids = vec![ExprId::from_u32(0); buffer.nodes.len()];
        let mut nodes: Vec<Option<Node<'a>>> =
            std::mem::take(&mut buffer.nodes).into_iter().map(Some).collect();
        let mut edges = std::mem::take(&mut buffer.edges);
        let mut numbers = vec![0u32; edges.len()];
        let mut operands = Vec::new();
        for &n in order {
            let Some(node) = nodes[n].take() else { continue };
            operands.clear();
            for (number, &edge) in graph.edges(n).iter().enumerate() {
                numbers[edge] = number as u32;
                operands.push((edge, ids[edges[edge].source]));
            }
            ids[n] = self.add_node(node, &mut edges, &operands)?;
        }
        for (i, edge) in edges.iter_mut().enumerate() {
            if let Some(tag) = edge.tag.take() {
                self.note(tag, Key::Operand(ids[edge.target], numbers[i]));
            }
        }
        if !canonical {
            let (mut node, mut edge) = (0, 0);
            let listed = buffer.listed.iter().map(|&is_edge| {
                if is_edge {
                    edge += 1;
                    Listed::Edge(ids[edges[edge - 1].target].as_u32(), numbers[edge - 1])
                } else {
                    node += 1;
                    Listed::Vertex(ids[node - 1].as_u32())
                }
            });
            self.doc.as_read.orders.insert(Key::Expr(ids[root]), listed.collect());
        }
        buffer.edges = edges;
        Ok(ids[root])
    }

    fn add_node(
        &mut self,
        node: Node<'a>,
        edges: &mut [Edge<'a>],
        operands: &[(usize, ExprId)],
    ) -> Read<ExprId> {
        let kind = complete(node.kind, edges, operands, node.offset)?;
        let expr = Expr { kind, ty: node.ty, place: node.place, parens: node.parens };
        let children = matches!(&expr.kind, ExprKind::Call(call) if !call.args.is_empty());
        let id = self.doc.exprs.push(expr);
        self.positions.exprs.push(node.offset as u32);
        if children && operands.is_empty() {
            self.note_form(Key::FunctionArguments(id), "Argument");
        }
        if let Some(tag) = node.tag {
            self.note(tag, Key::Expr(id));
        }
        Ok(id)
    }

    // References.

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
    fn reference_with(&mut self, mut tag: Tag<'a>) -> Read<RefId> {
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
                let name = tag.own_required("name")?.0.into();
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
                let name = tag.own_required("name")?.0.into();
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

/// Edges by the node that they lead to.
struct Graph {
    first: Vec<usize>,
    by_target: Vec<usize>,
}

impl Graph {
    fn edges(&self, node: usize) -> &[usize] {
        &self.by_target[self.first[node]..self.first[node + 1]]
    }
}

/// Finds the nodes that the edges name, and checks that ids are unique.
fn resolve(buffer: &mut Buffer<'_>) -> Read<()> {
    let counted = buffer.nodes.iter().enumerate().all(|(i, node)| is_number(&node.id, i + 1));
    let mut table: HashMap<&str, usize> = HashMap::new();
    if !counted {
        for (i, node) in buffer.nodes.iter().enumerate() {
            if table.insert(&node.id, i).is_some() {
                let message =
                    format!("the vertex_id `{}` is used twice in the expression", node.id);
                return fault(Code::DUPLICATE_ID, node.offset, message);
            }
        }
    }
    for (edge, (source, target)) in buffer.edges.iter_mut().zip(&buffer.ends) {
        let offset = edge.tag.as_ref().map_or(0, |tag| tag.offset);
        let find = |id: &str| {
            let number = || id.parse::<usize>().ok().filter(|&n| is_number(id, n));
            let found = if counted {
                number().and_then(|n| n.checked_sub(1)).filter(|&n| n < buffer.nodes.len())
            } else {
                table.get(id).copied()
            };
            match found {
                Some(node) => Ok(node),
                None => {
                    let message = format!("there is no vertex `{id}` in the expression");
                    fault(Code::DANGLING_EDGE, offset, message)
                }
            }
        };
        edge.source = find(source)?;
        edge.target = find(target)?;
    }
    Ok(())
}

/// The one node that is no operand.
fn root_of(buffer: &Buffer<'_>, parent: &Tag<'_>) -> Read<usize> {
    let mut operand = vec![false; buffer.nodes.len()];
    for edge in &buffer.edges {
        operand[edge.source] = true;
    }
    let mut roots = (0..buffer.nodes.len()).filter(|&n| !operand[n]);
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (None, _) => fault(
            Code::EXPRESSION_GRAPH,
            parent.offset,
            "the edges of the expression make a circle",
        ),
        (Some(_), Some(second)) => fault(
            Code::EXPRESSION_GRAPH,
            buffer.nodes[second].offset,
            "the expression has a second root: no edge leads from this node to an operator",
        ),
    }
}

/// The nodes from the root on, operands before operators.
fn postorder(buffer: &Buffer<'_>, graph: &Graph, root: usize) -> Read<Vec<usize>> {
    // 0 not seen, 1 on the way, 2 done.
    let mut state = vec![0u8; buffer.nodes.len()];
    let mut order = Vec::with_capacity(buffer.nodes.len());
    let mut stack = vec![(root, 0usize)];
    state[root] = 1;
    while let Some((node, next)) = stack.last_mut() {
        match graph.edges(*node).get(*next) {
            Some(&edge) => {
                *next += 1;
                let operand = buffer.edges[edge].source;
                match state[operand] {
                    0 => {
                        state[operand] = 1;
                        stack.push((operand, 0));
                    }
                    1 => {
                        let offset = buffer.nodes[operand].offset;
                        let message = "the edges of the expression make a circle";
                        return fault(Code::EXPRESSION_GRAPH, offset, message);
                    }
                    _ => (),
                }
            }
            None => {
                state[*node] = 2;
                order.push(*node);
                stack.pop();
            }
        }
    }
    match (0..state.len()).find(|&n| state[n] == 0) {
        None => Ok(order),
        Some(lost) => fault(
            Code::EXPRESSION_GRAPH,
            buffer.nodes[lost].offset,
            "the edges of the expression make a circle",
        ),
    }
}

/// Whether the writer would list nodes and edges as they are: the root first and each node before
/// its operands, then the edges, those of a node together.
fn is_canonical(buffer: &Buffer<'_>, graph: &Graph, root: usize) -> bool {
    let nodes = buffer.nodes.len();
    if buffer.listed[..nodes].iter().any(|&edge| edge) {
        return false;
    }
    let mut seen = vec![false; nodes];
    let (mut next_node, mut next_edge) = (0, 0);
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if seen[node] {
            continue;
        }
        seen[node] = true;
        if node != next_node {
            return false;
        }
        next_node += 1;
        for &edge in graph.edges(node) {
            if edge != next_edge {
                return false;
            }
            next_edge += 1;
        }
        stack.extend(graph.edges(node).iter().rev().map(|&edge| buffer.edges[edge].source));
    }
    true
}

/// The node with its operands.
fn complete(
    kind: NodeKind,
    edges: &mut [Edge<'_>],
    operands: &[(usize, ExprId)],
    offset: usize,
) -> Read<ExprKind> {
    let control = matches!(kind, NodeKind::ImpliedDo(_));
    if !control && operands.iter().any(|&(edge, _)| edges[edge].role.is_some()) {
        return fault(Code::EXPRESSION_GRAPH, offset, "only an implied DO has bounds");
    }
    Ok(match kind {
        NodeKind::Leaf(leaf) if operands.is_empty() => leaf,
        NodeKind::Leaf(_) => {
            return fault(
                Code::EXPRESSION_GRAPH,
                offset,
                "an edge leads into a node without operands",
            );
        }
        NodeKind::Intrinsic { name, spelling } => {
            ExprKind::Intrinsic { name, spelling, operands: plain(edges, operands, offset)? }
        }
        NodeKind::Boolean(op) => {
            ExprKind::Boolean { op, operands: plain(edges, operands, offset)? }
        }
        NodeKind::Call(callee, children) if operands.is_empty() => {
            ExprKind::Call(Box::new(FunctionCall { callee, args: children }))
        }
        NodeKind::Call(callee, children) if children.is_empty() => {
            ExprKind::Call(Box::new(FunctionCall { callee, args: args(edges, operands) }))
        }
        NodeKind::Call(..) => {
            let message = "the arguments of a call are either children of it or operands";
            return fault(Code::EXPRESSION_GRAPH, offset, message);
        }
        NodeKind::ArrayConstructor(spec) => {
            ExprKind::ArrayConstructor { spec, items: operands.iter().map(|o| o.1).collect() }
        }
        NodeKind::StructureConstructor(spec) => {
            ExprKind::StructureConstructor { spec, args: args(edges, operands) }
        }
        NodeKind::ImpliedDo(var) => {
            let edges = &*edges;
            let with =
                |role: Option<Role>| operands.iter().filter(move |o| edges[o.0].role == role);
            let (Some(lower), Some(upper)) =
                (with(Some(Role::Lower)).next(), with(Some(Role::Upper)).next())
            else {
                return fault(Code::EXPRESSION_GRAPH, offset, "an implied DO without bounds");
            };
            let step = with(Some(Role::Step)).next().map(|o| o.1);
            let controls = 2 + usize::from(step.is_some());
            let items: Vec<ExprId> = with(None).map(|o| o.1).collect();
            if items.len() + controls != operands.len() {
                return fault(
                    Code::EXPRESSION_GRAPH,
                    offset,
                    "an implied DO with two bounds of a kind",
                );
            }
            let control = IndexRange { var, lower: lower.1, upper: upper.1, step };
            ExprKind::ImpliedDo(Box::new(ImpliedDo { items, control }))
        }
    })
}

fn plain(
    edges: &[Edge<'_>],
    operands: &[(usize, ExprId)],
    offset: usize,
) -> Read<crate::model::Operands> {
    let operand = |&(edge, expr): &(usize, ExprId)| match u16::try_from(edges[edge].position) {
        Ok(position) => Ok(Operand { position, keyword: edges[edge].named, expr }),
        Err(_) => fault(Code::BAD_VALUE, offset, "the position of an operand is too large"),
    };
    operands.iter().map(operand).collect()
}

fn args(edges: &mut [Edge<'_>], operands: &[(usize, ExprId)]) -> Vec<Arg> {
    let arg = |&(edge, expr): &(usize, ExprId)| Arg {
        position: edges[edge].position,
        keyword: edges[edge].keyword.take(),
        value: ArgValue::Expr(expr),
    };
    operands.iter().map(arg).collect()
}
