//! `f2xaif`: Fortran into XAIF.

use std::path::PathBuf;
use std::process::ExitCode;

use fortran_frontend::source::{Form, Options};
use fortran_frontend::{Translation, translate};
use xaif_schema::cli::{self, CommonArgs, Console, Output};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::StageRun;

/// Translate Fortran into XAIF: all files of a program in one run, in any order.
#[derive(clap::Parser)]
#[command(name = "f2xaif", version)]
struct Args {
    /// Fortran source files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Look for included files here
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Define a macro of the preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro of the preprocessor
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// The source form; found out for each file unless given
    #[arg(long, value_enum)]
    form: Option<FormArg>,
    /// Where source lines end
    #[arg(long, value_name = "N")]
    line_length: Option<usize>,
    /// Run the preprocessor on all files, not only on .F, .F90 and the like
    #[arg(long)]
    cpp: bool,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormArg {
    /// Free form
    Free,
    /// Fixed form
    Fixed,
}

impl Args {
    fn options(&self) -> Options {
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

fn main() -> ExitCode {
    cli::run(|args: &Args| &args.common, f2xaif)
}

fn f2xaif(args: &Args, console: &mut Console) -> Result<Output, Diagnostics> {
    let Translation { mut document, diagnostics, texts } = translate(&args.files, &args.options());
    for (file, text) in texts {
        console.remember(&file, text);
    }
    console.report(&diagnostics);
    if console.failed() {
        return Ok(None);
    }
    document.history.push(StageRun {
        stage: "f2xaif".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        options: args.shown(),
    });
    console.write_document(&document)
}
