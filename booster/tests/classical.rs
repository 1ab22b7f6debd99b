//! The classical functions of `bench/graphs` are what they are named after: values against formulas of
//! another form or published points, Jacobians against complex step, with and without local Jacobians.

use xaif_booster::transform::preaccumulate::{Options, preaccumulate};
use xaif_run::{Element, Given, Mode, Request};
use xaif_schema::model::{Document, StmtKind};

use booster_tests::{document, execute, read, told, verified};

/// A function of scalars: its arguments as the procedure has them, points, and what it is.
struct Function {
    name: &'static str,
    inputs: Vec<String>,
    outputs: Vec<String>,
    points: Vec<Vec<f64>>,
    formula: fn(&[f64]) -> Vec<f64>,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn numbered(letter: char, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{letter}{number}")).collect()
}

impl Function {
    fn document(&self) -> Document {
        let folder = booster_tests::folder().join("../../bench/graphs");
        document(&read(&folder.join(self.name).with_extension("f90")))
    }

    /// Values, and derivatives by the variable with this number.
    fn at(&self, doc: &Document, point: &[f64], by: usize, mode: Mode) -> Vec<(f64, f64)> {
        let given = |number: f64| Given { shape: Vec::new(), words: vec![format!("{number:e}")] };
        let values = self.inputs.iter().zip(point).map(|(name, &x)| (name.clone(), given(x)));
        let request = Request {
            procedure: Some(self.name.to_owned()),
            values: values.collect(),
            direction: vec![(self.inputs[by].clone(), given(1.0))],
            mode,
            ..Request::default()
        };
        let outcome = execute(doc, &request, self.name);
        let value = |name: &String| {
            let output = outcome.outputs.iter().find(|output| output.name == *name);
            match output.expect("an output").elements[..] {
                [Element::Real(value, derivative)] => (value, derivative),
                ref other => panic!("{name}: {other:?}"),
            }
        };
        self.outputs.iter().map(value).collect()
    }

