//! `c2xaif`: C into XAIF.

fn main() -> std::process::ExitCode {
    c_frontend::program::main()
}
