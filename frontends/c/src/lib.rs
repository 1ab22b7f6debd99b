//! C99 and C11, as numerical programs use it, into XAIF.
//!
//! - [`source`]: files, the preprocessor, comments, and places of the original text.
//! - `lower`: names, types, and the document.
//! - [`program`]: the binary `c2xaif`.
//!
//! The parser is the crate `lang-c`. A document has no pointers of C: a pointer parameter is an array or a scalar
//! that is passed by reference, a pointer variable is an array with an offset, `malloc` allocates an array.
//! Where a pointer is used in another way the front end refuses it with a code and a place.
//!
//! Subscripts of a document begin with the dimension that is contiguous, in all languages. So `a[i][j]` of C is the
//! element `(j, i)`, and lower bounds are 0.

mod lower;
#[cfg(feature = "cli")]
pub mod program;
pub mod source;

use std::path::PathBuf;

use lang_c::driver::{Config, Flavor, parse_preprocessed};
use xaif_schema::cli::Console;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{Document, StageRun};

pub use source::Options;
use source::{LineMap, Trivia};

/// What translating some files gives.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The program; where there is an error, not all of it.
    pub document: Document,
    /// What there is to say about the sources, file after file.
    pub diagnostics: Diagnostics,
    /// The texts of the files, for messages.
    pub texts: Vec<(String, String)>,
}

/// One file behind the parser.
struct Unit {
    tree: lang_c::ast::TranslationUnit,
    map: LineMap,
    trivia: Trivia,
}

/// The stack of the thread that translates: enough for expressions that are nested deep.
const STACK: usize = 256 << 20;

/// Translates files into one document.
pub fn translate(paths: &[PathBuf], options: &Options) -> Translation {
    std::thread::scope(|scope| {
        let work = || translate_here(paths, options);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(translation)) => translation,
            Ok(Err(_)) | Err(_) => {
                let message = "the translation ended unexpectedly";
                let problem = Diagnostic::error(Code::C_UNSUPPORTED, None, message);
                Translation {
                    diagnostics: [problem].into_iter().collect(),
                    ..Translation::default()
                }
            }
        }
    })
}

fn translate_here(paths: &[PathBuf], options: &Options) -> Translation {
    let mut translation = Translation::default();
    let mut units = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let text = match std::fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(_)) => {
                let spot = Some(Spot::new(name.as_str(), 0, 0));
                let problem =
                    Diagnostic::error(Code::NOT_UTF8, spot, format!("`{name}` is not UTF-8"));
                translation.diagnostics.push(problem);
                continue;
            }
            Err(error) => {
                let spot = Some(Spot::new(name.as_str(), 0, 0));
                let message = format!("cannot read `{name}`: {error}");
                translation.diagnostics.push(Diagnostic::error(Code::CANNOT_READ, spot, message));
                continue;
            }
        };
        let trivia = source::trivia(&text);
        translation.texts.push((name, text));
        let expanded = match source::preprocess(path, options) {
            Ok(expanded) => expanded,
            Err(problem) => {
                translation.diagnostics.push(*problem);
                continue;
            }
        };
        let map = LineMap::new(&expanded);
        let config =
            Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
        match parse_preprocessed(&config, expanded) {
            Ok(parse) => units.push(Unit { tree: parse.unit, map, trivia }),
            Err(error) => translation.diagnostics.push(syntax_error(&map, &error)),
        }
    }
    if translation.diagnostics.has_errors() {
        return translation;
    }
    let (document, found) = lower::lower(&units);
    translation.document = document;
    translation.diagnostics.extend(found);
    translation
}

fn syntax_error(map: &LineMap, error: &lang_c::driver::SyntaxError) -> Diagnostic {
    let place = map.origin(error.offset);
    let file = map.files.get(place.file).map_or("", String::as_str);
    let spot = Some(Spot::new(file, place.line, place.column));
    let mut expected: Vec<&str> = error.expected.iter().copied().collect();
    expected.sort_unstable();
    let wanted = expected
        .iter()
        .take(4)
        .map(|word| format!("`{}`", word.trim_matches('\'')))
        .collect::<Vec<_>>();
    let message = "this is not C11 as the parser knows it".to_owned();
    let help = match wanted.is_empty() {
        true => "a C compiler tells more about it".to_owned(),
        false => format!("one of {} could stand here", wanted.join(", ")),
    };
    Diagnostic::error(Code::C_SYNTAX, spot, message).with_help(&help)
}

/// The stage `c2xaif`: all `files` of a program in one document. `None` if there are errors; they have been
/// reported on `console` then.
pub fn c2xaif(files: &[PathBuf], options: &Options, console: &mut Console) -> Option<Document> {
    let Translation { mut document, diagnostics, texts } = translate(files, options);
    for (file, text) in texts {
        console.remember(&file, text);
        console.depends_on(&file);
    }
    console.report(&diagnostics);
    console.remember_files(&document);
    if diagnostics.has_errors() {
        return None;
    }
    let options = options.define.iter().map(|define| format!("-D{define}")).collect::<Vec<_>>();
    document.history.push(StageRun {
        stage: "c2xaif".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        options: options.join(" "),
    });
    Some(document)
}
