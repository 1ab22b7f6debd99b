//! Expressions: their nodes and edges.
//!
//! XAIF lists the nodes and edges of an expression in any order. They are gathered here in a flat
//! buffer; at the end of the element [`assembly`] puts them together.

mod assembly;

use std::borrow::Cow;

use super::{Ns, Read, Reader, Tag, fault};
use crate::diag::Code;
use crate::model::{
    Arg, ArgValue, BoolOp, Callee, Constant, ConstantClass, ConstantKind, Expr, ExprId, ExprKind,
    Place, Reference, SymbolId, Ty, TypeSpec,
};
use crate::texts;
use crate::xml::value::{parse_number, shown};
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
    Call(Callee, Vec<Arg>, Option<bool>),
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
        let keyword = tag.own_name("keyword")?.map(Into::into);
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
                spelling: tag.own_name("spelling")?.map(Into::into),
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
                let active = tag.own_opt_flag("active")?;
                NodeKind::Call(Callee { symbol, generic, object: None }, Vec::new(), active)
            }
            (_, "ArrayConstructor") => NodeKind::ArrayConstructor(None),
            (_, "ImpliedDo") => NodeKind::ImpliedDo(self.own_symbol(tag, "variable")?),
            (_, "StructureConstructor") => NodeKind::StructureConstructor(Box::new(TypeSpec::None)),
            (_, "Procedure") => {
                NodeKind::Leaf(ExprKind::Procedure(self.own_symbol(tag, "symbol")?))
            }
            (_, _) => NodeKind::Leaf(ExprKind::Opaque(tag.own_piece("text")?.into())),
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
                    **spec = self.type_spec(child)?;
                }
                (NodeKind::Call(callee, ..), Ns::Ox, "Object") => {
                    callee.object = Some(self.reference(child, None)?);
                }
                (NodeKind::Call(_, args, _), Ns::Xaif, "Argument") => {
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
        let (text, offset) = tag.text_at("value")?;
        let text = text.into();
        let kind = match tag.own("kind")? {
            None => ConstantKind::None,
            Some((text, offset)) if text.contains(':') => {
                ConstantKind::Named(self.symbol_text(text, offset)?)
            }
            Some((text, offset)) => ConstantKind::Number(parse_number("kind", &text, offset)?),
        };
        let constant = Constant { class, fe_type, text, kind };
        // Only XAIF 1.0 documents have characters without quotes.
        let split = self.input.own
            && matches!(class, ConstantClass::Char | ConstantClass::String)
            && texts::looks_quoted(&constant.text)
            && !texts::is_quoted(&constant.text);
        if split || !texts::is_literal(&constant) {
            let message =
                format!("`{}` is no literal of type `{}`", shown(&constant.text), class.word());
            return fault(Code::BAD_VALUE, offset, message);
        }
        Ok(constant)
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
}
