//! Whether the adjoint of a program, made by the stages and executed, is the transpose of what dual
//! numbers give.
//!
//! For every argument v of the head with an adjoint, the direction v' at the entry and the weight on v
//! at the exit are pseudo-random. With v' at the exit from dual numbers and the adjoint at the entry from
//! the adjoint procedure, the sum of weight times v' at the exit is that of adjoint times v' at the
//! entry. That covers inputs, which accumulate, and outputs, which are set to zero where they are
//! overwritten, at once. The tape must be empty in the end.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use xaif_booster::analysis::{liveness, tbr};
use xaif_booster::transform::adjoint::{self, Modes, Options};
use xaif_booster::transform::canonicalize::canonicalize;
use xaif_booster::transform::checkpoint::outline;
use xaif_booster::transform::preaccumulate::preaccumulate;
use xaif_run::{Given, Mode, Outcome, Output};
use xaif_schema::diag::{Code, Diagnostics, Severity};
use xaif_schema::model::{Body, CheckpointNumber, CheckpointScheme, Checkpoints, Document};
use xaif_schema::verify::verify;
use xaif_schema::xml;

use super::check::{
    Driver, Failure, Inputs, Named, PRIMAL, Refusal, Verdict, agree, all_that_is_not_refused,
    compiled, document, execute, execute_after, failure, numbers, tangents, told,
    unless_miscompiled,
};
use super::preaccumulate::options as local_options;
use super::program::{HEAD, MODULE, Program, Task, Ty};
use super::tangent::{activity_facts, derivative_text, effects_facts, left_out, tolerance};
use super::tape;
use crate::programs::{finish, workspace};

/// The procedure with the adjoint.
const ADJOINT: &str = "p_b";

/// Which calls are split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// Those that must be.
    #[default]
    Joint,
    /// All.
    Split,
    /// Those of some procedures, by the seed of the program.
    Mixed,
}

/// The optional stages before the adjoint, and its choices.
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
    /// `xaif-liveness`
    pub liveness: bool,
    /// `xaif-tbr`
    pub tbr: bool,
    /// `--split` and `--split-all`; `--joint-all` by the seed of the program
    pub calls: Calls,
}

impl Stages {
    /// All of them.
    pub const ALL: Stages = Stages {
        effects: true,
        activity: true,
        canonical: true,
        local: false,
        liveness: true,
        tbr: true,
        calls: Calls::Joint,
    };

    /// How many subsets there are.
    pub const COUNT: u64 = 48;

    /// Subset `number`, counted modulo [`Stages::COUNT`].
    fn subset(number: u64) -> Stages {
        let number = number % Stages::COUNT;
        let calls = match number / 16 {
            0 => Calls::Joint,
            1 => Calls::Split,
            _ => Calls::Mixed,
        };
        Stages {
            effects: number & 1 == 0,
            activity: number & 2 == 0,
            canonical: number & 4 == 0,
            local: number.count_ones().is_multiple_of(2),
            liveness: !number.is_multiple_of(3),
            tbr: number & 8 == 0,
            calls,
        }
    }

    /// The subsets that the program of a seed is looked at with: seeds in a row take turns, so that
    /// all subsets have theirs within twenty-four.
    pub fn of(seed: u64) -> impl Iterator<Item = Stages> {
        // 5 is coprime to the number of subsets: the two differ in more than one way.
        (0..2).map(move |turn| Stages::subset(seed.wrapping_mul(2).wrapping_add(turn) % 48 * 5))
    }

    /// What they are, for reports.
    pub fn name(self) -> String {
        let mut name = String::new();
        for (wanted, stage) in [
            (self.effects, "effects, "),
            (self.activity, "activity, "),
            (self.canonical, "canonical form, "),
            (self.local, "local Jacobians, "),
            (self.liveness, "liveness, "),
            (self.tbr, "tbr, "),
        ] {
            if wanted {
                name.push_str(stage);
            }
        }
        name + match self.calls {
            Calls::Joint => "adjoint",
            Calls::Split => "split adjoint",
            Calls::Mixed => "partly split adjoint",
        }
    }

