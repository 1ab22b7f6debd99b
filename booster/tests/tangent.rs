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

use xaif_booster::analysis::activity;
use xaif_booster::externals::Externals;
use xaif_booster::transform::preaccumulate;
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_run::{Element, Given, Mode, Request};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;
use xaif_schema::verify;

use crate::harness::{
    Call, as_blessed_for_mode, calls, derivatives, document, each_compiled, execute, printed, read,
    sources_of_mode, told, told_at_top, verified,
};

/// The document with tangents and the warnings, or the messages.
fn differentiated(
    source: &str,
    directions: Option<u32>,
) -> Result<(Document, Diagnostics), Diagnostics> {
    let mut doc = document(source);
    let warnings = tangent(&mut doc, &Options { directions, ..Options::default() })?;
    verified(&doc);
    Ok((doc, warnings))
}

#[test]
fn the_tangents_are_as_blessed() {
    as_blessed_for_mode("tangent", |source| match differentiated(source, None) {
        Ok((doc, warnings)) => told(&warnings) + &printed(&doc),
        Err(messages) => format!("refused\n{}", told(&messages)),
    });
}

#[test]
fn gfortran_takes_them_without_a_warning() {
    each_compiled(&sources_of_mode("tangent"), |gfortran, path| {
        let source = read(path);
        // ENTRY is obsolescent, and DO over real numbers deleted: the standard's compiler warns of that.
        let old = source.contains("\n  entry ") || source.contains("\n! real loops");
        let standard = if old { "-std=legacy" } else { "-std=f2008" };
        // Assignments that allocate a variable are told by gfortran to use it uninitialised.
        let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-uninitialized", standard];
        gfortran.takes(&source, &["-w", standard]);
        for directions in [None, Some(2)] {
            let Ok((doc, _)) = differentiated(&source, directions) else { continue };
            let what = format!("{} {directions:?}", path.display());
            // What follows the flow of values is looked for in one direction.
            let more = directions.map(|_| "-fsyntax-only");
            let flags: Vec<&str> = strict.into_iter().chain(more).collect();
            gfortran.compile(&printed(&doc), &flags, &what);
        }
    });
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

fn check(path: &Path, directions: Option<u32>) {
    let source = read(path);
    let Ok((derived, _)) = differentiated(&source, directions) else { return };
    for call in calls(&source) {
        check_call(path, &source, &derived, &call, directions);
    }
}

fn check_call(path: &Path, source: &str, derived: &Document, call: &Call, directions: Option<u32>) {
    check_call_after(path, source, derived, call, (directions, 0));
}

/// The same of a call behind others, which finds what they have left.
fn check_call_after(
    path: &Path,
    source: &str,
    derived: &Document,
    call: &Call,
    (directions, before): (Option<u32>, u32),
) {
    let original = document(source);
    let what = format!("{} {} {directions:?}", path.display(), call.procedure);
    let primal = Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        direction: call.direction.clone(),
        mode: Mode::Tangent,
        before,
        ..Request::default()
    };
    let expected = execute(&original, &primal, &what);
    let procedure = format!("{}_d", call.procedure);
    let mut values = call.values.clone();
    for name in derivatives(derived, &procedure) {
        let known = call.direction.iter().find(|(own, _)| format!("{own}d") == name);
        let given = known.map(|(_, given)| seed(given, directions));
        let zero = Given { shape: Vec::new(), words: vec!["0".into()] };
        values.push((name, given.unwrap_or(zero)));
    }
    let request = Request { procedure: Some(procedure), values, before, ..Request::default() };
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

#[test]
fn executed_with_facts_of_activity_they_agree_with_dual_numbers() {
    for path in sources_of_mode("tangent") {
        let source = read(&path);
        for call in calls(&source) {
            let mut doc = document(&source);
            let options =
                activity::Options { heads: vec![call.procedure.clone()], ..Default::default() };
            let what = path.display();
            activity::activity(&mut doc, &options, &Externals::new())
                .unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)));
            tangent(&mut doc, &Options::default())
                .unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)));
            let problems = verify::verify(&doc);
            assert!(problems.is_empty(), "{what}: {problems:?}");
            check_call(&path, &source, &doc, &call, None);
            if told_at_top(&source, "once:").is_empty() {
                check_call_after(&path, &source, &doc, &call, (None, 1));
            }
        }
    }
}

#[test]
fn executed_they_agree_with_dual_numbers() {
    sources_of_mode("tangent").iter().for_each(|path| check(path, None));
}

