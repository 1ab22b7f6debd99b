//! Side effects: which locations of storage each procedure uses and overwrites.
//!
//! For each procedure four sets, in the sense of paper 3, section 3.5, and of the thesis (paper 5,
//! section 4.5): *In*, read before it is certainly overwritten (there called Use); *Use*, read at
//! all; *Out*, perhaps overwritten; *Kill*, certainly overwritten entirely (paper 1, section 5.1).
//! Summaries are made bottom-up over the strongly connected components of the call graph, those of
//! one level in parallel. Locations are those that outlive the activation: variables of modules and
//! COMMON, saved ones, dummy arguments, variables of procedures around it.
//!
//! A procedure without a body is believed what its specification says
//! ([`Externals`]); without one it reads and writes all that it is
//! given and everything global ([`Summary::world`]), and calls every procedure that it is given.
//! What a XAIF 1.0 document tells of statements that it does not show is believed, too.
//! Pointers and allocatables are one with what they point to: associating, allocating and releasing
//! count as overwriting partly.

mod actions;
mod calls;
pub mod chains;
pub mod print;
pub mod record;
mod written_names;

pub use actions::{Action, Actions};
pub use calls::{CallEffects, effects_of_call};
pub use record::{names_for_call, names_in, reference};
pub use written_names::WrittenNames;

use std::cell::Cell;
use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use xaif_schema::model::{ProcId, RefId, SecondaryMap};

use super::access::{Accesses, CallSite};
use super::{Bodies, BodyEvents, LocationId, StepKey, Storage};
use crate::externals::Externals;
use booster_flow::{Analysis, Direction, Step, solve, union};

/// What a procedure does to the locations that outlive its activation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Read before it is certainly overwritten.
    pub input: BTreeSet<LocationId>,
    /// Read.
    pub used: BTreeSet<LocationId>,
    /// Perhaps overwritten, wholly or partly.
    pub out: BTreeSet<LocationId>,
    /// Certainly overwritten entirely, whichever way control takes to the end.
    pub kill: BTreeSet<LocationId>,
    /// Read by the procedure itself, not only by callees.
    pub used_here: BTreeSet<LocationId>,
    /// Overwritten by the procedure itself.
    pub out_here: BTreeSet<LocationId>,
    /// Read in its declarations as it is entered.
    pub on_entry: BTreeSet<LocationId>,
    /// The same sets for properties.
    pub properties: Properties,
    /// The names by which it overwrites what pointers share.
    pub written_names: WrittenNames,
    /// Whether it may also read and write every global location.
    pub world: bool,
    /// Whether that is (also) by a statement of its own, not only by callees.
    pub world_here: bool,
}

/// What is done to properties (allocation, bounds, association, dynamic type, length).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// Read before they are certainly overwritten.
    pub input: BTreeSet<LocationId>,
    /// What of it is read and not overwritten.
    pub only_read: BTreeSet<LocationId>,
    /// Read.
    pub used: BTreeSet<LocationId>,
    /// Perhaps overwritten.
    pub out: BTreeSet<LocationId>,
    /// Certainly overwritten entirely.
    pub kill: BTreeSet<LocationId>,
}

impl Summary {
    /// The values that a later activation may go on from: read before they are overwritten, and overwritten, by value or by
    /// property.
    pub fn goes_on(&self, storage: &Storage) -> BTreeSet<LocationId> {
        let properties = &self.properties;
        let renewed = properties.input.intersection(&properties.out);
        let renewed = renewed.flat_map(|&property| storage.values_with(property));
        self.input.intersection(&self.out).copied().chain(renewed).collect()
    }
}

/// The side effects of all procedures of a document.
#[derive(Clone, Debug)]
pub struct SideEffects {
    summaries: SecondaryMap<ProcId, Summary>,
}

impl SideEffects {
    /// Finds them.
    pub fn new(accesses: &Accesses<'_>, bodies: &Bodies<'_>, externals: &Externals) -> Self {
        let mut effects = SideEffects { summaries: SecondaryMap::new() };
        let graph = bodies.call_graph(accesses);
        for level in graph.bottom_up() {
            let found: Vec<Vec<(ProcId, Summary)>> = level
                .par_iter()
                .map(|component| effects.component(accesses, bodies, externals, component))
                .collect();
            for (proc, summary) in found.into_iter().flatten() {
                effects.summaries[proc] = summary;
            }
        }
        effects
    }

    /// What `proc` does. Empty for a procedure without a body.
    pub fn of(&self, proc: ProcId) -> &Summary {
        &self.summaries[proc]
    }

    /// Lets `proc` read these values before it overwrites them, instead of those that were found: what is executed in the
    /// place of the procedure reads others.
    pub fn set_input(&mut self, proc: ProcId, input: BTreeSet<LocationId>) {
        self.summaries[proc].input = input;
    }

    /// The summaries of a component of the call graph. Recursive procedures are iterated to a fixed point; other
    /// procedures are summarised once.
    fn component(
        &self,
        accesses: &Accesses<'_>,
        bodies: &Bodies<'_>,
        externals: &Externals,
        component: &[ProcId],
    ) -> Vec<(ProcId, Summary)> {
        let empty = |&proc: &ProcId| (proc, Recursive::default());
        let mut found = Component {
            outside: self,
            own: component.iter().map(empty).collect(),
            is_recursive: Cell::new(false),
        };
        loop {
            let mut changed = false;
            found.is_recursive.set(false);
            for index in 0..found.own.len() {
                let Some(body) = bodies.get(found.own[index].0) else { continue };
                let summary = summarise(accesses, body, externals, &found);
                changed |= found.own[index].1.summary != summary;
                found.own[index].1 = Recursive::new(summary);
            }
            if !changed || !found.is_recursive.get() {
                return found.own.into_iter().map(|(proc, own)| (proc, own.summary)).collect();
            }
        }
    }
}

