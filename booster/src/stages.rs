//! The stages as a command line has them: their options, and what they leave in the history of the
//! document.
//!
//! Each binary flattens one of these structs, the driver all of them: so a stage cannot mean one
//! thing in a pipe and another in the driver. No stage is implemented here, and no file is read.

use std::path::PathBuf;
use std::time::Duration;

use elimination::{Begun, Chain, Choice, Graph, ReadError, Technique};
use xaif_schema::cli::Console;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{Document, StageRun};
use xaif_schema::xml::catalogue::read_catalogue;

use booster_adjoint as adjoint;
use booster_adjoint::{liveness, tbr};
use booster_canonical::canonicalize;
use booster_checkpoint::checkpoint;
use booster_facts::externals::Externals;
use booster_facts::side_effects::{self, SideEffects};
use booster_facts::{Accesses, Bodies, Storage, activity, no_alias, no_return, snapshots};
use booster_passes::{Observer, Row, Selection};
use booster_preaccumulate as preaccumulate;
use booster_rules::Catalogue;
use booster_shadow::open::open;
use booster_tangent as tangent;

/// What is told of procedures whose source is not given.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Procedures without source, intrinsics"))]
pub struct ExternalsArgs {
    /// Effects of procedures whose source is not given (docs/externals.md)
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub externals: Vec<PathBuf>,
}

impl ExternalsArgs {
    /// The specifications of all files. `read` gives the text of a file.
    pub fn read(
        &self,
        mut read: impl FnMut(&str) -> Result<String, Diagnostics>,
    ) -> Result<Externals, Diagnostics> {
        let mut externals = Externals::new();
        for path in &self.externals {
            let path = path.to_string_lossy();
            externals.extend(Externals::parse(&path, &read(&path)?)?);
        }
        Ok(externals)
    }

    fn shown(&self) -> Vec<String> {
        self.externals.iter().map(|path| format!("--externals={}", path.display())).collect()
    }
}

/// Options of `xaif-sideeffects`.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SideEffectsArgs {
    /// Promise that no two names share memory but those that the given sources associate: of all pointers and targets, or of X, M%X, T%C
    #[cfg_attr(feature = "cli", arg(long, value_name = "P,Q", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = ""))]
    pub no_alias: Option<Vec<String>>,
}

impl SideEffectsArgs {
    /// The stage: side effects, alias sets and chains, recorded in the document. `known` is what
    /// the files of `externals` say.
    /// The result are warnings.
    pub fn apply(
        &self,
        doc: &mut Document,
        externals: &ExternalsArgs,
        known: &Externals,
    ) -> Diagnostics {
        let warnings = self.promise(doc);
        no_return::mark(doc, known);
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let bodies = Bodies::new(&accesses);
        let effects = SideEffects::new(&accesses, &bodies, known);
        let facts = side_effects::record::Facts::new(&accesses, &bodies, known, &effects);
        facts.record(doc);
        let promised = self.no_alias.as_ref().map(|names| match names.join(",") {
            all if all.is_empty() => "--no-alias".to_owned(),
            named => format!("--no-alias={named}"),
        });
        let shown: Vec<String> = promised.into_iter().chain(externals.shown()).collect();
        note(doc, "xaif-sideeffects", &shown);
        warnings
    }

    /// Marks what the user promises of pointers.
    pub fn promise(&self, doc: &mut Document) -> Diagnostics {
        let Some(names) = &self.no_alias else { return Diagnostics::new() };
        let named: Vec<String> = names.iter().filter(|name| !name.is_empty()).cloned().collect();
        no_alias::promise(doc, &named)
    }
}

/// Options of `xaif-activity`.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "What is differentiated"))]
pub struct ActivityArgs {
    /// The procedures whose derivative is wanted: P, or M%P for one of a module
    #[cfg_attr(feature = "cli", arg(long, value_name = "P", value_delimiter = ','))]
    pub head: Vec<String>,
    /// The variables of the heads with respect to which: X, X%C, M%X, /BLOCK/X, P:X; else what
    /// directives in the source say
    #[cfg_attr(feature = "cli", arg(long, value_name = "A,B", value_delimiter = ','))]
    pub independent: Vec<String>,
    /// The variables of the heads whose derivatives are wanted; else what directives say
    #[cfg_attr(feature = "cli", arg(long, value_name = "C,D", value_delimiter = ','))]
    pub dependent: Vec<String>,
    /// What conditions compare counts as dependent: its derivatives are needed for the validity of a tangent
    #[cfg_attr(feature = "cli", arg(long, hide = true))]
    pub tests: bool,
}

