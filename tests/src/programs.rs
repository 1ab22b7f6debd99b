//! The binaries of this workspace and the compilers, as child processes.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What a finished process left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its exit status; `None` where a signal ended it.
    pub status: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Finished {
    /// Standard output as text; bytes that are not UTF-8 are replaced.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text; bytes that are not UTF-8 are replaced.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// The top folder of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The folder with the binaries of the workspace, which are brought up to date on the first call.
///
/// Cargo builds the binaries of other packages for no test, so a test that wants them asks for
/// them here, with the profile of the tests: after `cargo test` that is a matter of milliseconds.
pub fn binaries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--workspace", "--bins", "--profile", "test"])
            .current_dir(workspace())
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the workspace does not build");
        // This test is target/debug/deps/NAME-HASH.
        let test = std::env::current_exe().unwrap_or_default();
        test.ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
    })
}

/// The folder with the stage of `examples/own_stage.rs`, which is brought up to date on the first call.
pub fn example() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline", "-p", "xaif-booster", "--example", "own_stage"])
            .args(["--profile", "test"])
            .current_dir(workspace())
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the example does not build");
        binaries().join("examples")
    })
}

/// Runs the binary `name` of this workspace in `folder` with `input` on its standard input.
pub fn tool<S: AsRef<OsStr>>(name: &str, arguments: &[S], folder: &Path, input: &[u8]) -> Finished {
    let mut command = Command::new(binaries().join(name));
    command.args(arguments).current_dir(folder);
    finish(command, input).unwrap_or_else(|error| panic!("{name} cannot be run: {error}"))
}

/// Runs `command` to its end, with `input` on its standard input.
pub fn finish(mut command: Command, input: &[u8]) -> io::Result<Finished> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input closes the pipe: that is its right.
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(input);
            }
        });
        child.wait_with_output()
    })?;
    Ok(Finished { status: output.status.code(), stdout: output.stdout, stderr: output.stderr })
}
