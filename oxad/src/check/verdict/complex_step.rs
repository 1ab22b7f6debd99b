//! The derivative by complex step, without a complex version of the program: xaif-run executes
//! the document with a tiny imaginary part.
//!
//! It shares no rule with the tangent and none with the compiler. What it cannot execute (external
//! procedures, files, very large runs) is no fault: the reason is said, and differences decide.

use std::collections::BTreeMap;

use xaif_run::{Element, Given, Limits, Mode, Request, is_of_program, run};
use xaif_schema::diag::{Code, Diagnostics, Severity, Spot};
use xaif_schema::model::{Base, Document};

use crate::check::point::node::{Node, Storage};
use crate::check::point::plan::{Argument, Chosen, Home, Object, Plan};
use crate::check::point::settings::Setting;
use crate::check::program::build::Results;

/// Executing a document is slow: more numbers than this are not passed to it.
const MOST_NUMBERS: usize = 200_000;
/// Nor more steps than this are executed.
pub(crate) const MOST_STEPS: u64 = 30_000_000;

/// What an execution of the document tells.
pub(crate) struct Exact {
    /// The derivatives of the dependent variables along the direction, by name.
    pub(crate) derivatives: BTreeMap<String, Vec<f64>>,
    /// What is seen on the way.
    pub(crate) seen: Seen,
}

/// What is seen of the program itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The most iterations of loops, by their places.
    pub(crate) loops: Vec<(Spot, u64)>,
    /// Where a number is no finite one for the first time.
    pub(crate) infinite: Option<Spot>,
}

/// Why there are no derivatives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Obstacle {
    /// In a few words.
    pub(crate) reason: String,
    /// What the program does that no program may do.
    pub(crate) fault: Option<String>,
    /// Whether the program was executed, and all indices were within their arrays.
    pub(crate) executed: bool,
}

impl From<&str> for Obstacle {
    fn from(reason: &str) -> Self {
        Obstacle { reason: reason.to_string(), ..Obstacle::default() }
    }
}

/// Executes the head at the point, along the direction that the point tells, in no more than so many steps.
pub(crate) fn derivatives(
    original: &Document,
    plan: &Plan,
    point: &Results,
    steps: u64,
) -> Result<Exact, Obstacle> {
    if point.iter().map(|(_, values)| values.len()).sum::<usize>() > MOST_NUMBERS {
        return Err("there are too many numbers for it".into());
    }
    let request =
        request(plan, point, steps).map_err(|reason| Obstacle { reason, ..Obstacle::default() })?;
    let outcome = run(original, &request).map_err(|found| obstacle(&found))?;
    if outcome.stopped.is_some() {
        return Err("the program stops".into());
    }
    if outcome.random {
        let reason = "xaif-run draws other random numbers than the compiled program".into();
        return Err(Obstacle { reason, fault: None, executed: true });
    }
    let mut derivatives = BTreeMap::new();
    for object in plan.objects.iter().filter(|object| object.dependent != Chosen::None) {
        let name = name_in(plan, object);
        for output in &outcome.outputs {
            let begins =
                output.name.get(..name.len()).filter(|own| own.eq_ignore_ascii_case(&name));
            let Some(rest) = begins.map(|_| &output.name[name.len()..]) else { continue };
            if rest.is_empty() || rest.starts_with('%') {
                let label = format!("{}{}", object.name, rest.to_ascii_lowercase());
                derivatives.insert(label, tangents(&output.elements));
            }
        }
    }
    let seen = Seen { loops: outcome.loops, infinite: outcome.first_infinite };
    Ok(Exact { derivatives, seen })
}

fn tangents(elements: &[Element]) -> Vec<f64> {
    let mut values = Vec::new();
    for element in elements {
        match element {
            Element::Real(_, tangent) => values.push(*tangent),
            Element::Complex(_, tangents) => values.extend(tangents),
            Element::Undefined => values.push(f64::NAN),
            Element::Int(_) | Element::Logical(_) | Element::Text(_) => {}
        }
    }
    values
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

fn request(plan: &Plan, point: &Results, steps: u64) -> Result<Request, String> {
    let mut request = Request {
        procedure: Some(plan.head.name.clone()),
        mode: Mode::ComplexStep,
        parts: true,
        limits: Limits { steps, zero_undefined: true, ..Limits::default() },
        ..Request::default()
    };
    for (argument, dummy) in plan.head.arguments.iter().zip(&plan.dummies) {
        if let Argument::Procedure(name) = argument {
            let given = Given { shape: Vec::new(), words: vec![name.clone()] };
            request.values.push((dummy.clone(), given));
        }
    }
    for object in &plan.objects {
        if object.home != Home::Driver && object.dependent != Chosen::None {
            request.show.push(place_of(object));
        }
        let mut filler = Filler { plan, object, point, request: &mut request };
        filler.node(&object.node, "", &place_of(object))?;
    }
    Ok(request)
}

/// Gives one object to a request.
struct Filler<'f> {
    plan: &'f Plan,
    object: &'f Object,
    point: &'f Results,
    request: &'f mut Request,
}

