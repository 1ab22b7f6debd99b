//! One test per case of `cases/` and per random program: `CHECK::NAME`.
//!
//!     cargo test -p oxad-tests --test files -- roundtrip          all cases of one check
//!     cargo test -p oxad-tests --test files -- ::arrays.f90       one case in all checks

mod arguments;
mod c;
mod canonical;
mod directions;
mod documents;
mod executed;
mod names;
mod random;
mod roundtrip;
mod second;
mod tangent;

use booster_tests::trials::named;
use libtest_mimic::{Arguments, Trial};
use oxad_tests::case::Case;

fn main() {
    let args = Arguments::from_args();
    let trials: Vec<Trial> = [
        // The longest checks start first, so that both cores finish together.
        random::trials(),
        names::trials(),
        directions::trials(),
        arguments::trials(),
        roundtrip::trials(),
        second::trials(),
        tangent::trials(),
        executed::trials(),
        c::trials(),
        canonical::trials(),
        documents::trials(),
    ]
    .into_iter()
    .flatten()
    .collect();
    libtest_mimic::run(&args, trials).exit();
}

/// One test per case.
fn each(
    check_name: &str,
    cases: Vec<Case>,
    check: impl Fn(&Case) -> Result<(), String> + Send + Sync + 'static,
) -> Vec<Trial> {
    assert!(!cases.is_empty(), "{check_name}: no cases");
    named(check_name, cases.into_iter().map(|case| (case.name.clone(), case)), check)
}
