//! `oxad batch`: many units, in parallel, and only what is not up to date.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    command.arg("batch").args(words).current_dir(folder);
    command
}

fn batch(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().expect("oxad runs")
}

/// The last lines on standard output of a batch with this exit status.
fn summary(folder: &Path, words: &[&str], status: i32) -> String {
    let out = batch(folder, words);
    assert_eq!(out.status.code(), Some(status), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("text");
    text.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n")
}

fn square(name: &str, factor: usize) -> String {
    format!(
        "subroutine {name}(x, y)\n include 'kinds{}.inc'\n real(k), intent(in) :: x\n \
         real(k), intent(out) :: y\n y = {factor}*x*x\nend subroutine {name}\n",
        factor % 2
    )
}

/// A folder with so many files and a unit for each. Half of the files include `kinds0.inc`.
fn many(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let mut toml = "output = 'd'\ninclude = 'inc'\n".to_owned();
    for i in 0..count {
        write(path, &format!("src/f{i}.f90"), &square(&format!("f{i}"), i));
        let mode = ["adjoint", "tangent", "both"][i % 3];
        toml += &format!("[unit.u{i}]\nfiles = 'src/f{i}.f90'\ncommand = '{mode}'\n");
    }
    for i in 0..2 {
        write(path, &format!("inc/kinds{i}.inc"), "integer, parameter :: k = kind(1.0d0)\n");
    }
    write(path, "oxad.toml", &toml);
    folder
}

/// The files of a folder with their texts; records of runs only by name.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("text");
                found
                    .insert(path.strip_prefix(folder).expect("inside").display().to_string(), text);
            }
        }
    }
    found
}

#[test]
fn three_hundred_units_are_made_once_and_again_where_something_changed() {
    let folder = many(300);
    let path = folder.path();
    assert_eq!(summary(path, &[], 0), "300 units: 300 written, 0 up to date, 0 failed");
    let made = tree(&path.join("d"));
    // A tangent has one file, an adjoint one, both have two; the tape has two; each unit has a record.
    assert_eq!(made.len(), 100 + 100 + 200 + 2 + 300, "{:?}", made.keys());
    assert!(made["u5/f5_b.f90"].contains("subroutine f5_b("));
    assert_eq!(summary(path, &[], 0), "300 units: 0 written, 300 up to date, 0 failed");
    let file = fs::File::options().append(true).open(path.join("inc/kinds0.inc"));
    file.and_then(|file| file.set_modified(SystemTime::now())).expect("touched");
    assert_eq!(summary(path, &[], 0), "300 units: 150 written, 150 up to date, 0 failed");
    assert_eq!(summary(path, &[], 0), "300 units: 0 written, 300 up to date, 0 failed");
    // A derivative that is gone, and another command line.
    fs::remove_file(path.join("d/u7/f7_d.f90")).expect("removed");
    let toml = fs::read_to_string(path.join("oxad.toml")).expect("the file");
    write(path, "oxad.toml", &toml.replace("[unit.u9]\n", "[unit.u9]\nhead = 'f9'\n"));
    assert_eq!(summary(path, &[], 0), "300 units: 2 written, 298 up to date, 0 failed");
    assert!(path.join("d/u7/f7_d.f90").exists());
    // Of two derivatives one is not wanted any more.
    write(
        path,
        "oxad.toml",
        &toml.replace(
            "[unit.u5]\nfiles = 'src/f5.f90'\ncommand = 'both'\n",
            "[unit.u5]\nfiles = 'src/f5.f90'\n",
        ),
    );
    let out = batch(path, &["--only", "u5"]);
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    let wanted =
        "d/u5/f5_d.f90: warning[OX5025]: the unit `u5` does not write this file any more\n";
    assert_eq!(told, format!("{wanted}  help: remove it\n"));
}

#[test]
fn a_bad_file_does_not_stop_the_others() {
    let folder = many(6);
    let path = folder.path();
    write(path, "src/f2.f90", "subroutine f2(x)\n x = = 1\nend subroutine f2\n");
    let out = batch(path, &["--jobs", "1"]);
    assert_eq!(out.status.code(), Some(1));
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(told.starts_with("src/f2.f90:2:6: error[OX1000]: "), "{told}");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.starts_with("[1/6] u0: written\n[2/6] u1: written\n[3/6] u2: failed\n"), "{text}");
    assert!(text.ends_with("\n6 units: 5 written, 0 up to date, 1 failed\nfailed: u2\n"), "{text}");
    assert!(!path.join("d/u2").exists());
    // It is tried again until it is mended.
    let failed = "6 units: 0 written, 5 up to date, 1 failed\nfailed: u2";
    assert_eq!(summary(path, &[], 1), failed);
    write(path, "src/f2.f90", &square("f2", 2));
    assert_eq!(summary(path, &[], 0), "6 units: 1 written, 5 up to date, 0 failed");
    // A unit that was good and is bad now fails each time, too.
    write(path, "src/f2.f90", "subroutine f2(x)\n x = = 1\nend subroutine f2\n");
    assert_eq!(summary(path, &[], 1), failed);
    assert_eq!(summary(path, &[], 1), failed);
    assert_eq!(
        summary(path, &["--only", "u1,u3"], 0),
        "2 units: 0 written, 2 up to date, 0 failed"
    );
}

