//! Passes on the command line: `--list-passes`, `--without`, `--until`, `oxad check --bisect`.

use std::path::Path;

use oxad_tests::programs::{Finished, tool, workspace};

fn oxad(arguments: &[&str]) -> Finished {
    tool("oxad", arguments, workspace(), b"")
}

fn listed_by_stage() -> String {
    tool("xaif-reverse", &["--list-passes"], workspace(), b"").out()
}

#[test]
fn the_list_of_passes_is_one_screen_and_names_each_pass() {
    let run = oxad(&["adjoint", "--list-passes"]);
    let text = run.out();
    assert_eq!(run.status, Some(0), "{}", run.err());
    assert!(text.lines().count() < 45, "{text}");
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert!(["required", "optimisation"].contains(&words[1]), "{line}");
    }
    for name in ["xaif-tbr", "    recompute", "    reverse-flow", "  dead-code"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}: {text}");
    }
    // A stage prints its own part.
    for line in listed_by_stage().lines() {
        assert!(text.lines().any(|other| other.trim() == line.trim()), "{line}: {text}");
    }
}

#[test]
fn an_optimisation_is_left_out_and_a_required_pass_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("steps.f90");
    std::fs::write(&source, STEPS).expect("a file");
    let source = source.display().to_string();
    let folder = folder.path().display().to_string();
    let run = |more: &[&str]| {
        let arguments = ["adjoint", &source, "--head", "steps", "-o", &folder];
        let run = oxad(&[&arguments, more].concat());
        (run.status, run.err())
    };
    let text = || std::fs::read_to_string(Path::new(&folder).join("steps_b.f90")).expect("there");
    assert_eq!(run(&[]).0, Some(0));
    assert!(text().contains("call block_alloc("), "{}", text());
    assert_eq!(run(&["--without", "indexed-tape"]).0, Some(0));
    assert!(!text().contains("call block_alloc(") && text().contains("call push("), "{}", text());
    let (status, told) = run(&["--without", "reverse-flow"]);
    assert!(status == Some(1) && told.contains("error[OX0303]"), "{told}");
    let (status, told) = run(&["--without", "indexed-tapes"]);
    assert!(status == Some(1) && told.contains("error[OX0302]"), "{told}");
    assert!(told.contains("`indexed-tape`"), "{told}");
    // The derivatives are the same.
    let checked = oxad(&[
        "check",
        &source,
        "--head",
        "steps",
        "--mode",
        "adjoint",
        "--set",
        "n=5",
        "--without",
        "indexed-tape,dead-code,recompute,hoist-records,xaif-tbr",
    ]);
    assert_eq!(checked.status, Some(0), "{}{}", checked.out(), checked.err());
}

#[test]
fn a_run_stops_behind_a_pass_with_the_document_that_it_leaves() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("steps.f90");
    std::fs::write(&source, STEPS).expect("a file");
    let (source, output) = (source.display().to_string(), folder.path().join("out"));
    let to = output.display().to_string();
    let listed = || {
        let entries = std::fs::read_dir(&output).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> =
            names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let passes = listed_by_stage();
    let passes: Vec<&str> =
        passes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for pass in passes.iter().filter(|pass| **pass != "canonicalize") {
        let _ = std::fs::remove_dir_all(&output);
        let run =
            oxad(&["adjoint", &source, "--head", "steps", "-o", &to, "--until", pass, "--verify"]);
        assert_eq!(run.status, Some(0), "{pass}: {}", run.err());
        assert_eq!(listed(), [format!("adjoint-{pass}.xaif")]);
        let file = output.join(format!("adjoint-{pass}.xaif")).display().to_string();
        let shown = tool("xaif-show", &[&file], workspace(), b"");
        assert_eq!(shown.status, Some(0), "{pass}: {}", shown.err());
        let declared = shown.out().contains("steps_b");
        let before = ["mark-no-return", "check-bits", "activate-calls"].contains(pass);
        assert_eq!(declared, !before, "{pass}");
    }
}

#[test]
fn timings_and_saved_documents_include_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let run = oxad(&[
        "tangent",
        "oxad/tests/check/scalars.f90",
        "-o",
        &at("a"),
        "--save-stages",
        &at("s"),
        "--timings",
    ]);
    assert_eq!(run.status, Some(0), "{}", run.err());
    assert!(run.err().contains("\n  declare-derivatives "), "{}", run.err());
    let saved = folder.path().join("s/5-xaif-tangent/04-declare-derivatives.xaif");
    assert!(saved.exists(), "{}", run.err());
}

#[test]
fn bisection_tells_right_derivatives_from_those_that_no_optimisation_spoils() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("steps.f90");
    std::fs::write(&source, STEPS).expect("a file");
    let source = source.display().to_string();
    let run = oxad(&["check", &source, "--head", "steps", "--set", "n=5", "--bisect"]);
    assert_eq!(run.status, Some(0), "{}{}", run.out(), run.err());
    assert!(run.out().contains("nothing to bisect"), "{}", run.out());
    // A user's rule that is wrong.
    let rule = folder.path().join("rule.xaif");
    std::fs::write(&rule, WRONG_SINE).expect("a file");
    let rule = rule.display().to_string();
    let run = oxad(&[
        "check",
        &source,
        "--head",
        "steps",
        "--set",
        "n=5",
        "--bisect",
        "--intrinsics",
        &rule,
    ]);
    assert_eq!(run.status, Some(1), "{}{}", run.out(), run.err());
    assert!(run.out().contains("WRONG without any optimisation"), "{}", run.out());
}

/// A loop that records.
const STEPS: &str = "subroutine steps(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  real(8) :: s
  s = 1d0
  do i = 1, n
    s = s*sin(x(i))
    s = s*s + x(i)
  end do
  y = s
end subroutine steps
";

/// The derivative of the sine is the cosine, not twice the cosine.
const WRONG_SINE: &str = "<ii:InlinableIntrinsicDefinitions language=\"F95\"
    xmlns:ii=\"http://www.mcs.anl.gov/XAIFInlinableIntrinsics\"
    xmlns:xaif=\"http://www.mcs.anl.gov/XAIF\">
  <ii:InlinableIntrinsic name=\"sin_scal\" nr_arguments=\"1\">
    <ii:Function type=\"builtin\" builtin_name=\"sin\"/>
    <ii:Partial partial_id=\"1\">
      <xaif:Intrinsic vertex_id=\"1\" name=\"mul_scal_scal\"/>
      <xaif:Constant vertex_id=\"2\" type=\"integer\" value=\"2\"/>
      <xaif:Intrinsic vertex_id=\"3\" name=\"cos_scal\"/>
      <ii:ArgumentReference vertex_id=\"4\" argument=\"1\"/>
      <xaif:ExpressionEdge edge_id=\"1\" source=\"2\" target=\"1\" position=\"1\"/>
      <xaif:ExpressionEdge edge_id=\"2\" source=\"3\" target=\"1\" position=\"2\"/>
      <xaif:ExpressionEdge edge_id=\"3\" source=\"4\" target=\"3\" position=\"1\"/>
    </ii:Partial>
  </ii:InlinableIntrinsic>
</ii:InlinableIntrinsicDefinitions>
";
