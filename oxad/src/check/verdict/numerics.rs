//! The numbers behind the verdict: difference quotients of what a program computes, their
//! extrapolation, and Taylor remainders.
//!
//! Differences: central quotients over a sweep of steps, extrapolated to step zero by Neville's
//! scheme in h² for each element (Richardson); of all entries the one with the smallest error
//! estimate is taken (Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", 1982). The
//! estimate holds truncation (how far neighbouring entries are apart) and rounding (the last digit
//! of the values, divided by the step).
//!
//! Taylor: ‖F(x+hv) − F(x) − h·F'(x)v‖ falls with h² where F'(x)v is right, with h where it is not.

/// Deeper extrapolation gains nothing but rounding errors.
const LEVELS: usize = 3;

/// Values at the point moved by `+h` and by `-h`; `None` where the program could not be run there.
pub(crate) struct Sample {
    /// The step.
    pub(crate) step: f64,
    /// The values at `x + h*v`.
    pub(crate) plus: Option<Vec<f64>>,
    /// The values at `x - h*v`.
    pub(crate) minus: Option<Vec<f64>>,
}

/// A derivative of one element, as differences tell it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The extrapolated value.
    pub(crate) value: f64,
    /// How far it may be off.
    pub(crate) error: f64,
    /// How far quotients of neighbouring steps, or of the two sides of the point, stay apart: a derivative that is
    /// no farther off is not contradicted.
    pub(crate) doubt: f64,
}

/// A right derivative may be this many times [`Estimate::doubt`] away from the estimate.
pub(crate) const DOUBTS: f64 = 4.0;
/// Values of programs may be so many rounding errors apart.
const ROUNDINGS: f64 = 1e3;
/// As many steps in a row have about the same quotient where differences converge.
const CONVERGED: usize = 3;

/// The derivative of element `index` along the direction; `None` where no quotient is a number.
///
/// `samples` have falling steps; `base` is the value at the point, `epsilon` the precision of the
/// values.
pub(crate) fn extrapolate(
    samples: &[Sample],
    index: usize,
    base: f64,
    epsilon: f64,
) -> Option<Estimate> {
    let noise = noise(samples, index, base);
    let mut best: Option<Estimate> = None;
    // The last row of the scheme, and the step that it belongs to.
    let mut above: Vec<f64> = Vec::new();
    let mut steps: Vec<f64> = Vec::new();
    // The best entry of each row, in runs of steps that follow each other.
    let mut runs: Vec<Vec<Entry>> = Vec::new();
    for sample in samples {
        let Some((quotient, size)) = central(sample, index) else {
            above.clear();
            steps.clear();
            continue;
        };
        if steps.is_empty() {
            runs.push(Vec::new());
        }
        let rounding = (epsilon * size).max(noise) / sample.step;
        steps.push(sample.step);
        let mut row = vec![quotient];
        let mut entry = Entry { value: quotient, rounding: epsilon * size / sample.step };
        let mut least = f64::INFINITY;
        let known = steps.len();
        for level in 1..known.min(LEVELS + 1) {
            let ratio = steps[known - 1 - level] / sample.step;
            let (finer, coarser) = (row[level - 1], above[level - 1]);
            let value = finer + (finer - coarser) / (ratio * ratio - 1.0);
            let apart = (value - finer).abs().max((value - coarser).abs());
            let error = apart + rounding;
            if error < least {
                (least, entry.value) = (error, value);
            }
            if best.is_none_or(|best| error < best.error) {
                best = Some(Estimate { value, error, doubt: f64::INFINITY });
            }
            row.push(value);
        }
        above = row;
        runs.last_mut().into_iter().for_each(|run| run.push(entry));
    }
    // A single quotient cannot tell how good it is.
    let alone = || {
        let (value, _) = samples.iter().rev().find_map(|sample| central(sample, index))?;
        Some(Estimate { value, error: f64::INFINITY, doubt: f64::INFINITY })
    };
    let best = best.or_else(alone)?;
    let doubt = scatter(&runs, best.value).max(asymmetry(samples, index, base));
    Some(Estimate { doubt, ..best })
}

/// The best entry of a row of the scheme.
#[derive(Clone, Copy)]
struct Entry {
    value: f64,
    /// How far rounding errors of the values take it.
    rounding: f64,
}

/// How far the rows of the scheme are from `value`, where a few that follow each other are nearest to it. Where no
/// steps are small enough, as for a chaotic program, one entry may be near by chance, neighbours are not; and where
/// they are as far apart as they are large, by more than rounding errors, there is no end to it.
fn scatter(runs: &[Vec<Entry>], value: f64) -> f64 {
    let windows = runs.iter().flat_map(|run| run.windows(CONVERGED));
    let far = windows.map(|rows| {
        let most = |of: &dyn Fn(&Entry) -> f64| rows.iter().map(of).fold(0.0, f64::max);
        let (far, rounding) = (most(&|row| (row.value - value).abs()), most(&|row| row.rounding));
        let converges = far <= 0.1 * value.abs() || far <= ROUNDINGS * rounding;
        if converges { far } else { f64::INFINITY }
    });
    far.fold(f64::INFINITY, f64::min)
}

