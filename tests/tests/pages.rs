//! The pages of the documentation: their links lead somewhere, all of them stand in the book, none is too long.

use std::fs;

use oxad_tests::pages::{broken, links, pages, prose};
use oxad_tests::programs::{tool, workspace};

/// The most words of a page.
const WORDS: usize = 1_500;

/// Pages with a limit of their own.
const LIMITS: [(&str, usize); 2] = [("README.md", 1_200), ("ARCHITECTURE.md", 1_800)];

/// Pages that are made from tables, or grow with the versions and measurements.
const UNLIMITED: [&str; 3] = ["CHANGELOG.md", "docs/codes.md", "docs/intrinsics.md"];

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

/// Pages of measurements and of tables, whose sentences stand in cells.
const REPORTS: [&str; 5] =
    ["docs/elimination", "docs/evidence", "docs/codes.md", "docs/intrinsics.md", "docs/gallery"];

/// The most words of a sentence.
const SENTENCE: usize = 25;

/// The text of a page without blocks of code, tables and headings, a paragraph or item each.
fn paragraphs(page: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in prose(page).lines() {
        let text = line.trim_start();
        let item = text.starts_with("- ")
            || text
                .split_once(". ")
                .is_some_and(|(number, _)| number.chars().all(|c| c.is_ascii_digit()));
        let skipped = line.starts_with("    ") || text.starts_with('|') || text.starts_with('#');
        if item || skipped || text.is_empty() {
            found.push(String::new());
        }
        if let Some(last) = found.last_mut()
            && !skipped
        {
            last.push_str(text);
            last.push(' ');
        }
    }
    found
}

#[test]
fn sentences_are_short() {
    let mut long = Vec::new();
    for page in pages() {
        if REPORTS.iter().any(|report| page.starts_with(report)) {
            continue;
        }
        for paragraph in paragraphs(&text(&page)) {
            let ends = |c: char| ['.', ':', ';', '?'].contains(&c);
            let mut words = 0;
            for word in paragraph.split_whitespace() {
                words += 1;
                if word.trim_end_matches(')').ends_with(ends) {
                    words = 0;
                } else if words > SENTENCE {
                    long.push(format!("{page}: {paragraph}"));
                    break;
                }
            }
        }
    }
    assert!(long.is_empty(), "sentences of more than {SENTENCE} words:\n{}", long.join("\n"));
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

/// The rows of the tables of the dialect's elements: names, and all words in the row and before its table that may be
/// attributes.
fn elements() -> Vec<(Vec<String>, String)> {
    let page = text("docs/dialect-elements.md");
    let sections: Vec<&str> = page.split("\n## ").collect();
    let (intro, sections) = sections.split_first().expect("sections");
    let mut found = Vec::new();
    for section in sections {
        // A table of roles belongs to the element before it.
        let roles = section.split("Roles of").nth(1).unwrap_or_default();
        let before = section.split("\n|").next().unwrap_or_default();
        for row in section.lines().filter(|line| line.starts_with("| `ox:")) {
            let first = row.split(" | ").next().unwrap_or_default();
            let names: Vec<String> = first
                .split('`')
                .filter_map(|word| word.strip_prefix("ox:"))
                .map(str::to_owned)
                .collect();
            let reference = if row.contains("Reference") { *intro } else { "" };
            let roles = if names.iter().any(|name| name == "Decl") { roles } else { "" };
            found.push((names, format!("{row} {before} {reference} {roles}")));
        }
    }
    found
}

/// The elements of our own in a document: names and attributes.
fn own_elements(document: &str) -> Vec<(String, Vec<String>)> {
    let tag = |text: &str| {
        let text = text.split('>').next().unwrap_or_default();
        let name = text.split([' ', '/']).next().unwrap_or_default().to_owned();
        // Names stand before values, which stand between quotes.
        let names = text.split('"').step_by(2).filter_map(|part| part.trim().strip_suffix('='));
        (name, names.map(|name| name.rsplit(' ').next().unwrap_or_default().to_owned()).collect())
    };
    document.split("<ox:").skip(1).map(tag).collect()
}

#[test]
fn the_page_of_elements_has_every_element_and_attribute_of_documents() {
    let rows = elements();
    let row = |name: &str| {
        let found = rows.iter().find(|(names, _)| names.iter().any(|one| one == name));
        found.map(|(_, row)| row.as_str()).unwrap_or_default()
    };
    let schema = text("schema/oxad.xsd");
    let names = schema.split("element name=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let lost: Vec<&str> = names.filter(|name| row(name).is_empty()).collect();
    assert!(lost.is_empty(), "no row: {lost:?}");
    let mut lost = std::collections::BTreeSet::new();
    let mut count = 0;
    for folder in ["tests/cases/roundtrip", "booster/tests/both"] {
        let entries = fs::read_dir(workspace().join(folder)).expect("the folder").flatten();
        let sources = entries.map(|entry| entry.path());
        let is_source = |path: &std::path::PathBuf| {
            path.extension().is_some_and(|one| one == "f90" || one == "f")
        };
        for source in sources.filter(is_source) {
            let read = tool("f2xaif", &[&source], workspace(), b"");
            for (name, attributes) in own_elements(&read.out()) {
                count += 1;
                let wanted = |attribute: &String| !row(&name).contains(&format!("`{attribute}`"));
                lost.extend(
                    attributes.into_iter().filter(wanted).map(|one| format!("{name} {one}")),
                );
            }
        }
    }
    assert!(count > 1_000, "{count}");
    assert!(lost.is_empty(), "attributes that the page does not have: {lost:?}");
}
