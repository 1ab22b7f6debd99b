//! The pages of the gallery show what oxad writes: a command, the source, the adjoint.
//!
//! `OXAD_BLESS=1` writes the texts into the pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use oxad_tests::programs::{binaries, finish, workspace};

const FENCE: &str = "```";

/// The page with the two blocks of Fortran that belong there.
fn with_blocks(page: &str, blocks: [&str; 2]) -> String {
    let opening = format!("{FENCE}fortran\n");
    let mut parts = page.split(&opening);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (part, block) in parts.zip(blocks) {
        let behind = part.find(FENCE).map_or("", |end| &part[end..]);
        text.push_str(&opening);
        text.push_str(block.trim_end());
        text.push('\n');
        text.push_str(behind);
    }
    text
}

/// The words of the command that makes a page, without the first two.
fn command(page: &str) -> Vec<String> {
    let line = page.lines().find_map(|line| line.strip_prefix("`oxad adjoint "));
    let line = line.expect("a command").trim_end_matches('`');
    line.split_whitespace().map(str::to_owned).collect()
}

fn check(path: &Path) {
    let page = fs::read_to_string(path).expect("a page");
    let words = command(&page);
    let source = &words[0];
    let folder = tempfile::tempdir().expect("a folder");
    let mut oxad = Command::new(binaries().join("oxad"));
    oxad.args(["adjoint", "--no-banner"])
        .args(&words)
        .arg("-o")
        .arg(folder.path())
        .current_dir(workspace());
    let done = finish(oxad, b"").expect("oxad runs");
    assert_eq!(done.status, Some(0), "{}: {}", path.display(), done.err());
    let name = Path::new(source).file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let adjoint = fs::read_to_string(folder.path().join(format!("{name}_b.f90"))).expect("adjoint");
    let original = fs::read_to_string(workspace().join(source)).expect("the source");
    let made = with_blocks(&page, [&original, &adjoint]);
    if std::env::var_os("OXAD_BLESS").is_some() {
        fs::write(path, &made).expect("a page that can be written");
    } else {
        assert!(made == page, "{} shows something else than:\n{made}", path.display());
    }
}

#[test]
fn every_page_shows_what_is_written() {
    let folder = workspace().join("docs/gallery");
    let pages =
        fs::read_dir(folder).expect("the gallery").map(|entry| entry.expect("a page").path());
    let mut count = 0;
    for page in pages.filter(|path| !path.ends_with("README.md")) {
        check(&page);
        count += 1;
    }
    assert!(count >= 3, "the gallery has pages");
}
