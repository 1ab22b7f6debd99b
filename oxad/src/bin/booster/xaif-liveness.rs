//! `xaif-liveness`: which statements the forward sweep of an adjoint needs.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::liveness::main()
}