    fn check(&self) {
        let plain = self.document();
        let choices = [
            Options { always: true, ..Options::default() },
            Options { always: true, per_statement: true, ..Options::default() },
            Options { directions: Some(16), ..Options::default() },
        ];
        let behind: Vec<Document> = choices.iter().map(|options| made(&plain, options)).collect();
        let found = behind[0].stmts.values().any(|s| matches!(s.kind, StmtKind::Propagate(_)));
        assert!(found, "{}: no local Jacobian", self.name);
        for point in &self.points {
            let wanted = (self.formula)(point);
            assert_eq!(wanted.len(), self.outputs.len());
            for by in 0..self.inputs.len() {
                let what = format!("{} at {point:?} by {}", self.name, self.inputs[by]);
                let truth = self.at(&plain, point, by, Mode::ComplexStep);
                for ((value, _), wanted) in truth.iter().zip(&wanted) {
                    near(*value, *wanted, 1e-12, &what);
                }
                for doc in [&plain].into_iter().chain(&behind) {
                    let found = self.at(doc, point, by, Mode::Tangent);
                    for (found, truth) in found.iter().zip(&truth) {
                        near(found.0, truth.0, 1e-14, &what);
                        near(found.1, truth.1, 1e-12, &what);
                    }
                }
            }
        }
    }
}

fn made(plain: &Document, options: &Options) -> Document {
    let mut doc = plain.clone();
    preaccumulate(&mut doc, options).unwrap_or_else(|found| panic!("{}", told(&found)));
    verified(&doc);
    doc
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!(
        (found - wanted).abs() <= tolerance * (1.0 + wanted.abs()),
        "{what}: {found}, not {wanted}"
    );
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// `|A|` is the quadratic polynomial in the Jacobian A of the flux at Roe's averages that has the values
/// |u-c|, |u|, |u+c| at its eigenvalues: no wave is written down.
fn roe(x: &[f64]) -> Vec<f64> {
    let half = |q: &[f64]| {
        let (rho, energy) = (q[0], q[4]);
        let v = [q[1] / rho, q[2] / rho, q[3] / rho];
        let square: f64 = v.iter().map(|v| v * v).sum();
        let pressure = 0.4 * (energy - rho * square / 2.0);
        let mut flux: Vec<f64> = q.iter().map(|q| q * v[0]).collect();
        flux[1] += pressure;
        flux[4] += pressure * v[0];
        (rho.sqrt(), v, (energy + pressure) / rho, flux)
    };
    let (left, right) = (half(&x[..5]), half(&x[5..]));
    let mean = |a: f64, b: f64| (left.0 * a + right.0 * b) / (left.0 + right.0);
    let v: Vec<f64> = (0..3).map(|k| mean(left.1[k], right.1[k])).collect();
    let (enthalpy, u) = (mean(left.2, right.2), v[0]);
    let q = v.iter().map(|v| v * v).sum::<f64>() / 2.0;
    let c = (0.4 * (enthalpy - q)).sqrt();
    // A applied to a vector.
    let apply = |d: &[f64]| -> Vec<f64> {
        let pressure = 0.4 * (q * d[0] - v[0] * d[1] - v[1] * d[2] - v[2] * d[3] + d[4]);
        let carried = d[1] - u * d[0];
        vec![
            d[1],
            u * d[1] + v[0] * carried + pressure,
            u * d[2] + v[1] * carried,
            u * d[3] + v[2] * carried,
            u * d[4] + enthalpy * carried + u * pressure,
        ]
    };
    let less = |d: &[f64], eigenvalue: f64| -> Vec<f64> {
        apply(d).iter().zip(d).map(|(a, d)| a - eigenvalue * d).collect()
    };
    // Newton's form of the polynomial.
    let (low, high) = (u - c, u + c);
    let first = (u.abs() - low.abs()) / c;
    let second = ((high.abs() - u.abs()) / c - first) / (2.0 * c);
    let jump: Vec<f64> = x[..5].iter().zip(&x[5..]).map(|(l, r)| r - l).collect();
    let once = less(&jump, low);
    let twice = less(&once, u);
    (0..5)
        .map(|k| {
            let waves = low.abs() * jump[k] + first * once[k] + second * twice[k];
            (left.3[k] + right.3[k] - waves) / 2.0
        })
        .collect()
}

#[test]
fn roes_flux_in_three_dimensions() {
    let subsonic = [1.2, 0.3, -0.2, 0.4, 2.6, 0.9, 0.5, 0.1, -0.3, 2.1];
    let supersonic = [1.0, 3.0, 0.1, 0.2, 7.0, 1.1, 3.1, 0.2, 0.1, 7.3];
    let function = Function {
        name: "roe3d",
        inputs: words("rl mxl myl mzl el rr mxr myr mzr er"),
        outputs: numbered('f', 5),
        points: vec![subsonic.to_vec(), supersonic.to_vec()],
        formula: roe,
    };
    function.check();
    // All waves go right: the flux is that of the left state.
    let flux = function.at(&function.document(), &supersonic, 0, Mode::Tangent);
    let pressure = 0.4 * (7.0 - (9.0 + 0.01 + 0.04) / 2.0);
    for (found, wanted) in flux.iter().zip([3.0, 9.0 + pressure, 0.3, 0.6, 3.0 * (7.0 + pressure)])
    {
        near(found.0, wanted, 1e-13, "supersonic flow");
    }
}

/// Moments of two dipoles with complex strengths p and places z: sums of `p*z**k`.
fn heart(x: &[f64]) -> Vec<f64> {
    let product = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let strengths = [[x[0], x[2]], [x[1], x[3]]];
    let places = [[x[4], x[6]], [x[5], x[7]]];
    let measured = [0.485, -0.0019, -0.0581, 0.015, 0.105, 0.0406, 0.167, -0.399];
    let mut terms = strengths;
    let mut found = Vec::new();
    for pair in measured.chunks(2) {
        found.extend([terms[0][0] + terms[1][0] - pair[0], terms[0][1] + terms[1][1] - pair[1]]);
        terms = [product(terms[0], places[0]), product(terms[1], places[1])];
    }
    found
}

#[test]
fn human_heart_dipole() {
    let function = Function {
        name: "heart",
        inputs: words("a b c d t u v w"),
        outputs: numbered('f', 8),
        points: vec![
            // MINPACK-2's starting point.
            vec![0.299, 0.186, -0.0273, 0.0254, -0.474, 0.474, -0.0892, 0.0892],
            vec![0.7, -1.3, 0.4, 1.1, -0.6, 0.9, 1.7, -0.2],
        ],
        formula: heart,
    };
    function.check();
    // There the two linear equations hold.
    let start = heart(&function.points[0]);
    assert!(start[..2].iter().all(|residual| residual.abs() < 1e-15), "{start:?}");
}

const RATES: [f64; 6] = [1.930e-1, 4.106e-4, 5.451e-4, 4.497e-7, 3.407e-5, 9.615e-7];

/// Products against powers of the pressure of a mole.
fn propane(x: &[f64]) -> Vec<f64> {
    let mole = 40.0 / x[10];
    let sums: [(&[(usize, f64)], f64); 4] = [
        (&[(0, 1.0), (3, 1.0)], 3.0),
        (&[(0, 2.0), (1, 1.0), (3, 1.0), (6, 1.0), (7, 1.0), (8, 1.0), (9, 2.0)], 10.0),
        (&[(1, 2.0), (4, 2.0), (5, 1.0), (6, 1.0)], 8.0),
        (&[(2, 2.0), (8, 1.0)], 40.0),
    ];
    let linear = sums.iter().map(|(terms, whole)| {
        terms.iter().map(|&(index, factor)| factor * x[index]).sum::<f64>() - whole
    });
    let [k5, k6, k7, k8, k9, k10] = RATES;
    let root = mole.powf(0.5);
    let equilibria = [
        k5 * x[1] * x[3] - x[0] * x[4],
        k6 * (x[1] * x[3]).powf(0.5) - x[0].powf(0.5) * x[5] * root,
        k7 * (x[0] * x[1]).powf(0.5) - x[3].powf(0.5) * x[6] * root,
        k8 * x[0] - x[3] * x[7] * mole,
        k9 * x[0] * x[2].powf(0.5) - x[3] * x[8] * root,
        k10 * x[0].powi(2) - x[3].powi(2) * x[9] * mole,
        x[10] - x[..10].iter().sum::<f64>(),
    ];
    linear.chain(equilibria).collect()
}

#[test]
fn propane_combustion() {
    let [k5, k6, k7, k8, k9, k10] = RATES;
    let root = 40.0_f64.sqrt();
    // The equilibria hold at this point, whose form is that of MINPACK-2's start.
    let balanced = vec![
        5.0,
        2.5,
        5.0,
        0.1,
        0.05 * k5,
        k6 / root,
        50.0 * k7 / root,
        1000.0 * k8 / 40.0,
        500.0 * k9 / root,
        50_000.0 * k10 / 40.0,
        20.0,
    ];
    let found = propane(&balanced);
    assert!(found[4..10].iter().all(|residual| residual.abs() < 1e-15), "{found:?}");
    Function {
        name: "propane",
        inputs: numbered('x', 11),
        outputs: numbered('f', 11),
        points: vec![balanced, (1..=11).map(|n| 0.3 + 0.1 * f64::from(n)).collect()],
        formula: propane,
    }
    .check();
}

/// `T_k(2x - 1) = cos(k acos(2x - 1))`, whose integral from 0 to 1 is 1/(1 - k**2) for even k, else 0.
fn chebyquad(x: &[f64]) -> Vec<f64> {
    let shifted = |k: f64, x: f64| (k * (2.0 * x - 1.0).acos()).cos();
    let residual = |k: f64| {
        let integral = if k % 2.0 == 0.0 { 1.0 / (1.0 - k * k) } else { 0.0 };
        x.iter().map(|&x| shifted(k, x)).sum::<f64>() / 5.0 - integral
    };
    (1..=5).map(|k| residual(f64::from(k))).collect()
}

#[test]
fn chebyquad_with_five_variables() {
    // The abscissas of Chebyshev's quadrature with five points (M. Abramowitz, I. Stegun, "Handbook of
    // mathematical functions", table 25.5).
    let half = [0.832_497_487_001, 0.374_541_409_554];
    let published: Vec<f64> = [-half[0], -half[1], 0.0, half[1], half[0]]
        .iter()
        .map(|abscissa| (abscissa + 1.0) / 2.0)
        .collect();
    assert!(norm(&chebyquad(&published)) < 1e-8, "{:?}", chebyquad(&published));
    Function {
        name: "chebyquad",
        inputs: numbered('x', 5),
        outputs: numbered('f', 5),
        points: vec![published, (1..=5).map(|n| f64::from(n) / 6.0).collect()],
        formula: chebyquad,
    }
    .check();
}

/// A bilinear form between (1, p) and (1, q) for each of the two measurements.
fn coating(x: &[f64]) -> Vec<f64> {
    let points = [(0.714, 5.145), (0.7169, 5.241), (0.7232, 5.389)];
    let measured = [[9.3636, 9.3512, 9.4891], [8.3158, 8.1995, 8.2283]];
    let mut found = Vec::new();
    for (form, measured) in x[..8].chunks(4).zip(measured) {
        for (index, (at, measured)) in points.iter().zip(measured).enumerate() {
            let (p, q) = (at.0 + x[8 + index], at.1 + x[11 + index]);
            let (left, right) = ([1.0, p], [1.0, q]);
            let matrix = [[form[0], form[2]], [form[1], form[3]]];
            let sum = |row: usize| matrix[row][0] * right[0] + matrix[row][1] * right[1];
            found.push(left[0] * sum(0) + left[1] * sum(1) - measured);
        }
    }
    found
}

#[test]
fn coating_thickness() {
    // MINPACK-2's starting point, and one with errors in the places.
    let start = [-8.0, 13.0, 1.2, 0.2, 0.1, 6.0, 5.5, -5.2];
    let at = |places: f64| {
        let errors = (0..6).map(|n| places * f64::from(n - 2));
        start.into_iter().chain(errors).collect::<Vec<f64>>()
    };
    Function {
        name: "coating",
        inputs: [numbered('x', 8), words("e1 e2 e3 g1 g2 g3")].concat(),
        outputs: words("a1 a2 a3 b1 b2 b3"),
        points: vec![at(0.0), at(0.01)],
        formula: coating,
    }
    .check();
}

/// `y - x1*(v**2 + x2*v)/(v**2 + x3*v + x4)`.
fn enzyme(x: &[f64]) -> Vec<f64> {
    let table = [
        (4.0, 0.1957),
        (2.0, 0.1947),
        (1.0, 0.1735),
        (0.5, 0.1600),
        (0.25, 0.0844),
        (0.167, 0.0627),
        (0.125, 0.0456),
        (0.1, 0.0342),
        (0.0833, 0.0323),
        (0.0714, 0.0235),
        (0.0625, 0.0246),
    ];
    let residual = |&(v, y): &(f64, f64)| y - x[0] * v * (v + x[1]) / ((v + x[2]) * v + x[3]);
    table.iter().map(residual).collect()
}

#[test]
fn enzyme_reaction() {
    let start = vec![0.25, 0.39, 0.415, 0.39];
    let optimum = vec![0.192_807, 0.191_282, 0.123_056, 0.136_062];
    // Norms as MINPACK's own tests print them for the function of Kowalik and Osborne.
    near(norm(&enzyme(&start)), 0.728_915_1e-1, 1e-8, "the norm at the start");
    near(norm(&enzyme(&optimum)), 0.175_358_4e-1, 1e-8, "the least norm");
    Function {
        name: "enzyme",
        inputs: numbered('x', 4),
        outputs: numbered('f', 11),
        points: vec![start, optimum],
        formula: enzyme,
    }
    .check();
}

/// Sums of powers, not Horner's rule.
fn watson(x: &[f64]) -> Vec<f64> {
    let at = |t: f64| {
        let value: f64 = x.iter().enumerate().map(|(j, x)| x * t.powi(j as i32)).sum();
        let slope = |(j, x): (usize, &f64)| j as f64 * x * t.powi(j as i32 - 1);
        x.iter().enumerate().skip(1).map(slope).sum::<f64>() - value * value - 1.0
    };
    let points = [7.0, 14.0, 21.0, 28.0].map(|i: f64| at(i / 29.0));
    points.into_iter().chain([x[0], x[1] - x[0] * x[0] - 1.0]).collect()
}

#[test]
fn watsons_function() {
    // The published minimum for six variables, where no residual is large.
    let optimum = vec![-0.015_725, 1.012_435, -0.232_992, 1.260_430, -1.513_729, 0.992_996];
    let found = watson(&optimum);
    assert!(norm(&found) < 0.047_829_6, "{found:?}");
    Function {
        name: "watson",
        inputs: numbered('x', 6),
        outputs: numbered('f', 6),
        points: vec![vec![0.0; 6], optimum, vec![0.3, -0.2, 0.5, 0.7, -0.1, 0.4]],
        formula: watson,
    }
    .check();
}
