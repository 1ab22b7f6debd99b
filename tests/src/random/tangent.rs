//! Whether the tangent of a program, made by the stages and executed, is what dual numbers give.

use fortran_backend::{Layout, unparse};
use xaif_booster::analysis::side_effects::{self, SideEffects};
use xaif_booster::analysis::{Accesses, Bodies, Storage, activity};
use xaif_booster::externals::Externals;
use xaif_booster::passes::{Need, Row, Selection};
use xaif_booster::transform::canonicalize::canonicalize;
use xaif_booster::transform::preaccumulate::preaccumulate;
use xaif_booster::transform::tangent::{self, Options};
use xaif_run::{Element, Mode, Output};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Severity};
use xaif_schema::model::Document;

use super::check::{
    Driver, Failure, Inputs, Named, PRIMAL, Refusal, Verdict, agree, all_that_is_not_refused,
    document, execute, execute_after, failure, same_values, same_when_compiled, tangents, told,
    unless_miscompiled,
};
use super::preaccumulate::options as local_options;
use super::program::{HEAD, MODULE, Program, Task, Ty};

/// The procedure with the derivative.
const DERIVATIVE: &str = "p_d";

/// Directions that are computed at once where several are.
const DIRECTIONS: u32 = 3;

/// The optional stages before the tangent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// `xaif-sideeffects`
    pub effects: bool,
    /// `xaif-activity`
    pub activity: bool,
    /// `xaif-canonicalize`
    pub canonical: bool,
    /// `xaif-preaccumulate`
    pub local: bool,
}

impl Stages {
    /// All of them.
    pub const ALL: Stages = Stages { effects: true, activity: true, canonical: true, local: false };

    /// All subsets of facts and form; half of them, each in two ways, with local Jacobians.
    pub fn subsets() -> impl Iterator<Item = Stages> {
        (0..8_u32).map(|bits| Stages {
            local: bits.count_ones().is_multiple_of(2),
            effects: bits & 4 != 0,
            activity: bits & 2 != 0,
            canonical: bits & 1 == 0,
        })
    }

    /// Half of the subsets: with local Jacobians for even seeds, without for odd seeds. Either half has all four
    /// pairs of any two other options.
    pub fn by_turns(seed: u64) -> impl Iterator<Item = Stages> {
        Stages::subsets().filter(move |stages| stages.local == seed.is_multiple_of(2))
    }

    /// What they are, for reports.
    pub fn name(self) -> String {
        let mut name = String::new();
        for (wanted, stage) in [
            (self.effects, "effects, "),
            (self.activity, "activity, "),
            (self.canonical, "canonical form, "),
            (self.local, "local Jacobians, "),
        ] {
            if wanted {
                name.push_str(stage);
            }
        }
        name + "tangent"
    }
}

/// What only the canonical form makes possible.
const NEEDS_CANONICAL: &[Code] =
    &[Code::MUST_STAND_ALONE, Code::CALL_INSIDE, Code::DERIVATIVE_REFUSED];

/// What stages may refuse: what must be computed before stands where no statement can stand.
const REFUSALS: &[Code] = &[Code::CANNOT_HOIST];

/// What they may refuse in several directions besides: elemental procedures that are called for
/// arrays, and whole components of arrays of structures.
const VECTOR_REFUSALS: &[Code] = &[Code::CANNOT_HOIST, Code::SEVERAL_DIRECTIONS];

/// The document with the derivative of the program and the warnings; what a stage says that refuses it.
pub(crate) fn differentiate(
    task: &Task,
    doc: &Document,
    stages: Stages,
    directions: Option<u32>,
) -> Result<Result<(Document, Diagnostics), Refusal>, Failure> {
    let mut doc = doc.clone();
    let mut warnings = Diagnostics::default();
    let (step, refusals) = match directions {
        Some(_) => (format!("{}, vector", stages.name()), VECTOR_REFUSALS),
        None => (stages.name(), REFUSALS),
    };
    if stages.effects {
        effects_facts(&mut doc);
    }
    if stages.activity {
        match activity_facts(task, &mut doc) {
            Ok(found) => warnings.extend(found),
            Err(found) => return refused(task, format!("{step}, activity"), &found, refusals),
        }
    }
    if stages.canonical
        && let Err(found) = canonicalize(&mut doc)
    {
        return refused(task, format!("{step}, canonical form"), &found, refusals);
    }
    if stages.local
        && let Err(found) = preaccumulate(&mut doc, &local_options(task.seed).0)
    {
        return refused(task, format!("{step}, local Jacobians"), &found, refusals);
    }
    let selection = left_out(task.seed, &tangent::list());
    let options = Options { directions, selection, ..Options::default() };
    match tangent::tangent(&mut doc, &options) {
        Ok(found) => {
            warnings.extend(found);
            Ok(Ok((doc, warnings)))
        }
        // Local Jacobians make the canonical form first.
        Err(found) if stages.canonical || stages.local => {
            refused(task, format!("{step} refuses"), &found, refusals)
        }
        Err(found) => {
            let known: Vec<Code> = refusals.iter().chain(NEEDS_CANONICAL).copied().collect();
            refused(task, format!("{step} refuses"), &found, &known)
        }
    }
}

