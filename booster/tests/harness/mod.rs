//! What the file tests of stages share.
//!
//! A folder has sources; what the stage makes of `NAME.f90` stands in `NAME.txt`, written anew with
//! OXAD_BLESS set. What both modes of differentiation make of a source of the folder `both` stands in
//! `NAME.tangent.txt` and `NAME.adjoint.txt`. The comments at the top of a source say what is done with it:
//!
//! - `! call p x=[1,2] n=2`: `p` is executed with these arguments;
//! - `! along x=[1,0]`: and the derivative of that call is taken in this direction;
//! - `! KEY WORDS`: whatever else a test asks for.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use fortran_backend::{Layout, unparse};
use rayon::prelude::*;
use xaif_run::{Given, Outcome, Request, parse_setting, run};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;
use xaif_schema::verify;

/// The sources of a folder beside the tests; with OXAD_ONLY set, those whose paths have that word.
pub(crate) fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("entry").path());
    let mut sources: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "f90")).collect();
    if let Ok(only) = std::env::var("OXAD_ONLY") {
        sources.retain(|path| path.to_string_lossy().contains(&only));
    }
    sources.sort();
    sources
}

/// The sources of a mode of differentiation, `tangent` or `adjoint`: its own, and those of both.
pub(crate) fn sources_of_mode(mode: &str) -> Vec<PathBuf> {
    [sources(mode), sources("both")].concat()
}

/// A source or what is blessed.
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source")
}

/// The document of a source text; in fixed form where it begins with `C`.
pub(crate) fn document(source: &str) -> Document {
    let options = fortran_frontend::source::Options::default();
    let name = if source.starts_with('C') { "test.f" } else { "test.f90" };
    let translation = fortran_frontend::translate_texts(&[(name, source)], &options);
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    translation.document
}

/// Messages as a user reads them.
pub(crate) fn told(messages: &Diagnostics) -> String {
    let mut text = String::new();
    for message in messages.iter() {
        writeln!(text, "{message}").expect("a string");
        if let Some(help) = &message.help {
            writeln!(text, "  help: {help}").expect("a string");
        }
    }
    text
}

/// Stops where a document breaks a rule.
pub(crate) fn verified(doc: &Document) {
    let problems = verify::verify(doc);
    assert!(problems.is_empty(), "{problems:?}");
}

/// A document as Fortran.
pub(crate) fn printed(doc: &Document) -> String {
    let texts = unparse(doc, Layout::OneText).expect("it can be printed");
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Compares what `make` makes of each source with what is blessed, or blesses it.
pub(crate) fn as_blessed(sources: &[PathBuf], make: impl Fn(&str) -> String) {
    compare(sources, |path| path.with_extension("txt"), make);
}

/// The same for the sources of a mode of differentiation.
pub(crate) fn as_blessed_for_mode(mode: &str, make: impl Fn(&str) -> String) {
    let shared = |path: &Path| path.parent().is_some_and(|folder| folder.ends_with("both"));
    let blessed = |path: &Path| match shared(path) {
        true => path.with_extension(format!("{mode}.txt")),
        false => path.with_extension("txt"),
    };
    compare(&sources_of_mode(mode), blessed, make);
}

fn compare(sources: &[PathBuf], blessed: impl Fn(&Path) -> PathBuf, make: impl Fn(&str) -> String) {
    let mut failures = String::new();
    for path in sources {
        let text = make(&read(path));
        let blessed = blessed(path);
        if std::env::var_os("OXAD_BLESS").is_some() {
            std::fs::write(&blessed, &text).expect("a file that can be written");
        }
        if text != std::fs::read_to_string(&blessed).unwrap_or_default() {
            writeln!(failures, "{}:\n{text}", path.display()).expect("a string");
        }
    }
    assert!(failures.is_empty(), "not as blessed:\n{failures}");
}

/// What stands behind `! KEY` at the top of a source.
pub(crate) fn told_at_top<'s>(source: &'s str, key: &str) -> Vec<&'s str> {
    let top = source.lines().take_while(|line| line.starts_with('!'));
    top.filter_map(|line| line.strip_prefix("! ")?.strip_prefix(key)?.strip_prefix(' ')).collect()
}

/// The options of activity analysis in `head=p independent=x,y`.
pub(crate) fn activity_options(words: &str) -> xaif_booster::analysis::activity::Options {
    let mut options = xaif_booster::analysis::activity::Options::default();
    for word in words.split_whitespace() {
        let (key, list) = word.split_once('=').expect("key=list");
        let list: Vec<String> = list.split(',').map(str::to_owned).collect();
        match key {
            "head" => options.heads = list,
            "independent" => options.independent = list,
            "dependent" => options.dependent = list,
            _ => panic!("no option {key}"),
        }
    }
    options
}

