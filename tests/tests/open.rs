//! `xaif-open`: a program whose modules hide their state does the same with opened modules, and has
//! derivatives then.

use std::path::Path;
use std::process::Command;

use oxad_tests::programs::{Finished, finish, tool};

const HIDING: &str = include_str!("open/counter.f90");

fn done(finished: Finished, what: &str) -> String {
    assert_eq!(finished.status, Some(0), "{what}: {}", finished.err());
    finished.out()
}

fn compiled_and_run(source: &str, folder: &Path) -> String {
    let name = if source.contains('/') { "opened" } else { "hiding" };
    let options = ["-Wall", "-Wextra", "-Werror", "-fcheck=all", source, "-o", name];
    let mut compiler = Command::new("gfortran");
    compiler.args(options).current_dir(folder);
    done(finish(compiler, b"").expect("gfortran"), source);
    done(finish(Command::new(folder.join(name)), b"").expect("the program"), name)
}

#[test]
fn an_opened_program_does_the_same_and_has_derivatives() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("counter.f90"), HIDING).expect("a file");
    let refused = tool("oxad", &["tangent", "counter.f90", "--head", "head"], folder, b"");
    assert!(refused.err().contains("OX4203"), "{}", refused.err());

    let document = tool("f2xaif", &["counter.f90"], folder, b"");
    let opened = tool("xaif-open", &[] as &[&str], folder, &document.stdout);
    let said = opened.err();
    assert!(said.contains("OX4206") && said.contains("`settings` stays hidden"), "{said}");
    assert_eq!(said.matches("OX4206").count(), 1, "{said}");
    done(tool("xaif2f", &["--split", "open"], folder, &opened.stdout), "xaif2f");
    let text = std::fs::read_to_string(folder.join("open/counter.f90")).expect("the opened source");
    assert!(text.contains("kept_of_counter") && !text.contains("protected"), "{text}");

    let before = compiled_and_run("counter.f90", folder);
    assert_eq!(before.trim(), "84.000000");
    assert_eq!(compiled_and_run("open/counter.f90", folder), before);
    for mode in ["tangent", "adjoint"] {
        let options = ["check", "--mode", mode, "open/counter.f90", "--head", "head"];
        let said = done(tool("oxad", &options, folder, b""), mode);
        assert!(said.contains("good: head_"), "{said}");
    }
}
