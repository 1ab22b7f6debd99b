//! Random programs: `random show SEED [SIZE]` prints one, `random CHECK N [SEED [SIZE
//! [TRIES]]]` checks N of
//! them from a seed on and prints a report: what fails and what is refused, with a small program for
//! each.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use oxad_tests::random::adjoint::{check_adjoint, check_compiled_adjoint};
use oxad_tests::random::check::{Failure, Verdict, check_compiled, check_primal};
use oxad_tests::random::program::Program;
use oxad_tests::random::tangent::{check_compiled_tangent, check_tangent, check_vector};
use oxad_tests::random::{generate, shrink};

type Check = fn(&Program) -> Result<Verdict, Failure>;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, or: u64| args.get(at).and_then(|s| s.parse().ok()).unwrap_or(or);
    let check: Check = match args.first().map(String::as_str) {
        Some("show") => {
            print!("{}", generate(number(1, 1), number(2, 6) as u32).source());
            return;
        }
        Some("primal") => check_primal,
        Some("compiled") => compiled,
        Some("tangent") => check_tangent,
        Some("vector") => check_vector,
        Some("compiled-tangent") => check_compiled_tangent,
        Some("adjoint") => check_adjoint,
        Some("compiled-adjoint") => check_compiled_adjoint,
        _ => {
            eprintln!("usage: random show SEED [SIZE] | CHECK N [SEED [SIZE [TRIES]]]");
            return;
        }
    };
    let size = number(3, 6) as u32;
    report(check, number(1, 100), number(2, 1), size, number(4, 1500) as usize);
}

fn compiled(program: &Program) -> Result<Verdict, Failure> {
    check_compiled(program).map(|()| Verdict::Agrees)
}

/// Checks programs on all cores; prints the smallest of each way to fail that is found in `tries`.
fn report(check: Check, count: u64, first: u64, size: u32, tries: usize) {
    let next = AtomicU64::new(0);
    let failures: Mutex<BTreeMap<String, Vec<(u64, Failure)>>> = Mutex::default();
    let long = AtomicU64::new(0);
    let refused: Mutex<BTreeMap<String, (u64, u64)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let seed = first + at;
                    match check(&generate(seed, size)) {
                        Ok(Verdict::Agrees) => {}
                        Ok(Verdict::Refused(refusal)) => {
                            if let Ok(mut refused) = refused.lock() {
                                let (count, least) =
                                    refused.entry(refusal.to_string()).or_insert((0, seed));
                                *count += 1;
                                *least = seed.min(*least);
                            }
                        }
                        Ok(Verdict::TooLong) => {
                            long.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(failure) => {
                            if let Ok(mut failures) = failures.lock() {
                                let step = failure.step.clone();
                                failures.entry(step).or_default().push((seed, failure));
                            }
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_default();
    for (step, mut list) in failures.clone() {
        list.sort_by_key(|(seed, _)| *seed);
        println!("=== {step}: {} programs", list.len());
        for (seed, failure) in list.iter().take(12) {
            let message: String = failure.message.chars().take(220).collect();
            println!("  seed {seed}: {message}");
        }
        let Some((seed, failure)) = list.first() else { continue };
        let small = shrink(&generate(*seed, size), tries, |program| {
            check(program).is_err_and(|found| same(&found, failure))
        });
        println!("--- seed {seed}, shrunk\n{}", small.source());
        if let Err(found) = check(&small) {
            println!("{found}");
        }
    }
    let failed: usize = failures.values().map(Vec::len).sum();
    let long = long.into_inner();
    for (refusal, (count, seed)) in refused.into_inner().unwrap_or_default() {
        println!("refused, {count} programs: {refusal}");
        let small = shrink(
            &generate(seed, size),
            200,
            |program| matches!(check(program), Ok(Verdict::Refused(found)) if found.to_string() == refusal),
        );
        println!("--- seed {seed}, shrunk\n{}", small.source());
    }
    println!("{count} programs from seed {first}: {failed} failed, {long} take too long");
    if failed > 0 {
        std::process::exit(1);
    }
}

/// The same step, and the same code where there is one.
fn same(a: &Failure, b: &Failure) -> bool {
    let code = |failure: &Failure| {
        failure
            .message
            .find("OX")
            .map(|at| failure.message[at..].chars().take(6).collect::<String>())
    };
    a.step == b.step && code(a) == code(b)
}
