//! The list of passes of preaccumulation, with the state that they share.

use elimination::Begun;
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use booster_canonical::{Canonicalize, drop_chains};
use booster_facts::Storage;
use booster_passes::{About, Mode, Need, Pass, Row, Step, rows};

use super::report::{Report, Told};
use super::{Done, Of, Options, Ready, eliminate, find, procedure};

/// From the program to one with local Jacobians.
pub(super) const PREACCUMULATE: &[Step<Preaccumulate>] =
    &[Step::Once(&Canonicalize), Step::Once(&Eliminate), Step::Once(&WriteJacobians)];

/// The passes of preaccumulation, in the order of their execution.
pub fn list() -> Vec<Row> {
    rows(PREACCUMULATE)
}

/// The mode.
pub(super) struct Preaccumulate;

/// The state of the mode.
pub(super) struct Work<'a> {
    options: &'a Options,
    report: Report,
    warnings: Diagnostics,
    begun: Begun,
    /// Storage of the canonical form, with the eliminations of its runs.
    eliminated: Option<(Storage, Vec<Of<Ready<'a>>>)>,
}

impl<'a> Work<'a> {
    /// The state before the first pass.
    pub(super) fn new(options: &'a Options, told: Told) -> Self {
        Work {
            options,
            report: Report::new(told),
            warnings: Diagnostics::new(),
            begun: Begun::default(),
            eliminated: None,
        }
    }

    /// The result of the mode, beside the document.
    pub(super) fn done(self) -> Done {
        Done { warnings: self.warnings, report: self.report.text(), begun: self.begun }
    }
}

impl Mode for Preaccumulate {
    type Work<'a> = Work<'a>;

    fn report<'w>(work: &'w mut Work<'_>) -> &'w mut Diagnostics {
        &mut work.warnings
    }
}

/// Eliminates the intermediate vertices of each run of assignments.
struct Eliminate;

impl Pass<Preaccumulate> for Eliminate {
    fn about(&self) -> &'static About {
        &About {
            name: "eliminate",
            need: Need::Required,
            summary: "Finds runs of assignments and eliminates intermediate vertices of their graphs.",
            reads: "bodies, side effects, liveness",
            writes: "nothing",
            source: "paper 2, 3.1",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Work<'_>) -> Result<(), Diagnostics> {
        let storage = Storage::new(doc);
        let found = find(doc, &storage, work.options);
        let (ready, begun) = eliminate(doc, &storage, found, work.options);
        work.begun = begun;
        work.eliminated = Some((storage, ready));
        Ok(())
    }
}

/// Writes local Jacobians in the place of the derivatives of single statements.
struct WriteJacobians;

impl Pass<Preaccumulate> for WriteJacobians {
    fn about(&self) -> &'static About {
        &About {
            name: "write-jacobians",
            need: Need::Required,
            summary: "Writes the accumulation of each local Jacobian, and a propagator behind each run.",
            reads: "eliminations",
            writes: "bodies",
            source: "paper 2, 3.2",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Work<'_>) -> Result<(), Diagnostics> {
        let Some((storage, ready)) = work.eliminated.take() else { return Ok(()) };
        let mut changed = false;
        for (proc, shapes, runs) in ready {
            let how = (work.options, &mut work.report);
            changed |= procedure(doc, &storage, (proc, &shapes), runs, how);
        }
        if changed {
            drop_chains(doc);
        }
        Ok(())
    }
}
