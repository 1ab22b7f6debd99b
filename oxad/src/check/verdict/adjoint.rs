//! From evaluations to verdicts: the adjoint against the tangent, differences and complex step.
//!
//! With weights w of the outputs the adjoint procedure computes x̄ = F'(x)ᵀ w. For a direction v
//!
//! - ⟨x̄, v⟩ = ⟨w, F'(x) v⟩, where the tangent computes F'(x) v: the dot product, which must hold up
//!   to rounding;
//! - the same for each independent variable by itself, where differences of ⟨w, F⟩ and complex step
//!   give the right-hand side: they share nothing with the derivative code, and name the variable.
//!
//! An adjoint accumulates: where x̄ does not begin at zero, that is added, and nothing else changes.

use std::collections::BTreeMap;

use super::judge::{
    COMPLEX_STEP, DERIVATIVE, DIFFERENCES, Row, Verdict, element, of_rows, overrule,
};
use super::numerics::{Estimate, Sample, extrapolate};
use super::precision::Precision;
use crate::check::point::plan::{Chosen, Object, Plan};
use crate::check::program::build::Results;

/// What a driver adds to the name of a variable where it writes what the adjoint begins with.
const WEIGHT: &str = " weight";
/// The same for what is only read.
const START: &str = " start";
/// What it adds where it writes the direction.
const DIRECTION: &str = " direction";

/// How far beside the point adjoints are evaluated, in rounding errors. Two points on each side: one may happen
/// to be rounded alike.
pub(crate) const BESIDE: [f64; 2] = [4.0, 12.0];
/// How many times what that changes may be a rounding error.
const ROUNDING_COUNTS: f64 = 8.0;

/// Adjoint and tangent against each other.
const DOT_PRODUCT: &str = "dot product";

/// The evaluations of one independent variable.
pub(crate) struct Moved {
    /// Its name.
    pub(crate) name: String,
    /// What the head computes where only this variable moves; empty where nobody has asked.
    pub(crate) steps: Vec<(f64, Option<Results>, Option<Results>)>,
    /// The derivatives of the outputs along its part of the direction, or why there are none; without it, nobody has
    /// asked.
    pub(crate) complex_step: Option<Result<BTreeMap<String, Vec<f64>>, String>>,
}

/// All evaluations.
pub(crate) struct Evidence {
    /// The point, the direction, the weights.
    pub(crate) point: Results,
    /// What the head computes at the point.
    pub(crate) base: Results,
    /// The adjoints.
    pub(crate) adjoint: Results,
    /// The adjoints, where those of what is only read have not begun at zero.
    pub(crate) accumulated: Results,
    /// The adjoints beside the point, no farther than rounding errors may take it: on either side of it. Only the
    /// dot product asks for them.
    pub(crate) beside: [Vec<Results>; 2],
    /// What the tangent procedure computes, or why there is none.
    pub(crate) tangent: Result<Results, String>,
    /// The independent variables.
    pub(crate) moved: Vec<Moved>,
    /// The precision of numbers.
    pub(crate) precision: Precision,
}

/// All that is said.
pub(crate) struct Judgement {
    /// A row for each independent variable and method, and one for the dot product.
    pub(crate) rows: Vec<Row>,
    /// What could not be compared, and why.
    pub(crate) missing: Vec<String>,
    /// Variables whose adjoint does not accumulate, and how far it is off.
    pub(crate) accumulation: Vec<(String, f64)>,
    /// Variables that the head computes as no finite numbers.
    pub(crate) undefined: Vec<String>,
}

impl Judgement {
    /// All verdicts together.
    pub(crate) fn verdict(&self) -> Verdict {
        if !self.undefined.is_empty() {
            return Verdict::Unsure;
        }
        if !self.accumulation.is_empty() {
            return Verdict::Wrong;
        }
        of_rows(&self.rows)
    }

    /// Leaves out differences that cannot tell where the dot product is good.
    pub(crate) fn rely_on_dot_product(&mut self) {
        let good = |row: &Row| row.method == DOT_PRODUCT && row.verdict == Verdict::Good;
        if self.rows.iter().any(good) {
            self.rows.retain(|row| row.method != DIFFERENCES || row.verdict != Verdict::Unsure);
        }
    }
}

/// The independent variables in the order in which a driver counts them.
pub(crate) fn independents(plan: &Plan) -> impl Iterator<Item = &Object> {
    let objects = plan.objects.iter();
    objects.filter(|o| o.shadow.is_some() && o.input && o.independent != Chosen::None)
}

/// The point with the direction of one variable alone.
pub(crate) fn alone(point: &Results, name: &str) -> Results {
    let other = |label: &str| label.contains(DIRECTION) && !is_of(label, name, DIRECTION);
    point.iter().filter(|(label, _)| !other(label)).cloned().collect()
}

