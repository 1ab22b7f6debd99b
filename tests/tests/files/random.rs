//! Random programs: the text, the executed document, tangents and adjoints agree. One test per seed.
//!
//! `scripts/random` checks many more programs.

use booster_tests::trials::named;
use libtest_mimic::Trial;
use oxad_tests::random::adjoint::{Stages, check_adjoint, check_compiled_adjoint};
use oxad_tests::random::check::{Failure, Verdict, check_compiled, check_primal};
use oxad_tests::random::large::check_large;
use oxad_tests::random::mutants::check::check as check_mutant;
use oxad_tests::random::mutants::{Mutant, Mutation, mutations, reduce};
use oxad_tests::random::preaccumulate::check_preaccumulation;
use oxad_tests::random::program::Program;
use oxad_tests::random::tangent::{check_tangent_by_turns, check_vector};
use oxad_tests::random::topics::from_c::check_from_c;
use oxad_tests::random::{Kind, shrink};

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

/// Programs about one property are small.
const TOPIC: u64 = 24;

/// One for joint calls, one for split calls, one for both.
const LARGE: u64 = 3;

/// Mutants, and how many changes one has at most.
const MUTANTS: u64 = 60;
const CHANGES: usize = 4;

/// About the number of statements of a procedure.
const SIZE: u32 = 6;
const SMALL: u32 = 3;

type Check = fn(&Program) -> Result<Verdict, Failure>;

pub(crate) fn trials() -> Vec<Trial> {
    use Kind::{
        Calls, Cycles, Entries, Interoperable, Objects, Overlaps, Procedures, State, Structures,
    };
    let checks: [(&str, Kind, u32, u64, Check); 31] = [
        // The longest checks start first, so that both cores finish together.
        ("adjoint::procedures", Procedures, SMALL, ADJOINTS, check_adjoint),
        ("adjoint::objects", Objects, SMALL, OTHER_ADJOINTS, check_adjoint),
        ("adjoint::overlaps", Overlaps, SMALL, OTHER_ADJOINTS, check_adjoint),
        ("adjoint::state", State, SMALL, OTHER_ADJOINTS, check_adjoint),
        ("large::procedures", Procedures, SMALL, LARGE, check_large),
        ("large::state", State, SMALL, LARGE, check_large),
        ("adjoint::compiled", Overlaps, SMALL, COMPILED, check_compiled_adjoint),
        ("tangent::procedures", Procedures, SIZE, TANGENTS, check_tangent_by_turns),
        ("tangent::objects", Objects, SMALL, OBJECT_TANGENTS, check_tangent_by_turns),
        ("tangent::state", State, SMALL, OBJECT_TANGENTS, check_tangent_by_turns),
        ("directions::state", State, SMALL, OBJECT_TANGENTS, check_vector),
        ("directions", Procedures, SIZE, TANGENTS, check_vector),
        ("preaccumulate", Procedures, SIZE, TANGENTS, check_preaccumulation),
        ("text::procedures", Procedures, SIZE, PROGRAMS, check_primal),
        ("text::objects", Objects, SIZE, OBJECTS, check_primal),
        ("text::state", State, SIZE, OBJECTS, check_primal),
        ("compiled", Procedures, SIZE, COMPILED, compiled),
        ("compiled::state", State, SMALL, COMPILED, compiled),
        ("adjoint::calls", Calls, SMALL, TOPIC, check_adjoint),
        ("adjoint::cycles", Cycles, SMALL, TOPIC, check_adjoint),
        ("adjoint::entries", Entries, SMALL, TOPIC, check_adjoint),
        ("adjoint::interoperable", Interoperable, SMALL, TOPIC, check_adjoint),
        ("adjoint::structures", Structures, SMALL, TOPIC, check_adjoint),
        ("directions::interoperable", Interoperable, SMALL, TOPIC, check_vector),
        ("directions::structures", Structures, SIZE, TOPIC, check_vector),
        ("tangent::calls", Calls, SMALL, OBJECT_TANGENTS, check_tangent_by_turns),
        ("tangent::cycles", Cycles, SMALL, OBJECT_TANGENTS, check_tangent_by_turns),
        ("tangent::entries", Entries, SMALL, OBJECT_TANGENTS, check_tangent_by_turns),
        ("compiled::calls", Calls, SMALL, LARGE, check_compiled_adjoint),
        ("compiled::structures", Structures, SMALL, LARGE, check_compiled_adjoint),
        ("compiled::interoperable", Interoperable, SMALL, LARGE, check_from_c),
    ];
    checks
        .into_iter()
        .flat_map(|(name, kind, size, count, check)| agree(name, kind, size, count, check))
        .chain(mutants())
        .chain(changes())
        .collect()
}

/// The derivatives of the project's own programs with some changes.
fn mutants() -> Vec<Trial> {
    let seeds = (1..=MUTANTS).map(|seed| (format!("seed_{seed}"), seed));
    named("random::mutants", seeds, |&seed| {
        let Ok(mutant) = Mutant::of(seed, CHANGES) else { return Ok(()) };
        let Err(failure) = check_mutant(&mutant) else { return Ok(()) };
        let small = reduce(&mutant, 400, |mutant| {
            check_mutant(mutant).is_err_and(|found| found.step == failure.step)
        });
        Err(format!("{failure}\n{}", small.told()))
    })
}

/// Each change finds a program that it changes, and leaves one that can be executed.
fn changes() -> Vec<Trial> {
    let names = mutations().map(|mutation| (mutation.name.replace(' ', "_"), mutation));
    named("random::mutations", names, |&mutation: &&'static Mutation| {
        let mutant = Mutant::by(mutation).ok_or("no program has a place for it")?;
        match check_mutant(&mutant) {
            Err(failure) if failure.step == "program" => Err(format!("{failure}")),
            Ok(_) | Err(_) => Ok(()),
        }
    })
}

fn compiled(program: &Program) -> Result<Verdict, Failure> {
    check_compiled(program).map(|()| Verdict::Agrees)
}

fn agree(name: &str, kind: Kind, size: u32, count: u64, check: Check) -> Vec<Trial> {
    let seeds = (1..=count).map(|seed| (format!("seed_{seed}"), seed));
    named(&format!("random::{name}"), seeds, move |&seed| {
        let program = kind.generate(seed, size);
        let Err(failure) = check(&program) else { return Ok(()) };
        let small = shrink(&program, 400, |program| {
            check(program).is_err_and(|found| found.step == failure.step)
        });
        Err(format!("{failure}\n{}", small.source()))
    })
}