#[test]
#[cfg(unix)]
fn a_batch_that_is_killed_leaves_nothing_half_written() {
    use std::os::unix::process::CommandExt as _;
    let whole = many(40);
    assert_eq!(summary(whole.path(), &[], 0), "40 units: 40 written, 0 up to date, 0 failed");
    let whole = tree(&whole.path().join("d"));
    for (signal, wait) in [("TERM", 40), ("INT", 80), ("KILL", 120), ("TERM", 200)] {
        let folder = many(40);
        let path = folder.path();
        let mut command = command(path, &[]);
        // The group has its processes, as a terminal has them.
        let mut child = command.process_group(0).stdout(Stdio::null()).spawn().expect("starts");
        std::thread::sleep(Duration::from_millis(wait));
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-s", signal, "--", &group]).status();
        let _ = child.wait();
        std::thread::sleep(Duration::from_millis(200));
        let is_temporary = |name: &str| name.contains("/.oxad-") || name.ends_with(".new");
        for (name, text) in tree(&path.join("d")) {
            match whole.get(&name) {
                Some(wanted) => assert_eq!(&text, wanted, "{name}"),
                // A process that is killed cannot remove its temporary file.
                None => assert!(is_temporary(&name), "{signal}: {name}"),
            }
        }
        summary(path, &[], 0);
        assert_eq!(summary(path, &[], 0), "40 units: 0 written, 40 up to date, 0 failed");
        let made = tree(&path.join("d"));
        assert!(whole.iter().all(|(name, text)| made.get(name) == Some(text)));
    }
}

