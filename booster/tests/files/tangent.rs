//! Tangents: for each source in `tangent/` the text that is printed stands beside it, gfortran takes
//! it without a warning, and executed it gives what dual numbers give for the original.
//!
//! A source says in comments at its top what is executed:
//!
//! - `! call p n=3 x=[1,2,3]`: a procedure and the values of its arguments and of module variables;
//! - `! along x=[1,0,0]`: the direction; what is not named has the derivative zero.
//! - `! real loops`: it has loops over real numbers, which Fortran 95 has deleted.
//!
//! `OXAD_BLESS=1` writes the texts anew. A text that begins with `refused` holds the messages.

use std::path::Path;

use booster_tests::passes::left_out;
use booster_tests::refused;
use booster_tests::trials::each;
use booster_tests::{
    Call, Compiler, add_activity, as_blessed_for_mode, calls, derivatives, document, execute,
    pairs, printed, read, sources_of_mode, tangent_by, told, told_at_top, verified,
};
use libtest_mimic::Trial;
use xaif_booster::passes::Selection;
use xaif_booster::transform::preaccumulate;
use xaif_booster::transform::tangent::{Options, list, tangent};
use xaif_run::{Element, Given, Limits, Mode, Request};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

pub(crate) fn trials() -> Vec<Trial> {
    let own = || sources_of_mode("tangent");
    [
        each("tangent::gfortran", own(), compiled),
        each("tangent::executed", own(), executed),
        each("tangent::blessed", own(), blessed),
        each("tangent::refused_with_facts", refused::refused(own(), "tangent"), refused_with_facts),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn blessed(path: &Path) {
    let text = match tangent_by(&read(path), None) {
        Ok((doc, warnings)) => told(&warnings) + &printed(&doc),
        Err(messages) => format!("refused\n{}", told(&messages)),
    };
    as_blessed_for_mode(path, "tangent", &text);
}

/// The pipeline with facts of activity refuses, too.
fn refused_with_facts(path: &Path) {
    let Err(plain) = tangent_by(&read(path), None) else {
        panic!("it is not refused without facts")
    };
    refused::refused_with_facts(path, &plain, |source, head| {
        let mut doc = document(source);
        let found =
            add_activity(&mut doc, head).and_then(|_| tangent(&mut doc, &Options::default()));
        found.err().into_iter().collect()
    });
}

/// gfortran takes the tangent in one direction and in two without a warning.
fn compiled(path: &Path) {
    let (source, gfortran) = (read(path), Compiler::default());
    // ENTRY is obsolescent, and DO over real numbers deleted: the standard's compiler warns of that.
    let old = source.contains("\n  entry ") || source.contains("\n! real loops");
    let standard = if old { "-std=legacy" } else { "-std=f2008" };
    // gfortran warns of an uninitialised variable where an assignment allocates it.
    let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-uninitialized", standard];
    // The standard does not know the extensions of some sources, but their modules are made.
    gfortran.takes(&source, &["-w", "-fsyntax-only", standard]);
    for directions in [None, Some(2)] {
        let Ok((doc, _)) = tangent_by(&source, directions) else { continue };
        // One direction has the warnings that follow the flow of values.
        let more = directions.map(|_| "-fsyntax-only");
        let flags: Vec<&str> = strict.into_iter().chain(more).collect();
        gfortran.compile(&printed(&doc), &flags);
    }
}

/// One combination of options.
struct Way {
    /// One direction, or two.
    directions: Option<u32>,
    /// No facts of activity, those of the procedure that is called, or those and a second call.
    activity: usize,
    /// Whether there are local Jacobians.
    jacobians: bool,
    /// The optimisation that is left out.
    without: Option<&'static str>,
}

impl Way {
    fn tangent(&self, original: &Document, call: &Call) -> Result<Document, Diagnostics> {
        let mut doc = original.clone();
        if self.activity > 0 {
            add_activity(&mut doc, &call.procedure)?;
        }
        if self.jacobians {
            let choice = preaccumulate::Options { always: true, ..Default::default() };
            preaccumulate::preaccumulate(&mut doc, &choice)?;
        }
        let selection = Selection::without(self.without);
        let options = Options { directions: self.directions, selection, ..Options::default() };
        tangent(&mut doc, &options)?;
        verified(&doc);
        Ok(doc)
    }

    fn told(&self) -> String {
        let activity = ["no activity", "activity", "activity, the second call"][self.activity];
        let without = self.without.unwrap_or("nothing");
        format!(
            "{:?}, {activity}, local Jacobians: {}, without {without}",
            self.directions, self.jacobians
        )
    }
}

/// Executes the tangent of each combination: it agrees with dual numbers.
fn executed(path: &Path) {
    let source = read(path);
    let original = document(&source);
    let is_refused = |directions| tangent_by(&source, directions).is_err();
    let refused = [None, Some(2)].map(is_refused);
    let is_called_once = !told_at_top(&source, "once:").is_empty();
    for (row, without) in pairs::rows(&[2, 3, 2]).iter().zip(left_out(path, &list())) {
        let directions = [None, Some(2)][row[0]];
        let way = Way { directions, activity: row[1], jacobians: row[2] == 1, without };
        let before = u32::from(way.activity == 2 && !is_called_once);
        for call in calls(&source) {
            match way.tangent(&original, &call) {
                Ok(doc) => {
                    let what = format!("{} ({})", path.display(), way.told());
                    let how = (directions, before);
                    check_call_after(&what, &original, &doc, &call, how);
                }
                // Facts cause no refusal: the plain document is refused, too.
                Err(messages) => assert!(refused[row[0]], "{}: {}", way.told(), told(&messages)),
            }
        }
    }
}

/// A direction as the derivative has it; with several, number `i` is the direction times `i`.
fn seed(given: &Given, directions: Option<u32>) -> Given {
    let Some(count) = directions else { return given.clone() };
    let mut shape = given.shape.clone();
    let number = |word: &str, factor: u32| match word.parse::<f64>() {
        Ok(value) => format!("{:?}", value * f64::from(factor)),
        Err(_) => word.to_owned(),
    };
    let words = given.words.iter().flat_map(|word| (1..=count).map(|f| number(word, f)));
    let words = words.collect();
    shape.insert(0, i64::from(count));
    Given { shape, words }
}

/// Compares a call with dual numbers. `before` further calls leave their state to it.
fn check_call_after(
    what: &str,
    original: &Document,
    derived: &Document,
    call: &Call,
    (directions, before): (Option<u32>, u32),
) {
    let what = format!("{what} {} {directions:?}", call.procedure);
    let primal = Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        direction: call.direction.clone(),
        mode: Mode::Tangent,
        before,
        ..Request::default()
    };
    let expected = execute(original, &primal, &what);
    let procedure = format!("{}_d", call.procedure);
    let mut values = call.values.clone();
    for name in derivatives(derived, &procedure) {
        let known = call.direction.iter().find(|(own, _)| format!("{own}d") == name);
        let given = known.map(|(_, given)| seed(given, directions));
        let zero = Given { shape: Vec::new(), words: vec!["0".into()] };
        values.push((name, given.unwrap_or(zero)));
    }
    let limits = Limits { copies_undefined: true, ..Limits::default() };
    let request =
        Request { procedure: Some(procedure), values, before, limits, ..Request::default() };
    let found = execute(derived, &request, &what);
    let mut compared = 0;
    for output in &expected.outputs {
        let name = format!("{}d", output.name);
        let same = found.outputs.iter().find(|other| other.name == output.name);
        if let Some(same) = same {
            assert_eq!(values_of(&same.elements), values_of(&output.elements), "{what}");
        }
        let Some(derivative) = found.outputs.iter().find(|other| other.name == name) else {
            continue;
        };
        let count = directions.unwrap_or(1) as usize;
        for (index, element) in output.elements.iter().enumerate() {
            for factor in 1..=count {
                let got = &derivative.elements[index * count + factor - 1];
                compare(element, got, factor as f64, &format!("{what}: {name}({index})"));
                compared += 1;
            }
        }
    }
    assert!(compared > 0, "{what}: nothing was compared");
}

fn values_of(elements: &[Element]) -> Vec<String> {
    let value = |element: &Element| match element {
        Element::Real(value, _) => format!("{value:?}"),
        Element::Complex(value, _) => format!("{value:?}"),
        other => format!("{other:?}"),
    };
    elements.iter().map(value).collect()
}

fn compare(expected: &Element, got: &Element, factor: f64, what: &str) {
    let close = |a: f64, b: f64| (a * factor - b).abs() <= 1e-12 * (1.0 + (a * factor).abs());
    let same = match (expected, got) {
        (Element::Real(_, tangent), Element::Real(value, _)) => close(*tangent, *value),
        (Element::Complex(_, tangent), Element::Complex(value, _)) => {
            tangent.iter().zip(value).all(|(&a, &b)| close(a, b))
        }
        // What has no value has no derivative.
        (Element::Undefined, _) => true,
        (expected, got) => std::mem::discriminant(expected) == std::mem::discriminant(got),
    };
    assert!(same, "{what}: dual numbers give {expected:?}, the tangent {got:?}");
}
