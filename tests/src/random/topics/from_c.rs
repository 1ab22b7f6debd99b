//! Derivatives of procedures that C can call, called from C.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use xaif_run::{Element, Mode, Output};

use super::super::adjoint::{self, Stages, tape};
use super::super::check::{
    Failure, Inputs, Named, PRIMAL, Verdict, agree, all_that_is_not_refused, document, execute,
    failure, numbers, unparsed,
};
use super::super::program::{HEAD, Program, Ty, Unit};
use super::super::tangent::{self, Stages as TangentStages};
use super::interoperable::{by_value, label};
use crate::case::first_lines;
use crate::programs::finish;

/// Tangent and adjoint, called from C by their labels, give what their documents give when they are executed.
pub fn check_from_c(program: &Program) -> Result<Verdict, Failure> {
    all_that_is_not_refused(program, once)
}

fn once(program: &Program) -> Result<Verdict, Failure> {
    let doc = document(&program.source())?;
    let inputs = Inputs::of(program, 0);
    if execute(PRIMAL, &doc, HEAD, (&inputs.values, &[]), Mode::Value)?.is_none() {
        return Ok(Verdict::TooLong);
    }
    let tangent = match tangent::differentiate(&program.task(), &doc, TangentStages::ALL, None)? {
        Ok((doc, _)) => doc,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    let adjoint = match adjoint::differentiate(&program.task(), &doc, Stages::ALL)? {
        Ok(derived) => derived.doc,
        Err(refusal) => return Ok(Verdict::Refused(refusal)),
    };
    for (name, suffix, doc) in [("tangent from C", 'd', tangent), ("adjoint from C", 'b', adjoint)]
    {
        let values = values(&inputs, suffix);
        let procedure = format!("{HEAD}_{suffix}");
        let Some(outcome) = execute(name, &doc, &procedure, (&values, &[]), Mode::Value)? else {
            return Ok(Verdict::TooLong);
        };
        let head = program
            .units
            .last()
            .ok_or_else(|| Failure { step: name.into(), message: "there is no head".into() })?;
        let text = format!("{}{}", program.source(), unparsed(&doc)?);
        let printed = printed(name, &text, &caller(program, head, &values, suffix))?;
        let expected = expected(program, head, &outcome.outputs, suffix);
        agree(name, &expected, &numbers(&printed), 1e-9)?;
    }
    Ok(Verdict::Agrees)
}

/// The arguments, each with its derivative.
fn values(inputs: &Inputs, suffix: char) -> Vec<Named> {
    let mut values = inputs.values.clone();
    let direction = inputs.direction.iter();
    values.extend(direction.map(|(name, given)| (format!("{name}{suffix}"), given.clone())));
    values
}

/// Whether C passes the derivative of an argument as a number.
fn derivative_by_value(head: &Unit, name: &str, suffix: char) -> bool {
    suffix == 'd' && by_value(head, name)
}

/// A program in C that calls a derivative and prints what it overwrites.
fn caller(program: &Program, head: &Unit, values: &[Named], suffix: char) -> String {
    let (mut types, mut actual, mut variables, mut prints) =
        (Vec::new(), Vec::new(), String::new(), String::new());
    let mut argument = |name: &str, ty: Ty, shape: &[i64], is_value: bool| {
        let given = values.iter().find(|(own, _)| own == name);
        let words = given.map(|(_, given)| given.words.join(", ")).unwrap_or_default();
        let ty = if ty == Ty::Int { "int" } else { "double" };
        let count: i64 = shape.iter().product();
        let _ = writeln!(variables, "    {ty} {name}[{count}] = {{{words}}};");
        types.push(format!("{ty} {}", if is_value { "" } else { "*" }));
        actual.push(format!("{}{name}", if is_value { "*" } else { "" }));
        if !is_value && ty == "double" {
            let _ = writeln!(
                prints,
                "    for (int i = 0; i < {count}; i++) printf(\"%.17g\\n\", {name}[i]);"
            );
        }
    };
    for (name, ty, shape) in &program.args {
        argument(name, *ty, shape, by_value(head, name));
        if *ty != Ty::Int {
            let is_value = derivative_by_value(head, name, suffix);
            argument(&format!("{name}{suffix}"), *ty, shape, is_value);
        }
    }
    let label = format!("{}_{suffix}", label(head));
    format!(
        "#include <stdio.h>\nvoid {label}({});\nint main(void)\n{{\n{variables}    {label}({});\n{prints}    \
         return 0;\n}}\n",
        types.join(", "),
        actual.join(", ")
    )
}

/// What it must print.
fn expected(
    program: &Program,
    head: &Unit,
    outputs: &[Output],
    suffix: char,
) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    let mut add = |name: &str| {
        let own = outputs.iter().filter(|output| output.name == name);
        found.extend(own.flat_map(|output| &output.elements).map(|element| match element {
            Element::Real(value, _) => (name.to_owned(), *value),
            _ => (name.to_owned(), f64::NAN),
        }));
    };
    for (name, ..) in program.args.iter().filter(|(_, ty, _)| *ty != Ty::Int) {
        if !by_value(head, name) {
            add(name);
        }
        if !derivative_by_value(head, name, suffix) {
            add(&format!("{name}{suffix}"));
        }
    }
    found
}

/// Compiles both, links them with the tape, and executes them.
fn printed(step: &str, text: &str, caller: &str) -> Result<String, Failure> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return failure("files", error.to_string()),
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    if let Err(error) = write("text.f90", text).and_then(|()| write("caller.c", caller)) {
        return failure("files", error.to_string());
    }
    let tape = tape()?;
    let mut compiler = Command::new("gfortran");
    compiler.args(["-w", "-fcheck=all", "-ffree-line-length-none", "-finit-real=snan"]);
    compiler.arg(format!("-I{}", tape.display()));
    compiler.args(["caller.c", "text.f90"]);
    compiler.args(["oxad_tape_f.o", "oxad_tape_c.o"].map(|object| tape.join(object)));
    compiler.args(["-o", "caller"]);
    run(step, compiler, folder.path())?;
    let mut execution = Command::new("timeout");
    execution.arg("20").arg("./caller");
    run(step, execution, folder.path())
}

fn run(step: &str, mut command: Command, folder: &Path) -> Result<String, Failure> {
    command.current_dir(folder);
    match finish(command, b"") {
        Ok(finished) if finished.status == Some(0) => Ok(finished.out()),
        Ok(finished) => failure(step, first_lines(&finished.err())),
        Err(error) => failure(step, error.to_string()),
    }
}
