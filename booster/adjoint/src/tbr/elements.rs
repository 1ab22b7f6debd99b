//! Needs of elements: a statement that overwrites `r(i)` records it only where an adjoint reads that very element and was
//! executed before (array regions of paper 1, section 3, told by dependence tests instead of bounds).
//!
//! The equations know locations. An array has further numbers in its frame, one for each class of needs: those that the
//! same assignments may overwrite afterwards. A need has the number of its class, an assignment overwrites those
//! classes that it may touch, and the number of the array itself, which stands for what is required from elsewhere: at entry, by
//! calls, by names. As an iteration of a loop begins, a need gets another number: from there on other assignments may overwrite it.
//!
//! Not for pointers, for needs without a reference, or where control jumps into loops: these have the number of the array.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;
use xaif_schema::model::{RefId, StmtKind, SymbolId, VertexId, VertexKind};

use super::frame::{Frame, Need, Numbers};
use super::names::Name;
use booster_facts::dependence::{Access, Order, When, has_elements};
use booster_facts::{Accesses, BodyEvents, StepKey};
use booster_flow::Step;

/// The most assignments of elements of an array that are told apart.
const MOST_WRITES: usize = 64;

/// The most pairs of needs and assignments of an array that are compared.
const MOST_PAIRS: usize = 4096;

/// The most classes of a body.
const MOST_CLASSES: usize = 1024;

/// A need or an overwriting of a step, by its position there.
#[derive(Clone, Copy, Debug)]
struct Found {
    key: StepKey,
    position: usize,
    sort: Sort,
    access: Access,
}

/// The kinds of needs and overwritings of a step, in the order of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A need of the values before the step.
    Need,
    Write,
    /// A need of the values behind the step.
    Result,
    /// A need of a callee behind the call.
    Callee,
}

/// The changes of numbers as an iteration of a loop begins, by the head of the loop.
#[derive(Debug, Default)]
struct Ages(BTreeMap<VertexId, BTreeSet<(u32, u32)>>);

impl Ages {
    /// Adds those of a need: `heads` are the loops around it, outer ones first, and behind the first of `numbers` those of these
    /// loops.
    fn add(&mut self, heads: &[VertexId], numbers: &[u32]) {
        for (level, &head) in heads.iter().enumerate() {
            let Some(&to) = numbers.get(level + 1) else { continue };
            // The next iteration of a loop is one after all iterations of the loops within.
            let inner = numbers.first().into_iter().chain(numbers.iter().skip(level + 2));
            let changes = inner.filter(|&&from| from != to).map(|&from| (from, to));
            self.0.entry(head).or_default().extend(changes);
        }
    }
}

/// The counted loops around a need, outer ones first, and the assignments that may overwrite it afterwards: in the iteration in which
/// it arises, then behind the beginning of an iteration of each of these loops.
fn overwritten(
    order: &Order<'_>,
    need: &Found,
    writes: &[Found],
    settled: &HashSet<SymbolId>,
) -> (Vec<VertexId>, Vec<u64>) {
    let around = order.loops_around(need.access.vertex);
    let counted: Vec<usize> = (0..around.len()).filter(|&level| around[level].1).collect();
    let heads = counted.iter().map(|&level| around[level].0).collect();
    let whens = std::iter::once(None).chain(counted.iter().map(|&level| Some(level)));
    let masks = whens.map(|begun| {
        let may_follow = |write: &Found| {
            let meet = |when| order.meet(need.access, write.access, when, settled);
            let common = order.common(need.access, write.access);
            // Nothing tells of the iterations of a loop that is not counted.
            let mut others = (0..common).filter(|&level| !around[level].1);
            let now = match begun.filter(|&level| level < common) {
                Some(level) => When::Earlier(level),
                None => When::Same,
            };
            meet(now) || others.any(|level| meet(When::Earlier(level)))
        };
        let bits = writes.iter().enumerate().filter(|(_, write)| may_follow(write));
        bits.fold(0_u64, |all, (bit, _)| all | 1 << bit)
    });
    let masks = masks.collect();
    (heads, masks)
}

/// What is found of an array.
#[derive(Debug, Default)]
struct Array {
    needs: Vec<Found>,
    writes: Vec<Found>,
}

