//! `oxad tangent` as a user meets it, and its derivatives under `oxad check`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn case(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check").join(name).display().to_string()
}

fn oxad(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad")).args(arguments).output().expect("oxad runs")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names of the files in `folder`; none where there is no folder.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.file_name().into()).collect();
    names.sort();
    names
}

#[test]
fn each_source_has_a_file_with_its_tangent() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new/folder");
    let files = [case("scalars.f90"), case("shapes.f90")];
    let run = oxad(&[
        "tangent",
        &files[0],
        &files[1],
        "--head",
        "scalars,shapes",
        "-o",
        out.to_str().expect("UTF-8"),
    ]);
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    assert_eq!(listed(&out), [Path::new("scalars_d.f90"), Path::new("shapes_d.f90")]);
}

#[test]
fn generated_tangents_pass_the_check() {
    let cases: [(&str, &[&str]); 7] = [
        ("bodies.f90", &["--set", "b%parts:4", "--set", "speeds:3,4"]),
        ("directives.f90", &[]),
        ("scalars.f90", &["--set", "k=3", "--set", "flag=.true."]),
        ("scalars.f90", &["--set", "k=3", "--directions", "2"]),
        ("state.f90", &["--set", "n=3", "--set", "table:4", "--set", "order=2"]),
        ("shapes.f90", &["--set", "a:3,4", "--set", "b:4"]),
        (
            "complexes.f90",
            &["--head", "complexes", "--set", "n=3", "--set", "w:3", "--set", "f=weight"],
        ),
    ];
    for (name, arguments) in cases {
        let file = case(name);
        let run = oxad(&[&["check", &file], arguments].concat());
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(run.status.code(), Some(0), "{name}: {text}{}", err(&run));
        assert!(text.contains("\ngood: "), "{text}");
    }
}

#[test]
fn directives_tell_what_is_independent() {
    let run = oxad(&["check", &case("directives.f90")]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let role = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    assert!(role("x ").ends_with("independent"), "{text}");
    assert!(!role("z ").contains("independent"), "{text}");
}

#[test]
fn a_kept_tangent_that_is_tampered_with_is_found_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept").display().to_string();
    let source = case("scalars.f90");
    let set = ["--set", "k=3", "--set", "flag=.true."];
    let run = oxad(&[&["check", &source, "--keep", &kept], &set[..]].concat());
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let path = Path::new(&kept).join("scalars_d.f90");
    let text = std::fs::read_to_string(&path).expect("the tangent is kept");
    assert!(text.contains("*ad + bd"), "{text}");
    std::fs::write(&path, text.replace("*ad + bd", "*ad - bd")).expect("written");
    let tampered = path.to_str().expect("UTF-8");
    let run = oxad(&[&["check", &source, "--derivative", tampered], &set[..]].concat());
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&run.stdout).contains("\nWRONG: "));
}

#[test]
fn an_error_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.f90");
    std::fs::write(&bad, "subroutine bad(x)\n  real :: x\n  x = (x\nend\n").expect("written");
    let out = folder.path().join("out");
    let bad = bad.to_str().expect("UTF-8");
    let run = oxad(&["tangent", &case("scalars.f90"), bad, "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(run.status.code(), Some(1));
    assert!(err(&run).contains("bad.f90:3:"), "{}", err(&run));
    assert!(listed(&out).is_empty());
    // One of two files cannot take its place: the other one is not written either.
    std::fs::create_dir_all(out.join("shapes_d.f90")).expect("a folder in the way");
    let run = oxad(&[
        "tangent",
        &case("scalars.f90"),
        &case("shapes.f90"),
        "--head",
        "scalars,shapes",
        "-o",
        out.to_str().expect("UTF-8"),
    ]);
    assert_eq!(run.status.code(), Some(1), "{}", err(&run));
    assert!(err(&run).contains("error[OX0002]"), "{}", err(&run));
    assert_eq!(listed(&out), [Path::new("shapes_d.f90")]);
}

#[test]
fn sources_are_never_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("scalars.f90");
    std::fs::copy(case("scalars.f90"), &source).expect("copied");
    let inside = folder.path().to_str().expect("UTF-8");
    let run = oxad(&[
        "tangent",
        source.to_str().expect("UTF-8"),
        "-o",
        inside,
        "--suffix-procedure",
        "_d",
    ]);
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let generated = folder.path().join("scalars_d.f90");
    // Together with what was generated from it, it would be generated again.
    let run = oxad(&[
        "tangent",
        source.to_str().expect("UTF-8"),
        generated.to_str().expect("UTF-8"),
        "--head",
        "scalars",
        "-o",
        inside,
    ]);
    assert_eq!(run.status.code(), Some(1), "{}", err(&run));
}

