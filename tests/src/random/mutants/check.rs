//! Whether tangent and adjoint of a mutant agree with dual numbers.
//!
//! A mutant is valid where it is executed with and without tangents and all numbers stay moderate. One
//! that fails is shown to gfortran as well: what that does not accept is no program.

use booster_tests::Compiler;
use fortran_backend::{Layout, unparse};
use xaif_run::{Element, Given, Mode, Outcome, Output};
use xaif_schema::diag::{Code, Diagnostics};
use xaif_schema::model::{Attr, Base, Document, Intent, Role, ScopeKind};

use super::super::adjoint::{self, Stages};
use super::super::check::{
    Failure, KEEP, Named, Refusal, agree, document, execute_after, failure, same_values, tangents,
    told,
};
use super::super::program::Task;
use super::super::tangent::{self, Stages as TangentStages, derivative_text};
use super::super::tape;
use super::Mutant;
use super::derivative::Derivative;

/// What is called.
#[derive(Clone, Debug)]
pub struct Input {
    /// The procedure.
    pub head: String,
    /// The values of its arguments, and of variables of modules.
    pub values: Vec<(String, Given)>,
}

impl Input {
    /// The same call with smaller real numbers.
    pub(super) fn smaller(&self, doc: &Document) -> Input {
        self.scaled(doc, 0.25)
    }

    /// The same call with real numbers multiplied by a factor.
    fn scaled(&self, doc: &Document, factor: f64) -> Input {
        let is_real = |name: &str| {
            let mut symbols = doc.procs.values().filter(|proc| doc.name(proc.symbol) == self.head);
            let mut args = symbols.by_ref().flat_map(|proc| &proc.args).filter_map(|a| a.symbol);
            args.any(|symbol| {
                let base = doc.symbols[symbol].decl.as_ref().map(|decl| decl.spec.base());
                doc.name(symbol) == name && matches!(base, Some(Base::Real(_)))
            })
        };
        let mut smaller = self.clone();
        for (name, given) in &mut smaller.values {
            for word in given.words.iter_mut().filter(|_| is_real(name)) {
                if let Ok(value) = word.parse::<f64>() {
                    *word = (value * factor).to_string();
                }
            }
        }
        smaller
    }

    /// The comment that asks for it.
    pub(super) fn told(&self) -> String {
        let value = |(name, given): &(String, Given)| {
            let words = given.words.join(",");
            if given.shape.is_empty() {
                return format!(" {name}={words}");
            }
            format!(" {name}=[{words}]")
        };
        format!("! call {}{}", self.head, self.values.iter().map(value).collect::<String>())
    }
}

/// What became of a mutant that is not wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything agrees.
    Agrees,
    /// It takes too long.
    TooLong,
    /// A stage refuses it.
    Refused(Refusal),
    /// A derivative differs, and a stage has warned of it.
    Warned(String),
    /// The compiler does not accept the program.
    Invalid(String),
    /// A derivative differs, and the numbers depend on how they are rounded.
    Unsteady,
}

/// How a step is called whose numbers leave the range in which they tell something.
const UNSTEADY: &str = "numbers out of range";

/// Numbers beyond it, within an execution, are rounded or overflow so that a comparison tells nothing.
const HUGE: f64 = 1e100;

/// By this part inputs are changed to see whether rounding matters.
const ROUNDING: f64 = 4e-15;

/// The step that executes the program itself.
pub(super) const PROGRAM: &str = "program";

/// Values beyond it tell nothing.
const MODERATE: f64 = 1e6;

/// Differences below it are rounding errors of numbers that have vanished.
const SMALL: f64 = 1e-14;

/// Whether the program can be executed, with moderate numbers.
pub(super) fn is_valid(doc: &Document, input: &Input) -> bool {
    why_invalid(doc, input).is_none()
}

