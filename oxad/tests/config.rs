//! Options of runs in `oxad.toml`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SOURCE: &str = "subroutine p(x, y, z)\n include 'kinds.inc'\n real(k), intent(in) :: x\n \
                      real(k), intent(out) :: y, z\n y = x*x\n z = q(x)\ncontains\n \
                      real(k) function q(x)\n real(k), intent(in) :: x\n q = sin(x)\n end function q\n\
                      end subroutine p\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.f90", SOURCE);
    write(folder.path(), "inc/kinds.inc", "integer, parameter :: k = kind(1.0d0)\n");
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn oxad(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    command.args(words).current_dir(folder).output().expect("oxad runs")
}

fn good(folder: &Path, words: &[&str]) -> String {
    let out = oxad(folder, words);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn bad(folder: &Path, words: &[&str]) -> String {
    let out = oxad(folder, words);
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stderr).expect("text")
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("a file")
}

#[test]
fn a_file_of_the_working_directory_has_options_and_the_command_line_wins() {
    let folder = folder();
    let path = folder.path();
    write(
        path,
        "oxad.toml",
        "files = 'p.f90'\noutput = 'd'\ninclude = ['inc']\ndependent = ['y']\n",
    );
    good(path, &["tangent"]);
    let made = text(path, "d/p_d.f90");
    let words = "!   oxad tangent --dependent=y -Iinc --output=d p.f90\n";
    assert!(made.contains(words) && !made.contains("zd"), "{made}");
    good(path, &["tangent", "-o", "e", "--dependent", "z"]);
    assert!(text(path, "e/p_d.f90").contains("zd"));
    // Options that exclude each other: that of the command line wins.
    good(path, &["tangent", "--no-activity", "--no-banner", "-o", "f"]);
    let made = text(path, "f/p_d.f90");
    assert!(made.contains("yd = ") && made.contains("zd"), "{made}");
    good(path, &["adjoint", "p.f90", "--no-config", "-Iinc", "-o", "g", "--depfile", "g.d"]);
    assert!(text(path, "g/p_b.f90").contains("zb"));
    assert!(!text(path, "g.d").contains("oxad.toml"));
    good(path, &["adjoint", "--depfile", "h.d"]);
    assert!(text(path, "h.d").contains("  oxad.toml"));
}

#[test]
fn the_check_takes_its_options_too() {
    let folder = folder();
    let path = folder.path();
    write(
        path,
        "oxad.toml",
        "files = ['p.f90']\ninclude = 'inc'\nhead = 'p'\nset = 'x=2'\nmode = 'adjoint'\n",
    );
    assert!(good(path, &["check"]).contains("good: p_b is the adjoint of p here (seed 1)"));
    assert!(good(path, &["check", "--mode", "tangent"]).contains("good: p_d is the tangent of p"));
    // The driver that differentiates has neither.
    good(path, &["adjoint"]);
}

#[test]
fn paths_start_in_the_folder_of_the_file() {
    let folder = folder();
    let path = folder.path();
    write(path, "sub/own.toml", "files = '../p.f90'\ninclude = '../inc'\noutput = 'd'\n");
    good(path, &["tangent", "--config", "sub/own.toml"]);
    assert!(path.join("sub/d/p_d.f90").exists());
    assert!(
        bad(path, &["tangent", "--config", "none.toml"]).starts_with("none.toml: error[OX0001]")
    );
}

#[test]
fn a_switch_that_is_off_is_not_given_and_an_optional_value_may_be_left_out() {
    let folder = folder();
    let path = folder.path();
    let text_of = |toml: &str| {
        write(path, "oxad.toml", &format!("files = 'p.f90'\ninclude = 'inc'\n{toml}\n"));
        good(path, &["adjoint"]);
        text(path, "p_b.f90").lines().nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(text_of("split-all = false"), "!   oxad adjoint -Iinc p.f90");
    assert_eq!(text_of("split-all = true"), "!   oxad adjoint -Iinc --split-all p.f90");
    assert_eq!(text_of("preaccumulate = false"), "!   oxad adjoint -Iinc p.f90");
    assert_eq!(text_of("preaccumulate = true"), "!   oxad adjoint -Iinc --preaccumulate p.f90");
}

#[test]
fn faults_of_the_file_have_a_place_and_a_way_out() {
    let folder = folder();
    let path = folder.path();
    for (toml, wanted) in [
        ("a = 1\nb\n", "2:2: error[OX5020]: key with no value, expected `=`"),
        (
            "heads = 'p'\n",
            "1:1: error[OX5021]: unknown key `heads`\n  1 | heads = 'p'\n    | ^^^^^\n  help: did you mean `head`?",
        ),
        ("split_all = true\n", "1:1: error[OX5021]: unknown key `split_all`"),
        ("help = true\n", "1:1: error[OX5021]: unknown key `help`"),
        ("quite-another-thing = 1\n", "1:1: error[OX5021]: unknown key `quite-another-thing`\n"),
        (
            "x = 1\nunits = 2\n",
            "2:1: error[OX5021]: unknown key `units`\n  2 | units = 2\n    | ^^^^^\n  help: did you mean `unit`?",
        ),
        ("\ndirections = 0\n", "2:14: error[OX5022]: invalid value '0' for '--directions <N>'"),
        ("closed = 'yes'\n", "1:10: error[OX5022]: `closed` is true or false"),
        ("include = ['a', true]\n", "1:17: error[OX5022]: `include` is a text, or a list of texts"),
        ("output = ['a', 'b']\n", "1:10: error[OX5022]: `output` is a text or a number"),
        (
            "store = 'operand'\n",
            "1:9: error[OX5022]: invalid value 'operand' for '--store <STORE>'",
        ),
        ("unit = 1\n", "1:1: error[OX5020]: `unit` is no table"),
    ] {
        write(path, "oxad.toml", toml);
        let told = bad(path, &["tangent", "p.f90"]);
        assert!(told.contains(&format!("oxad.toml:{wanted}")), "{toml}: {told}");
        assert!(told.contains("  help: "), "{told}");
        assert!(!path.join("p_d.f90").exists());
    }
    write(path, "oxad.toml", "heads = 1\n");
    assert!(
        bad(path, &["tangent", "--message-format", "json"]).starts_with("{\"code\":\"OX5021\"")
    );
}