impl Frame {
    /// Gives each class of needs of an array a number of its own.
    pub(super) fn divide_needs(&mut self, accesses: &Accesses<'_>, body: &BodyEvents<'_>) {
        let arrays = self.arrays(accesses, body);
        if arrays.is_empty() {
            return;
        }
        let Some(order) = Order::new(accesses, body.flow.cfg) else { return };
        let settled = self.settled(accesses);
        let mut touched: HashMap<(StepKey, usize), Numbers> = HashMap::new();
        let mut ages = Ages::default();
        let mut made = 0;
        for (number, array) in arrays {
            let mut classes: Vec<(u64, u32)> = Vec::new();
            let mut by_loops: BTreeMap<(Vec<VertexId>, Vec<u64>), Vec<u32>> = BTreeMap::new();
            let everything = u64::MAX >> (64 - array.writes.len());
            for need in &array.needs {
                let (heads, masks) = overwritten(&order, need, &array.writes, &settled);
                if masks.iter().all(|&mask| mask == everything) {
                    continue;
                }
                let key = (heads, masks);
                if !by_loops.contains_key(&key) {
                    if made + key.1.len() > MOST_CLASSES {
                        continue;
                    }
                    made += key.1.len();
                    let numbers = self.numbers_of(number, &key.1, &mut classes);
                    ages.add(&key.0, &numbers);
                    by_loops.insert(key.clone(), numbers);
                }
                let first = by_loops.get(&key).and_then(|numbers| numbers.first());
                if let (Some(&class), Some(own)) = (first, self.number_of(need)) {
                    *own = class;
                }
            }
            for (bit, write) in array.writes.iter().enumerate() {
                let own = classes.iter().filter(|(mask, _)| *mask & (1 << bit) != 0);
                let own = own.map(|&(_, class)| class).collect();
                touched.insert((write.key, write.position), own);
            }
            if !classes.is_empty() {
                let numbers = classes.into_iter().map(|(_, class)| class).collect();
                self.classes.insert(number, numbers);
            }
        }
        self.spread(&touched);
        self.age(body, &ages);
    }

    /// The numbers of a need: one in the iteration in which it arises, and one for each loop whose next iteration has begun.
    ///
    /// From the innermost loop outwards, a number that means the same as the one before is that one.
    fn numbers_of(
        &mut self,
        number: u32,
        masks: &[u64],
        classes: &mut Vec<(u64, u32)>,
    ) -> Vec<u32> {
        let mut found = vec![0; masks.len()];
        let mut last: Option<(u64, u32)> = None;
        for position in std::iter::once(0).chain((1..masks.len()).rev()) {
            let mask = masks[position];
            let class = match last {
                Some((same, class)) if same == mask => class,
                Some(_) | None => {
                    let next = self.locations.len() as u32;
                    self.locations.push(self.locations[number as usize]);
                    classes.push((mask, next));
                    next
                }
            };
            found[position] = class;
            last = Some((mask, class));
        }
        found
    }

    /// Notes at the steps that begin iterations which numbers needs have from there on.
    fn age(&mut self, body: &BodyEvents<'_>, ages: &Ages) {
        for (&head, changes) in &ages.0 {
            let VertexKind::ForLoop { update, .. } = body.flow.cfg.vertices[head].kind else {
                continue;
            };
            let acts = self.steps.entry(StepKey::Stmt(update)).or_default();
            acts.ages = changes.iter().copied().collect();
        }
    }

