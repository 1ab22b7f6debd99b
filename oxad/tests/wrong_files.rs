//! Files that are not what a command takes them for.

use std::path::Path;
use std::process::{Command, Output};

fn oxad(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("oxad runs")
}

#[test]
fn a_program_in_place_of_its_source_is_refused_at_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let bytes: Vec<u8> = b"\x7fELF\x02\nab\0".iter().copied().cycle().take(4 << 20).collect();
    std::fs::write(dir.path().join("x.f90"), bytes).expect("written");
    let output = oxad(dir.path(), &["tangent", "x.f90", "-o", "d"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with("x.f90:2:3: error[OX0004]"), "{message}");
    assert!(!dir.path().join("d").exists());
}
