//! `xaif-dot`: the graphs of a document, and graphs under elimination, as DOT or as a picture.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::dot::main()
}
