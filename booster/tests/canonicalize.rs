//! The canonical form of the programs in `canonicalize/`: its text stands beside each
//! (`OXAD_BLESS=1` writes it), the program prints what it printed before, and a second run changes
//! nothing.

use std::fs;
use std::path::{Path, PathBuf};

use fortran_frontend::{source, translate_texts};
use xaif_booster::transform::canonicalize::canonicalize;
use xaif_run::{Request, run};
use xaif_schema::lens::show;
use xaif_schema::model::Document;
use xaif_schema::verify;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/canonicalize");
    let files =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let mut cases: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "f90")).collect();
    cases.sort();
    assert!(cases.len() > 8);
    cases
}

fn document(path: &Path) -> Document {
    let text = fs::read_to_string(path).expect("the source");
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    let translation = translate_texts(&[(name, &text)], &source::Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    translation.document
}

fn printed(doc: &Document, case: &Path) -> String {
    let outcome = run(doc, &Request::default());
    outcome.unwrap_or_else(|found| panic!("{}: {found:?}", case.display())).stdout
}

#[test]
fn each_program_has_the_blessed_form_and_prints_the_same() {
    for case in cases() {
        let mut doc = document(&case);
        let before = printed(&doc, &case);
        assert!(!before.is_empty(), "{}", case.display());
        let warnings = canonicalize(&mut doc).expect("a canonical form");
        assert!(warnings.is_empty(), "{}: {warnings:?}", case.display());
        let found = verify::verify(&doc);
        assert!(found.is_empty(), "{}: {found:?}", case.display());
        assert_eq!(printed(&doc, &case), before, "{}", case.display());
        let text = show::show(&doc);
        let blessed = case.with_extension("txt");
        if std::env::var_os("OXAD_BLESS").is_some() {
            fs::write(&blessed, &text).expect("the blessed text");
        }
        let expected = fs::read_to_string(&blessed).expect("the blessed text");
        assert!(text == expected, "{} differs:\n{text}", blessed.display());
        canonicalize(&mut doc).expect("a canonical form");
        assert_eq!(show::show(&doc), text, "{}: the second time", case.display());
    }
}
