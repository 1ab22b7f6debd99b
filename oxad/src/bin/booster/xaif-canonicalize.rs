//! `xaif-canonicalize`: what a derivative rule needs a statement for gets a statement of its own.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::canonicalize::main()
}
