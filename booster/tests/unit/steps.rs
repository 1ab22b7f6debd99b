//! The order of the steps of a propagator.

use booster_preaccumulate::graph::Vertex;
use booster_preaccumulate::places::PlaceId;
use booster_preaccumulate::steps::{Step, Whose, steps};
use elimination::{Entry, Value};

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
