//! Random programs at a large size: many calls of the head, in a loop over large arrays.
//!
//! A procedure is put around a program (`text`): it calls the head for each column of arrays of ten thousand to a
//! million elements, adds what has come out so far to the next column, and has whole arrays overwritten by
//! another procedure now and then. So records of many iterations, and snapshots of large arrays, cross the
//! limits of the tape's chunks. Its tangent and its adjoint are compiled (`run`): the products of tangents
//! and adjoints with directions agree, and differences agree with both where they converge.

mod run;
mod text;

use xaif_run::Mode;

use super::adjoint::{self, Calls, Stages};
use super::check::{
    Failure, Inputs, PRIMAL, Verdict, all_that_is_not_refused, document, execute, failure,
};
use super::program::{HEAD, Program, Task, Ty};
use super::tangent::{self, Stages as TangentStages};
use run::{Compiled, DIFFERENCE, Runs, run};

/// The procedure around the head.
const LARGE: &str = "p_large";

/// How many calls are made, by the seed: arrays of 10,000 to a million elements.
const ROUNDS: [u64; 8] = [10_000, 2_000, 4_000, 2_000, 10_000, 2_000, 4_000, 40_000];

/// Of so many seeds in a row one is compiled with checks.
const CHECKED: u64 = 7;

/// The most elements of an array.
const ELEMENTS: u64 = 1_000_000;

/// The bytes of the first chunk of the tape.
const FIRST_CHUNK: f64 = 65_536.0;

/// How many calls there are of a program whose arguments have so many elements.
fn rounds(program: &Program) -> u64 {
    let elements = |shape: &[i64]| shape.iter().product::<i64>().max(1).unsigned_abs();
    let most = program.args.iter().map(|(.., shape)| elements(shape)).max().unwrap_or(1);
    // Calls are cheap where there is one argument of one element: the array shall be large all the same.
    let wanted = ROUNDS[(program.seed % ROUNDS.len() as u64) as usize];
    wanted.min(ELEMENTS / most)
}

/// Tangent and adjoint of the program in a loop over large arrays agree; seeds in a row take joint, split and
/// partly split calls.
pub fn check_large(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, large_once)
}

fn large_once(program: &Program) -> Result<Verdict, Failure> {
    if program.args.iter().any(|(_, ty, _)| matches!(ty, Ty::Complex | Ty::Logical)) {
        return failure("large", "arguments of this type are not supported");
    }
    let inputs = Inputs::of(program, 0);
    let small = document(&program.source())?;
    let both = (inputs.values.as_slice(), inputs.direction.as_slice());
    if execute(PRIMAL, &small, HEAD, both, Mode::Tangent)?.is_none() {
        return Ok(Verdict::TooLong);
    }
    let source = format!("{}{}", program.source(), text::around(program));
    let doc = document(&source)?;
    let task = Task { head: LARGE.into(), ..program.task() };
    let calls = [Calls::Joint, Calls::Split, Calls::Mixed][(program.seed % 3) as usize];
    let stages = Stages { calls, ..Stages::ALL };
    let tangent = match tangent::differentiate(&task, &doc, TangentStages::ALL, None)? {
        Ok((doc, _)) => doc,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    let adjoint = match adjoint::differentiate(&task, &doc, stages)? {
        Ok(derived) => derived.doc,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    let driver = text::driver(program, rounds(program), (&tangent, &adjoint))?;
    let texts = [tangent::derivative_text(&tangent)?, tangent::derivative_text(&adjoint)?];
    // A compilation with checks takes three times as long.
    let compiled =
        if program.seed.is_multiple_of(CHECKED) { Compiled::WithChecks } else { Compiled::Plainly };
    let runs = run(&[&source, &texts[0], &texts[1], &driver], compiled)?;
    match runs {
        Some(runs) => compare(program, &stages.name(), &runs),
        None => Ok(Verdict::Miscompiled),
    }
}

fn compare(program: &Program, step: &str, runs: &Runs) -> Result<Verdict, Failure> {
    // Numbers that grow without bound tell nothing.
    if !runs.size.is_finite() || runs.size > 1e12 {
        return Ok(Verdict::TooLong);
    }
    let step = format!("large, {step}");
    if runs.left_on_tape != 0.0 {
        return failure(step, format!("{} bytes are left on the tape", runs.left_on_tape));
    }
    // The whole arrays that are overwritten at the end of the loop alone are larger than the first chunk.
    if runs.peak_of_tape < FIRST_CHUNK {
        return failure(step, format!("the tape has had {} bytes at most", runs.peak_of_tape));
    }
    let mixed = program.mixed || program.args.iter().any(|(_, ty, _)| *ty == Ty::Single);
    let tolerance = if mixed { 1e-2 } else { 1e-8 };
    let [tangent, adjoint] = [runs.tangent, runs.adjoint];
    let differs = |a: f64, b: f64, tolerance: f64| (a - b).abs() > tolerance * (1.0 + runs.size);
    if differs(tangent, adjoint, tolerance) || tangent.is_nan() != adjoint.is_nan() {
        let message = format!("the tangent gives {tangent:e}, the adjoint {adjoint:e}");
        return failure(format!("{step}, dot product"), message);
    }
    let [wide, narrow] = runs.differences;
    // Differences with two steps that agree are no accident.
    if !mixed && !differs(wide, narrow, 1e-7) && differs(narrow, tangent, DIFFERENCE) {
        let message = format!("the tangent gives {tangent:e}, differences {wide:e} and {narrow:e}");
        return failure(format!("{step}, differences"), message);
    }
    Ok(Verdict::Agrees)
}
