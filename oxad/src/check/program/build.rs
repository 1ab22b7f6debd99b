//! Compiles a driver with the program and its derivative, and runs it.
//!
//! Each source is compiled by itself, modules before their users, and once for all drivers of a check. The commands
//! are also written to `build.sh`. The first object is the driver: where the sources hold a main
//! program, the linker takes the driver's; else no name may be defined twice. The compiler works in the folder
//! of the objects: in the user's it would take the user's old `.mod` files for the modules of the program.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};

use super::compiler::{self, Spelling};
use crate::check::interval::Interval;

/// How to compile.
pub(crate) struct Compiler {
    /// The program.
    pub(crate) program: String,
    /// How it spells options.
    pub(crate) spelling: &'static Spelling,
    /// The C compiler.
    pub(crate) c_program: String,
    /// Options for all files.
    pub(crate) flags: Vec<String>,
    /// Options for the user's own sources: forms, macros, include folders.
    pub(crate) source_flags: Vec<String>,
    /// Options for Fortran that was generated.
    pub(crate) made_flags: Vec<String>,
    /// Whether the sources hold a main program, before which the driver stands.
    pub(crate) has_main: bool,
}

/// A file to compile.
pub(crate) struct Unit {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether the user wrote it.
    pub(crate) own: bool,
}

/// A program that has been built.
pub(crate) struct Built {
    folder: PathBuf,
    program: PathBuf,
}

/// The object files of a check.
pub(crate) struct Objects {
    /// Folder of object and module files.
    folder: PathBuf,
    /// Number of each object file, by the command that makes the file.
    numbers: HashMap<Vec<String>, usize>,
    /// Object files that exist.
    made: HashSet<PathBuf>,
}

impl Objects {
    /// No object file exists yet. `build` makes a missing folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Objects { folder, numbers: HashMap::new(), made: HashSet::new() }
    }

    /// The object file of `unit`, which `command` makes.
    fn object(&mut self, command: &[String], unit: &Unit) -> PathBuf {
        let next = self.numbers.len();
        let number = *self.numbers.entry(command.to_vec()).or_insert(next);
        let stem = unit.path.file_stem().map_or("file".into(), |stem| stem.to_string_lossy());
        self.folder.join(format!("{number}_{stem}.o"))
    }
}

/// Compiles and links `units` into the program `name` in `folder`.
pub(crate) fn build(
    compiler: &Compiler,
    units: &[Unit],
    all: &mut Objects,
    folder: &Path,
    name: &str,
) -> Result<Built, Diagnostics> {
    let objects = all.folder.clone();
    std::fs::create_dir_all(&objects).map_err(|error| cannot_write(&objects, &error))?;
    let here = std::env::current_dir().map_err(|error| cannot_write(folder, &error))?;
    let flags: Vec<String> = compiler.flags.iter().map(|flag| from_here(flag, &here)).collect();
    let program_name = from_here(&compiler.program, &here);
    let c_program = from_here(&compiler.c_program, &here);
    let source_flags = compiler.source_flags.iter().map(|flag| from_here(flag, &here));
    let source_flags: Vec<String> = source_flags.collect();
    let fortran = |unit: &Unit| {
        let mut command = vec![program_name.clone(), "-c".into()];
        command.extend([compiler.spelling.modules.into(), shown(&objects)]);
        command.extend(flags.iter().cloned());
        match unit.own {
            true => {
                command.extend(source_flags.iter().cloned());
                command.extend(["-I".into(), shown(&here)]);
            }
            false => command.extend(compiler.made_flags.iter().cloned()),
        }
        command
    };
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut linked: Vec<PathBuf> = Vec::new();
    for unit in in_order(units) {
        let is_c = unit.path.extension().is_some_and(|extension| extension == "c");
        let mut command = match is_c {
            true => [vec![c_program.clone(), "-c".into()], compiler::for_c(&flags)].concat(),
            false => fortran(unit),
        };
        command.push(shown(&unit.path));
        let object = all.object(&command, unit);
        command.extend(["-o".into(), shown(&object)]);
        commands.push(command);
        linked.push(object);
    }
    let program = folder.join(name);
    let mut link = vec![program_name];
    link.extend(flags);
    if compiler.has_main {
        link.push("-Wl,--allow-multiple-definition".into());
    }
    // The driver was compiled last, and is to come first.
    link.extend(linked.iter().rev().map(|object| shown(object)));
    link.extend(["-o".into(), shown(&program)]);
    let script = script(&objects, commands.iter().chain([&link]));
    let path = folder.join("build.sh");
    std::fs::write(&path, script).map_err(|error| cannot_write(&path, &error))?;
    for (command, object) in commands.iter().zip(linked) {
        if !all.made.contains(&object) {
            compile(&objects, command)?;
            all.made.insert(object);
        }
    }
    compile(&objects, &link)?;
    Ok(Built { folder: folder.to_path_buf(), program })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// An option as it reads in another folder: the paths that it names begin at the root.
fn from_here(flag: &str, here: &Path) -> String {
    let rooted = |path: &str| shown(&here.join(path));
    if let Some(path) = ["-I", "-L", "-J"].iter().find_map(|option| flag.strip_prefix(option)) {
        // An option by itself has its path in the next word.
        return if path.is_empty() { flag.into() } else { flag[..2].to_string() + &rooted(path) };
    }
    let is_path = flag.contains('/') || flag.contains('.');
    if is_path && !flag.starts_with('-') && here.join(flag).exists() {
        rooted(flag)
    } else {
        flag.into()
    }
}

fn script<'c>(objects: &Path, commands: impl Iterator<Item = &'c Vec<String>>) -> String {
    let mut text = String::from("#!/bin/sh\n# Builds the check; made by `oxad check`.\nset -e\n");
    let _ = writeln!(text, "cd {}", quoted(&shown(objects)));
    for command in commands {
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "{}", words.join(" "));
    }
    text
}