/// Leaves out one optimisation of a list, or none: another one for each seed.
pub(crate) fn left_out(seed: u64, list: &[Row]) -> Selection {
    let abouts = list.iter().map(|row| row.about);
    let names: Vec<&str> =
        abouts.filter(|a| a.need == Need::Optimisation).map(|about| about.name).collect();
    let at = usize::try_from(seed).unwrap_or_default() % (names.len() + 1);
    Selection::without(names.get(at).copied())
}

/// Records side effects.
pub(crate) fn effects_facts(doc: &mut Document) {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let externals = Externals::new();
    let effects = SideEffects::new(&accesses, &bodies, &externals);
    let facts = side_effects::record::Facts::new(&accesses, &bodies, &externals, &effects);
    facts.record(doc);
}

/// Records what is active if all arguments of the head are independent and dependent.
pub(crate) fn activity_facts(task: &Task, doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    let options = activity::Options {
        heads: vec![task.head.clone()],
        independent: task.variables.clone(),
        dependent: task.variables.clone(),
        tests: false,
    };
    activity::activity(doc, &options, &Externals::new())
}

/// A refusal must have one of the `known` codes, or in some programs a place.
fn refused<T>(
    task: &Task,
    step: String,
    found: &Diagnostics,
    known: &[Code],
) -> Result<Result<T, Refusal>, Failure> {
    let errors = || found.iter().filter(|found| found.severity == Severity::Error);
    let accepted = |found: &Diagnostic| {
        known.contains(&found.code) || task.may_be_refused && found.spot.is_some()
    };
    match errors().next() {
        Some(first) if errors().all(accepted) => Ok(Err(Refusal::of(first))),
        Some(_) | None => failure(step, told(found)),
    }
}

/// The tolerance of a program.
pub(crate) fn tolerance(program: &Program) -> f64 {
    if program.mixed { 2e-4 } else { 1e-10 }
}

/// The tangent by every subset of the stages, executed, against dual numbers; the text of it,
/// translated again, the same. Of a program that is refused what is left without the statements that
/// are refused is looked at.
pub fn check_tangent(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, |program| tangent_once(program, Stages::subsets()))
}

/// The same with half of the subsets; the next seed takes the other half.
pub fn check_tangent_by_turns(program: &Program) -> Result<Verdict, Failure> {
    let by_turns = |program: &Program| tangent_once(program, Stages::by_turns(program.seed));
    all_that_is_not_refused(program, by_turns)
}

fn tangent_once(program: &Program, ways: impl Iterator<Item = Stages>) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let inputs = Inputs::of(program, 0);
    let dual = execute(PRIMAL, &doc, HEAD, (&inputs.values, &inputs.direction), Mode::Tangent)?;
    let Some(dual) = dual else { return Ok(Verdict::TooLong) };
    let mut again = Vec::new();
    for before in 1..program.calls {
        let both = (inputs.values.as_slice(), inputs.direction.as_slice());
        let dual = execute_after(before, PRIMAL, (&doc, HEAD), both, Mode::Tangent)?;
        again.extend(dual.map(|dual| (before, dual)));
    }
    for stages in ways {
        let (derived, warnings) = match differentiate(&program.task(), &doc, stages, None)? {
            Ok(derived) => derived,
            Err(_) if !stages.canonical && !stages.local => continue,
            Err(refusal) => return Ok(Verdict::Refused(refusal)),
        };
        let step = stages.name();
        compare(0, &step, program, &derived, &inputs, &dual.outputs)?;
        // Without activity facts the tangents of variables that outlive the head are never set to zero.
        let can_follow = warnings.iter().all(|found| found.code != Code::STATE_LEFT);
        for (before, dual) in again.iter().filter(|_| stages.activity && can_follow) {
            let step = format!("{step}, call {}", before + 1);
            compare(*before, &step, program, &derived, &inputs, &dual.outputs)?;
        }
        let text = format!("{}{}", program.source(), derivative_text(&derived)?);
        let step = format!("{step}, text");
        let again = match document(&text) {
            Ok(again) => again,
            Err(found) => return failure(step, format!("{found}\n{text}")),
        };
        compare(0, &step, program, &again, &inputs, &dual.outputs)?;
    }
    Ok(Verdict::Agrees)
}

/// What is added to the program, as text.
pub fn derivative_text(doc: &Document) -> Result<String, Failure> {
    match unparse(doc, Layout::OneText) {
        Ok(files) => Ok(files.into_iter().map(|(_, text)| text).collect()),
        Err(found) => failure("back end on the tangent", told(&found)),
    }
}

/// The name of the derivative of an argument.
fn derivative_name(name: &str) -> String {
    format!("{name}d")
}