impl ActivityArgs {
    /// The stage: activity analysis, recorded in the document. The result are warnings.
    /// `externals` is what is known of procedures whose bodies are not given.
    pub fn apply(
        &self,
        doc: &mut Document,
        externals: &Externals,
    ) -> Result<Diagnostics, Diagnostics> {
        let warnings = activity::activity(doc, &self.options(), externals)?;
        self.note(doc);
        Ok(warnings)
    }

    /// The choice that they make.
    pub fn options(&self) -> activity::Options {
        activity::Options {
            heads: self.head.clone(),
            independent: self.independent.clone(),
            dependent: self.dependent.clone(),
            tests: self.tests,
        }
    }

    /// Appends the stage to the history of a document.
    pub fn note(&self, doc: &mut Document) {
        let list = |name: &str, list: &[String]| match list {
            [] => String::new(),
            [_, ..] => format!("--{name}={}", list.join(",")),
        };
        let shown = [
            list("head", &self.head),
            list("independent", &self.independent),
            list("dependent", &self.dependent),
        ];
        note(doc, "xaif-activity", &shown);
    }
}

/// Options of `xaif-canonicalize`.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Options"))]
pub struct CanonicalizeArgs {
    /// Also write constructs that do several things at once as statements, loops and branches, as an
    /// adjoint needs it: BLOCK, ASSOCIATE, DO CONCURRENT, FORALL, WHERE with several assignments
    #[cfg_attr(feature = "cli", arg(long))]
    pub constructs: bool,
}

impl CanonicalizeArgs {
    /// The stage: the same program in canonical form. The result are warnings.
    pub fn apply(&self, doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
        let warnings = match self.constructs {
            true => adjoint::prepare::prepare(doc)?,
            false => canonicalize(doc)?,
        };
        let shown = if self.constructs { "--constructs" } else { "" };
        note(doc, "xaif-canonicalize", &[shown.to_owned()]);
        Ok(warnings)
    }
}

/// How Jacobians are accumulated: options of `xaif-preaccumulate` and `xaif-dot` for graphs and documents.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(group(clap::ArgGroup::new("searches").args(["anneal", "best"]).multiple(true))))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Elimination"))]
pub struct EliminationArgs {
    /// What is eliminated at a time; with --best and --report the only technique that is tried
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub technique: Option<How>,
    /// Filters on what can be eliminated, in the order of their application (docs/elimination.md)
    #[cfg_attr(feature = "cli", arg(long, value_name = "CHAIN", value_parser = chain))]
    pub heuristic: Option<Chain>,
    /// Search by simulated annealing, by this many moves for each technique and seed
    #[cfg_attr(feature = "cli", arg(long, value_name = "MOVES"))]
    pub anneal: Option<u64>,
    /// Where the random numbers of the search begin
    #[cfg_attr(feature = "cli", arg(long, value_name = "SEED", requires = "searches"))]
    pub seed: Option<u64>,
    /// Search for the optimum among vertex and edge eliminations, through at most this many states
    #[cfg_attr(feature = "cli", arg(long, value_name = "STATES", num_args = 0..=1, require_equals = true, default_missing_value = "20000"))]
    pub exact: Option<usize>,
    /// Try every heuristic with every technique, search, and keep the cheapest
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "heuristic"))]
    pub best: bool,
    /// Begin no member of the portfolio of --best after so many seconds; what is begun is finished. The output, and
    /// the history of a document, say how many were begun, and --members gives the same without a clock
    #[cfg_attr(feature = "cli", arg(long, value_name = "SECONDS", value_parser = seconds, requires = "best"))]
    pub budget: Option<Duration>,
    /// Try only the first N members of the portfolio of --best, on each graph
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", requires = "best", conflicts_with = "budget")
    )]
    pub members: Option<usize>,
}

#[cfg(feature = "cli")]
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

/// What is eliminated at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum How {
    /// Whole vertices
    Vertex,
    /// Edges, at their front or back
    Edge,
    /// Faces: one product at a time
    Face,
}

