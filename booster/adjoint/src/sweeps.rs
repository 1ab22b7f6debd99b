//! The two sweeps of a procedure: their reversal, and their union in one body.
//!
//! [`ReverseFlow`] makes a forward and a backward sweep of a body (paper 3, section 3). Optimisations of the
//! backward sweep stand between the two passes. [`JoinSweeps`] adds the statements at the ends of the sweeps,
//! and makes one body of both, or of the one that the procedure executes.
//!
//! The control flow itself is reversed by `booster_reversal`, the statements by `body`.

use std::collections::HashSet;

use xaif_schema::diag::{Diagnostic, Diagnostics};
use xaif_schema::model::{Attr, Body, Cfg, Document, Place, StmtKind, SymbolId};

use crate::body::Adjoint;
use crate::loops::distribute::{Known, distribute};
use crate::passes::Reverse;
use crate::statements::persistent_state;
use booster_build::{Emitter, exists, rewrite_entry, whole};
use booster_passes::{About, Need, Pass};
use booster_reversal::{self as reversal, Reversed};
use booster_shadow::derivative::Sweep;

/// Makes the two sweeps.
pub(crate) struct ReverseFlow;

impl Pass<Reverse> for ReverseFlow {
    fn about(&self) -> &'static About {
        &About {
            name: "reverse-flow",
            need: Need::Required,
            summary: "Writes the forward sweep, which records, and the backward sweep, which executes adjoints.",
            reads: "recorded values, call modes, rules of intrinsics",
            writes: "bodies",
            source: "paper 3, 3",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let proc = work.proc;
        work.context.narrowed = work.adjoints_without_arms(doc);
        let mut sweeps = reversal::reverse_flow(doc, proc, work)?;
        work.mirrors.insert(proc, std::mem::take(&mut sweeps.loops));
        let recomputed = std::mem::take(&mut work.context.recomputed);
        work.compute_afresh(doc, &mut sweeps, recomputed);
        // Targets of pointers that the forward sweep associates are read through the pointers later.
        doc.procs[proc].body = Body::Flow(std::mem::take(&mut sweeps.forward));
        let mut pointed_to = work.tools.named(doc);
        pointed_to.retain(|&symbol| doc.has(symbol, Attr::Target));
        work.context.pointed_to = pointed_to;
        if let Body::Flow(forward) = std::mem::replace(&mut doc.procs[proc].body, Body::Interface) {
            sweeps.forward = forward;
        }
        work.context.sweeps = Some(sweeps);
        Ok(())
    }
}

/// Sums in scalars what innermost loops of the backward sweep add to one element.
pub(crate) struct Reductions;

impl Pass<Reverse> for Reductions {
    fn about(&self) -> &'static About {
        &About {
            name: "reductions",
            need: Need::Optimisation,
            summary: "Adds up in a scalar the increments that an innermost loop makes to one element.",
            reads: "dependences",
            writes: "the backward sweep",
            source: "Allen and Kennedy 2001, 6.2",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        if let Some(mut sweeps) = work.context.sweeps.take() {
            work.sum_in_variables(doc, &mut sweeps.backward);
            work.context.sweeps = Some(sweeps);
        }
        Ok(())
    }
}

/// Distributes loops of the backward sweep.
pub(crate) struct DistributeLoops;

impl Pass<Reverse> for DistributeLoops {
    fn about(&self) -> &'static About {
        &About {
            name: "distribute-loops",
            need: Need::Optimisation,
            summary: "Splits loops that scatter increments into loops that compilers can vectorise.",
            reads: "dependences",
            writes: "the backward sweep",
            source: "Allen and Kennedy 2001, 2.4",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        if let Some(sweeps) = &mut work.context.sweeps {
            let adjoints = work.tools.parts.derivatives();
            let private = HashSet::new();
            let known = Known { storage: &work.storage, adjoints: &adjoints, private: &private };
            distribute(doc, &mut sweeps.backward, &known);
        }
        Ok(())
    }
}

/// Makes one body of the sweeps.
pub(crate) struct JoinSweeps;

impl Pass<Reverse> for JoinSweeps {
    fn about(&self) -> &'static About {
        &About {
            name: "join-sweeps",
            need: Need::Required,
            summary: "Sets adjoints of locals to zero, keeps persistent state, and makes one body of the sweeps.",
            reads: "persistent state, declarations",
            writes: "bodies",
            source: "paper 3, 3.5",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let Some(sweeps) = work.context.sweeps.take() else { return Ok(()) };
        work.join_sweeps(doc, sweeps).map_err(|problem| Diagnostics::from_iter([problem]))
    }
}

