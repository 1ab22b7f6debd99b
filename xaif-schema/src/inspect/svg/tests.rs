//! Properties of drawings.

use std::time::Instant;

use super::layout::layout;
use super::{sizes, svg};
use crate::inspect::graph::{Graph, Look};

/// A graph of `count` nodes with two or three arrows each, some of them long, some backwards.
fn tangled(count: usize) -> Graph {
    let mut graph = Graph { title: "tangled".into(), ..Graph::default() };
    for node in 0..count {
        graph.node(Look::Box, vec![format!("node {node}")]);
    }
    let mut state = 7u64;
    for node in 1..count {
        graph.arrow(node - 1, node, "");
        for _ in 0..2 {
            // A linear congruential generator: the same graph on every run.
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let other = (state >> 33) as usize % count;
            if other.abs_diff(node) < 20 {
                graph.arrow(node, other, "T");
            }
        }
    }
    graph
}

#[test]
fn nodes_do_not_overlap() {
    let graph = tangled(120);
    let places = layout(&graph, &sizes(&graph)).places;
    for (index, a) in places.iter().enumerate() {
        for b in &places[..index] {
            let apart = (a.x - b.x).abs() >= (a.width + b.width) / 2.0
                || (a.y - b.y).abs() >= (a.height + b.height) / 2.0;
            assert!(apart, "{a:?} and {b:?} overlap");
        }
    }
}

/// Where each arrow has a label, as in a graph that is eliminated.
#[test]
fn labels_do_not_overlap() {
    let mut graph = Graph { title: "labels".into(), ..Graph::default() };
    for node in 0..9 {
        graph.node(Look::Box, vec![node.to_string()]);
    }
    for from in 0..8 {
        for to in (from + 1)..9.min(from + 5) {
            graph.arrow(from, to, format!("c_{to}_{from}"));
        }
    }
    let layout = layout(&graph, &sizes(&graph));
    let width = |index: usize| graph.edges[index].label.chars().count() as f64 * 6.65;
    for (index, a) in layout.routes.iter().enumerate() {
        let (left, y) = a.label;
        assert!(left >= -0.01 && left + width(index) <= layout.width + 0.01, "{a:?}");
        for (other, b) in layout.routes[..index].iter().enumerate() {
            let apart = (y - b.label.1).abs() >= 11.0
                || left >= b.label.0 + width(other)
                || b.label.0 >= left + width(index);
            assert!(apart, "{a:?} and {b:?} overlap");
        }
        for place in &layout.places {
            let (top, bottom) = (place.y - place.height / 2.0, place.y + place.height / 2.0);
            assert!(y <= top || y - 11.0 >= bottom, "{a:?} and {place:?} overlap");
        }
    }
}

#[test]
fn everything_lies_within_the_picture() {
    let graph = tangled(120);
    let layout = layout(&graph, &sizes(&graph));
    for place in &layout.places {
        assert!(place.x - place.width / 2.0 >= -0.01 && place.y - place.height / 2.0 >= -0.01);
        assert!(place.x + place.width / 2.0 <= layout.width + 0.01);
        assert!(place.y + place.height / 2.0 <= layout.height + 0.01);
    }
}

#[test]
fn arrows_lead_down_but_for_those_that_close_a_cycle() {
    let graph = tangled(120);
    let layout = layout(&graph, &sizes(&graph));
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        let down = layout.places[edge.from].y < layout.places[edge.to].y;
        assert_eq!(down, !route.back, "{edge:?}");
    }
    assert!(layout.routes.iter().any(|route| route.back));
}

#[test]
fn a_picture_is_the_same_on_every_run() {
    assert_eq!(svg(&[tangled(60)]), svg(&[tangled(60)]));
}

#[test]
fn three_hundred_nodes_take_less_than_a_second() {
    let graph = tangled(300);
    let start = Instant::now();
    let picture = svg(&[graph]);
    let seconds = start.elapsed().as_secs_f64();
    assert!(picture.len() > 10_000 && seconds < 1.0, "{seconds} s");
}

#[test]
fn nodes_without_arrows_fill_lines() {
    let mut graph = Graph::default();
    for node in 0..100 {
        graph.node(Look::Box, vec![format!("procedure_{node}")]);
    }
    let layout = layout(&graph, &sizes(&graph));
    assert!(layout.width < 1200.0 && layout.height > 100.0);
}

#[test]
fn markup_in_texts_is_escaped() {
    let mut graph = Graph { title: "<&>".into(), ..Graph::default() };
    let node = graph.node(Look::Decision, vec!["if (a < b & c > \"d\")".into(), "\u{0}".into()]);
    graph.arrow(node, node, "<T>");
    let text = svg(&[graph]);
    assert!(text.contains("if (a &lt; b &amp; c &gt; &quot;d&quot;)"));
    assert!(text.contains("&lt;&amp;&gt;") && text.contains("&lt;T&gt;"));
    assert!(text.contains('\u{fffd}') && !text.contains('\u{0}'));
}

#[test]
fn an_empty_list_of_graphs_is_an_empty_picture() {
    assert!(svg(&[]).ends_with("</svg>\n"));
    assert!(svg(&[Graph::default()]).ends_with("</svg>\n"));
}

#[test]
fn wishes_are_kept_unless_they_contradict_the_arrows() {
    let mut graph = Graph::default();
    for _ in 0..4 {
        graph.node(Look::Box, vec!["x".into()]);
    }
    graph.arrow(0, 1, "");
    graph.arrow(0, 2, "");
    graph.arrow(2, 3, "");
    graph.above = vec![(3, 1), (3, 0)];
    let places = layout(&graph, &sizes(&graph)).places;
    assert!(places[3].y < places[1].y && places[0].y < places[2].y);
}
