//! Evaluations of a head and its derivative: compiled drivers and the execution of the document give the evidence of a
//! verdict.

use std::time::Instant;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Severity};

use super::interval::LARGEST_STEP;
use super::point::plan::Kind;
use super::program::build::{Built, Results, Stopped};
use super::verdict::adjoint::{self, Moved};
use super::verdict::complex_step::{self, Exact, Obstacle};
use super::verdict::judge::{DERIVATIVE, Evidence};
use super::verdict::precision::Precision;
use super::{Ready, Session};

/// The steps of the sweep where nothing is in the way.
const STEPS: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// How much the evaluations at one size may take.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Steps of each execution of the document.
    pub(super) steps: u64,
    /// Independent variables along which the document is executed.
    pub(super) executed: usize,
    /// Independent variables along which differences are taken.
    pub(super) moved: usize,
    /// When evaluations have to end.
    pub(super) until: Option<Instant>,
    /// The largest step of differences.
    pub(super) largest: f64,
}

impl Effort {
    /// All that the methods can tell.
    pub(super) const FULL: Effort = Effort {
        steps: complex_step::MOST_STEPS,
        executed: usize::MAX,
        moved: usize::MAX,
        until: None,
        largest: LARGEST_STEP,
    };
}

/// The head alone at the point.
pub(super) struct Primal {
    /// What it computes.
    pub(super) base: Results,
    /// The point, directions and weights.
    pub(super) point: Results,
    /// What executions of the document show: one of a tangent, one for each independent variable of an adjoint.
    pub(super) exact: Vec<Result<Exact, Obstacle>>,
}

/// The number by which a driver calls all independent variables, or the first direction.
fn all(kind: Kind) -> u32 {
    match kind {
        Kind::Tangent => 1,
        Kind::Adjoint => 0,
    }
}

impl Session<'_> {
    /// Evaluates the head. This comes first: it tells other evaluations the shapes of what the head allocates.
    pub(super) fn primal(&self, ready: &Ready, effort: Effort) -> Result<Primal, Diagnostics> {
        let Ready { plan, built, .. } = ready;
        let direction = all(plan.kind);
        let base = run_driver(built, "primal", direction, effort.until)?;
        repeats(built, direction, &base, effort.until)?;
        let point = run_driver(built, "point", direction, effort.until)?;
        let exact = self.executions(ready, &point, effort);
        Ok(Primal { base, point, exact })
    }

    /// Executes the document. The point of several directions tells none of them; the program is looked at all the
    /// same.
    fn executions(
        &self,
        ready: &Ready,
        point: &Results,
        effort: Effort,
    ) -> Vec<Result<Exact, Obstacle>> {
        let plan = &ready.plan;
        let execute =
            |point: &Results| complex_step::derivatives(&self.original, plan, point, effort.steps);
        match plan.kind {
            Kind::Tangent => vec![execute(point)],
            Kind::Adjoint => {
                let moved = adjoint::independents(plan).take(effort.executed);
                moved.map(|object| execute(&adjoint::alone(point, &object.name))).collect()
            }
        }
    }

    /// Whether the head comes to its end in time.
    pub(super) fn evaluates(&self, ready: &Ready, effort: Effort) -> Result<(), Diagnostics> {
        run_driver(&ready.built, "primal", all(ready.plan.kind), effort.until).map(|_| ())
    }

    /// What the program does at the point that no program may do.
    pub(super) fn fault(&self, ready: &Ready, effort: Effort) -> Option<String> {
        let direction = all(ready.plan.kind);
        let point = run_driver(&ready.built, "point", direction, effort.until).ok()?;
        let found = self.executions(ready, &point, Effort { executed: 1, ..effort });
        found.into_iter().find_map(|exact| exact.err()?.fault)
    }

    /// Evaluates the tangent in all its directions.
    pub(super) fn tangents(
        &self,
        ready: &Ready,
        primal: &Primal,
        effort: Effort,
    ) -> Result<Vec<Evidence>, Diagnostics> {
        let several = self.args.tangent.directions;
        let directions = several.unwrap_or(1);
        let tangent = run_driver(&ready.built, "tangent", 1, effort.until)?;
        let exact = primal.exact.first().filter(|_| several.is_none());
        let evidence = |direction| Evidence {
            base: primal.base.clone(),
            tangent: one_direction(&tangent, direction, directions),
            steps: sweep(&ready.built, direction, effort),
            complex_step: exact
                .and_then(|exact| exact.as_ref().ok())
                .map(|exact| exact.derivatives.clone()),
        };
        Ok((1..=directions).map(evidence).collect())
    }

    /// Evaluates the adjoint; the tangent is evidence, where there is one.
    pub(super) fn adjoints(
        &self,
        ready: &Ready,
        tangent: Result<&Ready, &Diagnostics>,
        primal: Primal,
        effort: Effort,
    ) -> Result<adjoint::Evidence, Diagnostics> {
        let Ready { plan, built, single, .. } = ready;
        let Primal { base, point, exact } = primal;
        let mut exact = exact.into_iter();
        let moved = adjoint::independents(plan).zip(1..).map(|(object, number)| Moved {
            name: object.name.clone(),
            steps: match number as usize <= effort.moved {
                true => sweep(built, number, effort),
                false => Vec::new(),
            },
            complex_step: exact.next().map(|exact| match exact {
                Ok(exact) => Ok(exact.derivatives),
                Err(obstacle) => Err(obstacle.reason),
            }),
        });
        let moved = moved.collect();
        // Nobody has looked for what is active in a derivative that is given.
        let single = *single || tangent.is_ok_and(|ready| ready.single);
        let precision = Precision::of_all(plan, single);
        let tangent = self.tangent_as_evidence(tangent, &point, effort);
        let side = |sign: f64| -> Vec<Results> {
            let steps = adjoint::BESIDE.map(|far| sign * far * precision.inside);
            let run = |&step: &f64| built.run("adjoint", step, 0, effort.until).ok();
            steps.iter().filter_map(run).collect()
        };
        let beside = if tangent.is_ok() { [side(-1.0), side(1.0)] } else { Default::default() };
        Ok(adjoint::Evidence {
            moved,
            base,
            adjoint: run_driver(built, "adjoint", 0, effort.until)?,
            accumulated: run_driver(built, "accumulate", 0, effort.until)?,
            tangent,
            point,
            beside,
            precision,
        })
    }

    /// What the tangent computes along the direction of the adjoint's driver, or why that cannot
    /// be compared.
    fn tangent_as_evidence(
        &self,
        tangent: Result<&Ready, &Diagnostics>,
        point: &Results,
        effort: Effort,
    ) -> Result<Results, String> {
        let ready = tangent
            .map_err(|found| in_short(found).unwrap_or_else(|| "there is none".to_string()))?;
        if self.args.tangent.directions.is_some() {
            return Err("it has several directions".to_string());
        }
        let run = |mode| {
            let results = ready.built.run(mode, 0.0, 1, effort.until);
            results.map_err(|_| "it does not run".to_string())
        };
        let generated = self.args.derivative.is_empty();
        let comparable = adjoint::is_comparable(&run("point")?, point, generated);
        if comparable {
            run("tangent")
        } else {
            Err("it has other independent variables".to_string())
        }
    }
}