impl From<How> for Technique {
    fn from(how: How) -> Technique {
        match how {
            How::Vertex => Technique::Vertex,
            How::Edge => Technique::Edge,
            How::Face => Technique::Face,
        }
    }
}

#[cfg(feature = "cli")]
fn chain(text: &str) -> Result<Chain, String> {
    text.parse().map_err(|error: elimination::ChainError| error.to_string())
}

/// The graph that `text` of `file` is, with its name.
pub fn read_graph(file: &str, text: &str) -> Result<(String, Graph), Diagnostics> {
    Graph::from_json(text).map_err(|ReadError { message, line, column }| {
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let spot = Spot::new(file, number(line), number(column));
        let diagnostic = Diagnostic::error(Code::NO_GRAPH, Some(spot), message)
            .with_help("the form is told in docs/elimination.md");
        [diagnostic].into_iter().collect()
    })
}

impl EliminationArgs {
    /// The choice that they make.
    pub fn choice(&self) -> Choice {
        Choice {
            technique: self.technique.map(Technique::from),
            heuristic: self.heuristic.clone(),
            anneal: self.anneal,
            seed: self.seed.unwrap_or(1),
            exact: self.exact,
            best: self.best,
            budget: self.budget,
            members: self.members,
            ..Choice::default()
        }
    }

    /// The options, for the history of a document: instead of a budget what has come of it.
    fn shown(&self, begun: Begun) -> Vec<String> {
        let Begun { members, stopped } = begun;
        let within_budget = (self.budget.is_some() && stopped).then_some(members);
        let word = |name: &str, value: Option<String>| {
            value.map(|value| format!("--{name}={value}")).unwrap_or_default()
        };
        let flag =
            |name: &str, given: bool| if given { format!("--{name}") } else { String::new() };
        let technique = self.technique.map(|how| Technique::from(how).name().to_owned());
        vec![
            word("technique", technique),
            word("heuristic", self.heuristic.as_ref().map(Chain::to_string)),
            word("anneal", self.anneal.map(|moves| moves.to_string())),
            word("seed", self.seed.map(|seed| seed.to_string())),
            word("exact", self.exact.map(|states| states.to_string())),
            flag("best", self.best),
            word("members", self.members.or(within_budget).map(|count| count.to_string())),
        ]
    }
}

/// Options of `xaif-preaccumulate` for documents.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Local Jacobians"))]
pub struct PreaccumulateArgs {
    /// Eliminate and reroute only as far as fewer values stand for the Jacobian
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["technique", "heuristic", "anneal", "exact", "best"]))]
    pub scarce: bool,
    /// Write a table of what was tried and what it costs; for a document to standard error, each run
    /// of assignments with every technique and heuristic
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "scarce"))]
    pub report: bool,
    /// Let each assignment have a Jacobian of its own
    #[cfg_attr(feature = "cli", arg(long))]
    pub per_statement: bool,
    /// Preaccumulate every block, even where the cost estimate advises against it
    #[cfg_attr(feature = "cli", arg(long))]
    pub always: bool,
    /// That tangents will be computed, in N directions: Jacobians pay the sooner. Without it an adjoint may come
    /// next, which records
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub directions: Option<u32>,
    /// What an adjoint records: the entries of Jacobians, or the operands from which the backward sweep
    /// accumulates them again
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub store: Stored,
    /// Give each partial derivative that is no constant a variable, also where it is the value of one
    #[cfg_attr(feature = "cli", arg(long))]
    pub name_partials: bool,
    /// Write the sequence of eliminations of each run of assignments and the accumulation expressions to
    /// standard error
    #[cfg_attr(feature = "cli", arg(long))]
    pub sequence: bool,
}

/// What an adjoint records of local Jacobians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Stored {
    /// Their entries
    #[default]
    Entries,
    /// What their accumulation reads
    Operands,
    /// For each run what costs less
    Auto,
}