/// Why the program cannot be executed, or not with moderate numbers.
pub(super) fn why_invalid(doc: &Document, input: &Input) -> Option<String> {
    let of = (doc, input.head.as_str());
    let run = |direction: &[Named], mode| match execute_after(
        0,
        "program",
        of,
        (&input.values, direction),
        mode,
    ) {
        Ok(Some(outcome)) if outcome.warnings.is_empty() => Ok(outcome),
        Ok(Some(outcome)) => Err(told(&outcome.warnings)),
        Ok(None) => Err("it takes too long".into()),
        Err(found) => Err(found.to_string()),
    };
    let plain = match run(&[], Mode::Value) {
        Ok(plain) => plain,
        Err(why) => return Some(why),
    };
    let given: Vec<String> = input.values.iter().map(|(name, _)| name.clone()).collect();
    let directions = directions(&plain.outputs, &given, 1);
    match run(&directions, Mode::Tangent) {
        Ok(dual) if is_moderate(&dual.outputs) && dual.largest < HUGE => None,
        Ok(dual) => Some(format!("its numbers are not moderate: {:?}", tangents(&dual.outputs))),
        Err(why) => Some(why),
    }
}

fn executed(
    doc: &Document,
    input: &Input,
    direction: &[Named],
    mode: Mode,
    before: u32,
) -> Option<Outcome> {
    let of = (doc, input.head.as_str());
    execute_after(before, "program", of, (&input.values, direction), mode).ok().flatten()
}

fn is_moderate(outputs: &[Output]) -> bool {
    let small = |x: f64| x.abs() < MODERATE;
    outputs.iter().flat_map(|output| &output.elements).all(|element| match element {
        Element::Real(value, tangent) => small(*value) && small(*tangent),
        Element::Complex(value, tangent) => value.iter().chain(tangent).all(|&part| small(part)),
        Element::Undefined | Element::Int(_) | Element::Logical(_) | Element::Text(_) => true,
    })
}

/// Random numbers for variables of outputs.
fn directions(outputs: &[Output], names: &[String], seed: u64) -> Vec<Named> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    for output in outputs.iter().filter(|output| names.contains(&output.name)) {
        let mut number = || f64::from(rng.i32(-64..=64)) / 64.0;
        let words: Option<Vec<String>> = output
            .elements
            .iter()
            .map(|element| match element {
                Element::Real(..) | Element::Undefined => Some(number().to_string()),
                Element::Complex(..) => Some(format!("({},{})", number(), number())),
                Element::Int(_) | Element::Logical(_) | Element::Text(_) => None,
            })
            .collect();
        if let Some(words) = words {
            found.push((output.name.clone(), Given { shape: output.shape.clone(), words }));
        }
    }
    found
}

/// What a message about a derivative that differs from them contains.
const DUAL: &str = "dual numbers";

/// A difference that tells nothing where numbers of the derivative have left the range.
fn unless_huge(wrong: Failure, found: &Outcome) -> Failure {
    match found.largest < HUGE {
        true => wrong,
        false => Failure { step: UNSTEADY.into(), ..wrong },
    }
}

/// Everything that is compared.
struct Subject<'a> {
    mutant: &'a Mutant,
    doc: Document,
    task: Task,
    plain: Outcome,
    tolerance: f64,
}

/// Tangents and adjoints of a mutant agree with dual numbers, by two subsets of the stages each.
pub fn check(mutant: &Mutant) -> Result<Verdict, Failure> {
    let doc = document(&mutant.text)?;
    if let Some(why) = why_invalid(&doc, &mutant.input) {
        return failure(PROGRAM, why);
    }
    let Some(plain) = executed(&doc, &mutant.input, &[], Mode::Value, 0) else {
        return failure(PROGRAM, "it cannot be executed");
    };
    let procedures = doc.procs.values().map(|proc| doc.name(proc.symbol).to_owned()).collect();
    let head = mutant.input.head.clone();
    let (seed, variables, may_be_refused) = (mutant.seed, Vec::new(), true);
    let task = Task { seed, head, variables, procedures, may_be_refused };
    let tolerance = if has_single(&doc) { 2e-4 } else { 1e-9 };
    let subject = Subject { mutant, doc, task, plain, tolerance };
    let found = subject.tangents().and_then(|verdict| match verdict {
        Verdict::Agrees => subject.adjoints(),
        other => Ok(other),
    });
    let Err(found) = found else { return found };
    if found.step == UNSTEADY || found.message.contains(DUAL) && subject.is_unsteady() {
        return Ok(Verdict::Unsteady);
    }
    if let Some(warned) = subject.depends_on_order() {
        return Ok(Verdict::Warned(warned));
    }
    if subject.passes_twice() {
        return Ok(Verdict::Invalid("a variable is passed twice and overwritten".into()));
    }
    match Compiler::default().says(&mutant.text, &["-w", "-std=legacy"]) {
        Some(message) => Ok(Verdict::Invalid(message)),
        None => Err(found),
    }
}

