//! The derivative by complex step, without a complex version of the program: xaif-run executes
//! the document with a tiny imaginary part.
//!
//! It shares no rule with the tangent and none with the compiler. What it cannot execute (external
//! procedures, files, very large runs) is no fault: the reason is said, and differences decide.

use std::collections::BTreeMap;

use xaif_run::{Element, Given, Limits, Mode, Request, run};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use super::build::Results;
use super::plan::{Argument, Chosen, Home, Object, Plan};
use super::settings::Setting;

/// Executing a document is slow: more numbers than this are not passed to it.
const MOST_NUMBERS: usize = 200_000;
/// Nor more steps than this.
const MOST_STEPS: u64 = 30_000_000;

/// The derivatives of the dependent variables along the direction, by name; or why there are none.
pub(crate) fn derivatives(
    original: &Document,
    plan: &Plan,
    point: &Results,
) -> Result<BTreeMap<String, Vec<f64>>, String> {
    if plan.objects.iter().any(|object| !object.node.parts.is_empty()) {
        return Err("there are variables of derived types".into());
    }
    if point.iter().map(|(_, values)| values.len()).sum::<usize>() > MOST_NUMBERS {
        return Err("there are too many numbers for it".into());
    }
    let request = request(plan, point, &plan.dummies)?;
    let outcome = run(original, &request).map_err(|found| reason(&found))?;
    if outcome.stopped.is_some() {
        return Err("the program stops".into());
    }
    if outcome.random {
        return Err("xaif-run draws other random numbers than the compiled program".into());
    }
    let mut found = BTreeMap::new();
    for object in plan.objects.iter().filter(|object| object.dependent != Chosen::None) {
        let name = name_in(plan, object);
        let output = outcome.outputs.iter().find(|output| output.name.eq_ignore_ascii_case(&name));
        let output = output.ok_or_else(|| format!("it has no output `{name}`"))?;
        let mut values = Vec::new();
        for element in &output.elements {
            match element {
                Element::Real(_, tangent) => values.push(*tangent),
                Element::Complex(_, tangents) => values.extend(tangents),
                Element::Undefined => values.push(f64::NAN),
                Element::Int(_) | Element::Logical(_) | Element::Text(_) => {}
            }
        }
        found.insert(object.name.clone(), values);
    }
    Ok(found)
}

/// The name by which xaif-run knows an object.
fn name_in(plan: &Plan, object: &Object) -> String {
    let is_result =
        plan.head.result.is_some_and(|index| std::ptr::eq(object, &plan.objects[index]));
    match is_result {
        true => plan.head.name.clone(),
        false => place_of(object),
    }
}

/// The name of an object with its module or COMMON block: others may have it, too.
fn place_of(object: &Object) -> String {
    let own = &object.own_name;
    match &object.home {
        Home::Driver => own.clone(),
        Home::Module { module, .. } => format!("{module}::{own}"),
        Home::Common { name, .. } => format!("/{name}/{own}"),
    }
}

fn request(plan: &Plan, point: &Results, dummies: &[String]) -> Result<Request, String> {
    let numbers = |label: &str| {
        point.iter().find(|(known, _)| known == label).map(|(_, values)| values.as_slice())
    };
    let mut request = Request {
        procedure: Some(plan.head.name.clone()),
        mode: Mode::ComplexStep,
        limits: Limits { steps: MOST_STEPS, zero_undefined: true, ..Limits::default() },
        ..Request::default()
    };
    for (argument, dummy) in plan.head.arguments.iter().zip(dummies) {
        if let Argument::Procedure(name) = argument {
            let given = Given { shape: Vec::new(), words: vec![name.clone()] };
            request.values.push((dummy.clone(), given));
        }
    }
    for object in &plan.objects {
        // An allocatable variable of a module that is not allocated as the head begins is left so.
        let is_absent = object.home != Home::Driver
            && object.node.is_continuous()
            && numbers(&object.name).is_some_and(<[f64]>::is_empty);
        if is_absent {
            continue;
        }
        let name = &place_of(object);
        if object.home != Home::Driver && object.dependent != Chosen::None {
            request.show.push(name.to_string());
        }
        let complex = matches!(object.node.base, xaif_schema::model::Base::Complex(_));
        let shape = shape_of(object, plan);
        if object.node.is_continuous() {
            if let Some(values) = numbers(&object.name).filter(|_| object.input) {
                request.values.push((name.to_string(), given(values, complex, &shape)?));
            } else if object.home == Home::Driver && !shape.is_empty() {
                // Only the shape is told by what stands there before the call.
                let count = shape.iter().product::<i64>().max(0) as usize;
                let parts = if complex { 2 * count } else { count };
                request.values.push((name.to_string(), given(&vec![0.0; parts], complex, &shape)?));
            }
            if let Some(values) = numbers(&format!("{} direction", object.name)) {
                request.direction.push((name.to_string(), given(values, complex, &shape)?));
            }
            continue;
        }
        let words = match &object.node.setting {
            Some(Setting::Value { words, .. }) => words.clone(),
            Some(Setting::File(_) | Setting::None) => return Err("a --set is no value".into()),
            None if object.home == Home::Driver => vec![object.node.default_value().to_string()],
            None => continue,
        };
        let single = words.len() == 1 && shape.is_empty();
        request
            .values
            .push((name.to_string(), Given { shape: if single { vec![] } else { shape }, words }));
    }
    Ok(request)
}

fn given(values: &[f64], complex: bool, shape: &[i64]) -> Result<Given, String> {
    if values.iter().any(|value| !value.is_finite()) {
        return Err("a value of the point is not a number".into());
    }
    let words = match complex {
        true => values
            .chunks(2)
            .map(|pair| match pair {
                [re, im] => format!("({re:e},{im:e})"),
                _ => "0".to_string(),
            })
            .collect(),
        false => values.iter().map(|value| format!("{value:e}")).collect(),
    };
    Ok(Given { shape: shape.to_vec(), words })
}

/// The extents of an object as numbers.
fn shape_of(object: &Object, plan: &Plan) -> Vec<i64> {
    let integer = |text: &str| -> Option<i64> {
        text.parse().ok().or_else(|| {
            let named = plan.objects.iter().find(|object| object.name == text)?;
            match &named.node.setting {
                Some(Setting::Value { words, .. }) => words.first()?.parse().ok(),
                Some(Setting::File(_) | Setting::None) | None => None,
            }
        })
    };
    let extents = object.node.extents.iter().flatten();
    extents.filter_map(|extent| integer(extent)).collect()
}

/// The first error in short.
fn reason(found: &Diagnostics) -> String {
    let first = found.iter().next();
    first.map_or("it stops".into(), |first| format!("{}: {}", first.code, first.message))
}