impl PreaccumulateArgs {
    /// The choice that they make.
    pub fn options(
        &self,
        elimination: &EliminationArgs,
        externals: &Externals,
        catalogue: Catalogue,
    ) -> preaccumulate::Options {
        preaccumulate::Options {
            choice: Choice { scarce: self.scarce, ..elimination.choice() },
            per_statement: self.per_statement,
            always: self.always,
            store: match self.store {
                Stored::Entries => preaccumulate::Store::Entries,
                Stored::Operands => preaccumulate::Store::Operands,
                Stored::Auto => preaccumulate::Store::Auto,
            },
            directions: self.directions,
            named: self.name_partials,
            externals: externals.clone(),
            catalogue,
            selection: Selection::default(),
        }
    }

    /// The stage: the same program with local Jacobians of runs of assignments. The result are warnings
    /// and the report, if one is asked for.
    ///
    /// `observer` sees the document behind each pass.
    ///
    /// # Errors
    /// What cannot be brought into canonical form.
    pub fn apply(
        &self,
        doc: &mut Document,
        elimination: &EliminationArgs,
        known: Known<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(Diagnostics, String), Diagnostics> {
        let Known { externals, rules, selection } = known;
        let options = preaccumulate::Options {
            selection: selection.clone(),
            ..self.options(elimination, externals, rules.catalogue.clone())
        };
        let told = preaccumulate::Told { costs: self.report, steps: self.sequence };
        let preaccumulate::Done { warnings, report, begun } =
            preaccumulate::observed(doc, &options, told, observer)?;
        let flag =
            |name: &str, given: bool| if given { format!("--{name}") } else { String::new() };
        let own = [
            flag("scarce", self.scarce),
            flag("per-statement", self.per_statement),
            flag("always", self.always),
            self.directions.map_or(String::new(), |count| format!("--directions={count}")),
            flag("store=operands", self.store == Stored::Operands),
            flag("store=auto", self.store == Stored::Auto),
            flag("name-partials", self.name_partials),
        ];
        let shown: Vec<String> =
            elimination.shown(begun).into_iter().chain(own).chain(rules.words.clone()).collect();
        note(doc, "xaif-preaccumulate", &shown);
        Ok((warnings, report))
    }
}

/// Whether the driver accumulates local Jacobians.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Local Jacobians"))]
pub struct LocalArgs {
    /// Accumulate local Jacobians of runs of assignments where that pays, by the heuristics of CHAIN
    /// (docs/elimination.md)
    #[cfg_attr(feature = "cli", arg(long, value_name = "CHAIN", num_args = 0..=1, require_equals = true, value_parser = chain))]
    pub preaccumulate: Option<Option<Chain>>,
    /// What is eliminated at a time in local Jacobians
    #[cfg_attr(feature = "cli", arg(long, value_enum, requires = "preaccumulate"))]
    pub technique: Option<How>,
    /// Preaccumulate every block, even where the cost estimate advises against it
    #[cfg_attr(feature = "cli", arg(long, requires = "preaccumulate"))]
    pub always: bool,
    /// What an adjoint records of local Jacobians
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, requires = "preaccumulate", default_value_t)
    )]
    pub store: Stored,
}

impl LocalArgs {
    /// The stage, if it is wanted, for tangents in so many directions, or for adjoints; the result are warnings.
    pub fn apply(
        &self,
        doc: &mut Document,
        directions: Option<u32>,
        known: Known<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Diagnostics, Diagnostics> {
        let Some(heuristic) = self.preaccumulate.clone() else { return Ok(Diagnostics::new()) };
        let technique = self.technique;
        let elimination = EliminationArgs { heuristic, technique, ..EliminationArgs::default() };
        let (store, always) = (self.store, self.always);
        let stage = PreaccumulateArgs { store, always, directions, ..PreaccumulateArgs::default() };
        Ok(stage.apply(doc, &elimination, known, observer)?.0)
    }
}

/// Options of `xaif-expose`.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct OpenArgs {}

impl OpenArgs {
    /// The stage: the same program with modules that hide nothing which derivatives need. The result
    /// are warnings.
    pub fn apply(&self, doc: &mut Document) -> Diagnostics {
        let warnings = open(doc);
        note(doc, "xaif-expose", &[]);
        warnings
    }
}

/// Options of `xaif-checkpoint`.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct CheckpointArgs {}

impl CheckpointArgs {
    /// The stage: bodies of loops with directives of checkpoints are procedures. The result are warnings.
    pub fn apply(&self, doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
        let warnings = checkpoint(doc)?;
        note(doc, "xaif-checkpoint", &[]);
        Ok(warnings)
    }
}

/// Which calls are split: options of `xaif-tbr` and `xaif-reverse`.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Calls in adjoints"))]
pub struct ModesArgs {
    /// Procedures whose calls are split: executed once, by a procedure that records; also where nobody
    /// calls them
    #[cfg_attr(feature = "cli", arg(long, value_name = "P,Q", value_delimiter = ','))]
    pub split: Vec<String>,
    /// Split all calls
    #[cfg_attr(feature = "cli", arg(long))]
    pub split_all: bool,
    /// Procedures whose calls are not split, where that is possible
    #[cfg_attr(feature = "cli", arg(long, value_name = "P,Q", value_delimiter = ','))]
    pub joint: Vec<String>,
    /// Split only the calls that must be split. By default, calls whose tape is no larger than their snapshot are
    /// split as well
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "split_all"))]
    pub joint_all: bool,
}