fn has_single(doc: &Document) -> bool {
    doc.symbols.values().any(|symbol| {
        let base = symbol.decl.as_ref().map(|decl| decl.spec.base());
        matches!(base, Some(Base::Real(4) | Base::Complex(4)))
    })
}

impl Subject<'_> {
    fn tangents(&self) -> Result<Verdict, Failure> {
        let ways: Vec<TangentStages> = TangentStages::by_turns(self.mutant.seed).collect();
        let seed = self.mutant.seed as usize / 2;
        for turn in [seed, seed + 1] {
            let stages = ways[turn % ways.len()];
            let stages =
                TangentStages { activity: stages.activity || self.keeps_numbers(), ..stages };
            let (derived, warnings) =
                match tangent::differentiate(&self.task, &self.doc, stages, None)? {
                    Ok(derived) => derived,
                    Err(_) if !stages.canonical && !stages.local => continue,
                    Err(refusal) => return Ok(Verdict::Refused(refusal)),
                };
            if let Some(refusal) = unprintable(&derived) {
                return Ok(Verdict::Refused(refusal));
            }
            let step = stages.name();
            let done = self.tangent_of_document(&step, &derived).and_then(|()| {
                if turn == seed { self.tangent_of_text(&step, &derived) } else { Ok(()) }
            });
            if let Some(verdict) = unless_warned(done, &warnings, &derived)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Agrees)
    }

    /// Whether the adjoint says that one variable is passed for two arguments, one of which is overwritten: the
    /// language does not allow that.
    fn passes_twice(&self) -> bool {
        let found = adjoint::differentiate(&self.task, &self.doc, Stages::ALL);
        matches!(found, Ok(Err(refusal)) if refusal.code == Code::PASSED_TWICE)
    }

    /// What is said where a statement reads what a function in it changes: compilers differ there.
    fn depends_on_order(&self) -> Option<String> {
        let derived = adjoint::differentiate(&self.task, &self.doc, Stages::ALL).ok()?.ok()?;
        let mut warnings = derived.warnings.iter();
        warnings.find(|found| found.code == Code::EVALUATION_ORDER).map(|found| found.to_string())
    }

    /// Whether dual numbers are others where inputs change by a rounding error.
    fn is_unsteady(&self) -> bool {
        let input = &self.mutant.input;
        let names: Vec<String> = input.values.iter().map(|(name, _)| name.clone()).collect();
        let direction = directions(&self.plain.outputs, &names, self.mutant.seed);
        let run = |input: &Input| executed(&self.doc, input, &direction, Mode::Tangent, 0);
        let Some(known) = run(input) else { return false };
        [1.0 - ROUNDING, 1.0 + ROUNDING].into_iter().any(|factor| {
            let Some(other) = run(&input.scaled(&self.doc, factor)) else { return false };
            let pairs = [&known, &other].map(|outcome| tangents(&outcome.outputs));
            let [known, other] = pairs;
            agree(UNSTEADY, &known, &other, self.tolerance * 0.1).is_err()
        })
    }

    fn tangent_of_text(&self, step: &str, derived: &Document) -> Result<(), Failure> {
        let Some(derivative) = Derivative::of(derived, &self.task.head, 'd') else {
            return Ok(());
        };
        let step = format!("{step}, text");
        let text = format!("{}{}", self.mutant.text, derivative_text(derived)?);
        match document(&text) {
            Ok(again) => self.tangent(&step, &derivative.in_text(&again)),
            Err(found) => failure(step, format!("{found}\n{text}")),
        }
    }

    fn tangent_of_document(&self, step: &str, derived: &Document) -> Result<(), Failure> {
        match Derivative::of(derived, &self.task.head, 'd') {
            Some(derivative) => self.tangent(step, &derivative),
            None => Ok(()),
        }
    }

    /// A direction for the arguments that have a derivative, without those that have no value before the call.
    fn direction(&self, derivative: &Derivative<'_>) -> Vec<Named> {
        let names: Vec<String> = derivative.pairs.iter().map(|(own, _)| own.clone()).collect();
        let mut found = directions(&self.plain.outputs, &names, self.mutant.seed);
        found.retain(|(name, _)| self.has_value_before(name));
        found
    }

    fn tangent(&self, step: &str, derivative: &Derivative<'_>) -> Result<(), Failure> {
        let direction = self.direction(derivative);
        let input = &self.mutant.input;
        let Some(dual) = executed(&self.doc, input, &direction, Mode::Tangent, 0) else {
            return Ok(());
        };
        let mut values = input.values.clone();
        for (own, derivative) in &derivative.pairs {
            let known = direction.iter().find(|(name, _)| name == own);
            let given = known.map(|(_, given)| given.clone()).or_else(|| self.zeros(own));
            values.extend(given.map(|given| (derivative.clone(), given)));
        }
        let Some(found) = derivative.execute(0, step, values)? else { return Ok(()) };
        let kept = |output: &&Output| found.outputs.iter().any(|own| own.name == output.name);
        let known: Vec<Output> = dual.outputs.iter().filter(kept).cloned().collect();
        same_values(step, &known, &found.outputs)?;
        for output in &dual.outputs {
            let pairs = &derivative.pairs;
            let Some((_, derivative)) = pairs.iter().find(|(own, _)| *own == output.name) else {
                continue;
            };
            let Some(derivative) = found.outputs.iter().find(|own| own.name == *derivative) else {
                return failure(step, format!("{derivative} is no output"));
            };
            let (a, b) = comparable(output, derivative);
            let differs = |(a, b): (&(String, f64), &(String, f64))| {
                (a.1 - b.1).abs() > SMALL || b.1.is_nan()
            };
            if a.iter().zip(&b).any(differs) || a.len() != b.len() {
                agree(step, &a, &b, self.tolerance).map_err(|wrong| unless_huge(wrong, &found))?;
            }
        }
        Ok(())
    }

    fn adjoints(&self) -> Result<Verdict, Failure> {
        for (turn, stages) in Stages::of(self.mutant.seed).enumerate() {
            let stages = Stages { activity: stages.activity || self.keeps_numbers(), ..stages };
            let derived = match adjoint::differentiate(&self.task, &self.doc, stages)? {
                Ok(derived) => derived,
                Err(refusal) => return Ok(Verdict::Refused(refusal)),
            };
            if let Some(refusal) = unprintable(&derived.doc) {
                return Ok(Verdict::Refused(refusal));
            }
            let step = stages.name();
            let can_follow = stages.activity && derived.can_follow();
            let done = self.adjoint(&step, &derived.doc, can_follow, turn == 0);
            if let Some(verdict) = unless_warned(done, &derived.warnings, &derived.doc)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Agrees)
    }

    fn adjoint(
        &self,
        step: &str,
        derived: &Document,
        can_follow: bool,
        as_text: bool,
    ) -> Result<(), Failure> {
        let Some(derivative) = Derivative::of(derived, &self.task.head, 'b') else {
            return Ok(());
        };
        self.transposed(step, &derivative, 0)?;
        if can_follow {
            self.transposed(&format!("{step}, second call"), &derivative, 1)?;
        }
        if !as_text {
            return Ok(());
        }
        let step = format!("{step}, text");
        let text = format!("{}{}", self.mutant.text, derivative_text(derived)?);
        match tape::document(&text) {
            Ok(again) => self.transposed(&step, &derivative.in_text(&again), 0),
            Err(found) => failure(step, format!("{found}\n{text}")),
        }
    }

    /// weight · v' at the exit = adjoint · v' at the entry
    fn transposed(
        &self,
        step: &str,
        derivative: &Derivative<'_>,
        before: u32,
    ) -> Result<(), Failure> {
        let (input, pairs) = (&self.mutant.input, &derivative.pairs);
        let direction = self.direction(derivative);
        let Some(dual) = executed(&self.doc, input, &direction, Mode::Tangent, before) else {
            return Ok(());
        };
        if !is_moderate(&dual.outputs) {
            return Ok(());
        }
        let names: Vec<String> = pairs.iter().map(|(own, _)| own.clone()).collect();
        let weights = directions(&self.plain.outputs, &names, self.mutant.seed ^ 0x77);
        let mut values = input.values.clone();
        for (own, derivative) in pairs {
            let known = weights.iter().find(|(name, _)| name == own);
            values.extend(known.map(|(_, given)| (derivative.clone(), given.clone())));
        }
        let Some(found) = derivative.execute(before, step, values)? else { return Ok(()) };
        if !found.warnings.is_empty() {
            return failure(format!("{step}, tape"), told(&found.warnings));
        }
        let (mut left, mut right, mut size) = (0.0, 0.0, 1.0_f64);
        for (own, weight) in &weights {
            let output = dual.outputs.iter().find(|output| output.name == *own);
            for (a, b) in numbers(weight).zip(output.map(parts_of_tangents).unwrap_or_default()) {
                left += a * b;
                size += (a * b).abs();
            }
        }
        for (own, given) in &direction {
            let Some((_, derivative)) = pairs.iter().find(|(name, _)| name == own) else {
                continue;
            };
            let Some(output) = found.outputs.iter().find(|output| output.name == *derivative)
            else {
                return failure(step, format!("{derivative} is no output"));
            };
            for (a, b) in numbers(given).zip(parts(output)) {
                right += a * b;
                size += (a * b).abs();
            }
        }
        let close = (left - right).abs() <= self.tolerance * size;
        if close || left.is_nan() && right.is_nan() {
            return Ok(());
        }
        let message = format!("{DUAL} give {left:e}, the adjoint {right:e}");
        let wrong = Failure { step: format!("{step}, transpose"), message };
        Err(unless_huge(wrong, &found))
    }

    /// Whether the program keeps real numbers between calls: where no head is told, the caller gives their
    /// derivatives first values.
    fn keeps_numbers(&self) -> bool {
        self.doc.symbols.values().any(|symbol| {
            let Some(decl) = symbol.decl.as_deref() else { return false };
            let is_kept = decl.common.is_some()
                || decl.has(Attr::Save)
                || decl.init.is_some()
                || matches!(self.doc.scopes[symbol.scope].kind, ScopeKind::Module(_));
            is_kept
                && matches!(decl.role, Role::Variable)
                && !matches!(decl.spec.base(), Base::Integer(_) | Base::Logical(_))
        })
    }

    /// Zeros for a variable.
    fn zeros(&self, name: &str) -> Option<Given> {
        let output = self.plain.outputs.iter().find(|output| output.name == name)?;
        let words = vec!["0".to_owned(); output.elements.len()];
        Some(Given { shape: output.shape.clone(), words })
    }

    /// Whether a variable is an argument that is not only a result, and has a value.
    fn has_value_before(&self, name: &str) -> bool {
        if self.mutant.input.values.iter().all(|(given, _)| given != name) {
            return false;
        }
        let heads =
            self.doc.procs.values().filter(|proc| self.doc.name(proc.symbol) == self.task.head);
        let mut args = heads.flat_map(|proc| &proc.args).filter_map(|arg| arg.symbol);
        args.any(|symbol| {
            let decl = self.doc.symbols[symbol].decl.as_deref();
            self.doc.name(symbol) == name
                && decl.is_some_and(|decl| decl.intent != Some(Intent::Out))
        })
    }
}

