//! Graphs as DOT, the language of graphviz.
//!
//! Each graph is a digraph of its own; `dot` draws several of a file one after the other.

use std::fmt::Write as _;

use super::graph::{Change, Graph, Look};

/// `graphs` as DOT.
pub fn dot(graphs: &[Graph]) -> String {
    let mut out = String::new();
    for (index, graph) in graphs.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        digraph(graph, &mut out);
    }
    out
}

fn digraph(graph: &Graph, out: &mut String) {
    let title = quoted(&graph.title, "");
    let _ = writeln!(out, "digraph {title} {{");
    let _ = writeln!(out, "  graph [label={title}, labelloc=t, fontname=\"monospace\"]");
    out.push_str("  node [shape=box, fontname=\"monospace\", fontsize=10, margin=\"0.1,0.05\"]\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=9]\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let end = if node.lines.len() > 1 { "\\l" } else { "" };
        let label = quoted(&node.lines.join("\n"), end);
        let _ = writeln!(out, "  n{index} [label={label}{}]", look(node.look));
    }
    for (edge, back) in graph.edges.iter().zip(graph.back_arrows()) {
        let mut attributes = Vec::new();
        if !edge.label.is_empty() {
            attributes.push(format!("label={}", quoted(&edge.label, "")));
        }
        if back {
            attributes.push("style=dashed, color=\"#b3261e\"".into());
        }
        attributes.extend(changed(edge.change).map(str::to_owned));
        let attributes = match attributes.is_empty() {
            true => String::new(),
            false => format!(" [{}]", attributes.join(", ")),
        };
        let _ = writeln!(out, "  n{} -> n{}{attributes}", edge.from, edge.to);
    }
    out.push_str("}\n");
}

fn look(look: Look) -> &'static str {
    match look {
        Look::Box => "",
        Look::Round => ", shape=ellipse, style=filled, fillcolor=\"#e8f3e8\"",
        Look::Decision => ", shape=hexagon, style=filled, fillcolor=\"#fff4d6\"",
        Look::Loop => ", style=\"rounded,filled\", fillcolor=\"#e3f0ff\"",
        Look::Jump => ", style=filled, fillcolor=\"#fdecea\"",
        Look::Small => ", shape=plaintext",
        Look::Variable => ", shape=plaintext",
        Look::Active => ", shape=box, style=\"rounded,bold\"",
    }
}

fn changed(change: Change) -> Option<&'static str> {
    match change {
        Change::Stays => None,
        Change::New => Some("style=bold, color=\"#2e7d32\", fontcolor=\"#2e7d32\""),
        Change::Other => Some("style=bold, color=\"#2f6ca8\", fontcolor=\"#2f6ca8\""),
        Change::Gone => Some("style=dotted, color=\"#9aa1ab\", fontcolor=\"#9aa1ab\""),
    }
}

/// A string of DOT; each line ends with `line_end` (or a line break).
fn quoted(text: &str, line_end: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' if line_end.is_empty() => out.push_str("\\n"),
            '\n' => out.push_str(line_end),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push_str(line_end);
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_backslashes_and_line_breaks_are_escaped() {
        let mut graph = Graph { title: "a \"b\"".into(), ..Graph::default() };
        let node = graph.node(Look::Box, vec!["x = '\\n'".into(), "y\u{1}".into()]);
        graph.arrow(node, node, "T \"1\"");
        let text = dot(&[graph]);
        assert!(text.starts_with("digraph \"a \\\"b\\\"\" {\n"));
        assert!(text.contains("  n0 [label=\"x = '\\\\n'\\ly\u{fffd}\\l\"]\n"), "{text}");
        assert!(text.contains("  n0 -> n0 [label=\"T \\\"1\\\"\", style=dashed"), "{text}");
    }
}
