//! Helpers of the booster's tests.
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
use std::sync::OnceLock;

use fortran_backend::{Layout, unparse};
use xaif_booster::analysis::{activity, snapshots};
use xaif_booster::externals::Externals;
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_run::{Given, Outcome, Request, parse_setting, run};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;
use xaif_schema::verify;

pub mod adjoint;
pub mod jacobian;
pub mod pairs;
pub mod passes;
pub mod preaccumulated;
pub mod refused;
pub mod trials;

/// The folder of this package.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources of a folder beside the tests, in order.
pub fn sources(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(self::folder().join(folder)).expect("the folder");
    let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "f90" || e == "f");
    let mut sources: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(is_source).collect();
    assert!(!sources.is_empty(), "{folder}: no sources");
    sources.sort();
    sources
}

/// The sources of a mode of differentiation, `tangent` or `adjoint`: its own, and those of both.
pub fn sources_of_mode(mode: &str) -> Vec<PathBuf> {
    [sources(mode), sources("both")].concat()
}

/// A source or what is blessed.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source")
}

/// The document of a source text; in fixed form where it begins with `C`.
pub fn document(source: &str) -> Document {
    let options = fortran_frontend::source::Options::default();
    let name = if source.starts_with('C') { "test.f" } else { "test.f90" };
    let translation = fortran_frontend::translate_texts(&[(name, source)], &options);
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    translation.document
}

/// Messages as a user reads them.
pub fn told(messages: &Diagnostics) -> String {
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
pub fn verified(doc: &Document) {
    let mut problems = verify::verify(doc);
    problems.extend(snapshots::check(doc, &Externals::new()));
    assert!(problems.is_empty(), "{problems:?}");
}

/// A document as Fortran.
pub fn printed(doc: &Document) -> String {
    let texts = unparse(doc, Layout::OneText).expect("it can be printed");
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Compares a text with what is blessed beside its source, `NAME.txt`, or blesses it.
pub fn as_blessed(path: &Path, text: &str) {
    same_as(&path.with_extension("txt"), text);
}

/// The same for a mode of differentiation: of a source of `both` it is `NAME.MODE.txt`.
pub fn as_blessed_for_mode(path: &Path, mode: &str, text: &str) {
    let shared = path.parent().is_some_and(|folder| folder.ends_with("both"));
    let extension = if shared { format!("{mode}.txt") } else { "txt".to_owned() };
    same_as(&path.with_extension(extension), text);
}

fn same_as(blessed: &Path, text: &str) {
    if std::env::var_os("OXAD_BLESS").is_some() {
        std::fs::write(blessed, text).expect("a file that can be written");
    }
    let expected = std::fs::read_to_string(blessed).unwrap_or_default();
    assert!(text == expected, "{} is not as blessed:\n{text}", blessed.display());
}

/// The document with tangents in so many directions and the warnings, or the messages.
///
/// # Errors
/// What the tangent refuses.
pub fn tangent_by(
    source: &str,
    directions: Option<u32>,
) -> Result<(Document, Diagnostics), Diagnostics> {
    let mut doc = document(source);
    let warnings = tangent(&mut doc, &Options { directions, ..Options::default() })?;
    verified(&doc);
    Ok((doc, warnings))
}

/// What stands behind `! KEY` at the top of a source.
pub fn told_at_top<'s>(source: &'s str, key: &str) -> Vec<&'s str> {
    let top = source.lines().take_while(|line| line.starts_with('!'));
    top.filter_map(|line| line.strip_prefix("! ")?.strip_prefix(key)?.strip_prefix(' ')).collect()
}

/// Adds the activity facts of `head` to a document.
///
/// # Errors
/// The messages of activity analysis.
pub fn add_activity(doc: &mut Document, head: &str) -> Result<Diagnostics, Diagnostics> {
    let options = activity::Options { heads: vec![head.to_owned()], ..Default::default() };
    activity::activity(doc, &options, &Externals::new())
}

/// The options of activity analysis in `head=p independent=x,y`.
pub fn activity_options(words: &str) -> activity::Options {
    let mut options = activity::Options::default();
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
pub struct Call {
    /// The name of the procedure.
    pub procedure: String,
    /// Values of arguments and variables of modules.
    pub values: Vec<(String, Given)>,
    /// The direction in which its derivative is taken.
    pub direction: Vec<(String, Given)>,
}

/// The calls that a source asks for.
pub fn calls(source: &str) -> Vec<Call> {
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
pub fn execute(doc: &Document, request: &Request, what: &str) -> Outcome {
    run(doc, request).unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)))
}

/// The derivative variables that a procedure has as arguments.
pub fn derivatives(doc: &Document, procedure: &str) -> Vec<String> {
    let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == procedure);
    let args = proc.map(|proc| proc.args.clone()).unwrap_or_default();
    let names = args.iter().filter(|arg| arg.deriv).filter_map(|arg| arg.symbol);
    names.map(|symbol| doc.name(symbol).to_owned()).collect()
}

/// The folder with the compiled module of the tape, which is made once.
fn tape_module() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let output = Command::new("gfortran")
            .args(["-std=f2018", "-fsyntax-only"])
            .arg(runtime().join("oxad_tape.f90"))
            .current_dir(&folder)
            .output()
            .expect("gfortran");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    });
    made.path()
}

/// The folder of the runtime library.
pub fn runtime() -> PathBuf {
    folder().join("../../backends/runtime")
}

/// Compiles texts with gfortran. Modules of earlier texts and of the tape are known.
pub struct Compiler {
    folder: tempfile::TempDir,
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler { folder: tempfile::tempdir().expect("a folder") }
    }
}

impl Compiler {
    /// The messages for a text that gfortran refuses. `-S` keeps the warnings of the optimiser and saves the run of
    /// the assembler.
    pub fn says(&self, text: &str, flags: &[&str]) -> Option<String> {
        std::fs::write(self.folder.path().join("text.f90"), text).expect("a file");
        let output = Command::new("gfortran")
            .args(["-O1", "-S", "text.f90", "-I"])
            .arg(tape_module())
            .args(flags)
            .current_dir(&self.folder)
            .output()
            .expect("gfortran");
        let said = || String::from_utf8_lossy(&output.stderr).into_owned();
        (!output.status.success()).then(said)
    }

    /// Whether gfortran accepts a text.
    pub fn takes(&self, text: &str, flags: &[&str]) -> bool {
        self.says(text, flags).is_none()
    }

    /// Panics if gfortran refuses a text.
    pub fn compile(&self, text: &str, flags: &[&str]) {
        if let Some(message) = self.says(text, flags) {
            panic!("{message}\n{text}");
        }
    }
}

/// What the program prints, blanks apart, that consists of these texts and the tape.
pub fn program_prints(texts: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = runtime();
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

/// The document as the next program of a pipe reads it.
pub fn reread(doc: &Document) -> Document {
    let mut text = Vec::new();
    xaif_schema::xml::write(doc, &mut text).expect("it is written");
    xaif_schema::xml::read(&text, "piped.xaif").expect("it is read again")
}
