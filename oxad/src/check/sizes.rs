//! The sizes of a check that chooses extents: the first one has to suit the program, and the second one compares again
//! with arrays that fill several chunks of the tape.
//!
//! A first size that does not suit makes the check ask for the shapes. A second size that does not suit is left out,
//! and a line says why: the program need not be made for it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use xaif_schema::diag::{Diagnostics, Spot};
use xaif_schema::model::ProcId;

use super::evaluate::{Effort, Primal, in_a_line, in_short};
use super::point::extents::{self, Size};
use super::point::plan::Kind;
use super::verdict::adjoint;
use super::verdict::complex_step::Seen;
use super::verdict::judge::{Verdict, judge};
use super::verdict::precision::Precision;
use super::verdict::report::Report;
use super::{Ready, Session};

/// An evaluation of the head may take as long at the second size.
const PRIMAL: Duration = Duration::from_millis(500);
/// All evaluations of one derivative may.
const ALL: Duration = Duration::from_secs(10);
/// So many steps of an execution of the document take a second or two.
const STEPS: u64 = 4_000_000;
/// Along so many independent variables differences are taken at the second size.
const MOVED: usize = 3;
/// Derivatives below this lose digits by underflow.
const SMALLEST: f64 = 1e-250;

/// What a comparison at the second size comes to.
enum Second {
    /// It is in the report.
    Compared,
    /// There is none, for this reason.
    None(String),
}

/// The derivatives of one turn, by the folders of their drivers.
pub(super) struct Pair<'r> {
    /// The tangent, or why there is none.
    pub(super) tangent: Result<&'r Ready, &'r Diagnostics>,
    /// The adjoint, where it is checked.
    pub(super) adjoint: Option<&'r Ready>,
    /// Their folders.
    pub(super) folders: [PathBuf; 2],
}