impl ModesArgs {
    /// The choice that they make.
    pub fn modes(&self) -> adjoint::Modes {
        adjoint::Modes {
            split: self.split.clone(),
            joint: self.joint.clone(),
            all: self.split_all,
            auto_split: !self.joint_all,
            disjoint: false,
        }
    }

    fn shown(&self) -> [String; 4] {
        let unless = |same: bool, word: String| if same { String::new() } else { word };
        [
            unless(self.split.is_empty(), format!("--split={}", self.split.join(","))),
            unless(!self.split_all, "--split-all".to_owned()),
            unless(self.joint.is_empty(), format!("--joint={}", self.joint.join(","))),
            unless(!self.joint_all, "--joint-all".to_owned()),
        ]
    }
}

/// Options of `xaif-liveness`: there are none but those of its calls.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct LivenessArgs {}

impl LivenessArgs {
    /// The stage: the statements that the forward sweep of an adjoint needs, written into the document.
    ///
    /// `modes` are the call modes: the same as for `xaif-tbr` and `xaif-reverse`.
    pub fn apply(
        &self,
        doc: &mut Document,
        externals: &Externals,
        rules: &Rules,
        modes: &ModesArgs,
    ) {
        liveness::liveness(doc, externals, &rules.catalogue, &modes.modes());
        let shown: Vec<String> = modes.shown().into_iter().chain(rules.words.clone()).collect();
        note(doc, "xaif-liveness", &shown);
    }
}

/// Options of `xaif-recover`: there are none but those of its calls.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct RecoverArgs {}

impl RecoverArgs {
    /// The stage: recomputations of values that an adjoint would record, written into the document. Returns their
    /// number.
    ///
    /// `modes` are the call modes: the same as for `xaif-tbr` and `xaif-reverse`.
    pub fn apply(
        &self,
        doc: &mut Document,
        externals: &Externals,
        rules: &Rules,
        modes: &ModesArgs,
    ) -> usize {
        let count = adjoint::plan_recomputation(doc, externals, &rules.catalogue, &modes.modes());
        let shown: Vec<String> = modes.shown().into_iter().chain(rules.words.clone()).collect();
        note(doc, "xaif-recover", &shown);
        count
    }
}

/// Options of `xaif-tbr`: there are none yet but those of its calls.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct TbrArgs {}

impl TbrArgs {
    /// The stage: what an adjoint must record, written into the document.
    ///
    /// `externals` is what is known of procedures whose bodies are not given, `rules` how intrinsics
    /// are differentiated, `modes` which calls are split: the same as for the stage that makes the
    /// adjoint. The result is a note of pointers.
    pub fn apply(
        &self,
        doc: &mut Document,
        externals: &Externals,
        rules: &Rules,
        modes: &ModesArgs,
    ) -> Diagnostics {
        tbr::tbr(doc, externals, &rules.catalogue, &modes.modes());
        self.note(doc, rules, modes);
        tbr::open_pointers(doc).into_iter().collect()
    }

    /// Appends the stage to the history of a document.
    pub fn note(&self, doc: &mut Document, rules: &Rules, modes: &ModesArgs) {
        let shown: Vec<String> = modes.shown().into_iter().chain(rules.words.clone()).collect();
        note(doc, "xaif-tbr", &shown);
    }
}

