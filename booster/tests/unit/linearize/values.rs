//! The numbers: each derivative, executed, against central differences and dual numbers.

use std::collections::BTreeSet;

use xaif_run::{Element, Given, Mode, Request, parse_setting, run};
use xaif_schema::model::Document;

use super::cases::{ARRAY_CASES, COMPLEX, COMPLEX_CASES, LOOPS, REAL, ROUNDED, program};
use super::differentiate;
use booster_rules::{Catalogue, standard_rows_used};

const INPUTS: &[&str] = &[
    "x=0.7",
    "y=1.3",
    "z=(0.7,-0.4)",
    "w=(1.25,0.6)",
    "a=[0.5, -1.25, 2.0, 0.75, -0.3, 1.5]",
    "b=[1.5, 0.25, -0.6, 1.1, 2.2, -0.9]",
    "s=[[1.5, 0.3], [-0.7, 2.0], [0.9, -1.1]]",
    "t=[[0.2, 1.3], [0.8, -0.5], [1.9, 0.4]]",
    "g=[[0.6, -1.2, 0.35], [1.4, 0.15, 0.85]]",
    "p=0.45",
    "n=3",
    "i=[[1, 2], [3, 1], [2, 2]]",
    "k=[.true., .false., .true., .true., .false., .true.]",
    "o=[[.true., .false.], [.false., .true.], [.true., .true.]]",
];

pub(super) const DIRECTION: &[&str] = &[
    "x=0.6",
    "y=-0.35",
    "z=(0.3,0.8)",
    "w=(-0.45,0.55)",
    "a=[0.3, 0.9, -0.2, 0.55, 1.1, -0.65]",
    "b=[-0.8, 0.35, 0.7, 0.25, -0.15, 0.95]",
    "s=[[0.4, -0.6], [0.75, 0.1], [-0.3, 0.5]]",
    "t=[[0.65, 0.2], [-0.45, 0.85], [0.35, -0.7]]",
    "g=[[-0.25, 0.5, 0.45], [0.8, -0.1, 0.15]]",
];

pub(super) fn settings(texts: &[&str]) -> Vec<(String, Given)> {
    texts.iter().map(|text| parse_setting(text).expect("a setting")).collect()
}

/// `inputs` with those of `point`, and each plus `step` times its direction.
pub(super) fn moved(point: &str, step: f64) -> Vec<(String, Given)> {
    let own = settings(&point.split_whitespace().collect::<Vec<_>>());
    let mut values = settings(INPUTS);
    for (name, value) in &mut values {
        if let Some((_, given)) = own.iter().find(|(other, _)| other == name) {
            *value = given.clone();
        }
        if let Some((_, by)) = settings(DIRECTION).iter().find(|(other, _)| other == name) {
            for (word, by) in value.words.iter_mut().zip(&by.words) {
                *word = shifted(word, by, step);
            }
        }
    }
    values
}

fn shifted(word: &str, by: &str, step: f64) -> String {
    if step == 0.0 {
        return word.to_string();
    }
    let parts = |text: &str| -> Vec<f64> {
        text.trim_matches(['(', ')']).split(',').map(|part| part.parse().expect("real")).collect()
    };
    let sums: Vec<String> = parts(word)
        .iter()
        .zip(parts(by))
        .map(|(value, by)| format!("{:.17e}", value + step * by))
        .collect();
    if sums.len() == 1 { sums.concat() } else { format!("({})", sums.join(",")) }
}

/// Values (and tangents) of a variable after a run.
pub(super) fn result(
    doc: &Document,
    values: Vec<(String, Given)>,
    direction: Vec<(String, Given)>,
    mode: Mode,
    name: &str,
) -> Vec<(f64, f64)> {
    let mut values = values;
    if direction.is_empty() {
        // The derivative variables of the differentiated program.
        for (name, given) in settings(DIRECTION) {
            values.push((format!("{name}d"), given));
        }
    }
    let request =
        Request { procedure: Some("test".into()), values, direction, mode, ..Request::default() };
    let outcome = run(doc, &request)
        .unwrap_or_else(|found| panic!("{}\n{found:?}", xaif_schema::inspect::show::show(doc)));
    let output = outcome.outputs.iter().find(|output| output.name == name).expect("an output");
    let mut numbers = Vec::new();
    for element in &output.elements {
        match element {
            Element::Real(value, tangent) => numbers.push((*value, *tangent)),
            Element::Complex(value, tangent) => {
                numbers.extend(value.iter().copied().zip(tangent.iter().copied()));
            }
            // An element that the statement has not defined (a derivative that is zero).
            Element::Undefined => numbers.push((0.0, 0.0)),
            other => panic!("{other:?}"),
        }
    }
    numbers
}

pub(super) fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * (1.0 + expected.abs())
}

