//! C into XAIF and back: the printed program has the output of the original, the document executed has it, too.
//!
//! Each source of `cases/c` is a program. The printed text compiles as C99 without a warning, at -O0 and at -O2, and
//! survives a second trip through both programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use oxad_tests::case::first_lines;
use oxad_tests::programs::{Finished, tool};

/// The options that the printed text has to bear.
const STRICT: &[&str] = &["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/c")
}

fn sources(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            (
                path.file_name()
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                path,
            )
        })
        .collect();
    found.sort();
    found
}

/// A test for each program.
pub(crate) fn trials() -> Vec<Trial> {
    let found = sources(&folder());
    assert!(!found.is_empty(), "c: no sources");
    let mut trials = booster_tests::trials::named("c", found, |path: &PathBuf| survives(path));
    let found = sources(&folder().join("derivatives"));
    assert!(!found.is_empty(), "c: no sources of derivatives");
    let check = |path: &PathBuf| is_differentiated(path);
    trials.extend(booster_tests::trials::named("c_derivatives", found, check));
    let found = sources(&folder().join("refused"));
    assert!(!found.is_empty(), "c: no sources that are refused");
    let check = |path: &PathBuf| is_refused(path);
    trials.extend(booster_tests::trials::named("c_refused", found, check));
    trials
}

/// The tangent and the adjoint of `p` agree with differences and with each other: `driver.h` compares them.
fn is_differentiated(source: &Path) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = scratch.path();
    let copy = |from: PathBuf, name: &str| {
        std::fs::copy(from, at.join(name)).map(|_| ()).map_err(|error| error.to_string())
    };
    copy(source.to_owned(), "case.c")?;
    copy(folder().join("driver.h"), "driver.c")?;
    quiet("oxad tangent", tool("oxad", &["tangent", "case.c", "-o", "."], at, b""))?;
    quiet("oxad adjoint", tool("oxad", &["adjoint", "case.c", "-o", "."], at, b""))?;
    for level in ["-O0", "-O2"] {
        for name in ["case_d.c", "case_b.c"] {
            let options: Vec<&str> = STRICT.iter().copied().chain([level, "-c"]).collect();
            built(&[name], &options, at, &format!("{name}.o"))?;
        }
        let files = ["driver.c", "case.c", "case_d.c.o", "case_b.c.o", "oxad_tape_chunks.c"];
        let program = built(&files, &[level, "-w"], at, "check")?;
        let run = Command::new(&program).output().map_err(|error| error.to_string())?;
        if !run.status.success() {
            return Err(format!("at {level}: {}", String::from_utf8_lossy(&run.stdout)));
        }
    }
    Ok(())
}

fn survives(source: &Path) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = scratch.path();
    let before = compiled(source, &["-O1", "-w"], at, "before")?;
    let name = source.to_string_lossy().into_owned();
    let document = quiet("c2xaif", tool("c2xaif", &["--verify", &name], at, b""))?;
    let header = at.join("program.h").to_string_lossy().into_owned();
    let text = quiet("xaif2c", tool("xaif2c", &["--header", &header], at, &document.stdout))?;
    let printed = at.join("printed.c");
    std::fs::write(&printed, &text.stdout).map_err(|error| error.to_string())?;
    for level in ["-O0", "-O2"] {
        let options: Vec<&str> = STRICT.iter().copied().chain([level]).collect();
        same(&before, &compiled(&printed, &options, at, "after")?, level)?;
    }
    let user = at.join("user.c");
    std::fs::write(&user, "#include \"program.h\"\nint main(void) { return 0; }\n")
        .map_err(|error| error.to_string())?;
    compiled(&user, STRICT, at, "user")?;
    let executed = quiet("xaif-run", tool::<&str>("xaif-run", &[], at, &document.stdout))?;
    if executed.stdout != before.stdout {
        return Err(format!("xaif-run prints\n{}\nnot\n{}", executed.out(), before.out()));
    }
    let again = quiet("c2xaif", tool("c2xaif", &["printed.c"], at, b""))?;
    let again = quiet("xaif2c", tool::<&str>("xaif2c", &[], at, &again.stdout))?;
    let second = at.join("second.c");
    std::fs::write(&second, &again.stdout).map_err(|error| error.to_string())?;
    same(&before, &compiled(&second, STRICT, at, "second")?, "the second trip")
}

/// Compiles files into `name`.
fn built(files: &[&str], options: &[&str], at: &Path, name: &str) -> Result<PathBuf, String> {
    let program = at.join(name);
    let built = Command::new("gcc")
        .args(options)
        .arg("-I.")
        .arg("-o")
        .arg(&program)
        .args(files)
        .arg("-lm")
        .current_dir(at)
        .output()
        .map_err(|error| error.to_string())?;
    if !built.status.success() {
        let text = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(format!("gcc {options:?} refuses {files:?}:\n{}", first_lines(&text)));
    }
    Ok(program)
}

/// `oxad adjoint` refuses the source by the code that a comment on one of its lines names, at that line.
fn is_refused(source: &Path) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let text = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
    let marked = text.lines().zip(1..).find_map(|(line, number)| {
        line.split_once("// OX").map(|(_, digits)| (number, format!("OX{}", digits.trim())))
    });
    let Some((line, code)) = marked else {
        return Err("no line names the code".to_owned());
    };
    let name = source.to_string_lossy().into_owned();
    let finished = tool("oxad", &["adjoint", &name, "-o", "."], scratch.path(), b"");
    let said = finished.err();
    let first = said.lines().next().unwrap_or_default();
    let right = first.contains(&format!(".c:{line}:")) && first.contains(&format!("error[{code}]"));
    let helped = said.contains("help: ");
    match finished.status == Some(1) && right && helped {
        true => Ok(()),
        false => Err(format!("status {:?}, not {code} at line {line}:\n{said}", finished.status)),
    }
}

/// What a program prints.
struct Output {
    status: Option<i32>,
    stdout: Vec<u8>,
}

impl Output {
    fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

fn compiled(source: &Path, options: &[&str], at: &Path, name: &str) -> Result<Output, String> {
    let program = built(&[&source.to_string_lossy()], options, at, name)?;
    let run = Command::new(&program).output().map_err(|error| error.to_string())?;
    Ok(Output { status: run.status.code(), stdout: run.stdout })
}

fn same(before: &Output, after: &Output, level: &str) -> Result<(), String> {
    if before.stdout.is_empty() {
        return Err("the original prints nothing".to_owned());
    }
    if before.stdout != after.stdout || before.status != after.status {
        return Err(format!("at {level} the text prints\n{}\nnot\n{}", after.out(), before.out()));
    }
    Ok(())
}

fn quiet(name: &str, finished: Finished) -> Result<Finished, String> {
    if finished.status == Some(0) && finished.stderr.is_empty() {
        Ok(finished)
    } else {
        let text = finished.err();
        Err(format!("{name} ends with {:?} and says\n{}", finished.status, first_lines(&text)))
    }
}
