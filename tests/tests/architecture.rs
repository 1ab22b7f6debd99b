//! The invariants of ARCHITECTURE.md, each marked **Invariant** there and named here.
//!
//! Most are absences, found by looking at the text of the sources outside their `#[cfg(test)]`
//! parts, and at the dependencies that Cargo reports.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oxad_tests::programs::{tool, workspace};

/// The crates of the workspace from the document upwards. A crate uses crates of lower layers only.
const LAYERS: &[&[&str]] = &[
    &["xaif-schema", "elimination"],
    &["xaif-cli", "backend-flow"],
    &[
        "booster-flow",
        "booster-passes",
        "booster-rules",
        "c-frontend",
        "c-backend",
        "fortran-frontend",
        "fortran-backend",
        "xaif-run",
    ],
    &["booster-build"],
    &["booster-reversal", "booster-facts", "booster-linearize"],
    &["booster-shadow"],
    &["booster-canonical", "booster-checkpoint"],
    &["booster-tangent", "booster-preaccumulate"],
    &["booster-adjoint"],
    &["xaif-booster"],
    &["booster-tests", "oxad"],
    &["oxad-tests"],
];

/// The only users of these crates. The ends of the pipeline and the interpreter know no stage, and no stage knows them.
const USED_BY: &[(&str, &[&str])] = &[
    ("elimination", &["booster-preaccumulate", "xaif-booster", "booster-tests", "oxad-tests"]),
    ("c-frontend", &["oxad"]),
    ("c-backend", &["oxad"]),
    ("backend-flow", &["c-backend", "fortran-backend"]),
    ("fortran-frontend", &["oxad", "booster-tests", "oxad-tests"]),
    ("fortran-backend", &["oxad", "booster-tests", "oxad-tests"]),
    ("xaif-run", &["oxad", "booster-tests", "oxad-tests"]),
    ("xaif-booster", &["oxad", "booster-tests", "oxad-tests"]),
];

/// The folders of the crates.
const MEMBERS: [&str; 9] = [
    "xaif-schema",
    "xaif-cli",
    "elimination",
    "booster",
    "xaif-run",
    "frontends",
    "backends",
    "oxad",
    "tests",
];

/// Longest source file, tests included.
const LONGEST_FILE: usize = 1100;

/// The enums of which every new variant must be looked at wherever they are matched.
const MATCHED_WHOLE: &[&str] = &["StmtKind", "ExprKind"];

struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The text without comments and without what follows `#[cfg(test)]`.
    fn code(&self) -> String {
        let end = self.text.find("#[cfg(test)]").unwrap_or(self.text.len());
        let lines = self.text[..end].lines();
        lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    }
}

/// The files under `folder` that git knows or would know, with the extension `extension`.
fn files(folder: &str, extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&workspace().join(folder), extension, &mut found);
    assert!(!found.is_empty(), "no sources in {folder}");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path: PathBuf = entry.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with(".git") {
                collect(&path, extension, found);
            }
        } else if path.extension().is_some_and(|e| e == extension)
            && let Ok(text) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(workspace()).unwrap_or(&path);
            found.push(Source { path: path.display().to_string(), text });
        }
    }
}

/// The sources of all crates but the tests crate, without their own test programs.
fn sources() -> Vec<Source> {
    let all = MEMBERS.iter().filter(|folder| **folder != "tests");
    all.flat_map(|folder| files(folder, "rs"))
        .filter(|source| source.path.contains("/src/") && !is_test(&source.path))
        .collect()
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs") || path.ends_with("_tests.rs")
}

/// Lines of code in `sources` that hold one of `words`.
fn mentions(sources: &[Source], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        for line in source.code().lines() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}: {}", source.path, line.trim()));
            }
        }
    }
    found
}

fn assert_none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}\n{}", found.join("\n"));
}

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

