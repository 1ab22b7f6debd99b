//! `xaif-activity`: which variables have a derivative that must be computed.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::activity::main()
}
