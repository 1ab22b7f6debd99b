//! A graph under elimination, drawn: before, during and after, and the accumulation expressions.
//!
//! What stands here makes graphs for the lenses (`xaif_schema::inspect`), which write DOT or draw; the
//! pictures are those of paper 2, figure 3: (a) the linearised computational graph, (b) what an
//! elimination made of it, (c) the expressions.

use std::collections::HashMap;

use elimination::listing::{Listing, Names};
use elimination::trace::{Fate, Trace};
use elimination::{Atom, Entry, Graph, Role};
use xaif_schema::inspect::graph::{Change, Graph as Drawing, Look};

/// The graph before, after each step where `steps` asks for it, at the end, and the expressions.
pub fn elimination_graphs(name: &str, graph: &Graph, trace: &Trace, steps: bool) -> Vec<Drawing> {
    let listing = Listing::new(&trace.accumulation);
    let names = Names::new(&trace.accumulation, &listing, graph);
    let stay = |edges: &[Entry]| -> Vec<(Entry, Fate)> {
        edges.iter().map(|&edge| (edge, Fate::Stays)).collect()
    };
    let name = if name.is_empty() { "graph" } else { name };
    let mut drawings = vec![edges(format!("{name}: before"), graph, &names, &stay(&trace.begin))];
    let stages = trace.stages.iter().zip(1..).filter(|_| steps);
    for (stage, number) in stages {
        let title = format!("{name}, step {number}: eliminate {}", stage.step.show(graph));
        let mut drawing = edges(title, graph, &names, &stage.edges);
        let made = listing.statements.iter().filter(|statement| stage.makes(statement));
        let lines: Vec<String> = made.map(|statement| names.statement(statement)).collect();
        if !lines.is_empty() {
            drawing.node(Look::Jump, lines);
        }
        drawings.push(drawing);
    }
    let left = stay(trace.accumulation.entries());
    drawings.push(edges(format!("{name}: after"), graph, &names, &left));
    drawings.push(expressions(format!("{name}: accumulation"), trace, &listing, &names));
    drawings
}

/// A graph with what becomes of its edges. Vertices without edges are left out, unless they are inputs or outputs.
fn edges(title: String, graph: &Graph, names: &Names<'_>, edges: &[(Entry, Fate)]) -> Drawing {
    let mut drawing = Drawing { title, ..Drawing::default() };
    let mut used = vec![false; graph.len()];
    for (edge, _) in edges {
        used[edge.source as usize] = true;
        used[edge.target as usize] = true;
    }
    let mut boxes = HashMap::new();
    for &v in graph.order() {
        let look = match graph.role(v) {
            Role::Input => Look::Round,
            Role::Output => Look::Active,
            Role::Intermediate if used[v as usize] => Look::Box,
            Role::Intermediate => continue,
        };
        boxes.insert(v, drawing.node(look, vec![graph.name(v).to_owned()]));
    }
    for (edge, fate) in edges {
        let (Some(&from), Some(&to)) = (boxes.get(&edge.source), boxes.get(&edge.target)) else {
            continue;
        };
        let change = match fate {
            Fate::Stays => Change::Stays,
            Fate::New => Change::New,
            Fate::Absorbs => Change::Other,
            Fate::Gone => Change::Gone,
        };
        drawing.arrow_that(change, from, to, names.value(edge.value));
    }
    drawing
}

/// The statements, between the partial derivatives that they read and the entries.
fn expressions(title: String, trace: &Trace, listing: &Listing, names: &Names<'_>) -> Drawing {
    let mut drawing = Drawing { title, ..Drawing::default() };
    let mut boxes: HashMap<Atom, usize> = HashMap::new();
    let read = |value: elimination::Value, drawing: &mut Drawing, boxes: &mut HashMap<_, _>| {
        let plain = elimination::Value { negative: false, ..value };
        *boxes
            .entry(value.atom)
            .or_insert_with(|| drawing.node(Look::Variable, vec![names.value(plain)]))
    };
    for statement in &listing.statements {
        let operands: Vec<usize> = statement
            .expression
            .operands()
            .map(|value| read(value, &mut drawing, &mut boxes))
            .collect();
        let made = drawing.node(Look::Box, vec![names.statement(statement)]);
        boxes.insert(Atom::Node(statement.node), made);
        operands.into_iter().for_each(|operand| drawing.arrow(operand, made, ""));
    }
    for entry in trace.accumulation.entries() {
        let from = read(entry.value, &mut drawing, &mut boxes);
        let to = drawing.node(Look::Active, vec![names.entry(entry)]);
        drawing.arrow(from, to, if entry.value.negative { "-" } else { "" });
    }
    drawing
}