fn compare(
    before: u32,
    step: &str,
    program: &Program,
    doc: &Document,
    inputs: &Inputs,
    dual: &[Output],
) -> Result<(), Failure> {
    let mut values: Vec<Named> = inputs.values.clone();
    let direction = inputs.direction.iter();
    values.extend(direction.map(|(name, given)| (derivative_name(name), given.clone())));
    let of = (doc, DERIVATIVE);
    let Some(plain) = execute_after(before, step, of, (&values, &[]), Mode::Value)? else {
        return Ok(());
    };
    same_values(step, dual, &plain.outputs)?;
    let mut found = Vec::new();
    for (name, ty, _) in program.args.iter().filter(|(_, ty, _)| *ty != Ty::Int) {
        let wanted = derivative_name(name);
        let Some(output) = plain.outputs.iter().find(|output| output.name == wanted) else {
            return failure(step, format!("{wanted} is no argument"));
        };
        let _ = ty;
        found.extend(output.elements.iter().enumerate().map(|(index, element)| match element {
            Element::Real(value, _) => (format!("{name}[{}]", index + 1), *value),
            _ => (name.clone(), f64::NAN),
        }));
    }
    agree(step, &tangents(dual), &found, tolerance(program))
}

/// The text of the tangent compiles without a warning, and prints what its document prints.
pub fn check_compiled_tangent(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, compiled_once)
}

fn compiled_once(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let derived = match differentiate(&program.task(), &doc, Stages::ALL, None)? {
        Ok((derived, _)) => derived,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    let inputs = Inputs::of(program, 0);
    if execute(PRIMAL, &doc, HEAD, (&inputs.values, &[]), Mode::Value)?.is_none() {
        return Ok(Verdict::TooLong);
    }
    let mut driver = Driver::new(program.calls);
    let mut directions = inputs.direction.iter();
    for ((name, ty, shape), (_, given)) in program.args.iter().zip(&inputs.values) {
        driver.argument(name, *ty, shape, given);
        if *ty != Ty::Int
            && let Some((_, given)) = directions.next()
        {
            driver.argument(&derivative_name(name), *ty, shape, given);
        }
    }
    let module = program.modular.then(|| format!("{MODULE}_d"));
    let text = format!(
        "{}{}{}",
        program.source(),
        derivative_text(&derived)?,
        driver.text(module.as_deref(), DERIVATIVE)
    );
    let agrees = same_when_compiled(&text, "tangent by gfortran", program.mixed);
    unless_miscompiled(program, agrees)
}

/// Several directions at once are what each of them is alone.
pub fn check_vector(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, vector_once)
}

fn vector_once(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    // Several directions need the canonical form.
    let bits = program.seed;
    let stages = Stages {
        effects: bits & 1 == 0,
        activity: bits & 2 == 0,
        canonical: true,
        local: bits.is_multiple_of(3),
    };
    let derived = match differentiate(&program.task(), &doc, stages, Some(DIRECTIONS))? {
        Ok((derived, _)) => derived,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    let base = Inputs::of(program, 0);
    let singles: Vec<Inputs> =
        (0..DIRECTIONS).map(|number| Inputs::of(program, u64::from(number))).collect();
    // A program that is none is no failure of its tangent.
    let mut duals = Vec::new();
    for single in &singles {
        let both = (single.values.as_slice(), single.direction.as_slice());
        let Some(dual) = execute(PRIMAL, &doc, HEAD, both, Mode::Tangent)? else {
            return Ok(Verdict::TooLong);
        };
        duals.push(dual);
    }
    let mut values = base.values.clone();
    for (index, (name, given)) in base.direction.iter().enumerate() {
        let mut all = given.clone();
        all.shape.insert(0, i64::from(DIRECTIONS));
        all.words.clear();
        for element in 0..given.words.len() {
            for single in &singles {
                all.words.push(single.direction[index].1.words[element].clone());
            }
        }
        values.push((derivative_name(name), all));
    }
    let step = format!("{}, vector", stages.name());
    let step = step.as_str();
    let Some(plain) = execute(step, &derived, DERIVATIVE, (&values, &[]), Mode::Value)? else {
        return Ok(Verdict::TooLong);
    };
    for (number, dual) in duals.iter().enumerate() {
        same_values(step, &dual.outputs, &plain.outputs)?;
        let mut found = Vec::new();
        for (name, ..) in program.args.iter().filter(|(_, ty, _)| *ty != Ty::Int) {
            let wanted = derivative_name(name);
            let Some(output) = plain.outputs.iter().find(|output| output.name == wanted) else {
                return failure(step, format!("{wanted} is no argument"));
            };
            let own = output.elements.iter().skip(number).step_by(DIRECTIONS as usize);
            found.extend(own.enumerate().map(|(index, element)| match element {
                Element::Real(value, _) => (format!("{name}[{}]", index + 1), *value),
                _ => (name.clone(), f64::NAN),
            }));
        }
        agree(step, &tangents(&dual.outputs), &found, tolerance(program))?;
    }
    Ok(Verdict::Agrees)
}
