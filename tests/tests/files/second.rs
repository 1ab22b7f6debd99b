//! Second derivatives: the adjoint that `oxad` prints is read again and differentiated forward, its tape included.
//!
//! Each case in `cases/second` has a procedure `p(x, y)`. Its adjoint is written in one mode and in another; the tangent
//! of each, compiled by `oxad check`, agrees with differences of the gradient. A case that opens with `! refused OX1234`
//! must be refused by that code.

use std::path::{Path, PathBuf};

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in, refusal};
use oxad_tests::programs::tool;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/second")
}

/// Products with Hessians agree with differences of gradients.
pub(crate) fn trials() -> Vec<Trial> {
    each("second", cases_in(&folder()), check)
}

fn check(case: &Case) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let source = std::fs::read_to_string(case.folder.join(&case.name)).map_err(text)?;
    let refused = refusal(&source, "refused ");
    let stem = case.name.trim_end_matches(".f90");
    let ways = ["", "--split-all", "--without xaif-tbr --joint-all", "--without indexed-tape"];
    for options in ways {
        let made = tempfile::tempdir().map_err(text)?;
        let output = made.path().display().to_string();
        let mut arguments = vec!["adjoint", &case.name, "-o", &output];
        arguments.extend("--head p --independent x --dependent y".split(' '));
        arguments.extend(options.split_whitespace());
        let done = tool("oxad", &arguments, &case.folder, b"");
        if done.status != Some(0) {
            return Err(format!("{options}: {}{}", done.out(), done.err()));
        }
        let adjoint = format!("{output}/{stem}_b.f90");
        let mut arguments = vec!["check", &case.name, &adjoint, "--flags=-O0"];
        arguments.extend("--head p_b --independent x --dependent xb --mode tangent".split(' '));
        let done = tool("oxad", &arguments, &case.folder, b"");
        let right = match &refused {
            Some(code) => done.status == Some(1) && done.err().contains(&format!("error[{code}]")),
            None => done.status == Some(0) && done.err().is_empty(),
        };
        if !right {
            return Err(format!("{options}: {}{}", done.out(), done.err()));
        }
    }
    Ok(())
}
