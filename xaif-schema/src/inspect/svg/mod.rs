//! Graphs as SVG, drawn without any other program.
//!
//! The drawing is layered: arrows lead downwards, but for those that close a cycle, which are
//! dashed. `layout.rs` decides where things stand, this file only draws. The same graph gives the
//! same bytes on every run.

mod layers;
mod layout;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::graph::{Arrow, Change, Graph, Look};
use layout::{Layout, Place, Route};

/// Width of a character and height of a line, for a monospaced font of 12 pixels.
const CHAR: f64 = 7.25;
const LINE: f64 = 15.0;
const PAD_X: f64 = 9.0;
const PAD_Y: f64 = 6.0;
const MARGIN: f64 = 20.0;
const TITLE: f64 = 30.0;
const BACK: &str = "#b3261e";

/// `graphs` as one SVG picture, one below the other.
pub fn svg(graphs: &[Graph]) -> String {
    let drawn: Vec<_> =
        graphs.iter().map(|graph| (graph, layout::layout(graph, &sizes(graph)))).collect();
    let title = |graph: &Graph| graph.title.chars().count() as f64 * CHAR * 1.1;
    let width =
        drawn.iter().map(|(graph, layout)| layout.width.max(title(graph))).fold(0.0, f64::max)
            + 2.0 * MARGIN;
    let height: f64 =
        drawn.iter().map(|(_, layout)| layout.height + TITLE + 2.0 * MARGIN).sum::<f64>();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, \
         monospace\" font-size=\"12\">"
    );
    out.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    let mut top = MARGIN;
    for (graph, layout) in &drawn {
        let _ = writeln!(
            out,
            "<g transform=\"translate({MARGIN:.0} {top:.0})\">\n<text y=\"12\" font-size=\"13\" \
             font-weight=\"bold\" fill=\"#333333\">{}</text>\n<g transform=\"translate(0 {TITLE:.0})\">",
            escaped(&graph.title)
        );
        draw(graph, layout, &mut out);
        out.push_str("</g>\n</g>\n");
        top += layout.height + TITLE + 2.0 * MARGIN;
    }
    out.push_str("</svg>\n");
    out
}

/// Width and height of each node.
fn sizes(graph: &Graph) -> Vec<(f64, f64)> {
    let size = |node: &super::graph::Node| {
        let longest = node.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let slant = if node.look == Look::Decision { 14.0 } else { 0.0 };
        let small = matches!(node.look, Look::Small);
        let pad_y = if small { 2.0 } else { PAD_Y };
        let width = longest as f64 * CHAR + 2.0 * PAD_X + slant;
        (width.max(30.0), node.lines.len().max(1) as f64 * LINE + 2.0 * pad_y)
    };
    graph.nodes.iter().map(size).collect()
}

fn draw(graph: &Graph, layout: &Layout, out: &mut String) {
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        arrow(route, edge.change, out);
    }
    for (node, place) in graph.nodes.iter().zip(&layout.places) {
        shape(node.look, place, out);
        lines(node, place, out);
    }
    // Labels come last, so that no arrow runs through them.
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        label(route, edge, out);
    }
}

fn shape(look: Look, place: &Place, out: &mut String) {
    let Place { x, y, width, height } = *place;
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let (fill, stroke, radius) = match look {
        Look::Box => ("#fbfbfd", "#55606e", 2.0),
        Look::Round => ("#e8f3e8", "#4c7a4c", height / 2.0),
        Look::Decision => ("#fff4d6", "#a07818", 0.0),
        Look::Loop => ("#e3f0ff", "#2f6ca8", 8.0),
        Look::Jump => ("#fdecea", "#b0584f", 2.0),
        Look::Small => ("#f1f2f4", "#c3c8ce", height / 2.0),
        Look::Variable => ("#ffffff", "#c3c8ce", 2.0),
        Look::Active => ("#eee8fb", "#6a4fb3", 6.0),
    };
    let _ = match look {
        Look::Decision => {
            let (right, bottom, slant) = (left + width, top + height, 9.0);
            writeln!(
                out,
                "<polygon points=\"{left:.1},{y:.1} {:.1},{top:.1} {:.1},{top:.1} {right:.1},{y:.1} \
                 {:.1},{bottom:.1} {:.1},{bottom:.1}\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
                left + slant,
                right - slant,
                right - slant,
                left + slant,
            )
        }
        _ => writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{stroke}\"/>"
        ),
    };
}

fn lines(node: &super::graph::Node, place: &Place, out: &mut String) {
    let block = node.lines.len() as f64 * LINE;
    let widest = node.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let left = place.x - widest as f64 * CHAR / 2.0;
    let color = if node.look == Look::Small { "#6b7280" } else { "#1f2328" };
    for (index, line) in node.lines.iter().enumerate() {
        let y = place.y - block / 2.0 + (index as f64 + 0.78) * LINE;
        let _ = writeln!(
            out,
            "<text x=\"{left:.1}\" y=\"{y:.1}\" fill=\"{color}\" xml:space=\"preserve\">{}</text>",
            escaped(line)
        );
    }
}

/// The colour of an arrow and how it is drawn, width and dashes.
fn stroke(back: bool, change: Change) -> (&'static str, &'static str) {
    match change {
        Change::Stays if back => (BACK, "1.2\" stroke-dasharray=\"5 3"),
        Change::Stays => ("#6b7280", "1.2"),
        Change::New => ("#2e7d32", "2"),
        Change::Other => ("#2f6ca8", "2"),
        Change::Gone => ("#9aa1ab", "1.2\" stroke-dasharray=\"2 3"),
    }
}

fn arrow(route: &Route, change: Change, out: &mut String) {
    let (color, dash) = stroke(route.back, change);
    let Some((&(x, y), rest)) = route.points.split_first() else { return };
    let mut path = format!("M{x:.1} {y:.1}");
    let mut at = (x, y);
    for &(x, y) in rest {
        if (x - at.0).abs() < 0.5 || (y - at.1).abs() < 0.5 {
            let _ = write!(path, "L{x:.1} {y:.1}");
        } else {
            let middle = (at.1 + y) / 2.0;
            let _ = write!(path, "C{:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}", at.0);
        }
        at = (x, y);
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{dash}\"/>"
    );
    let (x, y) = route.tip;
    let (dx, dy) = route.heading;
    // A triangle whose tip touches the node.
    let (bx, by) = (x - 8.0 * dx, y - 8.0 * dy);
    let _ = writeln!(
        out,
        "<polygon points=\"{x:.1},{y:.1} {:.1},{:.1} {:.1},{:.1}\" fill=\"{color}\"/>",
        bx - 3.5 * dy,
        by + 3.5 * dx,
        bx + 3.5 * dy,
        by - 3.5 * dx,
    );
}

fn label(route: &Route, edge: &Arrow, out: &mut String) {
    if edge.label.is_empty() {
        return;
    }
    let (x, y) = route.label;
    let color = match edge.change {
        Change::Stays if !route.back => "#374151",
        change => stroke(route.back, change).0,
    };
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{color}\" stroke=\"#ffffff\" \
         stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
        escaped(&edge.label)
    );
}

/// Text for XML; characters that XML does not allow are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
