//! The stages as a command line has them: their options, and what they leave in the history of the
//! document.
//!
//! Each binary flattens one of these structs, the driver all of them: so a stage cannot mean one
//! thing in a pipe and another in the driver. No stage is implemented here, and no file is read.

use std::path::PathBuf;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, StageRun};
use xaif_schema::xml::catalogue::read_catalogue;

use crate::analysis::side_effects::{self, SideEffects};
use crate::analysis::{Accesses, Bodies, Storage, activity};
use crate::externals::Externals;
use crate::rules::Catalogue;
use crate::transform::canonicalize::canonicalize;
use crate::transform::tangent;

/// What is told of procedures whose source is not given.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ExternalsArgs {
    /// What procedures do whose source is not given (docs/externals.md)
    #[arg(long, value_name = "FILE")]
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
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SideEffectsArgs {}

impl SideEffectsArgs {
    /// The stage: side effects, alias sets and chains, recorded in the document. `known` is what
    /// the files of `externals` say.
    pub fn apply(&self, doc: &mut Document, externals: &ExternalsArgs, known: &Externals) {
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let bodies = Bodies::new(&accesses);
        let effects = SideEffects::new(&accesses, &bodies, known);
        let facts = side_effects::record::Facts::new(&accesses, &bodies, known, &effects);
        facts.record(doc);
        note(doc, "xaif-sideeffects", &externals.shown());
    }
}

/// Options of `xaif-activity`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ActivityArgs {
    /// The procedures whose derivative is wanted: P, or M%P for one of a module
    #[arg(long, value_name = "P", value_delimiter = ',')]
    pub head: Vec<String>,
    /// The variables of the heads with respect to which: X, X%C, M%X, /BLOCK/X, P:X; else what
    /// directives in the source say
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub independent: Vec<String>,
    /// The variables of the heads whose derivatives are wanted; else what directives say
    #[arg(long, value_name = "C,D", value_delimiter = ',')]
    pub dependent: Vec<String>,
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

/// Options of `xaif-canonicalize`: there are none yet.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct CanonicalizeArgs {}

impl CanonicalizeArgs {
    /// The stage: the same program in canonical form. The result are warnings.
    pub fn apply(&self, doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
        let warnings = canonicalize(doc)?;
        note(doc, "xaif-canonicalize", &[]);
        Ok(warnings)
    }
}

/// Options of `xaif-tangent`.
#[derive(Clone, Debug, clap::Args)]
pub struct TangentArgs {
    /// Compute derivatives in N directions at once: they have a leading dimension of N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub directions: Option<u32>,
    /// What the names of derivative variables end with
    #[arg(long, value_name = "SUFFIX", default_value = "d")]
    pub suffix_variable: String,
    /// What the names of derivative procedures, modules and COMMON blocks end with
    #[arg(long, value_name = "SUFFIX", default_value = "_d")]
    pub suffix_procedure: String,
    /// Derivatives of intrinsics beside or instead of the built-in ones: a catalogue in XAIF's form
    /// (docs/intrinsics.md)
    #[arg(long, value_name = "FILE")]
    pub intrinsics: Vec<PathBuf>,
}

impl Default for TangentArgs {
    fn default() -> Self {
        let tangent::Options { directions, suffix_variable, suffix_procedure, .. } =
            tangent::Options::default();
        let intrinsics = Vec::new();
        TangentArgs { directions, suffix_variable, suffix_procedure, intrinsics }
    }
}

impl TangentArgs {
    /// The stage: procedures that compute tangents, beside those of the document. The result are
    /// warnings.
    ///
    /// `externals` is what is known of procedures whose bodies are not given, `catalogue` how
    /// intrinsics are differentiated ([`TangentArgs::catalogue`]).
    pub fn apply(
        &self,
        doc: &mut Document,
        externals: &Externals,
        catalogue: &Catalogue,
    ) -> Result<Diagnostics, Diagnostics> {
        let options = tangent::Options {
            directions: self.directions,
            suffix_variable: self.suffix_variable.clone(),
            suffix_procedure: self.suffix_procedure.clone(),
            externals: externals.clone(),
            catalogue: catalogue.clone(),
        };
        let warnings = tangent::tangent(doc, &options)?;
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
        let files = self.intrinsics.iter().map(|path| format!("--intrinsics={}", path.display()));
        let shown: Vec<String> = shown.into_iter().chain(files).collect();
        note(doc, "xaif-tangent", &shown);
        Ok(warnings)
    }

    /// The built-in catalogue with what the files of `--intrinsics` add; and warnings. `read` gives
    /// the text of a file.
    pub fn catalogue(
        &self,
        mut read: impl FnMut(&str) -> Result<String, Diagnostics>,
    ) -> Result<(Catalogue, Diagnostics), Diagnostics> {
        let mut catalogue = Catalogue::standard();
        let mut warnings = Diagnostics::new();
        for path in &self.intrinsics {
            let path = path.to_string_lossy();
            let user = read_catalogue(read(&path)?.as_bytes(), &path)?;
            warnings.extend(catalogue.add_user(&user)?);
        }
        Ok((catalogue, warnings))
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
