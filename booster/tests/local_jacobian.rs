//! Texts and refusals of local Jacobians by hand. `files/local_jacobian.rs` checks all sources.

use booster_tests::jacobian::{adjoint_of, marked};
use booster_tests::{folder, printed, read, sources, told};
use xaif_booster::analysis::activity;
use xaif_booster::externals::Externals;
use xaif_schema::diag::Code;

/// What the backward sweep accumulates again, the forward sweep does not accumulate, nor does it where it is
/// a procedure of its own and no liveness tells who reads what.
#[test]
fn what_is_accumulated_again_is_not_computed_in_the_forward_sweep() {
    let path = folder().join("local_jacobian/calls.f90");
    let text = printed(&adjoint_of(&marked(&read(&path), None), true, true));
    let unit = |name: &str| {
        let from = text.find(&format!("subroutine {name}(")).expect("the unit");
        let behind = text[from..].find("end subroutine").expect("its end");
        &text[from..from + behind]
    };
    assert!(!unit("half_fwd").contains("c = "), "{}", unit("half_fwd"));
    assert!(unit("half_bwd").contains("c = "), "{}", unit("half_bwd"));
}

/// Activity analysis behind preaccumulation would compute derivatives twice; propagators of other
/// tools have no derivative.
#[test]
fn what_is_refused() {
    let source = read(&sources("local_jacobian")[0]);
    let mut doc = marked(&source, None);
    let found = activity::activity(&mut doc, &activity::Options::default(), &Externals::new());
    let found = found.expect_err("it is refused");
    assert!(found.iter().any(|d| d.code == Code::BEHIND_PREACCUMULATION), "{}", told(&found));
}
