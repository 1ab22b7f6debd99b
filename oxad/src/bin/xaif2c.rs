//! `xaif2c`: XAIF into C.

fn main() -> std::process::ExitCode {
    c_backend::program::main()
}