#[test]
fn ninja_runs_the_same_jobs() {
    let folder = many(6);
    let path = folder.path();
    write(path, "src/f2.f90", "subroutine f2(x)\n x = = 1\nend subroutine f2\n");
    let toml = fs::read_to_string(path.join("oxad.toml")).expect("the file");
    write(path, "my units.toml", &toml.replace("src/f3.f90", "src/f 3.f90"));
    fs::remove_file(path.join("oxad.toml")).expect("removed");
    fs::rename(path.join("src/f3.f90"), path.join("src/f 3.f90")).expect("moved");
    assert!(batch(path, &["my units.toml", "--ninja", "build.ninja"]).status.success());
    assert!(!path.join("d").exists(), "nothing is run");
    let driver = Path::new(env!("CARGO_BIN_EXE_oxad")).parent().expect("a folder");
    let ninja = |words: &[&str]| {
        let mut ninja = Command::new("ninja");
        let old = std::env::var("PATH").unwrap_or_default();
        ninja.args(words).current_dir(path).env("PATH", format!("{}:{old}", driver.display()));
        let out = ninja.output().expect("ninja runs");
        (out.status.success(), String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let (good, told) = ninja(&["-k", "0"]);
    assert!(!good && told.contains("src/f2.f90:2:6: error[OX1000]"), "{told}");
    write(path, "src/f2.f90", &square("f2", 2));
    assert_eq!(ninja(&["-k", "0"]), (true, "[1/1] oxad u2\n".to_owned()));
    assert_eq!(ninja(&[]), (true, "ninja: no work to do.\n".to_owned()));
    // The own scheduler writes the same texts.
    let derivatives = || {
        let all = tree(&path.join("d")).into_iter();
        all.filter(|(name, _)| !name.starts_with(".oxad")).collect::<BTreeMap<_, _>>()
    };
    let by_ninja = derivatives();
    assert!(batch(path, &["my units.toml"]).status.success());
    assert_eq!(by_ninja, derivatives());
    assert_eq!(by_ninja.len(), 2 + 2 + 4 + 2);
    // An included file, which the depfile tells.
    std::thread::sleep(Duration::from_millis(20));
    write(path, "inc/kinds1.inc", "integer, parameter :: k = kind(1.0e0)\n");
    let (good, told) = ninja(&[]);
    assert!(good && told.contains("[3/3]"), "{told}");
    // A new configuration is a new ninja file.
    let toml = fs::read_to_string(path.join("my units.toml")).expect("the file");
    std::thread::sleep(Duration::from_millis(20));
    write(path, "my units.toml", &format!("{toml}[unit.more]\nfiles = 'src/f1.f90'\n"));
    let (good, told) = ninja(&[]);
    assert!(good && told.contains("oxad more"), "{told}");
}

#[test]
fn units_that_write_the_same_file_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    write(path, "a/f.f90", &square("f", 0));
    write(path, "b/f.f90", &square("g", 0));
    let toml = "[unit.one]\nfiles = 'a/f.f90'\noutput = 'd'\n\
                [unit.two]\nfiles = 'b/f.f90'\noutput = './d'\ncommand = 'both'\n\
                [unit.three]\nfiles = 'b/f.f90'\n";
    write(path, "oxad.toml", toml);
    let out = batch(path, &[]);
    assert_eq!(out.status.code(), Some(1));
    let told = String::from_utf8_lossy(&out.stderr);
    let wanted = "oxad.toml:4:7: error[OX5023]: the units `one` and `two` may both write d/f_b.f90";
    assert!(told.contains(wanted), "{told}");
    assert!(!path.join("d").exists());
    // A tangent and an adjoint have files of their own.
    write(path, "oxad.toml", &toml.replace("'both'", "'tangent'"));
    write(path, "kinds0.inc", "integer, parameter :: k = kind(1.0d0)\n");
    let toml = fs::read_to_string(path.join("oxad.toml")).expect("the file");
    write(path, "oxad.toml", &format!("include = '.'\n{toml}"));
    assert_eq!(summary(path, &[], 0), "3 units: 3 written, 0 up to date, 0 failed");
    assert!(path.join("d/f_b.f90").exists() && path.join("d/f_d.f90").exists());
}

#[test]
fn faults_of_units_have_a_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    for (toml, wanted) in [
        ("[unit.'a/b']\n", "1:7: error[OX5020]: `a/b` cannot be the name of a unit"),
        ("[unit]\na = 1\n", "2:1: error[OX5020]: the unit `a` is no table"),
        ("[unit.c]\ncommand = 'check'\n", "2:11: error[OX5022]: `command` is one of"),
        (
            "[unit.d]\n",
            "1:7: error[OX5022]: the following required arguments were not provided: <FILE>",
        ),
        (
            "joint-all = true\n[unit.e]\nfiles = 'x'\nsplit = 'p'\nsplit-all = true\njoint-all = true\n",
            "2:7: error[OX5022]: the argument '--joint-all' cannot be used with '--split-all'",
        ),
        (
            "[unit.f]\nfiles = 'x'\ndirections = 2\n",
            "3:1: error[OX5021]: `oxad adjoint` has no option",
        ),
        ("[unit.g]\nfiles = 'x'\nheads = 'x'\n", "help: did you mean `head`?"),
        ("output = 'd'\n", "error[OX5024]: oxad.toml has no unit"),
    ] {
        write(path, "oxad.toml", toml);
        let out = batch(path, &[]);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{told}");
        assert!(told.contains(wanted), "{toml}: {told}");
    }
    // A unit wins over the options of all runs, also where these exclude its own.
    write(path, "f.f90", &square("f", 0));
    write(path, "kinds0.inc", "integer, parameter :: k = kind(1.0d0)\n");
    let toml = "joint-all = true\n[unit.h]\nfiles = 'f.f90'\nsplit-all = true\n";
    write(path, "oxad.toml", toml);
    assert_eq!(summary(path, &[], 0), "1 unit: 1 written, 0 up to date, 0 failed");
    let out = batch(path, &["--only", "g"]);
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(told.contains("there is no unit `g`\n  help: did you mean `h`?"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_is_killed_is_a_unit_that_has_failed() {
    let folder = many(3);
    let path = folder.path();
    // Nobody writes into the pipe: the process that reads it waits.
    fs::remove_file(path.join("src/f1.f90")).expect("removed");
    let made = Command::new("mkfifo").arg(path.join("src/f1.f90")).status();
    assert!(made.expect("mkfifo runs").success());
    let mut command = command(path, &["--jobs", "3"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    while !path.join("d/.oxad/u0.done").exists() || !path.join("d/.oxad/u2.done").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    // The process of a unit is a child of the thread that has started it.
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).expect("threads").flatten();
    let children = threads.filter_map(|one| fs::read_to_string(one.path().join("children")).ok());
    let children: Vec<String> = children
        .flat_map(|all| all.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(children.len(), 1);
    assert!(Command::new("kill").args(["-s", "KILL"]).args(&children).status().is_ok());
    let out = child.wait_with_output().expect("ends");
    assert_eq!(out.status.code(), Some(1));
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        told.starts_with("error[OX5026]: the process of the unit `u1` has ended: signal: 9"),
        "{told}"
    );
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.ends_with("3 units: 2 written, 0 up to date, 1 failed\nfailed: u1\n"), "{text}");
}

#[test]
fn another_build_of_the_driver_makes_derivatives_again() {
    let folder = many(2);
    let path = folder.path();
    let driver = path.join("oxad");
    fs::copy(env!("CARGO_BIN_EXE_oxad"), &driver).expect("copied");
    let last = || {
        let out = Command::new(&driver).arg("batch").current_dir(path).output().expect("oxad runs");
        String::from_utf8(out.stdout).expect("text").lines().last().map(str::to_owned)
    };
    assert_eq!(last().as_deref(), Some("2 units: 2 written, 0 up to date, 0 failed"));
    assert_eq!(last().as_deref(), Some("2 units: 0 written, 2 up to date, 0 failed"));
    // A file that is being executed cannot be opened for writing: a copy takes its place.
    fs::remove_file(&driver).expect("removed");
    fs::copy(env!("CARGO_BIN_EXE_oxad"), &driver).expect("copied");
    assert_eq!(last().as_deref(), Some("2 units: 2 written, 0 up to date, 0 failed"));
}
