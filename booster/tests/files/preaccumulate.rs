//! Local Jacobians in documents: for each source in `preaccumulate/` the document that is made of it
//! stands beside it, and executed it has the same values and derivatives by dual numbers as before. So
//! has every source of `tangent/`.
//!
//! A source says in comments at its top what is executed (`! call p x=1.5`, `! along x=1`), and
//! `! options --technique edge` what the stage is told beside `--always`.
//!
//! `OXAD_BLESS=1` writes the documents anew.

use std::path::Path;

use booster_tests::preaccumulated::{compare, executed, made, tolerance};
use booster_tests::trials::each;
use booster_tests::{
    Call, add_activity, as_blessed, calls, document, pairs, read, sources, told, told_at_top,
};
use clap::Parser as _;
use elimination::{Chain, Choice, TECHNIQUES};
use libtest_mimic::Trial;
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::stages::{EliminationArgs, PreaccumulateArgs};
use xaif_booster::transform::preaccumulate::Options;
use xaif_run::Output;
use xaif_schema::inspect::show;
use xaif_schema::model::{Document, StmtKind};

pub(crate) fn trials() -> Vec<Trial> {
    let own = || sources("preaccumulate");
    let of_tangents = sources("tangent").into_iter().filter(|path| can_be_differentiated(path));
    // The place of a source among them decides which heuristic comes with which technique.
    let numbered: Vec<_> = own();
    let place = move |path: &Path| numbered.iter().position(|other| other == path).unwrap_or(0);
    [
        each("preaccumulate::heuristics", own(), move |path| every_heuristic(path, place(path))),
        each("preaccumulate::search", own(), search),
        each("preaccumulate::executed", own(), as_it_asks),
        each("preaccumulate::tangents", of_tangents, tangents),
        each("preaccumulate::blessed", own(), blessed),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[derive(clap::Parser)]
struct Words {
    #[command(flatten)]
    elimination: EliminationArgs,
    #[command(flatten)]
    stage: PreaccumulateArgs,
}

/// The options that a source asks for.
fn options(source: &str) -> Options {
    let words = told_at_top(source, "options").join(" ");
    let words = ["stage"].into_iter().chain(words.split_whitespace());
    let words = Words::parse_from(words);
    words.stage.options(&words.elimination, &Externals::new(), Catalogue::standard())
}

fn blessed(path: &Path) {
    let source = read(path);
    as_blessed(path, &show::show(&made(&document(&source), &options(&source), "blessed")));
}

/// Which facts of activity there are.
const BOTH: [bool; 2] = [false, true];

/// The document is executed before and behind the stage, with facts of activity and without as `facts` says. The
/// number of propagators that are made without.
fn check(path: &Path, options: &Options, facts: &[bool], how: &str) -> usize {
    let source = read(path);
    let plain = document(&source);
    let mut count = 0;
    for call in calls(&source) {
        let what = format!("{} {} {how}", path.display(), call.procedure);
        let before = executed(&plain, &call, &what);
        if facts.contains(&false) {
            let behind = made(&plain, options, &what);
            compare(&before, &executed(&behind, &call, &what), tolerance(&source), &what);
            count +=
                behind.stmts.values().filter(|s| matches!(s.kind, StmtKind::Propagate(_))).count();
        }
        if facts.contains(&true) {
            let mut analysed = plain.clone();
            add_activity(&mut analysed, &call.procedure)
                .unwrap_or_else(|found| panic!("{what}: {}", told(&found)));
            let found = executed(&made(&analysed, options, &what), &call, &what);
            compare_with_facts(&analysed, (&before, &found), tolerance(&source), &call, &what);
        }
    }
    count
}

/// What facts say is passive has no derivative that anybody relies on.
fn compare_with_facts(
    doc: &Document,
    (before, behind): (&[Output], &[Output]),
    tolerance: f64,
    call: &Call,
    what: &str,
) {
    let active = |output: &&Output| {
        let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == call.procedure);
        let scope = proc.map(|proc| proc.scope);
        doc.symbols.values().any(|symbol| {
            Some(symbol.scope) == scope
                && symbol.id.eq_ignore_ascii_case(&output.name)
                && symbol.active == Some(true)
        })
    };
    let chosen = |list: &[Output]| list.iter().filter(active).cloned().collect::<Vec<_>>();
    compare(&chosen(before), &chosen(behind), tolerance, what);
}

fn can_be_differentiated(path: &Path) -> bool {
    let text = std::fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
    !text.starts_with("refused")
}

fn as_it_asks(path: &Path) {
    let source = read(path);
    let count = check(path, &options(&source), &BOTH, "as it asks");
    assert!(count > 0 || calls(&source).is_empty(), "{}: no Jacobian", path.display());
}

fn tangents(path: &Path) {
    check(path, &Options::default(), &BOTH, "by default");
    check(path, &Options { per_statement: true, ..Options::default() }, &BOTH, "per statement");
    let scarce = Choice { scarce: true, ..Choice::default() };
    check(path, &Options { choice: scarce, ..Options::default() }, &BOTH, "scarce");
}

/// Every heuristic, with another technique and with or without facts of activity in turn: over all sources each
/// heuristic has each of them, as `place` (that of the source) turns them. With `OXAD_FULL=1` all are tried.
fn every_heuristic(path: &Path, place: usize) {
    let ways = pairs::product(&[TECHNIQUES.len(), BOTH.len()]);
    for (chain, number) in Chain::portfolio().into_iter().zip(place..) {
        let one = number % ways.len();
        let ways = if pairs::is_full() { &ways[..] } else { &ways[one..=one] };
        for way in ways {
            let (technique, facts) = (TECHNIQUES[way[0]], BOTH[way[1]]);
            let how = format!("{} {chain}, facts: {facts}", technique.name());
            let choice = Choice {
                technique: Some(technique),
                heuristic: Some(chain.clone()),
                ..Choice::default()
            };
            check(path, &Options { choice, ..Options::default() }, &[facts], &how);
        }
    }
}

/// Searches give the same whatever they find.
fn search(path: &Path) {
    let best = Choice { best: true, anneal: Some(300), exact: Some(500), ..Choice::default() };
    check(path, &Options { choice: best, ..Options::default() }, &BOTH, "the best");
}