#[test]
fn executed_in_two_directions_they_agree_with_dual_numbers() {
    sources_of_mode("tangent").iter().for_each(|path| check(path, Some(2)));
}

#[test]
fn elemental_calls_array_components_and_growing_arrays_have_several_directions() {
    for name in [
        "elemental_calls_for_arrays",
        "array_components_as_arguments",
        "an_array_that_grows_by_what_it_holds",
        "polymorphic_object_from_a_source",
    ] {
        let path = format!("{}/tests/tangent/{name}.f90", env!("CARGO_MANIFEST_DIR"));
        let messages = differentiated(&read(Path::new(&path)), Some(3)).err();
        assert!(messages.is_none(), "{}", told(&messages.unwrap_or_default()));
    }
}

/// The message with which a tangent in two directions is refused.
fn refused_in_two(source: &str) -> String {
    match differentiated(source, Some(2)) {
        Ok(_) => panic!("it is not refused:\n{source}"),
        Err(messages) => told(&messages),
    }
}

#[test]
fn an_elemental_call_that_reads_what_it_overwrites_elsewhere_is_refused_in_several_directions() {
    let source = "module m
  implicit none
contains
  elemental subroutine put(k, j, a)
    integer, intent(inout) :: k
    integer, intent(in) :: j
    real(8), intent(inout) :: a
    k = j
    a = a*j
  end subroutine put
  subroutine p(k, x)
    integer, intent(inout) :: k(5)
    real(8), intent(inout) :: x(4)
    call put(k(2:5), (k(1:4)), x)
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:14:5"), "{message}");
    assert!(message.contains("may overlap"), "{message}");
    assert!(differentiated(&source.replace("(k(1:4))", "3"), Some(2)).is_ok());
}

#[test]
fn a_polymorphic_array_component_is_no_argument_in_several_directions() {
    let source = "module m
  implicit none
  type base
    real(8) :: a
  end type base
  type rack
    class(base), allocatable :: all(:)
  end type rack
contains
  subroutine q(o)
    class(base), intent(inout) :: o
    o%a = 2*o%a
  end subroutine q
  subroutine p(v)
    type(rack), intent(inout) :: v
    call q(v%all(2))
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:16:5"), "{message}");
    assert!(differentiated(&source.replace("class(base), a", "type(base), a"), Some(2)).is_ok());
}

#[test]
fn an_array_component_is_no_pointer_argument_in_several_directions() {
    let source = "module m
  implicit none
  type t
    real(8), pointer :: a(:)
  end type t
contains
  subroutine q(a)
    real(8), pointer, intent(in) :: a(:)
    a = 2*a
  end subroutine q
  subroutine p(v)
    type(t), intent(inout) :: v
    call q(v%a)
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:13:5"), "{message}");
}

#[test]
fn executed_behind_preaccumulation_they_agree_with_dual_numbers() {
    for path in sources_of_mode("tangent") {
        let source = read(&path);
        for call in calls(&source) {
            for (directions, facts) in [(None, true), (None, false), (Some(2), false)] {
                if differentiated(&source, directions).is_err() {
                    continue;
                }
                let mut doc = document(&source);
                let what = format!("{} {}", path.display(), call.procedure);
                let fail = |messages: Diagnostics| -> Diagnostics {
                    panic!("{what}: {}", told(&messages))
                };
                if facts {
                    let heads = vec![call.procedure.clone()];
                    let options = activity::Options { heads, ..Default::default() };
                    activity::activity(&mut doc, &options, &Externals::new()).unwrap_or_else(fail);
                }
                let choice = preaccumulate::Options { always: true, ..Default::default() };
                preaccumulate::preaccumulate(&mut doc, &choice).unwrap_or_else(fail);
                let options = Options { directions, ..Options::default() };
                tangent(&mut doc, &options).unwrap_or_else(fail);
                let problems = verify::verify(&doc);
                assert!(problems.is_empty(), "{what}: {problems:?}");
                check_call(&path, &source, &doc, &call, directions);
            }
        }
    }
}

#[test]
fn a_part_of_an_object_is_no_polymorphic_argument_in_several_directions() {
    let source = "module m
  implicit none
  type base
    real(8) :: a = 1
  end type base
  type, extends(base) :: wide
    real(8) :: b = 2
  end type wide
contains
  subroutine q(s)
    class(base), intent(inout) :: s
    s%a = 2*s%a**2
  end subroutine q
  subroutine p(w)
    class(wide), intent(inout) :: w
    call q(w%base)
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:16:5"), "{message}");
}
