//! Whether all ways to compute the derivative of a program agree.
//!
//! The judge is `xaif-run`: dual numbers on the document of the program. It shares no rule with the
//! stages that it judges.

use std::fmt;
use std::process::Command;

use fortran_backend::{Layout, unparse};
use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use xaif_run::{Element, Given, Limits, Mode, Outcome, Output, Request, run};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Severity};
use xaif_schema::model::Document;
use xaif_schema::verify::verify;

use super::program::{HEAD, MODULE, Program, Ty};
use crate::programs::{Finished, finish};

/// A program that takes more steps is left out: it tells no more than others.
const STEPS: u64 = 300_000;
/// The step that executes the program itself.
pub(crate) const PRIMAL: &str = "dual numbers";
/// The step that executes what the compiler has made.
const EXECUTION: &str = "compiled program";
/// The environment variable that names the file into which a text is written that gfortran, or
/// what it made of it, or xaif-run fails on.
pub(crate) const KEEP: &str = "OXAD_KEEP";

/// What has failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// In which step; programs that fail in the same step fail in the same way.
    pub step: String,
    /// What was seen.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step, self.message)
    }
}

/// What a stage says that it does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the message.
    pub code: Code,
    /// The message, without the names in it.
    pub message: String,
    /// The line of the program.
    pub line: usize,
}

impl Refusal {
    /// That of a message.
    pub(crate) fn of(found: &Diagnostic) -> Self {
        let parts = found.message.split('`').enumerate();
        let nameless = parts.map(|(at, part)| if at % 2 == 1 { "`…`" } else { part });
        let line = found.spot.as_ref().map_or(0, |spot| spot.line as usize);
        Refusal { code: found.code, message: nameless.collect(), line }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.message)
    }
}

/// A program that was looked at and is fine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything agrees.
    Agrees,
    /// It takes too long.
    TooLong,
    /// The compiler makes something else of the program itself than it says, or it does not end.
    Miscompiled,
    /// A stage says that it does not do this, and the program is none without it.
    Refused(Refusal),
    /// Everything agrees that is left without what stages say that they do not do.
    Rest(Vec<Refusal>),
}

pub(crate) fn failure<T>(
    step: impl Into<String>,
    message: impl Into<String>,
) -> Result<T, Failure> {
    Err(Failure { step: step.into(), message: message.into() })
}

/// Drops what is refused until nothing more is.
pub(crate) fn all_that_is_not_refused(
    program: &Program,
    check: fn(&Program) -> Result<Verdict, Failure>,
) -> Result<Verdict, Failure> {
    let mut refusals: Vec<Refusal> = Vec::new();
    let mut program = program.clone();
    loop {
        let verdict = match check(&program) {
            // What is refused was needed: the program is none without it.
            Err(found) if found.step == PRIMAL && !refusals.is_empty() => {
                return Ok(Verdict::Refused(refusals.swap_remove(0)));
            }
            verdict => verdict?,
        };
        let refusal = match verdict {
            Verdict::Agrees if refusals.is_empty() => return Ok(Verdict::Agrees),
            Verdict::Agrees => return Ok(Verdict::Rest(refusals)),
            Verdict::Refused(refusal) => refusal,
            verdict @ (Verdict::TooLong | Verdict::Miscompiled | Verdict::Rest(_)) => {
                return Ok(verdict);
            }
        };
        match program.without_line(refusal.line) {
            Some(rest) => program = rest,
            None => return Ok(Verdict::Refused(refusal)),
        }
        refusals.push(refusal);
    }
}

pub(crate) fn told(found: &Diagnostics) -> String {
    found
        .iter()
        .map(|found| {
            let place = found.spot.as_ref().map(|spot| format!("{spot}")).unwrap_or_default();
            format!("{place} {} {}; ", found.code, found.message)
        })
        .collect()
}

/// A value with the name of what gets it.
pub(crate) type Named = (String, Given);

