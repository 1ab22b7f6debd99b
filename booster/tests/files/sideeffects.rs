//! `xaif-sideeffects` on small programs: each source in `sideeffects/` has the page of its facts
//! and the document with the facts beside it. `OXAD_BLESS=1` writes them anew.

use booster_tests::trials::each;
use booster_tests::{as_blessed, document, read, sources};
use libtest_mimic::Trial;
use xaif_booster::analysis::side_effects::{SideEffects, print, record};
use xaif_booster::analysis::{Accesses, Bodies, Storage};
use xaif_booster::externals::Externals;
use xaif_schema::inspect::show::{ShowOptions, show_with};
use xaif_schema::{verify, xml};

pub(crate) fn trials() -> Vec<Trial> {
    each("sideeffects::facts", sources("sideeffects"), |path| {
        as_blessed(path, &facts(&read(path)));
    })
}

/// The page and the document with its facts.
fn facts(text: &str) -> String {
    let mut doc = document(text);
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let bodies = Bodies::new(&accesses);
    let externals = Externals::new();
    let effects = SideEffects::new(&accesses, &bodies, &externals);
    let page = print::print(&doc, &storage, &bodies, &effects);
    record::Facts::new(&accesses, &bodies, &externals, &effects).record(&mut doc);
    assert!(!verify::verify(&doc).has_errors(), "{:?}", verify::verify(&doc));
    let options = ShowOptions { keys: true, comments: false, ..ShowOptions::default() };
    let shown = show_with(&doc, &options);

    let mut bytes = Vec::new();
    xml::write(&doc, &mut bytes).expect("writable");
    let again = xml::read(&bytes, "again").expect("readable");
    assert_eq!(show_with(&again, &options), shown, "nothing is lost in the XML");

    record::forget(&mut doc);
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, &externals);
    assert_eq!(print::print(&doc, &storage, &bodies, &effects), page, "facts change no facts");
    format!("{page}\n{shown}")
}
