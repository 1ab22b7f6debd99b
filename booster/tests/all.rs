//! Single tests of the booster's crates. `files/main.rs` has one test per source of a folder.

mod adjoint;
mod adjoint_choices;
mod adjoint_externals;
mod classical;
mod derivatives_compile;
mod genuine;
mod intrinsics_page;
mod local_jacobian;
mod preaccumulate;
mod recomputation;
mod sideeffects;
mod snapshots;
mod state;
mod sweeps;
mod tangent;
mod tangent_externals;
mod threads;
mod unit;
