//! Every command of the README and of the pages in `docs` is run, and prints the text that the page shows.
//!
//! Commands stand in `console` blocks and run one after the other in a folder that holds `examples`
//! and `scripts`; set-up commands of the README stand in `sh` blocks and must be those that scripts/demo runs;
//! `recipes.rs` holds those of docs/build.md. `OXAD_BLESS=1` writes the printed
//! text into the page, where the page does not shorten it.

use std::fs;
use std::path::Path;
use std::process::Command;

use oxad_tests::console::{Shown, commands, matches};
use oxad_tests::programs::{Finished, binaries, example, finish, workspace};

/// The pages with commands, but those that a test of their own holds.
const PAGES: [&str; 20] = [
    "README.md",
    "docs/c.md",
    "docs/tutorial.md",
    "ARCHITECTURE.md",
    "docs/design/activity.md",
    "docs/design/calls.md",
    "docs/design/checkpoints.md",
    "docs/design/liveness.md",
    "docs/design/local-jacobians.md",
    "docs/design/pointers.md",
    "docs/design/recovery.md",
    "docs/design/storage.md",
    "docs/design/tbr.md",
    "docs/design/units.md",
    "docs/batch.md",
    "docs/messages.md",
    "docs/own-stages.md",
    "docs/passes.md",
    "docs/pipeline.md",
    "docs/second.md",
];

/// Pages with commands that `elimination.rs` holds.
const HELD_ELSEWHERE: [&str; 1] = ["docs/elimination/pictures.md"];

pub(crate) fn text(page: &str) -> String {
    fs::read_to_string(workspace().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// A folder in which the commands find what they name.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["examples", "scripts"] {
        let from = workspace().join(name);
        let copied = Command::new("cp").arg("-r").arg(from).arg(folder.path()).status();
        assert!(copied.is_ok_and(|status| status.success()), "{name} is copied");
    }
    folder
}

pub(crate) fn bash(command: &str, folder: &Path) -> Finished {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{}:{path}", binaries().display(), example().display()));
    finish(bash, b"").expect("bash runs")
}

/// Runs the commands of a page, one after the other in one folder.
fn run(name: &str) {
    let mut page = text(name);
    let folder = folder();
    let shown = commands(&page);
    assert!(!shown.is_empty(), "{name} has commands");
    let mut wrong = Vec::new();
    for Shown { line, command, output } in shown {
        let printed = bash(&command, folder.path()).out();
        if matches(&output, &printed) {
            continue;
        }
        if std::env::var_os("OXAD_BLESS").is_some() && !output.lines().any(|line| line == "...") {
            let block = format!("$ {command}\n{output}");
            page = page.replacen(&block, &format!("$ {command}\n{printed}"), 1);
        } else {
            wrong.push(format!(
                "{name}:{line}: {command}\n--- shown\n{output}--- printed\n{printed}"
            ));
        }
    }
    if std::env::var_os("OXAD_BLESS").is_some() {
        fs::write(workspace().join(name), page).expect("a page that can be written");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_of_the_readme_prints_the_shown_text() {
    run("README.md");
}

#[test]
fn every_command_of_the_tutorial_prints_the_shown_text() {
    run("docs/tutorial.md");
}

#[test]
fn every_command_of_the_page_for_developers_prints_the_shown_text() {
    run("ARCHITECTURE.md");
}

#[test]
fn every_command_of_the_design_pages_prints_the_shown_text() {
    PAGES.iter().filter(|page| page.starts_with("docs/design/")).for_each(|page| run(page));
}

#[test]
fn every_command_of_the_other_pages_prints_the_shown_text() {
    for page in &PAGES[12..] {
        run(page);
    }
}

#[test]
fn every_page_with_commands_is_run() {
    let pages = oxad_tests::pages::pages();
    let with_commands =
        pages.iter().filter(|page| !commands(&text(page)).is_empty()).map(String::as_str);
    let mut listed = [&PAGES[..], &HELD_ELSEWHERE].concat();
    listed.sort_unstable();
    assert_eq!(with_commands.collect::<Vec<_>>(), listed);
}

/// The lines of the blocks of `page` that open with ```` ```language ````, a string a block.
pub(crate) fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence)
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn set_up_commands_are_those_that_the_scripts_run() {
    let mut run = fs::read_to_string(workspace().join("scripts/demo")).expect("scripts/demo");
    run.push_str(&fs::read_to_string(workspace().join("scripts/test")).expect("scripts/test"));
    let blocks = blocks(&text("README.md"), "sh");
    assert!(!blocks.is_empty(), "the page has set-up commands");
    for command in blocks.iter().flat_map(|block| block.lines()) {
        assert!(run.lines().any(|line| line.ends_with(command)), "no script runs '{command}'");
    }
}
