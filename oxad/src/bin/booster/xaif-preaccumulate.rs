//! `xaif-preaccumulate`: local Jacobians by elimination, in a document or of a graph.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::preaccumulate::main()
}