/// The values of the arguments, and a direction, by the seed of the program.
pub struct Inputs {
    /// Names and values.
    pub values: Vec<(String, Given)>,
    /// Names and tangents.
    pub direction: Vec<(String, Given)>,
}

impl Inputs {
    /// Those of `program`; `number` tells directions apart.
    pub fn of(program: &Program, number: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(program.seed ^ 0x5eed);
        let values = program.args.iter().map(|(name, ty, shape)| {
            let given = given(shape, || match ty {
                Ty::Int => rng.i64(1..9).to_string(),
                // With a single precision number everything is the same in both precisions.
                Ty::Single => (f64::from(rng.u32(0..4096)) / 1024.0 - 2.0).to_string(),
                Ty::Real | Ty::Complex | Ty::Logical => (rng.f64() * 4.0 - 2.0).to_string(),
            });
            (name.clone(), given)
        });
        let values = values.collect();
        let mut rng = fastrand::Rng::with_seed(program.seed ^ (number + 1));
        let continuous = program.args.iter().filter(|(_, ty, _)| *ty != Ty::Int);
        let direction = continuous.map(|(name, ty, shape)| {
            let given = given(shape, || match ty {
                Ty::Single => (f64::from(rng.u32(0..4096)) / 1024.0 - 2.0).to_string(),
                Ty::Real | Ty::Complex | Ty::Int | Ty::Logical => {
                    (rng.f64() * 2.0 - 1.0).to_string()
                }
            });
            (name.clone(), given)
        });
        Inputs { values, direction: direction.collect() }
    }
}

fn given(shape: &[i64], mut word: impl FnMut() -> String) -> Given {
    let count: i64 = shape.iter().product();
    Given { shape: shape.to_vec(), words: (0..count).map(|_| word()).collect() }
}

/// The document of a text.
pub fn document(text: &str) -> Result<Document, Failure> {
    let translation = translate_texts(&[("random.f90", text)], &Options::default());
    if translation.diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return failure("front end", told(&translation.diagnostics));
    }
    let found = verify(&translation.document);
    if !found.is_empty() {
        return failure("verifier", told(&found));
    }
    Ok(translation.document)
}

/// Executes a procedure; `None` if that takes too long.
pub(crate) fn execute(
    step: &str,
    doc: &Document,
    procedure: &str,
    inputs: (&[Named], &[Named]),
    mode: Mode,
) -> Result<Option<Outcome>, Failure> {
    execute_after(0, step, (doc, procedure), inputs, mode)
}

/// The same of a call behind `before` others.
pub(crate) fn execute_after(
    before: u32,
    step: &str,
    (doc, procedure): (&Document, &str),
    inputs: (&[Named], &[Named]),
    mode: Mode,
) -> Result<Option<Outcome>, Failure> {
    let request = Request {
        before,
        procedure: Some(procedure.to_string()),
        values: inputs.0.to_vec(),
        direction: inputs.1.to_vec(),
        mode,
        // Derivatives take more steps than their primals. A program whose copies have no values is refused where it
        // is executed with tangents; derivatives are executed for values.
        limits: Limits {
            steps: STEPS * 8,
            stack: 64 << 20,
            copies_undefined: mode == Mode::Value,
            ..Limits::default()
        },
        ..Request::default()
    };
    match run(doc, &request) {
        // No random program stops by itself.
        Ok(Outcome { stopped: Some(text), .. }) => failure(step, format!("stops: {text}")),
        Ok(outcome) => Ok(Some(outcome)),
        Err(found) if found.iter().any(|found| found.code == Code::RUN_LIMIT) => Ok(None),
        Err(found) => {
            if let (Some(kept), Ok(text)) = (std::env::var_os(KEEP), unparsed(doc)) {
                // Only who looks for the cause wants it.
                let _ = std::fs::write(kept, text);
            }
            failure(step, told(&found))
        }
    }
}

