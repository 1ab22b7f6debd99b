//! Names that mean different things in different places: what a stage puts somewhere still means what
//! it meant, in the text that is compiled.
//!
//! Each case in `cases/names` has a procedure `p(x, y)`. Its tangent and its adjoint, compiled by
//! `oxad check`, agree with differences and with each other, in joint and split mode, with facts and
//! without. Executing the documents would not show it: there, everything is named by ids. A case that
//! opens with `! refused OX1234` must be refused by that code.

use std::path::{Path, PathBuf};

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in, refusal};
use oxad_tests::programs::tool;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/names")
}

/// Derivatives agree with differences whatever names mean.
pub(crate) fn trials() -> Vec<Trial> {
    each("names", cases_in(&folder()), check)
}

fn check(case: &Case) -> Result<(), String> {
    let source = std::fs::read_to_string(case.folder.join(&case.name));
    let refused = refusal(&source.map_err(|error| error.to_string())?, "refused ");
    // What a name means does not depend on the optimisation.
    let of = "--head p --independent x --dependent y --mode both --flags=-O0";
    // By turns one or the other.
    let other = ["--split-all", "--without xaif-tbr --joint-all"][case.name.len() % 2];
    for options in ["", other] {
        let mut arguments = vec!["check", &case.name];
        arguments.extend(of.split(' '));
        arguments.extend(options.split_whitespace());
        let done = tool("oxad", &arguments, &case.folder, b"");
        let right = match &refused {
            Some(code) => done.status == Some(1) && done.err().contains(&format!("error[{code}]")),
            None => done.status == Some(0),
        };
        if !right {
            return Err(format!("{options}: {}{}", done.out(), done.err()));
        }
    }
    Ok(())
}
