//! `oxad check`: is the derivative right? Writes a driver for one procedure and its tangent or
//! adjoint, compiles it with the user's sources, runs it, and prints a table that ends with a verdict.
//!
//! `point` finds out what they are called with, `program` writes, compiles and runs the program, `verdict` judges what it
//! computes and prints that; `evaluate` gathers the evidence, `sizes` compares at a second size, and `each` checks one
//! procedure after the other.

mod bisect;
mod each;
mod evaluate;
mod interval;
mod point;
pub(crate) mod program;
mod sizes;
mod verdict;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fortran_frontend::args::{SourceArgs, f2xaif};
use xaif_booster::passes::{Selection, WithoutArgs};
use xaif_booster::stages::TangentArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, ProcId, ProcKind, Role};
use xaif_schema::tape::has_tape;

use crate::commands::Common;
use crate::differentiate::{self, Texts, VALIDITY};
use crate::files::in_folder;
use crate::open::{Opened, Program};
use crate::pipeline::{
    ADJOINT, AdjointArgs, KeepArgs, Options, Run, SIDE_EFFECTS, StageArgs, TANGENT, is_document,
};

use evaluate::Effort;
use point::extents::Size;
use point::plan;
use point::plan::{Kind, Plan, Suffixes, Wish};
use point::settings::{Setting, Settings};
use program::build::{Built, Compiler, Objects, Unit};
use program::{build, compiler, driver, interfaces};
use sizes::Pair;
use verdict::adjoint;
use verdict::judge::{Verdict, judge};
use verdict::precision::{Precision, has_single};
use verdict::report::Report;

/// Which derivatives are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// The tangent, against differences and complex step
    #[default]
    Tangent,
    /// The adjoint, against differences, complex step and the tangent (dot product)
    Adjoint,
    /// One after the other
    Both,
}

/// The arguments of `oxad check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fortran sources of a program, in any order, or one XAIF document
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What is checked
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    mode: Mode,
    /// Check each procedure by itself that a driver can call: which one is at fault?
    #[arg(long, conflicts_with_all = ["head", "independent", "dependent", "derivative"])]
    each: bool,
    /// Name the first optimisation of the list of passes with which the derivative is wrong
    #[arg(long, conflicts_with_all = ["each", "derivative", "without"])]
    bisect: bool,
    /// Values and sizes at the point.
    #[arg(
        long,
        value_name = "NAME=VALUE",
        help = "A value or shape at the point: n=10, x=[1,2,3], x=FILE, x:10,20 (a shape), x=none. Extents that arguments leave open are chosen: a small one, and one beyond the tape's first chunk",
        help_heading = "Point and tolerance"
    )]
    set: Vec<String>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Point and tolerance")]
    seed: u32,
    /// The direction of the point: what is not named has zero; random numbers without the option
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Point and tolerance")]
    direction: Vec<String>,
    /// The largest relative difference that is good; 1e-6, for single precision 2e-3
    #[arg(long, value_name = "T", help_heading = "Point and tolerance")]
    tolerance: Option<f64>,
    /// Check the derivative in these files, not one that is generated now
    #[arg(long, value_name = "FILE")]
    derivative: Vec<PathBuf>,
    /// Keep the driver, the generated code and how they are built in DIR
    #[arg(long, value_name = "DIR", help_heading = "Compilers")]
    keep: Option<PathBuf>,
    /// The Fortran compiler: gfortran, flang, ifx, nvfortran, nagfor, or one with gfortran's options
    #[arg(long, value_name = "PROGRAM", default_value = "gfortran", help_heading = "Compilers")]
    compiler: String,
    /// The C compiler, for the tape
    #[arg(long, value_name = "PROGRAM", default_value = "cc", help_heading = "Compilers")]
    c_compiler: String,
    /// Options for the compiler, in one word: --flags='-O2 -fdefault-real-8'
    #[arg(
        long,
        value_name = "OPTIONS",
        allow_hyphen_values = true,
        default_value = "-O2",
        help_heading = "Compilers"
    )]
    flags: String,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    stages: StageArgs,
    #[command(flatten)]
    tangent: TangentArgs,
    #[command(flatten)]
    adjoint: AdjointArgs,
    #[command(flatten)]
    without: WithoutArgs,
    #[command(flatten)]
    source: SourceArgs,
}

