//! Nodes and edges put together: the edges are followed from the root, without recursion, and
//! nodes go into the document operands first. A graph that is no expression is refused.

use std::collections::HashMap;

use super::{Buffer, Edge, Node, NodeKind, Role};
use crate::diag::Code;
use crate::model::{
    Arg, ArgValue, Expr, ExprId, ExprKind, FunctionCall, ImpliedDo, IndexRange, Key, Listed,
    Operand, Operands,
};
use crate::xml::read::{Read, Reader, Tag, fault, is_number};

impl<'a> Reader<'a> {
    /// Follows the edges from the root and adds the nodes to the document; answers the root.
    pub(super) fn assemble(&mut self, buffer: &mut Buffer<'a>, parent: &Tag<'a>) -> Read<ExprId> {
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
        NodeKind::Call(callee, children, active) if operands.is_empty() => {
            ExprKind::Call(Box::new(FunctionCall { callee, args: children, active }))
        }
        NodeKind::Call(callee, children, active) if children.is_empty() => {
            ExprKind::Call(Box::new(FunctionCall { callee, args: args(edges, operands), active }))
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

fn plain(edges: &[Edge<'_>], operands: &[(usize, ExprId)], offset: usize) -> Read<Operands> {
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
