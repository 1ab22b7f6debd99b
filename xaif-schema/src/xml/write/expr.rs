//! Expressions and references.
//!
//! An expression is written as XAIF has it: its nodes, the root first and each before its operands,
//! then its edges from operand to operator. Nothing here descends into operands by recursion, so
//! sums of ten thousand terms are no problem; only expressions inside references (subscripts) nest.

use std::collections::HashMap;
use std::io;

use super::{Id, Ids, Writer};
use crate::model::{
    ArgValue, Base, BoolOp, Callee, Constant, ConstantClass, ConstantKind, EntityRef, Expr, ExprId,
    ExprKind, FunctionCall, Key, Listed, Part, RefId, Reference, Subscript, Ty,
};
use crate::xml::graph::{Edge, operand_edges, section_elements};
use crate::xml::words::{Word, result_words};

/// Nodes and edges of an expression, in the order in which they are written.
#[derive(Default)]
pub(super) struct Listing<'a> {
    nodes: Vec<ExprId>,
    /// Operator and edge.
    edges: Vec<(ExprId, Edge<'a>)>,
    stack: Vec<ExprId>,
}

impl<'a, W: io::Write> Writer<'a, W> {
    /// The nodes and edges of the expression `root`, as content of the element that is open.
    pub(super) fn expr(&mut self, root: ExprId) {
        if self.out.is_full() {
            return;
        }
        let mut listing = self.pool.pop().unwrap_or_default();
        self.list(root, &mut listing);
        if self.doc.as_read.orders.is_empty() && self.doc.as_read.elements.is_empty() {
            for (i, &node) in listing.nodes.iter().enumerate() {
                self.node(node, Id::Number(i as u32 + 1));
            }
            for (i, (operator, edge)) in listing.edges.iter().enumerate() {
                self.edge(*operator, edge, Id::Number(i as u32 + 1), &Ids::default());
            }
        } else {
            self.expr_as_read(root, &listing);
        }
        for &node in &listing.nodes {
            self.numbers[node.index()] = 0;
        }
        listing.nodes.clear();
        listing.edges.clear();
        self.pool.push(listing);
    }

    /// Lists nodes and edges from `root`, and numbers the nodes.
    fn list(&mut self, root: ExprId, listing: &mut Listing<'a>) {
        let doc = self.doc;
        listing.stack.push(root);
        while let Some(node) = listing.stack.pop() {
            if self.numbers[node.index()] != 0 {
                continue;
            }
            listing.nodes.push(node);
            self.numbers[node.index()] = listing.nodes.len() as u32;
            if self.has_argument_children(node) {
                continue;
            }
            let edges = operand_edges(&doc.exprs[node].kind);
            listing.stack.extend(edges.iter().rev().map(|edge| edge.operand));
            listing.edges.extend(edges.into_iter().map(|edge| (node, edge)));
        }
    }

