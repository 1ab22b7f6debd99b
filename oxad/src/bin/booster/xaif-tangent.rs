//! `xaif-tangent`: procedures that compute tangents, beside those of a document.

fn main() -> std::process::ExitCode {
    xaif_booster::programs::tangent::main()
}
