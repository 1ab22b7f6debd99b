//! Tangents of small programs in the modern language, from source text to a program that runs.
//!
//! Each case in `cases/tangent` has an external procedure `head(n, x, y)`. Its tangent `head_d`,
//! compiled beside the original, agrees with central differences of fourth order; with facts of
//! activity and without, and in three directions at once. A case that opens with `! refused OX1234`
//! must be refused by that code; one with `! directions OX1234` only with several directions.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in, first_lines, refusal};
use oxad_tests::programs::{finish, tool};

const DRIVER: &str = include_str!("../../cases/tangent_driver.F90");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/tangent")
}

/// Tangents agree with differences with facts of activity, without facts, and in three directions at once.
pub(crate) fn trials() -> Vec<Trial> {
    let cases = cases_in(&folder());
    [
        each("tangent::activity", cases.clone(), |case| check(case, true, None)),
        each("tangent::all_active", cases.clone(), |case| check(case, false, None)),
        each("tangent::directions", cases, |case| check(case, false, Some(3))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn check(case: &Case, activity: bool, directions: Option<u32>) -> Result<(), String> {
    let source = case.folder.join(&case.name);
    let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
    let refused = refusal(&text, "refused ");
    let refused = refused.or_else(|| directions.and_then(|_| refusal(&text, "directions ")));
    match (tangent(case, activity, directions), refused) {
        (Ok(derivative), None) => run(&source, &derivative, directions),
        (Ok(_), Some(code)) => Err(format!("is not refused by {code}")),
        (Err(message), Some(code)) => {
            // Refused with the code and with a place in the source.
            let located = |line: &str| {
                line.contains(&format!("error[{code}]"))
                    && line.contains(&format!("{}:", case.name))
            };
            if message.lines().any(located) { Ok(()) } else { Err(message) }
        }
        (Err(message), None) => Err(message),
    }
}

/// The text of the derivative, or what was said instead.
fn tangent(case: &Case, activity: bool, directions: Option<u32>) -> Result<String, String> {
    let stage = |name: &str, arguments: &[&str], input: &[u8]| -> Result<Vec<u8>, String> {
        let finished = tool(name, arguments, &case.folder, input);
        if finished.status == Some(0) { Ok(finished.stdout) } else { Err(finished.err()) }
    };
    let mut document = stage("f2xaif", &[&case.name], b"")?;
    if activity {
        let heads = ["--head", "head", "--independent", "x", "--dependent", "y"];
        document = stage("xaif-activity", &heads, &document)?;
    }
    let count = directions.map(|count| count.to_string());
    let options: Vec<&str> = count.iter().flat_map(|count| ["--directions", count]).collect();
    document = stage("xaif-tangent", &options, &document)?;
    let text = stage("xaif2f", &[], &document)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Compiles the original, the derivative and the driver, and runs them.
fn run(source: &Path, derivative: &str, directions: Option<u32>) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |name: &str, text: &str| {
        std::fs::write(scratch.path().join(name), text).map_err(|error| error.to_string())
    };
    write("derivative.f90", derivative)?;
    write("driver.F90", DRIVER)?;
    let user = source.to_string_lossy().into_owned();
    let count = format!("-DDIRECTIONS={}", directions.unwrap_or(0));
    // gfortran takes the descriptor of an allocatable variable for uninitialised where an array
    // constructor is assigned to it.
    let strict = [
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-compare-reals",
        "-Wno-uninitialized",
        "-Wno-maybe-uninitialized",
    ];
    let checks = ["-O0", "-fcheck=bounds,do,mem,pointer,recursion", "-finit-real=snan"];
    for level in [&checks[..], &["-O2"][..]] {
        for (file, flags, output) in [
            (user.as_str(), &["-w"][..], "user.o"),
            ("derivative.f90", &strict[..], "derivative.o"),
            ("driver.F90", &[count.as_str()][..], "driver.o"),
        ] {
            let mut gfortran = Command::new("gfortran");
            gfortran.args(level).args(flags).args(["-c", file, "-o", output]);
            finished(gfortran, scratch.path())?;
        }
        let mut link = Command::new("gfortran");
        link.args(["user.o", "derivative.o", "driver.o", "-o", "program"]);
        finished(link, scratch.path())?;
        finished(Command::new(scratch.path().join("program")), scratch.path())?;
    }
    Ok(())
}

fn finished(mut command: Command, folder: &Path) -> Result<(), String> {
    command.current_dir(folder);
    let finished = finish(command, b"").map_err(|error| error.to_string())?;
    if finished.status == Some(0) {
        return Ok(());
    }
    Err(format!("{}\n{}", first_lines(&finished.out()), first_lines(&finished.err())))
}
