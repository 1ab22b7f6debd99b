//! A Fortran case: one file, or a folder of files that make one program.
//!
//! A case says what it needs in comments at the top of its only file, or in a file `case` in its
//! folder, a line each:
//!
//! - `flags:` options of gfortran beside `-std=f2018 -Wall -Werror` (a later `-std` wins);
//! - `f2xaif:` options of f2xaif;
//! - `compile:` the files in the order in which the compiler needs them (folders only).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{Finished, finish};

/// One program in Fortran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What it shows: the name of the file or folder.
    pub name: String,
    /// Where its files are, and where the programs are run.
    pub folder: PathBuf,
    /// Its files in the order in which a compiler needs them.
    pub files: Vec<String>,
    /// Options of gfortran.
    pub flags: Vec<String>,
    /// Options of f2xaif.
    pub options: Vec<String>,
}

/// All cases in `folder`, in the order of their names.
pub fn cases_in(folder: &Path) -> Vec<Case> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

impl Case {
    fn read(path: &Path) -> Case {
        let is_folder = path.is_dir();
        let head = if is_folder { path.join("case") } else { path.to_path_buf() };
        let text = std::fs::read_to_string(&head).unwrap_or_default();
        let file_name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let files = if is_folder { words(&text, "compile:") } else { vec![file_name.clone()] };
        assert!(!files.is_empty(), "{}: no 'compile:' line", head.display());
        let folder = if is_folder { Some(path) } else { path.parent() };
        Case {
            name: file_name,
            folder: folder.unwrap_or(path).to_path_buf(),
            files,
            flags: words(&text, "flags:"),
            options: words(&text, "f2xaif:"),
        }
    }

    /// Compiles `files` with the flags of this case at `level` (`-O0`) into `out/program`, and runs
    /// it in the folder `out`. A failure is the message of the compiler.
    pub fn compile_and_run(
        &self,
        files: &[PathBuf],
        level: &str,
        out: &Path,
    ) -> Result<Finished, String> {
        std::fs::create_dir_all(out).map_err(|error| error.to_string())?;
        let program = out.join("program");
        let mut gfortran = Command::new("gfortran");
        gfortran
            .args(["-std=f2018", "-Wall", "-Werror"])
            .args(&self.flags)
            .arg(level)
            .arg("-J")
            .arg(out)
            .args(files)
            .arg("-o")
            .arg(&program)
            .current_dir(&self.folder);
        let compiled = finish(gfortran, b"").map_err(|error| format!("gfortran: {error}"))?;
        if compiled.status != Some(0) {
            return Err(format!("does not compile at {level}:\n{}", first_lines(&compiled.err())));
        }
        let mut run = Command::new(&program);
        run.current_dir(out);
        finish(run, b"").map_err(|error| format!("does not run: {error}"))
    }

    /// The files of this case where they stand.
    pub fn sources(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| self.folder.join(file)).collect()
    }
}

/// The words after `key` in the first lines of `text` in which it stands behind nothing but a
/// comment sign.
fn words(text: &str, key: &str) -> Vec<String> {
    text.lines()
        .take(4)
        .map(|line| line.strip_prefix("! ").or(line.strip_prefix("C ")).unwrap_or(line))
        .filter_map(|line| line.strip_prefix(key))
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

/// The code behind `key` in the opening comments of a source: `! refused OX1234`, with or without a reason
/// behind a colon.
pub fn refusal(text: &str, key: &str) -> Option<String> {
    let comments = text.lines().take_while(|line| line.starts_with('!'));
    let told = comments.filter_map(|line| line.strip_prefix("! ")?.strip_prefix(key)).next()?;
    Some(told.split(':').next().unwrap_or(told).trim().to_owned())
}

/// As much of a message as a report needs.
pub fn first_lines(text: &str) -> String {
    text.lines().take(24).collect::<Vec<_>>().join("\n")
}