/// Checks, prints the table; whether the derivative is good.
pub(crate) fn run(args: &Args, console: &mut Console) -> Result<bool, Diagnostics> {
    let workshop = Workshop::new(args.keep.as_deref())?;
    let keep = KeepArgs::default();
    let Some(mut session) = Session::new(args, Run::new(console, &keep), &workshop)? else {
        return Ok(false);
    };
    let (text, good) = if args.bisect {
        bisect::table(&mut session, workshop.folder())?
    } else if args.each {
        each::table(&mut session, workshop.folder())?
    } else {
        let mut parts: Vec<(String, Verdict)> = Vec::new();
        for head in session.heads.clone() {
            let folder = session.inner(head, workshop.folder());
            let keep = args.keep.as_deref().map(|keep| session.inner(head, keep));
            let found = match session.check(head, &folder) {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(false),
                Err(problems) => {
                    // What has been found of others is no less true.
                    cli::write_output(None, &joined(&parts).into())?;
                    return Err(problems);
                }
            };
            let finish = |report: Report| report.finish(args.mode == Mode::Both, keep.as_deref());
            parts.extend(found.into_iter().map(finish));
        }
        (joined(&parts), parts.iter().all(|(_, verdict)| *verdict == Verdict::Good))
    };
    cli::write_output(None, &text.into())?;
    Ok(good)
}

impl<'s> Session<'s> {
    /// The state before anything is built; `None` where files cannot be read.
    fn new(
        args: &'s Args,
        mut pipeline: Run<'s>,
        workshop: &Workshop,
    ) -> Result<Option<Session<'s>>, Diagnostics> {
        let settings = Settings::parse(&args.set)?;
        let given = Settings::parse(&args.direction)?;
        let Some(doc) = pipeline.read(&args.files, &args.source)? else { return Ok(None) };
        let (sources, printed) = match args.files.as_slice() {
            [file] if is_document(file) => sources_of(&doc)?,
            files => (files.to_vec(), Vec::new()),
        };
        let heads = if args.each { Vec::new() } else { heads(&doc, &args.stages.activity.head)? };
        Ok(Some(Session {
            args,
            settings,
            given,
            original: doc,
            heads,
            sources,
            printed,
            workshop: workshop.folder().to_path_buf(),
            objects: HashMap::new(),
            tools: workshop.folder().join("oxad_tools.f90"),
            turn: 0,
            selection: args.without.selection(&bisect::rows(args.mode))?,
            validity: args.tangent.validity,
            pipeline,
        }))
    }
}

/// `oxad validity`: prints the intervals in which no condition changes sides.
pub(crate) fn validity(args: &Args, console: &mut Console) -> Result<bool, Diagnostics> {
    let workshop = Workshop::new(args.keep.as_deref())?;
    let keep = KeepArgs::default();
    let Some(mut session) = Session::new(args, Run::new(console, &keep), &workshop)? else {
        return Ok(false);
    };
    let text = interval::tables(&mut session, workshop.folder())?;
    cli::write_output(None, &text.into())?;
    Ok(true)
}

