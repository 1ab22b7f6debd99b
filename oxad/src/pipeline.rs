//! The pipeline as a list: which stages make a derivative, and in what order.
//!
//! A [`Stage`] is a function of the booster under the name of its binary; a [`Run`] applies one after
//! the other to a document in memory, and does beside it what a person does who stops a pipe between
//! two programs: keeps the document that stands there, verifies it, looks at the clock. No stage
//! is implemented here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fortran_frontend::args::{SourceArgs, f2xaif};
use xaif_booster::externals::Externals;
use xaif_booster::stages::{
    ActivityArgs, CanonicalizeArgs, CatalogueArgs, ExternalsArgs, LocalArgs, ModesArgs,
    ReverseArgs, Rules, SideEffectsArgs, TangentArgs, TbrArgs,
};
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::Document;

/// One stage between front end and back end.
pub(crate) struct Stage {
    /// The name of its binary.
    pub(crate) name: &'static str,
    /// Whether it is wanted; a fact finder may be left out.
    wanted: fn(&Options) -> bool,
    /// What it does to the document; the result are warnings.
    run: fn(&mut Document, &Choices<'_>) -> Result<Diagnostics, Diagnostics>,
}

/// What the user has chosen, with the files read that the options name.
pub(crate) struct Choices<'a> {
    options: &'a Options,
    externals: Externals,
    rules: Rules,
}

/// What procedures read and modify.
pub(crate) const SIDE_EFFECTS: Stage = Stage {
    name: "xaif-sideeffects",
    wanted: |options| !options.stages.no_sideeffects,
    run: |doc, choices| {
        let args = &choices.options.stages;
        args.side_effects.apply(doc, &args.externals, &choices.externals);
        Ok(Diagnostics::new())
    },
};

/// From a program to one with facts: what every derivative begins with.
pub(crate) const PREPARE: &[Stage] = &[
    SIDE_EFFECTS,
    Stage {
        name: "xaif-activity",
        wanted: |options| !options.stages.no_activity,
        run: |doc, choices| choices.options.stages.activity.apply(doc, &choices.externals),
    },
];

/// Local Jacobians, between the canonical form and the tangents; they are used in each direction.
const FOR_TANGENTS: Stage = Stage {
    name: "xaif-preaccumulate",
    wanted: |options| options.stages.local.preaccumulate.is_some(),
    run: |doc, choices| {
        let directions = choices.options.tangent.directions.unwrap_or(1);
        choices.options.stages.local.apply(
            doc,
            Some(directions),
            &choices.externals,
            &choices.rules,
        )
    },
};

/// Local Jacobians, between the canonical form and what adjoints need.
const FOR_ADJOINTS: Stage = Stage {
    run: |doc, choices| {
        choices.options.stages.local.apply(doc, None, &choices.externals, &choices.rules)
    },
    ..FOR_TANGENTS
};

/// From there to the program with its tangents.
pub(crate) const TANGENT: &[Stage] = &[
    Stage {
        name: "xaif-canonicalize",
        wanted: |_| true,
        run: |doc, _| CanonicalizeArgs::default().apply(doc),
    },
    FOR_TANGENTS,
    Stage {
        name: "xaif-tangent",
        wanted: |_| true,
        run: |doc, choices| choices.options.tangent.apply(doc, &choices.externals, &choices.rules),
    },
];

/// From there to the program with its adjoints.
pub(crate) const ADJOINT: &[Stage] = &[
    Stage {
        name: "xaif-canonicalize",
        wanted: |_| true,
        run: |doc, _| CanonicalizeArgs { constructs: true }.apply(doc),
    },
    FOR_ADJOINTS,
    Stage {
        name: "xaif-tbr",
        wanted: |options| !options.adjoint.no_tbr,
        run: |doc, choices| {
            let AdjointArgs { tbr, modes, .. } = &choices.options.adjoint;
            tbr.apply(doc, &choices.externals, &choices.rules, modes);
            Ok(Diagnostics::new())
        },
    },
    Stage {
        name: "xaif-reverse",
        wanted: |_| true,
        run: |doc, choices| {
            let AdjointArgs { reverse, modes, .. } = &choices.options.adjoint;
            reverse.apply(doc, &choices.externals, &choices.rules, modes)
        },
    },
];

/// The options of the stages that every derivative begins with.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What is differentiated")]
pub(crate) struct StageArgs {
    #[command(flatten)]
    pub(crate) activity: ActivityArgs,
    /// Do not look for what is active: take every real and complex variable as active
    #[arg(long, conflicts_with_all = ["head", "independent", "dependent"])]
    pub(crate) no_activity: bool,
    #[command(flatten)]
    externals: ExternalsArgs,
    /// Do not look for side effects
    #[arg(long)]
    no_sideeffects: bool,
    #[command(flatten)]
    side_effects: SideEffectsArgs,
    #[command(flatten)]
    catalogue: CatalogueArgs,
    #[command(flatten)]
    local: LocalArgs,
}

/// The options of the stages that only an adjoint has.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct AdjointArgs {
    /// Do not look for what must be recorded: record everything that is overwritten
    #[arg(long)]
    no_tbr: bool,
    #[command(flatten)]
    tbr: TbrArgs,
    #[command(flatten)]
    pub(crate) reverse: ReverseArgs,
    #[command(flatten)]
    modes: ModesArgs,
}

