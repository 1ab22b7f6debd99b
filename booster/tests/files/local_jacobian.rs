//! Local Jacobians by hand (`booster_tests::jacobian`), behind which tangent and adjoint are what they are without.
//! The sources in `preaccumulate/` have the same checks behind the stage itself.
//!
//! - `! call p n=3 x=[1,2,3]`: a procedure and the values of its arguments.
//!
//! `OXAD_BLESS=1` writes the texts anew.

use std::collections::HashSet;
use std::path::Path;

use booster_tests::adjoint::Numbers;
use booster_tests::jacobian::{adjoint_of, marked, original, tangent_of};
use booster_tests::trials::each;
use booster_tests::{
    Call, Compiler, as_blessed, calls, derivatives, document, execute, pairs, printed, read,
    sources,
};
use libtest_mimic::Trial;
use xaif_run::{Element, Given, Mode, Outcome, Request};
use xaif_schema::model::Document;

pub(crate) fn trials() -> Vec<Trial> {
    // And those that the stage makes local Jacobians of.
    let all = || [sources("local_jacobian"), sources("preaccumulate")].concat();
    [
        each("local_jacobian::adjoint", all(), the_adjoint_is_the_transpose),
        each("local_jacobian::gfortran", all(), compiled),
        each("local_jacobian::tangent", all(), the_tangent_is_that_of_the_original),
        each("local_jacobian::values", all(), it_has_the_values_and_tangents_of_the_original),
        each("local_jacobian::program", all(), without_derivatives_it_is_the_program),
        each("local_jacobian::blessed", sources("local_jacobian"), blessed),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn tolerance(source: &str) -> f64 {
    let single =
        ["real(4)", "complex(4)", "real ::", "real,"].iter().any(|word| source.contains(word));
    if single { 1e-5 } else { 1e-11 }
}

fn request(call: &Call) -> Request {
    Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        ..Request::default()
    }
}

/// A number for each element of each real argument: of all of them, or of those that have a value.
fn directions(doc: &Document, call: &Call, seed: u64, all: bool) -> Vec<(String, Given)> {
    let mut random = Numbers(seed);
    let outcome = execute(doc, &request(call), &call.procedure);
    let given = |name: &str| all || call.values.iter().any(|(own, _)| own == name);
    let mut found = Vec::new();
    for output in &outcome.outputs {
        let is_number = |one: &Element| matches!(one, Element::Real(..) | Element::Complex(..));
        if output.elements.iter().all(is_number) && given(&output.name) {
            found.push((output.name.clone(), random.like(&output.elements, &output.shape)));
        }
    }
    found
}

/// Real numbers, and both parts of complex ones.
fn numbers(outcome: &Outcome, name: &str, tangent: bool) -> Vec<f64> {
    elements(outcome, name, tangent).concat()
}

fn elements(outcome: &Outcome, name: &str, tangent: bool) -> Vec<Vec<f64>> {
    let output = outcome.outputs.iter().find(|output| output.name == name);
    let output = output.unwrap_or_else(|| panic!("no {name}"));
    let of = |element: &Element| match element {
        Element::Real(_, derivative) if tangent => vec![*derivative],
        Element::Real(value, _) => vec![*value],
        Element::Complex(_, derivative) if tangent => derivative.to_vec(),
        Element::Complex(value, _) => value.to_vec(),
        other => panic!("{name}: {other:?}"),
    };
    output.elements.iter().map(of).collect()
}

fn parts(word: &str) -> Vec<f64> {
    let parts = word.trim_matches(['(', ')']).split(',');
    parts.map(|part| part.parse().expect("a number")).collect()
}

fn words(given: &Given) -> Vec<f64> {
    given.words.iter().flat_map(|word| parts(word)).collect()
}

/// So many times a number.
fn times(word: &str, factor: f64) -> String {
    let parts: Vec<String> =
        parts(word).iter().map(|part| format!("{:?}", part * factor)).collect();
    if parts.len() > 1 { format!("({})", parts.join(",")) } else { parts.concat() }
}

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())))
}

/// A direction, and the derivative of the original by dual numbers.
fn expected(original: &Document, call: &Call, seed: u64) -> (Vec<(String, Given)>, Outcome) {
    let direction = directions(original, call, seed, false);
    let request = Request { direction: direction.clone(), mode: Mode::Tangent, ..request(call) };
    let outcome = execute(original, &request, &call.procedure);
    (direction, outcome)
}

/// The variables with a derivative that is an argument.
fn differentiated(doc: &Document, procedure: &str, suffix: &str) -> HashSet<String> {
    let names = derivatives(doc, procedure).into_iter();
    names.map(|name| name.strip_suffix(suffix).expect("a name").to_owned()).collect()
}

fn it_has_the_values_and_tangents_of_the_original(path: &Path) {
    let source = &read(path);
    let (original, marked) = (original(source), marked(source, None));
    for call in &calls(source) {
        let (direction, expected) = expected(&original, call, 1);
        for mode in [Mode::Tangent, Mode::ComplexStep] {
            let request = Request { direction: direction.clone(), mode, ..request(call) };
            let found = execute(&marked, &request, &call.procedure);
            for (name, _) in &directions(&original, call, 0, true) {
                for tangent in [false, true] {
                    let (a, b) =
                        (numbers(&expected, name, tangent), numbers(&found, name, tangent));
                    assert!(
                        close(&a, &b, tolerance(source)),
                        "{} {name} {mode:?}: {a:?} {b:?}",
                        call.procedure
                    );
                }
            }
        }
    }
}

