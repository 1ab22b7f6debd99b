//! `oxad check`: is the derivative right? Writes a driver for one procedure and its tangent,
//! compiles it with the user's sources, runs it, and prints a table that ends with a verdict.
//!
//! `plan` finds out what the two are called with, `driver` writes the program, `build` compiles
//! and runs it, `numerics` and `judge` make verdicts of what it computes, `report` prints them.
//! A further test (the dot product with the adjoint) is one more mode of the driver and one more
//! list of rows.

mod bounds;
mod build;
mod complex_step;
mod driver;
mod globals;
mod interfaces;
mod judge;
mod node;
mod numerics;
mod plan;
mod report;
mod settings;

use std::path::{Path, PathBuf};

use fortran_frontend::args::{SourceArgs, f2xaif};
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, ProcId, Role};

use crate::Common;
use crate::pipeline::{KeepArgs, Run, StageArgs, TANGENT, is_document};
use crate::tangent;

use build::{Built, Compiler, Results, Unit};
use judge::{DERIVATIVE, Evidence, judge};
use plan::{Chosen, Plan, Suffixes, Wish};
use settings::{Setting, Settings};

/// The steps of the sweep.
const STEPS: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// The arguments of `oxad check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fortran sources of a program, in any order, or one XAIF document
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Values and sizes at the point.
    #[arg(
        long,
        value_name = "NAME=VALUE",
        help = "A value or size at the point: n=10, x=[1,2,3], x=FILE, x:10,20 (a shape), x=none"
    )]
    set: Vec<String>,
    /// Where random numbers begin
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
    /// The largest relative difference that is good; 1e-6, for single precision 2e-3
    #[arg(long, value_name = "T")]
    tolerance: Option<f64>,
    /// Check the derivative in these files, not one that is generated now
    #[arg(long, value_name = "FILE")]
    derivative: Vec<PathBuf>,
    /// Keep the driver, the generated code and how they are built in DIR
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// The Fortran compiler, which takes options as gfortran does
    #[arg(long, value_name = "PROGRAM", default_value = "gfortran")]
    compiler: String,
    /// Options for the compiler, in one word: --flags='-O2 -fdefault-real-8'
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, default_value = "-O1")]
    flags: String,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    stages: StageArgs,
    #[command(flatten)]
    source: SourceArgs,
}

/// Checks, prints the table; whether the derivative is good.
pub(crate) fn run(args: &Args, console: &mut Console) -> Result<bool, Diagnostics> {
    let settings = Settings::parse(&args.set)?;
    let Some(programs) = programs(args, &settings, console)? else { return Ok(false) };
    let wish = Wish {
        head: &programs.head,
        independent: &args.stages.activity.independent,
        dependent: &args.stages.activity.dependent,
        settings: &settings,
        suffixes: Suffixes {
            variable: &args.stages.tangent.suffix_variable,
            procedure: &args.stages.tangent.suffix_procedure,
        },
    };
    let plan = plan::plan(&programs.both, &wish)?;
    let workshop = Workshop::new(args.keep.as_deref())?;
    let built = build_check(args, &programs, &plan, workshop.folder())?;
    let directions = args.stages.tangent.directions.unwrap_or(1);
    let mut report = report::Report::new(args, &plan);
    let tangent = run_driver(&built, "tangent", 1)?;
    for direction in 1..=directions {
        let complex_step = match args.stages.tangent.directions {
            None => complex_step::derivatives(&programs, &plan, &run_driver(&built, "point", 1)?),
            Some(_) => Err("there are several directions".to_string()),
        };
        let (complex_step, why_not) = match complex_step {
            Ok(found) => (Some(found), None),
            Err(reason) => (None, Some(reason)),
        };
        let evidence = Evidence {
            base: run_driver(&built, "primal", direction)?,
            tangent: one_direction(&tangent, direction, directions),
            steps: sweep(&built, direction),
            complex_step,
        };
        let epsilon = |label: &str| epsilon(&plan, label);
        let judgement = judge(&evidence, args.tolerance, &epsilon);
        report.add(direction, &judgement, why_not);
    }
    let (text, good) = report.finish(args.keep.as_deref());
    cli::write_output(None, text.as_bytes())?;
    Ok(good)
}

/// Files: names and texts.
type Texts = Vec<(String, String)>;

