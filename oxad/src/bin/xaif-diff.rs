//! `xaif-diff`: what a stage changed.

fn main() -> std::process::ExitCode {
    xaif_schema::programs::diff::main()
}
