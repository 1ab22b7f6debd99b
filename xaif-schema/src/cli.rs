//! What every binary of the pipeline does the same way: input, output, messages, exit status.
//!
//! The crate `xaif-cli` adds the command line.
//!
//! The contract: exit status 0 done, 1 the input is at fault (then nothing is written), 2 wrong
//! usage. Diagnostics go to standard error. Output is written whole or not at all: standard output
//! at the very end, a file by renaming a finished temporary one. A reader that closes the pipe
//! early is no error. A signal that ends the process leaves nothing half-written behind.
//!
//! This module decides nothing about a document; it reads no environment variable.

mod depfile;
mod files;
mod signals;
mod standard;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::diag::{Code, Diagnostic, Diagnostics, MessageFormat, Sources, Spot};
use crate::diag::{render_all, render_colored};
use crate::model::Document;
use crate::{verify, xml};

pub use depfile::read as read_depfile;
pub use files::{spare_sources, write_file, write_files, write_output};

/// The output of a binary; `None` for one that only looks, such as `xaif-lint`.
pub type Output = Option<Content>;

/// The content of an output. A document becomes text while it is written: the text is larger than the document.
#[derive(Debug)]
pub enum Content {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// A document, to be written as XML.
    Document(Box<Document>),
}

impl Content {
    fn write(&self, mut out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Content::Bytes(bytes) => out.write_all(bytes),
            Content::Document(doc) => xml::write(doc, &mut out),
        }
    }

    /// An error where the content has no text, before anything is written to a place that keeps what it was given.
    fn check(&self) -> io::Result<()> {
        match self {
            Content::Bytes(_) => Ok(()),
            Content::Document(doc) => xml::write(doc, &mut io::sink()),
        }
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Content::Bytes(bytes)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content::Bytes(text.into_bytes())
    }
}

/// Where diagnostics are printed, with the texts that they quote.
#[derive(Debug)]
pub struct Console {
    format: MessageFormat,
    verify: bool,
    sources: Sources,
    /// The source files of the program, which no output replaces.
    files: Vec<PathBuf>,
    failed: bool,
    /// The diagnostics of a console that prints nothing.
    collected: Option<Diagnostics>,
    /// Texts that stand in memory instead of in files.
    provided: BTreeMap<String, String>,
    /// The files that were read.
    read: BTreeSet<PathBuf>,
}

impl Console {
    /// A console on standard error.
    pub fn new(format: MessageFormat, verify: bool) -> Self {
        Console {
            format,
            verify,
            sources: Sources::new(),
            files: Vec::new(),
            failed: false,
            collected: None,
            provided: BTreeMap::new(),
            read: BTreeSet::new(),
        }
    }

    /// A console that prints nothing: [`Console::finish`] returns the diagnostics.
    pub fn collecting(verify: bool) -> Self {
        let collected = Some(Diagnostics::new());
        Console { collected, ..Console::new(MessageFormat::default(), verify) }
    }

    /// Makes `text` the content of the file `path`, without a file.
    pub fn provide(&mut self, path: &str, text: &str) {
        self.provided.insert(path.to_owned(), text.to_owned());
    }

    /// The diagnostics of a console that prints nothing, with the texts that they quote.
    pub fn finish(self) -> (Diagnostics, Sources) {
        (self.collected.unwrap_or_default(), self.sources)
    }

    /// Whether an error has been reported.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Whether `--verify` was given, or this is a debug build.
    pub fn verifies(&self) -> bool {
        self.verify || cfg!(debug_assertions)
    }

    /// Whether `--verify` was given.
    pub fn verifies_passes(&self) -> bool {
        self.verify
    }

    /// Remembers the text of a file, so that diagnostics with a spot in it quote the line.
    pub fn remember(&mut self, file: &str, text: impl Into<String>) {
        self.sources.insert(file, text);
    }

    /// Remembers that the output depends on the file `path`.
    pub fn depends_on(&mut self, path: &str) {
        if path != "-" && !self.provided.contains_key(path) {
            self.read.insert(PathBuf::from(path));
        }
    }

