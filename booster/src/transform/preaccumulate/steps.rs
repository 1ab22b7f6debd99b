//! The order of the steps of a propagator.
//!
//! A step gives a derivative its new value, a sum of products with derivatives of others. Those of
//! inputs mean the values before the run: a step that reads one stands before the step that overwrites
//! it, which is another one where the run has overwritten the input (`s = s + x*y`). Where that
//! leads in a circle (a swap), the derivative is set aside in a variable of its own first.

use std::collections::BTreeSet;

use elimination::{Entry, Value};

use super::graph::Vertex;
use super::places::PlaceId;

/// Whose derivative is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Whose {
    /// That of the place.
    Place(PlaceId),
    /// That of a variable for the value of this vertex.
    Vertex(u32),
}

/// A step: the derivative of `target` becomes a sum of products.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// What is overwritten.
    pub(super) target: Whose,
    /// The factors, with what they are factors of.
    pub(super) terms: Vec<(Value, Whose)>,
}

/// The steps for what is left of a graph: its edges, by target and source. All outputs get a value.
pub(super) fn steps(vertices: &[Vertex], edges: &[Entry]) -> Vec<Step> {
    let mut open: Vec<Open> = Vec::new();
    for (number, vertex) in vertices.iter().enumerate() {
        let number = number as u32;
        let terms: Vec<(Value, u32)> =
            edges.iter().filter(|e| e.target == number).map(|e| (e.value, e.source)).collect();
        let target = match *vertex {
            Vertex::Input(_) => continue,
            Vertex::Output(place) => Whose::Place(place),
            Vertex::Inner if terms.is_empty() => continue,
            Vertex::Inner => Whose::Vertex(number),
        };
        open.push(Open { vertex: number, target, terms });
    }
    let mut aside: BTreeSet<u32> = BTreeSet::new();
    let mut done = Vec::with_capacity(open.len());
    while !open.is_empty() {
        match (0..open.len()).find(|&at| is_free(vertices, &open, &aside, at)) {
            Some(at) => {
                let Open { target, terms, .. } = open.remove(at);
                let terms = terms
                    .into_iter()
                    .map(|(value, source)| (value, whose(vertices, &aside, source)))
                    .collect();
                done.push(Step { target, terms });
            }
            None => match blocking(vertices, &open, &aside) {
                Some(input) => {
                    let whole = (Value::constant(1.0), whose(vertices, &aside, input));
                    aside.insert(input);
                    done.push(Step { target: Whose::Vertex(input), terms: vec![whole] });
                }
                // A graph has no circles.
                None => break,
            },
        }
    }
    done
}

/// A step that is not written yet.
struct Open {
    vertex: u32,
    target: Whose,
    terms: Vec<(Value, u32)>,
}

/// Where the derivative of a vertex stands.
fn whose(vertices: &[Vertex], aside: &BTreeSet<u32>, vertex: u32) -> Whose {
    match vertices[vertex as usize] {
        Vertex::Input(place) if !aside.contains(&vertex) => Whose::Place(place),
        Vertex::Output(place) => Whose::Place(place),
        Vertex::Input(_) | Vertex::Inner => Whose::Vertex(vertex),
    }
}

/// Whether the step at `at` reads what is there already, and overwrites nothing that others read.
fn is_free(vertices: &[Vertex], open: &[Open], aside: &BTreeSet<u32>, at: usize) -> bool {
    let computed = |source: u32| !open.iter().any(|other| other.vertex == source);
    let ready = open[at].terms.iter().all(|&(_, source)| computed(source));
    ready && read_by_others(vertices, open, aside, at).is_none()
}

/// An input that another step reads and that the step at `at` overwrites.
fn read_by_others(
    vertices: &[Vertex],
    open: &[Open],
    aside: &BTreeSet<u32>,
    at: usize,
) -> Option<u32> {
    let overwritten = |source: u32| {
        matches!(vertices[source as usize], Vertex::Input(_))
            && whose(vertices, aside, source) == open[at].target
    };
    let others = open.iter().enumerate().filter(|&(other, _)| other != at);
    let sources = others.flat_map(|(_, other)| other.terms.iter().map(|&(_, source)| source));
    sources.into_iter().find(|&source| overwritten(source))
}

/// An input that has to be set aside before anything else can be done.
fn blocking(vertices: &[Vertex], open: &[Open], aside: &BTreeSet<u32>) -> Option<u32> {
    (0..open.len()).find_map(|at| read_by_others(vertices, open, aside, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(source: u32, target: u32) -> Entry {
        Entry { source, target, value: Value::constant(2.0) }
    }

    fn targets(steps: &[Step]) -> Vec<Whose> {
        steps.iter().map(|step| step.target).collect()
    }

    #[test]
    fn what_is_read_is_read_before_it_is_overwritten() {
        // x = y + …, z = x + …: z first.
        let vertices = [
            Vertex::Input(PlaceId(0)),
            Vertex::Input(PlaceId(1)),
            Vertex::Output(PlaceId(0)),
            Vertex::Output(PlaceId(2)),
        ];
        let found = steps(&vertices, &[entry(1, 2), entry(0, 3)]);
        assert_eq!(targets(&found), [Whose::Place(PlaceId(2)), Whose::Place(PlaceId(0))]);
    }

    #[test]
    fn its_own_derivative_is_no_obstacle() {
        let vertices = [Vertex::Input(PlaceId(0)), Vertex::Output(PlaceId(0))];
        let found = steps(&vertices, &[entry(0, 1)]);
        assert_eq!(targets(&found), [Whose::Place(PlaceId(0))]);
    }

    #[test]
    fn a_swap_sets_one_aside() {
        let vertices = [
            Vertex::Input(PlaceId(0)),
            Vertex::Input(PlaceId(1)),
            Vertex::Output(PlaceId(1)),
            Vertex::Output(PlaceId(0)),
        ];
        let found = steps(&vertices, &[entry(0, 2), entry(1, 3)]);
        let aside = targets(&found)[0];
        assert!(matches!(aside, Whose::Vertex(_)), "{found:?}");
        assert_eq!(found.len(), 3);
        assert!(found[1..].iter().any(|step| step.terms[0].1 == aside), "{found:?}");
    }

    #[test]
    fn kept_intermediates_stand_before_what_reads_them() {
        let vertices = [Vertex::Input(PlaceId(0)), Vertex::Output(PlaceId(1)), Vertex::Inner];
        let found = steps(&vertices, &[entry(2, 1), entry(0, 2)]);
        assert_eq!(targets(&found), [Whose::Vertex(2), Whose::Place(PlaceId(1))]);
    }

    #[test]
    fn an_output_without_edges_becomes_zero() {
        let found = steps(&[Vertex::Output(PlaceId(0))], &[]);
        assert_eq!(found, [Step { target: Whose::Place(PlaceId(0)), terms: Vec::new() }]);
    }
}
