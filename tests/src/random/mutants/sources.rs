//! The project's own programs, each with what is called.

use std::path::{Path, PathBuf};

use booster_tests::{calls, sources_of_mode};
use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use xaif_booster::build::constant_integer;
use xaif_run::Given;
use xaif_schema::model::{Base, Dim, Document, ProcId};

use super::check::Input;
use crate::programs::workspace;

/// A program of the project.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What can be called.
    pub inputs: Vec<Input>,
}

impl Source {
    /// Its document; an error where the front end does not accept it.
    pub(crate) fn document(&self) -> Result<Document, String> {
        let fixed = self.text.starts_with('C') || self.name.ends_with(".f");
        let name = if fixed { "mutant.f" } else { "mutant.f90" };
        let translation = translate_texts(&[(name, &self.text)], &Options::default());
        match translation.diagnostics.has_errors() {
            true => Err(format!("{:?}", translation.diagnostics)),
            false => Ok(translation.document),
        }
    }
}

/// The programs of docs/gallery.
const GALLERY: &[(&str, &str)] = &[
    ("bench/kernels/bratu.f90", "bratu"),
    ("bench/kernels/burgers.f90", "burgers"),
    ("examples/adjoints/trajectory.f90", "range_of"),
];

/// All programs that can be executed alone.
pub fn all() -> Vec<Source> {
    let mut paths: Vec<PathBuf> = Vec::new();
    paths.extend(sources_of_mode("tangent"));
    paths.extend(booster_tests::sources("adjoint"));
    let with_calls = paths.iter().filter_map(|path| {
        let text = std::fs::read_to_string(path).ok()?;
        let inputs = calls(&text).into_iter();
        let inputs = inputs.map(|call| Input { head: call.procedure, values: call.values });
        Some(Source { name: name_of(path), inputs: inputs.collect(), text })
    });
    let cases = workspace().join("tests/cases");
    let mut found: Vec<Source> = with_calls.collect();
    found.extend(in_folder(&cases.join("names"), "p"));
    found.extend(in_folder(&cases.join("tangent"), "head"));
    found.extend(
        GALLERY.iter().filter_map(|(path, head)| called_by_kind(&workspace().join(path), head)),
    );
    found.retain(|source| !source.inputs.is_empty());
    found
}

fn in_folder(folder: &Path, head: &str) -> Vec<Source> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| called_by_kind(path, head)).collect()
}

fn name_of(path: &Path) -> String {
    let below = path.canonicalize().ok();
    let root = workspace().canonicalize().ok();
    let below = below.as_deref().zip(root.as_deref());
    let below = below.and_then(|(path, root)| path.strip_prefix(root).ok());
    below.unwrap_or(path).display().to_string()
}

/// A program whose head is called with values that its declarations admit.
fn called_by_kind(path: &Path, head: &str) -> Option<Source> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut source = Source { name: name_of(path), text, inputs: Vec::new() };
    let doc = source.document().ok()?;
    let mut named = doc.procs.iter().filter(|(_, proc)| doc.name(proc.symbol) == head);
    let (proc, _) = named.next()?;
    source
        .inputs
        .extend(values_by_kind(&doc, proc).map(|values| Input { head: head.into(), values }));
    Some(source)
}

/// Values for the arguments of a procedure, which are numbers or arrays of them.
fn values_by_kind(doc: &Document, proc: ProcId) -> Option<Vec<(String, Given)>> {
    let mut rng = fastrand::Rng::with_seed(7);
    let args = doc.procs[proc].args.iter();
    args.map(|arg| {
        let symbol = arg.symbol?;
        let decl = doc.symbols[symbol].decl.as_deref()?;
        let extents: Option<Vec<i64>> = decl.dims.iter().map(|dim| extent(doc, dim)).collect();
        // A single value fills an array whose extents an argument tells.
        let shape = extents.unwrap_or_default();
        let count = shape.iter().product::<i64>().clamp(1, 1000);
        let words = (0..count).map(|_| match decl.spec.base() {
            Base::Integer(_) => Some("3".to_owned()),
            Base::Real(_) => Some(format!("{:.3}", 0.3 + rng.f64() * 1.2)),
            _ => None,
        });
        let words = words.collect::<Option<Vec<String>>>()?;
        Some((doc.name(symbol).to_owned(), Given { shape, words }))
    })
    .collect()
}

fn extent(doc: &Document, dim: &Dim) -> Option<i64> {
    match *dim {
        Dim::Explicit { lower, upper } => {
            let lower = lower.map_or(Some(1), |lower| constant_integer(doc, lower))?;
            Some(constant_integer(doc, upper)? - lower + 1)
        }
        Dim::AssumedShape { .. } => Some(3),
        Dim::AssumedSize { .. } | Dim::Deferred | Dim::AssumedRank => None,
    }
}
