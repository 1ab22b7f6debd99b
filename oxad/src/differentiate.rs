//! The derivatives of a program as texts: the stages behind those that all derivatives share, and the files that stand
//! beside a derivative.

use std::path::{Path, PathBuf};

use fortran_backend::{Layout, unparse};
use fortran_frontend::args::SourceArgs;
use xaif_booster::passes::End;
use xaif_booster::transform::open::Needed;
use xaif_schema::cli;
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, Language, ScopeKind};
use xaif_schema::xml;

use crate::open::{self, Opened, Program};
use crate::pipeline::{ADJOINT, Options, Run, Stage, TANGENT};

/// The runtime of adjoints: names and texts.
pub(crate) const RUNTIME: [(&str, &str); 2] = [
    ("oxad_tape_chunks.c", include_str!("../../backends/runtime/oxad_tape_chunks.c")),
    ("oxad_tape.f90", include_str!("../../backends/runtime/oxad_tape.f90")),
];

/// The runtime of sparse Jacobians: name and text.
pub(crate) const SPARSE: (&str, &str) =
    ("oxad_jacobian.f90", include_str!("../../backends/runtime/oxad_jacobian.f90"));

/// The runtime of intervals of validity: name and text.
pub(crate) const VALIDITY: (&str, &str) =
    ("oxad_validity.f90", include_str!("../../backends/runtime/oxad_validity.f90"));

/// What adjoints in C need in the place of the module: name and text.
const C_TAPE: (&str, &str) = ("oxad_tape.h", include_str!("../../backends/runtime/oxad_tape.h"));

/// Files: names and texts.
pub(crate) type Texts = Vec<(String, String)>;

/// Whether a file is one of the runtime.
pub(crate) fn is_runtime(name: &str) -> bool {
    RUNTIME.iter().chain([&SPARSE, &VALIDITY, &C_TAPE]).any(|(own, _)| *own == name)
}

/// The files of the runtime.
pub(crate) fn runtime() -> Texts {
    RUNTIME.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// The files of a runtime for adjoints in C.
fn in_c(runtime: Texts) -> Texts {
    let module = RUNTIME[1].0;
    let one = |(name, text): (String, String)| match name == module {
        true => (C_TAPE.0.to_owned(), C_TAPE.1.to_owned()),
        false => (name, text),
    };
    runtime.into_iter().map(one).collect()
}

/// The stages of a derivative behind those that all derivatives share, with the name of the derivative.
pub(crate) type Derivative = (&'static str, &'static [Stage]);

pub(crate) const OF_TANGENT: Derivative = ("tangent", TANGENT);
pub(crate) const OF_ADJOINT: Derivative = ("adjoint", ADJOINT);

/// Where a program comes from, and where its derivatives go.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The files of the user; none where the program is a text in memory.
    pub(crate) files: &'a [PathBuf],
    /// How they are read.
    pub(crate) source: &'a SourceArgs,
    /// The folder of the derivatives.
    pub(crate) output: &'a Path,
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct Made {
    /// Names and texts.
    pub(crate) files: Texts,
    /// Sources that stand in the place of the user's.
    pub(crate) opened: Vec<Opened>,
    /// The note about them.
    pub(crate) note: Diagnostics,
}

/// The derivatives of a program as it was read, with the files of the `runtime`. Where the run stops behind a pass, they
/// are documents instead.
pub(crate) fn made(
    run: &mut Run<'_>,
    doc: Document,
    derivatives: &[Derivative],
    (options, runtime): (&Options, Texts),
    origin: Origin<'_>,
) -> Result<Made, Diagnostics> {
    let runtime = if is_from_c(&doc) { in_c(runtime) } else { runtime };
    let (program, end) = Program::prepare(run, doc, options)?;
    if options.stages.side_effects.no_alias.is_none() && is_from_c(&program.prepared) {
        crate::overlap::refuse(&program.prepared)?;
    }
    match end {
        End::Stopped => {
            let document = stopped("program", &program.prepared, options)?;
            Ok(Made { files: vec![document], ..Made::default() })
        }
        End::Finished => derive(run, program, derivatives, (options, runtime), origin),
    }
}

/// The derivatives of a prepared program, and the sources of modules that they need opened.
pub(crate) fn derive(
    run: &mut Run<'_>,
    mut program: Program,
    derivatives: &[Derivative],
    (options, runtime): (&Options, Texts),
    origin: Origin<'_>,
) -> Result<Made, Diagnostics> {
    let (mut documents, mut finished) = (Texts::new(), Vec::new());
    let mut needed = Needed::default();
    for (&(name, stages), left) in derivatives.iter().zip((0..derivatives.len()).rev()) {
        let doc = match left {
            0 => std::mem::take(&mut program.prepared),
            _ => program.prepared.clone(),
        };
        let derived = program.derive(run, doc, stages, options)?;
        match derived.end {
            End::Stopped => documents.push(stopped(name, &derived.doc, options)?),
            End::Finished => {
                needed.extend(&derived.needed);
                finished.push(derived);
            }
        }
    }
    if !documents.is_empty() {
        return Ok(Made { files: documents, ..Made::default() });
    }
    let mut files = runtime;
    for mut derived in finished {
        program.settle(&mut derived, &needed);
        files.extend(run.timed("xaif2f", || texts(&derived.doc))?);
    }
    let mut opened = program.sources(&needed, origin.files, origin.source)?;
    open::beside(&mut opened, origin.output);
    let note = program.note(&needed, &opened, origin.output);
    Ok(Made { files, opened, note })
}

/// The document behind the pass at which a run stopped: name and text.
fn stopped(name: &str, doc: &Document, options: &Options) -> Result<(String, String), Diagnostics> {
    let pass = options.selection.until.as_deref().unwrap_or_default();
    let text = xml::to_string(doc).map_err(|error| cli::cannot_write("the document", &error))?;
    Ok((format!("{name}-{pass}.xaif"), text))
}

/// The generated files: names and texts.
pub(crate) fn texts(doc: &Document) -> Result<Texts, Diagnostics> {
    if !is_from_c(doc) {
        return unparse(doc, Layout::PerFile);
    }
    let name = c_name(doc);
    let texts = c_backend::unparse(doc)?;
    let header = format!("{name}.h");
    Ok(vec![(format!("{name}.c"), texts.text.clone()), (header.clone(), texts.header_as(&header))])
}

/// Whether all sources of a program are C.
pub(crate) fn is_from_c(doc: &Document) -> bool {
    let mut files = doc.files.values().peekable();
    files.peek().is_some() && files.all(|file| file.language == Language::C)
}

/// The name of the files with the derivatives of a program in C: that of the first unit that a stage has made.
fn c_name(doc: &Document) -> String {
    let global = doc.global_scope();
    let units = doc.scopes.values().filter(|scope| scope.parent == global && !scope.provided);
    let mut made = units
        .filter(|scope| matches!(scope.kind, ScopeKind::Module(_) | ScopeKind::Procedure(_)))
        .filter_map(|scope| scope.place.file);
    let file = made.next();
    let path =
        file.or(doc.files.keys().next()).map_or("program", |file| doc.files[file].path.as_str());
    Path::new(path)
        .file_stem()
        .map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
