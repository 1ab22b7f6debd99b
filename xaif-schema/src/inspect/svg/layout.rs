//! Coordinates: where each node stands and each arrow runs.
//!
//! Rows are as high as their highest node. Within a row, items stand as near to the mean of their
//! neighbours as their order and widths allow (least squares, exactly, by pooling), which is
//! repeated downwards and upwards; bends weigh more than nodes, so that long arrows are straight.

use super::layers::Layers;
use crate::inspect::graph::Graph;

/// Room between two nodes, and beside a bend.
const GAP: f64 = 26.0;
const BEND_GAP: f64 = 14.0;
/// Room between two rows, and where labels stand in rows of their own.
const ROW_GAP: f64 = 40.0;
const LABEL_GAP: f64 = 16.0;
/// Width of a character of a label, and how high a label is.
const LABEL_CHAR: f64 = 6.65;
const LABEL: f64 = 14.0;
/// Room between the places where arrows touch a node.
const PORT: f64 = 14.0;
/// Room that an arrow from a node to itself needs.
const LOOP: f64 = 20.0;
/// How often the rows are gone through looking at one side, and then at both.
const SWEEPS: usize = 8;
const SETTLING: usize = 40;
/// For this many items; for more less often.
const ITEMS: usize = 5_000;

/// Where everything stands.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Of each node.
    pub(super) places: Vec<Place>,
    /// Of each arrow.
    pub(super) routes: Vec<Route>,
}

/// A node: its middle and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// An arrow.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Route {
    /// Where it runs.
    pub(super) points: Vec<(f64, f64)>,
    /// Where its tip is, and in which direction it points.
    pub(super) tip: (f64, f64),
    pub(super) heading: (f64, f64),
    /// Where its label begins.
    pub(super) label: (f64, f64),
    /// Whether it leads back.
    pub(super) back: bool,
}

/// Lays out `graph`, whose nodes have these widths and heights.
pub(super) fn layout(graph: &Graph, sizes: &[(f64, f64)]) -> Layout {
    let mut touched = vec![false; sizes.len()];
    for edge in &graph.edges {
        touched[edge.from] = true;
        touched[edge.to] = true;
    }
    let mut layout = connected(graph, sizes, &touched);
    alone(&mut layout, sizes, &touched);
    layout
}

/// Nodes without arrows stand in lines below the others.
fn alone(layout: &mut Layout, sizes: &[(f64, f64)], touched: &[bool]) {
    let line = layout.width.max(900.0);
    let (mut x, mut top, mut highest) = (0.0_f64, layout.height, 0.0_f64);
    let alone: Vec<_> = (0..sizes.len()).filter(|&node| !touched[node]).collect();
    if !alone.is_empty() && top > 0.0 {
        top += ROW_GAP;
    }
    for node in alone {
        let (width, height) = sizes[node];
        if x > 0.0 && x + width > line {
            top += highest + GAP / 2.0;
            (x, highest) = (0.0, 0.0);
        }
        layout.places[node] = Place { x: x + width / 2.0, y: top + height / 2.0, width, height };
        x += width + GAP / 2.0;
        highest = highest.max(height);
        layout.width = layout.width.max(x);
        layout.height = layout.height.max(top + highest);
    }
}

/// The nodes that have arrows.
fn connected(graph: &Graph, sizes: &[(f64, f64)], touched: &[bool]) -> Layout {
    let mut layers = Layers::new(graph);
    for row in &mut layers.rows {
        row.retain(|&item| item >= sizes.len() || touched[item]);
    }
    layers.rows.retain(|row| !row.is_empty());
    let mut widths = vec![1.0; layers.row.len()];
    for (width, &(node, _)) in widths.iter_mut().zip(sizes) {
        *width = node;
    }
    for edge in graph.edges.iter().filter(|edge| edge.from == edge.to) {
        widths[edge.from] = sizes[edge.from].0 + 2.0 * LOOP;
    }
    for (edge, chain) in graph.edges.iter().zip(&layers.chains) {
        if let Some(bend) = labelled_bend(&layers, chain, sizes.len()) {
            widths[bend] = width_of_label(&edge.label);
        }
    }
    let x = columns(&layers, &widths, sizes.len());
    let (tops, bottoms, height) = rows(&layers, sizes);
    let mut places = vec![Place::default(); sizes.len()];
    for (index, row) in layers.rows.iter().enumerate() {
        for &node in row.iter().filter(|&&item| item < sizes.len()) {
            let (width, height) = sizes[node];
            places[node] =
                Place { x: x[node], y: (tops[index] + bottoms[index]) / 2.0, width, height };
        }
    }
    let width = (0..x.len())
        .filter(|&item| item >= touched.len() || touched[item])
        .map(|item| x[item] + widths[item] / 2.0)
        .fold(0.0, f64::max);
    let routes = routes(graph, &layers, &x, &places, (&tops, &bottoms));
    Layout { width, height, places, routes }
}

