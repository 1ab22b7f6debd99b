//! `xaif-show`: a document as annotated pseudo-code.

fn main() -> std::process::ExitCode {
    xaif_cli::programs::show::main()
}
