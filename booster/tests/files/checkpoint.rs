//! Loops with checkpoints: the text of each program in `checkpoint/` stands beside it (`OXAD_BLESS=1` writes it), the
//! program prints what it printed before, and a second run changes nothing.

use std::path::Path;

use booster_tests::trials::each;
use booster_tests::{as_blessed, document, read, sources, told, verified};
use libtest_mimic::Trial;
use xaif_booster::transform::checkpoint::checkpoint;
use xaif_run::{Request, run};
use xaif_schema::inspect::show;
use xaif_schema::model::Document;

pub(crate) fn trials() -> Vec<Trial> {
    each("checkpoint::executed", sources("checkpoint"), executed)
}

fn printed(doc: &Document) -> String {
    run(doc, &Request::default()).unwrap_or_else(|found| panic!("{}", told(&found))).stdout
}

fn executed(path: &Path) {
    let mut doc = document(&read(path));
    let before = printed(&doc);
    assert!(!before.is_empty(), "it prints nothing");
    let warnings = checkpoint(&mut doc).expect("procedures");
    assert!(warnings.is_empty(), "{}", told(&warnings));
    verified(&doc);
    assert_eq!(printed(&doc), before);
    let text = show::show(&doc);
    as_blessed(path, &text);
    checkpoint(&mut doc).expect("procedures");
    assert_eq!(show::show(&doc), text, "the second time");
}
