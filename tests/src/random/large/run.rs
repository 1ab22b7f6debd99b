//! Compiles tangent and adjoint with a main program, and executes it in each of its modes.

use std::path::Path;
use std::process::Command;

use super::super::adjoint::tape;
use super::super::check::{Failure, failure};
use crate::case::first_lines;
use crate::programs::finish;

/// What was printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    /// Tangents times weights.
    pub(super) tangent: f64,
    /// Adjoints times directions.
    pub(super) adjoint: f64,
    /// Differences of values times weights, with a step and with half of it.
    pub(super) differences: [f64; 2],
    /// The sum of the sizes of all products.
    pub(super) size: f64,
    /// The bytes on the tape behind the adjoint, and at most in it.
    pub(super) left_on_tape: f64,
    pub(super) peak_of_tape: f64,
}

/// The step of differences.
const STEP: f64 = 2e-6;

/// The largest distance of differences and tangents that agree, for products of size 1.
pub(super) const DIFFERENCE: f64 = 1e-4;

/// Gives the compiler 20 seconds of processor time: gfortran 12 does not end where both sides of an assignment to a section
/// have a subscript with an array constructor, and a named constant that is an array is one.
const COMPILE: &str = "ulimit -S -t 20; exec gfortran \"$@\"";

/// The compiler's message about the end of its time.
const OUT_OF_TIME: &str = "CPU time limit";

/// How a program is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compiled {
    /// As fast as the compiler can.
    Plainly,
    /// Optimised, with the bounds of all subscripts checked.
    WithChecks,
}

impl Compiled {
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Plainly => &["-O0"],
            Self::WithChecks => &["-O1", "-g", "-fcheck=bounds"],
        }
    }
}

/// The status of `timeout` where the time is over.
const TIMED_OUT: i32 = 124;

/// Compiles texts, in this order, and executes the program; nothing where the compiler does not end.
pub(super) fn run(texts: &[&str], compiled: Compiled) -> Result<Option<Runs>, Failure> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return failure("files", error.to_string()),
    };
    if !compile(texts, compiled, folder.path())? {
        return Ok(None);
    }
    let once = |mode: &str, step: f64| execute(folder.path(), &[mode, &format!("{step:e}")]);
    let (tangent, adjoint) = (once("t", 0.0)?, once("a", 0.0)?);
    let difference = |step: f64| -> Result<f64, Failure> {
        Ok((once("d", step)?[0] - once("d", -step)?[0]) / (2.0 * step))
    };
    let narrow = difference(0.5 * STEP)?;
    let size = tangent[1].max(adjoint[1]);
    // A second difference tells whether the first converges. It is needed only where the first contradicts.
    let agrees = (narrow - tangent[0]).abs() <= DIFFERENCE * (1.0 + size);
    let wide = if agrees { narrow } else { difference(STEP)? };
    Ok(Some(Runs {
        tangent: tangent[0],
        adjoint: adjoint[0],
        differences: [wide, narrow],
        size,
        left_on_tape: adjoint[2],
        peak_of_tape: adjoint[3],
    }))
}

/// Whether the compiler ends. The texts stand in one file: the compiler's start costs more than most of them.
fn compile(texts: &[&str], compiled: Compiled, folder: &Path) -> Result<bool, Failure> {
    let tape = tape()?;
    let mut gfortran = Command::new("bash");
    gfortran.args(["-c", COMPILE, "gfortran", "-w", "-std=legacy", "-ffree-line-length-none"]);
    gfortran.args(compiled.options());
    gfortran.arg(format!("-I{}", tape.display())).arg("-J").arg(folder).current_dir(folder);
    if let Err(error) = std::fs::write(folder.join("program.f90"), texts.concat()) {
        return failure("files", error.to_string());
    }
    gfortran.arg("program.f90");
    let objects = ["oxad_tape_f.o", "oxad_tape_c.o"].map(|object| tape.join(object));
    gfortran.args(objects).args(["-o", "program"]);
    match finish(gfortran, b"") {
        Ok(finished) if finished.status == Some(0) => Ok(true),
        Ok(finished) if finished.err().contains(OUT_OF_TIME) => Ok(false),
        Ok(finished) => failure("large, gfortran", first_lines(&finished.err())),
        Err(error) => failure("large, gfortran", error.to_string()),
    }
}

/// The numbers that the program prints: a sum of products, that of their sizes, and the bytes on the tape, in the end and
/// at most.
fn execute(folder: &Path, arguments: &[&str]) -> Result<[f64; 4], Failure> {
    let mut command = Command::new("bash");
    // Automatic arrays may be large.
    command.args(["-c", "ulimit -s unlimited; exec timeout 60 ./program \"$@\"", "program"]);
    command.args(arguments).current_dir(folder);
    let step = format!("large, execution {}", arguments[0]);
    let finished = match finish(command, b"") {
        Ok(finished) if finished.status == Some(0) => finished,
        Ok(finished) if finished.status == Some(TIMED_OUT) => return failure(step, "does not end"),
        Ok(finished) => return failure(step, first_lines(&finished.err())),
        Err(error) => return failure(step, error.to_string()),
    };
    let text = finished.out();
    let mut numbers = text.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN));
    let mut next = || numbers.next().unwrap_or(f64::NAN);
    Ok([next(), next(), next(), next()])
}
