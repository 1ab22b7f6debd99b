//! The pipeline as a list: which stages make a derivative, and in what order.
//!
//! A [`Stage`] is a function of the booster under the name of its binary; a [`Run`] applies one after
//! the other to a document in memory, and does beside it what a person does who stops a pipe between
//! two programs: keeps the document that stands there, verifies it, looks at the clock. No stage
//! is implemented here.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fortran_frontend::args::{SourceArgs, f2xaif, f2xaif_texts};
use xaif_booster::externals::Externals;
use xaif_booster::passes::verified;
use xaif_booster::passes::{About, End, Need, Observer, Row, Selection};
use xaif_booster::stages::{
    ActivityArgs, CanonicalizeArgs, CatalogueArgs, CheckpointArgs, ExternalsArgs, Known,
    LivenessArgs, LocalArgs, ModesArgs, RecoverArgs, ReverseArgs, Rules, SideEffectsArgs,
    TangentArgs, TbrArgs,
};
use xaif_booster::transform::{adjoint, canonicalize, checkpoint, preaccumulate, tangent};
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::Document;
use xaif_schema::xml;

/// One stage between front end and back end.
pub(crate) struct Stage {
    /// The row of the list of passes; its name is that of the binary.
    about: &'static About,
    /// Whether the options ask for it.
    wanted: fn(&Options) -> bool,
    /// Whether it does anything to the document.
    concerns: fn(&Document) -> bool,
    /// The passes within it.
    passes: fn() -> Vec<Row>,
    /// Transforms the document; returns warnings.
    run: fn(&mut Document, &Choices<'_>, &mut dyn Observer) -> Result<Diagnostics, Diagnostics>,
    /// Verifies what holds behind the whole stage beyond the invariants of every document.
    verify: Option<Verify>,
}

/// A verifier of one stage.
type Verify = fn(&Document, &Choices<'_>) -> Result<(), Diagnostics>;

/// The choices of the user, with the files read that the options name.
pub(crate) struct Choices<'a> {
    options: &'a Options,
    externals: Externals,
    rules: Rules,
    selection: Selection,
}

impl Choices<'_> {
    fn known(&self) -> Known<'_> {
        let Choices { externals, rules, selection, .. } = self;
        Known { externals, rules, selection }
    }
}

/// The side effects of procedures.
pub(crate) const SIDE_EFFECTS: Stage = Stage {
    about: &About {
        name: "xaif-sideeffects",
        need: Need::Optimisation,
        summary: "Finds the variables that each procedure reads and overwrites, and alias sets.",
        reads: "bodies, declarations",
        writes: "facts of side effects",
        source: "",
    },
    wanted: |_| true,
    concerns: |_| true,
    passes: Vec::new,
    verify: None,
    run: |doc, choices, _| {
        let args = &choices.options.stages;
        Ok(args.side_effects.apply(doc, &args.externals, &choices.externals))
    },
};

/// From a program to one with facts: the stages with which every derivative begins.
pub(crate) const PREPARE: &[Stage] = &[
    SIDE_EFFECTS,
    Stage {
        about: &About {
            name: "xaif-activity",
            need: Need::Required,
            summary: "Finds the variables that depend on the independents and that the dependents depend on.",
            reads: "bodies, declarations",
            writes: "facts of activity",
            source: "paper 5, 4.2",
        },
        wanted: |options| !options.stages.no_activity,
        concerns: |_| true,
        passes: Vec::new,
        verify: None,
        run: |doc, choices, _| choices.options.stages.activity.apply(doc, &choices.externals),
    },
];

/// The canonical form of tangents.
const CANONICALIZE: Stage = Stage {
    about: &About { name: "xaif-canonicalize", ..canonicalize::ABOUT },
    wanted: |_| true,
    concerns: |_| true,
    passes: Vec::new,
    verify: None,
    run: |doc, _, _| CanonicalizeArgs::default().apply(doc),
};

