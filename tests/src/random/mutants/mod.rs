//! Mutants: the project's own programs with some random changes.
//!
//! A [`Mutation`] changes the document of a program; the back end prints it, and the front end reads
//! the text again before the next change, so a mutant is always a text. After each change the program is
//! executed: a change that makes an invalid program is taken back. The changes of a mutant are drawn
//! from its seed; each has a seed of its own, so that a mutant can be made without some of them.

mod aliases;
pub mod check;
mod declare;
mod derivative;
mod draft;
mod flow;
mod interfaces;
mod procedures;
mod reduce;
pub mod sources;
mod storage;
mod survey;
mod values;

use std::sync::OnceLock;

use xaif_schema::model::Document;

use check::{Input, is_valid, why_invalid};
use draft::Draft;
use sources::Source;

use super::check::{document, unparsed};

pub use reduce::reduce;
pub use survey::{TEXTS, WORD, check_text, show, work};

/// A change of a program.
pub struct Mutation {
    /// Its name.
    pub name: &'static str,
    /// Applies it somewhere; `None` where no place was found. What the document says beside what is
    /// printed need not be right afterwards.
    pub(crate) apply: fn(&mut Draft<'_>) -> Option<()>,
}

/// All changes.
pub fn mutations() -> impl Iterator<Item = &'static Mutation> {
    [
        values::MUTATIONS,
        storage::MUTATIONS,
        procedures::MUTATIONS,
        flow::MUTATIONS,
        interfaces::MUTATIONS,
        aliases::MUTATIONS,
    ]
    .into_iter()
    .flatten()
}

/// One change of a mutant.
#[derive(Clone)]
pub struct Step {
    /// Which change.
    pub mutation: &'static Mutation,
    /// What draws its place.
    pub seed: u64,
}

/// A program that was changed.
#[derive(Clone)]
pub struct Mutant {
    /// The seed that it is made from.
    pub seed: u64,
    /// The program that it is made of.
    pub source: &'static Source,
    /// The changes.
    pub steps: Vec<Step>,
    /// Its text.
    pub text: String,
    /// What is called.
    pub input: Input,
}

/// How many changes are tried for one that is wanted.
const ATTEMPTS: usize = 4;

/// The programs of the project.
pub fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(sources::all)
}

/// The program of a seed: the one whose name, together with the seed, has the largest hash. So a new program takes
/// the place of others for few seeds only.
fn source_of(seed: u64) -> Option<&'static Source> {
    let rank = |source: &&Source| {
        let bytes = source.name.bytes();
        let hash = bytes.fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        fastrand::Rng::with_seed(hash).u64(..)
    };
    sources().iter().max_by_key(rank)
}

impl Mutant {
    /// The first program that a change can be applied to, with that change.
    pub fn by(mutation: &'static Mutation) -> Option<Mutant> {
        let tries = sources().iter().enumerate().flat_map(|(at, source)| {
            (0..4).map(move |turn| (source, (turn * sources().len() + at) as u64))
        });
        let made = tries.filter_map(|(source, seed)| {
            let step = Step { mutation, seed };
            Mutant::with(seed, source, std::iter::once(step), 1).ok()
        });
        let mut made = made;
        made.find(|mutant| !mutant.steps.is_empty())
    }

    /// The mutant of a seed, with at most `most` changes; an error where the program itself cannot be
    /// executed.
    ///
    /// # Errors
    /// Why not.
    pub fn of(seed: u64, most: usize) -> Result<Mutant, String> {
        let source = source_of(seed).ok_or("there are no programs")?;
        let mut rng = fastrand::Rng::with_seed(seed);
        let wanted = rng.usize(1..=most.max(1));
        let all: Vec<&Mutation> = mutations().collect();
        let drawn = (0..wanted * ATTEMPTS)
            .map(|_| Step { mutation: all[rng.usize(..all.len())], seed: rng.u64(..) });
        Mutant::with(seed, source, drawn, wanted)
    }

    /// The mutant with some changes only.
    pub fn without(&self, step: usize) -> Option<Mutant> {
        let mut steps = self.steps.clone();
        steps.remove(step);
        let wanted = steps.len();
        Mutant::with(self.seed, self.source, steps.into_iter(), wanted).ok()
    }

    fn with(
        seed: u64,
        source: &'static Source,
        drawn: impl Iterator<Item = Step>,
        wanted: usize,
    ) -> Result<Mutant, String> {
        let at = seed as usize / 7 % source.inputs.len().max(1);
        let mut input = source.inputs.get(at).ok_or("nothing is called")?.clone();
        let mut doc = source.document()?;
        let mut text = unparsed(&doc).map_err(|found| found.to_string())?;
        let mut steps = Vec::new();
        if !is_valid(&doc, &input) {
            input = input.smaller(&doc);
        }
        if let Some(why) = why_invalid(&doc, &input) {
            return Err(format!("{}: {why}", source.name));
        }
        for step in drawn {
            if steps.len() == wanted {
                break;
            }
            if let Some((changed, new)) = changed(&doc, &step)
                && new != text
                && is_valid(&changed, &input)
            {
                (doc, text) = (changed, new);
                steps.push(step);
            }
        }
        Ok(Mutant { seed, source, steps, text, input })
    }

    /// The names of its changes.
    pub fn changes(&self) -> String {
        let names: Vec<&str> = self.steps.iter().map(|step| step.mutation.name).collect();
        names.join(", ")
    }

    /// The text with comments that tell how it was made.
    pub fn told(&self) -> String {
        let Mutant { seed, source, input, .. } = self;
        let (changes, call) = (self.changes(), input.told());
        format!("! seed {seed}: {}: {changes}\n{call}\n{}", source.name, self.text)
    }
}

/// What a change makes of a document: its text, read again.
pub(crate) fn changed(doc: &Document, step: &Step) -> Option<(Document, String)> {
    let mut doc = doc.clone();
    let mut rng = fastrand::Rng::with_seed(step.seed);
    (step.mutation.apply)(&mut Draft { doc: &mut doc, rng: &mut rng })?;
    let text = unparsed(&doc).ok()?;
    Some((document(&text).ok()?, text))
}
