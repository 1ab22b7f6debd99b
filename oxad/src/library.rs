//! Derivatives of texts: the pipeline without files, without a command line, without printing.

use std::fmt;
use std::path::Path;

use fortran_frontend::args::SourceArgs;
use xaif_booster::passes::Selection;
use xaif_booster::stages::{
    ActivityArgs, CatalogueArgs, ExternalsArgs, ModesArgs, ReverseArgs, SideEffectsArgs,
    TangentArgs,
};
use xaif_schema::cli::Console;
use xaif_schema::diag::{Diagnostics, MessageFormat, Sources, render_all};

use crate::differentiate::{self, Made, OF_ADJOINT, OF_TANGENT, Origin, Texts, runtime};
use crate::pipeline::{AdjointArgs, KeepArgs, Options, PREPARE, Run, StageArgs, rows};

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name. The suffix tells the form of the source; messages name it; `NAME_d.f90` is made of it.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// A file with a name and a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }
}

/// Which derivatives are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Derivatives {
    /// Tangents: `NAME_d.f90`.
    Tangent,
    /// Adjoints: `NAME_b.f90`, and the tape.
    #[default]
    Adjoint,
    /// Both.
    Both,
}

/// What is differentiated, and how. The default is the adjoint of the one procedure that no other calls.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The derivatives that are written.
    pub derivatives: Derivatives,
    /// The procedures to differentiate: `p`, or `m%p` for one of a module.
    pub heads: Vec<String>,
    /// The independent variables; if there are none, directives or all arguments count.
    pub independents: Vec<String>,
    /// The dependent variables; if there are none, directives or all arguments count.
    pub dependents: Vec<String>,
    /// The number of directions that a tangent computes at once, in a leading dimension of each derivative.
    pub directions: Option<u32>,
    /// The procedures whose calls an adjoint splits.
    pub split: Vec<String>,
    /// An adjoint splits all calls.
    pub split_all: bool,
    /// Arguments of one call do not overlap.
    pub disjoint: bool,
    /// Pointers and targets that share memory only where the given sources associate them: those named, all of them where
    /// the list is empty.
    pub no_alias: Option<Vec<String>>,
    /// A derivative that needs PRIVATE parts of a module is refused.
    pub closed: bool,
    /// Specifications of procedures without source, as `--externals` takes them.
    pub externals: Vec<Source>,
    /// Catalogues of intrinsics, as `--intrinsics` takes them.
    pub intrinsics: Vec<Source>,
    /// Optimisations that are left out, by the names that `--list-passes` prints.
    pub without: Vec<String>,
    /// Whether all invariants of the document are checked behind each pass.
    pub verify: bool,
}

/// The derivatives of a program.
#[derive(Clone, Debug)]
pub struct Output {
    /// The generated files in alphabetical order: names and texts. With adjoints there are those of the tape. A source
    /// with the name of a module's file takes its place, where the derivative needs PRIVATE parts of the module.
    pub files: Vec<Source>,
    /// Warnings. [`Report`] prints them.
    pub warnings: Report,
}

/// Diagnostics with the texts that they quote. It prints as the binary does.
#[derive(Clone, Debug)]
pub struct Report {
    told: Box<(Diagnostics, Sources)>,
}

impl Report {
    /// The diagnostics.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.told.0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (diagnostics, sources) = &*self.told;
        f.write_str(&render_all(diagnostics, sources, MessageFormat::Human))
    }
}

impl std::error::Error for Report {}

/// Differentiates the program that `sources` are, in any order.
///
/// ```
/// use oxad::{Derivatives, Request, Source, differentiate};
///
/// let square = "subroutine square(x, y)
///   real(8), intent(in) :: x
///   real(8), intent(out) :: y
///   y = x*x
/// end subroutine square
/// ";
/// let request = Request { derivatives: Derivatives::Tangent, ..Request::default() };
/// let output = differentiate(&[Source::new("square.f90", square)], &request)?;
/// assert_eq!(output.files[0].name, "square_d.f90");
/// assert!(output.files[0].text.contains("yd = xd*x + x*xd"));
/// # Ok::<(), oxad::Report>(())
/// ```
///
/// # Errors
/// The diagnostics of a program that cannot be read or differentiated, warnings among them.
pub fn differentiate(sources: &[Source], request: &Request) -> Result<Output, Report> {
    let mut console = Console::collecting(request.verify);
    for one in request.externals.iter().chain(&request.intrinsics) {
        console.provide(&one.name, &one.text);
    }
    let made = made(sources, request, &mut console);
    if let Err(errors) = &made {
        console.report(errors);
    }
    let report = Report { told: Box::new(console.finish()) };
    let failed = report.diagnostics().has_errors();
    match made {
        Ok(mut files) if !failed => {
            files.sort();
            let files = files.into_iter().map(|(name, text)| Source { name, text }).collect();
            Ok(Output { files, warnings: report })
        }
        Ok(_) | Err(_) => Err(report),
    }
}

fn made(
    sources: &[Source],
    request: &Request,
    console: &mut Console,
) -> Result<Texts, Diagnostics> {
    let (derivatives, runtime) = match request.derivatives {
        Derivatives::Tangent => (&[OF_TANGENT][..], Texts::new()),
        Derivatives::Adjoint => (&[OF_ADJOINT][..], runtime()),
        Derivatives::Both => (&[OF_TANGENT, OF_ADJOINT][..], runtime()),
    };
    let options = options(request);
    let rows = rows(PREPARE.iter().chain(derivatives.iter().flat_map(|(_, stages)| *stages)));
    let all: Vec<_> = rows.iter().map(|row| row.about).collect();
    options.selection.check(&all)?;
    let keep = KeepArgs::default();
    let mut run = Run::new(console, &keep);
    let texts: Vec<(&str, &str)> =
        sources.iter().map(|source| (source.name.as_str(), source.text.as_str())).collect();
    let source = SourceArgs::default();
    match run.read_texts(&texts, &source)? {
        Some(doc) => {
            let origin = Origin { files: &[], source: &source, output: Path::new("") };
            let Made { mut files, opened, note } =
                differentiate::made(&mut run, doc, derivatives, (&options, runtime), origin)?;
            run.console.report(&note);
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            files.extend(opened.into_iter().map(|one| (one.name, text(one.bytes))));
            Ok(files)
        }
        // The errors have been reported.
        None => Ok(Texts::new()),
    }
}

fn options(request: &Request) -> Options {
    let paths = |sources: &[Source]| sources.iter().map(|source| (&source.name).into()).collect();
    Options {
        stages: StageArgs {
            activity: ActivityArgs {
                head: request.heads.clone(),
                independent: request.independents.clone(),
                dependent: request.dependents.clone(),
                tests: false,
            },
            externals: ExternalsArgs { externals: paths(&request.externals) },
            catalogue: CatalogueArgs { intrinsics: paths(&request.intrinsics) },
            side_effects: SideEffectsArgs { no_alias: request.no_alias.clone() },
            closed: request.closed,
            ..StageArgs::default()
        },
        tangent: TangentArgs { directions: request.directions, ..TangentArgs::default() },
        adjoint: AdjointArgs {
            reverse: ReverseArgs { disjoint: request.disjoint, ..ReverseArgs::default() },
            modes: ModesArgs {
                split: request.split.clone(),
                split_all: request.split_all,
                ..ModesArgs::default()
            },
            ..AdjointArgs::default()
        },
        selection: Selection::without(request.without.iter().map(String::as_str)),
    }
}
