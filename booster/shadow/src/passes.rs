//! The passes that tangents and adjoints share: what stands at the ends of both lists.
//!
//! Each pass calls the module that does the work; nothing is computed here.

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, ProcId};

use booster_facts::externals::Externals;
use booster_facts::no_return;
use booster_passes::{About, Mode, Need, Pass};

use crate::allocated::allocate_first;
use crate::derivative::Counterparts;
use crate::jacobian::{forget_local_jacobians, remove_recomputations};
use crate::settled::settle;

/// A mode whose passes write derivative procedures.
pub trait DerivativeMode: Mode {
    /// The derivative variables and procedures.
    fn parts<'w>(work: &'w mut Self::Work<'_>) -> &'w mut Counterparts;

    /// The specifications of procedures whose source is not given.
    fn externals<'w>(work: &'w Self::Work<'_>) -> &'w Externals;

    /// The suffix of derivative procedures.
    fn suffix<'w>(work: &'w Self::Work<'_>) -> &'w str;
}

/// The derivative procedures, in document order.
fn derivatives(parts: &Counterparts) -> Vec<ProcId> {
    parts.procedures.iter().map(|&(_, derivative)| derivative).collect()
}

/// Marks calls that do not return.
pub struct MarkNoReturn;

impl<M: DerivativeMode> Pass<M> for MarkNoReturn {
    fn about(&self) -> &'static About {
        &About {
            name: "mark-no-return",
            need: Need::Required,
            summary: "Marks calls of procedures that end the program: control does not go on behind them.",
            reads: "bodies, specifications of externals",
            writes: "calls",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        no_return::mark(doc, M::externals(work));
        Ok(())
    }
}

/// Removes arms that control never takes from derivative procedures.
pub struct DropDeadArms {
    /// Whether the bodies are still those of the program.
    pub of_program: bool,
}

impl<M: DerivativeMode> Pass<M> for DropDeadArms {
    fn about(&self) -> &'static About {
        if self.of_program {
            &About {
                name: "drop-dead-arms",
                need: Need::Optimisation,
                summary: "Removes arms that control never takes, so that the sweeps record nothing of them.",
                reads: "allocation status",
                writes: "bodies",
                source: "",
            }
        } else {
            &About {
                name: "drop-dead-tests",
                need: Need::Optimisation,
                summary: "Removes tests of ALLOCATED and ASSOCIATED whose answer is known, with their dead arms.",
                reads: "allocation status",
                writes: "bodies",
                source: "",
            }
        }
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        settle(doc, &derivatives(M::parts(work)));
        Ok(())
    }
}

/// Removes the marks of local Jacobians, and recomputations from the original procedures.
pub struct ForgetMarks;

impl<M: DerivativeMode> Pass<M> for ForgetMarks {
    fn about(&self) -> &'static About {
        &About {
            name: "forget-marks",
            need: Need::Required,
            summary: "Removes local Jacobians and recomputations from the originals: the derivatives have statements of their own.",
            reads: "bodies",
            writes: "marks of statements",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, _: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        // The operands of a recomputation may be entries of a local Jacobian.
        remove_recomputations(doc, |_| true);
        forget_local_jacobians(doc);
        Ok(())
    }
}

/// Writes ALLOCATE for the first assignment to an array of ours.
pub struct AllocateFirst;

impl<M: DerivativeMode> Pass<M> for AllocateFirst {
    fn about(&self) -> &'static About {
        &About {
            name: "allocate-first",
            need: Need::Optimisation,
            summary: "Writes ALLOCATE with a source for the first assignment to an array of the stage.",
            reads: "allocation status",
            writes: "bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        let made = M::parts(work).made(doc);
        allocate_first(doc, &made);
        Ok(())
    }
}

/// Gives derivatives of BIND(C) procedures their labels.
pub struct BindC;

impl<M: DerivativeMode> Pass<M> for BindC {
    fn about(&self) -> &'static About {
        &About {
            name: "bind-c",
            need: Need::Required,
            summary: "Makes derivatives of BIND(C) procedures BIND(C), with labels of their own.",
            reads: "declarations",
            writes: "declarations",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        let suffix = M::suffix(work).to_owned();
        M::parts(work).bind_in_c(doc, &suffix);
        Ok(())
    }
}

/// Removes declarations that nothing names.
pub struct DropUnused;

impl<M: DerivativeMode> Pass<M> for DropUnused {
    fn about(&self) -> &'static About {
        &About {
            name: "drop-unused",
            need: Need::Required,
            summary: "Removes declarations and procedures that nothing names; some have no valid bounds.",
            reads: "bodies, declarations",
            writes: "declarations, procedures",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        M::parts(work).sweep(doc);
        Ok(())
    }
}
