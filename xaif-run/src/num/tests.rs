//! The rules of duals and of complex step against differences and against each other.

use super::*;

const STEP: f64 = 1e-20;

fn sample(function: Function) -> f64 {
    match function {
        Function::Acosh => 1.75,
        Function::Gamma | Function::LogGamma => 2.3,
        _ => 0.375,
    }
}

#[test]
fn tangents_of_functions_agree_with_central_differences() {
    for &function in Function::ALL {
        let x = sample(function);
        let h = 1e-5;
        let slope = (function.value(8, x + h) - function.value(8, x - h)) / (2.0 * h);
        let tangent = Mode::Tangent.apply(8, function, Num { v: x, t: 1.0 }).map(|y| y.t);
        let tangent = tangent.unwrap_or(f64::NAN);
        assert!(
            (tangent - slope).abs() <= 1e-8 * (1.0 + slope.abs()),
            "{function:?}: {tangent} {slope}"
        );
    }
}

#[test]
fn complex_step_agrees_with_tangents_to_rounding() {
    for &function in Function::ALL {
        let x = sample(function);
        let dual = Mode::Tangent.apply(8, function, Num { v: x, t: 1.0 }).map_or(f64::NAN, |y| y.t);
        if let Some(step) = Mode::ComplexStep.apply(8, function, Num { v: x, t: STEP }) {
            let tangent = step.t / STEP;
            assert!(
                (tangent - dual).abs() <= 1e-14 * (1.0 + dual.abs()),
                "{function:?}: {tangent} {dual}"
            );
        }
    }
}

#[test]
fn operations_of_two_arguments_agree_in_both_derivative_modes() {
    type Operation = fn(Mode, Num, Num) -> Num;
    let operations: [(&str, Operation); 9] = [
        ("add", |m, a, b| m.add(8, a, b)),
        ("sub", |m, a, b| m.sub(8, a, b)),
        ("mul", |m, a, b| m.mul(8, a, b)),
        ("div", |m, a, b| m.div(8, a, b)),
        ("pow", |m, a, b| m.pow(8, a, b)),
        ("atan2", |m, a, b| m.atan2(8, a, b)),
        ("hypot", |m, a, b| m.hypot(8, a, b)),
        ("mod", |m, a, b| m.modulus(8, a, b)),
        ("modulo", |m, a, b| m.modulo(8, a, b)),
    ];
    for (name, operation) in operations {
        for (da, db) in [(1.0, 0.0), (0.0, 1.0), (0.5, -0.25)] {
            let (a, b, h) = (1.7, 0.6, 1e-6);
            let at = |s: f64| operation(Mode::Value, Num::of(a + s * da), Num::of(b + s * db)).v;
            let slope = (at(h) - at(-h)) / (2.0 * h);
            let dual = operation(Mode::Tangent, Num { v: a, t: da }, Num { v: b, t: db });
            let step = operation(
                Mode::ComplexStep,
                Num { v: a, t: STEP * da },
                Num { v: b, t: STEP * db },
            );
            assert!((dual.t - slope).abs() < 1e-8, "{name}: {} {slope}", dual.t);
            assert!((step.t / STEP - dual.t).abs() < 1e-14, "{name}: {} {}", step.t / STEP, dual.t);
            assert_eq!(step.v.to_bits(), dual.v.to_bits(), "{name}");
        }
    }
}

#[test]
fn powers_at_zero_have_finite_tangents() {
    let zero = Num { v: 0.0, t: 1.0 };
    assert_eq!(Mode::Tangent.powi(8, zero, 2, false).t, 0.0);
    assert_eq!(Mode::Tangent.powi(8, zero, 1, false).t, 1.0);
    assert_eq!(Mode::Tangent.pow(8, zero, Num::of(2.0)).t, 0.0);
    assert_eq!(Mode::Tangent.pow(8, Num::of(0.0), Num { v: 2.0, t: 1.0 }).t, 0.0);
}

#[test]
fn single_precision_is_rounded_after_each_operation() {
    let third = Mode::Value.div(4, Num::of(1.0), Num::of(3.0));
    assert_eq!(third.v, f64::from(1.0f32 / 3.0f32));
    assert_eq!(Function::Sin.value(4, 0.5), f64::from(0.5f32.sin()));
}