/// The message of the first error.
pub(super) fn in_short(found: &Diagnostics) -> Option<String> {
    let first = found.iter().find(|found| found.severity == Severity::Error);
    first.map(|first| first.message.clone())
}

/// The same with its notes, in one line.
pub(super) fn in_a_line(found: &Diagnostics) -> String {
    let first = found.iter().find(|found| found.severity == Severity::Error);
    let notes =
        first.iter().flat_map(|first| first.notes.iter().take(2)).map(|(_, note)| note.as_str());
    let words = first.iter().map(|first| first.message.as_str()).chain(notes);
    words.collect::<Vec<_>>().join(": ")
}

/// Refuses a program that gives other values when it is evaluated again at the same point, by the numbers
/// that it draws.
fn repeats(
    built: &Built,
    direction: u32,
    before: &Results,
    until: Option<Instant>,
) -> Result<(), Diagnostics> {
    let again = run_driver(built, "primal", direction, until)?;
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let other = before.iter().zip(&again).find(|((_, one), (_, two))| bits(one) != bits(two));
    let Some(((label, _), _)) = other else { return Ok(()) };
    let message = format!("two evaluations at the same point give different values of `{label}`");
    let found = Diagnostic::error(Code::NOT_REPEATABLE, None, message).with_help(
        "let the program begin with the same seed each time: `call random_seed(put=...)`",
    );
    Err([found].into_iter().collect())
}

fn run_driver(
    built: &Built,
    mode: &str,
    direction: u32,
    until: Option<Instant>,
) -> Result<Results, Diagnostics> {
    built.run(mode, 0.0, direction, until).map_err(|stopped| {
        let (message, reason) = match stopped {
            Stopped::Failed(reason) => ("has stopped", reason),
            Stopped::TooLong => ("takes too long", String::new()),
        };
        let message = format!("the driver {message} in mode `{mode}`");
        let mut diagnostic = Diagnostic::error(Code::DRIVER_FAILED, None, message)
            .with_help("set values that make sense with --set; --keep DIR keeps the driver");
        for line in reason.lines() {
            diagnostic = diagnostic.with_note(None, line);
        }
        [diagnostic].into_iter().collect()
    })
}

/// The evaluations beside the point; one that fails is left out.
fn sweep(
    built: &Built,
    direction: u32,
    effort: Effort,
) -> Vec<(f64, Option<Results>, Option<Results>)> {
    let at = |step: f64| built.run("primal", step, direction, effort.until).ok();
    let steps = STEPS.iter().map(|&step| match effort.largest == LARGEST_STEP {
        true => step,
        false => step / LARGEST_STEP * effort.largest,
    });
    steps.map(|step| (step, at(step), at(-step))).collect()
}

/// The derivatives of one of several directions.
fn one_direction(results: &Results, direction: u32, directions: u32) -> Results {
    let part = |values: &Vec<f64>| {
        let size = values.len() / directions.max(1) as usize;
        values.iter().skip((direction as usize - 1) * size).take(size).copied().collect()
    };
    let pick = |(label, values): &(String, Vec<f64>)| {
        let mine = if label.contains(DERIVATIVE) { part(values) } else { values.clone() };
        (label.clone(), mine)
    };
    results.iter().map(pick).collect()
}
