//! From evaluations to verdicts: a tangent against differences, complex step and Taylor.
//!
//! An element agrees when it is within the tolerance (relative to its own size) of what it is
//! compared with, or within what the comparison itself may be off. Where the comparison is too
//! weak to tell, the verdict says so: that is not good either.

use std::collections::BTreeMap;

use super::numerics::{DOUBTS, Estimate, Orders, Sample, SweepRow, extrapolate, orders, sweep};
use super::precision::Precision;
use crate::check::program::build::Results;

/// What a driver adds to the name of a variable where it writes its derivative.
pub(crate) const DERIVATIVE: &str = " derivative";

/// Difference quotients of what the head computes.
pub(crate) const DIFFERENCES: &str = "differences";
/// Derivatives by complex step of the head itself.
pub(crate) const COMPLEX_STEP: &str = "complex step";

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It agrees.
    Good,
    /// It does not.
    Wrong,
    /// The comparison cannot tell.
    Unsure,
}

/// One dependent variable against one method.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The variable, a component by itself.
    pub(crate) name: String,
    /// The method.
    pub(crate) method: &'static str,
    /// Number of elements.
    pub(crate) elements: usize,
    /// The size of the largest derivative.
    pub(crate) largest: f64,
    /// The largest difference of an element, relative to the element or what the method resolves.
    pub(crate) apart: f64,
    /// What it comes to.
    pub(crate) verdict: Verdict,
    /// Whether complex step decides in its place: differences do not see what it sees.
    pub(crate) overruled: bool,
    /// The element with the largest difference: its number, tangent, comparison.
    pub(crate) worst: Option<(usize, f64, f64)>,
}

/// The evaluations of one direction.
pub(crate) struct Evidence {
    /// What the head computes at the point.
    pub(crate) base: Results,
    /// What the tangent procedure computes there, values and derivatives.
    pub(crate) tangent: Results,
    /// The sweep.
    pub(crate) steps: Vec<(f64, Option<Results>, Option<Results>)>,
    /// The derivatives by complex step, where there are any.
    pub(crate) complex_step: Option<BTreeMap<String, Vec<f64>>>,
}

/// All that is said about one direction.
pub(crate) struct Judgement {
    /// A row for each dependent variable and method.
    pub(crate) rows: Vec<Row>,
    /// The sweep.
    pub(crate) sweep: Vec<SweepRow>,
    /// What the Taylor remainders tell.
    pub(crate) orders: Orders,
    /// Variables that the tangent procedure computes differently from the head, and how much.
    pub(crate) values: Vec<(String, f64)>,
    /// Variables that the head computes as no finite numbers.
    pub(crate) undefined: Vec<String>,
}

impl Judgement {
    /// All verdicts together.
    pub(crate) fn verdict(&self) -> Verdict {
        if !self.undefined.is_empty() {
            return Verdict::Unsure;
        }
        if !self.values.is_empty() || matches!(self.orders, Orders::TooSlow(_)) {
            return Verdict::Wrong;
        }
        of_rows(&self.rows)
    }
}

/// The verdict of all rows. One that cannot tell, and that no other method overrules, leaves all without one.
pub(crate) fn of_rows(rows: &[Row]) -> Verdict {
    let any = |verdict| rows.iter().any(|row| row.verdict == verdict && !row.overruled);
    match (any(Verdict::Wrong), any(Verdict::Unsure), rows.is_empty()) {
        (true, _, _) | (_, _, true) => Verdict::Wrong,
        (_, true, _) => Verdict::Unsure,
        (false, false, false) => Verdict::Good,
    }
}