impl Session<'_> {
    /// Evaluates the head at the first size. Extents that the check has chosen are asked for where they do not suit.
    pub(super) fn first(&self, ready: &Ready) -> Result<Primal, Diagnostics> {
        let primal = self.primal(ready, Effort::FULL);
        let Some(chosen) = &ready.plan.chosen else { return primal };
        let primal = primal.map_err(|found| {
            let fault = self.fault(ready, Effort::FULL);
            chosen.asked(&fault.unwrap_or_else(|| in_a_line(&found)), None)
        })?;
        for obstacle in primal.exact.iter().filter_map(|exact| exact.as_ref().err()) {
            if let Some(fault) = &obstacle.fault {
                return Err(chosen.asked(fault, None));
            }
            if !obstacle.executed {
                let reason = &obstacle.reason;
                let unseen =
                    format!("whether all indices are within their arrays is not seen: {reason}");
                return Err(chosen.asked(&unseen, None));
            }
        }
        Ok(primal)
    }

    /// Compares again at the second size, where the check has chosen extents.
    pub(super) fn second(
        &mut self,
        head: ProcId,
        pair: &Pair<'_>,
        reports: &mut [Report],
    ) -> Result<(), Diagnostics> {
        let first = pair.adjoint.or(pair.tangent.ok());
        let Some(chosen) = first.and_then(|ready| ready.plan.chosen.clone()) else {
            return Ok(());
        };
        if !chosen.has_second {
            return Ok(());
        }
        let [for_tangent, for_adjoint] = &pair.folders;
        let tangent = pair.tangent.ok().map(|ready| self.larger(head, ready, for_tangent));
        let adjoint = pair.adjoint.map(|ready| self.larger(head, ready, for_adjoint));
        let evidence = match (&tangent, pair.tangent) {
            (Some(Ok(ready)), _) => Ok(ready),
            (_, Err(found)) => Err(found.clone()),
            (Some(Err(_)) | None, Ok(_)) => Err(Diagnostics::new()),
        };
        let mut seen = Seen::default();
        for report in reports.iter_mut() {
            let ready = match report.kind() {
                Kind::Tangent => &tangent,
                Kind::Adjoint => &adjoint,
            };
            let outcome = match ready {
                None => continue,
                Some(Err(reason)) => Second::None(reason.clone()),
                Some(Ok(ready)) => {
                    self.compare(ready, evidence.as_ref().copied(), report, &mut seen)
                }
            };
            if let Second::None(reason) = outcome {
                report.no_second(&reason);
            }
        }
        let short = reports.iter().flat_map(Report::short_loops);
        match short.into_iter().find(|(spot, _)| depends_on_extents(&seen, spot)) {
            Some((spot, rounds)) => {
                let reason = format!("the number of rounds of this loop is {rounds}");
                Err(chosen.asked(&reason, Some(spot)))
            }
            None => Ok(()),
        }
    }

    /// The same derivative with a driver of the second size, smaller where there are many arrays, or why there is none.
    fn larger(&mut self, head: ProcId, ready: &Ready, folder: &Path) -> Result<Ready, String> {
        let reason = |found: Diagnostics| in_short(&found).unwrap_or_default();
        let mut halved = 0;
        let plan = loop {
            let size = Size::Second(halved);
            match self.plan(head, ready.plan.kind, &ready.programs, size) {
                Ok(plan) if extents::is_small_enough(&plan) => break plan,
                Ok(_) => halved += 1,
                Err(_) => return Err("the arrays would be too large".to_string()),
            }
        };
        let built = self.build(&ready.programs, &plan, &folder.join("second")).map_err(reason)?;
        Ok(Ready { programs: Rc::clone(&ready.programs), plan, built, single: ready.single })
    }

    /// Compares one derivative at the second size.
    fn compare(
        &self,
        ready: &Ready,
        tangent: Result<&Ready, &Diagnostics>,
        report: &mut Report,
        seen: &mut Seen,
    ) -> Second {
        let begin = Instant::now();
        let effort = Effort { steps: STEPS, executed: 1, moved: MOVED, ..Effort::FULL };
        let names = extents::listed(&ready.plan);
        let within = |limit| Effort { until: Some(begin + limit), ..effort };
        let primal = self.evaluates(ready, within(PRIMAL));
        let primal = match primal.and_then(|()| self.primal(ready, within(ALL))) {
            Ok(primal) => primal,
            Err(_) if Instant::now() >= begin + PRIMAL => {
                let limit = PRIMAL.as_secs_f64();
                return Second::None(format!(
                    "with {names} an evaluation of the program takes more than {limit} s"
                ));
            }
            Err(found) => {
                let fault = self.fault(ready, effort).unwrap_or_else(|| in_a_line(&found));
                return Second::None(format!("with {names} the program is at fault: {fault}"));
            }
        };
        for exact in &primal.exact {
            match exact {
                Ok(exact) => *seen = exact.seen.clone(),
                Err(obstacle) => {
                    if let Some(fault) = &obstacle.fault {
                        return Second::None(format!(
                            "with {names} the program is at fault: {fault}"
                        ));
                    }
                }
            }
        }
        if primal.base.iter().any(|(_, values)| values.iter().any(|value| !value.is_finite())) {
            return Second::None(format!("with {names} the program computes no finite numbers"));
        }
        let found = match ready.plan.kind {
            Kind::Tangent => self.compare_tangent(ready, &primal, report, within(ALL)),
            Kind::Adjoint => self.compare_adjoint(ready, tangent, primal, report, within(ALL)),
        };
        match found {
            Ok(second) => second,
            Err(_) if Instant::now() >= begin + ALL => {
                Second::None(format!("with {names} the evaluations take too long"))
            }
            Err(found) => {
                report.stopped(&names, ready.plan.chosen.as_ref(), &found);
                Second::Compared
            }
        }
    }

    fn compare_tangent(
        &self,
        ready: &Ready,
        primal: &Primal,
        report: &mut Report,
        effort: Effort,
    ) -> Result<Second, Diagnostics> {
        let precision = |label: &str| Precision::of_label(&ready.plan, ready.single, label);
        let all = self.tangents(ready, primal, effort)?;
        let all: Vec<_> =
            all.iter().map(|evidence| judge(evidence, self.args.tolerance, &precision)).collect();
        let unsure = all.iter().any(|one| one.verdict() == Verdict::Unsure);
        let wrong = all.iter().any(|one| one.verdict() == Verdict::Wrong);
        let rows = all.iter().flat_map(|one| &one.rows);
        if unsure && !wrong || rows.into_iter().any(|row| underflows(row.largest)) {
            return Ok(no_method(ready));
        }
        report.begin_second(&ready.plan);
        for (judgement, direction) in all.iter().zip(1..) {
            report.add(direction, judgement, None);
        }
        Ok(Second::Compared)
    }

    fn compare_adjoint(
        &self,
        ready: &Ready,
        tangent: Result<&Ready, &Diagnostics>,
        primal: Primal,
        report: &mut Report,
        effort: Effort,
    ) -> Result<Second, Diagnostics> {
        let evidence = self.adjoints(ready, tangent, primal, effort)?;
        let mut judgement = adjoint::judge(&evidence, self.args.tolerance);
        judgement.missing.clear();
        judgement.rely_on_dot_product();
        let unsure = judgement.verdict() == Verdict::Unsure;
        if unsure || judgement.rows.iter().any(|row| underflows(row.largest)) {
            return Ok(no_method(ready));
        }
        report.begin_second(&ready.plan);
        report.add_adjoint(&judgement);
        Ok(Second::Compared)
    }
}

/// Whether derivatives of this size are no longer exact.
fn underflows(largest: f64) -> bool {
    largest > 0.0 && largest < SMALLEST
}

fn no_method(ready: &Ready) -> Second {
    let names = extents::listed(&ready.plan);
    Second::None(format!("with {names} no method can tell"))
}

/// Whether a loop that goes no more than one iteration at the first size may do so because of the extents.
fn depends_on_extents(second: &Seen, spot: &Spot) -> bool {
    let rounds = second.loops.iter().find(|(other, _)| other == spot);
    rounds.is_none_or(|(_, rounds)| *rounds > 1)
}