/// What is executed.
pub(crate) struct Call {
    pub(crate) procedure: String,
    pub(crate) values: Vec<(String, Given)>,
    pub(crate) direction: Vec<(String, Given)>,
}

/// The calls that a source asks for.
pub(crate) fn calls(source: &str) -> Vec<Call> {
    let settings = |text: &str| -> Vec<(String, Given)> {
        text.split_whitespace().map(|word| parse_setting(word).expect("a setting")).collect()
    };
    let mut calls: Vec<Call> = Vec::new();
    for line in source.lines().take_while(|line| line.starts_with('!')) {
        if let Some(text) = line.strip_prefix("! call ") {
            let (procedure, values) = text.split_once(' ').unwrap_or((text, ""));
            let (procedure, values) = (procedure.to_owned(), settings(values));
            calls.push(Call { procedure, values, direction: Vec::new() });
        } else if let (Some(text), Some(call)) = (line.strip_prefix("! along "), calls.last_mut()) {
            call.direction = settings(text);
        }
    }
    calls
}

/// What a document does.
pub(crate) fn execute(doc: &Document, request: &Request, what: &str) -> Outcome {
    run(doc, request).unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)))
}

/// The derivative variables that a procedure has as arguments.
pub(crate) fn derivatives(doc: &Document, procedure: &str) -> Vec<String> {
    let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == procedure);
    let args = proc.map(|proc| proc.args.clone()).unwrap_or_default();
    let names = args.iter().filter(|arg| arg.deriv).filter_map(|arg| arg.symbol);
    names.map(|symbol| doc.name(symbol).to_owned()).collect()
}

/// What takes texts with gfortran; what it says against them is gathered.
pub(crate) struct Compiler {
    folder: tempfile::TempDir,
    failures: String,
}

impl Compiler {
    /// One that has the module of the tape.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let tape = Path::new(env!("CARGO_MANIFEST_DIR")).join("../backends/runtime/oxad_tape.f90");
        let mut compiler = Self { folder, failures: String::new() };
        compiler.compile(&read(&tape), &["-std=f2018"], "the tape");
        compiler
    }

    /// Whether it has nothing to say of a text.
    pub(crate) fn takes(&mut self, text: &str, flags: &[&str]) -> bool {
        let before = self.failures.len();
        self.compile(text, flags, "");
        let is_content = self.failures.len() == before;
        self.failures.truncate(before);
        is_content
    }

    /// Compiles a text with `flags`; modules of the texts before it are known.
    pub(crate) fn compile(&mut self, text: &str, flags: &[&str], what: &str) {
        std::fs::write(self.folder.path().join("text.f90"), text).expect("a file");
        let output = Command::new("gfortran")
            .args(["-O1", "-c", "text.f90"])
            .args(flags)
            .current_dir(&self.folder)
            .output()
            .expect("gfortran");
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            writeln!(self.failures, "{what}:\n{message}").expect("a string");
        }
    }
}

/// Compiles what `check` makes of each source, some at a time, and stops where gfortran had anything to say.
pub(crate) fn each_compiled(sources: &[PathBuf], check: impl Fn(&mut Compiler, &Path) + Sync) {
    let said = sources.par_iter().map_init(Compiler::new, |gfortran, path| {
        check(gfortran, path);
        std::mem::take(&mut gfortran.failures)
    });
    let said: String = said.collect();
    assert!(said.is_empty(), "{said}");
}

/// What the program prints, blanks apart, that consists of these texts and the tape.
pub(crate) fn program_prints(texts: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../backends/runtime");
    let mut names = vec!["oxad_tape.f90".to_owned(), "oxad_tape_chunks.c".to_owned()];
    for name in &names {
        std::fs::copy(runtime.join(name), folder.path().join(name)).expect("a copy");
    }
    for (index, text) in texts.iter().enumerate() {
        let name = format!("part{index}.f90");
        std::fs::write(folder.path().join(&name), text).expect("a file");
        names.push(name);
    }
    let built = Command::new("gfortran")
        .args(["-O1", "-fcheck=all", "-o", "program"])
        .args(&names)
        .current_dir(&folder)
        .output()
        .expect("gfortran");
    assert!(built.status.success(), "{}\n{texts:?}", String::from_utf8_lossy(&built.stderr));
    let program = folder.path().join("program");
    let run = Command::new(program).current_dir(&folder).output().expect("the program");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}
