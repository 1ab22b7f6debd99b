//! What a child of a survey does with mutants.

use std::io::{BufRead as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use super::super::check::Failure;
use super::super::survey::{guarded, same};
use super::check::{Input, PROGRAM, Verdict, check, check_compiled};
use super::{Mutant, reduce, sources};

/// The word by which a command line asks for mutants.
pub const WORD: &str = "mutate";

type Check = fn(&Mutant) -> Result<Verdict, Failure>;

fn check_named(name: &str) -> Check {
    if name == "compiled" { check_compiled } else { check }
}

/// How the name of a check begins that looks at texts of a folder, `1.f90` and so on.
pub const TEXTS: &str = "texts:";

/// The mutant of a seed, or the text with this number in the folder that the check names.
fn made(check: &str, seed: u64, most: usize) -> Result<Mutant, String> {
    let Some(folder) = check.strip_prefix(TEXTS) else { return Mutant::of(seed, most) };
    let path = Path::new(folder).join(format!("{seed}.f90"));
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    of_text(seed, text)
}

/// A text with a comment `! call …`.
fn of_text(seed: u64, text: String) -> Result<Mutant, String> {
    let call = booster_tests::calls(&text).into_iter().next().ok_or("no `! call`")?;
    let input = Input { head: call.procedure, values: call.values };
    let source = sources().first().ok_or("no programs")?;
    Ok(Mutant { seed, source, steps: Vec::new(), text, input })
}

/// A mutant as text.
pub fn show(seed: u64, most: usize) -> String {
    match Mutant::of(seed, most) {
        Ok(mutant) => mutant.told(),
        Err(why) => format!("! cannot be executed: {why}\n"),
    }
}

/// As [`work`](super::super::survey::work), for mutants with at most `most` changes.
pub fn work(check: &str, most: usize, tries: usize) {
    let (name, check) = (check, check_named(check));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(seed) = words.last().and_then(|word| word.parse().ok()) else { continue };
        let told = match made(name, seed, most) {
            Err(_) => json!({"verdict": "none"}),
            Ok(mutant) if words.len() == 1 => {
                let found = guarded(|| check(&mutant));
                answer(&mutant, &found)
            }
            Ok(mutant) => smaller(check, &mutant, tries),
        };
        println!("{told}");
        let _ = std::io::stdout().flush();
    }
}

fn answer(mutant: &Mutant, found: &Result<Verdict, Failure>) -> Value {
    match found {
        Ok(Verdict::Agrees) => json!({"verdict": "agrees"}),
        Ok(Verdict::TooLong) => json!({"verdict": "long"}),
        Ok(Verdict::Warned(_)) => json!({"verdict": "warned"}),
        Ok(Verdict::Unsteady) => json!({"verdict": "unsteady"}),
        Ok(Verdict::Invalid(_)) => json!({"verdict": "invalid"}),
        Ok(Verdict::Refused(refusal)) => {
            let line = mutant.text.lines().nth(refusal.line.saturating_sub(1)).unwrap_or_default();
            let told = json!({"message": refusal.to_string(), "line": line});
            json!({"verdict": "refused", "refusals": [told]})
        }
        // A text of another generator may be beyond what can be executed.
        Err(Failure { step, .. }) if step == PROGRAM => json!({"verdict": "none"}),
        Err(Failure { step, message }) => {
            let (name, changes) = (&mutant.source.name, mutant.changes());
            let message = format!("{name} ({changes}): {message}");
            json!({"verdict": "failed", "step": step, "message": message})
        }
    }
}

fn smaller(check: Check, mutant: &Mutant, tries: usize) -> Value {
    let Err(failure) = guarded(|| check(mutant)) else {
        return json!({"message": "it agrees"});
    };
    let small = reduce(mutant, tries, |mutant| {
        guarded(|| check(mutant)).is_err_and(|found| same(&found, &failure))
    });
    let message = guarded(|| check(&small)).err().map(|found| found.to_string());
    json!({"program": small.told(), "message": message})
}

/// Checks the mutant of a text with a comment `! seed N` and another `! call …`, as [`show`] prints it.
pub fn check_text(check: &str, text: &str) -> Result<String, String> {
    let seed = text.lines().find_map(|line| line.strip_prefix("! seed ")?.split(':').next());
    let seed: u64 = seed.and_then(|seed| seed.trim().parse().ok()).unwrap_or(1);
    let mutant = of_text(seed, text.to_owned())?;
    match check_named(check)(&mutant) {
        Ok(verdict) => Ok(format!("{verdict:?}")),
        Err(failure) => Err(failure.to_string()),
    }
}
