//! Executes a list of passes on a document.

use std::time::{Duration, Instant};

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, ProcId};

use super::{About, Mode, Need, Pass, Selection, Step};

/// Sees the document behind each pass: for times, copies and verification.
pub trait Observer {
    /// Called behind a pass with the time that it took on all procedures. `doc` is absent where other
    /// passes have to follow before the document is whole again.
    ///
    /// # Errors
    /// What is wrong with the document; the run ends with it.
    fn after(
        &mut self,
        about: &'static About,
        time: Duration,
        doc: Option<&Document>,
    ) -> Result<(), Diagnostics>;
}

/// Sees nothing.
impl Observer for () {
    fn after(
        &mut self,
        _: &'static About,
        _: Duration,
        _: Option<&Document>,
    ) -> Result<(), Diagnostics> {
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Behind the last pass.
    Finished,
    /// Behind the pass that [`Selection::until`] names.
    Stopped,
}

/// Executes the passes of `steps` that `selection` wants.
///
/// Where `selection` stops within the passes of [`Step::Each`], the optimisations behind that pass are left out
/// and the required passes are executed, so the document is whole.
///
/// # Errors
/// Those of the passes and of the observer, and those of the report behind passes on procedures and in the end.
pub fn run<M: Mode>(
    steps: &[Step<M>],
    doc: &mut Document,
    work: &mut M::Work<'_>,
    (selection, observer): (&Selection, &mut dyn Observer),
) -> Result<End, Diagnostics> {
    for step in steps {
        let end = match step {
            Step::Once(pass) => once(*pass, doc, work, (selection, observer))?,
            Step::Each(passes) => each(passes, doc, work, (selection, observer))?,
        };
        if end == End::Stopped {
            return Ok(end);
        }
    }
    failed::<M>(work)?;
    Ok(End::Finished)
}

fn once<M: Mode>(
    pass: &dyn Pass<M>,
    doc: &mut Document,
    work: &mut M::Work<'_>,
    (selection, observer): (&Selection, &mut dyn Observer),
) -> Result<End, Diagnostics> {
    let about = pass.about();
    if selection.wants(about) {
        let start = Instant::now();
        pass.run(doc, work)?;
        observer.after(about, start.elapsed(), Some(doc))?;
    }
    Ok(end(selection, about))
}

fn end(selection: &Selection, about: &About) -> End {
    if selection.stops_behind(about) { End::Stopped } else { End::Finished }
}

/// One procedure after the other: a later procedure finds the earlier ones finished. A procedure that cannot
/// be differentiated does not hide the errors of the next one.
fn each<M: Mode>(
    passes: &[&'static dyn Pass<M>],
    doc: &mut Document,
    work: &mut M::Work<'_>,
    (selection, observer): (&Selection, &mut dyn Observer),
) -> Result<End, Diagnostics> {
    let last = passes.iter().position(|pass| selection.stops_behind(pass.about()));
    let wanted: Vec<&dyn Pass<M>> = passes
        .iter()
        .enumerate()
        .filter(|(position, pass)| {
            let about = pass.about();
            let behind = last.is_some_and(|last| *position > last);
            selection.wants(about) && (!behind || about.need == Need::Required)
        })
        .map(|(_, pass)| *pass)
        .collect();
    let mut times = vec![Duration::ZERO; wanted.len()];
    for proc in M::procedures(work) {
        if let Err(problems) = procedure(&wanted, doc, work, (proc, &mut times)) {
            M::report(work).extend(problems);
        }
    }
    failed::<M>(work)?;
    let count = wanted.len();
    for (position, (pass, time)) in wanted.into_iter().zip(times).enumerate() {
        let whole = (position + 1 == count).then_some(&*doc);
        observer.after(pass.about(), time, whole)?;
    }
    Ok(if last.is_some() { End::Stopped } else { End::Finished })
}

fn procedure<M: Mode>(
    passes: &[&dyn Pass<M>],
    doc: &mut Document,
    work: &mut M::Work<'_>,
    (proc, times): (ProcId, &mut [Duration]),
) -> Result<(), Diagnostics> {
    M::enter(work, proc);
    for (pass, time) in passes.iter().zip(times) {
        let start = Instant::now();
        pass.run(doc, work)?;
        *time += start.elapsed();
    }
    Ok(())
}

/// The errors of the report, if there are any.
fn failed<M: Mode>(work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
    let report = M::report(work);
    if report.has_errors() { Err(std::mem::take(report)) } else { Ok(()) }
}
