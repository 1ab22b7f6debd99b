//! What one direction supports, several directions support too, or refuse with a place.
//!
//! Each case in `cases/directions` has a procedure `p(x, y)`. Its tangent in one direction and in three, compiled
//! with run-time checks and with memory that begins as signalling NaN, agrees with differences. A case that opens
//! with `! refused OX1234` is refused by that code in three directions.

use std::path::{Path, PathBuf};

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in, refusal};
use oxad_tests::programs::tool;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/directions")
}

/// Derivatives in several directions agree with differences.
pub(crate) fn trials() -> Vec<Trial> {
    each("directions", cases_in(&folder()), check)
}

fn check(case: &Case) -> Result<(), String> {
    let source = std::fs::read_to_string(case.folder.join(&case.name));
    let refused = refusal(&source.map_err(|error| error.to_string())?, "refused ");
    let of = "--head p --independent x --dependent y";
    for directions in [None, Some("3")] {
        let mut arguments = vec!["check", &case.name, "--flags=-O0 -fcheck=all -finit-real=snan"];
        arguments.extend(of.split(' '));
        arguments.extend(directions.iter().flat_map(|count| ["--directions", count]));
        let done = tool("oxad", &arguments, &case.folder, b"");
        let right = match refused.as_ref().filter(|_| directions.is_some()) {
            Some(code) => {
                let place = format!("{}:", case.name);
                let located = done
                    .err()
                    .lines()
                    .any(|line| line.contains(&place) && line.contains(&format!("error[{code}]")));
                done.status == Some(1) && located
            }
            None => done.status == Some(0),
        };
        if !right {
            return Err(format!("{directions:?}: {}{}", done.out(), done.err()));
        }
    }
    Ok(())
}
