//! The recipes of docs/build.md are the files of `examples/build`, and build programs that compute the same.
//!
//! A recipe whose tool is not installed is left out, with a message. CI has make, ninja and CMake.

use std::fs;
use std::path::{Path, PathBuf};

use crate::readme::{bash, blocks, folder, text};

/// Whether all of `commands` succeed; a message where not.
fn is_there(commands: &[&str]) -> bool {
    let missing = commands.iter().find(|command| bash(command, Path::new(".")).status != Some(0));
    if let Some(command) = missing {
        eprintln!("left out: `{command}` fails here");
    }
    missing.is_none()
}

/// A folder with the program and the recipes, and the output of the program.
struct Build {
    folder: tempfile::TempDir,
    original: String,
}

impl Build {
    fn new() -> Self {
        let folder = folder();
        let build = Build { folder, original: String::new() };
        build.good("cp ../heat/*.f ../heat/*.f90 ../adjoints/trajectory.f90 .");
        let original = build.good(
            "mkdir before && gfortran -O2 -std=legacy -J before rod.f90 implicit.f main.f90 \
             -o before/heat && before/heat",
        );
        Build { original, ..build }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("examples/build")
    }

    /// The output of a command that succeeds.
    fn good(&self, command: &str) -> String {
        let done = bash(command, &self.path());
        assert_eq!(done.status, Some(0), "{command}: {}", done.out());
        done.out()
    }

    /// `command` builds both programs; a second time it has nothing to do.
    fn builds(&self, command: &str, programs: &str) {
        assert!(self.good(command).contains("implicit"), "{command}");
        for program in ["heat", "heat_b"] {
            assert_eq!(self.good(&format!("{programs}{program}")), self.original, "{command}");
        }
        let again = self.good(command);
        assert!(!again.contains("oxad") && !again.contains("implicit"), "{command}: {again}");
        self.good("sleep 0.01 && touch rod.f90");
        assert!(self.good(command).contains("implicit"), "{command}");
        let again = self.good(command);
        assert!(!again.contains("oxad") && !again.contains("implicit"), "{command}: {again}");
    }
}

/// docs/build.md shows `file` in a block of the language.
fn is_shown(language: &str, file: &str) {
    let recipe = text(&format!("examples/build/{file}"));
    let blocks = blocks(&text("docs/build.md"), language);
    assert!(blocks.contains(&recipe), "docs/build.md does not show {file}");
}

#[test]
fn make() {
    is_shown("make", "Makefile");
    Build::new().builds("make heat heat_b", "./");
}

#[test]
fn ninja() {
    is_shown("ninja", "build.ninja");
    Build::new().builds("ninja -v heat && ninja -v heat_b", "./");
}

#[test]
fn cmake() {
    is_shown("cmake", "CMakeLists.txt");
    for generator in ["Unix Makefiles", "Ninja"] {
        let build = Build::new();
        build.good(&format!("cmake -S . -B out -G '{generator}' -DCMAKE_BUILD_TYPE=Release"));
        build.builds("cmake --build out", "out/");
    }
}

#[test]
fn meson() {
    is_shown("meson", "meson.build");
    if is_there(&["meson --version"]) {
        let build = Build::new();
        build.good("meson setup out");
        build.builds("meson compile -C out", "out/");
    }
}

#[test]
fn fpm() {
    is_shown("toml", "fpm.toml");
    if !is_there(&["fpm --version"]) {
        return;
    }
    let build = Build::new();
    build.good("mkdir app src other && mv main.f90 app && mv rod.f90 implicit.f src");
    // fpm looks for sources everywhere else.
    build.good("mv *.ninja CMakeLists.txt *.build Makefile *.f90 before other");
    let commands = blocks(&text("docs/build.md"), "sh");
    let commands = commands.iter().find(|block| block.contains("fpm build")).expect("a recipe");
    build.good(commands);
    assert!(build.good("fpm run heat_b --flag -std=legacy").ends_with(&build.original));
}

#[test]
fn f2py() {
    is_shown("sh", "f2py.sh");
    is_shown("python", "gradient.py");
    if !is_there(&["f2py -v", "python3 -c 'import numpy'"]) {
        return;
    }
    let build = Build::new();
    let out = build.good("bash f2py.sh");
    let gradient = out.lines().last().unwrap_or_default();
    let gradient: Vec<f64> = gradient.split(' ').filter_map(|word| word.parse().ok()).collect();
    let differences = "from trajectory import range_of as f\n\
                       print((f(30.001, 0.7, 0.01) - f(29.999, 0.7, 0.01))/0.002)";
    fs::write(build.path().join("differences.py"), differences).expect("written");
    let slope: f64 = build.good("python3 differences.py").trim().parse().expect("a number");
    assert_eq!(gradient.len(), 3, "{out}");
    assert!((gradient[0] - slope).abs() < 1e-3, "{gradient:?} {slope}");
}