/// What is checked.
pub(crate) struct Programs {
    /// The program and its derivative.
    both: Document,
    /// The program alone.
    original: Document,
    /// The name of the head, with its module.
    head: String,
    /// The user's sources, where they are there.
    sources: Vec<PathBuf>,
    /// The generated files, or those of `--derivative`.
    derivative: Texts,
}

/// Reads and differentiates.
fn programs(
    args: &Args,
    settings: &Settings,
    console: &mut Console,
) -> Result<Option<Programs>, Diagnostics> {
    let keep = KeepArgs::default();
    let mut pipeline = Run::new(console, &keep);
    let Some(original) = pipeline.read(&args.files, &args.source)? else { return Ok(None) };
    let proc = plan::find_head(&original, args.stages.activity.head.first().map(String::as_str))?;
    let head = plan::qualified_name(&original, proc);
    let (sources, printed) = match args.files.as_slice() {
        [file] if is_document(file) => sources_of(&original)?,
        files => (files.to_vec(), Vec::new()),
    };
    if !args.derivative.is_empty() {
        let mut files = sources.clone();
        files.extend(args.derivative.iter().cloned());
        let Some(both) = f2xaif(&files, &args.source, console) else { return Ok(None) };
        let mut derivative = printed;
        for path in &args.derivative {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let text = cli::read_text(&path.to_string_lossy())?;
            derivative.push((name.unwrap_or_default(), text));
        }
        return Ok(Some(Programs { both, original, head, sources, derivative }));
    }
    let stages = stages_for(&original, proc, &args.stages, settings);
    let mut both = original.clone();
    pipeline.apply(TANGENT, &mut both, &stages)?;
    let mut derivative = tangent::texts(&both)?;
    derivative.extend(printed);
    Ok(Some(Programs { both, original, head, sources, derivative }))
}

/// The options of the stages: the head, and the procedures that are passed to it, which no call of
/// the program need name.
fn stages_for(doc: &Document, head: ProcId, given: &StageArgs, settings: &Settings) -> StageArgs {
    let mut stages = given.clone();
    if stages.no_activity {
        return stages;
    }
    let own = plan::qualified_name(doc, head);
    let dummies = doc.procs[head].args.iter().filter_map(|dummy| dummy.symbol);
    let procedures = dummies.filter(|&s| matches!(doc.role(s), Some(Role::Procedure(_))));
    let passed: Vec<String> = procedures
        .filter_map(|symbol| match settings.of(doc.name(symbol)) {
            Some(Setting::Value { words, .. }) => words.first().cloned(),
            Some(Setting::File(_) | Setting::None) | None => None,
        })
        .collect();
    let activity = &mut stages.activity;
    if !passed.is_empty() {
        // What is independent is so for the head alone.
        let name = doc.name(doc.procs[head].symbol);
        let lists = activity.independent.iter_mut().chain(&mut activity.dependent);
        lists.filter(|x| !x.contains(':')).for_each(|x| *x = format!("{name}:{x}"));
    }
    activity.head = std::iter::once(own).chain(passed).collect();
    stages
}

/// The sources that a document names, or, where they are not there, what the back end prints.
fn sources_of(doc: &Document) -> Result<(Vec<PathBuf>, Texts), Diagnostics> {
    let files: Vec<PathBuf> = doc.files.values().map(|file| PathBuf::from(&file.path)).collect();
    if !files.is_empty() && files.iter().all(|file| file.is_file()) {
        return Ok((files, Vec::new()));
    }
    Ok((Vec::new(), fortran_backend::unparse(doc, fortran_backend::Layout::OneText)?))
}

/// The folder of the check: one that is kept, or one that vanishes.
enum Workshop {
    Kept(PathBuf),
    Passing(tempfile::TempDir),
}

impl Workshop {
    fn new(keep: Option<&Path>) -> Result<Self, Diagnostics> {
        let made = match keep {
            Some(folder) => std::fs::create_dir_all(folder)
                .and_then(|()| folder.canonicalize())
                .map(Workshop::Kept),
            None => tempfile::Builder::new().prefix("oxad-check-").tempdir().map(Workshop::Passing),
        };
        made.map_err(|error| {
            let message = format!("cannot make the folder of the check: {error}");
            [Diagnostic::error(Code::CANNOT_WRITE, None, message)].into_iter().collect()
        })
    }

    fn folder(&self) -> &Path {
        match self {
            Workshop::Kept(folder) => folder,
            Workshop::Passing(folder) => folder.path(),
        }
    }
}