impl Adjoint<'_> {
    fn join_sweeps(&mut self, doc: &mut Document, sweeps: Reversed) -> Result<(), Diagnostic> {
        doc.procs[self.proc].body = Body::Flow(sweeps.backward);
        let left = self.begin_backward(doc)?;
        let kept = std::mem::take(&mut self.context.activation);
        match self.tools.parts.sweep_of(self.proc) {
            Sweep::Both => self.both(doc, sweeps.forward, &left),
            Sweep::Forward => self.only_forward(doc, sweeps.forward, kept)?,
            Sweep::Backward => return self.only_backward(doc, sweeps.forward, kept),
        }
        self.begin_forward(doc)
    }

    /// Writes the entry of the backward sweep, which is the body: adjoints of local variables are zero,
    /// those of others are there already, unless their originals were allocated in the forward sweep. Returns the
    /// persistent state that the program leaves.
    fn begin_backward(
        &mut self,
        doc: &mut Document,
    ) -> Result<Vec<persistent_state::Kept>, Diagnostic> {
        let pointed_to = std::mem::take(&mut self.context.pointed_to);
        let locals = self.adjoints_of_locals(doc, &pointed_to);
        let follow = self.followed_variables(doc)?;
        let reallocated = std::mem::take(&mut self.context.reallocated);
        let left = self.kept_afterwards(doc);
        let foreign = self.foreign_adjoints(doc);
        rewrite_entry(doc, self.proc, |e| {
            persistent_state::keep(e, &left);
            for call in &follow {
                e.stmt(call.clone(), Place::default());
            }
            for &symbol in &reallocated {
                self.follow_reallocated(e, symbol)?;
            }
            for &adjoint in &foreign {
                let object = whole(e.doc, adjoint, Place::default());
                self.tools.zero_with_pointees(e, object)?;
            }
            self.begin_kept(e)?;
            locals.iter().try_for_each(|&(original, symbol)| {
                let place = e.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
                let object = whole(e.doc, original, place.unwrap_or_default());
                match self.storage.procedures().is_static(original) {
                    true => self.renew(e, object),
                    false => self.begin(e, object, false),
                }
            })
        })?;
        Ok(left)
    }

    /// Calls that let adjoints of module variables follow their originals. Such variables need no statement
    /// of their own at the entry.
    fn followed_variables(&mut self, doc: &mut Document) -> Result<Vec<StmtKind>, Diagnostic> {
        let mut of_modules = self.tools.outer_of(doc);
        of_modules.retain(|&symbol| !doc.has(symbol, Attr::Pointer));
        self.context.reallocated.retain(|symbol| !of_modules.contains(symbol));
        self.tools.follower_calls(doc, &of_modules)
    }

    /// Lets the adjoint of a variable that the procedure may allocate follow it.
    fn follow_reallocated(
        &mut self,
        e: &mut Emitter<'_>,
        symbol: SymbolId,
    ) -> Result<(), Diagnostic> {
        let object = whole(e.doc, symbol, Place::default());
        let optional = e.doc.has(symbol, Attr::Optional);
        if optional {
            let given = exists(e.doc, object, "present");
            e.open_if(given, Place::default());
        }
        self.follow(e, object)?;
        if optional {
            e.close_if();
        }
        Ok(())
    }

    /// Makes the body of both sweeps; what the program leaves in persistent state is written at the end.
    fn both(&mut self, doc: &mut Document, forward: Cfg, left: &[persistent_state::Kept]) {
        let body = std::mem::replace(&mut doc.procs[self.proc].body, Body::Interface);
        let Body::Flow(backward) = body else { return };
        let mut whole = reversal::append(doc, forward, backward);
        if !left.is_empty() {
            let (scope, place) = (self.scope(doc), doc.procs[self.proc].place);
            let mut end = Cfg::default();
            let mut e = Emitter::fresh(doc, scope, &mut end, place);
            persistent_state::leave(&mut e, left);
            e.finish();
            whole = reversal::append(doc, whole, end);
        }
        doc.procs[self.proc].body = Body::Flow(whole);
    }

    /// Writes the entry of the forward sweep: pointers of the activation point nowhere, and adjoints of
    /// pointers of modules follow them.
    fn begin_forward(&mut self, doc: &mut Document) -> Result<(), Diagnostic> {
        let mut pointers = self.tools.outer_of(doc);
        pointers.retain(|&symbol| doc.has(symbol, Attr::Pointer));
        let follow = self.tools.follower_calls(doc, &pointers)?;
        rewrite_entry(doc, self.proc, |e| {
            self.nullify_locals(e);
            for call in &follow {
                e.stmt(call.clone(), Place::default());
            }
            Ok(())
        })
    }
}