#[test]
fn dependencies_point_towards_the_document() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let layer = |name: &str| {
        let found = LAYERS.iter().position(|layer| layer.contains(&name));
        found.unwrap_or_else(|| panic!("{name} is in no layer"))
    };
    for package in packages {
        let name = package["name"].as_str().expect("name");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            // Only Cargo's rule against cycles restricts what tests use.
            if dependency["path"].is_null() || dependency["kind"] == "dev" {
                continue;
            }
            let used = dependency["name"].as_str().expect("name");
            assert!(layer(used) < layer(name), "{name} may not use {used}, which is not below it");
            let users = USED_BY.iter().find(|(crate_name, _)| *crate_name == used);
            assert!(
                users.is_none_or(|(_, users)| users.contains(&name)),
                "{name} may not use {used}"
            );
        }
    }
    let listed = LAYERS.iter().map(|layer| layer.len()).sum::<usize>();
    assert_eq!(packages.len(), listed, "LAYERS lists every crate once");
}

#[test]
fn only_the_schema_knows_xml() {
    let others: Vec<Source> = sources()
        .into_iter()
        .filter(|source| !source.path.starts_with("xaif-schema/src/xml"))
        .collect();
    assert_none(&mentions(&others, &["quick_xml"]), "quick_xml outside xaif-schema/src/xml");
    let manifests: Vec<String> = files("", "toml")
        .into_iter()
        .filter(|file| file.path.ends_with("/Cargo.toml") && file.text.contains("quick-xml"))
        .map(|file| file.path)
        .collect();
    assert_eq!(manifests, ["xaif-schema/Cargo.toml"]);
}

#[test]
fn parents_of_scopes_change_where_the_nest_learns_of_it() {
    let others: Vec<Source> = sources()
        .into_iter()
        .filter(|source| source.path != "xaif-schema/src/model/nest.rs")
        .filter(|source| source.path != "xaif-schema/src/xml/read/scope.rs")
        .filter(|source| !source.path.starts_with("xaif-run/"))
        .collect();
    let words = [".parent = ", ".parent.replace(", ".parent.take("];
    assert_none(&mentions(&others, &words), "a scope gets a parent beside Document::set_parent");
}

#[test]
fn no_stage_reads_an_environment_variable() {
    assert_none(&mentions(&sources(), &["env::var", "env::vars"]), "an environment variable");
}

#[test]
fn no_code_is_unsafe() {
    // The lint forbids it where it is on; this holds that it is on everywhere.
    let manifests = files("", "toml");
    for member in manifests.iter().filter(|file| file.path.ends_with("/Cargo.toml")) {
        assert!(
            member.text.contains("[lints]\nworkspace = true"),
            "{} does not take the lints of the workspace",
            member.path
        );
    }
    let top = manifests.iter().find(|file| file.path == "Cargo.toml").expect("Cargo.toml");
    assert!(top.text.contains("unsafe_code = \"forbid\""));
}

#[test]
fn nothing_that_input_can_reach_panics_by_name() {
    let words = [".unwrap()", "panic!(", "todo!(", "unimplemented!("];
    assert_none(&mentions(&sources(), &words), "a panic outside tests");
}

#[test]
fn the_booster_does_no_input_or_output() {
    let booster: Vec<Source> = sources()
        .into_iter()
        .filter(|source| source.path.starts_with("booster/"))
        .filter(|source| !source.path.starts_with("booster/src/programs"))
        .collect();
    let words = ["std::fs", "std::io", "println!(", "eprintln!(", "print!(", "std::process"];
    assert_none(&mentions(&booster, &words), "input or output in the booster");
}

/// What `cargo tree` tells of the packages that are compiled for `selected`: name, version and features.
fn compiled_for(selected: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--prefix",
            "none",
            "--edges",
            "normal,dev",
            "--format",
            "{p} {f}",
        ])
        .args(selected)
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // A package is marked where it is told before; a macro of a compiler is another program.
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.filter(|line| !line.contains("(proc-macro)")).map(str::to_owned).collect()
}

#[test]
fn the_library_needs_no_command_line() {
    let library =
        compiled_for(&["--package", "oxad", "--no-default-features", "--edges", "normal"]);
    assert!(library.iter().any(|package| package.starts_with("xaif-booster ")), "{library:?}");
    let cli: Vec<&String> = library
        .iter()
        .filter(|package| package.starts_with("clap") || package.starts_with("xaif-cli "))
        .collect();
    assert!(cli.is_empty(), "{cli:?}");
}

