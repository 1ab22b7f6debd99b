//! Tells the crate the revision of its sources, as far as a folder of git stands around them.
//!
//! No program is called and no crate is needed: the revision stands in text files. Without git it is empty.

use std::fs;
use std::path::{Path, PathBuf};

/// Digits of a revision that are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let revision = revision(&root).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let shown = match revision.get(..DIGITS) {
        Some(digits) => format!("{version} ({digits})"),
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=OXAD_VERSION={shown}");
}

/// The revision that is checked out in `root`.
fn revision(root: &Path) -> Option<String> {
    let folder = git_folder(root)?;
    let head = watched(&folder.join("HEAD"))?;
    // A commit may make the file of a branch that stood among the packed ones before: the log grows in any case.
    let _ = watched(&folder.join("logs/HEAD"));
    let Some(name) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    // The branches of a worktree stand in the folder that it shares with others.
    let shared = match fs::read_to_string(folder.join("commondir")) {
        Ok(path) => folder.join(path.trim()),
        Err(_) => folder,
    };
    if let Some(found) = watched(&shared.join(name)) {
        return Some(found.trim().to_owned());
    }
    let packed = watched(&shared.join("packed-refs"))?;
    let line = packed.lines().find(|line| line.split(' ').nth(1) == Some(name))?;
    line.split(' ').next().map(str::to_owned)
}

/// The folder of git: `.git`, or the folder that the file `.git` of a worktree names.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(git).ok()?;
    let named = text.trim().strip_prefix("gitdir: ")?;
    Some(root.join(named))
}

/// The text of a file; Cargo runs this program again when the file changes.
fn watched(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    Some(text)
}