/// The summaries of procedures.
pub trait Summaries {
    /// What `proc` does, as far as it is known. Empty for a procedure without a body.
    fn of(&self, proc: ProcId) -> &Summary;
}

impl Summaries for SideEffects {
    fn of(&self, proc: ProcId) -> &Summary {
        &self.summaries[proc]
    }
}

/// A component of the call graph whose summaries are being found.
struct Component<'a> {
    /// The summaries of all procedures below.
    outside: &'a SideEffects,
    own: Vec<(ProcId, Recursive)>,
    /// Whether a procedure of the component calls one of it.
    is_recursive: Cell<bool>,
}

/// The summary of a procedure of a component.
#[derive(Default)]
struct Recursive {
    summary: Summary,
    /// The same for callers of the component. An unfinished summary kills nothing, so that the sets can only grow.
    without_kill: Summary,
}

impl Recursive {
    fn new(summary: Summary) -> Self {
        let mut without_kill = summary.clone();
        without_kill.kill.clear();
        without_kill.properties.kill.clear();
        Recursive { summary, without_kill }
    }
}

impl Summaries for Component<'_> {
    fn of(&self, proc: ProcId) -> &Summary {
        match self.own.iter().find(|(other, _)| *other == proc) {
            Some((_, own)) => {
                self.is_recursive.set(true);
                &own.without_kill
            }
            None => self.outside.of(proc),
        }
    }
}

/// The effects of one body, with the summaries of its callees.
fn summarise(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    externals: &Externals,
    summaries: &dyn Summaries,
) -> Summary {
    let actions = Actions::new(accesses, body, externals, summaries);
    let live = solve(&body.flow, &Exposed { actions: &actions });
    let kept = solve(&body.flow, &Kept { actions: &actions });
    let mut input = FixedBitSet::with_capacity(actions.locations.len());
    for entry in body.flow.entries() {
        input.union_with(live.before(entry));
    }
    let exit = body.flow.cfg.layout.iter().rev().find(|&&vertex| {
        matches!(body.flow.cfg.vertices[vertex].kind, xaif_schema::model::VertexKind::Exit)
    });
    let is_property = |location: LocationId| accesses.storage().locations()[location].property;
    let seen = |set: &FixedBitSet, property: bool| -> BTreeSet<LocationId> {
        let locations = set.ones().map(|index| actions.locations[index]);
        let locations = locations.filter(|&location| is_property(location) == property);
        locations.filter(|&location| actions.outlives(accesses, location)).collect()
    };
    let outliving = |set: &FixedBitSet| seen(set, false);
    let killed = exit.map(|&exit| {
        let mut killed = kept.after(exit).clone();
        killed.toggle_range(..);
        killed.intersect_with(&actions.out);
        killed
    });
    let killed = killed.unwrap_or_default();
    let (asked, reshaped) = (seen(&input, true), seen(&actions.out, true));
    let properties = Properties {
        only_read: asked.difference(&reshaped).copied().collect(),
        input: asked,
        used: seen(&actions.used, true),
        out: reshaped,
        kill: seen(&killed, true),
    };
    let effects_of = |call: &CallSite<'_>| effects_of_call(accesses, call, externals, summaries);
    let written_names = WrittenNames::of_body(accesses, body, summaries, &effects_of);
    let mut summary = Summary {
        input: outliving(&input),
        used: outliving(&actions.used),
        out: outliving(&actions.out),
        kill: outliving(&killed),
        properties,
        written_names,
        used_here: outliving(&actions.used_here),
        out_here: outliving(&actions.out_here),
        on_entry: outliving(&actions.on_entry),
        world: actions.world,
        world_here: actions.world_here,
    };
    add_given(accesses, body.proc, &mut summary);
    summary
}

/// A XAIF 1.0 document shows nothing but a marker of statements that move no real numbers; what they
/// do to other variables only its lists tell.
fn add_given(accesses: &Accesses<'_>, proc: ProcId, summary: &mut Summary) {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let given = &doc.procs[proc].effects;
    let locations = |list: &Option<Vec<RefId>>| -> Vec<LocationId> {
        let undeclared = list
            .iter()
            .flatten()
            .filter(|&&reference| doc.symbols[doc.refs[reference].base].decl.is_none());
        let locations = undeclared.flat_map(|&reference| storage.locations_of(doc, reference));
        locations.filter(|&location| !storage.locations()[location].continuous).collect()
    };
    summary.out.extend(locations(&given.modified));
    summary.out_here.extend(locations(&given.mod_local));
    summary.used.extend(locations(&given.read));
    summary.input.extend(locations(&given.read));
    summary.used_here.extend(locations(&given.read_local));
}

/// Which locations are read before they are certainly overwritten: backward, union.
pub(crate) struct Exposed<'a> {
    pub(crate) actions: &'a Actions,
}

impl Analysis for Exposed<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.actions.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.bottom()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        self.actions.expose(StepKey::of(step), state);
    }
}

/// Which locations may still have (partly) the value that they had on entry: forward, union.
struct Kept<'a> {
    actions: &'a Actions,
}

impl Analysis for Kept<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.actions.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        let mut all = self.bottom();
        all.insert_range(..);
        all
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        for action in self.actions.of(StepKey::of(step)) {
            if let Action::Define { locations, entirely: true, .. } = action {
                locations.iter().for_each(|&location| state.set(location as usize, false));
            }
        }
    }
}
