//! Parses files and says what is wrong with them: `parse [-I dir] [-D x] [--cpp] [--form f] files`.
//!
//! It does not resolve names; it exists to try the parser on folders of sources.

use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use fortran_frontend::source::{Form, Options};
use fortran_frontend::syntax;
use rayon::prelude::*;
use xaif_schema::diag::{MessageFormat, Sources, render};

#[derive(Parser)]
struct Cli {
    /// The files.
    files: Vec<PathBuf>,
    /// Folders of included files.
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// Macros for cpp.
    #[arg(short = 'D')]
    define: Vec<String>,
    /// Run cpp on all files.
    #[arg(long)]
    cpp: bool,
    /// `free` or `fixed`; detected if not given.
    #[arg(long)]
    form: Option<String>,
    /// Where lines end.
    #[arg(long)]
    line_length: Option<usize>,
    /// Print the tree.
    #[arg(long)]
    dump: bool,
}

fn main() {
    let cli = Cli::parse();
    let options = Options {
        form: cli.form.map(|form| if form == "free" { Form::Free } else { Form::Fixed }),
        line_length: cli.line_length,
        cpp: cli.cpp.then_some(true),
        defines: cli.define,
        undefines: Vec::new(),
        include_dirs: cli.include,
    };
    let start = Instant::now();
    let parsed: Vec<_> =
        cli.files.par_iter().map(|file| syntax::parse_file(file, &options)).collect();
    let seconds = start.elapsed().as_secs_f64();
    let (mut failed, mut lines) = (0, 0);
    for one in &parsed {
        let mut sources = Sources::new();
        for (name, text) in &one.texts {
            lines += text.lines().count();
            sources.insert(&**name, text.as_str());
        }
        failed += usize::from(one.diagnostics.has_errors());
        for diagnostic in one.diagnostics.iter() {
            eprint!("{}", render(diagnostic, &sources, MessageFormat::Human));
        }
        if cli.dump {
            println!("{:#?}", one.file);
        }
    }
    let total = parsed.len();
    eprintln!("{failed} of {total} files failed; {lines} lines in {seconds:.2} s");
    std::process::exit(i32::from(failed > 0));
}