/// Whether a tangent has a direction wherever the adjoint has one. Where both were generated the
/// tangent may have more: the adjoint says then that nothing depends on it.
pub(crate) fn is_comparable(tangent: &Results, adjoint: &Results, generated: bool) -> bool {
    let has = |results: &Results, wanted: &str| results.iter().any(|(label, _)| label == wanted);
    let within = |some: &Results, all: &Results| {
        let mut directions = some.iter().filter(|(label, _)| label.contains(DIRECTION));
        directions.all(|(label, _)| has(all, label))
    };
    within(adjoint, tangent) && (generated || within(tangent, adjoint))
}

/// Whether `label` is that of the variable `name` or a component of it, with this addition.
fn is_of(label: &str, name: &str, addition: &str) -> bool {
    label
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(addition))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('%'))
}

fn numbers<'r>(results: &'r Results, label: &str) -> Option<&'r [f64]> {
    results.iter().find(|(known, _)| known == label).map(|(_, values)| values.as_slice())
}

/// A sum of products, and the sum of their sizes.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: f64,
    size: f64,
}

impl Sum {
    fn add(&mut self, a: &[f64], b: &[f64]) {
        if a.len() != b.len() {
            self.value = f64::NAN;
        }
        for product in a.iter().zip(b).map(|(a, b)| a * b) {
            self.value += product;
            self.size += product.abs();
        }
    }
}

/// ⟨w, y⟩, where `of` gives the y of a variable; what it does not know is zero.
fn weighted<'r>(point: &Results, of: impl Fn(&str) -> Option<&'r [f64]>) -> Sum {
    let mut sum = Sum::default();
    for (label, weights) in point.iter().filter(|(label, _)| label.contains(WEIGHT)) {
        if let Some(values) = of(label) {
            sum.add(weights, values);
        }
    }
    sum
}

/// Judges an adjoint.
pub(crate) fn judge(evidence: &Evidence, tolerance: Option<f64>) -> Judgement {
    let point = &evidence.point;
    let tolerance = tolerance.unwrap_or(evidence.precision.tolerance());
    let value_of = |label: &str| label.replacen(WEIGHT, "", 1);
    let base = weighted(point, |label| numbers(&evidence.base, &value_of(label)));
    let parts: Vec<(Sum, usize)> =
        evidence.moved.iter().map(|moved| along(point, &evidence.adjoint, &moved.name)).collect();
    let scale = parts.iter().map(|(sum, _)| sum.size).fold(0.0, f64::max);
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for (moved, (own, elements)) in evidence.moved.iter().zip(&parts) {
        let mut compare = |method, other: Option<Estimate>| {
            let (verdict, apart, value) = element(own.value, other, scale, tolerance);
            rows.push(Row {
                name: moved.name.clone(),
                method,
                elements: *elements,
                largest: own.value.abs(),
                apart,
                verdict,
                overruled: false,
                worst: Some((0, own.value, value)),
            });
        };
        let samples: Vec<Sample> = moved.steps.iter().map(|step| sample(point, step)).collect();
        let noise =
            4.0 * evidence.precision.inside * (base.size / base.value.abs()).clamp(1.0, 1e6);
        if !samples.is_empty() {
            compare(DIFFERENCES, extrapolate(&samples, 0, base.value, noise));
        }
        match &moved.complex_step {
            None => {}
            Some(Ok(found)) if !has_all(found, point) => {
                missing.push(format!("no complex step for {}: it lacks outputs", moved.name));
            }
            Some(Ok(found)) => {
                let sum = weighted(point, |label| found.get(&value_of(label)).map(Vec::as_slice));
                let error = 100.0 * evidence.precision.inside * sum.size.max(own.size);
                compare(COMPLEX_STEP, Some(Estimate { value: sum.value, error, doubt: 0.0 }));
            }
            Some(Err(reason)) => {
                missing.push(format!("no complex step for {}: {reason}", moved.name));
            }
        }
    }
    match &evidence.tangent {
        Ok(tangent) => rows.push(dot_product(evidence, &parts, tangent)),
        Err(reason) => missing.push(format!("no dot product with the tangent: {reason}")),
    }
    missing.dedup_by(|a, b| a.rsplit_once(": ").map(|x| x.1) == b.rsplit_once(": ").map(|x| x.1));
    let reshaped = reshaped(evidence);
    let undefined = if reshaped.is_empty() { undefined(evidence) } else { Vec::new() };
    missing.extend(reshaped);
    if !base.value.is_finite() {
        // One output without a value takes it from all sums.
        rows.iter_mut().for_each(|row| row.verdict = Verdict::Unsure);
    }
    overrule(&mut rows);
    Judgement { rows, missing, accumulation: accumulation(evidence), undefined }
}