/// Front end, back end and execution agree on the program itself: the text that is written again
/// means the same, values are the same with tangents as without.
pub fn check_primal(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let inputs = Inputs::of(program, 0);
    let values = (inputs.values.as_slice(), &[][..]);
    let Some(plain) = execute("execution", &doc, HEAD, values, Mode::Value)? else {
        return Ok(Verdict::TooLong);
    };
    for output in &plain.outputs {
        for element in &output.elements {
            if let Element::Real(value, _) = element
                && (value.is_nan() || value.abs() > 1e6)
            {
                return failure("bounds", format!("{} becomes {value}", output.name));
            }
        }
    }
    let both = (inputs.values.as_slice(), inputs.direction.as_slice());
    let Some(dual) = execute(PRIMAL, &doc, HEAD, both, Mode::Tangent)? else {
        return Ok(Verdict::TooLong);
    };
    same_values(PRIMAL, &plain.outputs, &dual.outputs)?;
    let text = unparsed(&doc)?;
    let again = document(&text).map_err(|found| Failure {
        step: "unparsed text".into(),
        message: format!("{found}\n{text}"),
    })?;
    if let Some(second) = execute("unparsed text", &again, HEAD, both, Mode::Tangent)? {
        same_values("unparsed text", &plain.outputs, &second.outputs)?;
        same_tangents("unparsed text", &dual.outputs, &second.outputs, 0.0)?;
    }
    Ok(Verdict::Agrees)
}

/// The text of a document.
pub(crate) fn unparsed(doc: &Document) -> Result<String, Failure> {
    match unparse(doc, Layout::OneText) {
        Ok(files) => Ok(files.into_iter().map(|(_, text)| text).collect()),
        Err(found) => failure("back end", told(&found)),
    }
}

/// Values are the same, bit for bit.
pub(crate) fn same_values(step: &str, a: &[Output], b: &[Output]) -> Result<(), Failure> {
    for output in a {
        let Some(other) = b.iter().find(|other| other.name == output.name) else {
            return failure(step, format!("{} is missing", output.name));
        };
        for (index, (one, two)) in output.elements.iter().zip(&other.elements).enumerate() {
            let same = match (one, two) {
                (Element::Real(a, _), Element::Real(b, _)) => a.to_bits() == b.to_bits() || a == b,
                (Element::Complex(a, _), Element::Complex(b, _)) => a == b,
                (a, b) => a == b,
            };
            if !same {
                let name = &output.name;
                return failure(
                    format!("{step}, values"),
                    format!("{name}, element {}: {one:?} and {two:?}", index + 1),
                );
            }
        }
    }
    Ok(())
}

/// The tangents of all elements with their names.
pub(crate) fn tangents(outputs: &[Output]) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for output in outputs {
        for (index, element) in output.elements.iter().enumerate() {
            let name = format!("{}[{}]", output.name, index + 1);
            match element {
                Element::Real(_, t) => found.push((name, *t)),
                Element::Complex(_, [re, im]) => {
                    found.push((format!("{name}.re"), *re));
                    found.push((format!("{name}.im"), *im));
                }
                Element::Int(_) | Element::Logical(_) | Element::Text(_) | Element::Undefined => {}
            }
        }
    }
    found
}

fn same_tangents(step: &str, a: &[Output], b: &[Output], tolerance: f64) -> Result<(), Failure> {
    agree(step, &tangents(a), &tangents(b), tolerance)
}

