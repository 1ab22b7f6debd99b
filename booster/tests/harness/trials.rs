//! One test per source: a failure names the source, and one source can be tested alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::Trial;
use rayon::{ThreadPool, ThreadPoolBuilder};

thread_local! {
    /// The tests already occupy all cores. A pool of one thread saves the waiting between threads.
    static POOL: ThreadPool = ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build()
        .expect("a pool of one thread");
}

/// One test per source, named `CHECK::FOLDER::NAME`. A panic of `check` fails the test.
pub fn each(
    check_name: &str,
    sources: impl IntoIterator<Item = PathBuf>,
    check: impl Fn(&Path) + Send + Sync + 'static,
) -> Vec<Trial> {
    let check = move |path: &PathBuf| {
        check(path);
        Ok(())
    };
    named(check_name, sources.into_iter().map(|path| (short(&path), path)), check)
}

/// One test per case, named `CHECK::NAME`. An error or a panic of `check` fails the test.
pub fn named<T: Send + Sync + 'static>(
    check_name: &str,
    cases: impl IntoIterator<Item = (String, T)>,
    check: impl Fn(&T) -> Result<(), String> + Send + Sync + 'static,
) -> Vec<Trial> {
    let check = Arc::new(check);
    let trial = |(name, case): (String, T)| {
        let check = Arc::clone(&check);
        Trial::test(format!("{check_name}::{name}"), move || {
            Ok(POOL.with(|pool| pool.install(|| check(&case)))?)
        })
    };
    cases.into_iter().map(trial).collect()
}

/// `FOLDER::NAME` of `…/FOLDER/NAME.f90`.
fn short(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let name = path.file_stem().unwrap_or_default();
    format!("{}::{}", folder.display(), name.display())
}
