//! The library writes what the binary writes, and says what it says.

use std::path::Path;
use std::process::{Command, Output};

use oxad::{Derivatives, Request, Source, differentiate};

const SOURCE: &str = "\
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  external :: solve
  y = 1
  do i = 1, n
    y = y*sin(x(i) + y)
    call solve(x(i), y)
  end do
end subroutine p
";

const SOLVE: &str = "\
[procedure.solve]
pure = true
arguments = [{ name = 'x', access = 'read' }, { name = 'y', access = 'readwrite' }]
tangent = { name = 'solve_d', arguments = ['x', 'y'] }
adjoint = { name = 'solve_b', arguments = ['x', 'y'] }
";

fn binary(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    command.args(arguments).current_dir(folder).output().expect("oxad runs")
}

#[test]
fn the_library_writes_the_bytes_that_the_binary_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("p.f90"), SOURCE).expect("written");
    std::fs::write(folder.join("solve.toml"), SOLVE).expect("written");
    for (derivatives, command) in [
        (Derivatives::Tangent, "tangent"),
        (Derivatives::Adjoint, "adjoint"),
        (Derivatives::Both, "both"),
    ] {
        let request = Request {
            derivatives,
            heads: vec!["p".to_owned()],
            independents: vec!["x".to_owned()],
            externals: vec![Source::new("solve.toml", SOLVE)],
            without: vec!["drop-dead-tests".to_owned()],
            ..Request::default()
        };
        let sources = [Source::new("p.f90", SOURCE)];
        let output = differentiate(&sources, &request).expect("a derivative");
        let run = binary(
            folder,
            &[
                command,
                "p.f90",
                "--head",
                "p",
                "--independent",
                "x",
                "--externals",
                "solve.toml",
                "--without",
                "drop-dead-tests",
                "--no-banner",
                "-o",
                command,
            ],
        );
        let told = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success(), "{told}");
        assert_eq!(output.warnings.to_string(), told);
        let mut names: Vec<String> = std::fs::read_dir(folder.join(command))
            .expect("the files")
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let made: Vec<&str> = output.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(made, names);
        for file in &output.files {
            let path = folder.join(command).join(&file.name);
            assert_eq!(std::fs::read_to_string(path).expect("a file"), file.text);
        }
    }
}

#[test]
fn the_library_reports_what_the_binary_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.f90"), SOURCE).expect("written");
    let refused = differentiate(&[Source::new("p.f90", SOURCE)], &Request::default());
    let run = binary(folder.path(), &["adjoint", "p.f90"]);
    assert_eq!(run.status.code(), Some(1));
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(told.contains("error[OX4250]"), "{told}");
    assert_eq!(refused.map(|output| output.files).unwrap_err().to_string(), told);
    // Errors of the source, too, and of names.
    let wrong =
        differentiate(&[Source::new("p.f90", "subroutine p(x\nend\n")], &Request::default());
    let report = wrong.map(|output| output.files).unwrap_err();
    assert!(report.to_string().starts_with("p.f90:1:"), "{report}");
    let request = Request { without: vec!["no-pass".to_owned()], ..Request::default() };
    let report = differentiate(&[], &request).map(|output| output.files).unwrap_err();
    assert!(report.to_string().starts_with("error[OX0302]"), "{report}");
}

#[test]
fn many_programs_are_differentiated_in_one_process() {
    let request = Request { verify: true, ..Request::default() };
    for number in 0..20 {
        let text = format!("subroutine q{number}(x)\n real(8) :: x\n x = {number}*x*x\nend\n");
        let name = format!("q{number}.f");
        let text = text.replace("\n", "\n      ").replacen("subroutine", "      subroutine", 1);
        let output = differentiate(&[Source::new(name, text)], &request);
        let output = output.unwrap_or_else(|report| panic!("{report}"));
        let wanted = format!("q{number}_b.f90");
        assert!(output.files.iter().any(|file| file.name == wanted), "{:?}", output.files);
    }
}
