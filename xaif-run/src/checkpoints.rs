//! Which action of a loop with checkpoints is next, as `backends/runtime` decides it.
//!
//! The schedule is that of Griewank and Walther, "Algorithm 799: revolve", 2000: of all that execute the fewest iterations
//! again with a given number of snapshots, one.

use xaif_schema::tape::{ADVANCE, NO_ACTION, RESTORE, TAKE, TURN};

/// A loop that keeps some of its states, each as a list of records of the tape.
#[derive(Debug)]
pub(crate) struct Checkpointed<R> {
    /// Whether a snapshot is taken in each `number` iterations.
    periodic: bool,
    number: i64,
    /// The trip count, less than 0 if it is not known.
    known: i64,
    first: i64,
    step: i64,
    /// Iterations that the forward sweep has begun.
    begun: i64,
    /// Iterations that are not reversed; `None` in the forward sweep.
    left: Option<i64>,
    /// The iteration whose state the program has.
    at: Option<i64>,
    /// The next iteration before which a snapshot is taken.
    due: Option<i64>,
    spacing: i64,
    snapshots: Vec<(i64, Vec<R>)>,
    /// Whether a snapshot is written now.
    writes: bool,
    /// What snapshots have held that are given up.
    released: Vec<R>,
}

impl<R: Clone> Checkpointed<R> {
    pub(crate) fn new(periodic: bool, number: i64, known: i64) -> Self {
        Checkpointed {
            periodic,
            number,
            known: if periodic { -1 } else { known },
            first: 0,
            step: 0,
            begun: 0,
            left: None,
            at: None,
            due: Some(0),
            spacing: if periodic { number } else { 1 },
            snapshots: Vec::new(),
            writes: false,
            released: Vec::new(),
        }
    }

    fn held(&self) -> i64 {
        self.snapshots.len() as i64
    }

    /// The forward sweep begins an iteration with this value of the variable of the loop.
    pub(crate) fn due(&mut self, variable: i64) -> i64 {
        let at = self.begun;
        self.begun += 1;
        match at {
            0 => self.first = variable,
            1 => self.step = variable - self.first,
            _ => {}
        }
        if self.due != Some(at) {
            return NO_ACTION;
        }
        if self.known < 0 {
            if !self.periodic && self.held() == self.number && self.number > 1 {
                self.thin();
                let due = self.held() * self.spacing;
                self.due = Some(due);
                if at != due {
                    return NO_ACTION;
                }
            }
            self.due = (self.periodic || self.number > 1).then_some(at + self.spacing);
        } else {
            let last = self.known - 1;
            let next = match self.held() + 1 < self.number {
                true => at + stride(self.known - at, self.number - self.held()),
                false => last,
            };
            self.due = (at != last).then_some(next.min(last));
        }
        self.take(at)
    }

    /// Keeps every second snapshot.
    fn thin(&mut self) {
        let all = std::mem::take(&mut self.snapshots);
        for (index, snapshot) in all.into_iter().enumerate() {
            match index % 2 {
                0 => self.snapshots.push(snapshot),
                _ => self.released.extend(snapshot.1),
            }
        }
        self.spacing *= 2;
    }

    fn take(&mut self, at: i64) -> i64 {
        self.snapshots.push((at, Vec::new()));
        self.writes = true;
        TAKE
    }

    /// The snapshot is written, or read: whether all of it is.
    pub(crate) fn close(&mut self, records: Vec<R>) -> bool {
        if std::mem::take(&mut self.writes) {
            if let Some(last) = self.snapshots.last_mut() {
                last.1 = records;
            }
            return true;
        }
        records.is_empty()
    }

    /// The next action of the backward sweep, the value of the variable for it, and what a snapshot holds that is read.
    pub(crate) fn next(&mut self) -> (i64, i64, Vec<R>) {
        let left = *self.left.get_or_insert(self.begun);
        while self.snapshots.last().is_some_and(|(at, _)| *at >= left) {
            let last = self.snapshots.pop();
            self.released.extend(last.into_iter().flat_map(|(_, records)| records));
        }
        if left == 0 {
            return (NO_ACTION, 0, Vec::new());
        }
        let Some(at) = self.at else {
            let (at, records) = self.snapshots.last().cloned().unwrap_or_default();
            self.at = Some(at);
            self.plan(at, left);
            return (RESTORE, self.first + at * self.step, records);
        };
        let value = self.first + at * self.step;
        if at == left - 1 {
            self.left = Some(left - 1);
            self.at = None;
            return (TURN, value, Vec::new());
        }
        if self.due == Some(at) {
            let action = self.take(at);
            self.plan(at, left);
            return (action, value, Vec::new());
        }
        self.at = Some(at + 1);
        (ADVANCE, value, Vec::new())
    }

    /// What snapshots have held that were given up since this was asked last.
    pub(crate) fn released(&mut self) -> impl Iterator<Item = R> + '_ {
        self.released.drain(..)
    }

    /// Decides before which iteration the next snapshot is taken.
    fn plan(&mut self, at: i64, left: i64) {
        let spare = match self.periodic {
            true => i64::MAX / 8,
            false => (self.number - self.held()).max(0),
        };
        let due = (spare > 0 && left - at > 1).then(|| at + stride(left - at, spare + 1));
        self.due = due.filter(|&due| due < left);
    }
}

/// The number of iterations that so many snapshots serve if none is executed more than `repetitions` times again.
fn reach(snapshots: i64, repetitions: i64) -> i64 {
    let (few, many) = (snapshots.min(repetitions), snapshots.max(repetitions));
    let most = i64::MAX / 4;
    (1..=few)
        .try_fold(1_i64, |value, i| {
            value.checked_mul(many.saturating_add(i)).map(|value| value / i)
        })
        .map_or(most, |value| value.min(most))
}

/// How many of `iterations` are executed before the next state is kept.
fn stride(iterations: i64, snapshots: i64) -> i64 {
    if snapshots <= 1 || iterations <= 1 {
        return iterations;
    }
    let mut repetitions = 1;
    while reach(snapshots, repetitions) < iterations {
        repetitions += 1;
    }
    let most = reach(snapshots, repetitions - 1);
    let rest = iterations - reach(snapshots - 1, repetitions - 1);
    most.min(rest).max(1)
}
