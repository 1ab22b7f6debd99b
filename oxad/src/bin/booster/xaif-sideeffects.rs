//! `xaif-sideeffects`: adds to a document what shares storage, what each procedure reads and

fn main() -> std::process::ExitCode {
    xaif_booster::programs::sideeffects::main()
}
