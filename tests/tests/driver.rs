//! `oxad tangent` against the pipe of binaries, byte for byte: the files, and the document behind
//! each stage.

use std::path::Path;

use oxad_tests::programs::{tool, workspace};

/// The stages between front end and back end, in the order of the driver.
const STAGES: [&str; 4] =
    ["xaif-sideeffects", "xaif-activity", "xaif-canonicalize", "xaif-tangent"];

/// Programs, the options of the activity stage, and those of the tangent stage.
const PROGRAMS: [(&[&str], &[&str], &[&str]); 5] = [
    (&["examples/spread.f90"], &[], &[]),
    (&["examples/spread.f90"], &["--head", "spread_of", "--dependent", "spread"], &[]),
    (&["oxad/tests/check/state.f90"], &[], &["--suffix-variable", "_tl"]),
    (&["oxad/tests/check/scalars.f90"], &["--independent", "a,c"], &["--directions", "3"]),
    (&["oxad/tests/check/shapes.f90", "oxad/tests/check/scalars.f90"], &["--head", "shapes"], &[]),
];

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the files in `folder`.
fn listed(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_driver_writes_what_the_pipe_writes() {
    for (files, activity, tangent) in PROGRAMS {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).display().to_string();
        let (driven, stages) = (at("driven"), at("stages"));
        let mut arguments = vec!["tangent", "-o", &driven, "--save-stages", &stages];
        arguments.extend(files.iter().chain(activity).chain(tangent));
        let run = tool("oxad", &arguments, workspace(), b"");
        assert_eq!(run.status, Some(0), "{files:?}: {}", run.err());

        let mut document = tool("f2xaif", files, workspace(), b"");
        assert_eq!(document.stdout, text(Path::new(&at("stages/1-f2xaif.xaif"))).as_bytes());
        for (index, stage) in STAGES.into_iter().enumerate() {
            let options = match stage {
                "xaif-activity" => activity,
                "xaif-tangent" => tangent,
                _ => &[],
            };
            document = tool(stage, options, workspace(), &document.stdout);
            assert_eq!(document.status, Some(0), "{stage}: {}", document.err());
            let saved = text(Path::new(&at(&format!("stages/{}-{stage}.xaif", index + 2))));
            assert!(document.out() == saved, "{files:?}: the document behind {stage} differs");
        }
        let piped = at("piped");
        std::fs::create_dir(&piped).expect("a folder");
        let printed = tool("xaif2f", &["--split", &piped], workspace(), &document.stdout);
        assert_eq!(printed.status, Some(0), "{}", printed.err());
        let names = listed(Path::new(&piped));
        assert!(!names.is_empty(), "{files:?}");
        assert_eq!(listed(Path::new(&driven)), names, "{files:?}");
        for name in names {
            let [driven, piped] = [&driven, &piped].map(|folder| Path::new(folder).join(&name));
            assert_eq!(text(&driven), text(&piped), "{files:?}");
        }
    }
}

#[test]
fn the_driver_gives_every_stage_what_is_told_of_externals() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "\
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  external :: solve
  call solve(x, y)
end subroutine p
";
    let specification = "\
[procedure.solve]
pure = true
arguments = [{ name = 'x', access = 'read' }, { name = 'y', access = 'write', depends = ['x'] }]
tangent = { name = 'solve_by_hand', arguments = ['x', 'y'] }
";
    std::fs::write(folder.path().join("p.f90"), source).expect("a source");
    std::fs::write(folder.path().join("solve.toml"), specification).expect("a specification");
    let refused = tool("oxad", &["tangent", "p.f90"], folder.path(), b"");
    assert_eq!(refused.status, Some(1), "{}", refused.err());
    assert!(refused.err().contains("p.f90:6:3: error[OX4250]"), "{}", refused.err());
    assert!(refused.err().contains("`x` is active"), "{}", refused.err());
    assert!(!folder.path().join("p_d.f90").exists());
    let arguments = ["tangent", "--externals", "solve.toml", "p.f90"];
    let run = tool("oxad", &arguments, folder.path(), b"");
    assert_eq!(run.status, Some(0), "{}", run.err());
    assert_eq!(run.err(), "");
    let written = text(&folder.path().join("p_d.f90"));
    assert!(written.contains("  call solve_by_hand(x, xd, y, yd)\n"), "{written}");
}
