//! `xaif-run`: executes a procedure of a XAIF document.

fn main() -> std::process::ExitCode {
    xaif_run::command::main()
}