/// The bend at which the label of an arrow stands, if labels have rows.
fn labelled_bend(layers: &Layers, chain: &[usize], nodes: usize) -> Option<usize> {
    let bend = chain.get(1).copied().filter(|&item| layers.is_bend(item, nodes));
    bend.filter(|_| layers.labels)
}

fn width_of_label(label: &str) -> f64 {
    label.chars().count() as f64 * LABEL_CHAR
}

/// Top and bottom of each row, and the height of all.
fn rows(layers: &Layers, sizes: &[(f64, f64)]) -> (Vec<f64>, Vec<f64>, f64) {
    let (mut tops, mut bottoms, mut y) = (Vec::new(), Vec::new(), 0.0);
    let (gap, least) = if layers.labels { (LABEL_GAP, LABEL) } else { (ROW_GAP, 4.0) };
    for row in &layers.rows {
        let height = row
            .iter()
            .filter_map(|&item| sizes.get(item))
            .map(|&(_, height)| height)
            .fold(least, f64::max);
        tops.push(y);
        bottoms.push(y + height);
        y += height + gap;
    }
    (tops, bottoms, (y - gap).max(0.0))
}

/// The middle of each item.
fn columns(layers: &Layers, widths: &[f64], nodes: usize) -> Vec<f64> {
    let bend = |item: usize| layers.is_bend(item, nodes);
    let apart = |left: usize, right: usize| {
        let gap = if bend(left) || bend(right) { BEND_GAP } else { GAP };
        (widths[left] + widths[right]) / 2.0 + gap
    };
    let mut x = vec![0.0; widths.len()];
    for row in &layers.rows {
        let mut at = 0.0;
        for (index, &item) in row.iter().enumerate() {
            if index > 0 {
                at += apart(row[index - 1], item);
            }
            x[item] = at;
        }
    }
    let weight = |a: usize, b: usize| match (bend(a), bend(b)) {
        (true, true) => 8.0,
        (false, false) => 1.0,
        _ => 2.0,
    };
    let count = layers.rows.len();
    let settling = (SETTLING * ITEMS / widths.len().max(ITEMS)).max(2);
    for sweep in 0..SWEEPS + settling {
        let both = sweep >= SWEEPS;
        for step in 0..count {
            let row = if sweep % 2 == 0 { step } else { count - 1 - step };
            let row = &layers.rows[row];
            let wish = |item: usize| {
                let above = layers.above[item].iter().filter(|_| both || sweep % 2 == 0);
                let below = layers.below[item].iter().filter(|_| both || sweep % 2 == 1);
                let (mut sum, mut total) = (0.0, 0.0);
                for &other in above.chain(below) {
                    sum += weight(item, other) * x[other];
                    total += weight(item, other);
                }
                if total > 0.0 { (sum / total, total) } else { (x[item], 0.1) }
            };
            let wishes: Vec<_> = row.iter().map(|&item| wish(item)).collect();
            let placed = settle(row, &wishes, &apart);
            for (&item, placed) in row.iter().zip(placed) {
                x[item] = placed;
            }
        }
    }
    straighten(layers, &mut x, &apart, nodes);
    let left = layers.rows.iter().flatten().map(|&item| x[item] - widths[item] / 2.0);
    let left = left.fold(f64::INFINITY, f64::min);
    if left.is_finite() {
        x.iter_mut().for_each(|x| *x -= left);
    }
    x
}

/// Lets the bends of each long arrow stand below each other as far as there is room for it.
fn straighten(layers: &Layers, x: &mut [f64], apart: &dyn Fn(usize, usize) -> f64, nodes: usize) {
    let mut index = vec![0; x.len()];
    for row in &layers.rows {
        for (position, &item) in row.iter().enumerate() {
            index[item] = position;
        }
    }
    for chain in &layers.chains {
        let bends: Vec<_> = chain.iter().copied().filter(|&item| item >= nodes).collect();
        let mut start = 0;
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for at in 0..=bends.len() {
            let room = bends.get(at).map(|&bend| {
                let row = &layers.rows[layers.row[bend]];
                let position = index[bend];
                let left =
                    position.checked_sub(1).map(|left| x[row[left]] + apart(row[left], bend));
                let right = row.get(position + 1).map(|&right| x[right] - apart(bend, right));
                (left.unwrap_or(f64::NEG_INFINITY), right.unwrap_or(f64::INFINITY))
            });
            let joint = room.map(|(left, right)| (low.max(left), high.min(right)));
            if let Some((left, right)) = joint
                && left <= right
            {
                (low, high) = (left, right);
                continue;
            }
            // No line fits all: what came so far gets one, the rest another.
            let stretch = &bends[start..at];
            let mean =
                stretch.iter().map(|&bend| x[bend]).sum::<f64>() / stretch.len().max(1) as f64;
            for &bend in stretch {
                x[bend] = mean.max(low).min(high);
            }
            start = at;
            (low, high) = room.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        }
    }
}

