//! `xaif-diff`: what a stage changed.

fn main() -> std::process::ExitCode {
    xaif_cli::programs::diff::main()
}