/// What the back end says that it cannot print, with its place.
fn unprintable(doc: &Document) -> Option<Refusal> {
    let found = unparse(doc, Layout::OneText).err()?;
    let found = found.iter().find(|found| found.spot.is_some())?;
    Some(Refusal::of(found))
}

/// A difference of which a stage has warned is none that looks right.
fn unless_warned(
    done: Result<(), Failure>,
    warnings: &Diagnostics,
    derived: &Document,
) -> Result<Option<Verdict>, Failure> {
    match done {
        Ok(()) => Ok(None),
        Err(_) if !warnings.is_empty() => Ok(Some(Verdict::Warned(told(warnings)))),
        Err(found) => {
            if let (Some(kept), Ok(text)) = (std::env::var_os(KEEP), derivative_text(derived)) {
                // Only who looks for the cause wants it.
                let _ = std::fs::write(kept, text);
            }
            Err(found)
        }
    }
}

/// Numbers with names.
type Numbers = Vec<(String, f64)>;

/// The tangents of a variable, and the values of its derivative.
fn comparable(own: &Output, derivative: &Output) -> (Numbers, Numbers) {
    let tangents = tangents(std::slice::from_ref(own));
    let values =
        own.elements.iter().zip(&derivative.elements).flat_map(|(own, found)| match (own, found) {
            (Element::Real(..), Element::Real(value, _)) => vec![*value],
            (Element::Complex(..), Element::Complex(value, _)) => value.to_vec(),
            (Element::Real(..), _) => vec![f64::NAN],
            (Element::Complex(..), _) => vec![f64::NAN; 2],
            _ => Vec::new(),
        });
    let values = values.map(|value| (derivative.name.clone(), value)).collect();
    (tangents, values)
}