/// Local Jacobians, between the canonical form and the tangents; they are used in each direction.
const FOR_TANGENTS: Stage = Stage {
    about: &About {
        name: "xaif-preaccumulate",
        need: Need::Optimisation,
        summary: "Accumulates local Jacobians of runs of assignments (only with --preaccumulate).",
        reads: "bodies",
        writes: "bodies",
        source: "paper 2, 3",
    },
    wanted: |options| options.stages.local.preaccumulate.is_some(),
    concerns: |_| true,
    passes: preaccumulate::list,
    verify: None,
    run: |doc, choices, observer| {
        let directions = choices.options.tangent.directions.unwrap_or(1);
        choices.options.stages.local.apply(doc, Some(directions), choices.known(), observer)
    },
};

/// Local Jacobians, between the canonical form and the recording of adjoints.
const FOR_ADJOINTS: Stage = Stage {
    run: |doc, choices, observer| {
        choices.options.stages.local.apply(doc, None, choices.known(), observer)
    },
    ..FOR_TANGENTS
};

/// From there to the program with its tangents.
pub(crate) const TANGENT: &[Stage] = &[
    CANONICALIZE,
    FOR_TANGENTS,
    Stage {
        about: &About {
            name: "xaif-tangent",
            need: Need::Required,
            summary: "Writes tangents of all active procedures:",
            reads: "facts of activity",
            writes: "procedures",
            source: "",
        },
        wanted: |_| true,
        concerns: |_| true,
        passes: tangent::list,
        verify: None,
        run: |doc, choices, observer| choices.options.tangent.apply(doc, choices.known(), observer),
    },
];

/// From there to the program with its adjoints.
pub(crate) const ADJOINT: &[Stage] = &[
    Stage {
        about: &About { name: "xaif-checkpoint", ..checkpoint::ABOUT },
        wanted: |_| true,
        concerns: checkpoint::is_asked,
        passes: Vec::new,
        verify: None,
        run: checkpointed,
    },
    Stage { run: |doc, _, _| CanonicalizeArgs { constructs: true }.apply(doc), ..CANONICALIZE },
    FOR_ADJOINTS,
    Stage {
        about: &About {
            name: "xaif-liveness",
            need: Need::Optimisation,
            summary: "Finds statements whose results no adjoint reads.",
            reads: "facts of activity, side effects",
            writes: "live statements",
            source: "paper 5, 4.4.1",
        },
        wanted: |_| true,
        concerns: |_| true,
        passes: Vec::new,
        verify: None,
        run: |doc, choices, _| {
            let AdjointArgs { liveness, modes, .. } = &choices.options.adjoint;
            liveness.apply(doc, &choices.externals, &choices.rules, modes);
            Ok(Diagnostics::new())
        },
    },
    Stage {
        about: &About {
            name: "xaif-recover",
            need: Need::Optimisation,
            summary: "Plans which values the backward sweep computes again instead of recording them.",
            reads: "facts of activity, side effects, recorded values",
            writes: "bodies",
            source: "Hascoet and Pascual 2013, 4.5",
        },
        // Without TBR analysis everything is recorded.
        wanted: |options| !options.selection.without.contains("xaif-tbr"),
        concerns: |_| true,
        passes: Vec::new,
        verify: None,
        run: |doc, choices, _| {
            let AdjointArgs { recover, modes, .. } = &choices.options.adjoint;
            recover.apply(doc, &choices.externals, &choices.rules, modes);
            Ok(Diagnostics::new())
        },
    },
    Stage {
        about: &About {
            name: "xaif-tbr",
            need: Need::Optimisation,
            summary: "Finds the values that the backward sweep needs: only these are recorded.",
            reads: "facts of activity, side effects",
            writes: "recorded values",
            source: "paper 1, 5",
        },
        wanted: |_| true,
        concerns: |_| true,
        passes: Vec::new,
        verify: None,
        run: |doc, choices, _| {
            let AdjointArgs { tbr, modes, .. } = &choices.options.adjoint;
            Ok(tbr.apply(doc, &choices.externals, &choices.rules, modes))
        },
    },
    Stage {
        about: &About {
            name: "xaif-reverse",
            need: Need::Required,
            summary: "Writes adjoints of all active procedures:",
            reads: "facts of activity, recorded values",
            writes: "procedures",
            source: "",
        },
        wanted: |_| true,
        concerns: |_| true,
        passes: adjoint::list,
        verify: Some(|doc, choices| {
            choices.options.adjoint.reverse.verify(doc, &choices.externals)
        }),
        run: |doc, choices, observer| {
            let AdjointArgs { reverse, modes, .. } = &choices.options.adjoint;
            reverse.apply(doc, choices.known(), modes, observer)
        },
    },
];

