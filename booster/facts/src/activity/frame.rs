//! A procedure as the equations see it: numbered variables, and effects on them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Index;
use std::sync::Arc;

use xaif_schema::model::{ProcId, RefId};

use super::dep::{Dep, Effect, Update, Var, VarSet};
use super::equations::Effects;
use super::program::{Body, Call, Carrier, Piece, Plain, Program, Read, Way};
use crate::LocationId;

/// The variables of a procedure: what it or its callees read or write, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    carriers: Vec<Carrier>,
    numbers: HashMap<Carrier, Var>,
}

impl Frame {
    /// Number of variables.
    pub(super) fn size(&self) -> usize {
        self.carriers.len()
    }

    /// All of them, in the order of their numbers.
    pub(super) fn carriers(&self) -> &[Carrier] {
        &self.carriers
    }

    /// The number of a carrier; `None` where the procedure does not touch it.
    pub(super) fn number(&self, carrier: Carrier) -> Option<Var> {
        self.numbers.get(&carrier).copied()
    }

    /// The locations of a set.
    pub(super) fn locations(&self, set: &VarSet) -> impl Iterator<Item = LocationId> {
        set.ones().filter_map(|var| match self.carriers.get(var)? {
            Carrier::Location(location) => Some(*location),
            Carrier::Value(..) => None,
        })
    }

    /// All locations that the procedure touches.
    pub(super) fn all_locations(&self) -> impl Iterator<Item = LocationId> {
        self.carriers.iter().filter_map(|carrier| match carrier {
            Carrier::Location(location) => Some(*location),
            Carrier::Value(..) => None,
        })
    }

    /// The set of those of `locations` that the procedure touches.
    pub(super) fn set<'u>(&self, locations: impl IntoIterator<Item = &'u LocationId>) -> VarSet {
        let mut set = VarSet::with_capacity(self.size());
        let numbers =
            locations.into_iter().filter_map(|&location| self.number(Carrier::Location(location)));
        set.extend(numbers.map(|var| var as usize));
        set
    }

    /// Whether any of `carriers` is in `set`.
    pub(super) fn any_in(&self, carriers: &[Carrier], set: &VarSet) -> bool {
        let mut numbers = carriers.iter().filter_map(|&carrier| self.number(carrier));
        numbers.any(|var| set.contains(var as usize))
    }

    fn numbers_of<'c>(&self, carriers: impl IntoIterator<Item = &'c Carrier>) -> Vec<Var> {
        let mut vars: Vec<Var> =
            carriers.into_iter().filter_map(|&carrier| self.number(carrier)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}

/// `Dep` of a procedure, as its callers need it: in locations that they may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// What it may overwrite, and on what of before that depends then. Ascending.
    pub(super) rows: Vec<(LocationId, Arc<[LocationId]>)>,
    /// What it or its callees read differentiably. Ascending.
    pub(super) read: Vec<LocationId>,
    /// Every location that it or its callees read differentiably or write, and that may be seen from
    /// outside. Ascending.
    pub(super) touched: Vec<LocationId>,
    /// Whether control may come back. Until it is known that it does, the relation is empty.
    pub(super) returns: bool,
}

impl Summary {
    /// Takes over from `dep` what is visible outside of `proc`.
    pub(super) fn new(
        program: &Program<'_>,
        proc: ProcId,
        frame: &Frame,
        summaries: &impl Index<usize, Output = Summary>,
        dep: Option<&Dep>,
    ) -> Self {
        let visible = |location: &LocationId| program.is_visible(proc, *location);
        let touched: BTreeSet<LocationId> = frame
            .carriers()
            .iter()
            .filter_map(|carrier| match carrier {
                Carrier::Location(location) => Some(*location),
                Carrier::Value(..) => None,
            })
            .filter(visible)
            .collect();
        let mut rows = Vec::new();
        let mut known: BTreeMap<*const VarSet, Arc<[LocationId]>> = BTreeMap::new();
        for (after, before) in dep.into_iter().flat_map(Dep::rows) {
            let Some(Carrier::Location(location)) = frame.carriers().get(after as usize) else {
                continue;
            };
            if visible(location) {
                let row = known.entry(std::ptr::from_ref(before));
                let row = row.or_insert_with(|| frame.locations(before).filter(visible).collect());
                rows.push((*location, Arc::clone(row)));
            }
        }
        rows.sort_unstable_by_key(|(location, _)| *location);
        let read = program.body(proc).map(|body| reads(body, summaries)).unwrap_or_default();
        Summary {
            rows,
            read: read.into_iter().filter(visible).collect(),
            touched: touched.into_iter().collect(),
            returns: dep.is_some(),
        }
    }
}