/// Judges one direction. `precision` is that of each dependent variable by label.
pub(crate) fn judge(
    evidence: &Evidence,
    tolerance: Option<f64>,
    precision: &dyn Fn(&str) -> Precision,
) -> Judgement {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    let mut undefined = Vec::new();
    let mut joined = Joined::default();
    for (label, tangent) in &evidence.tangent {
        if !label.contains(DERIVATIVE) {
            continue;
        }
        let name = label.replacen(DERIVATIVE, "", 1);
        let precision = precision(&name);
        let epsilon = precision.inside;
        let tolerance = tolerance.unwrap_or(precision.tolerance());
        let base = numbers(&evidence.base, &name);
        let again = numbers(&evidence.tangent, &name);
        if base.iter().any(|value| !value.is_finite()) {
            undefined.push(name.clone());
        } else if let Some(apart) = values_apart(base, again, precision) {
            values.push((name.clone(), apart));
        }
        let samples = samples(evidence, &name);
        let differences: Vec<Option<Estimate>> = (0..tangent.len())
            .map(|i| {
                let base = base.get(i).copied().unwrap_or(f64::NAN);
                extrapolate(&samples, i, base, 4.0 * epsilon)
            })
            .collect();
        rows.push(compare(&name, DIFFERENCES, tangent, &differences, tolerance));
        if let Some(steps) = evidence.complex_step.as_ref().and_then(|all| all.get(&name)) {
            let error = 100.0 * epsilon * largest(tangent).max(largest(steps));
            let exact = |&value: &f64| Some(Estimate { value, error, doubt: 0.0 });
            let steps: Vec<Option<Estimate>> = steps.iter().map(exact).collect();
            rows.push(compare(&name, COMPLEX_STEP, tangent, &steps, tolerance));
        }
        // Differences across a pole mean nothing.
        let of_name = rows.iter_mut().filter(|row: &&mut Row| undefined.contains(&row.name));
        of_name.for_each(|row| row.verdict = Verdict::Unsure);
        if !undefined.contains(&name) {
            joined.add(base, tangent, samples, epsilon);
        }
    }
    let sweep =
        sweep(&joined.samples, &joined.base, &joined.tangent, &joined.scales, joined.epsilon);
    overrule(&mut rows);
    // Remainders are made of the same values as differences: they tell nothing where these do not.
    let differ = rows.iter().filter(|row| row.method == DIFFERENCES);
    let blind = differ.clone().any(|row| row.overruled || row.verdict == Verdict::Unsure);
    let exact = differ.clone().all(|row| {
        let mut others = rows.iter().filter(|other| other.name == row.name);
        others.any(|other| other.method == COMPLEX_STEP && other.verdict == Verdict::Good)
    });
    let orders = match orders(&sweep, joined.epsilon) {
        Orders::TooSlow(order) if blind || exact => Orders::Rough(order),
        orders => orders,
    };
    Judgement { rows, sweep, orders, values, undefined }
}

/// Lets complex step decide where it agrees up to rounding and differences do not. Both evaluate the head alone: a
/// kink is near, the values jump, or no step is small enough.
pub(crate) fn overrule(rows: &mut [Row]) {
    let good = |row: &&Row| row.method == COMPLEX_STEP && row.verdict == Verdict::Good;
    let right: Vec<String> = rows.iter().filter(good).map(|row| row.name.clone()).collect();
    let differ = rows.iter_mut().filter(|row| row.method == DIFFERENCES);
    let differ = differ.filter(|row| row.verdict != Verdict::Good && right.contains(&row.name));
    differ.for_each(|row| row.overruled = true);
}

fn numbers<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    results.iter().find(|(label, _)| label == name).map_or(&[], |(_, values)| values)
}

fn samples(evidence: &Evidence, name: &str) -> Vec<Sample> {
    let of = |results: &Option<Results>| {
        let values = numbers(results.as_ref()?, name);
        // Beyond a pole nothing can be said about the variable, others have their values there.
        values.iter().all(|value| value.is_finite()).then(|| values.to_vec())
    };
    let sample = |(step, plus, minus): &(f64, Option<Results>, Option<Results>)| Sample {
        step: *step,
        plus: of(plus),
        minus: of(minus),
    };
    evidence.steps.iter().map(sample).collect()
}