/// Makes procedures of bodies of loops, where the program asks for it. Facts are found again then.
fn checkpointed(
    doc: &mut Document,
    choices: &Choices<'_>,
    observer: &mut dyn Observer,
) -> Result<Diagnostics, Diagnostics> {
    let warnings = CheckpointArgs {}.apply(doc)?;
    for stage in PREPARE.iter().filter(|stage| (stage.wanted)(choices.options)) {
        // Its warnings are told already.
        (stage.run)(doc, choices, observer)?;
    }
    Ok(warnings)
}

/// The passes of stages, those within a stage behind it.
pub(crate) fn rows<'s>(stages: impl IntoIterator<Item = &'s Stage>) -> Vec<Row> {
    let row = |stage: &Stage| {
        let inner = (stage.passes)().into_iter().map(|row| Row { depth: row.depth + 1, ..row });
        std::iter::once(Row { about: stage.about, depth: 0 }).chain(inner).collect::<Vec<_>>()
    };
    stages.into_iter().flat_map(row).collect()
}

/// The options of the stages that every derivative begins with.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "What is differentiated"))]
pub(crate) struct StageArgs {
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) activity: ActivityArgs,
    /// Skip the activity analysis: every real and complex variable is active
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["head", "independent", "dependent"]))]
    pub(crate) no_activity: bool,
    /// Refuse a derivative that needs PRIVATE entities of a module; else a copy of the module's source has them PUBLIC
    #[cfg_attr(feature = "cli", arg(long))]
    pub(crate) closed: bool,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) externals: ExternalsArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) side_effects: SideEffectsArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) catalogue: CatalogueArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) local: LocalArgs,
}

/// The options of the stages that only an adjoint has.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub(crate) struct AdjointArgs {
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) liveness: LivenessArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) recover: RecoverArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) tbr: TbrArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) reverse: ReverseArgs,
    #[cfg_attr(feature = "cli", command(flatten))]
    pub(crate) modes: ModesArgs,
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
    /// The passes that are executed.
    pub(crate) selection: Selection,
}

impl Options {
    /// The same where the tangent computes an interval of validity: the derivatives of what conditions compare are wanted,
    /// and names end with `_dv`.
    pub(crate) fn with_validity(mut self) -> Self {
        if self.tangent.validity {
            self.stages.activity.tests = true;
            if self.tangent.suffix_procedure == TangentArgs::default().suffix_procedure {
                self.tangent.suffix_procedure = "_dv".into();
            }
        }
        self
    }
}

/// What is kept of a run beside its result.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Passes"))]
pub(crate) struct KeepArgs {
    /// Write the document behind each stage into DIR, as 1-f2xaif.xaif, and behind each pass of a stage into
    /// a folder of the stage
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR"))]
    pub(crate) save_stages: Option<PathBuf>,
    /// Print the time that each stage and each of its passes takes, and the size of the document behind it
    #[cfg_attr(feature = "cli", arg(long))]
    pub(crate) timings: bool,
}

/// A run of the pipeline.
pub(crate) struct Run<'c> {
    /// Where messages go.
    pub(crate) console: &'c mut Console,
    /// The messages so far: a stage that is applied twice repeats its own.
    told: Diagnostics,
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
    /// Whether it is a pass within the stage before it.
    within: bool,
}