/// How far the quotients of the two sides of the point are from the central one. It falls with the step, but at a kink.
fn asymmetry(samples: &[Sample], index: usize, base: f64) -> f64 {
    let apart = samples.iter().filter_map(|sample| {
        let plus = *sample.plus.as_ref()?.get(index)?;
        let minus = *sample.minus.as_ref()?.get(index)?;
        Some((plus - 2.0 * base + minus).abs() / (2.0 * sample.step))
    });
    apart.filter(|value| value.is_finite()).fold(f64::INFINITY, f64::min)
}

/// How much a value jumps for reasons of rounding: for the smallest steps a second difference holds
/// nothing else. A program that computes inside in single precision shows it here.
fn noise(samples: &[Sample], index: usize, base: f64) -> f64 {
    let small = samples.iter().filter(|sample| sample.step < 5e-7);
    let second = small.filter_map(|sample| {
        let plus = *sample.plus.as_ref()?.get(index)?;
        let minus = *sample.minus.as_ref()?.get(index)?;
        Some((plus - 2.0 * base + minus).abs() / 2.0)
    });
    second.filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// The central quotient of an element and the size of the values that it is made of.
fn central(sample: &Sample, index: usize) -> Option<(f64, f64)> {
    let plus = *sample.plus.as_ref()?.get(index)?;
    let minus = *sample.minus.as_ref()?.get(index)?;
    let quotient = (plus - minus) / (2.0 * sample.step);
    quotient.is_finite().then_some((quotient, plus.abs().max(minus.abs())))
}

/// One line of the sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SweepRow {
    /// The step.
    pub(crate) step: f64,
    /// The Taylor remainder, relative to the size of the values.
    pub(crate) remainder: Option<f64>,
    /// The observed order from the step before to this one, where rounding does not hide it.
    pub(crate) order: Option<f64>,
    /// How far the central quotient is from the tangent, relative to the tangent.
    pub(crate) quotient: Option<f64>,
}

/// Taylor remainders and quotients for each step. `scales` are the sizes by which elements of the
/// values are measured, `epsilon` their precision.
pub(crate) fn sweep(
    samples: &[Sample],
    base: &[f64],
    tangent: &[f64],
    scales: &[f64],
    epsilon: f64,
) -> Vec<SweepRow> {
    let mut rows: Vec<SweepRow> = Vec::new();
    let floor = 4.0 * epsilon * (base.len() as f64).sqrt();
    let length = norm(tangent.iter().zip(scales).map(|(value, scale)| value / scale));
    for sample in samples {
        let remainder = sample.plus.as_ref().map(|plus| {
            norm((0..base.len()).map(|i| {
                let moved = plus.get(i).copied().unwrap_or(f64::NAN);
                (moved - base[i] - sample.step * tangent[i]) / scales[i]
            }))
        });
        let quotient = (sample.plus.is_some() && sample.minus.is_some()).then(|| {
            let apart = norm((0..base.len()).map(|i| {
                let quotient = central(sample, i).map_or(f64::NAN, |(quotient, _)| quotient);
                (quotient - tangent[i]) / scales[i]
            }));
            if apart == 0.0 { 0.0 } else { apart / length }
        });
        let order = rows.last().and_then(|before| {
            let (old, new) = (before.remainder?, remainder?);
            (old > floor && new > floor && old.is_finite() && new.is_finite())
                .then(|| (old / new).ln() / (before.step / sample.step).ln())
        });
        rows.push(SweepRow { step: sample.step, remainder, order, quotient });
    }
    rows
}

/// What the remainders tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Orders {
    /// They fall as they must: the best order that was seen.
    Second(f64),
    /// There is nothing but rounding: the program is linear along the direction.
    Linear,
    /// They fall with the step, as for a wrong derivative.
    TooSlow(f64),
    /// They fall in another way: the values are rough, or the steps are too large for them.
    Rough(f64),
    /// Too few of them are above rounding.
    Unknown,
}