/// Nothing is compiled twice when the next command names other packages.
#[test]
fn features_are_the_same_whatever_packages_are_built() {
    let all = compiled_for(&["--workspace"]);
    let metadata = metadata();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("name");
        let own = compiled_for(&["--package", name]);
        assert!(own.len() > 10, "{name}: {own:?}");
        let other: Vec<&String> = own.difference(&all).collect();
        assert!(other.is_empty(), "with other features for -p {name}: {other:?}");
    }
}

/// A crate whose unit tests Cargo does not run has none.
#[test]
fn every_unit_test_is_run() {
    let manifests = files("", "toml");
    let skipped = manifests.iter().filter(|file| {
        let library = file.text.split("[lib]").nth(1).unwrap_or_default();
        let library = library.split("\n[").next().unwrap_or_default();
        // The files of a program without a library are tested with the program only.
        let folder = workspace().join(file.path.trim_end_matches("Cargo.toml"));
        let program = !folder.join("src/lib.rs").exists()
            && file.text.contains("[[bin]]")
            && file.text.contains("\ntest = false");
        file.path.ends_with("/Cargo.toml") && (library.contains("\ntest = false") || program)
    });
    let folders: Vec<String> = skipped
        .filter_map(|file| file.path.strip_suffix("Cargo.toml"))
        .map(|folder| match folder {
            "booster/tests/" => format!("{folder}harness"),
            _ => format!("{folder}src"),
        })
        .collect();
    assert!(folders.len() > 5, "crates of the booster have their tests in one package");
    let lost: Vec<String> = folders
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|source| source.text.contains("#[test]") || source.text.contains("cfg(test)"))
        .map(|source| source.path)
        .collect();
    assert_none(&lost, "unit tests that nobody runs");
}

#[test]
fn files_stay_short() {
    let long: Vec<String> = MEMBERS
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .map(|source| (source.text.lines().count(), source.path))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert_none(&long, "files that hold more than one idea");
}

/// Crates whose folders build on each other: the folders of `src`, each of which uses those before it. What stands
/// beside the folders (`body`, `passes`) is used by all of them or uses all.
const FOLDERS: &[(&str, &[&str])] = &[(
    "booster/adjoint/src",
    &[
        "queries",
        "call_modes",
        "liveness",
        "tbr",
        "loops",
        "recovery",
        "calls",
        "statements",
        "cleanup",
    ],
)];

#[test]
fn folders_of_a_crate_point_one_way() {
    let mut found = Vec::new();
    for (root, order) in FOLDERS {
        for (position, folder) in order.iter().enumerate() {
            let sources = files(&format!("{root}/{folder}"), "rs");
            assert!(!sources.is_empty(), "{root}/{folder}");
            for source in sources {
                let code = source.code();
                let above = order[position + 1..].iter();
                let used = above.filter(|other| code.contains(&format!("crate::{other}::")));
                found.extend(used.map(|other| format!("{} uses {other}", source.path)));
            }
        }
    }
    assert_none(&found, "folders that use folders above them");
}

#[test]
fn every_file_opens_with_what_it_does() {
    let bare: Vec<String> = MEMBERS
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|source| !source.text.starts_with("//!"))
        .map(|source| source.path)
        .collect();
    assert_none(&bare, "files without a line that says what they do");
}

#[test]
fn every_file_of_tests_is_run() {
    let roots = MEMBERS.iter().flat_map(|folder| files(folder, "rs"));
    let is_root = |path: &str| path.ends_with("tests/all.rs") || path.ends_with("files/main.rs");
    let roots: Vec<Source> = roots.filter(|source| is_root(&source.path)).collect();
    assert!(roots.len() >= 8, "the crates have their tests in one program each");
    let forgotten: Vec<String> = roots
        .iter()
        .flat_map(|root| {
            let folder = workspace().join(&root.path);
            let folder = folder.parent().expect("a file is in a folder");
            let beside = fs::read_dir(folder).expect("the folder").flatten();
            let names = beside.filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                name.strip_suffix(".rs").map(str::to_owned)
            });
            let names = names.filter(|name| {
                name != "all"
                    && name != "main"
                    && !root.text.lines().any(|line| line == format!("mod {name};"))
            });
            names.map(|name| format!("{name} in {}", root.path)).collect::<Vec<_>>()
        })
        .collect();
    assert_none(&forgotten, "tests that do not run");
}

