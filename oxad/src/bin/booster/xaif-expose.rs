//! `xaif-expose`: modules without secrets, for the derivatives of them.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::open::main()
}