/// Printed before it is differentiated the document is the program with dead assignments.
fn without_derivatives_it_is_the_program(path: &Path) {
    let source = &read(path);
    let (original, doc) = (original(source), document(&printed(&marked(source, None))));
    for call in &calls(source) {
        let what = &call.procedure;
        let expected = execute(&original, &request(call), what);
        let found = execute(&doc, &request(call), what);
        for output in &expected.outputs {
            let other = found.outputs.iter().find(|other| other.name == output.name);
            assert_eq!(other.map(|other| &other.elements), Some(&output.elements), "{what}");
        }
    }
}

fn the_tangent_is_that_of_the_original(path: &Path) {
    let source = &read(path);
    let (original, plain) = (original(source), marked(source, None));
    for call in &calls(source) {
        let what = &call.procedure;
        let (direction, expected) = expected(&original, call, 2);
        let head = Some(&*call.procedure);
        for (head, count) in [(None, None), (None, Some(2)), (None, Some(8)), (head, None)] {
            let doc = match head {
                Some(_) => tangent_of(&marked(source, head), count),
                None => tangent_of(&plain, count),
            };
            let procedure = format!("{}_d", call.procedure);
            let names = differentiated(&doc, &procedure, "d");
            let mut values = call.values.clone();
            for (name, given) in direction.iter().filter(|(name, _)| names.contains(name)) {
                let mut given = given.clone();
                if let Some(count) = count {
                    given.shape.insert(0, i64::from(count));
                    let each = |word: &String| -> Vec<String> {
                        (1..=count).map(|factor| times(word, f64::from(factor))).collect()
                    };
                    given.words = given.words.iter().flat_map(each).collect();
                }
                values.push((format!("{name}d"), given));
            }
            let request = Request { procedure: Some(procedure), values, ..Request::default() };
            let found = execute(&doc, &request, what);
            for name in &names {
                let wanted = numbers(&expected, name, true);
                let all = elements(&found, &format!("{name}d"), false);
                let each = count.unwrap_or(1) as usize;
                for at in 0..each {
                    let one: Vec<f64> =
                        all.iter().skip(at).step_by(each).flatten().copied().collect();
                    let wanted: Vec<f64> = wanted.iter().map(|w| w * (at + 1) as f64).collect();
                    assert!(
                        close(&wanted, &one, tolerance(source)),
                        "{what} {name} {head:?} {count:?}: {wanted:?} {one:?}"
                    );
                }
            }
        }
    }
}

/// With and without facts of activity, facts of recording, and all calls split.
fn the_adjoint_is_the_transpose(path: &Path) {
    let source = &read(path);
    let (original, plain) = (original(source), marked(source, None));
    for call in &calls(source) {
        let what = &call.procedure;
        let (direction, after) = expected(&original, call, 3);
        let weights = directions(&original, call, 4, true);
        let with_activity = marked(source, Some(what));
        for row in pairs::rows(&[2, 2, 2]) {
            let [head, facts, split] = [0, 1, 2].map(|option| row[option] == 1);
            let doc = adjoint_of(if head { &with_activity } else { &plain }, facts, split);
            let procedure = format!("{}_b", call.procedure);
            let names = differentiated(&doc, &procedure, "b");
            let mut values = call.values.clone();
            let own = weights.iter().filter(|(name, _)| names.contains(name));
            values.extend(own.clone().map(|(name, given)| (format!("{name}b"), given.clone())));
            let request = Request { procedure: Some(procedure), values, ..Request::default() };
            let found = execute(&doc, &request, what);
            let (mut left, mut right, mut size) = (0.0, 0.0, 1.0_f64);
            for (name, weight) in own {
                let tangent = numbers(&after, name, true);
                let product: f64 = words(weight).iter().zip(&tangent).map(|(a, b)| a * b).sum();
                left += product;
                size = size.max(product.abs());
            }
            for (name, direction) in direction.iter().filter(|(name, _)| names.contains(name)) {
                let bar = numbers(&found, &format!("{name}b"), false);
                let product: f64 = words(direction).iter().zip(&bar).map(|(a, b)| a * b).sum();
                right += product;
                size = size.max(product.abs());
            }
            assert!(
                (left - right).abs() <= tolerance(source) * size,
                "{what} activity {head} facts {facts} split {split}: {left} {right}"
            );
        }
    }
}

fn blessed(path: &Path) {
    let source = &read(path);
    let head = calls(source).first().map(|call| call.procedure.clone());
    let head = head.as_deref().filter(|_| calls(source).len() == 1);
    let marked = marked(source, head);
    let text = printed(&tangent_of(&marked, None)) + &printed(&adjoint_of(&marked, true, false));
    as_blessed(path, &text);
}

fn compiled(path: &Path) {
    // One source loses digits on purpose.
    let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-conversion"];
    let (source, gfortran) = (read(path), Compiler::default());
    gfortran.compile(&source, &["-w", "-fsyntax-only"]);
    // gfortran warns of an uninitialised variable where an assignment allocates it.
    let own = source.contains("allocatable").then_some("-Wno-uninitialized");
    let mut strict: Vec<&str> = strict.into_iter().chain(own).collect();
    let marked = marked(&source, None);
    let all = [
        tangent_of(&marked, None),
        adjoint_of(&marked, true, false),
        tangent_of(&marked, Some(2)),
        adjoint_of(&marked, true, true),
        adjoint_of(&marked, false, false),
    ];
    for (number, doc) in all.iter().enumerate() {
        if number == 2 {
            // The first two texts have had the warnings that follow the flow of values.
            strict.push("-fsyntax-only");
        }
        gfortran.compile(&printed(doc), &strict);
    }
}
