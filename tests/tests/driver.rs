//! `oxad tangent` and `oxad adjoint` against the pipe of binaries, byte for byte: the files, and the
//! document behind each stage.

use std::path::Path;

use oxad_tests::programs::{tool, workspace};

/// A command of the driver, and the stages between front end and back end in its order.
type Pipeline = (&'static str, &'static [&'static str]);

const TANGENT: Pipeline =
    ("tangent", &["xaif-sideeffects", "xaif-activity", "xaif-canonicalize", "xaif-tangent"]);

const ADJOINT: Pipeline = (
    "adjoint",
    &[
        "xaif-sideeffects",
        "xaif-activity",
        "xaif-canonicalize",
        "xaif-liveness",
        "xaif-recover",
        "xaif-tbr",
        "xaif-reverse",
    ],
);

const WITHOUT_TBR: Pipeline = (
    "adjoint",
    &["xaif-sideeffects", "xaif-activity", "xaif-canonicalize", "xaif-liveness", "xaif-reverse"],
);

/// Files of a program, the options of the activity stage, and those of the last stage.
type Program = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

const TANGENTS: [Program; 5] = [
    (&["examples/spread.f90"], &[], &[]),
    (&["examples/spread.f90"], &["--head", "spread_of", "--dependent", "spread"], &[]),
    (&["oxad/tests/check/state.f90"], &[], &["--suffix-variable", "_tl"]),
    (&["oxad/tests/check/scalars.f90"], &["--independent", "a,c"], &["--directions", "3"]),
    (&["oxad/tests/check/shapes.f90", "oxad/tests/check/scalars.f90"], &["--head", "shapes"], &[]),
];

const ADJOINTS: [Program; 4] = [
    (&["oxad/tests/check/scalars.f90"], &["--independent", "a,c"], &[]),
    (&["oxad/tests/check/state.f90"], &[], &["--adjoint-variable", "_ad"]),
    (&["examples/spread.f90"], &[], &["--adjoint-procedure", "_adj"]),
    (&["oxad/tests/check/state.f90"], &[], &["--split-all"]),
];

/// Words for local Jacobians, and those of their stage.
type Local = (&'static [&'static str], &'static [&'static str]);

const LOCAL: [Local; 3] = [
    (&["--preaccumulate"], &[]),
    (
        &["--preaccumulate=hs,lm,reverse", "--always", "--technique", "edge"],
        &["--heuristic", "hs,lm,reverse", "--always", "--technique", "edge"],
    ),
    (&["--preaccumulate", "--always", "--store", "operands"], &["--always", "--store", "operands"]),
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

/// The driver writes what the pipe writes, and keeps the documents that go through it.
fn compare(pipeline: Pipeline, program: Program) {
    compare_with(pipeline, program, None);
}

/// As [`compare`], with the stage for local Jacobians behind that for the canonical form.
fn compare_with((command, stages): Pipeline, program: Program, local: Option<Local>) {
    let (files, activity, last) = program;
    let mut stages = stages.to_vec();
    let canonical = stages.iter().position(|stage| *stage == "xaif-canonicalize");
    if let (Some(_), Some(at)) = (local, canonical) {
        stages.insert(at + 1, "xaif-preaccumulate");
    }
    let (words, of_stage) = local.unwrap_or_default();
    // A tangent tells it in how many directions.
    let directed: &[&str] = match command {
        "tangent" if last.contains(&"--directions") => last,
        "tangent" => &["--directions", "1"],
        _ => &[],
    };
    let of_stage = [of_stage, directed].concat();
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (driven, saved) = (at("driven"), at("stages"));
    let mut arguments = vec![command, "-o", &driven, "--save-stages", &saved, "--no-banner"];
    arguments.extend((command == "adjoint").then_some("--no-runtime"));
    let no_tbr = command == "adjoint" && !stages.contains(&"xaif-tbr");
    arguments.extend(no_tbr.then_some(["--without", "xaif-tbr"]).into_iter().flatten());
    arguments.extend(files.iter().chain(activity).chain(last).chain(words));
    let run = tool("oxad", &arguments, workspace(), b"");
    assert_eq!(run.status, Some(0), "{files:?}: {}", run.err());

    let mut document = tool("f2xaif", files, workspace(), b"");
    assert_eq!(document.stdout, text(Path::new(&at("stages/1-f2xaif.xaif"))).as_bytes());
    for (index, stage) in stages.iter().enumerate() {
        let options = match *stage {
            "xaif-activity" => activity,
            "xaif-canonicalize" if command == "adjoint" => &["--constructs"],
            "xaif-liveness" | "xaif-recover" | "xaif-tbr" if last == ["--split-all"] => last,
            "xaif-tangent" | "xaif-reverse" => last,
            "xaif-preaccumulate" => &of_stage,
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

#[test]
fn the_driver_writes_the_tangents_that_the_pipe_writes() {
    TANGENTS.into_iter().for_each(|program| compare(TANGENT, program));
}

#[test]
fn the_driver_writes_the_adjoints_that_the_pipe_writes() {
    ADJOINTS.into_iter().for_each(|program| compare(ADJOINT, program));
    ADJOINTS.into_iter().for_each(|program| compare(WITHOUT_TBR, program));
}

#[test]
fn the_driver_accumulates_local_jacobians_as_the_pipe_does() {
    for (local, number) in LOCAL.into_iter().zip(0..) {
        compare_with(TANGENT, TANGENTS[3 - number], Some(local));
        compare_with(ADJOINT, ADJOINTS[number], Some(local));
    }
}

#[test]
fn both_writes_what_each_writes_alone_and_the_runtime_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let source = "oxad/tests/check/scalars.f90";
    for command in ["tangent", "adjoint", "both"] {
        let arguments = [command, source, "-o", &at(command), "--no-banner"];
        let run = tool("oxad", &arguments, workspace(), b"");
        assert_eq!(run.status, Some(0), "{}", run.err());
    }
    let runtime = ["oxad_tape.f90", "oxad_tape_chunks.c"];
    assert_eq!(listed(Path::new(&at("tangent"))), ["scalars_d.f90"]);
    assert_eq!(listed(Path::new(&at("adjoint"))), [runtime[0], runtime[1], "scalars_b.f90"]);
    let all = [runtime[0], runtime[1], "scalars_b.f90", "scalars_d.f90"];
    assert_eq!(listed(Path::new(&at("both"))), all);
    for name in runtime {
        let original = text(&workspace().join("backends/runtime").join(name));
        assert_eq!(text(&Path::new(&at("both")).join(name)), original);
    }
    for (command, name) in [("tangent", "scalars_d.f90"), ("adjoint", "scalars_b.f90")] {
        let alone = text(&Path::new(&at(command)).join(name));
        assert_eq!(text(&Path::new(&at("both")).join(name)), alone);
    }
}

#[test]
fn what_adjoint_writes_compiles_runtime_first_then_in_sorted_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().display().to_string();
    let files = ["oxad/tests/check/scalars.f90", "oxad/tests/check/state.f90"];
    let arguments = ["adjoint", files[0], files[1], "--head", "scalars,state", "-o", &output];
    let run = tool("oxad", &arguments, workspace(), b"");
    assert_eq!(run.status, Some(0), "{}", run.err());
    let mut gfortran = std::process::Command::new("gfortran");
    let sources = files.map(|file| workspace().join(file));
    gfortran.args(["-c", "-w"]).args(["oxad_tape_chunks.c", "oxad_tape.f90"]);
    gfortran.args(sources).args(["scalars_b.f90", "state_b.f90"]).current_dir(&output);
    let compiled = gfortran.output().expect("the compiler can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
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
