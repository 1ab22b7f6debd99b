//! The list of passes of the tangent mode, with the state that they share.

use std::collections::HashMap;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, ProcId};

use booster_canonical::Canonicalize;
use booster_facts::Storage;
use booster_facts::externals::Externals;
use booster_passes::{About, Mode, Need, Pass, Row, Step, rows};
use booster_shadow::derivative::{Counterparts, Naming};
use booster_shadow::passes::{
    AllocateFirst, BindC, DerivativeMode, DropDeadArms, DropUnused, ForgetMarks, MarkNoReturn,
};
use booster_shadow::persistent_state::Outliving;

use crate::body::Tangent;
use crate::{Options, bits};

/// From the program to derivative procedures with the bodies of their originals.
pub(crate) const DECLARE: &[Step<Declare>] = &[
    Step::Once(&Canonicalize),
    Step::Once(&MarkNoReturn),
    Step::Once(&CheckBits),
    Step::Once(&DeclareDerivatives),
];

/// From there to the tangents.
pub(crate) const DIFFERENTIATE: &[Step<Differentiate>] = &[
    Step::Each(&[&DifferentiateStatements]),
    Step::Each(&[&CompleteEntry]),
    Step::Once(&ForgetMarks),
    Step::Once(&DropDeadArms { of_program: false }),
    Step::Once(&AllocateFirst),
    Step::Once(&BindC),
    Step::Once(&DropUnused),
];

/// The passes of the tangent mode, in the order of their execution.
pub fn list() -> Vec<Row> {
    rows(DECLARE).into_iter().chain(rows(DIFFERENTIATE)).collect()
}

/// The first part of the list.
pub(crate) struct Declare;

/// The state of the first part.
pub(crate) struct Declaring<'a> {
    options: &'a Options,
    pub(crate) report: Diagnostics,
    pub(crate) parts: Counterparts,
}

impl<'a> Declaring<'a> {
    /// The state before the first pass.
    pub(crate) fn new(options: &'a Options) -> Self {
        Declaring { options, report: Diagnostics::new(), parts: Counterparts::default() }
    }
}

impl Mode for Declare {
    type Work<'a> = Declaring<'a>;

    fn report<'w>(work: &'w mut Declaring<'_>) -> &'w mut Diagnostics {
        &mut work.report
    }
}

impl DerivativeMode for Declare {
    fn parts<'w>(work: &'w mut Declaring<'_>) -> &'w mut Counterparts {
        &mut work.parts
    }

    fn externals<'w>(work: &'w Declaring<'_>) -> &'w Externals {
        &work.options.externals
    }

    fn suffix<'w>(work: &'w Declaring<'_>) -> &'w str {
        &work.options.suffix_procedure
    }
}

/// The second part of the list.
pub(crate) struct Differentiate;

/// The state of the second part.
pub(crate) struct Differentiating<'a> {
    pub(crate) stage: Tangent<'a>,
    pub(crate) options: &'a Options,
    /// The storage of the document as the declarations leave it.
    pub(crate) storage: Storage,
    /// The persistent state of procedures that the user calls.
    pub(crate) outliving: HashMap<ProcId, Outliving>,
}

impl Mode for Differentiate {
    type Work<'a> = Differentiating<'a>;

    fn procedures(work: &Differentiating<'_>) -> Vec<ProcId> {
        work.stage.parts.procedures.iter().map(|&(_, derivative)| derivative).collect()
    }

    fn enter(work: &mut Differentiating<'_>, proc: ProcId) {
        work.stage.proc = proc;
    }

    fn report<'w>(work: &'w mut Differentiating<'_>) -> &'w mut Diagnostics {
        &mut work.stage.problems
    }
}

impl DerivativeMode for Differentiate {
    fn parts<'w>(work: &'w mut Differentiating<'_>) -> &'w mut Counterparts {
        &mut work.stage.parts
    }

    fn externals<'w>(work: &'w Differentiating<'_>) -> &'w Externals {
        &work.options.externals
    }

    fn suffix<'w>(work: &'w Differentiating<'_>) -> &'w str {
        &work.options.suffix_procedure
    }
}

/// Warns of values that pass through variables of another type.
pub struct CheckBits;

impl<M: DerivativeMode> Pass<M> for CheckBits {
    fn about(&self) -> &'static About {
        &About {
            name: "check-bits",
            need: Need::Required,
            summary: "Warns where an active value passes through a variable of another type bit by bit.",
            reads: "declarations, bodies",
            writes: "nothing",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        let warnings = bits::warn(doc);
        M::report(work).extend(warnings);
        Ok(())
    }
}

/// Declares derivative variables, procedures and modules.
struct DeclareDerivatives;

impl Pass<Declare> for DeclareDerivatives {
    fn about(&self) -> &'static About {
        &About {
            name: "declare-derivatives",
            need: Need::Required,
            summary: "Copies active procedures, and declares derivatives of their variables, types and modules.",
            reads: "facts of activity, declarations",
            writes: "procedures, declarations",
            source: "Hascoet and Pascual 2013, 4.1",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        let naming = Naming {
            variable: work.options.suffix_variable.clone(),
            procedure: work.options.suffix_procedure.clone(),
            title: "Tangent".into(),
            transposed: false,
        };
        let (parts, warnings) = Counterparts::make(doc, &naming, work.options.directions)?;
        work.parts = parts;
        work.report.extend(warnings);
        Ok(())
    }
}

/// Writes the derivative statements of a body.
struct DifferentiateStatements;

impl Pass<Differentiate> for DifferentiateStatements {
    fn about(&self) -> &'static About {
        &About {
            name: "differentiate-statements",
            need: Need::Required,
            summary: "Writes the tangent of each statement before the statement.",
            reads: "facts of activity, rules of intrinsics",
            writes: "bodies",
            source: "Griewank and Walther 2008, 3.1",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Differentiating<'_>) -> Result<(), Diagnostics> {
        let proc = work.stage.proc;
        work.stage.procedure(doc, proc);
        Ok(())
    }
}

/// Writes what stands at the entry of a body.
struct CompleteEntry;

impl Pass<Differentiate> for CompleteEntry {
    fn about(&self) -> &'static About {
        &About {
            name: "complete-entry",
            need: Need::Required,
            summary: "Sets derivatives of locals and of persistent state to zero at the entry of each procedure.",
            reads: "declarations, persistent state",
            writes: "bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Differentiating<'_>) -> Result<(), Diagnostics> {
        let proc = work.stage.proc;
        let outliving = work.outliving.get(&proc).map(|found| (&work.storage, found));
        work.stage.finish(doc, proc, outliving);
        Ok(())
    }
}
