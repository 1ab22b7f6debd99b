//! `xaif-sideeffects` on small programs: each source in `sideeffects/` has the page of its facts
//! and the document with the facts beside it. `OXAD_BLESS=1` writes them anew.

use std::fs;
use std::path::Path;

use fortran_frontend::{source, translate_texts};
use xaif_booster::analysis::side_effects::{SideEffects, print, record};
use xaif_booster::analysis::{Accesses, Bodies, Storage};
use xaif_booster::externals::Externals;
use xaif_schema::lens::show::{ShowOptions, show_with};
use xaif_schema::model::StageRun;
use xaif_schema::{verify, xml};

/// The page and the document with its facts.
fn facts(text: &str) -> String {
    let translation = translate_texts(&[("test.f90", text)], &source::Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let mut doc = translation.document;
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

#[test]
fn facts_are_as_blessed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sideeffects");
    let mut sources: Vec<_> = fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "f90"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 6);
    let mut wrong = Vec::new();
    for source in sources {
        let found = facts(&fs::read_to_string(&source).expect("the source"));
        let blessed = source.with_extension("txt");
        if std::env::var_os("OXAD_BLESS").is_some() {
            fs::write(&blessed, &found).expect("writable");
        } else if fs::read_to_string(&blessed).ok().as_deref() != Some(found.as_str()) {
            wrong.push(format!("{}\n{found}", source.display()));
        }
    }
    assert!(wrong.is_empty(), "not as blessed:\n{}", wrong.join("\n"));
}

#[test]
fn a_genuine_document_with_facts_is_still_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../xaif-schema/tests");
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