/// `word` as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// As much of a command as a message shows, in characters.
const LONGEST_COMMAND: usize = 400;

fn compile(objects: &Path, command: &[String]) -> Result<(), Diagnostics> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let mut shown = command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    // What links hundreds of files is in a script beside them.
    if let Some((end, _)) = shown.char_indices().nth(LONGEST_COMMAND) {
        shown.truncate(end);
        shown.push_str(" ...");
    }
    let failed = |message: String, output: &str| {
        let mut diagnostic = Diagnostic::error(Code::COMPILER_FAILED, None, message)
            .with_help("give the options of your build with --flags; --keep DIR keeps the files");
        for line in output.lines().filter(|line| !line.trim().is_empty()).take(40) {
            diagnostic = diagnostic.with_note(None, line);
        }
        [diagnostic.with_note(None, format!("ran: {shown}"))].into_iter().collect()
    };
    match Command::new(program).args(arguments).current_dir(objects).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(failed(format!("`{program}` has failed"), &text))
        }
        Err(error) => Err(failed(format!("cannot run `{program}`: {error}"), "")),
    }
}

/// What an evaluation wrote: the numbers of each label, in order.
pub(crate) type Results = Vec<(String, Vec<f64>)>;

/// Why an evaluation has not come to its end.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The program has ended early or failed; what it said.
    Failed(String),
    /// It was ended: it took too long.
    TooLong,
}

impl Built {
    /// Runs the program once, at most to a point in time. What `primal` writes at the point tells later runs the
    /// shapes of what the head allocates.
    pub(crate) fn run(
        &self,
        mode: &str,
        step: f64,
        direction: u32,
        until: Option<Instant>,
    ) -> Result<Results, Stopped> {
        let file = self.folder.join("results.txt");
        let shapes = self.folder.join("shapes.txt");
        let mut command = Command::new(&self.program);
        command.args([mode, &format!("{step:e}")]).arg(&file).arg(direction.to_string());
        command.arg(&shapes).stdin(Stdio::null());
        let failed = |error: std::io::Error| Stopped::Failed(error.to_string());
        let (status, said) = match until {
            None => {
                let output = command.output().map_err(failed)?;
                (output.status, [output.stderr, output.stdout])
            }
            Some(until) => {
                self.run_until(&mut command, until).map_err(failed)?.ok_or(Stopped::TooLong)?
            }
        };
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let keep = mode == "primal" && step == 0.0;
        // Without shapes a driver weighs nothing that the head allocates, and the verdict says so.
        let _ = if keep { std::fs::rename(&file, &shapes) } else { std::fs::remove_file(&file) };
        let said = || {
            let said = said.map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
            let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
            lines.iter().take(12).copied().collect::<Vec<_>>().join("\n")
        };
        if !status.success() {
            return Err(Stopped::Failed(format!("{status}\n{}", said())));
        }
        if !text.trim_end().ends_with("# end") {
            return Err(Stopped::Failed(format!("the program ends by itself\n{}", said())));
        }
        parse(&text).map_err(Stopped::Failed)
    }

    /// The interval of validity that the last evaluation of a tangent has written.
    pub(crate) fn interval(&self) -> Option<Interval> {
        let text = std::fs::read_to_string(self.folder.join("results.txt.validity")).ok()?;
        Interval::parse(&text)
    }

