//! The comment at the head of generated files, and the version that it names.

use std::path::Path;
use std::process::Command;

const SOURCE: &str = "subroutine square(x, y)\n real(8), intent(in) :: x\n real(8), intent(out) :: y\n \
                      y = x*x\nend subroutine square\n";

fn oxad(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let out = command.args(arguments).current_dir(folder).output().expect("oxad runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

#[test]
fn the_version_has_the_revision_where_git_tells_it() {
    let printed = oxad(Path::new("."), &["--version"]);
    let version = env!("CARGO_PKG_VERSION");
    let rest =
        printed.strip_prefix(&format!("oxad {version}")).expect("the version of the package");
    let git = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    match git {
        Ok(git) if git.status.success() => {
            let revision = String::from_utf8(git.stdout).expect("text");
            assert_eq!(rest.trim(), format!("({})", revision.trim()));
        }
        _ => assert_eq!(rest.trim(), ""),
    }
}

#[test]
fn a_generated_file_tells_by_which_version_and_command_line_it_was_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("a b.f90"), SOURCE).expect("written");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    oxad(folder, &["both", "a b.f90", "--head", "square"]);
    let version = oxad(folder, &["--version"]);
    for name in ["a b_d.f90", "a b_b.f90"] {
        let made = text(name);
        let mut lines = made.lines();
        assert_eq!(lines.next(), Some(format!("! Made by {}:", version.trim()).as_str()));
        assert_eq!(lines.next(), Some("!   oxad both 'a b.f90' --head square"));
        assert!(lines.next().is_some_and(|line| line.starts_with("subroutine square_")), "{made}");
    }
    // The tape is the same file for all programs.
    assert!(!text("oxad_tape.f90").contains("Made by"));
    oxad(folder, &["both", "a b.f90", "--head", "square", "--no-banner"]);
    assert!(text("a b_d.f90").starts_with("subroutine square_d("));
}

#[test]
fn a_long_command_line_is_a_comment_of_several_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("square.f90"), SOURCE).expect("written");
    let define = format!("-DNAME={}\nend", "x".repeat(90));
    oxad(folder, &["tangent", "square.f90", "--head", "square", &define, "--independent", "x"]);
    let made = std::fs::read_to_string(folder.join("square_d.f90")).expect("a file");
    let banner: Vec<&str> = made.lines().take_while(|line| line.starts_with('!')).collect();
    assert_eq!(banner.len(), 4, "{made}");
    assert!(made.lines().nth(4).is_some_and(|line| line.starts_with("subroutine")), "{made}");
}