#[test]
fn a_document_is_input_too_but_not_beside_sources() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (source, keep) = (case("scalars.f90"), at("s"));
    let run = oxad(&["tangent", &source, "-o", &at("a"), "--no-banner", "--save-stages", &keep]);
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let document = at("s/1-f2xaif.xaif");
    let run = oxad(&["tangent", &document, "-o", &at("b"), "--no-banner"]);
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let [a, b] = ["a", "b"].map(|name| std::fs::read(at(name) + "/scalars_d.f90").expect("there"));
    assert_eq!(a, b);
    let run = oxad(&["check", &document, "--set", "k=3"]);
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let run = oxad(&["tangent", &document, &case("scalars.f90"), "-o", &at("c")]);
    assert_eq!(run.status.code(), Some(1));
    assert!(err(&run).contains("error[OX5000]"), "{}", err(&run));
}

#[test]
fn timings_are_a_table_on_standard_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let run = oxad(&["tangent", &case("scalars.f90"), "-o", out, "--timings"]);
    let table = err(&run);
    for stage in ["f2xaif", "xaif-sideeffects", "xaif-activity", "xaif-tangent", "xaif2f", "all"] {
        assert!(table.lines().any(|line| line.starts_with(stage)), "{stage}: {table}");
    }
    let run = oxad(&[
        "tangent",
        &case("scalars.f90"),
        "-o",
        out,
        "--no-activity",
        "--without",
        "xaif-sideeffects",
        "--timings",
    ]);
    assert!(!err(&run).contains("xaif-activity"), "{}", err(&run));
    assert!(!err(&run).contains("xaif-sideeffects"), "{}", err(&run));
}

/// A catalogue in which the derivative of the sine is PARTIAL times the cosine.
fn sine(partial: &str) -> String {
    format!(
        "<ii:InlinableIntrinsicDefinitions language=\"F95\"
            xmlns:ii=\"http://www.mcs.anl.gov/XAIFInlinableIntrinsics\"
            xmlns:xaif=\"http://www.mcs.anl.gov/XAIF\">
          <ii:InlinableIntrinsic name=\"sin_scal\" nr_arguments=\"1\">
            <ii:Function type=\"builtin\" builtin_name=\"sin\"/>
            <ii:Partial partial_id=\"1\">
              <xaif:Intrinsic vertex_id=\"1\" name=\"mul_scal_scal\"/>
              <xaif:Constant vertex_id=\"2\" type=\"integer\" value=\"{partial}\"/>
              <xaif:Intrinsic vertex_id=\"3\" name=\"cos_scal\"/>
              <ii:ArgumentReference vertex_id=\"4\" argument=\"1\"/>
              <xaif:ExpressionEdge edge_id=\"1\" source=\"2\" target=\"1\" position=\"1\"/>
              <xaif:ExpressionEdge edge_id=\"2\" source=\"3\" target=\"1\" position=\"2\"/>
              <xaif:ExpressionEdge edge_id=\"3\" source=\"4\" target=\"3\" position=\"1\"/>
            </ii:Partial>
          </ii:InlinableIntrinsic>
        </ii:InlinableIntrinsicDefinitions>"
    )
}

#[test]
fn a_users_catalogue_is_used_and_a_wrong_one_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("wave.f90");
    let text = "subroutine wave(x, y)\n  implicit none\n  real(8), intent(in) :: x\n  \
        real(8), intent(out) :: y\n  y = sin(x)*x\nend subroutine wave\n";
    std::fs::write(&source, text).expect("written");
    for (partial, status) in [("1", 0), ("3", 1)] {
        let catalogue = folder.path().join("catalogue.xaif");
        std::fs::write(&catalogue, sine(partial)).expect("written");
        let [source, catalogue] =
            [&source, &catalogue].map(|path| path.to_str().expect("UTF-8").to_owned());
        let run = oxad(&["check", &source, "--intrinsics", &catalogue]);
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(run.status.code(), Some(status), "{text}{}", err(&run));
        let verdict = if status == 0 { "\ngood: " } else { "\nWRONG: " };
        assert!(text.contains(verdict), "{text}");
    }
}