    /// The arrays of which elements are needed and overwritten by names that tell which.
    fn arrays(&self, accesses: &Accesses<'_>, body: &BodyEvents<'_>) -> BTreeMap<u32, Array> {
        let doc = accesses.doc();
        let locations = accesses.storage().locations();
        let mut arrays: BTreeMap<u32, Array> = BTreeMap::new();
        for (number, at) in body.steps.iter().enumerate() {
            let Step::Stmt(stmt) = at.step else { continue };
            let is_block =
                matches!(body.flow.cfg.vertices[at.vertex].kind, VertexKind::BasicBlock { .. });
            let key = StepKey::of(at.step);
            let Some(acts) = self.of(key).filter(|_| is_block) else { continue };
            let found = |position, reference: RefId, sort| Found {
                key,
                position,
                sort,
                access: Access { reference, vertex: at.vertex, rank: (number, sort as u8) },
            };
            let mut need = |list: &[Need], sort| {
                for (position, need) in list.iter().enumerate() {
                    let location = &locations[self.locations[need.location as usize]];
                    let Some(reference) = need.within.filter(|&one| has_elements(doc, one)) else {
                        continue;
                    };
                    if !location.property && !location.pointers {
                        let array = arrays.entry(need.location).or_default();
                        array.needs.push(found(position, reference, sort));
                    }
                }
            };
            match &acts.recompute {
                Some(recompute) => need(&recompute.operands, Sort::Need),
                None => {
                    need(&acts.needs, Sort::Need);
                    need(&acts.results, Sort::Result);
                }
            }
            for (position, through) in acts.through.iter().enumerate() {
                let location = &locations[self.locations[through.location as usize]];
                if !location.property && !location.pointers {
                    let array = arrays.entry(through.location).or_default();
                    array.needs.push(found(position, through.actual, Sort::Callee));
                }
            }
            let plain = match &doc.stmts[stmt].kind {
                StmtKind::Assign { defined, .. } => defined.is_none(),
                StmtKind::Call(_) => true,
                StmtKind::PointerAssign { .. }
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => false,
            };
            for (position, write) in acts.writes.iter().enumerate().filter(|_| plain) {
                if let (Name::Ref(reference), [location]) = (&write.name, &write.locations[..])
                    && has_elements(doc, *reference)
                {
                    let array = arrays.entry(*location).or_default();
                    array.writes.push(found(position, *reference, Sort::Write));
                }
            }
        }
        arrays.retain(|_, Array { needs, writes }| {
            !needs.is_empty()
                && (1..=MOST_WRITES).contains(&writes.len())
                && needs.len() * writes.len() <= MOST_PAIRS
        });
        arrays
    }

    fn number_of(&mut self, found: &Found) -> Option<&mut u32> {
        let acts = self.steps.get_mut(&found.key)?;
        let need = match (&mut acts.recompute, found.sort) {
            (Some(recompute), _) => recompute.operands.get_mut(found.position),
            (None, Sort::Need) => acts.needs.get_mut(found.position),
            (None, Sort::Result) => acts.results.get_mut(found.position),
            (None, Sort::Callee) => {
                return acts.through.get_mut(found.position).map(|through| &mut through.behind);
            }
            (None, Sort::Write) => None,
        };
        need.map(|need| &mut need.location)
    }

    /// Adds the classes to what steps do with an array: to those of `touched` the classes that they may overwrite.
    fn spread(&mut self, touched: &HashMap<(StepKey, usize), Numbers>) {
        let classes = &self.classes;
        let all = |numbers: &mut Numbers| {
            let more: Numbers = numbers
                .iter()
                .filter_map(|number| classes.get(number))
                .flatten()
                .copied()
                .collect();
            numbers.extend(more);
        };
        for (&key, acts) in &mut self.steps {
            all(&mut acts.kill);
            acts.moved.iter_mut().for_each(|(from, _)| all(from));
            acts.recompute.iter_mut().for_each(|recompute| all(&mut recompute.value));
            for (position, write) in acts.writes.iter_mut().enumerate() {
                match touched.get(&(key, position)) {
                    Some(own) => write.locations.extend(own.iter().copied()),
                    None => all(&mut write.locations),
                }
            }
            for through in &mut acts.through {
                let writes = acts.writes.iter();
                let own = writes.filter(|write| write.name == Name::Ref(through.actual));
                match own.map(|write| &write.locations).next() {
                    Some(own) if own.first() == Some(&through.location) => {
                        through.overwritten.clone_from(own);
                    }
                    Some(_) | None => all(&mut through.overwritten),
                }
            }
        }
    }

    /// The variables that no step overwrites.
    fn settled(&self, accesses: &Accesses<'_>) -> HashSet<SymbolId> {
        let locations = accesses.storage().locations();
        let written: HashSet<u32, FixedState> = self
            .steps
            .values()
            .flat_map(|acts| acts.writes.iter().flat_map(|write| write.locations.iter().copied()))
            .collect();
        let numbers = (0..self.locations.len() as u32).filter(|number| !written.contains(number));
        let members =
            numbers.flat_map(|number| &locations[self.locations[number as usize]].members);
        members.filter(|member| member.path.is_empty()).map(|member| member.symbol).collect()
    }
}