    /// The choice of calls for a program.
    fn modes(self, task: &Task) -> Modes {
        let mut rng = fastrand::Rng::with_seed(task.seed ^ 0x51);
        let some = task.procedures.iter().filter(|_| rng.bool());
        let split = match self.calls {
            Calls::Joint | Calls::Split => Vec::new(),
            Calls::Mixed => some.cloned().collect(),
        };
        let auto_split = self.calls != Calls::Split && rng.bool();
        Modes { split, all: self.calls == Calls::Split, auto_split, ..Modes::default() }
    }
}

/// The document with the adjoint of the program.
pub(crate) struct Derived {
    /// The document.
    pub(crate) doc: Document,
    /// What the stages warn of.
    pub(crate) warnings: Diagnostics,
}

impl Derived {
    /// Whether no warning says that a variable is not left as the program leaves it.
    pub(crate) fn can_follow(&self) -> bool {
        self.warnings.iter().all(|found| found.code != Code::STATE_LEFT)
    }
}

/// The document with the adjoint of the program, or what refuses it: the stages in the order in
/// which the driver has them.
pub(crate) fn differentiate(
    task: &Task,
    doc: &Document,
    stages: Stages,
) -> Result<Result<Derived, Refusal>, Failure> {
    let found = differentiate_as(task, doc, stages, true)?;
    match found {
        // Another iteration of a loop cannot be executed again.
        Err(refusal) if refusal.code == Code::CHECKPOINT_ONCE => {
            differentiate_as(task, doc, stages, false)
        }
        found => Ok(found),
    }
}

/// Gives some loops of some programs checkpoints.
fn some_checkpoints(seed: u64, doc: &mut Document) {
    let mut rng = fastrand::Rng::with_seed(seed ^ 0xc4);
    if rng.u32(0..3) > 0 {
        return;
    }
    for proc in doc.procs.keys().collect::<Vec<_>>() {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        // Inner loops come first, and the positions of others stay.
        for position in (0..cfg.layout.len()).rev() {
            let scheme = match rng.bool() {
                true => CheckpointScheme::Binomial,
                false => CheckpointScheme::Periodic,
            };
            let number = CheckpointNumber::Number(rng.u32(1..4));
            if rng.bool() {
                // A loop that cannot have any stays as it is.
                let _ = outline(doc, proc, position, Checkpoints { scheme, number });
            }
        }
    }
}

fn differentiate_as(
    task: &Task,
    doc: &Document,
    stages: Stages,
    has_checkpoints: bool,
) -> Result<Result<Derived, Refusal>, Failure> {
    let mut doc = doc.clone();
    let mut warnings = Diagnostics::default();
    let step = stages.name();
    if has_checkpoints {
        some_checkpoints(task.seed, &mut doc);
    }
    if stages.effects {
        effects_facts(&mut doc);
    }
    if stages.activity {
        match activity_facts(task, &mut doc) {
            Ok(found) => warnings.extend(found),
            Err(found) => return refused(&step, &found),
        }
    }
    if stages.canonical
        && let Err(found) = canonicalize(&mut doc)
    {
        return refused(&step, &found);
    }
    if stages.local
        && let Err(found) = preaccumulate(&mut doc, &local_options(task.seed).0)
    {
        return refused(&step, &found);
    }
    let selection = left_out(task.seed, &adjoint::list());
    let options = Options { modes: stages.modes(task), selection, ..Options::default() };
    let (externals, catalogue) = (&options.externals, &options.catalogue);
    if stages.liveness {
        liveness::liveness(&mut doc, externals, catalogue, &options.modes);
    }
    if stages.tbr {
        if stages.canonical {
            adjoint::plan_recomputation(&mut doc, externals, catalogue, &options.modes);
        }
        tbr::tbr(&mut doc, externals, catalogue, &options.modes);
    }
    match adjoint::adjoint(&mut doc, &options) {
        Ok(found) => warnings.extend(found),
        Err(found) => return refused(&step, &found),
    }
    let found = verify(&doc);
    if found.is_empty() {
        Ok(Ok(Derived { doc, warnings }))
    } else {
        failure(format!("{step}, verifier"), told(&found))
    }
}