#[test]
fn a_catalogue_that_makes_no_sense_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let catalogue = folder.path().join("catalogue.xaif");
    std::fs::write(&catalogue, sine("1").replace("cos_scal", "no_such")).expect("written");
    let catalogue = catalogue.to_str().expect("UTF-8");
    let run = oxad(&["tangent", &case("scalars.f90"), "--intrinsics", catalogue]);
    assert_eq!(run.status.code(), Some(1));
    assert!(err(&run).contains("catalogue.xaif:"), "{}", err(&run));
}

/// What `oxad tangent` says of a source, and the derivative if there is one.
fn tangent_of(name: &str, source: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, source).expect("a source");
    let out = folder.path().join("out");
    let run = oxad(&["tangent", file.to_str().expect("UTF-8"), "-o", out.to_str().expect("UTF-8")]);
    let made = listed(&out).iter().map(|name| std::fs::read_to_string(out.join(name))).collect();
    let text: Result<Vec<String>, _> = made;
    (err(&run), text.expect("a derivative").concat())
}

#[test]
fn a_directive_without_effect_is_told() {
    let (said, made) = tangent_of(
        "told.f",
        "      SUBROUTINE P(X, Y)\n      REAL*8 X, Y\nC$OXAD INDEPENDANT(X)\nC$AD II-LOOP\n\
         CADJ STORE X = TAPE\n      Y = X*X\n      END\n",
    );
    for start in [
        "told.f:3:1: warning[OX1112]",
        "told.f:4:1: warning[OX1113]",
        "told.f:5:1: warning[OX1113]",
    ] {
        assert!(said.contains(start), "{said}");
    }
    assert!(said.contains("write `!$oxad independent`"), "{said}");
    assert!(!made.is_empty());
}

#[test]
fn sizes_behind_names_are_those_of_the_derivative() {
    let source = "      SUBROUTINE P(X, Y)\n      REAL X*8(2), Y*8, S\n      REAL T*8 /2.0/\n      S = 2\n      Y = T*X(1)*X(2)*S\n      END\n";
    let (said, made) = tangent_of("sized.f", source);
    assert_eq!(said, "");
    assert!(made.contains("real(8) :: X(2), XD(2), Y, YD"), "{made}");
    assert!(made.contains("real(8) :: T"), "{made}");
}

#[test]
fn an_allocation_that_is_not_understood_is_refused_with_its_place() {
    let source = "subroutine p(x, y)\n  real(8), intent(in) :: x\n  real(8), intent(out) :: y\n  \
                  real(8), allocatable :: w(:)\n  allocate(w(1))\n  w = x\n  y = w(1)**2\n  \
                  deallocate(w, async=3)\nend subroutine\n";
    let (said, made) = tangent_of("queue.f90", source);
    assert!(said.contains("queue.f90:8:3: error[OX4253]"), "{said}");
    assert_eq!(made, "");
}

#[test]
fn invalid_fortran_is_refused_in_the_source() {
    let lines = "subroutine p(x, y)\n  real(8), intent(in) :: x\n  real(8), intent(out) :: y\n";
    for (rest, start) in [
        (
            "  if (x > 1) then\n    y = x\n  else\n    y = 2*x\n  else\n    y = 3*x\n  end if\n",
            "wrong.f90:8:3: error[OX1014]",
        ),
        (
            "  type t\n    type(t) :: o\n    real(8) :: a\n  end type\n  type(t) :: z\n  y = x\n",
            "wrong.f90:5:5: error[OX1017]",
        ),
        ("  y = x\n  real(8) :: z\n", "wrong.f90:5:3: error[OX1110]"),
    ] {
        let (said, made) = tangent_of("wrong.f90", &format!("{lines}{rest}end subroutine\n"));
        assert!(said.contains(start), "{start}\n{said}");
        assert_eq!(made, "");
    }
}
