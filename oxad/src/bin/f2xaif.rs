//! `f2xaif`: Fortran into XAIF.

fn main() -> std::process::ExitCode {
    fortran_frontend::program::main()
}