impl Filler<'_> {
    fn numbers(&self, label: &str) -> Option<&[f64]> {
        self.point.iter().find(|(known, _)| known == label).map(|(_, values)| values.as_slice())
    }

    /// The object or a component, which `path` leads to; `name` is what xaif-run calls it.
    fn node(&mut self, node: &Node, path: &str, name: &str) -> Result<(), String> {
        if node.setting == Some(Setting::None) {
            return Ok(());
        }
        let dynamic = node.storage != Storage::Plain;
        let shape = shape_of(node, self.plan);
        if !node.parts.is_empty() {
            if dynamic && node.extents.is_none() {
                return Ok(());
            }
            if dynamic || path.is_empty() && self.object.home == Home::Driver {
                let dynamic = match (node.made(), &node.base, &node.defined) {
                    (Some(made), _, _) => Some(made.to_string()),
                    (None, Base::Class(_), Some((_, name))) => Some(name.clone()),
                    (None, _, _) => None,
                };
                let words = dynamic.into_iter().collect();
                self.request.values.push((name.to_string(), Given { shape, words }));
            }
            for (part, inner) in &node.parts {
                self.node(inner, &format!("{path}%{part}"), &format!("{name}%{part}"))?;
            }
            return Ok(());
        }
        match node.is_continuous() {
            true => self.continuous(node, path, name, &shape),
            false => self.discrete(node, path, name, shape),
        }
    }

    fn continuous(
        &mut self,
        node: &Node,
        path: &str,
        name: &str,
        shape: &[i64],
    ) -> Result<(), String> {
        let object = &self.object.name;
        let (label, along) = (format!("{object}{path}"), format!("{object} direction{path}"));
        let is_local = self.object.home == Home::Driver;
        let complex = matches!(node.base, Base::Complex(_));
        let values = self.numbers(&label).filter(|_| self.object.input);
        // An allocatable variable that is not allocated as the head begins is left so.
        let absent = values.is_some_and(<[f64]>::is_empty) && (!is_local || !path.is_empty());
        if absent || !path.is_empty() && node.storage != Storage::Plain && node.extents.is_none() {
            return Ok(());
        }
        if let Some(values) = values {
            let given = given(values, complex, shape)?;
            self.request.values.push((name.to_string(), given));
        } else if is_local && path.is_empty() && !shape.is_empty() {
            // Only the shape is told by what stands there before the call.
            let count = shape.iter().product::<i64>().max(0) as usize;
            let parts = if complex { 2 * count } else { count };
            let given = given(&vec![0.0; parts], complex, shape)?;
            self.request.values.push((name.to_string(), given));
        }
        if let Some(values) = self.numbers(&along) {
            let given = given(values, complex, shape)?;
            self.request.direction.push((name.to_string(), given));
        }
        Ok(())
    }

    fn discrete(
        &mut self,
        node: &Node,
        path: &str,
        name: &str,
        shape: Vec<i64>,
    ) -> Result<(), String> {
        if !self.object.input && !path.is_empty() || !node.is_chosen() && node.setting.is_none() {
            return Ok(());
        }
        let words = match &node.setting {
            Some(Setting::Value { words, .. }) => words.clone(),
            Some(Setting::None) => return Ok(()),
            Some(Setting::File(_)) => return Err("a --set is a file".into()),
            None if matches!(node.base, Base::Derived(_) | Base::Class(_)) => return Ok(()),
            None => node.default_value().map(str::to_string).into_iter().collect(),
        };
        let shape = match words.as_slice() {
            [_] if shape.is_empty() => Vec::new(),
            // One word is the value of all elements.
            [word] if path.is_empty() => {
                let count = shape.iter().product::<i64>().max(0) as usize;
                let words = vec![word.clone(); count];
                self.request.values.push((name.to_string(), Given { shape, words }));
                return Ok(());
            }
            _ => shape,
        };
        self.request.values.push((name.to_string(), Given { shape, words }));
        Ok(())
    }
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

/// The extents of a variable or component as numbers.
fn shape_of(node: &Node, plan: &Plan) -> Vec<i64> {
    let integer = |text: &str| -> Option<i64> {
        text.parse().ok().or_else(|| {
            let named = plan.objects.iter().find(|object| object.name == text)?;
            match &named.node.setting {
                Some(Setting::Value { words, .. }) => words.first()?.parse().ok(),
                Some(Setting::File(_) | Setting::None) | None => None,
            }
        })
    };
    let extents = node.extents.iter().flatten();
    extents.filter_map(|extent| integer(extent)).collect()
}

/// The first error in short, and whether it is the program's own.
fn obstacle(found: &Diagnostics) -> Obstacle {
    let Some(first) = found.iter().find(|found| found.severity == Severity::Error) else {
        return "it stops".into();
    };
    let reason = format!("{}: {}", first.code, first.message);
    let place = first.spot.as_ref().map_or(String::new(), |spot| format!("{spot}: "));
    let fault = is_of_program(first.code).then(|| format!("{place}{}", first.message));
    let executed = first.code == Code::RUN_LIMIT;
    Obstacle { reason, fault, executed }
}
