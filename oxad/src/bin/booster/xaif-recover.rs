//! `xaif-recover`: which values the backward sweep of an adjoint computes again.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::recover::main()
}