/// The locations that a procedure or its callees read differentiably.
pub(super) fn reads(
    body: &Body,
    summaries: &impl Index<usize, Output = Summary>,
) -> BTreeSet<LocationId> {
    let mut carriers: BTreeSet<Carrier> = BTreeSet::new();
    for piece in body.pieces() {
        match piece {
            Piece::Plain(plain) => {
                let reads = plain.writes.iter().flat_map(|write| &write.reads);
                carriers.extend(reads.flat_map(|read| read.carriers.iter()));
            }
            Piece::Call(call) => {
                for way in &call.ways {
                    let read = summaries[way.callee()].read.iter();
                    carriers.extend(read.flat_map(|&location| way.reads(location)));
                }
            }
        }
    }
    let location = |carrier| match carrier {
        Carrier::Location(location) => Some(location),
        Carrier::Value(..) => None,
    };
    carriers.into_iter().filter_map(location).collect()
}

/// The summaries of all procedures, by their numbers.
pub(super) type Summaries = Vec<Summary>;

/// The frame of a procedure whose callees have `summaries`.
pub(super) fn frame(body: &Body, summaries: &impl Index<usize, Output = Summary>) -> Frame {
    let mut carriers = BTreeSet::new();
    for piece in body.pieces() {
        match piece {
            Piece::Plain(plain) => {
                for write in &plain.writes {
                    carriers.extend(write.targets.iter());
                    carriers.extend(write.reads.iter().flat_map(|read| read.carriers.iter()));
                }
            }
            Piece::Call(call) => {
                for way in &call.ways {
                    for &location in &summaries[way.callee()].touched {
                        carriers.extend(way.reads(location));
                        carriers.extend(way.writes(location).0);
                    }
                }
            }
        }
    }
    let carriers: Vec<Carrier> = carriers.into_iter().collect();
    let numbers = (0..).zip(&carriers).map(|(var, &carrier)| (carrier, var)).collect();
    Frame { carriers, numbers }
}

/// What the steps of a procedure do to the variables of `frame`.
pub(super) fn effects(
    body: &Body,
    frame: &Frame,
    summaries: &impl Index<usize, Output = Summary>,
) -> Effects {
    let mut steps = HashMap::new();
    for (&step, pieces) in &body.steps {
        let effects: Vec<Effect> =
            pieces.iter().map(|piece| effect(piece, frame, summaries)).collect();
        steps.insert(step, effects);
    }
    Effects { size: frame.size(), steps }
}

/// The effect of one piece; as many as there are pieces, also where nothing happens.
fn effect(piece: &Piece, frame: &Frame, summaries: &impl Index<usize, Output = Summary>) -> Effect {
    match piece {
        Piece::Plain(plain) => effect_of_plain(plain, frame),
        Piece::Call(call) => effect_of_call(call, frame, summaries),
    }
}

fn effect_of_plain(plain: &Plain, frame: &Frame) -> Effect {
    let mut effect: BTreeMap<Var, Update> = BTreeMap::new();
    for write in &plain.writes {
        let reads = write.reads.iter().flat_map(|read| read.carriers.iter());
        let sources: Arc<[Var]> = frame.numbers_of(reads).into();
        for target in frame.numbers_of(write.targets.iter()) {
            let update = Update { target, sources: Arc::clone(&sources), kills: write.kills };
            match effect.get_mut(&target) {
                None => {
                    effect.insert(target, update);
                }
                Some(known) => {
                    known.sources = union(&known.sources, &sources);
                    known.kills |= write.kills;
                }
            }
        }
    }
    effect.into_values().collect()
}

fn union(a: &[Var], b: &[Var]) -> Arc<[Var]> {
    let all: BTreeSet<Var> = a.iter().chain(b).copied().collect();
    all.into_iter().collect()
}

/// One of the ways is taken. A way that does not come back adds nothing; if none does, nothing
/// reaches what follows.
fn effect_of_call(
    call: &Call,
    frame: &Frame,
    summaries: &impl Index<usize, Output = Summary>,
) -> Effect {
    let mut effect: Option<BTreeMap<Var, Update>> = None;
    for way in &call.ways {
        let summary = &summaries[way.callee()];
        if !summary.returns {
            continue;
        }
        let other = effect_of_way(way, summary, frame);
        effect = Some(match effect {
            None => other,
            Some(effect) => either(effect, other),
        });
    }
    match effect {
        Some(effect) => {
            // What else may be executed follows as a piece of its own.
            let weaker = |update: Update| Update { kills: update.kills && !call.open, ..update };
            effect.into_values().map(weaker).collect()
        }
        None if call.open => Effect::new(),
        None => {
            let nothing: Arc<[Var]> = [].into();
            let all = 0..frame.size() as Var;
            all.map(|target| Update { target, sources: Arc::clone(&nothing), kills: true })
                .collect()
        }
    }
}