/// Options of `xaif-tangent`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Tangents"))]
pub struct TangentArgs {
    /// Compute derivatives in N directions at once: they have a leading dimension of N
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    pub directions: Option<u32>,
    /// Suffix of the names of derivative variables
    #[cfg_attr(feature = "cli", arg(long, value_name = "SUFFIX", default_value = "d"))]
    pub suffix_variable: String,
    /// Suffix of the names of derivative procedures, modules and COMMON blocks
    #[cfg_attr(feature = "cli", arg(long, value_name = "SUFFIX", default_value = "_d"))]
    pub suffix_procedure: String,
    /// Compute in which interval along the direction no condition changes sides: NAME_dv.f90 with procedures P_dv
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "directions"))]
    pub validity: bool,
}

/// The choice of rules by which intrinsics are differentiated.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Procedures without source, intrinsics"))]
pub struct CatalogueArgs {
    /// Derivatives of intrinsics beside or instead of the built-in ones: a catalogue in XAIF's form
    /// (docs/intrinsics.md)
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub intrinsics: Vec<PathBuf>,
}

/// Rules with the files that they come from.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The rules.
    pub catalogue: Catalogue,
    /// The options that chose them, for the history of documents.
    words: Vec<String>,
}

/// What a stage is told beside its own options.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The specifications of procedures whose source is not given.
    pub externals: &'a Externals,
    /// The rules by which intrinsics are differentiated.
    pub rules: &'a Rules,
    /// The passes that are executed.
    pub selection: &'a Selection,
}

impl Known<'_> {
    /// The words of the history that say which passes were left out.
    fn shown(&self, rows: &[Row]) -> String {
        let left = |name: &&String| rows.iter().any(|row| row.about.name == **name);
        let left: Vec<&str> =
            self.selection.without.iter().filter(left).map(String::as_str).collect();
        if left.is_empty() { String::new() } else { format!("--without={}", left.join(",")) }
    }
}

impl CatalogueArgs {
    /// The built-in catalogue with what the files of `--intrinsics` add; and warnings. `read` gives
    /// the text of a file.
    pub fn read(
        &self,
        mut read: impl FnMut(&str) -> Result<String, Diagnostics>,
    ) -> Result<(Rules, Diagnostics), Diagnostics> {
        let mut catalogue = Catalogue::standard();
        let mut warnings = Diagnostics::new();
        for path in &self.intrinsics {
            let path = path.to_string_lossy();
            let user = read_catalogue(read(&path)?.as_bytes(), &path)?;
            warnings.extend(catalogue.add_user(&user)?);
        }
        let word = |path: &PathBuf| format!("--intrinsics={}", path.display());
        let words = self.intrinsics.iter().map(word).collect();
        Ok((Rules { catalogue, words }, warnings))
    }
}

/// The specifications and the catalogue that the files of options give. The warnings are reported.
pub fn read_rules(
    externals: &ExternalsArgs,
    catalogue: &CatalogueArgs,
    console: &mut Console,
) -> Result<(Externals, Rules), Diagnostics> {
    let externals = externals.read(|path| console.read_text(path))?;
    let (rules, warnings) = catalogue.read(|path| console.read_text(path))?;
    console.report(&warnings);
    Ok((externals, rules))
}

impl Default for TangentArgs {
    fn default() -> Self {
        let tangent::Options { directions, suffix_variable, suffix_procedure, .. } =
            tangent::Options::default();
        TangentArgs { directions, suffix_variable, suffix_procedure, validity: false }
    }
}

