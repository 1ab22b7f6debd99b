//! One test per source of the folders beside this one: `CHECK::FOLDER::NAME`.
//!
//!     cargo test -p booster-tests --test files -- adjoint::executed          all sources of one check
//!     cargo test -p booster-tests --test files -- ::time_levels              one source in all checks
//!
//! Checks of option combinations use a pairwise cover; `OXAD_FULL=1` selects the full product.

mod activity;
mod adjoint;
mod canonicalize;
mod checkpoint;
mod counterparts;
mod liveness;
mod local_jacobian;
mod preaccumulate;
mod reversal;
mod sideeffects;
mod tangent;
mod tbr;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let args = Arguments::from_args();
    let trials: Vec<Trial> = [
        // The longest checks start first, so that both cores finish together.
        adjoint::trials(),
        local_jacobian::trials(),
        tangent::trials(),
        preaccumulate::trials(),
        counterparts::trials(),
        reversal::trials(),
        activity::trials(),
        canonicalize::trials(),
        checkpoint::trials(),
        sideeffects::trials(),
        liveness::trials(),
        tbr::trials(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let whole = args.filter.is_none() && args.skip.is_empty() && !args.list && !args.ignored;
    let conclusion = libtest_mimic::run(&args, trials);
    if whole && !conclusion.has_failed() {
        // Only a complete run can tell that no check was vacuous.
        adjoint::assert_seen();
        activity::assert_seen();
    }
    conclusion.exit();
}