    /// The status and what the program said, standard error first; `None` where it was ended. Its output goes to files:
    /// a pipe that nobody reads would stop it.
    fn run_until(
        &self,
        command: &mut Command,
        until: Instant,
    ) -> std::io::Result<Option<(ExitStatus, [Vec<u8>; 2])>> {
        let files = ["stderr.txt", "stdout.txt"].map(|name| self.folder.join(name));
        let [errors, output] = &files;
        command.stderr(File::create(errors)?).stdout(File::create(output)?);
        let mut child = command.spawn()?;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if Instant::now() >= until => {
                    child.kill()?;
                    child.wait()?;
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let said = files.map(|file| {
            let said = std::fs::read(&file).unwrap_or_default();
            // Nobody looks at what is left here.
            let _ = std::fs::remove_file(&file);
            said
        });
        Ok(status.map(|status| (status, said)))
    }
}

fn parse(text: &str) -> Result<Results, String> {
    let mut results: Results = Vec::new();
    for line in text.lines() {
        if let Some(label) = line.strip_prefix("# ") {
            // An array of a derived type writes its components element by element.
            match results.iter_mut().position(|(known, _)| known == label) {
                Some(known) => {
                    let known = results.remove(known);
                    results.push(known);
                }
                None => results.push((label.to_string(), Vec::new())),
            }
        } else {
            let value = line.trim().parse().map_err(|_| format!("no number: `{line}`"))?;
            match results.last_mut() {
                Some((_, values)) => values.push(value),
                None => return Err("a number without a label".into()),
            }
        }
    }
    results.retain(|(label, _)| label != "end");
    results.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(results)
}

/// The units in an order in which modules stand before those who use them; the last one stays last.
fn in_order(units: &[Unit]) -> Vec<&Unit> {
    let texts: Vec<(Vec<String>, Vec<String>)> =
        units.iter().map(|unit| modules(&unit.path)).collect();
    let mut provider: HashMap<&str, usize> = HashMap::new();
    for (index, (provided, _)) in texts.iter().enumerate() {
        provided.iter().for_each(|name| {
            provider.insert(name, index);
        });
    }
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    for start in 0..units.len() {
        let mut stack = vec![(start, false)];
        while let Some((index, expanded)) = stack.pop() {
            if expanded {
                order.push(&units[index]);
            } else if seen.insert(index) {
                stack.push((index, true));
                let needed = texts[index].1.iter().filter_map(|name| provider.get(name.as_str()));
                stack.extend(needed.map(|&needed| (needed, false)));
            }
        }
    }
    order
}

/// The modules that a file provides and those that it needs, by a look at its lines.
fn modules(path: &Path) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).to_ascii_lowercase();
    let (mut provided, mut needed) = (Vec::new(), Vec::new());
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    for line in text.lines().flat_map(|line| line.split(';')).map(str::trim) {
        if let Some(rest) = line.strip_prefix("module ") {
            provided.push(name(rest));
        } else if let Some(rest) = line.strip_prefix("use ").or(line.strip_prefix("use,")) {
            needed.push(name(rest.split_once("::").map_or(rest, |(_, rest)| rest)));
        } else if let Some(rest) = line.strip_prefix("submodule")
            && let Some((parents, own)) = rest.trim_start_matches([' ', '(']).split_once(')')
        {
            needed.extend(parents.split(':').map(name));
            provided.push(name(own));
        }
    }
    (provided, needed)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Diagnostics {
    let message = format!("cannot write {}: {error}", path.display());
    [Diagnostic::error(Code::CANNOT_WRITE, None, message)].into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_a_label_that_comes_again_are_joined() {
        let text = "# v%x\n 1.0E+000\n# v%y\n 2.0\n# v%x\n 3.0\n NaN\n# end\n";
        let results = parse(text).expect("numbers");
        assert_eq!(results[0].0, "v%x");
        assert_eq!(results[0].1[..2], [1.0, 3.0]);
        assert!(results[0].1[2].is_nan());
        assert_eq!(results[1], ("v%y".to_string(), vec![2.0]));
        assert!(parse("1.0\n").is_err());
        assert!(parse("# x\none\n").is_err());
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("-O2"), "-O2");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }

    #[test]
    fn options_name_paths_from_the_root() {
        let here = tempfile::tempdir().expect("a folder");
        std::fs::write(here.path().join("lib.a"), "").expect("written");
        let of = |flag: &str| from_here(flag, here.path());
        let rooted = |path: &str| here.path().join(path).display().to_string();
        assert_eq!(of("-Iinc"), format!("-I{}", rooted("inc")));
        assert_eq!(of("-I/usr/include"), "-I/usr/include");
        assert_eq!(of("lib.a"), rooted("lib.a"));
        assert_eq!(of("-O2"), "-O2");
        assert_eq!(of("gfortran"), "gfortran");
    }

    #[test]
    fn files_with_modules_come_before_those_that_use_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let unit = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            Unit { path, own: true }
        };
        let units = [
            unit("a.f90", "subroutine s\n  use :: B ; use c\nend\n"),
            unit("b.f90", "MODULE b\n use, intrinsic :: iso_c_binding\n use c, only: x\nend\n"),
            unit("c.f90", "module c\ncontains\n module procedure q\nend\n"),
        ];
        let order: Vec<_> = in_order(&units).iter().map(|unit| unit.path.clone()).collect();
        assert_eq!(order, [&units[2].path, &units[1].path, &units[0].path].map(Clone::clone));
    }
}