/// The positions nearest to the wishes (value and weight) that keep order and distance.
fn settle(row: &[usize], wishes: &[(f64, f64)], apart: &dyn Fn(usize, usize) -> f64) -> Vec<f64> {
    // With the distances taken away, positions only have to ascend: pool what does not.
    let mut offsets = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(row.len());
    for (index, &(value, weight)) in wishes.iter().enumerate() {
        if index > 0 {
            offset += apart(row[index - 1], row[index]);
        }
        offsets.push(offset);
        let mut pool = ((value - offset) * weight, weight, 1);
        while let Some(&(sum, total, count)) = pools.last() {
            if sum / total < pool.0 / pool.1 {
                break;
            }
            pool = (pool.0 + sum, pool.1 + total, pool.2 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let mut placed = Vec::with_capacity(row.len());
    for (sum, total, count) in pools {
        for _ in 0..count {
            placed.push(sum / total + offsets[placed.len()]);
        }
    }
    placed
}

/// For each arrow how far from the middle it touches its upper and its lower node.
fn ports(graph: &Graph, layers: &Layers, x: &[f64], places: &[Place]) -> Vec<(f64, f64)> {
    let mut ports = vec![(0.0, 0.0); graph.edges.len()];
    let mut at_bottom = vec![Vec::new(); places.len()];
    let mut at_top = vec![Vec::new(); places.len()];
    for (edge, chain) in layers.chains.iter().enumerate() {
        if let ([top, below, ..], [.., above, bottom]) = (chain.as_slice(), chain.as_slice()) {
            at_bottom[*top].push((x[*below], edge));
            at_top[*bottom].push((x[*above], edge));
        }
    }
    for (list, upper) in [(&mut at_bottom, true), (&mut at_top, false)] {
        for (node, edges) in list.iter_mut().enumerate() {
            edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let count = edges.len() as f64;
            let room = (places[node].width - 16.0).max(0.0) / count.max(1.0);
            let step = room.min(PORT);
            for (index, &(_, edge)) in edges.iter().enumerate() {
                let offset = (index as f64 - (count - 1.0) / 2.0) * step;
                let port = &mut ports[edge];
                if upper { port.0 = offset } else { port.1 = offset }
            }
        }
    }
    ports
}

fn routes(
    graph: &Graph,
    layers: &Layers,
    x: &[f64],
    places: &[Place],
    (tops, bottoms): (&[f64], &[f64]),
) -> Vec<Route> {
    let ports = ports(graph, layers, x, places);
    let mut routes = Vec::with_capacity(graph.edges.len());
    for (index, edge) in graph.edges.iter().enumerate() {
        let chain = &layers.chains[index];
        let (Some(&top), Some(&bottom), true) = (chain.first(), chain.last(), chain.len() > 1)
        else {
            routes.push(itself(&places[edge.from]));
            continue;
        };
        let (start, end) = (x[top] + ports[index].0, x[bottom] + ports[index].1);
        let mut points = vec![
            (start, places[top].y + places[top].height / 2.0),
            (start, bottoms[layers.row[top]]),
        ];
        for &bend in &chain[1..chain.len() - 1] {
            let row = layers.row[bend];
            points.extend([(x[bend], tops[row]), (x[bend], bottoms[row])]);
        }
        let tip = (end, places[bottom].y - places[bottom].height / 2.0);
        points.extend([(end, tops[layers.row[bottom]]), tip]);
        let back = layers.back[index];
        let heading = if back { (0.0, -1.0) } else { (0.0, 1.0) };
        if back {
            points.reverse();
        }
        let label = match labelled_bend(layers, chain, places.len()) {
            // In the middle of its row, over the arrow.
            Some(bend) => {
                let row = layers.row[bend];
                let y = (tops[row] + bottoms[row]) / 2.0 + 4.0;
                (x[bend] - width_of_label(&edge.label) / 2.0, y)
            }
            // Where the first gap between rows ends: there the arrows have parted.
            None => {
                let (x, y) = points.get(2).copied().unwrap_or(tip);
                (x + 5.0, if back { y + 13.0 } else { y - 10.0 })
            }
        };
        let tip = points.last().copied().unwrap_or(tip);
        routes.push(Route { points, tip, heading, label, back });
    }
    routes
}

/// An arrow from a node to itself, at its right.
fn itself(place: &Place) -> Route {
    let right = place.x + place.width / 2.0;
    let (y, far) = (place.y, right + LOOP * 0.8);
    let tip = (right, y - 5.0);
    Route {
        points: vec![(right, y + 5.0), (far, y + 5.0), (far, y - 5.0), tip],
        tip,
        heading: (-1.0, 0.0),
        label: (far + 3.0, y + 4.0),
        back: true,
    }
}