/// Numbers agree up to `tolerance`, relative to themselves or to the largest of them.
pub(crate) fn agree(
    step: &str,
    a: &[(String, f64)],
    b: &[(String, f64)],
    tolerance: f64,
) -> Result<(), Failure> {
    let largest = a.iter().map(|(_, x)| x.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    if a.len() != b.len() {
        return failure(step, format!("{} and {} numbers", a.len(), b.len()));
    }
    for ((name, x), (_, y)) in a.iter().zip(b) {
        let close = (x - y).abs() <= tolerance * (x.abs() + y.abs() + largest)
            || (x.is_nan() && y.is_nan())
            || x == y;
        if !close {
            return failure(
                format!("{step}, tangents"),
                format!("{name}: {x:e} by dual numbers, {y:e} found"),
            );
        }
    }
    Ok(())
}

/// The program with a main program that calls it and prints what comes out.
pub fn with_driver(program: &Program) -> String {
    let inputs = Inputs::of(program, 0);
    let mut driver = Driver::new(program.calls);
    for ((name, ty, shape), (_, given)) in program.args.iter().zip(&inputs.values) {
        driver.argument(name, *ty, shape, given);
    }
    let module = program.modular.then_some(MODULE);
    format!("{}{}", program.source(), driver.text(module, HEAD))
}

/// A main program that calls a procedure, as often as the program says, each time with the same arguments.
#[derive(Default)]
pub(crate) struct Driver {
    calls: u32,
    names: Vec<String>,
    /// What is printed; everything if nothing is said.
    printed: Vec<String>,
    declarations: String,
    assignments: String,
}

impl Driver {
    pub(crate) fn new(calls: u32) -> Driver {
        Driver { calls, ..Driver::default() }
    }

    /// Adds an argument with its value.
    pub(crate) fn argument(&mut self, name: &str, ty: Ty, shape: &[i64], given: &Given) {
        let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
        let extents = extents.join(", ");
        let dims = if extents.is_empty() { String::new() } else { format!("({extents})") };
        self.declarations.push_str(&format!("  {} :: {name}{dims}\n", ty.spec()));
        let kind = match ty {
            Ty::Single => "_4",
            Ty::Real | Ty::Complex => "_8",
            Ty::Int | Ty::Logical => "",
        };
        let point = |word: &String| {
            let dot = if ty == Ty::Int || word.contains('.') { "" } else { ".0" };
            format!("{word}{dot}{kind}")
        };
        let words: Vec<String> = given.words.iter().map(point).collect();
        let words = words.join(", ");
        let value = match shape.len() {
            0 => words,
            1 => format!("[{words}]"),
            _ => format!("reshape([{words}], [{extents}])"),
        };
        self.assignments.push_str(&format!("  {name} = {value}\n"));
        self.names.push(name.to_string());
    }

    /// Asks for the values of an argument; once that was done, no other ones are printed.
    pub(crate) fn print(&mut self, name: &str) {
        self.printed.push(name.to_string());
    }

    /// The program that calls `procedure` of `module` and prints its arguments.
    pub(crate) fn text(&self, module: Option<&str>, procedure: &str) -> String {
        let mut text = String::from("program driver\n");
        if let Some(module) = module {
            text.push_str(&format!("  use {module}, only: {procedure}\n"));
        }
        text.push_str("  implicit none\n");
        text.push_str(&self.declarations);
        for _ in 0..self.calls {
            text.push_str(&self.assignments);
            text.push_str(&format!("  call {procedure}({})\n", self.names.join(", ")));
        }
        let printed = if self.printed.is_empty() { &self.names } else { &self.printed };
        for name in printed {
            text.push_str(&format!("  print *, {name}\n"));
        }
        text.push_str("end program driver\n");
        text
    }
}

/// What gfortran makes the program print is what its document prints, up to the last digits of
/// functions that the C library and libm compute differently.
pub fn check_compiled(program: &Program) -> Result<(), Failure> {
    same_when_compiled(&with_driver(program), "gfortran", program.mixed)
}

/// What becomes of a program whose compiled derivative was looked at: a failure tells nothing if the
/// compiler fails on the program itself.
///
/// That may stay unseen (what is written behind the end of an object need not show), so the program
/// is looked at with `-fsanitize=address` too, where the compiler has it.
pub fn unless_miscompiled(
    program: &Program,
    found: Result<(), Failure>,
) -> Result<Verdict, Failure> {
    let Err(found) = found else { return Ok(Verdict::Agrees) };
    if check_compiled(program).is_err() {
        return Ok(Verdict::Miscompiled);
    }
    match compiled(&with_driver(program), &["-fsanitize=address"]) {
        Err(watched) if watched.step == EXECUTION => Ok(Verdict::Miscompiled),
        Ok(_) | Err(_) => Err(found),
    }
}

/// What gfortran makes a text print is what its document prints.
pub(crate) fn same_when_compiled(text: &str, step: &str, mixed: bool) -> Result<(), Failure> {
    let printed = compiled(text, &[])?;
    let doc = document(text)?;
    let request =
        Request { limits: Limits { stack: 64 << 20, ..Limits::default() }, ..Request::default() };
    let outcome = match run(&doc, &request) {
        Ok(outcome) => outcome,
        Err(found) => return failure("execution of the driver", told(&found)),
    };
    let tolerance = if mixed { 1e-4 } else { 1e-10 };
    let (a, b) = (numbers(&outcome.stdout), numbers(&printed));
    agree(step, &a, &b, tolerance)
}

/// The numbers in a text.
pub(crate) fn numbers(text: &str) -> Vec<(String, f64)> {
    let words = text.split_whitespace().enumerate();
    words.map(|(at, word)| (format!("number {at}"), word.parse().unwrap_or(f64::NAN))).collect()
}

/// Compiles a text without a warning and runs it; the result is what it prints.
pub fn compiled(text: &str, more: &[&str]) -> Result<String, Failure> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return failure("files", error.to_string()),
    };
    let source = folder.path().join("random.f90");
    let program = folder.path().join("random");
    if let Err(error) = std::fs::write(&source, text) {
        return failure("files", error.to_string());
    }
    let mut gfortran = Command::new("gfortran");
    gfortran
        .args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-dummy-argument", "-Wno-unused-label"])
        // What is never used uninitialised may look so: xaif-run would find it.
        .args(["-Wno-maybe-uninitialized", "-Wno-uninitialized", "-ffree-line-length-none"])
        .args(["-fcheck=all", "-finit-real=snan", "-ffp-contract=off"])
        // A loop that is not executed is meant; `real(8)` is what C calls a double.
        .args(["-Wno-zerotrip", "-Wno-c-binding-type"])
        // Of arithmetic IF and ASSIGN it says that they are old.
        .args(
            text.lines()
                .any(|line| is_arithmetic_if(line) || is_assign(line))
                .then_some("-std=legacy"),
        )
        .args(more)
        .arg("-J")
        .arg(folder.path())
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .current_dir(folder.path());
    let mut run = Command::new("timeout");
    run.arg("20").arg(&program).current_dir(folder.path()).env("ASAN_OPTIONS", "detect_leaks=0");
    let printed = run_checked("gfortran", gfortran).and_then(|_| run_checked(EXECUTION, run));
    if printed.is_err()
        && let Some(kept) = std::env::var_os(KEEP)
    {
        // Only who looks for the cause wants it.
        let _ = std::fs::write(kept, text);
    }
    printed
}

/// `if (e) 10, 20, 30`
fn is_arithmetic_if(line: &str) -> bool {
    let Some((head, tail)) = line.rsplit_once(')') else { return false };
    let labels = tail.split(',').filter(|label| label.trim().parse::<u32>().is_ok());
    head.trim_start().starts_with("if (") && labels.count() == 3
}

/// `assign 10 to i`
fn is_assign(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| *word != "assign");
    words.next().is_some() && words.next().is_some_and(|label| label.parse::<u32>().is_ok())
}

fn run_checked(step: &str, command: Command) -> Result<String, Failure> {
    match finish(command, b"") {
        Ok(finished) if finished.status == Some(0) => Ok(finished.out()),
        Ok(Finished { status: Some(124), .. }) => failure(step, "does not end"),
        Ok(finished) => failure(step, crate::case::first_lines(&finished.err())),
        Err(error) => failure(step, error.to_string()),
    }
}
