//! Whether one access may touch an element before another access touches the same one.
//!
//! Two accesses within common loops are executed in one of several orders: in the same iteration of all common loops, as the text
//! stands, or the first in an earlier iteration of one of them and in the same iteration of those around that one (dependence
//! direction; Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2.2.2). Each order has its own test of
//! the subscripts. A loop that is not counted says nothing of the variables within.
//!
//! Not for graphs where control jumps into a loop, or where loops overlap.

use std::collections::{BTreeMap, HashSet};

use xaif_schema::model::{Attr, Cfg, Document, RefId, SecondaryMap, SymbolId, VertexId};

use super::{Iterations, Range, Seen, are_apart};
use crate::loops::{Loop, loops};
use crate::{Accesses, Storage};

/// An access of an element or section.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The reference.
    pub reference: RefId,
    /// The vertex at which it is executed.
    pub vertex: VertexId,
    /// Its rank among the accesses of one iteration: by statement, then within the statement.
    pub rank: (usize, u8),
}

/// The iterations in which one access follows another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In the same iteration of all common loops.
    Same,
    /// In a later iteration of the common loop of this number, and in the same iteration of those around it.
    Earlier(usize),
}

/// The loops of a body, counted and others.
#[derive(Debug)]
pub struct Order<'d> {
    doc: &'d Document,
    storage: &'d Storage,
    layout: Vec<VertexId>,
    positions: SecondaryMap<VertexId, usize>,
    /// By the position of the head; the loop around each is told by its number.
    nests: Vec<Nest>,
}

#[derive(Debug)]
struct Nest {
    head: usize,
    end: usize,
    outer: Option<usize>,
    /// The variable and its step, of a counted loop.
    counted: Option<(Range, i64)>,
}

impl<'d> Order<'d> {
    /// The loops of a body; `None` where control jumps into a loop, or loops overlap.
    pub fn new(accesses: &Accesses<'d>, cfg: &Cfg) -> Option<Self> {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let mut positions = SecondaryMap::with_default(usize::MAX);
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            positions[vertex] = position;
        }
        let layout = cfg.layout.clone();
        let mut order = Order { doc, storage, layout, positions, nests: Vec::new() };
        order.find(cfg)?;
        order.is_entered_at_heads(cfg).then_some(order)
    }

    fn find(&mut self, cfg: &Cfg) -> Option<()> {
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        for edge in cfg.edges.values() {
            let (source, target) = (self.positions[edge.source], self.positions[edge.target]);
            if target <= source {
                let end = ends.entry(target).or_default();
                *end = source.max(*end);
            }
        }
        let counted: BTreeMap<usize, Loop> =
            loops(self.doc, cfg).into_iter().map(|one| (one.head, one)).collect();
        let mut open: Vec<usize> = Vec::new();
        for (head, end) in ends {
            while open.pop_if(|outer| self.nests[*outer].end < head).is_some() {}
            let outer = open.last().copied();
            if outer.is_some_and(|outer| self.nests[outer].end < end) {
                return None;
            }
            let own = counted.get(&head).filter(|one| one.end == end);
            let counted = own.map(|one| {
                let (variable, rising) = (one.variable, one.step > 0);
                (Range { variable, first: one.lower, last: one.upper, rising }, one.step)
            });
            open.push(self.nests.len());
            self.nests.push(Nest { head, end, outer, counted });
        }
        Some(())
    }

    fn is_entered_at_heads(&self, cfg: &Cfg) -> bool {
        cfg.edges.values().all(|edge| {
            let (source, target) = (self.positions[edge.source], self.positions[edge.target]);
            self.around(target).into_iter().all(|number| {
                let nest = &self.nests[number];
                nest.head == target || (nest.head..=nest.end).contains(&source)
            })
        })
    }

    /// The loops around a position, outer ones first.
    fn around(&self, position: usize) -> Vec<usize> {
        let last = self.nests.partition_point(|nest| nest.head <= position).checked_sub(1);
        let outwards = std::iter::successors(last, |&number| self.nests[number].outer);
        let mut found: Vec<usize> =
            outwards.filter(|&number| position <= self.nests[number].end).collect();
        found.reverse();
        found
    }

    /// The loops around a vertex, outer ones first: their heads, and whether they are counted.
    pub fn loops_around(&self, vertex: VertexId) -> Vec<(VertexId, bool)> {
        let around = self.around(self.positions[vertex]);
        around
            .into_iter()
            .map(|number| {
                let nest = &self.nests[number];
                (self.layout[nest.head], nest.counted.is_some())
            })
            .collect()
    }

    /// Whether `first` may touch an element that `second` touches afterwards, while the `fixed` outermost common loops are in
    /// one iteration. `settled` are variables that nobody overwrites.
    pub fn may_precede_within(
        &self,
        first: Access,
        second: Access,
        fixed: usize,
        settled: &HashSet<SymbolId>,
    ) -> bool {
        let mut whens = (fixed..self.common(first, second)).map(When::Earlier);
        self.meet(first, second, When::Same, settled)
            || whens.any(|when| self.meet(first, second, when, settled))
    }

    /// The number of loops around both accesses.
    pub fn common(&self, first: Access, second: Access) -> usize {
        self.around_both(first, second).1
    }

    /// The loops around each access, and how many are around both.
    fn around_both(&self, first: Access, second: Access) -> ([Vec<usize>; 2], usize) {
        let around = [first, second].map(|access| self.around(self.positions[access.vertex]));
        let common = around[0].iter().zip(&around[1]).take_while(|(a, b)| a == b).count();
        (around, common)
    }

    /// Whether both accesses may touch the same element, `first` before `second` as `when` says.
    pub fn meet(
        &self,
        first: Access,
        second: Access,
        when: When,
        settled: &HashSet<SymbolId>,
    ) -> bool {
        let (around, common) = self.around_both(first, second);
        match when {
            When::Same if first.rank >= second.rank => return false,
            When::Earlier(level) if level >= common => return false,
            When::Same | When::Earlier(_) => {}
        }
        if self.may_change_place(first.reference) {
            return true;
        }
        let ranges = [&around[0], &around[1]].map(|around| self.ranges(around));
        let seen = |number: usize| {
            let reference = [first, second][number].reference;
            Seen { reference, around: &ranges[number] }
        };
        let counted = |level: usize| self.ranges(&around[0][..level]).len();
        let iterations = match when {
            When::Same => Iterations { shared: counted(common), earlier: None },
            When::Earlier(level) => {
                let earlier = self.nests[around[0][level]].counted.map(|(_, step)| step);
                Iterations { shared: counted(level), earlier }
            }
        };
        !are_apart(self.doc, [seen(0), seen(1)], iterations, settled)
    }

    fn ranges(&self, around: &[usize]) -> Vec<Range> {
        around
            .iter()
            .filter_map(|&number| self.nests[number].counted.map(|(range, _)| range))
            .collect()
    }

    /// Whether a reference may name other memory each time, whatever its subscripts.
    fn may_change_place(&self, reference: RefId) -> bool {
        let base = self.doc.refs[reference].base;
        self.doc.has(base, Attr::Pointer) && !self.storage.stays_in_place(self.doc, base)
    }
}
