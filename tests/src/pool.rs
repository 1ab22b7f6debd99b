//! Many independent cases on all cores, reported together.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPoolBuilder;

/// Runs `check` on every case and panics with the messages of those that failed, in the order of
/// `cases`. An empty list fails too: it means that the cases were not found.
pub fn check_all<T: Sync>(
    cases: &[T],
    name: impl Fn(&T) -> String + Sync,
    check: impl Fn(&T) -> Result<(), String> + Sync,
) {
    assert!(!cases.is_empty(), "there are no cases");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                // The cases already occupy all cores. A pool of one thread saves the waiting between threads.
                let own = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
                let own = own.expect("a pool of one thread");
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    if let Err(message) = own.install(|| check(case))
                        && let Ok(mut failures) = failures.lock()
                    {
                        failures.push((index, format!("--- {}\n{message}", name(case))));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap_or_default();
    failures.sort();
    let messages: Vec<String> = failures.into_iter().map(|(_, message)| message).collect();
    assert!(
        messages.is_empty(),
        "{} of {} cases failed\n{}",
        messages.len(),
        cases.len(),
        messages.join("\n")
    );
}