    /// Writes a rule of make into the file `path`: `outputs` depend on all files that were read.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_depfile(&self, path: &Path, outputs: &[PathBuf]) -> Result<(), Diagnostics> {
        // A name that a preprocessor has told may be that of no file.
        let inputs = self.read.iter().map(PathBuf::as_path).filter(|file| file.is_file());
        let text = depfile::rule(outputs.iter().map(PathBuf::as_path), inputs);
        write_files(&[(path.to_path_buf(), text.into_bytes())])
    }

    /// The text of a file that an option names, remembered for messages about it.
    pub fn read_text(&mut self, path: &str) -> Result<String, Diagnostics> {
        let text = match self.provided.get(path) {
            Some(text) => text.clone(),
            None => read_text(path)?,
        };
        self.depends_on(path);
        self.remember(path, text.as_str());
        Ok(text)
    }

    /// Remembers the source files of a program.
    pub fn remember_files(&mut self, doc: &Document) {
        self.files.extend(doc.files.values().map(|file| PathBuf::from(&file.path)));
    }

    /// # Errors
    /// The output would replace a source file.
    pub fn spare_sources(&self, output: Option<&Path>) -> Result<(), Diagnostics> {
        let Some(path) = output else { return Ok(()) };
        // The path of a source may start from another folder: another file is no source then.
        let there = self.files.iter().filter(|file| file.exists()).map(PathBuf::as_path);
        spare_sources(there, &[(path.to_path_buf(), Vec::new())], "give another file with -o")
    }

    /// Prints `diagnostics` on standard error.
    pub fn report(&mut self, diagnostics: &Diagnostics) {
        self.failed |= diagnostics.has_errors();
        if let Some(collected) = &mut self.collected {
            collected.extend(diagnostics.clone());
            return;
        }
        let text = match is_colored(&io::stderr()) {
            true => render_colored(diagnostics, &self.sources, self.format),
            false => render_all(diagnostics, &self.sources, self.format),
        };
        // Nobody is left to be told when standard error is closed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Reads an XAIF document from `path` (`-` is standard input) and, as far as the options ask
    /// for it, verifies it.
    pub fn read_document(&mut self, path: &str) -> Result<Document, Diagnostics> {
        let bytes = read_input(path)?;
        self.depends_on(path);
        let read = if self.verifies() {
            xml::read_with_positions(&bytes, path).and_then(|(doc, positions)| {
                let found = verify::verify_at(&doc, Some(&positions));
                if found.has_errors() { Err(found) } else { Ok(doc) }
            })
        } else {
            xml::read(&bytes, path)
        };
        match &read {
            Ok(doc) => self.remember_files(doc),
            Err(_) => self.remember(path, String::from_utf8_lossy(&bytes)),
        }
        read
    }

    /// `doc` as an output; as far as the options ask for it, `doc` is verified first.
    pub fn write_document(&mut self, doc: Document) -> Result<Output, Diagnostics> {
        self.verify_document(&doc)?;
        Ok(Some(Content::Document(Box::new(doc))))
    }

    /// Verifies `doc`, as far as the options ask for it.
    ///
    /// # Errors
    /// The invariants that it breaks.
    pub fn verify_document(&self, doc: &Document) -> Result<(), Diagnostics> {
        if !self.verifies() {
            return Ok(());
        }
        let found = verify::verify(doc);
        if found.has_errors() { Err(found) } else { Ok(()) }
    }
}

/// Whether text for `stream` has colours: it is a terminal, and its user does not forbid them (`NO_COLOR`).
pub fn is_colored(stream: &impl anstream::stream::RawStream) -> bool {
    anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// The bytes of the file `path`, or of standard input if it is `-`.
pub fn read_input(path: &str) -> Result<Vec<u8>, Diagnostics> {
    let read = if path == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| {
        let spot = (path != "-").then(|| Spot::new(path, 0, 0));
        Diagnostics::from(Diagnostic::error(
            Code::CANNOT_READ,
            spot,
            format!("cannot read: {error}"),
        ))
    })
}

/// The text of the file `path` (`-` is standard input); what is not UTF-8 is an error with a place.
pub fn read_text(path: &str) -> Result<String, Diagnostics> {
    String::from_utf8(read_input(path)?).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        Diagnostics::from(not_utf8(path, error.as_bytes(), valid))
    })
}

/// The error for bytes that are not UTF-8 from offset `valid` on.
pub(crate) fn not_utf8(file: &str, bytes: &[u8], valid: usize) -> Diagnostic {
    let before = String::from_utf8_lossy(&bytes[..valid]);
    let spot = Spot::within(file, &before, &(before.len()..before.len()));
    Diagnostic::error(Code::NOT_UTF8, Some(spot), "this is not UTF-8 text")
        .with_help("convert the file, for example with `iconv -f latin1 -t utf-8`")
}

/// The error for an output that cannot be written.
pub fn cannot_write(what: &str, error: &io::Error) -> Diagnostics {
    Diagnostics::from(Diagnostic::error(
        Code::CANNOT_WRITE,
        None,
        format!("cannot write {what}: {error}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("out.xaif");
        write_file(&path, b"one").expect("first");
        write_file(&path, b"two").expect("second");
        assert_eq!(fs::read(&path).expect("there"), b"two");
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().expect("a folder");
        assert!(write_file(&dir.path().join("no/such/out"), b"x").is_err());
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 0);
    }

    #[test]
    fn of_several_files_all_are_written_or_none() {
        let dir = tempfile::tempdir().expect("a folder");
        let first = (dir.path().join("new/one"), b"1".to_vec());
        let second = (dir.path().join("new/two"), b"2".to_vec());
        fs::create_dir_all(&second.0).expect("a folder in the way");
        assert!(write_files(&[first.clone(), second.clone()]).is_err());
        assert!(!first.0.exists());
        fs::remove_dir(&second.0).expect("empty");
        write_files(&[first.clone(), second]).expect("both");
        assert_eq!(fs::read(&first.0).expect("there"), b"1");
        assert_eq!(fs::read_dir(dir.path().join("new")).expect("readable").count(), 2);
    }

    #[test]
    fn text_that_is_not_utf8_is_an_error_with_line_and_column() {
        let diagnostic = not_utf8("a.f90", b"one\ntw\xff", 6);
        assert_eq!(diagnostic.spot, Some(Spot::new("a.f90", 2, 3)));
    }
}