/// A refusal must have a place.
fn refused<T>(step: &str, found: &Diagnostics) -> Result<Result<T, Refusal>, Failure> {
    match found.iter().find(|found| found.severity == Severity::Error) {
        Some(error) if error.spot.is_some() => Ok(Err(Refusal::of(error))),
        Some(_) | None => failure(format!("{step}, refusal without a place"), told(found)),
    }
}

/// Pseudo-random weights of the values at the exit.
fn weights(program: &Program) -> Vec<Named> {
    // A direction of another number is as good.
    let found = Inputs::of(program, 77).direction;
    found.into_iter().map(|(name, given)| (format!("{name}b"), given)).collect()
}

/// The adjoint with some subsets of the optional stages ([`Stages::of`]), executed, against dual
/// numbers. Of a program that is refused what is left without the statements that are refused is
/// looked at.
pub fn check_adjoint(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, check_once)
}

fn check_once(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let mut all = Vec::new();
    for stages in Stages::of(program.seed) {
        match differentiate(&program.task(), &doc, stages)? {
            Ok(derived) => all.push((stages, derived)),
            Err(refusal) => return Ok(Verdict::Refused(refusal)),
        }
    }
    let inputs = Inputs::of(program, 0);
    let both = (inputs.values.as_slice(), inputs.direction.as_slice());
    let Some(dual) = execute(PRIMAL, &doc, HEAD, both, Mode::Tangent)? else {
        return Ok(Verdict::TooLong);
    };
    // The program need not be one that can be called twice.
    let again = |before: u32| {
        let dual = execute_after(before, PRIMAL, (&doc, HEAD), both, Mode::Tangent).ok().flatten();
        dual.filter(|dual| is_moderate(&dual.outputs)).map(|dual| (before, dual))
    };
    let again: Vec<_> = (1..program.calls.max(2)).filter_map(again).collect();
    for (turn, (stages, derived)) in all.into_iter().enumerate() {
        let (step, can_follow) = (stages.name(), derived.can_follow());
        let derived = derived.doc;
        let Some(outcome) = execute_adjoint(0, &step, program, &derived, &inputs)? else {
            return Ok(Verdict::TooLong);
        };
        transposed(&step, program, &inputs, &dual, &outcome)?;
        // Without activity facts the adjoints of variables that outlive the head are never set to zero.
        for (before, dual) in again.iter().filter(|_| stages.activity && can_follow) {
            let step = format!("{step}, call {}", before + 1);
            if let Some(outcome) = execute_adjoint(*before, &step, program, &derived, &inputs)? {
                transposed(&step, program, &inputs, dual, &outcome)?;
            }
        }
        // Some documents take the way through text, or through a file.
        match (program.seed / 24 + turn as u64) % 12 {
            0 => as_text(&step, program, &derived, &inputs, &outcome)?,
            1 => written_and_read(&step, program, &derived, &inputs, &outcome)?,
            _ => {}
        }
    }
    Ok(Verdict::Agrees)
}

/// Whether no value has grown so much that differences mean nothing.
fn is_moderate(outputs: &[Output]) -> bool {
    outputs.iter().flat_map(|output| &output.elements).all(|element| match element {
        xaif_run::Element::Real(value, tangent) => value.abs() < 1e6 && tangent.abs() < 1e6,
        _ => true,
    })
}

