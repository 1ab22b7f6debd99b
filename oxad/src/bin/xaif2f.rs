//! `xaif2f`: XAIF in, Fortran out.

fn main() -> std::process::ExitCode {
    fortran_backend::program::main()
}
