//! The pages of the documentation: their links lead somewhere, all of them stand in the book, none is too long.

use std::fs;

use oxad_tests::pages::{broken, links, pages};
use oxad_tests::programs::workspace;

/// The most words of a page.
const WORDS: usize = 1_500;

/// Pages with a limit of their own.
const LIMITS: [(&str, usize); 2] = [("README.md", 1_200), ("ARCHITECTURE.md", 1_800)];

/// Pages that are made from tables, or grow with the versions and measurements.
const UNLIMITED: [&str; 5] = [
    "CHANGELOG.md",
    "docs/codes.md",
    "docs/elimination.md",
    "docs/evidence.md",
    "docs/intrinsics.md",
];

fn text(page: &str) -> String {
    fs::read_to_string(workspace().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

#[test]
fn links_between_pages_lead_to_files_and_headings() {
    let pages = pages();
    assert!(pages.len() > 15, "{pages:?}");
    let wrong: Vec<String> = pages
        .iter()
        .filter_map(|page| broken(page, &text(page)).map(|link| format!("{page}: {link}")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_summary_of_the_book_has_every_page_once() {
    let mut listed = links(&text("docs/SUMMARY.md"));
    listed.sort();
    let pages = pages();
    let pages = pages.iter().filter_map(|page| page.strip_prefix("docs/"));
    let mut pages: Vec<&str> = pages.filter(|page| *page != "SUMMARY.md").collect();
    pages.sort_unstable();
    assert_eq!(listed, pages);
}

#[test]
fn no_page_is_too_long() {
    let count = |page: &String| text(page).split_whitespace().count();
    let limit = |page: &String| {
        let own = LIMITS.iter().find(|(name, _)| page == name).map(|(_, limit)| *limit);
        own.unwrap_or(WORDS)
    };
    let wrong: Vec<String> = pages()
        .iter()
        .filter(|page| !UNLIMITED.contains(&page.as_str()) && count(page) > limit(page))
        .map(|page| format!("{page} has {} words, more than {}", count(page), limit(page)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_is_built_without_warnings_where_mdbook_is_installed() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = std::process::Command::new("mdbook")
        .args(["build", "docs", "--dest-dir"])
        .arg(folder.path())
        .current_dir(workspace())
        .output();
    // CI installs no mdbook; the other tests of this file hold the structure of the book.
    let Ok(built) = built else { return };
    let told = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success() && !told.contains("WARN") && !told.contains("ERROR"), "{told}");
}

#[test]
fn the_page_of_the_dialect_names_every_element_of_the_schema() {
    let schema = text("schema/oxad.xsd");
    let page = text("docs/dialect.md");
    let names: Vec<&str> =
        schema.split("element name=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 20, "the schema has elements");
    for name in names {
        assert!(page.contains(&format!("`ox:{name}`")), "docs/dialect.md does not name ox:{name}");
    }
}