/// How far the values that the tangent procedure computes are from the head's, where it matters.
fn values_apart(base: &[f64], again: &[f64], precision: Precision) -> Option<f64> {
    if base.len() != again.len() {
        return Some(f64::INFINITY);
    }
    let scale = largest(base);
    let apart = base.iter().zip(again).map(|(a, b)| {
        if a.to_bits() == b.to_bits() || a == b { 0.0 } else { (a - b).abs() / scale }
    });
    let apart =
        apart.fold(0.0, |most: f64, one| if one > most || one.is_nan() { one } else { most });
    (apart.is_nan() || apart > precision.reordered()).then_some(apart)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Compares element by element with values that may be off by so much.
fn compare(
    name: &str,
    method: &'static str,
    tangent: &[f64],
    others: &[Option<Estimate>],
    tolerance: f64,
) -> Row {
    let scale = largest(tangent);
    let mut row = Row {
        name: name.to_string(),
        method,
        elements: tangent.len(),
        largest: scale,
        apart: 0.0,
        verdict: if tangent.is_empty() { Verdict::Unsure } else { Verdict::Good },
        overruled: false,
        worst: None,
    };
    if others.len() != tangent.len() {
        row.verdict = Verdict::Wrong;
        return row;
    }
    for (index, (&own, other)) in tangent.iter().zip(others).enumerate() {
        let (verdict, apart, value) = element(own, *other, scale, tolerance);
        if apart > row.apart || apart.is_nan() || (verdict == Verdict::Wrong && row.worst.is_none())
        {
            row.apart = apart;
            row.worst = Some((index + 1, own, value));
        }
        row.verdict = match (row.verdict, verdict) {
            (Verdict::Wrong, _) | (_, Verdict::Wrong) => Verdict::Wrong,
            (Verdict::Unsure, _) | (_, Verdict::Unsure) => Verdict::Unsure,
            (Verdict::Good, Verdict::Good) => Verdict::Good,
        };
    }
    row
}

/// One element: the verdict, the relative difference, and what it was compared with.
pub(crate) fn element(
    own: f64,
    other: Option<Estimate>,
    scale: f64,
    tolerance: f64,
) -> (Verdict, f64, f64) {
    if !own.is_finite() {
        // Where there is no derivative, the tangent cannot have a value either.
        let value = other.map_or(f64::NAN, |other| other.value);
        let verdict = if value.is_finite() { Verdict::Wrong } else { Verdict::Unsure };
        return (verdict, f64::NAN, value);
    }
    let Some(Estimate { value, error, doubt }) = other.filter(|other| other.value.is_finite())
    else {
        return (Verdict::Unsure, 0.0, f64::NAN);
    };
    let size = own.abs().max(value.abs());
    let apart = (own - value).abs();
    let relative = if apart == 0.0 { 0.0 } else { apart / size };
    // Where the method resolves less than a percent of what there is, agreement says nothing.
    let weak = error > 1e-2 * size && error > 1e-4 * scale && own != 0.0;
    let far = if weak || !error.is_finite() { 100.0 * error } else { 8.0 * error };
    if !weak && error.is_finite() && apart <= tolerance * size + far {
        // Differences that the method does not resolve are none; what it resolves beside the largest
        // element alone is measured by that.
        let shown = match apart <= far {
            true if error > 1e-2 * size && scale > 0.0 => apart / scale,
            true => relative.min(error / size),
            false => relative,
        };
        return (Verdict::Good, shown, value);
    }
    let is_wrong = apart > far && apart > DOUBTS * doubt;
    (if is_wrong { Verdict::Wrong } else { Verdict::Unsure }, relative, value)
}

/// All dependents as one vector, each measured by its own size.
#[derive(Default)]
struct Joined {
    base: Vec<f64>,
    tangent: Vec<f64>,
    scales: Vec<f64>,
    samples: Vec<Sample>,
    epsilon: f64,
}

impl Joined {
    fn add(&mut self, base: &[f64], tangent: &[f64], samples: Vec<Sample>, epsilon: f64) {
        let size = largest(base).max(largest(tangent));
        let scale = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        self.base.extend(base);
        self.tangent.extend(tangent);
        self.scales.extend(std::iter::repeat_n(scale, base.len()));
        self.epsilon = self.epsilon.max(epsilon);
        let join = |all: &mut Option<Vec<f64>>, more: Option<Vec<f64>>| match (all.as_mut(), more) {
            (Some(list), Some(more)) => list.extend(more),
            (Some(_), None) => *all = None,
            (None, _) => {}
        };
        if self.samples.is_empty() {
            self.samples = samples;
            return;
        }
        for (all, more) in self.samples.iter_mut().zip(samples) {
            join(&mut all.plus, more.plus);
            join(&mut all.minus, more.minus);
        }
    }
}
