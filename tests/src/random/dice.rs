//! Chance, all of it from one seed.

/// What decides.
pub(super) struct Dice(fastrand::Rng);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Dice(fastrand::Rng::with_seed(seed))
    }

    /// Whether something of this probability happens.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.0.f64() < probability
    }

    /// A number from `low` to `high`.
    pub(super) fn number(&mut self, low: u32, high: u32) -> u32 {
        self.0.u32(low..=high)
    }

    /// One of several.
    pub(super) fn one<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[self.0.usize(0..N)]
    }

    /// One of those in a list.
    pub(super) fn any<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() {
            return None;
        }
        list.get(self.0.usize(0..list.len())).cloned()
    }

    /// The index of one of several with these weights.
    pub(super) fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.0.f64() * weights.iter().sum::<f64>();
        for (at, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return at;
            }
        }
        0
    }

    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        self.0.shuffle(list);
    }

    /// A literal between two numbers.
    pub(super) fn literal(&mut self, low: f64, high: f64) -> String {
        format!("{:.2}d0", low + (high - low) * self.0.f64())
    }
}