/// Judges the remainders.
///
/// A small error of the tangent shows where the curvature has become smaller than it: there the
/// order is 1, while rounding errors make the order fall to 0 at once.
pub(crate) fn orders(rows: &[SweepRow], epsilon: f64) -> Orders {
    let first = rows.iter().find_map(|row| row.remainder.filter(|value| value.is_finite()));
    let orders: Vec<f64> = rows.iter().filter_map(|row| row.order).collect();
    let best = orders.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let linear = |order: &f64| (0.85..1.15).contains(order);
    if let Some(tail) = orders.windows(2).rev().find(|pair| pair.iter().all(linear)) {
        return Orders::TooSlow(tail[1]);
    }
    match first {
        _ if best >= 1.8 => Orders::Second(best),
        Some(first) if first <= 1e3 * epsilon => Orders::Linear,
        // One pair alone may be in the way from one regime to the other.
        _ if orders.len() >= 2 => Orders::Rough(best),
        Some(_) | None => Orders::Unknown,
    }
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(f: impl Fn(f64) -> f64) -> Vec<Sample> {
        (1..=8)
            .map(|k| {
                let step = 10f64.powi(-k);
                let at = |h| Some(vec![f(h)]).filter(|values: &Vec<f64>| values[0].is_finite());
                Sample { step, plus: at(step), minus: at(-step) }
            })
            .collect()
    }

    #[test]
    fn differences_find_the_derivative_and_know_how_well() {
        let found = extrapolate(&samples(|h| (1.0 + h).sin()), 0, 1f64.sin(), f64::EPSILON)
            .expect("numbers");
        let apart = (found.value - 1f64.cos()).abs();
        assert!(apart < 1e-11, "{apart:e}");
        assert!(found.error >= apart && found.error < 1e-9, "{:e}", found.error);
    }

    #[test]
    fn steps_out_of_the_domain_are_left_out() {
        let found = extrapolate(&samples(|h| (0.05 - h).sqrt()), 0, 0.05f64.sqrt(), f64::EPSILON)
            .expect("numbers");
        let right = -0.5 / 0.05f64.sqrt();
        assert!((found.value - right).abs() < 1e-8, "{}", found.value);
        assert!(extrapolate(&samples(|_| f64::NAN), 0, 1.0, f64::EPSILON).is_none());
    }

    #[test]
    fn rounding_inside_the_program_is_noticed() {
        let rough = samples(|h| f64::from((1.0 + h as f32).sin()));
        let found = extrapolate(&rough, 0, f64::from(1f32.sin()), f64::EPSILON).expect("numbers");
        let apart = (found.value - 1f64.cos()).abs();
        assert!(apart < 8.0 * found.error && found.error > 1e-7, "{apart:e} {:e}", found.error);
    }

    #[test]
    fn a_kink_has_a_large_error_estimate_or_none() {
        let found = extrapolate(&samples(f64::abs), 0, 0.0, f64::EPSILON).expect("numbers");
        // By symmetry all quotients are zero.
        assert_eq!(found.value, 0.0);
        let found =
            extrapolate(&samples(|h| h.max(0.0).sqrt()), 0, 0.0, f64::EPSILON).expect("numbers");
        assert!(found.error > 0.5, "{found:?}");
    }

    #[test]
    fn remainders_have_order_two_for_the_right_tangent_and_one_for_a_wrong_one() {
        let samples = samples(|h| (1.0 + h).exp());
        let base = [1f64.exp()];
        let rows = |tangent: f64| sweep(&samples, &base, &[tangent], &[1.0], f64::EPSILON);
        assert!(matches!(orders(&rows(base[0]), f64::EPSILON), Orders::Second(_)));
        for wrong in [1e-5, 1e-2, 1.0] {
            let rows = rows(base[0] * (1.0 + wrong));
            assert!(matches!(orders(&rows, f64::EPSILON), Orders::TooSlow(_)), "{wrong}");
        }
    }

    #[test]
    fn a_chaotic_program_and_a_kink_leave_doubt() {
        let chaotic = |h: f64| {
            let logistic = |x: f64, _| 3.9 * x * (1.0 - x);
            (0..60).fold(0.3 + h, logistic)
        };
        let found = extrapolate(&samples(chaotic), 0, chaotic(0.0), f64::EPSILON).expect("numbers");
        assert!(found.doubt > 0.1 * found.value.abs(), "{found:?}");
        let kink = |h: f64| if h > 0.0 { 1.0 + 3.0 * h } else { 1.0 + h };
        let found = extrapolate(&samples(kink), 0, 1.0, f64::EPSILON).expect("numbers");
        assert!((found.value - 2.0).abs() < 1e-9 && found.doubt > 0.9, "{found:?}");
        let smooth = extrapolate(&samples(|h| (1.0 + h).exp()), 0, 1f64.exp(), f64::EPSILON);
        assert!(smooth.is_some_and(|found| found.doubt < 1e-7), "{smooth:?}");
    }

    #[test]
    fn a_linear_program_has_no_remainders() {
        let samples = samples(|h| 3.0 + 2.0 * h);
        let rows = sweep(&samples, &[3.0], &[2.0], &[3.0], f64::EPSILON);
        assert_eq!(orders(&rows, f64::EPSILON), Orders::Linear);
    }
}
