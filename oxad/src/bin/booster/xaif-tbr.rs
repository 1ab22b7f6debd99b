//! `xaif-tbr`: which values an adjoint must record before they are overwritten.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::tbr::main()
}
