//! The options of the front end, for every program that reads Fortran: `f2xaif` and the driver.
//!
//! [`SourceArgs`] is the clap struct; [`f2xaif`] is the stage: sources in, a document out whose
//! history names the stage and those options that matter for what stands in it.

use std::path::PathBuf;

use xaif_schema::cli::Console;
use xaif_schema::model::{Document, StageRun};

use crate::source::{Form, Options};
use crate::{Translation, translate, translate_texts};

/// How Fortran sources are to be read.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "How sources are read"))]
pub struct SourceArgs {
    /// Search for included files in DIR
    #[cfg_attr(feature = "cli", arg(short = 'I', value_name = "DIR"))]
    pub include: Vec<PathBuf>,
    /// Define a macro of the preprocessor
    #[cfg_attr(feature = "cli", arg(short = 'D', value_name = "NAME[=VALUE]"))]
    pub define: Vec<String>,
    /// Undefine a macro of the preprocessor
    #[cfg_attr(feature = "cli", arg(short = 'U', value_name = "NAME"))]
    pub undefine: Vec<String>,
    /// Form of the sources; by default it is detected for each file
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub form: Option<FormArg>,
    /// Maximum length of a source line
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub line_length: Option<usize>,
    /// Run the preprocessor on all files, not only on .F, .F90 and the like
    #[cfg_attr(feature = "cli", arg(long))]
    pub cpp: bool,
}

/// The form of sources.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum FormArg {
    /// Free form
    Free,
    /// Fixed form
    Fixed,
}

/// How a Fortran compiler spells [`SourceArgs`].
#[derive(Clone, Copy, Debug)]
pub struct SourceFlags {
    /// Sources are in free form.
    pub free: &'static str,
    /// Sources are in fixed form.
    pub fixed: &'static str,
    /// The preprocessor runs on all files.
    pub preprocess: &'static str,
    /// Where source lines end.
    pub line_length: LineLength,
}

/// How a compiler is told where source lines end.
#[derive(Clone, Copy, Debug)]
pub enum LineLength {
    /// The number of columns follows each of these.
    Prefixes(&'static [&'static str]),
    /// It knows the standard's length and one other, which these select.
    Longest(&'static [&'static str]),
}

impl SourceArgs {
    /// The options of the reader.
    pub fn options(&self) -> Options {
        Options {
            form: self.form.map(|form| match form {
                FormArg::Free => Form::Free,
                FormArg::Fixed => Form::Fixed,
            }),
            line_length: self.line_length,
            cpp: self.cpp.then_some(true),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            include_dirs: self.include.clone(),
        }
    }

    /// What a Fortran compiler must be told to read the same sources, in its own words.
    pub fn compiler_flags(&self, words: &SourceFlags) -> Vec<String> {
        let mut flags: Vec<String> = Vec::new();
        flags.extend(self.include.iter().map(|folder| format!("-I{}", folder.display())));
        flags.extend(self.define.iter().map(|define| format!("-D{define}")));
        flags.extend(self.undefine.iter().map(|name| format!("-U{name}")));
        flags.extend(self.cpp.then(|| words.preprocess.to_string()));
        let form = self.form.map(|form| match form {
            FormArg::Free => words.free,
            FormArg::Fixed => words.fixed,
        });
        flags.extend(form.map(str::to_string));
        if let Some(length) = self.line_length {
            match words.line_length {
                LineLength::Prefixes(prefixes) => {
                    flags.extend(prefixes.iter().map(|prefix| format!("{prefix}{length}")));
                }
                LineLength::Longest(words) => flags.extend(words.iter().map(|w| w.to_string())),
            }
        }
        flags
    }

    /// The options that matter for what stands in the document.
    fn shown(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        words.extend(self.define.iter().map(|define| format!("-D{define}")));
        words.extend(self.undefine.iter().map(|name| format!("-U{name}")));
        match self.form {
            Some(FormArg::Free) => words.push("--form=free".into()),
            Some(FormArg::Fixed) => words.push("--form=fixed".into()),
            None => {}
        }
        words.extend(self.line_length.map(|length| format!("--line-length={length}")));
        words.extend(self.cpp.then(|| "--cpp".into()));
        words.join(" ")
    }
}

/// The stage `f2xaif`: all `files` of a program in one document. `None` if there are errors; they
/// have been reported on `console` then.
pub fn f2xaif(files: &[PathBuf], args: &SourceArgs, console: &mut Console) -> Option<Document> {
    reported(translate(files, &args.options()), args, console)
}

/// The same stage for texts, each with the name of its file.
pub fn f2xaif_texts(
    texts: &[(&str, &str)],
    args: &SourceArgs,
    console: &mut Console,
) -> Option<Document> {
    reported(translate_texts(texts, &args.options()), args, console)
}

fn reported(
    translation: Translation,
    args: &SourceArgs,
    console: &mut Console,
) -> Option<Document> {
    let Translation { mut document, diagnostics, texts, files } = translation;
    for (file, text) in texts {
        console.remember(&file, text);
    }
    files.iter().for_each(|file| console.depends_on(file));
    console.report(&diagnostics);
    console.remember_files(&document);
    if diagnostics.has_errors() {
        return None;
    }
    document.history.push(StageRun {
        stage: "f2xaif".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        options: args.shown(),
    });
    Some(document)
}
