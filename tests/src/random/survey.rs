//! Looks at many random programs, and counts what becomes of them.
//!
//! Each core has a child process that checks one program after the other ([`work`]). So a program
//! that takes too long, too much memory, or the whole process with it, is counted by its seed, and
//! the others go on. What was counted is printed again and again: a run that is cut off counts.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::check::{Failure, Refusal, Verdict};
use super::program::Program;
use super::{Kind, shrink};

/// A check of one program.
pub type Check = fn(&Program) -> Result<Verdict, Failure>;

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The word by which a child knows of which kind the programs are.
    pub word: Option<&'static str>,
    /// The name of the check.
    pub check: String,
    /// How many programs.
    pub count: u64,
    /// The seed of the first.
    pub first: u64,
    /// About the number of statements of a procedure.
    pub size: u32,
    /// How often a program that fails is made smaller.
    pub tries: usize,
    /// What a program may take.
    pub patience: Duration,
    /// How often the table is printed.
    pub interval: Duration,
}

/// What became of the programs so far.
#[derive(Default)]
struct Counts {
    agreed: u64,
    rest: u64,
    whole: u64,
    long: u64,
    miscompiled: u64,
    none: u64,
    invalid: u64,
    warned: u64,
    /// Derivatives differ, and the numbers depend on how they are rounded.
    unsteady: u64,
    refused: BTreeMap<String, Refused>,
    failed: BTreeMap<String, Vec<(u64, String)>>,
}

/// Programs that are refused with one message.
struct Refused {
    count: u64,
    seed: u64,
    line: String,
}

/// The answer of a child.
enum Answer {
    Told(Value),
    Late,
    Died(String),
}

impl Survey {
    /// Checks the programs on all cores and prints a report; whether none has failed.
    pub fn run(&self) -> bool {
        let counts: Mutex<Counts> = Mutex::default();
        let next = AtomicU64::new(0);
        let begun = Instant::now();
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let left = AtomicU64::new(cores as u64);
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    self.take_turns(&next, &counts);
                    left.fetch_sub(1, Ordering::Relaxed);
                });
            }
            let mut printed = Instant::now();
            while left.load(Ordering::Relaxed) > 0 {
                std::thread::sleep(Duration::from_millis(100));
                if printed.elapsed() >= self.interval {
                    printed = Instant::now();
                    self.print(&lock(&counts), begun);
                }
            }
        });
        let counts = lock(&counts);
        self.print(&counts, begun);
        for (step, list) in &counts.failed {
            self.print_failures(step, list);
        }
        counts.failed.is_empty()
    }

    fn take_turns(&self, next: &AtomicU64, counts: &Mutex<Counts>) {
        let mut worker = None;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= self.count {
                return;
            }
            let seed = self.first + at;
            let answer = match worker.get_or_insert_with(|| self.worker()) {
                Ok(worker) => worker.ask(&format!("{seed}"), self.patience),
                Err(error) => Answer::Died(error.clone()),
            };
            if !matches!(answer, Answer::Told(_)) {
                worker = None;
            }
            lock(counts).add(seed, &answer);
        }
    }

    fn worker(&self) -> Result<Worker, String> {
        let (size, tries) = (self.size.to_string(), self.tries.to_string());
        let mut args: Vec<&str> = self.word.into_iter().collect();
        args.extend(["work", &self.check, &size, &tries]);
        Worker::start(&args)
    }

    fn print(&self, counts: &Counts, begun: Instant) {
        let failed: usize = counts.failed.values().map(Vec::len).sum();
        let fine = counts.agreed + counts.rest + counts.whole + counts.long + counts.miscompiled;
        let fine = fine + counts.none + counts.invalid + counts.warned + counts.unsteady;
        let done = fine + failed as u64;
        let speed = done as f64 / begun.elapsed().as_secs_f64();
        println!(
            "{}{}: {done} of {} programs from seed {}, size {} ({speed:.1} a second)",
            self.word.map(|word| format!("{word} ")).unwrap_or_default(),
            self.check,
            self.count,
            self.first,
            self.size
        );
        println!("  {:6} agree", counts.agreed);
        println!("  {:6} agree without what is refused", counts.rest);
        println!("  {:6} are refused as a whole", counts.whole);
        println!("  {:6} take too many steps", counts.long);
        if counts.miscompiled > 0 {
            println!(
                "  {:6} fail as programs when compiled, or the compiler does not end",
                counts.miscompiled
            );
        }
        for (count, told) in [
            (counts.none, "cannot be executed as they stand in the project"),
            (counts.invalid, "are not accepted by the compiler"),
            (counts.warned, "differ where a stage has warned"),
            (counts.unsteady, "differ where numbers depend on how they are rounded"),
        ] {
            if count > 0 {
                println!("  {count:6} {told}");
            }
        }
        println!("  {failed:6} fail");
        let mut refused: Vec<(&String, &Refused)> = counts.refused.iter().collect();
        refused.sort_by_key(|(_, refused)| std::cmp::Reverse(refused.count));
        for (message, Refused { count, seed, line }) in refused {
            println!("  refused in {count}: {message} (seed {seed}: {line})");
        }
        for (step, list) in &counts.failed {
            let seeds: Vec<String> = list.iter().take(40).map(|(s, _)| s.to_string()).collect();
            println!("  failed {}: {step}: seeds {}", list.len(), seeds.join(" "));
        }
        let _ = std::io::stdout().flush();
    }

    /// The messages of programs that fail in one way, and the smallest program found for the first.
    fn print_failures(&self, step: &str, list: &[(u64, String)]) {
        println!("=== {step}: {} programs", list.len());
        let mut list = list.to_vec();
        list.sort();
        for (seed, message) in list.iter().take(12) {
            println!("  seed {seed}: {}", message.chars().take(220).collect::<String>());
        }
        let Some((seed, _)) = list.first() else { return };
        let patience = self.patience * 10;
        let answer =
            self.worker().map(|mut worker| worker.ask(&format!("shrink {seed}"), patience));
        match answer {
            Ok(Answer::Told(told)) => println!(
                "--- seed {seed}, shrunk\n{}{}",
                told["program"].as_str().unwrap_or_default(),
                told["message"].as_str().unwrap_or_default()
            ),
            Ok(Answer::Late | Answer::Died(_)) | Err(_) => println!("--- cannot be made smaller"),
        }
        let _ = std::io::stdout().flush();
    }
}