/// Executes the adjoint procedure, and before that as often as told; all that was put on the tape must be taken back.
fn execute_adjoint(
    before: u32,
    step: &str,
    program: &Program,
    doc: &Document,
    inputs: &Inputs,
) -> Result<Option<Outcome>, Failure> {
    let mut values = inputs.values.clone();
    values.extend(weights(program));
    let Some(outcome) = execute_after(before, step, (doc, ADJOINT), (&values, &[]), Mode::Value)?
    else {
        return Ok(None);
    };
    if outcome.warnings.is_empty() {
        Ok(Some(outcome))
    } else {
        failure(format!("{step}, tape"), told(&outcome.warnings))
    }
}

/// A document that is written and read again means the same.
fn written_and_read(
    step: &str,
    program: &Program,
    doc: &Document,
    inputs: &Inputs,
    first: &Outcome,
) -> Result<(), Failure> {
    let step = format!("{step}, written and read");
    let text = match xml::to_string(doc) {
        Ok(text) => text,
        Err(error) => return failure(step, error.to_string()),
    };
    let again = match xml::read(text.as_bytes(), "random.xaif") {
        Ok(again) => again,
        Err(found) => return failure(step, told(&found)),
    };
    match execute_adjoint(0, &step, program, &again, inputs)? {
        Some(second) => agree(&step, &values(&first.outputs), &values(&second.outputs), 0.0),
        None => Ok(()),
    }
}

/// The text of a document means the same.
fn as_text(
    step: &str,
    program: &Program,
    doc: &Document,
    inputs: &Inputs,
    first: &Outcome,
) -> Result<(), Failure> {
    let step = format!("{step}, text");
    let text = format!("{}{}", program.source(), derivative_text(doc)?);
    let again = match tape::document(&text) {
        Ok(again) => again,
        Err(found) => return failure(step, format!("{found}\n{text}")),
    };
    match execute_adjoint(0, &step, program, &again, inputs)? {
        Some(second) => agree(&step, &values(&first.outputs), &values(&second.outputs), 0.0),
        None => Ok(()),
    }
}

/// The real numbers of all outputs.
fn values(outputs: &[Output]) -> Vec<(String, f64)> {
    let real = outputs.iter().flat_map(|output| {
        output.elements.iter().map(|element| match element {
            xaif_run::Element::Real(value, _) => (output.name.clone(), *value),
            _ => (output.name.clone(), f64::NAN),
        })
    });
    real.collect()
}

/// The numbers of what is given.
fn given(words: &Given) -> impl Iterator<Item = f64> + '_ {
    words.words.iter().map(|word| word.parse().unwrap_or(f64::NAN))
}

/// The sum of products, and the sum of their sizes.
fn product(a: impl Iterator<Item = f64>, b: impl Iterator<Item = f64>) -> (f64, f64) {
    a.zip(b).fold((0.0, 0.0), |(sum, size), (a, b)| (sum + a * b, size + (a * b).abs()))
}

/// weight · v' at the exit = adjoint · v' at the entry
fn transposed(
    step: &str,
    program: &Program,
    inputs: &Inputs,
    dual: &Outcome,
    outcome: &Outcome,
) -> Result<(), Failure> {
    let (mut left, mut right, mut size) = (0.0, 0.0, 0.0);
    for ((name, weight), (own, direction)) in weights(program).iter().zip(&inputs.direction) {
        let find = |outputs: &[Output], name: &str| -> Vec<Output> {
            outputs.iter().filter(|output| output.name == name).cloned().collect()
        };
        let after = tangents(&find(&dual.outputs, own));
        let adjoint = values(&find(&outcome.outputs, name));
        if after.len() != weight.words.len() || adjoint.len() != direction.words.len() {
            return failure(step, format!("{name} or {own} is no argument"));
        }
        let (sum, most) = product(given(weight), after.into_iter().map(|(_, value)| value));
        left += sum;
        size += most;
        let (sum, most) = product(given(direction), adjoint.into_iter().map(|(_, value)| value));
        right += sum;
        size += most;
    }
    let close = (left - right).abs() <= tolerance(program) * (1.0 + size);
    if close || (left.is_nan() && right.is_nan()) {
        return Ok(());
    }
    failure(
        format!("{step}, transpose"),
        format!("dual numbers give {left:e}, the adjoint {right:e}"),
    )
}