/// The options of all stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Of the stages that every derivative begins with.
    pub(crate) stages: StageArgs,
    /// Of the tangent.
    pub(crate) tangent: TangentArgs,
    /// Of the adjoint.
    pub(crate) adjoint: AdjointArgs,
}

/// What is kept of a run beside its result.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What is kept of the stages")]
pub(crate) struct KeepArgs {
    /// Write the document behind each stage into DIR: 1-f2xaif.xaif and so on
    #[arg(long, value_name = "DIR")]
    pub(crate) save_stages: Option<PathBuf>,
    /// Print the time that each stage takes, and the size of the document behind it
    #[arg(long)]
    pub(crate) timings: bool,
}

/// A run of the pipeline.
pub(crate) struct Run<'c> {
    /// Where messages go.
    pub(crate) console: &'c mut Console,
    save: Option<&'c Path>,
    clock: Option<Vec<Lap>>,
    stages: usize,
}

/// What a stage took.
struct Lap {
    stage: String,
    time: Duration,
    /// The document behind it as XML.
    bytes: Option<usize>,
}

impl<'c> Run<'c> {
    /// A run that reports to `console`.
    pub(crate) fn new(console: &'c mut Console, keep: &'c KeepArgs) -> Self {
        let clock = keep.timings.then(Vec::new);
        Run { console, save: keep.save_stages.as_deref(), clock, stages: 0 }
    }

    /// The document that `files` hold: Fortran sources, or a single `.xaif` file. `None` if there
    /// are errors in them, which have been reported then.
    pub(crate) fn read(
        &mut self,
        files: &[PathBuf],
        source: &SourceArgs,
    ) -> Result<Option<Document>, Diagnostics> {
        let start = Instant::now();
        let documents = files.iter().filter(|file| is_document(file)).count();
        let (name, doc) = match files {
            [file] if documents == 1 => {
                ("read", Some(self.console.read_document(&file.to_string_lossy())?))
            }
            _ if documents > 0 => {
                let message = "a document cannot be read together with other files";
                return Err([Diagnostic::error(Code::MIXED_INPUT, None, message)
                    .with_help("a document holds a whole program; give it alone")]
                .into_iter()
                .collect());
            }
            _ => ("f2xaif", f2xaif(files, source, self.console)),
        };
        if let Some(doc) = &doc {
            self.lap(name, start, doc)?;
        }
        Ok(doc)
    }

    /// Applies those of `stages` that are wanted to `doc`.
    pub(crate) fn apply(
        &mut self,
        stages: &[Stage],
        doc: &mut Document,
        options: &Options,
    ) -> Result<(), Diagnostics> {
        let args = &options.stages;
        let externals = args.externals.read(|path| self.console.read_text(path))?;
        let (rules, warnings) = args.catalogue.read(|path| self.console.read_text(path))?;
        self.console.report(&warnings);
        let choices = Choices { options, externals, rules };
        for stage in stages.iter().filter(|stage| (stage.wanted)(options)) {
            let start = Instant::now();
            let warnings = (stage.run)(doc, &choices)?;
            self.console.report(&warnings);
            self.lap(stage.name, start, doc)?;
        }
        Ok(())
    }

    /// Times what is no stage of the list.
    pub(crate) fn timed<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        if let Some(clock) = &mut self.clock {
            clock.push(Lap { stage: name.into(), time: start.elapsed(), bytes: None });
        }
        result
    }

    /// What is done behind each stage.
    fn lap(&mut self, name: &str, start: Instant, doc: &Document) -> Result<(), Diagnostics> {
        let time = start.elapsed();
        self.stages += 1;
        if self.save.is_none() && self.clock.is_none() && !self.console.verifies() {
            return Ok(());
        }
        // Verifies, where that is asked for.
        let bytes = self.console.write_document(doc)?.unwrap_or_default();
        if let Some(clock) = &mut self.clock {
            clock.push(Lap { stage: name.into(), time, bytes: Some(bytes.len()) });
        }
        match self.save {
            Some(folder) => {
                let path = folder.join(format!("{}-{name}.xaif", self.stages));
                cli::write_files(&[(path, bytes)])
            }
            None => Ok(()),
        }
    }

    /// The table of times, where it is wanted.
    pub(crate) fn timings(&self) -> Option<String> {
        let laps = self.clock.as_ref()?;
        let mut text = format!("{:<20}{:>12}{:>16}\n", "stage", "time [s]", "document [MB]");
        for lap in laps {
            let size = lap.bytes.map(|bytes| format!("{:.3}", bytes as f64 / 1e6));
            let time = lap.time.as_secs_f64();
            let _ = writeln!(text, "{:<20}{time:>12.4}{:>16}", lap.stage, size.unwrap_or_default());
        }
        let all: Duration = laps.iter().map(|lap| lap.time).sum();
        let _ = writeln!(text, "{:<20}{:>12.4}", "all", all.as_secs_f64());
        Some(text)
    }
}

/// Whether `file` is an XAIF document, by its name.
pub(crate) fn is_document(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xaif"))
}