/// Whether each weighted output has derivatives by complex step. Nothing is no zero.
fn has_all(found: &BTreeMap<String, Vec<f64>>, point: &Results) -> bool {
    let mut weights = point.iter().filter(|(label, _)| label.contains(WEIGHT));
    weights.all(|(label, weights)| {
        let values = found.get(&label.replacen(WEIGHT, "", 1)).map_or(0, Vec::len);
        values == weights.len()
    })
}

/// Weighted outputs that are no finite numbers.
fn undefined(evidence: &Evidence) -> Vec<String> {
    let weights = evidence.point.iter().filter(|(label, _)| label.contains(WEIGHT));
    let names = weights.map(|(label, _)| label.replacen(WEIGHT, "", 1));
    let is_undefined = |name: &String| {
        let values = numbers(&evidence.base, name).unwrap_or(&[]);
        values.iter().any(|value| !value.is_finite())
    };
    names.filter(is_undefined).collect()
}

/// Outputs that have another number of elements than their weights, so that nothing can be compared.
fn reshaped(evidence: &Evidence) -> Vec<String> {
    let weights = evidence.point.iter().filter(|(label, _)| label.contains(WEIGHT));
    let told = weights.filter_map(|(label, weights)| {
        let name = label.replacen(WEIGHT, "", 1);
        let values = numbers(&evidence.base, &name).unwrap_or(&[]).len();
        (values != weights.len()).then(|| {
            let before = weights.len();
            format!(
                "{name} has {values} elements behind the call and {before} before it: not supported"
            )
        })
    });
    told.collect()
}

/// ⟨x̄, v⟩ of one variable, and the number of its elements.
fn along(point: &Results, adjoint: &Results, name: &str) -> (Sum, usize) {
    let mut sum = Sum::default();
    let mut elements = 0;
    for (label, direction) in point {
        if is_of(label, name, DIRECTION) {
            let adjoint = numbers(adjoint, &label.replacen(DIRECTION, DERIVATIVE, 1));
            sum.add(adjoint.unwrap_or(&[]), direction);
            elements += direction.len();
        }
    }
    (sum, elements)
}

/// ⟨w, F⟩ beside the point.
fn sample(point: &Results, step: &(f64, Option<Results>, Option<Results>)) -> Sample {
    let sum = |results: &Option<Results>| {
        let results = results.as_ref()?;
        let sum = weighted(point, |label| numbers(results, &label.replacen(WEIGHT, "", 1)));
        Some(vec![sum.value])
    };
    let finite = |sum: Vec<f64>| sum.iter().all(|value| value.is_finite()).then_some(sum);
    Sample {
        step: step.0,
        plus: sum(&step.1).and_then(finite),
        minus: sum(&step.2).and_then(finite),
    }
}

fn dot_product(evidence: &Evidence, parts: &[(Sum, usize)], tangent: &Results) -> Row {
    let own: f64 = parts.iter().map(|(sum, _)| sum.value).sum();
    let size: f64 = parts.iter().map(|(sum, _)| sum.size).sum();
    let other =
        weighted(&evidence.point, |label| numbers(tangent, &label.replacen(WEIGHT, DERIVATIVE, 1)));
    let (apart, size) = ((own - other.value).abs(), size.max(other.size));
    // A compiler may order operations differently in two procedures.
    let good = apart <= evidence.precision.reordered() * size + rounding(evidence, own);
    let apart = if apart == 0.0 { 0.0 } else { apart / size };
    Row {
        name: "all".into(),
        method: DOT_PRODUCT,
        elements: parts.iter().map(|(_, elements)| elements).sum(),
        largest: own.abs(),
        apart,
        verdict: if good { Verdict::Good } else { Verdict::Wrong },
        overruled: false,
        worst: Some((0, own, other.value)),
    }
}

/// How far rounding errors of the independent variables take ⟨x̄, v⟩, which is `own` at the point: sums in which
/// much cancels make them large, and those on the way are no smaller. Where a program jumps at the point, as at the
/// bound of a branch, the other side tells.
fn rounding(evidence: &Evidence, own: f64) -> f64 {
    let apart = |adjoint: &Results| {
        let parts = evidence.moved.iter().map(|one| along(&evidence.point, adjoint, &one.name));
        (parts.map(|(sum, _)| sum.value).sum::<f64>() - own).abs()
    };
    let most = |side: &Vec<Results>| side.iter().map(apart).fold(0.0, f64::max);
    let [before, behind] = &evidence.beside;
    ROUNDING_COUNTS * most(before).min(most(behind))
}

