//! The graphs of a document: who calls whom, where control flows, what an expression depends on.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use super::flow::Flow;
use super::graph::{Arrow, Graph, Look, Node};
use super::header::{Headers, edge_text, jump_word};
use super::show::{ShowOptions, Text};
use crate::model::{
    Body, Cfg, Document, ExprId, ExprKind, Part, ProcId, ProcKind, RefId, StmtId, StmtKind,
    Subscript, VertexId, VertexKind,
};

/// Longer lines are shortened.
const LINE: usize = 44;
/// Of longer blocks only the beginning is shown.
const LINES: usize = 10;
/// Larger expressions are cut off.
const NODES: usize = 2_000;

/// Draws the graphs of one document.
pub struct Graphs<'a> {
    doc: &'a Document,
    options: ShowOptions,
}

impl<'a> Graphs<'a> {
    /// Graphs of `doc`.
    pub fn new(doc: &'a Document) -> Self {
        Graphs { doc, options: ShowOptions::comparable() }
    }

    fn text(&self) -> Text<'_> {
        Text { doc: self.doc, options: &self.options }
    }

    /// The name of a procedure, and what it is.
    fn procedure_title(&self, id: ProcId) -> String {
        let proc = &self.doc.procs[id];
        let word = match (&proc.body, proc.kind) {
            (Body::Replacements { .. }, _) => "replacements",
            (_, ProcKind::Program) => "program",
            (_, ProcKind::Subroutine) => "subroutine",
            (_, ProcKind::Function) => "function",
            (_, ProcKind::ModuleProcedure) => "module procedure",
        };
        format!("{word} {}", self.doc.name(proc.symbol))
    }

    /// The call graph. Interface bodies appear only where they are called.
    pub fn calls(&self) -> Graph {
        let mut graph = Graph { title: "call graph".into(), ..Graph::default() };
        let called: BTreeSet<_> = self.doc.calls.iter().flat_map(|&(a, b)| [a, b]).collect();
        let mut nodes = HashMap::new();
        for (id, proc) in &self.doc.procs {
            let look = match proc.body {
                Body::Interface if !called.contains(&id) => continue,
                Body::Interface => Look::Round,
                Body::Flow(_) | Body::Replacements { .. } => Look::Box,
            };
            let name = self.doc.name(proc.symbol).to_owned();
            let lines = match proc.kind {
                ProcKind::Program => vec![format!("program {name}")],
                ProcKind::Subroutine | ProcKind::Function | ProcKind::ModuleProcedure => vec![name],
            };
            nodes.insert(id, graph.node(look, shortened(lines)));
        }
        let mut seen = BTreeSet::new();
        for &(caller, callee) in &self.doc.calls {
            if let (Some(&from), Some(&to)) = (nodes.get(&caller), nodes.get(&callee))
                && seen.insert((from, to))
            {
                graph.arrow(from, to, "");
            }
        }
        graph
    }

    /// The procedures that are called `name`, in any case, or whose id (`proc3`) it is.
    pub fn procedures(&self, name: &str) -> Vec<ProcId> {
        let fits = |id: ProcId| {
            let symbol = self.doc.procs[id].symbol;
            self.doc.name(symbol).eq_ignore_ascii_case(name)
                || self.doc.symbols[symbol].id == name
                || id.to_string() == name
        };
        self.doc.procs.keys().filter(|&id| fits(id)).collect()
    }

    /// The names of all procedures that have a flow graph.
    pub fn names(&self) -> Vec<&'a str> {
        let with_flow = |id: &ProcId| !matches!(self.doc.procs[*id].body, Body::Interface);
        self.doc
            .procs
            .keys()
            .filter(with_flow)
            .map(|id| self.doc.name(self.doc.procs[id].symbol))
            .collect()
    }

    /// The control flow graphs of a procedure: one, none for an interface, or a replacement each.
    pub fn flows(&self, id: ProcId) -> Vec<Graph> {
        let title = self.procedure_title(id);
        match &self.doc.procs[id].body {
            Body::Interface => Vec::new(),
            Body::Flow(cfg) => vec![self.flow(title, cfg)],
            Body::Replacements { list, .. } => list
                .iter()
                .map(|r| self.flow(format!("{title}, placeholder {}", r.placeholder), &r.cfg))
                .collect(),
        }
    }

    fn flow(&self, title: String, cfg: &Cfg) -> Graph {
        let flow = Flow::new(cfg);
        let mut graph = Graph { title, ..Graph::default() };
        let mut nodes = HashMap::new();
        for &vertex in &flow.order {
            let Node { lines, look } = self.vertex(cfg, &flow, vertex);
            nodes.insert(vertex, graph.node(look, lines));
        }
        // What follows a loop stands below its body.
        for &vertex in &flow.order {
            let opener = flow.nodes[vertex].mate;
            if let (VertexKind::EndLoop, Some(opener)) = (&cfg.vertices[vertex].kind, opener) {
                let out = flow.out[opener].iter().map(|&edge| &cfg.edges[edge]);
                let exits = out.filter(|edge| matches!(edge.condition, None | Some(0)));
                graph
                    .above
                    .extend(exits.filter_map(|edge| {
                        Some((*nodes.get(&vertex)?, *nodes.get(&edge.target)?))
                    }));
            }
        }
        let mut joined: HashMap<(usize, usize), usize> = HashMap::new();
        for &vertex in &flow.order {
            let branches = matches!(
                cfg.vertices[vertex].kind,
                VertexKind::Branch { .. }
                    | VertexKind::ForLoop { .. }
                    | VertexKind::PreLoop { .. }
                    | VertexKind::PostLoop { .. }
                    | VertexKind::ConcurrentLoop { .. }
            );
            for &edge in &flow.out[vertex] {
                let edge = &cfg.edges[edge];
                let decided = branches || edge.condition.is_some() || edge.guard.is_some();
                let label = match decided {
                    true => edge_text(self.text(), edge, flow.selects[vertex]),
                    false => String::new(),
                };
                if let (Some(&from), Some(&to)) = (nodes.get(&edge.source), nodes.get(&edge.target))
                {
                    match joined.entry((from, to)) {
                        // `case (1)` and `case (2)` that lead to the same arm are one arrow.
                        Entry::Occupied(arrow) => {
                            let arrow: &mut Arrow = &mut graph.edges[*arrow.get()];
                            arrow.label = shorten(&format!("{}, {label}", arrow.label));
                        }
                        Entry::Vacant(new) => {
                            new.insert(graph.edges.len());
                            graph.arrow(from, to, shorten(&label));
                        }
                    }
                }
            }
        }
        graph
    }

    fn vertex(&self, cfg: &Cfg, flow: &Flow, vertex: VertexId) -> Node {
        let text = self.text();
        let headers = Headers { text, cfg, flow };
        let one = |look: Look, line: String| Node {
            look,
            lines: vec![shorten(&format!("{vertex}  {line}"))],
        };
        match &cfg.vertices[vertex].kind {
            VertexKind::Entry(None) => one(Look::Round, "entry".into()),
            VertexKind::Entry(Some(entry)) => {
                one(Look::Round, format!("entry {}", self.doc.name(entry.symbol)))
            }
            VertexKind::Exit => one(Look::Round, "exit".into()),
            VertexKind::BasicBlock { stmts, .. } => {
                let mut lines: Vec<_> =
                    stmts.iter().flat_map(|&stmt| self.statement(stmt)).collect();
                // The statements stand below each other, right of the id.
                let name = vertex.to_string();
                for (index, line) in lines.iter_mut().enumerate() {
                    let left = if index == 0 { name.as_str() } else { "" };
                    *line = format!("{left:<width$}  {line}", width = name.len());
                }
                if lines.is_empty() {
                    return Node { look: Look::Small, lines: vec![name] };
                }
                Node { look: Look::Box, lines: shortened(lines) }
            }
            VertexKind::Branch { .. } => one(Look::Decision, headers.branch_header(vertex)),
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => one(Look::Loop, headers.loop_header(vertex).0),
            VertexKind::EndBranch | VertexKind::EndLoop => {
                one(Look::Small, headers.end_word(vertex).to_owned())
            }
            VertexKind::Goto(jump) => {
                let targets = flow.out[vertex].iter().map(|&edge| cfg.edges[edge].target);
                let labels = targets.filter_map(|target| match cfg.vertices[target].kind {
                    VertexKind::Label { label: Some(label) } => Some(format!(" {label}")),
                    _ => None,
                });
                one(Look::Jump, jump_word(jump) + &labels.collect::<String>())
            }
            VertexKind::Label { label } => {
                one(Look::Jump, label.map_or("label".to_owned(), |label| format!("{label}:")))
            }
        }
    }

    /// A statement as lines; comments are left out.
    fn statement(&self, id: StmtId) -> Vec<String> {
        match self.doc.stmts.get(id) {
            Some(stmt) if !matches!(stmt.kind, StmtKind::Comment(_)) => {
                let text = self.text().stmt_text(id, stmt, &|_| None);
                text.lines
                    .into_iter()
                    .map(|(indent, line)| format!("{}{line}", "  ".repeat(indent.min(8))))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The statements with this name: an id of the document (`s12`, as `xaif-show --ids` prints
    /// it) or a XAIF `statement_id`, which several procedures may use.
    pub fn statements(&self, name: &str) -> Vec<StmtId> {
        let by_id: Vec<_> = self.doc.stmts.keys().filter(|id| id.to_string() == name).collect();
        if !by_id.is_empty() {
            return by_id;
        }
        let own = |(_, stmt): &(StmtId, &crate::model::Stmt)| stmt.id.as_deref() == Some(name);
        self.doc.stmts.iter().filter(own).map(|(id, _)| id).collect()
    }

    /// The expression graph of a statement: arrows lead from arguments to results.
    pub fn expression(&self, id: StmtId) -> Option<Graph> {
        let stmt = self.doc.stmts.get(id)?;
        let line = self.text().stmt_text(id, stmt, &|_| None).lines.into_iter().next()?.1;
        let mut graph = Graph { title: format!("{id}  {}", shorten(&line)), ..Graph::default() };
        let (roots, target) = roots(self.doc, stmt);
        let result = match target {
            Some(lhs) => {
                let look = self.look(lhs);
                graph.node(look, vec![shorten(&self.text().reference(lhs))])
            }
            None => graph.node(Look::Round, vec![shorten(&line)]),
        };
        let mut nodes: HashMap<ExprId, usize> = HashMap::new();
        let mut todo: Vec<(ExprId, usize, String)> =
            roots.into_iter().rev().map(|root| (root, result, String::new())).collect();
        while let Some((expr, user, label)) = todo.pop() {
            if let Some(&node) = nodes.get(&expr) {
                graph.arrow(node, user, label);
                continue;
            }
            if nodes.len() >= NODES {
                let node = graph.node(Look::Small, vec!["…".into()]);
                graph.arrow(node, user, label);
                continue;
            }
            let (text, look, operands) = self.expr_node(expr);
            let node = graph.node(look, vec![shorten(&text)]);
            nodes.insert(expr, node);
            graph.arrow(node, user, label);
            let several = operands.len() > 1;
            for (position, operand) in operands.into_iter().enumerate().rev() {
                let label = if several { (position + 1).to_string() } else { String::new() };
                todo.push((operand, node, label));
            }
        }
        Some(graph)
    }

    fn look(&self, id: RefId) -> Look {
        match self.doc.refs.get(id).and_then(|reference| reference.active) {
            Some(true) => Look::Active,
            Some(false) | None => Look::Variable,
        }
    }

    /// Text, look and operands of a node of an expression.
    fn expr_node(&self, id: ExprId) -> (String, Look, Vec<ExprId>) {
        let text = self.text();
        let Some(expr) = self.doc.exprs.get(id) else {
            return ("?".into(), Look::Small, Vec::new());
        };
        let sorted = |operands: &crate::model::Operands| {
            let mut operands = operands.clone();
            operands.sort_by_key(|operand| operand.position);
            operands.iter().map(|operand| operand.expr).collect()
        };
        match &expr.kind {
            ExprKind::Ref(reference) => {
                (text.reference(*reference), self.look(*reference), Vec::new())
            }
            ExprKind::Intrinsic { name, spelling, operands } => {
                let symbol = match crate::intrinsics::spelling(name) {
                    Some(crate::intrinsics::Spelling::Operator(operator)) => operator.symbol,
                    Some(crate::intrinsics::Spelling::Function(row)) => row.fortran,
                    None => name,
                };
                let symbol = spelling.as_deref().unwrap_or(symbol).to_owned();
                (symbol, Look::Box, sorted(operands))
            }
            ExprKind::Boolean { op, operands } => {
                let symbol = crate::intrinsics::boolean_operator(*op).symbol.trim_matches('.');
                (symbol.to_owned(), Look::Box, sorted(operands))
            }
            ExprKind::Call(call) => {
                let args = call.args.iter().filter_map(|arg| match arg.value {
                    crate::model::ArgValue::Expr(expr) => Some(expr),
                    crate::model::ArgValue::AlternateReturn(_) => None,
                });
                (format!("{}()", text.name(call.callee.symbol)), Look::Box, args.collect())
            }
            ExprKind::ArrayConstructor { items, .. } => ("[ ]".into(), Look::Box, items.clone()),
            ExprKind::Constant(_)
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => (text.expr(id), Look::Variable, Vec::new()),
        }
    }

    /// The call graph and all control flow graphs, without those that are empty.
    pub fn all(&self) -> Vec<Graph> {
        let mut graphs = vec![self.calls()];
        graphs.extend(self.doc.procs.keys().flat_map(|id| self.flows(id)));
        graphs.retain(|graph| !graph.nodes.is_empty());
        graphs
    }
}

/// The expressions that a statement evaluates, and the reference that it overwrites.
fn roots(doc: &Document, stmt: &crate::model::Stmt) -> (Vec<ExprId>, Option<RefId>) {
    match &stmt.kind {
        StmtKind::Assign { lhs, rhs, .. } | StmtKind::PointerAssign { lhs, rhs } => {
            (vec![*rhs], Some(*lhs))
        }
        StmtKind::Call(call) => (arguments(&call.args), None),
        StmtKind::InlinableCall(call) => (arguments(&call.args), None),
        StmtKind::Propagate(steps) => (steps.iter().flat_map(partials).collect(), None),
        StmtKind::Where(masked) => (masked.arms.iter().filter_map(|arm| arm.mask).collect(), None),
        StmtKind::Forall(forall) => (forall.header.mask.into_iter().collect(), None),
        StmtKind::Allocate(allocate) => {
            let bounds = allocate.objects.iter().flat_map(|&object| bounds(doc, object));
            (bounds.chain(allocate.source).chain(allocate.mold).collect(), None)
        }
        StmtKind::Marker(marker) => {
            (marker.operands.iter().map(|operand| operand.expr).collect(), None)
        }
        StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Comment(_) => (Vec::new(), None),
    }
}

fn arguments(args: &[crate::model::Arg]) -> Vec<ExprId> {
    args.iter()
        .filter_map(|arg| match arg.value {
            crate::model::ArgValue::Expr(expr) => Some(expr),
            crate::model::ArgValue::AlternateReturn(_) => None,
        })
        .collect()
}

fn partials(step: &crate::model::Propagator) -> Vec<ExprId> {
    use crate::model::Propagator;
    match step {
        Propagator::Sax { terms, .. } | Propagator::Saxpy { terms, .. } => {
            terms.iter().map(|&(partial, _)| partial).collect()
        }
        Propagator::Set { .. }
        | Propagator::SetNegative { .. }
        | Propagator::Increment { .. }
        | Propagator::Decrement { .. }
        | Propagator::Zero { .. } => Vec::new(),
    }
}

/// The bounds of an object of ALLOCATE.
fn bounds(doc: &Document, object: RefId) -> Vec<ExprId> {
    match doc.refs.get(object).and_then(|object| object.parts.last()) {
        Some(Part::Elements(subscripts)) => subscripts
            .iter()
            .flat_map(|subscript| match *subscript {
                Subscript::Index(index) => [Some(index), None],
                Subscript::Section { lower, upper, .. } => [lower, upper],
            })
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

/// A line of bearable length.
fn shorten(line: &str) -> String {
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

/// Lines of bearable length and number.
fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(LINES);
    if more > 1 {
        lines.truncate(LINES);
    }
    let mut lines: Vec<_> = lines.iter().map(|line| shorten(line)).collect();
    if more > 1 {
        lines.push(format!("… {more} more"));
    }
    lines
}