impl Counts {
    fn add(&mut self, seed: u64, answer: &Answer) {
        let mut fail = |step: &str, message: &str| {
            let list = self.failed.entry(step.to_string()).or_default();
            list.push((seed, message.to_string()));
        };
        let told = match answer {
            Answer::Told(told) => told,
            Answer::Late => return fail("takes too long", ""),
            Answer::Died(message) => return fail("takes the process with it", message),
        };
        match told["verdict"].as_str() {
            Some("agrees") => self.agreed += 1,
            Some("long") => self.long += 1,
            Some("miscompiled") => self.miscompiled += 1,
            Some("rest") => self.rest += 1,
            Some("refused") => self.whole += 1,
            Some("none") => self.none += 1,
            Some("invalid") => self.invalid += 1,
            Some("warned") => self.warned += 1,
            Some("unsteady") => self.unsteady += 1,
            _ => fail(
                told["step"].as_str().unwrap_or("no answer"),
                told["message"].as_str().unwrap_or_default(),
            ),
        }
        // A program counts once for each message.
        let mut seen = Vec::new();
        for refusal in told["refusals"].as_array().into_iter().flatten() {
            let message = refusal["message"].as_str().unwrap_or_default().to_string();
            if seen.contains(&message) {
                continue;
            }
            let line = refusal["line"].as_str().unwrap_or_default().trim();
            let line: String = line.chars().take(90).collect();
            let entry = self.refused.entry(message.clone());
            entry.or_insert(Refused { count: 0, seed, line }).count += 1;
            seen.push(message);
        }
    }
}

