//! Whether every elimination technique with every heuristic gives programs the same Jacobian:
//! `eliminations [NAME=VALUE...] FILE...` looks at each file and prints a line for it, and what they
//! come to. NAME=VALUE is for integer arguments.
//! The exit status is 1 where one differs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use oxad_tests::eliminations::{Found, Same, check, configurations};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named = |word: &String| word.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned()));
    let set: Vec<(String, String)> = words.iter().filter_map(named).collect();
    let files: Vec<PathBuf> =
        words.iter().filter(|word| named(word).is_none()).map(PathBuf::from).collect();
    let configurations = configurations();
    let next = Mutex::new(files.iter());
    let found = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let work = || {
                while let Some(file) = next.lock().ok().and_then(|mut next| next.next()) {
                    let one = check(file, &set, &configurations);
                    println!("{}: {}", file.display(), shown(&one));
                    if let Ok(mut found) = found.lock() {
                        found.push(one);
                    }
                }
            };
            let builder = std::thread::Builder::new().stack_size(256 << 20);
            if let Err(error) = builder.spawn_scoped(scope, work) {
                eprintln!("no thread: {error}");
            }
        }
    });
    let found = found.into_inner().unwrap_or_default();
    let count = |is: &dyn Fn(&Found) -> bool| found.iter().filter(|one| is(one)).count();
    let differs = count(&|one| matches!(one, Found::Differs(_)));
    let same: Vec<Same> = found
        .iter()
        .filter_map(|one| match one {
            Found::Same(same) => Some(*same),
            Found::Left(_) | Found::Differs(_) => None,
        })
        .collect();
    let sum = |of: &dyn Fn(&Same) -> usize| same.iter().map(of).sum::<usize>();
    println!(
        "{} programs: {} cannot be asked, {differs} differ, {} have one Jacobian, {} of these with local \
         Jacobians; {} configurations, {} documents, executed {} times by dual numbers, {} as tangents, {} as adjoints",
        files.len(),
        count(&|one| matches!(one, Found::Left(_))),
        same.len(),
        same.iter().filter(|same| same.documents > 0).count(),
        sum(&|same| same.configurations),
        sum(&|same| same.documents),
        sum(&|same| same.executed[0]),
        sum(&|same| same.executed[1]),
        sum(&|same| same.executed[2]),
    );
    let all = found.len() == files.len() && !files.is_empty();
    if differs == 0 && all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn shown(found: &Found) -> String {
    match found {
        Found::Left(why) => format!("not asked: {why}"),
        Found::Differs(what) => format!("DIFFERS: {what}"),
        Found::Same(Same { documents, executed: [dual, tangent, adjoint], .. }) => format!(
            "the same, {documents} documents: {dual} dual numbers, {tangent} tangents, {adjoint} adjoints"
        ),
    }
}
