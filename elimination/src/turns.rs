//! Which members of a portfolio are begun: the first of a fixed order, as far as a number or a clock allows.
//!
//! A clock says how many members are begun, and nothing else: members are begun in their order, and each is
//! finished. So that number alone tells the result, and with it the same is had again without a clock.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

/// What may be begun.
#[derive(Debug, Default)]
pub struct Turns {
    until: Option<Instant>,
    most: Option<usize>,
    state: Mutex<Begun>,
}

/// What was begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// How many members.
    pub members: usize,
    /// Whether there were more, which were not begun.
    pub stopped: bool,
}

impl Turns {
    /// Members are begun for as long as `budget` lasts, and no more than `most`. The first one is begun in
    /// any case.
    pub fn new(budget: Option<Duration>, most: Option<usize>) -> Turns {
        let until = budget.and_then(|budget| Instant::now().checked_add(budget));
        Turns { until, most, state: Mutex::default() }
    }

    /// What has been begun so far.
    pub fn begun(&self) -> Begun {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next member, counted from 0, if it may be begun. Once one may not, none may.
    pub(crate) fn take(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let late = || self.until.is_some_and(|until| Instant::now() >= until);
        let over = self.most.is_some_and(|most| state.members >= most) || late();
        if state.stopped || over && state.members > 0 {
            state.stopped = true;
            return None;
        }
        state.members += 1;
        Some(state.members - 1)
    }

    /// Does `work` on all cores, in order, as far as it may be begun; the results in order.
    pub(crate) fn all<T: Sync, R: Send>(
        &self,
        work: &[T],
        act: impl Fn(&T) -> Option<R> + Sync,
    ) -> Vec<R> {
        let first = self.begun().members;
        let one = |_: usize| {
            let number = self.take()?;
            Some((number, act(work.get(number.checked_sub(first)?)?)?))
        };
        let mut done: Vec<(usize, R)> = (0..work.len()).into_par_iter().filter_map(one).collect();
        done.sort_by_key(|&(number, _)| number);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_lets_the_first_members_begin_and_no_others() {
        let work: Vec<usize> = (0..200).collect();
        let turns = Turns::new(Some(Duration::from_millis(5)), None);
        let done = turns.all(&work, |&number| {
            std::thread::sleep(Duration::from_millis(1));
            Some(number)
        });
        assert_eq!(done, work[..done.len()], "the first ones, in order");
        assert_eq!(turns.begun(), Begun { members: done.len(), stopped: true });
        assert!(turns.all(&work, |&number| Some(number)).is_empty(), "nothing more");
        let again = Turns::new(None, Some(done.len()));
        assert_eq!(again.all(&work, |&number| Some(number)), done);
        assert!(again.begun().stopped);
    }

    #[test]
    fn the_first_member_is_always_begun_and_without_limits_all_are() {
        let none = Turns::new(Some(Duration::ZERO), Some(0));
        assert_eq!(none.all(&[7, 8], |&number| Some(number)), [7]);
        let all = Turns::default();
        assert_eq!(all.all(&[7, 8], |&number| Some(number)), [7, 8]);
        assert_eq!(all.all(&[9], |&number| Some(number)), [9]);
        assert_eq!(all.begun(), Begun { members: 3, stopped: false });
    }
}