/// Sees the document behind each pass of a stage.
struct Watch {
    verify: bool,
    /// Where documents are written.
    folder: Option<PathBuf>,
    laps: Vec<Lap>,
    /// The time that verification and writing took.
    spent: Duration,
}

impl Watch {
    fn new(verify: bool, folder: Option<PathBuf>) -> Self {
        Watch { verify, folder, laps: Vec::new(), spent: Duration::ZERO }
    }

    fn look(&self, name: &str, doc: &Document) -> Result<Option<usize>, Diagnostics> {
        if self.verify {
            verified(name, doc)?;
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        let mut bytes = Vec::new();
        xml::write(doc, &mut bytes).map_err(|error| cli::cannot_write("the document", &error))?;
        let size = bytes.len();
        let path = folder.join(format!("{:02}-{name}.xaif", self.laps.len() + 1));
        cli::write_files(&[(path, bytes)])?;
        Ok(Some(size))
    }
}

impl Observer for Watch {
    fn after(
        &mut self,
        about: &'static About,
        time: Duration,
        doc: Option<&Document>,
    ) -> Result<(), Diagnostics> {
        let start = Instant::now();
        let bytes = match doc {
            Some(doc) => self.look(about.name, doc)?,
            None => None,
        };
        self.laps.push(Lap { stage: about.name.into(), time, bytes, within: true });
        self.spent += start.elapsed();
        Ok(())
    }
}

impl<'c> Run<'c> {
    /// A run that reports to `console`.
    pub(crate) fn new(console: &'c mut Console, keep: &'c KeepArgs) -> Self {
        let clock = keep.timings.then(Vec::new);
        let told = Diagnostics::new();
        Run { console, told, save: keep.save_stages.as_deref(), clock, stages: 0 }
    }

    /// Reports those of `found` that are new.
    fn report(&mut self, found: Diagnostics) {
        let before = self.told.len();
        self.told.extend(found);
        let new: Diagnostics = self.told.iter().skip(before).cloned().collect();
        self.console.report(&new);
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
            _ if files.iter().all(|file| is_c(file)) => {
                let options = c_frontend::Options {
                    include: source.include.clone(),
                    define: source.define.clone(),
                    undefine: source.undefine.clone(),
                };
                ("c2xaif", c_frontend::c2xaif(files, &options, self.console))
            }
            _ if files.iter().any(|file| is_c(file)) => {
                let message = "files of C cannot be read together with files of Fortran";
                return Err([Diagnostic::error(Code::MIXED_INPUT, None, message)
                    .with_help("differentiate the parts of each language by themselves")]
                .into_iter()
                .collect());
            }
            _ => ("f2xaif", f2xaif(files, source, self.console)),
        };
        if let Some(doc) = &doc {
            self.lap(name, start.elapsed(), doc)?;
        }
        Ok(doc)
    }

    /// The document that texts of Fortran hold, each with the name of its file. `None` if there are errors in them,
    /// which have been reported then.
    pub(crate) fn read_texts(
        &mut self,
        texts: &[(&str, &str)],
        source: &SourceArgs,
    ) -> Result<Option<Document>, Diagnostics> {
        let start = Instant::now();
        let doc = f2xaif_texts(texts, source, self.console);
        if let Some(doc) = &doc {
            self.lap("f2xaif", start.elapsed(), doc)?;
        }
        Ok(doc)
    }

    /// Applies those of `stages` to `doc` that are wanted.
    pub(crate) fn apply(
        &mut self,
        stages: &[Stage],
        doc: &mut Document,
        options: &Options,
    ) -> Result<End, Diagnostics> {
        let args = &options.stages;
        let externals = args.externals.read(|path| self.console.read_text(path))?;
        let (rules, warnings) = args.catalogue.read(|path| self.console.read_text(path))?;
        self.report(warnings);
        let selection = options.selection.clone();
        let choices = Choices { options, externals, rules, selection };
        for stage in stages.iter().filter(|stage| (stage.wanted)(options)) {
            if choices.selection.wants(stage.about) && (stage.concerns)(doc) {
                self.stage(stage, doc, &choices)?;
            }
            let inner = rows([stage]);
            if inner.iter().any(|row| choices.selection.stops_behind(row.about)) {
                return Ok(End::Stopped);
            }
        }
        Ok(End::Finished)
    }