/// The procedures that are checked: those that are named, else the one that there is.
fn heads(doc: &Document, names: &[String]) -> Result<Vec<ProcId>, Diagnostics> {
    let mut heads = Vec::new();
    for name in names {
        let head = plan::find_head(doc, Some(name))?;
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    if heads.is_empty() {
        heads.push(plan::find_head(doc, None)?);
    }
    Ok(heads)
}

/// The reports as one text.
fn joined(parts: &[(String, Verdict)]) -> String {
    parts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A program that is checked, and how.
pub(crate) struct Session<'s> {
    args: &'s Args,
    settings: Settings,
    /// The direction that is given.
    given: Settings,
    /// The program alone.
    original: Document,
    /// The procedures that are named, which are differentiated together; none with `--each`.
    heads: Vec<ProcId>,
    /// The user's sources, where they are there.
    sources: Vec<PathBuf>,
    /// Else their texts.
    printed: Texts,
    /// The folder of the check.
    workshop: PathBuf,
    /// Object files that the drivers share, by the sources that stand in the place of the user's.
    objects: HashMap<Vec<Opened>, Objects>,
    /// Source file of the procedures that all drivers use.
    tools: PathBuf,
    /// Which of the extensions of abstract types arguments have.
    turn: usize,
    /// The passes that are executed.
    selection: Selection,
    /// Whether tangents compute the interval in which no condition changes sides.
    validity: bool,
    pipeline: Run<'s>,
}

/// So many extensions of an abstract type are tried.
const MOST_TURNS: usize = 16;

/// Where derivatives come from.
enum Source {
    /// They are made of this program, which has all that they begin with.
    Prepared(Box<Program>),
    /// They are there.
    Given(Box<Document>),
}

/// A head with its derivative.
struct Programs {
    /// The program and its derivative.
    both: Document,
    /// The name of the head, with its module.
    head: String,
    /// The generated files, or those of `--derivative`.
    derivative: Texts,
    /// Sources that stand in the place of the user's.
    opened: Vec<Opened>,
}

/// A derivative that can be evaluated.
struct Ready {
    programs: Rc<Programs>,
    plan: Plan,
    built: Built,
    /// Whether something that has a derivative is computed in single precision.
    single: bool,
}

impl Session<'_> {
    /// Checks what the mode asks for of `head`, in `folder`; `None` where files cannot be read. Arguments of abstract
    /// types get each of their extensions in turn.
    fn check(&mut self, head: ProcId, folder: &Path) -> Result<Option<Vec<Report>>, Diagnostics> {
        let Some(source) = self.source(head)? else { return Ok(None) };
        let (mut reports, mut turns) = (Vec::new(), 1);
        for turn in 0..MOST_TURNS {
            if turn >= turns {
                break;
            }
            self.turn = turn;
            let inner = match turn {
                0 => folder.to_path_buf(),
                _ => folder.join(format!("turn{}", turn + 1)),
            };
            turns = self.check_turn(head, &source, &inner, &mut reports)?;
        }
        Ok(Some(reports))
    }

    /// The same for one choice of types; how many there are.
    fn check_turn(
        &mut self,
        head: ProcId,
        source: &Source,
        folder: &Path,
        reports: &mut Vec<Report>,
    ) -> Result<usize, Diagnostics> {
        let inner = |name: &str| match self.args.mode {
            Mode::Tangent => folder.to_path_buf(),
            Mode::Adjoint if name == "adjoint" => folder.to_path_buf(),
            Mode::Adjoint | Mode::Both => folder.join(name),
        };
        let [for_tangent, for_adjoint] = ["tangent", "adjoint"].map(inner);
        let begin = reports.len();
        let mut turns = 1;
        let tangent = match (source, self.args.mode) {
            // Evidence for an adjoint that is given may be generated.
            (Source::Given(_), Mode::Adjoint) => self
                .prepared(head)
                .and_then(|source| self.ready(head, Kind::Tangent, &source, &for_tangent)),
            _ => self.ready(head, Kind::Tangent, source, &for_tangent),
        };
        if self.args.mode != Mode::Adjoint {
            match &tangent {
                Ok(ready) => {
                    turns = ready.plan.turns;
                    let report = self.check_tangent(ready, interval::LARGEST_STEP)?;
                    reports.push(self.within_interval(head, ready, &for_tangent, report)?);
                }
                Err(_) => return tangent.map(|_| turns),
            }
        }
        let adjoint = match self.args.mode {
            Mode::Tangent => None,
            Mode::Adjoint | Mode::Both => {
                let adjoint = self.ready(head, Kind::Adjoint, source, &for_adjoint)?;
                turns = adjoint.plan.turns;
                reports.push(self.check_adjoint(&adjoint, tangent.as_ref())?);
                Some(adjoint)
            }
        };
        let folders = [for_tangent, for_adjoint];
        let pair = Pair { tangent: tangent.as_ref(), adjoint: adjoint.as_ref(), folders };
        self.second(head, &pair, &mut reports[begin..])?;
        Ok(turns)
    }

    /// What is differentiated, or what `--derivative` gives.
    fn source(&mut self, head: ProcId) -> Result<Option<Source>, Diagnostics> {
        if self.args.derivative.is_empty() {
            return self.prepared(head).map(Some);
        }
        let mut files = self.sources.clone();
        files.extend(self.args.derivative.iter().cloned());
        let doc = f2xaif(&files, &self.args.source, self.pipeline.console);
        let Some(mut doc) = doc else { return Ok(None) };
        // They tell what needs a value before the call, as they do where derivatives are generated.
        self.pipeline.apply(&[SIDE_EFFECTS], &mut doc, &self.options(head))?;
        Ok(Some(Source::Given(Box::new(doc))))
    }

    /// The program with what all derivatives begin with.
    fn prepared(&mut self, head: ProcId) -> Result<Source, Diagnostics> {
        let options = self.options(head);
        let (program, _) = Program::prepare(&mut self.pipeline, self.original.clone(), &options)?;
        Ok(Source::Prepared(Box::new(program)))
    }

    /// The folder of a head within `folder`: all of it for a single one.
    fn inner(&self, head: ProcId, folder: &Path) -> PathBuf {
        match self.heads.as_slice() {
            [_] => folder.to_path_buf(),
            _ => folder.join(plan::folder_name(&self.original, head)),
        }
    }

    /// What `names` name for `head`, without its name; what is another head's is left out.
    fn named_for(&self, head: ProcId, names: &[String]) -> Vec<String> {
        let is = |head, prefix: &str| plan::is_called(&self.original, head, prefix.trim());
        let own = names.iter().filter_map(|name| match name.split_once(':') {
            Some((prefix, variable)) if is(head, prefix) => Some(variable.to_string()),
            Some((prefix, _)) if self.heads.iter().any(|&head| is(head, prefix)) => None,
            Some(_) | None => Some(name.clone()),
        });
        own.collect()
    }

    fn options(&self, head: ProcId) -> Options {
        let alone = [head];
        let heads = if self.heads.contains(&head) { self.heads.as_slice() } else { &alone };
        Options {
            stages: stages_for(&self.original, heads, &self.args.stages, &self.settings),
            tangent: TangentArgs { validity: self.validity, ..self.args.tangent.clone() },
            adjoint: self.args.adjoint.clone(),
            selection: self.selection.clone(),
        }
        .with_validity()
    }

    /// The name of a head, with its module.
    fn name_of(&self, head: ProcId) -> String {
        plan::qualified_name(&self.original, head)
    }

    /// Differentiates, plans and builds.
    fn ready(
        &mut self,
        head: ProcId,
        kind: Kind,
        source: &Source,
        folder: &Path,
    ) -> Result<Ready, Diagnostics> {
        let programs = Rc::new(self.programs(head, kind, source)?);
        let plan = self.plan(head, kind, &programs, Size::First)?;
        let built = self.build(&programs, &plan, folder)?;
        let single = has_single(&programs.both);
        Ok(Ready { programs, plan, built, single })
    }

    /// The variables of the driver and how it calls the procedures.
    fn plan(
        &self,
        head: ProcId,
        kind: Kind,
        programs: &Programs,
        size: Size,
    ) -> Result<Plan, Diagnostics> {
        let args = self.args;
        let Options { tangent, .. } = self.options(head);
        let activity = &args.stages.activity;
        let [independent, dependent] =
            [&activity.independent, &activity.dependent].map(|names| self.named_for(head, names));
        let wish = Wish {
            head: &programs.head,
            independent: &independent,
            dependent: &dependent,
            settings: &self.settings,
            kind,
            suffixes: match kind {
                Kind::Tangent => Suffixes {
                    variable: &tangent.suffix_variable,
                    procedure: &tangent.suffix_procedure,
                },
                Kind::Adjoint => Suffixes {
                    variable: &args.adjoint.reverse.adjoint_variable,
                    procedure: &args.adjoint.reverse.adjoint_procedure,
                },
            },
            turn: self.turn,
            // The last one knows what none has used.
            lenient: args.each || self.heads.last() != Some(&head),
            size,
        };
        plan::plan(&programs.both, &wish)
    }

    fn programs(
        &mut self,
        head: ProcId,
        kind: Kind,
        source: &Source,
    ) -> Result<Programs, Diagnostics> {
        let mut derivative = match kind {
            Kind::Adjoint => differentiate::runtime(),
            // The program may itself be an adjoint.
            Kind::Tangent if has_tape(&self.original) => differentiate::runtime(),
            Kind::Tangent => Vec::new(),
        };
        if self.validity && kind == Kind::Tangent {
            derivative.push((VALIDITY.0.to_owned(), VALIDITY.1.to_owned()));
        }
        let (mut opened, mut printed) = (Vec::new(), Cow::Borrowed(&self.printed));
        let both = match source {
            Source::Prepared(program) => {
                let stages = match kind {
                    Kind::Tangent => TANGENT,
                    Kind::Adjoint => ADJOINT,
                };
                let options = self.options(head);
                let doc = program.prepared.clone();
                let mut derived = program.derive(&mut self.pipeline, doc, stages, &options)?;
                let needed = derived.needed.clone();
                program.settle(&mut derived, &needed);
                derivative.extend(differentiate::texts(&derived.doc)?);
                match (program.opened(&needed), self.sources.as_slice()) {
                    (Some(doc), []) => {
                        let text = fortran_backend::unparse(&doc, fortran_backend::Layout::OneText);
                        printed = Cow::Owned(text?);
                    }
                    (Some(_), sources) => {
                        opened = program.sources(&needed, sources, &self.args.source)?;
                    }
                    (None, _) => {}
                }
                derived.doc
            }
            Source::Given(doc) => {
                for path in &self.args.derivative {
                    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                    let text = cli::read_text(&path.to_string_lossy())?;
                    derivative.push((name.unwrap_or_default(), text));
                }
                Document::clone(doc)
            }
        };
        let head = plan::qualified_name(&self.original, head);
        derivative.extend(printed.iter().cloned());
        Ok(Programs { both, head, derivative, opened })
    }

    /// The tangent, in all its directions.
    fn check_tangent(&self, ready: &Ready, largest: f64) -> Result<Report, Diagnostics> {
        let mut report = Report::new(self.args, &ready.plan);
        let primal = self.first(ready)?;
        primal.exact.iter().for_each(|exact| report.saw(exact));
        let why_not = primal.exact.iter().find_map(|exact| exact.as_ref().err());
        let precision = |label: &str| Precision::of_label(&ready.plan, ready.single, label);
        let effort = Effort { largest, ..Effort::FULL };
        for (evidence, direction) in self.tangents(ready, &primal, effort)?.iter().zip(1..) {
            let judgement = judge(evidence, self.args.tolerance, &precision);
            report.add(direction, &judgement, why_not.map(|obstacle| obstacle.reason.as_str()));
        }
        Ok(report)
    }

    /// The adjoint; the tangent is evidence, where there is one.
    fn check_adjoint(
        &self,
        ready: &Ready,
        tangent: Result<&Ready, &Diagnostics>,
    ) -> Result<Report, Diagnostics> {
        let mut report = Report::new(self.args, &ready.plan);
        let primal = self.first(ready)?;
        primal.exact.iter().for_each(|exact| report.saw(exact));
        let evidence = self.adjoints(ready, tangent, primal, Effort::FULL)?;
        report.add_adjoint(&adjoint::judge(&evidence, self.args.tolerance));
        Ok(report)
    }

    /// Writes all files into `folder` and compiles them.
    fn build(
        &mut self,
        programs: &Programs,
        plan: &Plan,
        folder: &Path,
    ) -> Result<Built, Diagnostics> {
        let args = self.args;
        let name = driver::program_name(plan);
        let described = interfaces::module(&programs.both, plan)?;
        let request = driver::Request {
            plan,
            doc: &programs.both,
            seed: args.seed,
            directions: args.tangent.directions.filter(|_| plan.kind == Kind::Tangent),
            given: &self.given,
            validity: self.validity && plan.kind == Kind::Tangent,
            interfaces: described.is_some().then_some(interfaces::MODULE),
        };
        let mut files = programs.derivative.clone();
        files.extend(described.map(|text| (format!("{}.f90", interfaces::MODULE), text)));
        let mut files = in_folder(folder, files);
        let sources_folder = folder.join("opened");
        let path = |opened: &Opened| (sources_folder.join(&opened.name), opened.bytes.clone());
        let opened_files: Vec<(PathBuf, Vec<u8>)> = programs.opened.iter().map(path).collect();
        cli::write_files(&opened_files)?;
        files.push((self.tools.clone(), include_str!("program/tools.f90").into()));
        // The driver is compiled last.
        let driver = vec![(format!("{name}.f90"), driver::text(&request))];
        let known: Vec<String> = plan.objects.iter().map(|object| object.name.clone()).collect();
        let unused: Diagnostics = self
            .given
            .unused(&known)
            .into_iter()
            .map(|one| {
                let message = one.message.replacen("--set", "--direction", 1);
                Diagnostic { message, ..one }
            })
            .collect();
        if !unused.is_empty() && self.heads.len() < 2 && !args.each {
            return Err(unused);
        }
        files.extend(in_folder(folder, driver));
        cli::write_files(&files)?;
        let own = self.sources.iter().filter(|path| !is_main_alone(&self.original, path));
        let own = own.map(|path| {
            let opened = programs.opened.iter().find(|opened| opened.source == *path);
            let path = opened.map_or_else(|| path.clone(), |one| sources_folder.join(&one.name));
            Unit { path: path.canonicalize().unwrap_or(path), own: true }
        });
        let mut units: Vec<Unit> = own.collect();
        units.extend(files.into_iter().map(|(path, _)| Unit { path, own: false }));
        let mut flags: Vec<String> = args.flags.split_whitespace().map(str::to_string).collect();
        let spelling = compiler::spelling(&args.compiler);
        // Warnings about the sources are not what is asked for.
        flags.push(spelling.quiet.into());
        let lenient: Vec<String> = spelling.lenient.iter().map(|flag| flag.to_string()).collect();
        let read = args.source.compiler_flags(&spelling.source);
        // A file that an opened source includes stands beside the user's source.
        let folders = programs.opened.iter().filter_map(|opened| opened.source.parent());
        let beside = folders.map(|folder| format!("-I{}", Path::new(".").join(folder).display()));
        let source_flags = [lenient.clone(), read, beside.collect()].concat();
        // What the sources may do their derivatives do as well, unless the user is strict.
        let strict = flags.iter().any(|flag| flag.starts_with("-std="));
        let made_flags = if strict { Vec::new() } else { lenient };
        let has_main = programs.both.procs.values().any(|proc| proc.kind == ProcKind::Program);
        let (program, c_program) = (args.compiler.clone(), args.c_compiler.clone());
        let compiler =
            Compiler { program, spelling, c_program, flags, source_flags, made_flags, has_main };
        // Module files of an opened source are others.
        let number = self.objects.len();
        let objects = self.objects.entry(programs.opened.clone()).or_insert_with(|| {
            let name = if number == 0 { "objects".into() } else { format!("objects{number}") };
            Objects::new(self.workshop.join(name))
        });
        build::build(&compiler, &units, objects, folder, &name)
    }
}

