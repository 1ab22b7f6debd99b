//! The generator of random programs and the choice of stages by seed. `files/random.rs` checks programs.

use std::collections::BTreeSet;

use oxad_tests::random::adjoint::Stages;
use oxad_tests::random::check::{Failure, unless_miscompiled};
use oxad_tests::random::program::Program;
use oxad_tests::random::tangent::Stages as TangentStages;
use oxad_tests::random::{generate, objects, shrink, state};

const OBJECTS: u64 = 40;
const SIZE: u32 = 6;

/// What some tens of programs with objects have.
const FEATURES: &[&str] = &[
    "type, abstract :: base",
    "deferred ::",
    "class(base), allocatable :: ",
    "class(base), allocatable, save :: ",
    ", pointer :: ",
    ", target :: ",
    "type is (",
    "class is (",
    "class default",
    "associate (",
    "block",
    "do while (",
    "select case (",
    "recursive subroutine",
    "call self%e1%",
    "source=",
    "deallocate (",
    "call move_alloc(",
    " = e1(",
    "rf(1)%p => ",
    " cycle",
    " exit",
];

#[test]
fn seeds_in_a_row_take_all_optional_stages_before_tangents() {
    let ways: Vec<TangentStages> = (7..9).flat_map(TangentStages::by_turns).collect();
    assert_eq!(ways.len(), TangentStages::subsets().count());
    assert!(TangentStages::subsets().all(|one| ways.contains(&one)));
}

#[test]
fn seeds_in_a_row_take_all_subsets_of_the_stages() {
    let names = |seed| Stages::of(seed).map(Stages::name);
    let all: BTreeSet<String> = (100..100 + Stages::COUNT / 2).flat_map(names).collect();
    assert_eq!(all.len() as u64, Stages::COUNT);
}

#[test]
fn the_compiler_is_not_at_fault_where_the_program_itself_is_right() {
    let program = generate(1, SIZE);
    let found = Failure { step: "compiled program".into(), message: "another number".into() };
    assert_eq!(unless_miscompiled(&program, Err(found.clone())), Err(found));
}

#[test]
fn a_program_depends_on_its_seed_alone() {
    assert_eq!(generate(7, SIZE).source(), generate(7, SIZE).source());
    assert_ne!(generate(7, SIZE).source(), generate(8, SIZE).source());
    let objects = |seed| objects::generate(seed, SIZE).source();
    assert_eq!(objects(7), objects(7));
    assert_ne!(objects(7), objects(8));
}

#[test]
fn programs_with_objects_have_what_objects_are_about() {
    let all: String = (1..=OBJECTS).map(|seed| objects::generate(seed, SIZE).source()).collect();
    for feature in FEATURES {
        assert!(all.contains(feature), "{feature}");
    }
}

/// What some tens of programs about properties change, and how they ask for it.
const STATES: &[&str] = &[
    "size(",
    "lbound(",
    "ubound(",
    "len(",
    "associated(",
    ".not. allocated(",
    "present(",
    "same_type_as(",
    "extends_type_of(",
    "select type (",
    "%worth(",
    "w(size(v))",
    "r(size(v))",
    "deallocate(",
    "allocate(moved",
    "source=",
    "move_alloc(item",
    "move_alloc(moved",
    "nullify(",
    " => ",
    "(0:) => ",
    "intent(out) :: v(:)",
    "optional :: v(:)",
    "target, intent(inout)",
    "pointer, intent(inout)",
    "recursive subroutine",
    "contains",
    "hq = hq(2:1:-1)",
    "gq(1) = gq(2)",
    "dim=1, mask=",
    "back=.true.",
    "boundary=",
    "pad=",
    "order=",
    "vector=",
    "field=",
    "ncopies=",
    "size=size(",
    "[(",
    "bend(bent) = ",
    "j = 1, 2",
    " return",
    " exit",
];

#[test]
fn programs_about_properties_have_what_they_are_about() {
    let all: String = (1..=OBJECTS).map(|seed| state::generate(seed, SIZE).source()).collect();
    for feature in STATES {
        assert!(all.contains(feature), "{feature}");
    }
    assert_eq!(state::generate(7, SIZE).source(), state::generate(7, SIZE).source());
}

#[test]
fn a_failing_program_is_made_small() {
    // "Fails" whatever assigns to y.
    let fails = |program: &Program| {
        program.source().lines().any(|line| line.trim_start().starts_with("y = "))
    };
    let seed = (1..200).find(|&seed| fails(&generate(seed, SIZE))).expect("a program");
    let program = generate(seed, SIZE);
    let small = shrink(&program, 2000, fails);
    assert!(fails(&small));
    assert!(small.source().len() * 2 < program.source().len(), "{}", small.source());
}