/// What is wrong with the derivative of an assignment at a point, if anything.
fn check(assignment: &str, point: &str, wrong: &mut String) {
    let target = assignment.split([' ', '=', '(']).next().unwrap_or("");
    let rounded = ROUNDED.contains(&assignment);
    for (kind, tolerance) in [(8, if rounded { 1e-6 } else { 1e-11 }), (4, 1e-4)] {
        let original = booster_tests::document(&program(kind, assignment));
        let mut derived = original.clone();
        differentiate(&mut derived, &Catalogue::standard());
        let names = format!("{target}d");
        let found = result(&derived, moved(point, 0.0), Vec::new(), Mode::Value, &names);
        let direction = settings(DIRECTION);
        let dual = result(&original, moved(point, 0.0), direction, Mode::Tangent, target);
        for (index, (found, dual)) in found.iter().zip(&dual).enumerate() {
            if !close(found.0, dual.1, tolerance) {
                *wrong += &format!(
                    "{assignment} at `{point}`, kind {kind}, number {index}: {} is not {} of dual \
                     numbers\n",
                    found.0, dual.1
                );
            }
        }
        if kind == 8 && !rounded {
            let h = 1e-6;
            let [above, below] = [h, -h]
                .map(|step| result(&original, moved(point, step), Vec::new(), Mode::Value, target));
            for (index, (found, (above, below))) in
                found.iter().zip(above.iter().zip(&below)).enumerate()
            {
                let slope = (above.0 - below.0) / (2.0 * h);
                if !close(found.0, slope, 1e-7) {
                    *wrong += &format!(
                        "{assignment} at `{point}`, number {index}: {} is not {slope} of central \
                         differences\n",
                        found.0
                    );
                }
            }
        }
    }
}

fn check_all(cases: &[(&str, &[&str])]) {
    let mut wrong = String::new();
    for (assignment, points) in cases {
        for point in *points {
            check(assignment, point, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn derivatives_by_loops_agree_with_differences_and_dual_numbers() {
    check_all(LOOPS);
}

#[test]
fn real_derivatives_agree_with_differences_and_dual_numbers() {
    check_all(REAL);
}

#[test]
fn derivatives_are_rounded_as_values_are() {
    for assignment in ROUNDED {
        check_all(&[(assignment, COMPLEX)]);
    }
}

#[test]
fn complex_derivatives_agree_with_differences_and_dual_numbers() {
    check_all(COMPLEX_CASES);
}

#[test]
fn array_derivatives_agree_with_differences_and_dual_numbers() {
    check_all(ARRAY_CASES);
}

/// No rule of the standard catalogue is without a case.
#[test]
fn every_rule_is_tested() {
    let mut used = BTreeSet::new();
    let cases = [REAL, COMPLEX_CASES, ARRAY_CASES, LOOPS].into_iter().flatten();
    for assignment in cases.map(|(assignment, _)| assignment).chain(ROUNDED) {
        let doc = booster_tests::document(&program(8, assignment));
        used.extend(standard_rows_used(&doc));
    }
    let missing: Vec<String> = booster_rules::standard_rows_with_derivative()
        .filter(|(index, _)| !used.contains(index))
        .map(|(_, name)| name)
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// The rules at ties, kinks and poles that docs/intrinsics.md states.
#[test]
fn ties_and_kinks_follow_the_stated_rules() {
    let (x, y) = (0.6, -0.35);
    for (assignment, point, expected) in [
        ("r = max(x, y)", "x=1.5 y=1.5", x),
        ("r = max(y, x)", "x=1.5 y=1.5", y),
        ("r = min(x, y)", "x=1.5 y=1.5", x),
        ("r = max(p, x, y)", "x=1 y=1 p=1", 0.0),
        ("r = abs(x)", "x=0", x),
        ("r = abs(x)", "x=-0.0", -x),
        ("r = abs(z)", "z=(0,0)", 0.0),
        ("r = dim(x, y)", "x=1 y=1", 0.0),
        ("r = aint(x) + anint(y)", "x=2 y=0.5", 0.0),
        ("r = hypot(x, y)", "x=0 y=0", 0.0),
        ("r = norm2(a)", "a=[0,0,0,0,0,0]", 0.0),
        ("r = x**n", "x=0 n=0", 0.0),
        ("r = x**n", "x=0 n=1", x),
        ("r = p**y", "p=0 y=2", 0.0),
        ("r = x**y", "x=0 y=1", x),
        ("r = x**y", "x=0 y=2.5", 0.0),
        ("r = x**0.0", "x=0", 0.0),
        ("r = (p*x)**0.5", "x=0 p=0", 0.0),
        ("r = sqrt(x**2 + y**2)", "x=0 y=0", 0.0),
        ("r = asin(p*x) + acos(p*y)", "x=0 y=0", 0.45 * x - 0.45 * y),
        ("r = bessel_j1(x)", "x=0", 0.5 * x),
        ("r = maxval(a)", "a=[1,3,3,2,1,0]", 0.9),
        ("r = minval(a, a > 5)", "a=[1,3,3,2,1,0]", 0.0),
        ("r = product(a)", "a=[0,2,1,1,1,1]", 0.6),
        ("r = product(a)", "a=[0,0,1,1,1,1]", 0.0),
    ] {
        let mut doc = booster_tests::document(&program(8, assignment));
        differentiate(&mut doc, &Catalogue::standard());
        let found = result(&doc, moved(point, 0.0), Vec::new(), Mode::Value, "rd");
        assert!(close(found[0].0, expected, 1e-12), "{assignment} at {point}: {found:?}");
    }
    // An infinite derivative is huge, and never a number that looks right.
    for (assignment, point) in
        [("r = sqrt(x)", "x=0"), ("r = x**0.5", "x=0"), ("r = asin(x)", "x=1")]
    {
        let mut doc = booster_tests::document(&program(8, assignment));
        differentiate(&mut doc, &Catalogue::standard());
        let found = result(&doc, moved(point, 0.0), Vec::new(), Mode::Value, "rd");
        assert!(found[0].0 > 1e150, "{assignment}: {found:?}");
    }
}
