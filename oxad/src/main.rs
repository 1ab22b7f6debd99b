//! `oxad`: the driver. All of it is the library `oxad`.

use std::process::ExitCode;

fn main() -> ExitCode {
    oxad::main()
}