    fn stage(
        &mut self,
        stage: &Stage,
        doc: &mut Document,
        choices: &Choices<'_>,
    ) -> Result<(), Diagnostics> {
        let name = stage.about.name;
        let folder = self.save.map(|folder| folder.join(format!("{}-{name}", self.stages + 1)));
        let mut watch = Watch::new(self.console.verifies_passes(), folder);
        let start = Instant::now();
        let warnings = (stage.run)(doc, choices, &mut watch)?;
        let time = start.elapsed().saturating_sub(watch.spent);
        self.report(warnings);
        self.lap(name, time, doc)?;
        // Where a pass stops the stage, its document is not finished.
        let is_whole = !rows([stage]).iter().any(|row| choices.selection.stops_behind(row.about));
        if let Some(verify) = stage.verify.filter(|_| is_whole && self.console.verifies()) {
            verify(doc, choices)?;
        }
        if let Some(clock) = &mut self.clock {
            clock.extend(watch.laps);
        }
        Ok(())
    }

    /// Applies what is no stage of a list to `doc`.
    pub(crate) fn timed_on<T>(
        &mut self,
        name: &str,
        doc: &mut Document,
        work: impl FnOnce(&mut Document) -> T,
    ) -> Result<T, Diagnostics> {
        let start = Instant::now();
        let result = work(doc);
        self.lap(name, start.elapsed(), doc)?;
        Ok(result)
    }

    /// Times what is no stage of the list.
    pub(crate) fn timed<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        if let Some(clock) = &mut self.clock {
            clock.push(Lap {
                stage: name.into(),
                time: start.elapsed(),
                bytes: None,
                within: false,
            });
        }
        result
    }

    /// What is done behind each stage.
    fn lap(&mut self, name: &str, time: Duration, doc: &Document) -> Result<(), Diagnostics> {
        self.stages += 1;
        if self.save.is_none() && self.clock.is_none() && !self.console.verifies() {
            return Ok(());
        }
        self.console.verify_document(doc)?;
        let failed = |error: io::Error| cli::cannot_write("the document", &error);
        let saved = match self.save {
            Some(folder) => Some((folder, xml::to_string(doc).map_err(failed)?)),
            None => None,
        };
        if let Some(clock) = &mut self.clock {
            let bytes = match &saved {
                Some((_, text)) => text.len(),
                None => {
                    let mut counter = Counter(0);
                    xml::write(doc, &mut counter).map_err(failed)?;
                    counter.0
                }
            };
            clock.push(Lap { stage: name.into(), time, bytes: Some(bytes), within: false });
        }
        let Some((folder, text)) = saved else { return Ok(()) };
        let path = folder.join(format!("{}-{name}.xaif", self.stages));
        cli::write_files(&[(path, text.into_bytes())])
    }

    /// The table of times, where it is wanted.
    pub(crate) fn timings(&self) -> Option<String> {
        let laps = self.clock.as_ref()?;
        let mut text = format!("{:<26}{:>12}{:>16}\n", "stage", "time [s]", "document [MB]");
        for lap in laps {
            let size = lap.bytes.map(|bytes| format!("{:.3}", bytes as f64 / 1e6));
            let time = lap.time.as_secs_f64();
            let name = format!("{}{}", if lap.within { "  " } else { "" }, lap.stage);
            let line = format!("{name:<26}{time:>12.4}{:>16}", size.unwrap_or_default());
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let all: Duration = laps.iter().filter(|lap| !lap.within).map(|lap| lap.time).sum();
        let _ = writeln!(text, "{:<26}{:>12.4}", "all", all.as_secs_f64());
        Some(text)
    }
}

/// Whether `file` is an XAIF document, by its name.
pub(crate) fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c")
}

/// Whether a file is a document.
pub(crate) fn is_document(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xaif"))
}

/// Counts the bytes of a document.
struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