/// The variables where the adjoint is another one if something is there already. A fault is as large as what was
/// there; what is far below that are rounding errors of sums in which much cancels.
fn accumulation(evidence: &Evidence) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    let starts = evidence.point.iter().filter(|(label, _)| label.contains(START));
    let begun =
        starts.flat_map(|(_, values)| values).fold(0.0, |most: f64, value| most.max(value.abs()));
    for (label, adjoint) in &evidence.adjoint {
        let start = numbers(&evidence.point, &label.replacen(DERIVATIVE, START, 1));
        let again = numbers(&evidence.accumulated, label).unwrap_or(&[]);
        let largest = adjoint.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
        let mut most: f64 = if again.len() == adjoint.len() { 0.0 } else { f64::INFINITY };
        for (index, (own, again)) in adjoint.iter().zip(again).enumerate() {
            let start = start.and_then(|start| start.get(index)).copied().unwrap_or(0.0);
            most = most.max((again - start - own).abs());
        }
        if most > 1e4 * evidence.precision.inside * largest + 1e-6 * begun {
            found.push((label.replacen(DERIVATIVE, "", 1), most / largest));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = a*x with adjoint `adjoint` of x and tangent `tangent` of y, for v = 0.5 and w = 2.
    fn evidence(adjoint: f64, tangent: f64, accumulated: f64) -> Evidence {
        let results = |list: &[(&str, f64)]| -> Results {
            list.iter().map(|&(label, value)| (label.to_string(), vec![value])).collect()
        };
        let at = |h: f64| Some(results(&[("y", 3.0 * (1.0 + 0.5 * h))]));
        let steps = (1..=8).map(|k| 10f64.powi(-k)).map(|h| (h, at(h), at(-h))).collect();
        let complex_step = Some(Ok(BTreeMap::from([("y".to_string(), vec![1.5])])));
        Evidence {
            point: results(&[("x direction", 0.5), ("y weight", 2.0), ("x start", 0.25)]),
            base: results(&[("y", 3.0)]),
            adjoint: results(&[("x derivative", adjoint)]),
            accumulated: results(&[("x derivative", accumulated)]),
            beside: [Vec::new(), Vec::new()],
            tangent: Ok(results(&[("y derivative", tangent)])),
            moved: vec![Moved { name: "x".into(), steps, complex_step }],
            precision: Precision { outside: f64::EPSILON, inside: f64::EPSILON },
        }
    }

    #[test]
    fn a_right_adjoint_is_good_by_every_method() {
        let found = judge(&evidence(6.0, 1.5, 6.25), None);
        assert_eq!(found.rows.len(), 3);
        assert!(found.rows.iter().all(|row| row.verdict == Verdict::Good), "{:?}", found.rows);
        assert_eq!(found.verdict(), Verdict::Good);
    }

    #[test]
    fn a_wrong_adjoint_is_wrong_by_every_method() {
        let found = judge(&evidence(6.001, 1.5, 6.251), None);
        assert!(found.rows.iter().all(|row| row.verdict == Verdict::Wrong), "{:?}", found.rows);
        // Far below what differences resolve, the dot product still tells.
        let found = judge(&evidence(6.0 + 1e-8, 1.5, 6.25 + 1e-8), None);
        let wrong: Vec<_> = found.rows.iter().filter(|row| row.verdict == Verdict::Wrong).collect();
        assert_eq!(wrong.iter().map(|row| row.method).collect::<Vec<_>>(), ["dot product"]);
        assert_eq!(found.verdict(), Verdict::Wrong);
    }

    #[test]
    fn an_adjoint_that_overwrites_its_argument_is_wrong() {
        let found = judge(&evidence(6.0, 1.5, 6.0), None);
        assert_eq!(found.accumulation.len(), 1);
        assert_eq!(found.verdict(), Verdict::Wrong);
    }

    #[test]
    fn what_rounding_errors_of_the_point_do_is_no_fault() {
        let off = || evidence(6.0, 1.5 + 1e-9, 6.25 + 1e-10);
        assert_eq!(judge(&off(), None).verdict(), Verdict::Wrong);
        let at = |adjoint: f64| vec![("x derivative".to_string(), vec![adjoint])];
        let cancels = [vec![at(6.0 + 3e-9), at(6.0)], vec![at(6.0 - 2e-9), at(6.0 + 2e-9)]];
        let found = judge(&Evidence { beside: cancels, ..off() }, None);
        assert_eq!(found.verdict(), Verdict::Good, "{:?}", found.rows);
        // A jump is on one side.
        let jumps = [vec![at(7.0), at(7.0)], vec![at(6.0), at(6.0)]];
        assert_eq!(judge(&Evidence { beside: jumps, ..off() }, None).verdict(), Verdict::Wrong);
    }

    #[test]
    fn without_a_tangent_the_other_methods_decide() {
        let without = Evidence { tangent: Err("none".into()), ..evidence(6.0, 1.5, 6.25) };
        let found = judge(&without, None);
        assert_eq!((found.rows.len(), found.missing.len()), (2, 1));
        assert_eq!(found.verdict(), Verdict::Good);
    }
}