/// The options of the stages: the heads, and the procedures that are passed to them, which no call of
/// the program need name.
fn stages_for(
    doc: &Document,
    heads: &[ProcId],
    given: &StageArgs,
    settings: &Settings,
) -> StageArgs {
    let mut stages = given.clone();
    if stages.no_activity {
        return stages;
    }
    let own = heads.iter().map(|&head| plan::qualified_name(doc, head));
    let dummies = heads.iter().flat_map(|&head| &doc.procs[head].args);
    let dummies = dummies.filter_map(|dummy| dummy.symbol);
    let procedures = dummies.filter(|&s| matches!(doc.role(s), Some(Role::Procedure(_))));
    let passed: Vec<String> = procedures
        .filter_map(|symbol| match settings.of(doc.name(symbol)) {
            Some(Setting::Value { words, .. }) => words.first().cloned(),
            Some(Setting::File(_) | Setting::None) | None => None,
        })
        .collect();
    let activity = &mut stages.activity;
    if let ([head], [_, ..]) = (heads, passed.as_slice()) {
        // What is independent is so for the head alone.
        let name = doc.name(doc.procs[*head].symbol);
        let lists = activity.independent.iter_mut().chain(&mut activity.dependent);
        lists.filter(|x| !x.contains(':')).for_each(|x| *x = format!("{name}:{x}"));
    }
    activity.head = own.chain(passed).collect();
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

/// Whether a source holds a main program and nothing else: the driver takes its place.
fn is_main_alone(doc: &Document, path: &Path) -> bool {
    use xaif_schema::model::SpecItem;
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
