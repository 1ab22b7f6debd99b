//! `xaif-reverse`: procedures that compute adjoints, beside those of a document.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::reverse::main()
}
