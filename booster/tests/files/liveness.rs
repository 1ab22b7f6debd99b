//! Adjoint liveness: for each program in `liveness/` the facts that are found, and the adjoint that is made with them,
//! stand beside it. `adjoint::executed` holds that the numbers are right.
//!
//! Comments at the beginning of a program: `! activity head=… independent=… dependent=…` finds the facts of activity,
//! `! why x@12` asks for an explanation, `! joint` splits no call. `OXAD_BLESS=1` writes the texts anew.

use std::path::Path;

use booster_tests::trials::each;
use booster_tests::{
    activity_options, as_blessed, document, printed, read, reread, sources, told, told_at_top,
    verified,
};
use libtest_mimic::Trial;
use xaif_booster::analysis::activity::activity;
use xaif_booster::analysis::liveness::{Liveness, liveness};
use xaif_booster::analysis::tbr::tbr;
use xaif_booster::analysis::{Accesses, Storage};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::adjoint::{Modes, Options, adjoint};

pub(crate) fn trials() -> Vec<Trial> {
    each("liveness::facts", sources("liveness"), checked)
}

/// The facts and the adjoint are as blessed; the facts are the same when they are found again and when they are read.
fn checked(path: &Path) {
    let source = read(path);
    let (externals, catalogue) = (Externals::new(), Catalogue::standard());
    let auto_split = !source.starts_with("! joint\n");
    let modes = Modes { auto_split, ..Modes::default() };
    let mut doc = document(&source);
    for words in source.lines().filter_map(|line| line.strip_prefix("! activity ")) {
        activity(&mut doc, &activity_options(words), &externals).expect("heads");
    }
    prepare(&mut doc).expect("a canonical form");
    let text = {
        let storage = Storage::new(&doc);
        let accesses = Accesses::new(&doc, &storage);
        let found = Liveness::new(&accesses, &externals, &catalogue, &modes);
        let mut text = found.print();
        for question in told_at_top(&source, "why").into_iter().flat_map(str::split_whitespace) {
            text += "\n";
            text += &found.why(question).unwrap_or_else(|messages| told(&messages));
        }
        text
    };
    liveness(&mut doc, &externals, &catalogue, &modes);
    let facts = |doc: &_| format!("{:?}", Vec::from_iter(dead(doc)));
    let (once, read_again) = (facts(&doc), facts(&reread(&doc)));
    assert_eq!(once, read_again);
    liveness(&mut doc, &externals, &catalogue, &modes);
    assert_eq!(once, facts(&doc));
    tbr(&mut doc, &externals, &catalogue, &modes);
    let options = Options { modes, ..Options::default() };
    adjoint(&mut doc, &options).expect("an adjoint");
    verified(&doc);
    as_blessed(path, &format!("{text}\n{}", printed(&doc)));
}

fn dead(doc: &xaif_schema::model::Document) -> impl Iterator<Item = usize> {
    let stmts = doc.stmts.values().enumerate();
    stmts.filter(|(_, stmt)| !stmt.adjoint_live).map(|(number, _)| number)
}