impl TangentArgs {
    /// The stage: procedures that compute tangents, beside those of the document. The result are
    /// warnings.
    ///
    /// `observer` sees the document behind each pass.
    ///
    /// # Errors
    /// What cannot be differentiated, with its place.
    pub fn apply(
        &self,
        doc: &mut Document,
        known: Known<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Diagnostics, Diagnostics> {
        let Known { externals, rules, selection } = known;
        let options = tangent::Options {
            directions: self.directions,
            suffix_variable: self.suffix_variable.clone(),
            suffix_procedure: self.suffix_procedure.clone(),
            validity: self.validity,
            externals: externals.clone(),
            catalogue: rules.catalogue.clone(),
            selection: selection.clone(),
        };
        let warnings = tangent::observed(doc, &options, observer)?;
        let default = TangentArgs::default();
        let unless = |same: bool, word: String| if same { String::new() } else { word };
        let shown = [
            self.directions.map_or(String::new(), |count| format!("--directions={count}")),
            unless(
                self.suffix_variable == default.suffix_variable,
                format!("--suffix-variable={}", self.suffix_variable),
            ),
            unless(
                self.suffix_procedure == default.suffix_procedure,
                format!("--suffix-procedure={}", self.suffix_procedure),
            ),
        ];
        let left = known.shown(&tangent::list());
        let validity = unless(!self.validity, "--validity".to_owned());
        let shown: Vec<String> =
            shown.into_iter().chain([validity, left]).chain(rules.words.clone()).collect();
        note(doc, "xaif-tangent", &shown);
        Ok(warnings)
    }
}

/// Options of `xaif-reverse`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Adjoints"))]
pub struct ReverseArgs {
    /// Suffix of the names of adjoint variables
    #[cfg_attr(feature = "cli", arg(long, value_name = "SUFFIX", default_value = "b"))]
    pub adjoint_variable: String,
    /// Suffix of the names of adjoint procedures, modules and COMMON blocks
    #[cfg_attr(feature = "cli", arg(long, value_name = "SUFFIX", default_value = "_b"))]
    pub adjoint_procedure: String,
    /// Assume that arguments of one call that start at different elements of an array do not overlap, and that a
    /// variable that is passed twice is not overwritten
    #[cfg_attr(feature = "cli", arg(long))]
    pub disjoint: bool,
}

impl Default for ReverseArgs {
    fn default() -> Self {
        let adjoint::Options { suffix_variable, suffix_procedure, .. } =
            adjoint::Options::default();
        ReverseArgs {
            adjoint_variable: suffix_variable,
            adjoint_procedure: suffix_procedure,
            disjoint: false,
        }
    }
}

impl ReverseArgs {
    /// The stage: procedures that compute adjoints, beside those of the document. The result are
    /// warnings.
    ///
    /// `modes` are the call modes; `observer` sees the document behind each pass.
    ///
    /// # Errors
    /// What cannot be differentiated, with its place.
    pub fn apply(
        &self,
        doc: &mut Document,
        known: Known<'_>,
        modes: &ModesArgs,
        observer: &mut dyn Observer,
    ) -> Result<Diagnostics, Diagnostics> {
        let Known { externals, rules, selection } = known;
        let options = adjoint::Options {
            suffix_variable: self.adjoint_variable.clone(),
            suffix_procedure: self.adjoint_procedure.clone(),
            externals: externals.clone(),
            catalogue: rules.catalogue.clone(),
            modes: adjoint::Modes { disjoint: self.disjoint, ..modes.modes() },
            selection: selection.clone(),
        };
        let mut warnings = options.modes.check(doc)?;
        warnings.extend(adjoint::observed(doc, &options, observer)?);
        let left = known.shown(&adjoint::list());
        let default = ReverseArgs::default();
        let unless = |same: bool, word: String| if same { String::new() } else { word };
        let shown = [
            unless(
                self.adjoint_variable == default.adjoint_variable,
                format!("--adjoint-variable={}", self.adjoint_variable),
            ),
            unless(
                self.adjoint_procedure == default.adjoint_procedure,
                format!("--adjoint-procedure={}", self.adjoint_procedure),
            ),
            unless(!self.disjoint, "--disjoint".to_owned()),
        ];
        let shown: Vec<String> = shown
            .into_iter()
            .chain(modes.shown())
            .chain([left])
            .chain(rules.words.clone())
            .collect();
        note(doc, "xaif-reverse", &shown);
        Ok(warnings)
    }

    /// The verifier of the stage: that the snapshots of joint calls hold what they must.
    ///
    /// # Errors
    /// What a snapshot lacks.
    pub fn verify(&self, doc: &Document, externals: &Externals) -> Result<(), Diagnostics> {
        let found = snapshots::check(doc, externals);
        if found.has_errors() { Err(found) } else { Ok(()) }
    }
}

/// Appends a stage to the history; empty words are options that were not given.
fn note(doc: &mut Document, stage: &str, options: &[String]) {
    let words: Vec<&str> =
        options.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    doc.history.push(StageRun {
        stage: stage.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        options: words.join(" "),
    });
}