/// The text of the adjoint compiles without a warning, and prints what its document gives.
pub fn check_compiled_adjoint(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, compiled_once)
}

fn compiled_once(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let derived = match differentiate(&program.task(), &doc, Stages::ALL)? {
        Ok(derived) => derived,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    // A call behind one that leaves variables in another state means something else.
    let calls = if derived.can_follow() { program.calls } else { 1 };
    let derived = derived.doc;
    let inputs = Inputs::of(program, 0);
    if execute(PRIMAL, &doc, HEAD, (&inputs.values, &[]), Mode::Value)?.is_none() {
        return Ok(Verdict::TooLong);
    }
    let outcome = execute_adjoint(calls - 1, "adjoint", program, &derived, &inputs)?;
    let Some(outcome) = outcome else {
        return Ok(Verdict::TooLong);
    };
    let mut driver = Driver::new(calls);
    let (mut all, mut expected) = (weights(program).into_iter(), Vec::new());
    for ((name, ty, shape), (_, value)) in program.args.iter().zip(&inputs.values) {
        driver.argument(name, *ty, shape, value);
        if *ty != Ty::Int
            && let Some((name, weight)) = all.next()
        {
            driver.argument(&name, *ty, shape, &weight);
            let own = outcome.outputs.iter().filter(|output| output.name == name);
            expected.extend(values(&own.cloned().collect::<Vec<_>>()));
            driver.print(&name);
        }
    }
    let module = program.modular.then(|| format!("{MODULE}_b"));
    let text = format!(
        "{}{}{}",
        program.source(),
        derivative_text(&derived)?,
        driver.text(module.as_deref(), ADJOINT)
    );
    let folder = tape()?;
    // Optimised, what is added to under two names may get lost.
    let optimise = if program.seed.is_multiple_of(2) { "-O0" } else { "-O2" };
    let flags = [
        optimise.to_owned(),
        format!("-I{}", folder.display()),
        folder.join("oxad_tape_f.o").display().to_string(),
        folder.join("oxad_tape_c.o").display().to_string(),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let tolerance = if program.mixed { 1e-3 } else { 1e-9 };
    let agrees = compiled(&text, &flags)
        .and_then(|printed| agree("adjoint by gfortran", &expected, &numbers(&printed), tolerance));
    unless_miscompiled(program, agrees)
}

/// The folder with the compiled tape.
pub(crate) fn tape() -> Result<&'static PathBuf, Failure> {
    static FOLDER: OnceLock<Result<PathBuf, Failure>> = OnceLock::new();
    FOLDER.get_or_init(compile_tape).as_ref().map_err(Clone::clone)
}

fn compile_tape() -> Result<PathBuf, Failure> {
    let step = "tape";
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder.keep(),
        Err(error) => return failure(step, error.to_string()),
    };
    let source = workspace().join("backends/runtime");
    for (compiler, file, object) in [
        ("gcc", "oxad_tape_chunks.c", "oxad_tape_c.o"),
        ("gfortran", "oxad_tape.f90", "oxad_tape_f.o"),
    ] {
        let mut command = Command::new(compiler);
        command.args(["-O1", "-c"]).arg(source.join(file)).arg("-o").arg(object);
        command.current_dir(&folder);
        match finish(command, b"") {
            Ok(finished) if finished.status == Some(0) => {}
            Ok(finished) => return failure(step, finished.err()),
            Err(error) => return failure(step, error.to_string()),
        }
    }
    Ok(folder)
}