/// The effect of a call that executes `way.callee`: its `Dep` in the terms of the caller.
fn effect_of_way(way: &Way, summary: &Summary, frame: &Frame) -> BTreeMap<Var, Update> {
    let mut effect: BTreeMap<Var, Update> = BTreeMap::new();
    let mut known: BTreeMap<(*const LocationId, usize), Arc<[Var]>> = BTreeMap::new();
    for (location, row) in &summary.rows {
        let (targets, kills) = way.writes(*location);
        if targets.is_empty() {
            continue;
        }
        let sources = known.entry((row.as_ptr(), row.len())).or_insert_with(|| {
            let outer = row.iter().flat_map(|&location| way.reads(location));
            let mut sources: Vec<Var> = outer.filter_map(|carrier| frame.number(carrier)).collect();
            sources.sort_unstable();
            sources.dedup();
            sources.into()
        });
        for target in frame.numbers_of(&targets) {
            match effect.get_mut(&target) {
                None => {
                    effect.insert(target, Update { target, sources: Arc::clone(sources), kills });
                }
                // Two arguments are parts of one variable.
                Some(known) => {
                    known.sources = union(&known.sources, sources);
                    known.kills &= kills;
                }
            }
        }
    }
    effect
}

/// One or the other happens.
fn either(a: BTreeMap<Var, Update>, b: BTreeMap<Var, Update>) -> BTreeMap<Var, Update> {
    let mut effect = a;
    for update in effect.values_mut().filter(|update| !b.contains_key(&update.target)) {
        update.kills = false;
    }
    for (target, mut update) in b {
        match effect.get_mut(&target) {
            None => {
                update.kills = false;
                effect.insert(target, update);
            }
            Some(known) => {
                known.sources = union(&known.sources, &update.sources);
                known.kills &= update.kills;
            }
        }
    }
    effect
}

/// A piece in which a variable is a source only where it is varied: what is asked of a derivative
/// is asked of those that are not zero by construction. A call asks of all its inputs: a callee has
/// one derivative procedure for all that call it. What reads a structure asks of all its components where one
/// is varied: the derivative object is copied as a whole, and what a callee left in the others with it. So does what
/// reads variables that statement functions read, `shared`: the references in these are those of all calls.
pub(super) fn restricted(
    (frame, shared): (&Frame, &BTreeSet<LocationId>),
    piece: &Piece,
    effect: &Effect,
    varied: &VarSet,
) -> Effect {
    let mut restricted = effect.clone();
    let Piece::Plain(plain) = piece else { return restricted };
    let mut asked = asked_with_others(frame, plain, varied);
    asked.extend(shared.iter().filter_map(|&location| frame.number(Carrier::Location(location))));
    // Pieces that write much write it from the same sources.
    let mut last: Option<[Arc<[Var]>; 2]> = None;
    for update in &mut restricted {
        let same = last.as_ref().filter(|[all, _]| Arc::ptr_eq(all, &update.sources));
        let some = match same {
            Some([_, some]) => Arc::clone(some),
            None => {
                let all = update.sources.iter().copied();
                all.filter(|&source| varied.contains(source as usize) || asked.contains(&source))
                    .collect()
            }
        };
        let all = std::mem::replace(&mut update.sources, Arc::clone(&some));
        last = Some([all, some]);
    }
    restricted
}

/// The references that a piece reads, of which some part is varied.
pub(super) fn partly_varied(frame: &Frame, plain: &Plain, varied: &VarSet) -> BTreeSet<RefId> {
    let reads = plain.writes.iter().flat_map(|write| &write.reads);
    let is_varied = |read: &&Read| frame.any_in(&read.carriers, varied);
    reads.filter(is_varied).filter_map(|read| read.reference).collect()
}

/// The variables that are not varied, of structures of which others are.
fn asked_with_others(frame: &Frame, plain: &Plain, varied: &VarSet) -> BTreeSet<Var> {
    let references = partly_varied(frame, plain, varied);
    let reads = plain.writes.iter().flat_map(|write| &write.reads);
    let of_them = reads.filter(|read| read.reference.is_some_and(|r| references.contains(&r)));
    let carriers = of_them.flat_map(|read| read.carriers.iter());
    carriers.filter_map(|&carrier| frame.number(carrier)).collect()
}
