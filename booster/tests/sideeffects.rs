//! `xaif-sideeffects` on XAIF 1.0 documents and with specifications. `files/sideeffects.rs` checks all sources.

use std::fs;

use fortran_frontend::{source, translate_texts};
use xaif_booster::analysis::side_effects::{SideEffects, print, record};
use xaif_booster::analysis::{Accesses, Bodies, Storage};
use xaif_booster::externals::Externals;
use xaif_schema::model::StageRun;
use xaif_schema::{verify, xml};

#[test]
fn a_genuine_document_with_facts_is_still_one() {
    let folder = booster_tests::folder().join("../../xaif-schema/tests");
    for name in ["data/genuine.xaif", "lenses/selection_with_a_jump.xaif"] {
        let bytes = fs::read(folder.join(name)).expect("the document");
        let mut doc = xml::read(&bytes, name).expect("readable");
        let storage = Storage::new(&doc);
        let accesses = Accesses::new(&doc, &storage);
        let bodies = Bodies::new(&accesses);
        let externals = Externals::new();
        let effects = SideEffects::new(&accesses, &bodies, &externals);
        let given = doc.du_ud.clone();
        record::Facts::new(&accesses, &bodies, &externals, &effects).record(&mut doc);
        // Who made it saw more of the program than it shows.
        assert!(given.sets.is_empty() || doc.du_ud == given, "{name}");
        doc.history.push(StageRun {
            stage: "xaif-sideeffects".into(),
            version: "0".into(),
            options: String::new(),
        });
        let mut bytes = Vec::new();
        xml::write(&doc, &mut bytes).expect("writable");
        let again = xml::read(&bytes, name).expect("readable");
        // The rules that only our front-ends keep are not asked of it.
        assert!(!verify::verify(&again).has_errors(), "{name}: {:?}", verify::verify(&again));
    }
}

#[test]
fn a_specification_is_believed() {
    let text = "
subroutine s(x, y)
  real x, y, g
  common /c/ g
  external ext
  call ext(x, y)
  y = y + g
end subroutine";
    let specification = "
[procedure.ext]
arguments = [
  { name = \"a\", access = \"read\" },
  { name = \"b\", access = \"write\", depends = [\"a\"] },
]
pure = true
";
    let translation = translate_texts(&[("test.f90", text)], &source::Options::default());
    let doc = translation.document;
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let bodies = Bodies::new(&accesses);
    let page = |externals: &Externals| {
        let effects = SideEffects::new(&accesses, &bodies, externals);
        print::print(&doc, &storage, &bodies, &effects)
    };
    let told = page(&Externals::parse("ext.toml", specification).expect("a specification"));
    assert!(told.contains("in         x, g\n"), "{told}");
    assert!(told.contains("kill       y\n") && !told.contains("everything global"), "{told}");
    let untold = page(&Externals::new());
    assert!(untold.contains("kill       y\n") && untold.contains("everything global"), "{untold}");
    assert!(untold.contains("out        x, y, g\n"), "{untold}");
}
