//! Output: whole or not at all, whatever happens to the process.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use xaif_schema::cli;
use xaif_schema::diag::Code;

const FOLDER: &str = "OXAD_TEST_FOLDER";

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("readable").count()
}

/// Does nothing but write a large file again and again.
fn write_for_ever(folder: &Path) -> ! {
    let bytes = vec![b' '; 32 << 20];
    loop {
        let file = (folder.join("new/out"), bytes.clone());
        cli::write_files(&[file]).expect("written");
    }
}

#[test]
fn a_signal_in_the_middle_of_a_write_leaves_nothing_behind() {
    // The process that gets the signal is this test once more.
    if let Some(folder) = std::env::var_os(FOLDER) {
        write_for_ever(Path::new(&folder));
    }
    for (number, signal) in [(2, "INT"), (15, "TERM"), (1, "HUP")] {
        let dir = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args([
                "--exact",
                "stages::files::a_signal_in_the_middle_of_a_write_leaves_nothing_behind",
            ])
            .env(FOLDER, dir.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("starts");
        while !dir.path().join("new/out").exists() {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(50));
        let pid = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status().expect("kill");
        assert!(sent.success());
        assert_eq!(child.wait().expect("ends").signal(), Some(number));
        assert_eq!(entries(&dir.path().join("new")), 1, "{signal}");
    }
}

#[test]
fn a_file_beyond_the_limit_is_an_error_with_a_code() {
    let dir = tempfile::tempdir().expect("a folder");
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../xaif-schema/tests/data/own.xaif");
    let out = dir.path().join("out");
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$1\" -o \"$2\""])
        .args([Path::new(env!("CARGO_BIN_EXE_xaif-show")), &document, &out])
        .output()
        .expect("starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("error[OX0002]"), "{message}");
    assert_eq!(entries(dir.path()), 0);
}

#[test]
fn more_files_are_written_than_may_be_open() {
    let dir = tempfile::tempdir().expect("a folder");
    let files: Vec<(PathBuf, Vec<u8>)> =
        (0..3000).map(|i| (dir.path().join(format!("f{i}")), b"x".to_vec())).collect();
    cli::write_files(&files).expect("written");
    assert_eq!(entries(dir.path()), 3000);
}

#[test]
fn folders_of_a_run_that_fails_are_not_made() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("taken")).expect("a folder in the way");
    let files =
        [(dir.path().join("a/b/one"), b"1".to_vec()), (dir.path().join("taken"), b"2".to_vec())];
    assert!(cli::write_files(&files).is_err());
    assert_eq!(entries(dir.path()), 1);
}

#[test]
fn a_link_is_followed_and_a_read_only_file_stays() {
    let dir = tempfile::tempdir().expect("a folder");
    let (file, link) = (dir.path().join("file"), dir.path().join("link"));
    fs::write(&file, "old").expect("written");
    symlink("file", &link).expect("a link");
    cli::write_file(&link, b"new").expect("written");
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(fs::read(&file).expect("there"), b"new");

    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("read-only");
    for path in [&file, &link] {
        assert!(cli::write_file(path, b"newer").is_err());
    }
    assert_eq!(fs::read(&file).expect("there"), b"new");

    let dangling = dir.path().join("dangling");
    symlink("nothing", &dangling).expect("a link");
    assert!(cli::write_file(&dangling, b"x").is_err());
    assert_eq!(entries(dir.path()), 3);
}

#[test]
fn a_source_is_not_replaced() {
    let dir = tempfile::tempdir().expect("a folder");
    let source = dir.path().join("src/a.f90");
    cli::write_files(&[(source.clone(), b"old".to_vec())]).expect("written");
    let files = [(dir.path().join("src/../src/a.f90"), b"new".to_vec())];
    for path in [&source, Path::new("src/a.f90"), Path::new("../src/a.f90")] {
        let found = cli::spare_sources([path], &files, "another folder").expect_err("refused");
        assert!(found.iter().all(|one| one.code == Code::WOULD_REPLACE_SOURCE));
    }
    cli::spare_sources([Path::new("other/a.f90")], &files, "").expect("another file");
}

#[cfg(unix)]
#[test]
fn a_standard_output_that_is_closed_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let document = folder.path().join("a.xaif");
    fs::write(&document, include_str!("../../../xaif-schema/tests/data/own.xaif"))
        .expect("written");
    let show = |end: &str| {
        let command =
            format!("'{}' '{}' {end}", env!("CARGO_BIN_EXE_xaif-show"), document.display());
        let output = std::process::Command::new("sh").args(["-c", &command]).output();
        let output = output.expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, text) = show(">&-");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("error[OX0002]: cannot write standard output"), "{text}");
    assert_eq!(show(">/dev/null"), (Some(0), String::new()));
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_ends_the_process_as_other_programs() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let document = folder.path().join("a.xaif");
    fs::write(&document, include_str!("../../../xaif-schema/tests/data/own.xaif"))
        .expect("written");
    let mut show = Command::new(env!("CARGO_BIN_EXE_xaif-show"));
    let show = show.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = show.spawn().expect("xaif-show");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("its input");
    std::io::Write::write_all(&mut input, &fs::read(&document).expect("there")).expect("read");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.signal(), Some(13), "{:?}", output.status);
    assert!(output.stderr.is_empty());
}

#[test]
fn no_stage_writes_over_a_source_of_its_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.f90");
    fs::write(&source, "end\n").expect("written");
    let document = include_str!("../../../xaif-schema/tests/data/own.xaif");
    let path = document.split("path=\"").nth(1).and_then(|rest| rest.split('"').next());
    let path = path.expect("a file of the document");
    let document = document.replacen(path, &source.display().to_string(), 1);
    let file = folder.path().join("a.xaif");
    fs::write(&file, document).expect("written");
    let show = |to: &str| {
        let mut show = std::process::Command::new(env!("CARGO_BIN_EXE_xaif-show"));
        let output = show.arg(&file).arg("-o").arg(folder.path().join(to)).output().expect("runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, text) = show("./a.f90");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("error[OX5001]"), "{text}");
    assert_eq!(fs::read(&source).expect("there"), b"end\n");
    assert_eq!(show("b.f90").0, Some(0));
}
