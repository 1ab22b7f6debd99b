//! Random programs: `random show SEED [SIZE]` prints one, `random CHECK N [SEED [SIZE [TRIES]]]`
//! checks N of them from a seed on and prints a report, and what was counted every half minute: what
//! agrees, what is refused, what fails, with a small program for each way to fail. The word of a [`Kind`] before all
//! that chooses what the programs are about.

use std::process::ExitCode;
use std::time::Duration;

use oxad_tests::random::adjoint::{check_adjoint, check_compiled_adjoint};
use oxad_tests::random::check::{Failure, Verdict, check_compiled, check_primal};
use oxad_tests::random::large::check_large;
use oxad_tests::random::preaccumulate::check_preaccumulation;
use oxad_tests::random::program::Program;
use oxad_tests::random::survey::{Check, Survey, work};
use oxad_tests::random::tangent::{check_compiled_tangent, check_tangent, check_vector};
use oxad_tests::random::topics::from_c::check_from_c;
use oxad_tests::random::{Kind, mutants};

/// The checks by their names.
const CHECKS: &[(&str, Check)] = &[
    ("primal", check_primal),
    ("compiled", compiled),
    ("tangent", check_tangent),
    ("vector", check_vector),
    ("preaccumulation", check_preaccumulation),
    ("compiled-tangent", check_compiled_tangent),
    ("adjoint", check_adjoint),
    ("compiled-adjoint", check_compiled_adjoint),
    ("large", check_large),
    ("from-c", check_from_c),
];

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut kind = Kind::Procedures;
    let word = args.first().map(String::as_str);
    if let Some(special) =
        Kind::ALL.into_iter().find(|kind| kind.word().is_some() && kind.word() == word)
    {
        kind = special;
        args.remove(0);
    }
    if args.first().is_some_and(|word| word == mutants::WORD) {
        return mutate(&args[1..]);
    }
    let number = |at: usize, or: u64| args.get(at).and_then(|s| s.parse().ok()).unwrap_or(or);
    let check = |at: usize| {
        let name = args.get(at).map_or("", String::as_str);
        CHECKS.iter().find(|(own, _)| *own == name)
    };
    if args.first().is_some_and(|word| word == "show") {
        print!("{}", kind.generate(number(1, 1), number(2, 6) as u32).source());
        return ExitCode::SUCCESS;
    }
    if let (Some("work"), Some((_, check))) = (args.first().map(String::as_str), check(1)) {
        work(kind, *check, number(2, 6) as u32, number(3, 400) as usize);
        return ExitCode::SUCCESS;
    }
    let Some((name, _)) = check(0) else {
        let words: Vec<&str> = Kind::ALL.iter().filter_map(|kind| kind.word()).collect();
        eprintln!(
            "usage: random [{}] (show SEED [SIZE] | CHECK N [SEED [SIZE [TRIES]]])",
            words.join("|")
        );
        return ExitCode::FAILURE;
    };
    let survey = Survey {
        word: kind.word(),
        check: (*name).to_string(),
        count: number(1, 100),
        first: number(2, 1),
        size: number(3, 6) as u32,
        tries: number(4, 400) as usize,
        patience: Duration::from_secs(30),
        interval: Duration::from_secs(30),
    };
    if survey.run() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// `mutate (show SEED [MOST] | file FILE | texts FOLDER N [SEED] | CHECK N [SEED [MOST [TRIES]]])`
fn mutate(args: &[String]) -> ExitCode {
    let number = |at: usize, or: u64| args.get(at).and_then(|s| s.parse().ok()).unwrap_or(or);
    match args.first().map(String::as_str) {
        Some("show") => print!("{}", mutants::show(number(1, 1), number(2, 4) as usize)),
        Some("file") => {
            let text = args.get(1).and_then(|path| std::fs::read_to_string(path).ok());
            let told = mutants::check_text("derivatives", &text.unwrap_or_default());
            println!("{}", told.unwrap_or_else(|failure| failure));
        }
        Some("work") => {
            let check = args.get(1).map_or("", String::as_str);
            mutants::work(check, number(2, 4) as usize, number(3, 400) as usize);
        }
        Some(check @ ("derivatives" | "compiled" | "texts")) => {
            // The folder of texts stands before the numbers.
            let (check, at) = match (check, args.get(1)) {
                ("texts", Some(folder)) => (format!("{}{folder}", mutants::TEXTS), 1),
                (check, _) => (check.to_owned(), 0),
            };
            let survey = Survey {
                word: Some(mutants::WORD),
                check,
                count: number(at + 1, 100),
                first: number(at + 2, 1),
                size: number(at + 3, 4) as u32,
                tries: number(at + 4, 400) as usize,
                patience: Duration::from_secs(30),
                interval: Duration::from_secs(30),
            };
            return if survey.run() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        Some(_) | None => {
            eprintln!(
                "usage: random mutate (show SEED [MOST] | file FILE | texts FOLDER N [SEED] | (derivatives|compiled) N [SEED [MOST [TRIES]]])"
            );
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn compiled(program: &Program) -> Result<Verdict, Failure> {
    check_compiled(program).map(|()| Verdict::Agrees)
}
