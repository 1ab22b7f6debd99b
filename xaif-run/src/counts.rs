//! What an execution counts.

/// Operations of one execution. Real and complex operations are counted by kind of operation,
/// whatever their precision; an operation on arrays counts once for each element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Additions and subtractions of reals or complex numbers.
    pub additions: u64,
    /// Multiplications.
    pub multiplications: u64,
    /// Divisions.
    pub divisions: u64,
    /// Powers.
    pub powers: u64,
    /// Elementary functions.
    pub functions: u64,
    /// Integer operations.
    pub integer_operations: u64,
    /// Comparisons.
    pub comparisons: u64,
    /// Assignment statements.
    pub assignments: u64,
    /// Calls of procedures of the document.
    pub calls: u64,
    /// Values pushed onto the tape.
    pub pushes: u64,
    /// Values popped from the tape.
    pub pops: u64,
    /// The most bytes that were on the tape at once.
    pub peak_tape_bytes: u64,
}

impl Counts {
    /// Names and numbers, in the order in which they are printed.
    pub fn rows(&self) -> [(&'static str, u64); 12] {
        [
            ("additions", self.additions),
            ("multiplications", self.multiplications),
            ("divisions", self.divisions),
            ("powers", self.powers),
            ("functions", self.functions),
            ("integer operations", self.integer_operations),
            ("comparisons", self.comparisons),
            ("assignments", self.assignments),
            ("calls", self.calls),
            ("pushes", self.pushes),
            ("pops", self.pops),
            ("peak tape bytes", self.peak_tape_bytes),
        ]
    }
}