/// Writes all files into `folder` and compiles them.
fn build_check(
    args: &Args,
    programs: &Programs,
    plan: &Plan,
    folder: &Path,
) -> Result<Built, Diagnostics> {
    let name = driver::program_name(&plan.head.name);
    let described = interfaces::module(&programs.both, plan)?;
    let request = driver::Request {
        plan,
        doc: &programs.both,
        seed: args.seed,
        directions: args.stages.tangent.directions,
        interfaces: described.is_some().then_some(interfaces::MODULE),
    };
    let mut files = programs.derivative.clone();
    files.push(("check_tools.f90".into(), include_str!("tools.f90").into()));
    files.extend(described.map(|text| (format!("{}.f90", interfaces::MODULE), text)));
    files.push((format!("{name}.f90"), driver::text(&request)));
    let files = tangent::in_folder(folder, files);
    cli::write_files(&files)?;
    let own = programs.sources.iter().filter(|path| !is_main_alone(&programs.original, path));
    let own = own
        .map(|path| Unit { path: path.canonicalize().unwrap_or_else(|_| path.clone()), own: true });
    let mut units: Vec<Unit> = own.collect();
    units.extend(files.into_iter().map(|(path, _)| Unit { path, own: false }));
    let mut flags: Vec<String> = args.flags.split_whitespace().map(str::to_string).collect();
    // Warnings about the sources are not what is asked for.
    flags.push("-w".into());
    let mut source_flags = vec!["-std=legacy".to_string()];
    source_flags.extend(args.source.compiler_flags());
    let compiler = Compiler { program: args.compiler.clone(), flags, source_flags };
    build::build(&compiler, &units, folder, &name)
}

/// Whether a source holds a main program and nothing else: the driver takes its place.
fn is_main_alone(doc: &Document, path: &Path) -> bool {
    use xaif_schema::model::{ProcKind, SpecItem};
    let Some(global) = doc.global_scope() else { return false };
    let in_file = |place: xaif_schema::model::Place| {
        place.file.is_some_and(|file| Path::new(&doc.files[file].path) == path)
    };
    let mut units = doc.scopes[global].items.iter().filter_map(|item| match item {
        SpecItem::Unit(scope) if in_file(doc.scopes[*scope].place) => Some(*scope),
        _ => None,
    });
    let is_main = |scope| {
        doc.procs.values().any(|proc| proc.scope == scope && proc.kind == ProcKind::Program)
    };
    match (units.next(), units.next()) {
        (Some(only), None) => is_main(only),
        _ => false,
    }
}

fn run_driver(built: &Built, mode: &str, direction: u32) -> Result<Results, Diagnostics> {
    built.run(mode, 0.0, direction).map_err(|reason| {
        let message = format!("the driver has stopped in mode `{mode}`");
        let mut diagnostic = Diagnostic::error(Code::DRIVER_FAILED, None, message)
            .with_help("set values that make sense with --set; --keep DIR keeps the driver");
        for line in reason.lines() {
            diagnostic = diagnostic.with_note(None, line);
        }
        [diagnostic].into_iter().collect()
    })
}

/// The evaluations beside the point; one that fails is left out.
fn sweep(built: &Built, direction: u32) -> Vec<(f64, Option<Results>, Option<Results>)> {
    let at = |step: f64| {
        let results = built.run("primal", step, direction).ok()?;
        let good = results.iter().all(|(_, values)| values.iter().all(|value| value.is_finite()));
        good.then_some(results)
    };
    STEPS.iter().map(|&step| (step, at(step), at(-step))).collect()
}

/// The derivatives of one of several directions.
fn one_direction(results: &Results, direction: u32, directions: u32) -> Results {
    let part = |values: &Vec<f64>| {
        let size = values.len() / directions.max(1) as usize;
        values.iter().skip((direction as usize - 1) * size).take(size).copied().collect()
    };
    let pick = |(label, values): &(String, Vec<f64>)| {
        let mine = if label.contains(DERIVATIVE) { part(values) } else { values.clone() };
        (label.clone(), mine)
    };
    results.iter().map(pick).collect()
}

/// The precision of the variable with this label: its own, or that of the numbers it comes from.
fn epsilon(plan: &Plan, label: &str) -> f64 {
    let name = label.split('%').next().unwrap_or(label);
    let objects = plan
        .objects
        .iter()
        .filter(|object| object.name == name || object.independent != Chosen::None);
    objects.map(|object| object.node.epsilon()).fold(f64::EPSILON, f64::max)
}
