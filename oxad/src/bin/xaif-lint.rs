//! `xaif-lint`: checks the invariants of an XAIF document, and writes nothing but what it finds.

fn main() -> std::process::ExitCode {
    xaif_cli::programs::lint::main()
}
