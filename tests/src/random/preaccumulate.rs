//! Whether the local Jacobians of a program, made by the stage and executed, are what dual numbers give
//! for the program without them.

use elimination::{Chain, Choice, TECHNIQUES};
use xaif_booster::transform::preaccumulate::{Options, Store, preaccumulate};
use xaif_run::Mode;
use xaif_schema::diag::{Code, Severity};
use xaif_schema::model::Document;
use xaif_schema::verify::verify;

use super::check::{
    Failure, Inputs, Refusal, Verdict, agree, document, execute, failure, same_values, tangents,
    told,
};
use super::program::{HEAD, Program};
use super::tangent::{activity_facts, tolerance};

/// What the stage is told for the program of a seed: seeds in a row take all techniques with all
/// heuristics, and the rest in turns. It never asks whether it pays.
pub fn options(seed: u64) -> (Options, String) {
    let chains = Chain::portfolio();
    let at = |number: u64, count: usize| (number % count as u64) as usize;
    let technique = TECHNIQUES[at(seed, TECHNIQUES.len())];
    let chain = chains[at(seed / TECHNIQUES.len() as u64, chains.len())].clone();
    let mut name = format!("{} {chain}", technique.name());
    let mut choice =
        Choice { technique: Some(technique), heuristic: Some(chain), ..Choice::default() };
    if seed.is_multiple_of(5) {
        choice = Choice { scarce: true, ..Choice::default() };
        name = "scarce".into();
    }
    let per_statement = seed.is_multiple_of(7);
    if per_statement {
        name.push_str(", per statement");
    }
    let named = seed.is_multiple_of(3);
    let store = [Store::Entries, Store::Operands, Store::Auto][(seed % 3) as usize];
    (Options { choice, per_statement, named, store, always: true, ..Options::default() }, name)
}

/// The document with local Jacobians; what the stage says that refuses it.
fn accumulated(
    doc: &Document,
    options: &Options,
    step: &str,
) -> Result<Result<Document, Refusal>, Failure> {
    let mut doc = doc.clone();
    if let Err(found) = preaccumulate(&mut doc, options) {
        let errors = || found.iter().filter(|found| found.severity == Severity::Error);
        return match errors().next() {
            Some(first) if errors().all(|found| found.code == Code::CANNOT_HOIST) => {
                Ok(Err(Refusal::of(first)))
            }
            _ => failure(step, told(&found)),
        };
    }
    let found = verify(&doc);
    if found.is_empty() { Ok(Ok(doc)) } else { failure(format!("{step}, verifier"), told(&found)) }
}

/// The document behind the stage, executed with dual numbers, with and without facts of activity.
pub fn check_preaccumulation(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let inputs = Inputs::of(program, 0);
    let values = (inputs.values.as_slice(), inputs.direction.as_slice());
    let Some(before) = execute("dual numbers", &doc, HEAD, values, Mode::Tangent)? else {
        return Ok(Verdict::TooLong);
    };
    let mut analysed = doc.clone();
    let facts = activity_facts(&program.task(), &mut analysed).is_ok();
    let (options, name) = options(program.seed);
    let step = format!("preaccumulation by {name}");
    for doc in [Some(&doc), facts.then_some(&analysed)].into_iter().flatten() {
        let behind = match accumulated(doc, &options, &step)? {
            Ok(behind) => behind,
            Err(refusal) => return Ok(Verdict::Refused(refusal)),
        };
        let Some(found) = execute(&step, &behind, HEAD, values, Mode::Tangent)? else { continue };
        same_values(&step, &before.outputs, &found.outputs)?;
        let all = (tangents(&before.outputs), tangents(&found.outputs));
        agree(&step, &all.0, &all.1, tolerance(program))?;
    }
    Ok(Verdict::Agrees)
}
