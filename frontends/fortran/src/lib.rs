//! Fortran 77 to 2018 into XAIF.
//!
//! - [`args`]: the command line options that all who read Fortran share.
//! - [`source`]: files, forms, logical lines, `INCLUDE` and `cpp`.
//! - [`syntax`]: the syntax tree and the parser; it knows no names and no types.
//! - [`expose`](mod@expose): entities of modules made PUBLIC in the text of a source.
//! - `program`: the binary `f2xaif`.
//! - `lower`: names, types, and the document.
//!
//! [`translate`] does it all: files in any order become one document. It knows no derivative rule,
//! reads no environment variable and prints nothing; [`args::f2xaif`] reports what it has found.

pub mod args;
pub mod expose;
mod lower;
#[cfg(feature = "cli")]
pub mod program;
pub mod source;
pub mod syntax;

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use source::Options;
use syntax::{Parsed, ast};

/// What translating some files gives.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The program; where there is an error, not all of it.
    pub document: Document,
    /// What there is to say about the sources, file after file.
    pub diagnostics: Diagnostics,
    /// The texts of the files and of those that they include, for messages.
    pub texts: Vec<(Arc<str>, String)>,
    /// The names of the files and of those that they include, by INCLUDE or by the preprocessor.
    pub files: Vec<Arc<str>>,
}

/// The stack of a thread that translates: enough for blocks and expressions that are nested as deep
/// as the parser allows, also without optimisation. Only what is used of it takes memory.
const STACK: usize = 256 << 20;

/// Translates files into one document, in any order: modules are resolved across them.
pub fn translate(paths: &[PathBuf], options: &Options) -> Translation {
    with_stack(|| {
        lower_all(paths.par_iter().map(|path| syntax::parse_file(path, options)).collect())
    })
}

/// Translates texts, each with the name of its file.
pub fn translate_texts(texts: &[(&str, &str)], options: &Options) -> Translation {
    with_stack(|| {
        lower_all(
            texts.iter().map(|(name, text)| syntax::parse_text(name, text, options)).collect(),
        )
    })
}

/// The threads that translate, the same for all calls of a process.
static POOL: LazyLock<Option<ThreadPool>> =
    LazyLock::new(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok());

/// Runs `work` where the stack is large, whatever thread the caller has; `rayon` runs its
/// parts there, too.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn lower_all(parsed: Vec<Parsed>) -> Translation {
    let mut diagnostics = Diagnostics::new();
    let mut texts = Vec::new();
    let mut files: Vec<ast::File> = Vec::with_capacity(parsed.len());
    let mut names = Vec::new();
    for one in parsed {
        diagnostics.extend(one.diagnostics);
        texts.extend(one.texts);
        names.extend(one.file.sources.iter().cloned());
        files.push(one.file);
    }
    // A statement with a syntax error is missing from the tree: what would be said about names
    // then is noise.
    if diagnostics.has_errors() {
        return Translation { document: Document::new(), diagnostics, texts, files: names };
    }
    for file in &files {
        diagnostics.extend(syntax::broken_rules(file));
    }
    // Names mean nothing sure in an order that the language does not have.
    if diagnostics.has_errors() {
        return Translation { document: Document::new(), diagnostics, texts, files: names };
    }
    let (document, found) = lower::lower(&files);
    diagnostics.extend(found);
    Translation { document, diagnostics, texts, files: names }
}
