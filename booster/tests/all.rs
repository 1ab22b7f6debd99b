//! All tests of this crate, in one program: one for each file would take minutes to link.

mod activity;
mod adjoint;
mod adjoint_choices;
mod adjoint_externals;
mod canonicalize;
mod classical;
mod counterparts;
mod derivatives_compile;
mod genuine;
mod harness;
mod intrinsics_page;
mod local_jacobian;
mod preaccumulate;
mod reversal;
mod sideeffects;
mod state;
mod tangent;
mod tangent_externals;
mod tbr;
mod threads;
mod unit;
