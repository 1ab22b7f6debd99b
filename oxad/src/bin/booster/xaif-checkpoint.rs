//! `xaif-checkpoint`: loops that keep some of their states.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::checkpoint::main()
}