/// The body of every `match` in `code` that tells variants of `kind` apart: one arm for one variant
/// is a question, which any other variant answers with no.
fn arms_of<'a>(code: &'a str, kind: &str) -> Vec<&'a str> {
    let mut bodies = Vec::new();
    for (at, _) in code.match_indices("match ") {
        let Some(open) = code[at..].find(" {\n").map(|offset| at + offset + 2) else { continue };
        let line_start = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let indent = code[line_start..].len() - code[line_start..].trim_start().len();
        let end = format!("\n{}}}", " ".repeat(indent));
        let Some(close) = code[open..].find(&end).map(|offset| open + offset) else { continue };
        let body = &code[open..close];
        let arm = format!("\n{}{kind}::", " ".repeat(indent + 4));
        if body.matches(&arm).count() > 1 {
            bodies.push(body);
        }
    }
    bodies
}

#[test]
fn matches_over_statements_and_expressions_have_no_wildcard() {
    let mut found = Vec::new();
    for source in sources() {
        let code = source.code();
        for kind in MATCHED_WHOLE {
            for body in arms_of(&code, kind) {
                let first = body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                let indent = first.len() - first.trim_start().len();
                let wildcard = format!("\n{}_ ", " ".repeat(indent));
                if body.contains(&wildcard) {
                    found.push(format!("{}: a match over {kind} with `_`", source.path));
                }
            }
        }
    }
    assert_none(&found, "a new kind must be a compile error, not a silently wrong answer");
}

/// The binaries of the workspace.
fn binaries() -> Vec<String> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let targets = packages.iter().flat_map(|package| package["targets"].as_array()).flatten();
    targets
        .filter(|target| target["kind"][0] == "bin")
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn every_binary_explains_itself() {
    for name in binaries() {
        let help = tool(&name, &["--help"], workspace(), b"");
        assert_eq!(help.status, Some(0), "{name} --help");
        assert!(help.stderr.is_empty(), "{name} --help");
        assert!(help.out().contains("Usage: "), "{name} --help");
        let version = tool(&name, &["--version"], workspace(), b"");
        assert_eq!(version.status, Some(0), "{name} --version");
        assert!(version.out().starts_with(&format!("{name} ")), "{name}: {}", version.out());
    }
}

#[test]
fn every_invariant_of_the_page_is_held_here() {
    let page = fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let this = include_str!("architecture.rs");
    let claims: Vec<&str> = page.split("**Invariant**").skip(1).collect();
    assert!(claims.len() >= 8, "the page states its invariants");
    for claim in claims {
        // Each claim ends with the name of its test: (`name`).
        let name = claim.split("(`").nth(1).and_then(|rest| rest.split("`)").next());
        let name = name.unwrap_or_else(|| panic!("no test is named in:{claim}"));
        assert!(this.contains(&format!("fn {name}()")), "there is no test {name}");
    }
}

#[test]
fn scripts_fetch_nothing() {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace().join("scripts")).expect("scripts").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a script is text");
        for word in ["http:", "https:", "git clone", "git fetch", "curl", "wget", "pip install"] {
            if text.contains(word) {
                found.push(format!("{}: {word}", entry.path().display()));
            }
        }
    }
    assert_none(&found, "a script that fetches");
}

#[test]
fn one_installation_gives_all_programs() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    for package in packages.iter().filter(|package| package["name"] != "oxad") {
        let targets = package["targets"].as_array().expect("targets");
        assert!(targets.iter().all(|target| target["kind"][0] != "bin"), "{}", package["name"]);
    }
    assert!(binaries().len() >= 17, "{:?}", binaries());
}
