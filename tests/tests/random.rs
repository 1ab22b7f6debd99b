//! Random programs: whatever computes with them agrees.
//!
//! `scripts/random` looks at many more of them.

use std::collections::BTreeSet;

use oxad_tests::pool::check_all;
use oxad_tests::random::adjoint::{Stages, check_adjoint, check_compiled_adjoint};
use oxad_tests::random::check::{
    Failure, Verdict, check_compiled, check_primal, unless_miscompiled,
};
use oxad_tests::random::preaccumulate::check_preaccumulation;
use oxad_tests::random::program::Program;
use oxad_tests::random::tangent::{Stages as TangentStages, check_tangent_by_turns, check_vector};
use oxad_tests::random::{Kind, generate, objects, shrink};

/// How many programs each test looks at, and how many of them a compiler sees.
const PROGRAMS: u64 = 120;
const COMPILED: u64 = 12;
const TANGENTS: u64 = 36;
const OBJECTS: u64 = 40;
/// Types and procedures make programs with objects large.
const OBJECT_TANGENTS: u64 = 12;
/// So many that each subset of the stages has its turn.
const ADJOINTS: u64 = Stages::COUNT / 2;
/// Of these kinds half of the subsets.
const OTHER_ADJOINTS: u64 = ADJOINTS / 2;

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

/// About the number of statements of a procedure.
const SIZE: u32 = 6;
const SMALL: u32 = 3;

fn agree(count: u64, check: impl Fn(&Program) -> Result<(), Failure> + Sync) {
    agree_of(Kind::Procedures, SIZE, count, check);
}

fn agree_of(
    kind: Kind,
    size: u32,
    count: u64,
    check: impl Fn(&Program) -> Result<(), Failure> + Sync,
) {
    let seeds: Vec<u64> = (1..=count).collect();
    check_all(
        &seeds,
        |seed| format!("seed {seed}"),
        |&seed| {
            let program = kind.generate(seed, size);
            let Err(failure) = check(&program) else { return Ok(()) };
            let small = shrink(&program, 400, |program| {
                check(program).is_err_and(|found| found.step == failure.step)
            });
            Err(format!("{failure}\n{}", small.source()))
        },
    );
}

#[test]
fn the_text_of_a_document_means_the_same_and_tangents_change_no_value() {
    agree(PROGRAMS, |program| check_primal(program).map(|_: Verdict| ()));
}

#[test]
fn local_jacobians_change_neither_values_nor_tangents() {
    agree(TANGENTS, |program| check_preaccumulation(program).map(|_: Verdict| ()));
}

#[test]
fn tangents_are_those_of_dual_numbers_whatever_optional_stages_ran_before() {
    agree(TANGENTS, |program| check_tangent_by_turns(program).map(|_: Verdict| ()));
}

#[test]
fn seeds_in_a_row_take_all_optional_stages_before_tangents() {
    let ways: Vec<TangentStages> = (7..9).flat_map(TangentStages::by_turns).collect();
    assert_eq!(ways.len(), TangentStages::subsets().count());
    assert!(TangentStages::subsets().all(|one| ways.contains(&one)));
}

#[test]
fn adjoints_are_transposes_of_dual_numbers_whatever_stages_ran_and_calls_are_split() {
    let check = |program: &Program| check_adjoint(program).map(|_: Verdict| ());
    agree_of(Kind::Procedures, SMALL, ADJOINTS, check);
}

#[test]
fn seeds_in_a_row_take_all_subsets_of_the_stages() {
    let names = |seed| Stages::of(seed).map(Stages::name);
    let all: BTreeSet<String> = (100..100 + ADJOINTS).flat_map(names).collect();
    assert_eq!(all.len() as u64, Stages::COUNT);
}

#[test]
fn several_directions_at_once_are_each_of_them_alone() {
    agree(TANGENTS, |program| check_vector(program).map(|_: Verdict| ()));
}

#[test]
fn the_text_of_programs_with_objects_means_the_same() {
    let check = |program: &Program| check_primal(program).map(|_: Verdict| ());
    agree_of(Kind::Objects, SIZE, OBJECTS, check);
}

#[test]
fn tangents_of_programs_with_objects_are_those_of_dual_numbers() {
    let check = |program: &Program| check_tangent_by_turns(program).map(|_: Verdict| ());
    agree_of(Kind::Objects, SMALL, OBJECT_TANGENTS, check);
}

#[test]
fn adjoints_of_programs_with_objects_are_transposes_of_dual_numbers() {
    let check = |program: &Program| check_adjoint(program).map(|_: Verdict| ());
    agree_of(Kind::Objects, SMALL, OTHER_ADJOINTS, check);
}

#[test]
fn adjoints_of_programs_whose_arguments_overlap_are_transposes_of_dual_numbers() {
    let check = |program: &Program| check_adjoint(program).map(|_: Verdict| ());
    agree_of(Kind::Overlaps, SMALL, OTHER_ADJOINTS, check);
}

#[test]
fn what_a_compiler_makes_of_overlapping_arguments_is_right() {
    let check = |program: &Program| check_compiled_adjoint(program).map(|_: Verdict| ());
    agree_of(Kind::Overlaps, SMALL, COMPILED, check);
}

#[test]
fn compiled_programs_print_what_their_documents_print() {
    agree(COMPILED, check_compiled);
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