/// The numbers of what is given, parts of complex ones by themselves.
fn numbers(given: &Given) -> impl Iterator<Item = f64> + '_ {
    given.words.iter().flat_map(|word| {
        let parts = word.trim_matches(['(', ')']).split(',');
        parts.map(|part| part.parse().unwrap_or(f64::NAN)).collect::<Vec<f64>>()
    })
}

fn parts(output: &Output) -> Vec<f64> {
    let of = |element: &Element| match element {
        Element::Real(value, _) => vec![*value],
        Element::Complex(value, _) => value.to_vec(),
        Element::Undefined | Element::Int(_) | Element::Logical(_) | Element::Text(_) => vec![0.0],
    };
    output.elements.iter().flat_map(of).collect()
}

fn parts_of_tangents(output: &Output) -> Vec<f64> {
    let of = |element: &Element| match element {
        Element::Real(_, tangent) => vec![*tangent],
        Element::Complex(_, tangent) => tangent.to_vec(),
        Element::Undefined | Element::Int(_) | Element::Logical(_) | Element::Text(_) => vec![0.0],
    };
    output.elements.iter().flat_map(of).collect()
}

/// The compiler accepts the mutant, its tangent and its adjoint.
pub fn check_compiled(mutant: &Mutant) -> Result<Verdict, Failure> {
    let doc = document(&mutant.text)?;
    let gfortran = Compiler::default();
    let flags = ["-w", "-std=legacy", "-fsyntax-only"];
    if let Some(message) = gfortran.says(&mutant.text, &flags) {
        return Ok(Verdict::Invalid(message));
    }
    let (head, procedures) = (mutant.input.head.clone(), Vec::new());
    let (seed, variables, may_be_refused) = (mutant.seed, Vec::new(), true);
    let task = Task { seed, head, variables, procedures, may_be_refused };
    let tangent = tangent::differentiate(&task, &doc, TangentStages::ALL, None)?;
    let adjoint = adjoint::differentiate(&task, &doc, Stages::ALL)?;
    let derived =
        [("tangent", tangent.map(|(doc, _)| doc)), ("adjoint", adjoint.map(|derived| derived.doc))];
    for (mode, derived) in derived {
        let derived = match derived {
            Ok(derived) => derived,
            Err(refusal) => return Ok(Verdict::Refused(refusal)),
        };
        let text = derivative_text(&derived)?;
        if let Some(message) = gfortran.says(&text, &flags) {
            return failure(format!("{mode} by gfortran"), format!("{message}\n{text}"));
        }
    }
    Ok(Verdict::Agrees)
}