    /// Writes nodes and edges in the order and with the ids that were noted.
    fn expr_as_read(&mut self, root: ExprId, listing: &Listing<'a>) {
        let nodes = listing.nodes.iter().map(|node| Listed::Vertex(node.as_u32()));
        let item = |(node, edge): &(ExprId, Edge<'a>)| (node.as_u32(), edge.number);
        let by_item: HashMap<(u32, u32), &(ExprId, Edge<'a>)> =
            listing.edges.iter().map(|edge| (item(edge), edge)).collect();
        let edges = listing.edges.iter().map(|edge| Listed::Edge(item(edge).0, item(edge).1));
        let listed = self.in_order(Key::Expr(root), nodes.chain(edges).collect());
        let nodes = listed.iter().filter_map(|item| match item {
            Listed::Vertex(node) => Some(self.node_key(ExprId::from_u32(*node))),
            Listed::Edge(..) => None,
        });
        let nodes = Ids::noted(&self.doc.as_read, "vertex_id", nodes);
        let edges = listed.iter().filter_map(|item| match item {
            Listed::Vertex(_) => None,
            Listed::Edge(node, i) => Some(Key::Operand(ExprId::from_u32(*node), *i)),
        });
        let edges = Ids::noted(&self.doc.as_read, "edge_id", edges);
        let mut number = 0;
        for item in &listed {
            if let Listed::Vertex(node) = item {
                number += 1;
                self.numbers[*node as usize] = number;
            }
        }
        let (mut node, mut edge) = (0, 0);
        for item in listed {
            match item {
                Listed::Vertex(expr) => {
                    self.node(ExprId::from_u32(expr), nodes.get(node));
                    node += 1;
                }
                Listed::Edge(expr, i) => {
                    if let Some((operator, found)) = by_item.get(&(expr, i)) {
                        self.edge(*operator, found, edges.get(edge), &nodes);
                    }
                    edge += 1;
                }
            }
        }
    }

    fn node_key(&self, node: ExprId) -> Key {
        match self.doc.exprs[node].kind {
            ExprKind::Ref(reference) => Key::Ref(reference),
            _ => Key::Expr(node),
        }
    }

    fn edge(&mut self, operator: ExprId, edge: &Edge<'a>, id: Id<'a>, nodes: &Ids<'a>) {
        let Edge { number, operand, position, named, keyword, role } = *edge;
        let node =
            |expr: ExprId| nodes.get((self.numbers[expr.index()] as usize).saturating_sub(1));
        let (source, target) = (node(operand), node(operator));
        self.out.start_of("xaif:ExpressionEdge", Key::Operand(operator, number));
        self.id("edge_id", id);
        self.id("source", source);
        self.id("target", target);
        self.out.number("position", Some(i64::from(position)));
        self.out.own_flag("named", named);
        self.out.own_opt("keyword", keyword);
        self.out.own_opt("role", role);
        self.out.end();
    }

    fn node(&mut self, id: ExprId, number: Id<'a>) {
        let doc = self.doc;
        let expr = &doc.exprs[id];
        match &expr.kind {
            ExprKind::Constant(constant) => self.constant(id, expr, constant, number),
            ExprKind::Ref(reference) => self.variable(expr, *reference, number),
            ExprKind::Intrinsic { name, spelling, operands: _ } => {
                self.out.start_of("xaif:Intrinsic", Key::Expr(id));
                self.id("vertex_id", number);
                self.out.attribute("name", Some(name));
                let (class, shape) = result_words(expr.ty);
                self.out.attribute("rType", class);
                self.out.attribute("rShape", shape);
                self.out.own_opt("spelling", spelling.as_deref());
                self.node_attributes(expr);
            }
            ExprKind::Boolean { op: BoolOp::Equivalent, operands: _ } => {
                self.out.start("ox:BooleanOperation");
                self.id("vertex_id", number);
                self.out.own("name", BoolOp::Equivalent.word());
                self.node_attributes(expr);
            }
            ExprKind::Boolean { op, operands: _ } => {
                self.out.start_of("xaif:BooleanOperation", Key::Expr(id));
                self.id("vertex_id", number);
                self.out.attribute("name", Some(op.word()));
                self.node_attributes(expr);
            }
            ExprKind::Call(call) => {
                self.out.start_of("xaif:FunctionCall", Key::Expr(id));
                self.id("vertex_id", number);
                self.symbol_attributes(call.callee.symbol);
                self.own_symbol_opt("generic", call.callee.generic);
                self.out.own_opt_flag("active", call.active);
                self.node_attributes(expr);
                if let Some(object) = call.callee.object {
                    self.reference("ox:Object", None, object);
                }
                if self.has_argument_children(id) {
                    self.argument_children(call);
                }
                if call.args.iter().any(|arg| matches!(arg.value, ArgValue::AlternateReturn(_))) {
                    self.out.fail("an alternate return in a function reference");
                }
            }
            ExprKind::ArrayConstructor { spec, items: _ } => {
                self.own_node("ox:ArrayConstructor", number, expr);
                if let Some(spec) = spec {
                    self.type_spec(spec);
                }
            }
            ExprKind::ImpliedDo(implied) => {
                self.out.start("ox:ImpliedDo");
                self.id("vertex_id", number);
                self.own_symbol("variable", implied.control.var);
                self.node_attributes(expr);
            }
            ExprKind::StructureConstructor { spec, args: _ } => {
                self.own_node("ox:StructureConstructor", number, expr);
                self.type_spec(spec);
            }
            ExprKind::Procedure(symbol) => {
                self.out.start("ox:Procedure");
                self.id("vertex_id", number);
                self.own_symbol("symbol", *symbol);
                self.node_attributes(expr);
            }
            ExprKind::Opaque(text) => {
                self.out.start("ox:Opaque");
                self.id("vertex_id", number);
                self.out.own("text", text);
                self.node_attributes(expr);
            }
        }
        self.out.end();
    }

    /// Whether the document that was read has the arguments of this call as children of it, as
    /// XAIF 1.0 says, and they still are what it allows there: variables.
    fn has_argument_children(&self, node: ExprId) -> bool {
        let key = Key::FunctionArguments(node);
        let variable = |value: &ArgValue| match value {
            ArgValue::Expr(value) => matches!(self.doc.exprs[*value].kind, ExprKind::Ref(_)),
            ArgValue::AlternateReturn(_) => false,
        };
        self.out.as_read().spelling(key).is_some()
            && match &self.doc.exprs[node].kind {
                ExprKind::Call(call) => call.args.iter().all(|arg| variable(&arg.value)),
                _ => false,
            }
    }

    fn argument_children(&mut self, call: &FunctionCall) {
        for arg in &call.args {
            if let ArgValue::Expr(value) = arg.value
                && let ExprKind::Ref(reference) = self.doc.exprs[value].kind
            {
                self.reference("xaif:Argument", None, reference);
            }
        }
    }

    fn own_node(&mut self, name: &'static str, number: Id<'a>, expr: &Expr) {
        self.out.start(name);
        self.id("vertex_id", number);
        self.node_attributes(expr);
    }

    /// What every node has beside XAIF 1.0.
    fn node_attributes(&mut self, expr: &Expr) {
        self.own_ty("ty", expr.ty);
        self.out.own_flag("parens", expr.parens);
        self.own_place("at", expr.place);
    }

    fn constant(&mut self, id: ExprId, expr: &Expr, constant: &Constant, number: Id<'a>) {
        self.out.start_of("xaif:Constant", Key::Expr(id));
        self.id("vertex_id", number);
        let (class, own) = match constant.class {
            ConstantClass::Boz => (ConstantClass::Integer, true),
            ConstantClass::Hollerith => (ConstantClass::String, true),
            ConstantClass::Null => (ConstantClass::Integer, true),
            class => (class, false),
        };
        self.out.attribute("type", Some(class.word()));
        self.out.attribute("feType", constant.fe_type.as_deref());
        self.out.attribute("value", Some(&constant.text));
        self.out.own_word("class", own.then_some(constant.class));
        match constant.kind {
            ConstantKind::None => (),
            ConstantKind::Number(kind) => self.out.own_display("kind", format_args!("{kind}")),
            ConstantKind::Named(symbol) => self.own_symbol("kind", symbol),
        }
        self.node_attributes(expr);
    }

    fn variable(&mut self, expr: &Expr, id: RefId, number: Id<'a>) {
        let reference = &self.doc.refs[id];
        self.out.start_of("xaif:VariableReference", Key::Ref(id));
        self.id("vertex_id", number);
        self.reference_attributes(reference);
        self.out.own_flag("parens", expr.parens);
        if expr.ty != reference.ty {
            // `unknown` must be written here: absent means the same type.
            match expr.ty {
                Ty { base: Base::Unknown, rank: 0 } => self.out.own("value-ty", "unknown"),
                ty => self.own_ty("value-ty", ty),
            }
        }
        if expr.place != reference.place {
            let place = expr.place;
            let file = place.file.map_or(0, |file| file.index() + 1);
            self.out
                .own_display("value-at", format_args!("{file}:{}:{}", place.line, place.column));
        }
        self.reference_content(id, reference);
    }

    /// The element `name` that is the reference `id`.
    pub(super) fn reference(&mut self, name: &'static str, number: Option<Id<'a>>, id: RefId) {
        let doc = self.doc;
        let reference = &doc.refs[id];
        self.out.start_of(name, Key::Ref(id));
        if let Some(number) = number {
            self.id("vertex_id", number);
        }
        self.reference_attributes(reference);
        self.reference_content(id, reference);
        self.out.end();
    }

    pub(super) fn reference_attributes(&mut self, reference: &Reference) {
        self.out.flag("active", reference.active);
        self.out.number("alias", reference.alias);
        let du_ud = self.chain_key(0, reference.du_ud);
        self.out.number("du_ud", du_ud);
        self.out.flag_or_false("deriv", reference.deriv);
        self.out.flag("constant", reference.constant);
        if self.out.is_in("xaif:AssignmentLHS") {
            self.out.flag("live", reference.live);
        } else {
            self.out
                .own_opt("live", reference.live.map(|live| if live { "true" } else { "false" }));
        }
        self.own_chain("chain", du_ud, reference.du_ud);
        self.own_ty("ty", reference.ty);
        self.own_place("at", reference.place);
    }

    /// The key of a chain as XAIF 1.0 has it: 0, not known, for what it cannot say.
    pub(super) fn chain_key(&self, map: usize, key: Option<i64>) -> Option<i64> {
        key.map(|key| if self.composed[map].contains(&key) { 0 } else { key })
    }

    /// The key of a chain that XAIF 1.0 cannot say.
    pub(super) fn own_chain(&mut self, name: &'static str, said: Option<i64>, key: Option<i64>) {
        if let Some(key) = key.filter(|_| said != key) {
            self.out.own_display(name, format_args!("{key}"));
        }
    }

    /// Symbol and selectors of the reference, as content of the element that is open.
    pub(super) fn reference_content(&mut self, id: RefId, reference: &Reference) {
        let count = reference.parts.len() as u32 + 1;
        let vertices =
            Ids::noted(&self.doc.as_read, "vertex_id", (0..count).map(|i| Key::RefVertex(id, i)));
        self.out.start_of("xaif:SymbolReference", Key::RefVertex(id, 0));
        self.id("vertex_id", vertices.get(0));
        self.symbol_attributes(reference.base);
        self.properties(id);
        self.out.end();
        for (i, part) in reference.parts.iter().enumerate() {
            self.part(id, i as u32 + 1, part, vertices.get(i + 1));
        }
        let edges = (1..count).map(|i| Key::RefEdge(id, i));
        let edges = Ids::noted(&self.doc.as_read, "edge_id", edges);
        for i in 1..count as usize {
            self.out.start_of("xaif:VariableReferenceEdge", Key::RefEdge(id, i as u32));
            self.id("edge_id", edges.get(i - 1));
            self.id("source", vertices.get(i - 1));
            self.id("target", vertices.get(i));
            self.out.end();
        }
    }

    /// `SymbolReferenceProperty` of a XAIF 1.0 document; the attributes are notes.
    fn properties(&mut self, id: RefId) {
        for i in 0.. {
            let key = Key::Property(id, i);
            if self.out.as_read().spelling(key).is_none() {
                return;
            }
            self.out.start_of("xaif:SymbolReferenceProperty", key);
            self.out.end();
        }
    }

    fn part(&mut self, id: RefId, number: u32, part: &Part, vertex: Id<'a>) {
        let key = Key::RefVertex(id, number);
        match part {
            Part::Elements(subscripts) => {
                self.out.start_of("xaif:ArrayElementReference", key);
                self.id("vertex_id", vertex);
                for (i, subscript) in subscripts.iter().enumerate() {
                    self.subscript(Key::Subscript(id, number, i as u32), subscript);
                }
            }
            Part::Component { symbol, name } => {
                self.out.start("ox:Component");
                self.id("vertex_id", vertex);
                self.out.own("name", name);
                self.own_symbol_opt("symbol", *symbol);
            }
            Part::Substring { lower, upper } => {
                self.out.start("ox:Substring");
                self.id("vertex_id", vertex);
                self.boxed_expr_opt("ox:Lower", *lower);
                self.boxed_expr_opt("ox:Upper", *upper);
            }
            Part::Inquiry(name) => {
                self.out.start("ox:Inquiry");
                self.id("vertex_id", vertex);
                self.out.own("name", name);
            }
            Part::Deref => {
                self.out.start("ox:Deref");
                self.id("vertex_id", vertex);
            }
        }
        self.out.end();
    }

    fn subscript(&mut self, key: Key, subscript: &Subscript) {
        let form = self.out.as_read().spelling(key).and_then(|spelling| spelling.form);
        match *subscript {
            Subscript::Index(index) if form == Some("Index") => {
                self.boxed_expr("xaif:Index", index);
            }
            Subscript::Index(index) => {
                self.out.start("xaif:IndexTriplet");
                self.boxed_expr("xaif:Index", index);
                self.out.end();
            }
            Subscript::Section { lower, upper, stride } => {
                self.out.start("xaif:IndexTriplet");
                let canonical = section_elements(lower, upper, stride);
                let values =
                    [("xaif:Index", lower), ("xaif:Bound", upper), ("xaif:Stride", stride)];
                for (i, (name, value)) in values.into_iter().enumerate() {
                    let letter = ["i", "b", "s"][i];
                    let there = form.map_or(canonical[i], |form| form.contains(letter));
                    match value {
                        Some(value) => self.boxed_expr(name, value),
                        None if there => {
                            self.out.start(name);
                            self.out.end();
                        }
                        None => (),
                    }
                }
                self.out.end();
            }
        }
    }

    /// `ox:Callee`: what a call names, where XAIF 1.0 has no attributes for it.
    pub(super) fn callee(&mut self, callee: &Callee) {
        self.out.start("ox:Callee");
        self.own_symbol("symbol", callee.symbol);
        self.own_symbol_opt("generic", callee.generic);
        if let Some(object) = callee.object {
            self.reference("ox:Object", None, object);
        }
        self.out.end();
    }
}
