//! Which members of a portfolio are begun: the first of a fixed order, as far as a number or a clock allows.
//!
//! A portfolio may be tried on several graphs, each member on all of them before the next one: that is an iteration.
//! A clock says how many iterations are begun, and nothing else: they are begun in their order, and each is
//! finished. So that number alone tells the result, and with it the same is had again without a clock.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

/// What may be begun.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    until: Option<Instant>,
    most: Option<usize>,
    begun: Begun,
}

/// What was begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// How many members.
    pub members: usize,
    /// Whether there were more, which were not begun.
    pub stopped: bool,
}

/// A member of a batch on a graph, each by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Within the batch.
    pub(crate) member: usize,
    /// Within the portfolio.
    pub(crate) number: usize,
    pub(crate) graph: usize,
}

impl Turns {
    /// Members are begun for as long as `budget` lasts, and no more than `most`. The first one is begun in
    /// any case.
    pub(crate) fn new(budget: Option<Duration>, most: Option<usize>) -> Turns {
        let until = budget.and_then(|budget| Instant::now().checked_add(budget));
        Turns { until, most, begun: Begun::default() }
    }

    /// What has been begun so far.
    pub(crate) fn begun(&self) -> Begun {
        self.begun
    }

    /// Whether the next member may be begun. Once one may not, none may.
    fn begin(&self, begun: &mut Begun) -> bool {
        let late = || self.until.is_some_and(|until| Instant::now() >= until);
        let over = self.most.is_some_and(|most| begun.members >= most) || late();
        if begun.stopped || over && begun.members > 0 {
            begun.stopped = true;
            return false;
        }
        begun.members += 1;
        true
    }

    /// Does the work of a batch of members for all graphs, on all cores, as far as they may be begun; the results
    /// in order of the members.
    pub(crate) fn batch<R: Send>(
        &mut self,
        (members, graphs): (usize, usize),
        act: impl Fn(Turn) -> Option<R> + Sync,
    ) -> Vec<(Turn, R)> {
        if graphs == 0 {
            return Vec::new();
        }
        let first = self.begun.members;
        let state = Mutex::new((0, self.begun));
        let next = || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (item, begun) = &mut *state;
            if *item % graphs == 0 && !self.begin(begun) {
                return None;
            }
            let member = *item / graphs;
            let turn = Turn { member, number: first + member, graph: *item % graphs };
            *item += 1;
            Some(turn)
        };
        let one = |_: usize| {
            let turn = next()?;
            Some((turn, act(turn)?))
        };
        let items = 0..members * graphs;
        let mut done: Vec<(Turn, R)> = items.into_par_iter().filter_map(one).collect();
        done.sort_by_key(|(turn, _)| (turn.number, turn.graph));
        let (_, begun) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.begun = begun;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The turns of a batch.
    fn all(turns: &mut Turns, members: usize, graphs: usize) -> Vec<(usize, usize)> {
        let done = turns.batch((members, graphs), |turn| {
            std::thread::sleep(Duration::from_micros(500));
            Some(turn)
        });
        done.into_iter().map(|(turn, _)| (turn.number, turn.graph)).collect()
    }

    /// The first members, each on all graphs.
    fn expected(members: usize, graphs: usize) -> Vec<(usize, usize)> {
        (0..members).flat_map(|member| (0..graphs).map(move |graph| (member, graph))).collect()
    }

    #[test]
    fn a_clock_lets_the_first_members_begin_and_no_others() {
        for graphs in [1, 3] {
            let mut turns = Turns::new(Some(Duration::from_millis(5)), None);
            let done = all(&mut turns, 200, graphs);
            let members = turns.begun().members;
            assert_eq!(done, expected(members, graphs), "the first ones, each on all graphs");
            assert!(turns.begun().stopped);
            assert!(all(&mut turns, 200, graphs).is_empty(), "nothing more");
            let mut again = Turns::new(None, Some(members));
            assert_eq!(all(&mut again, 200, graphs), done);
            assert!(again.begun().stopped);
        }
    }

    #[test]
    fn the_first_member_is_always_begun_and_without_limits_all_are() {
        let mut none = Turns::new(Some(Duration::ZERO), Some(0));
        assert_eq!(all(&mut none, 2, 2), [(0, 0), (0, 1)]);
        let mut every = Turns::default();
        assert_eq!(all(&mut every, 2, 1), [(0, 0), (1, 0)]);
        assert_eq!(all(&mut every, 1, 1), [(2, 0)]);
        assert_eq!(every.begun(), Begun { members: 3, stopped: false });
        assert!(all(&mut every, 5, 0).is_empty());
    }
}