/// A child process that checks programs.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(args: &[&str]) -> Result<Worker, String> {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(own);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Each child has a core; threads beside it would wait for each other.
        command.env("RAYON_NUM_THREADS", "1");
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".into());
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Worker { child, input, answers })
    }

    fn ask(&mut self, question: &str, patience: Duration) -> Answer {
        if let Err(error) = writeln!(self.input, "{question}") {
            return Answer::Died(error.to_string());
        }
        let (begun, before) = (Instant::now(), self.seconds());
        loop {
            match self.answers.recv_timeout(Duration::from_millis(500)) {
                Ok(line) => match serde_json::from_str(&line) {
                    Ok(told) => return Answer::Told(told),
                    Err(error) => return Answer::Died(error.to_string()),
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => match self.child.wait() {
                    Ok(status) => return Answer::Died(status.to_string()),
                    Err(error) => return Answer::Died(error.to_string()),
                },
            }
            // The machine may have other things to do.
            let used = Duration::from_secs_f64((self.seconds() - before).max(0.0));
            if used > patience || begun.elapsed() > patience * 20 {
                return Answer::Late;
            }
        }
    }

    /// Processor time that the child has used.
    fn seconds(&self) -> f64 {
        let path = format!("/proc/{}/stat", self.child.id());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: f64 = fields.skip(11).take(4).filter_map(|word| word.parse::<f64>().ok()).sum();
        ticks / 100.0
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a child does: a line of standard input names a program by its seed, or asks to make it
/// smaller; a line of standard output tells what became of it.
pub fn work(kind: Kind, check: Check, size: u32, tries: usize) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: VecDeque<&str> = line.split_whitespace().collect();
        let Some(seed) = words.back().and_then(|word| word.parse().ok()) else { continue };
        let program = kind.generate(seed, size);
        let told = match words.len() {
            1 => answer(&program, &guarded(|| check(&program))),
            _ => smaller(check, &program, tries),
        };
        println!("{told}");
        let _ = std::io::stdout().flush();
    }
}

/// A panic is a failure, too.
pub(crate) fn guarded<T>(check: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(Failure { step: "panic".into(), message: text.unwrap_or_default() })
    })
}

fn answer(program: &Program, found: &Result<Verdict, Failure>) -> Value {
    let refusals = |list: &[Refusal]| -> Vec<Value> {
        let mut program = program.clone();
        let told = |refusal: &Refusal| {
            let source = program.source();
            let line = source.lines().nth(refusal.line.saturating_sub(1)).unwrap_or_default();
            if let Some(rest) = program.without_line(refusal.line) {
                program = rest;
            }
            json!({"message": refusal.to_string(), "line": line})
        };
        list.iter().map(told).collect()
    };
    match found {
        Ok(Verdict::Agrees) => json!({"verdict": "agrees"}),
        Ok(Verdict::TooLong) => json!({"verdict": "long"}),
        Ok(Verdict::Miscompiled) => json!({"verdict": "miscompiled"}),
        Ok(Verdict::Refused(refusal)) => {
            json!({"verdict": "refused", "refusals": refusals(std::slice::from_ref(refusal))})
        }
        Ok(Verdict::Rest(list)) => json!({"verdict": "rest", "refusals": refusals(list)}),
        Err(Failure { step, message }) => {
            json!({"verdict": "failed", "step": step, "message": message})
        }
    }
}

/// The smallest program that fails in the same way that is found in `tries`.
fn smaller(check: Check, program: &Program, tries: usize) -> Value {
    let Err(failure) = guarded(|| check(program)) else { return json!({"message": "it agrees"}) };
    let small = shrink(program, tries, |program| {
        guarded(|| check(program)).is_err_and(|found| same(&found, &failure))
    });
    let message = guarded(|| check(&small)).err().map(|found| found.to_string());
    json!({"program": small.source(), "message": message})
}

/// The same step, and the same code where there is one.
pub(crate) fn same(a: &Failure, b: &Failure) -> bool {
    let code = |failure: &Failure| {
        let at = failure.message.find("OX")?;
        Some(failure.message[at..].chars().take(6).collect::<String>())
    };
    a.step == b.step && code(a) == code(b)
}
