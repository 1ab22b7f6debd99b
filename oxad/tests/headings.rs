//! The comment at the head of a derivative procedure.

use std::path::Path;
use std::process::Command;

const SOURCE: &str = "\
module field\n  implicit none\n  real(8) :: rate, total\n  real(8) :: passive\nend module field\n\
subroutine part(x, y)\n  use field\n  implicit none\n  real(8), intent(in) :: x\n  real(8), intent(inout) :: y\n  \
real(8) :: a, b\n  common /held/ a, b\n  real(8), save :: last = 0\n  y = y + rate*x*a + last\n  last = x\n  \
b = x*rate\n  total = x**2*passive\nend subroutine part\n\
subroutine top(x, y)\n  use field\n  implicit none\n  real(8), intent(in) :: x\n  real(8), intent(inout) :: y\n  \
real(8) :: c, d\n  common /held/ c, d\n  passive = 2\n  call part(x, y)\n  y = y*total*d\nend subroutine top\n";

/// Differentiates; gives the comments of the derivative, a line each.
fn comments(folder: &Path, mode: &[&str], files: &[&str], made: &str) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let out = command
        .args(mode)
        .args(files)
        .args(["-o", "out", "--no-banner"])
        .current_dir(folder)
        .output();
    let out = out.expect("oxad runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = std::fs::read_to_string(folder.join("out").join(made)).expect("a derivative");
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("! "));
    let joined: Vec<&str> = lines.collect();
    joined.join(" ").split_inclusive(". ").map(|text| text.trim().to_owned()).collect()
}

#[test]
fn a_heading_names_what_is_not_passed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.f90"), SOURCE).expect("written");
    let sides = ["--head", "top", "--independent", "x,rate,c", "--dependent", "y,d"];
    let told = comments(folder.path(), &[&["tangent"][..], &sides].concat(), &["p.f90"], "p_d.f90");
    assert_eq!(
        told,
        [
            "Tangent of part: derivative of y (yd), total (totald), b (bd) with respect to x (xd), \
             y (yd), rate (rated), a (ad).",
            "Tangent of top: derivative of y (yd), d (dd) with respect to x (xd), y (yd), rate (rated), \
             c (cd).",
        ]
    );
    let told = comments(folder.path(), &[&["adjoint"][..], &sides].concat(), &["p.f90"], "p_b.f90");
    assert!(
        told.contains(
            &"Adjoint of top: from the adjoints at exit of y (yb), d (db) to those at entry of x (xb), \
              y (yb), rate (rateb), c (cb)."
                .to_owned()
        ),
        "{told:?}"
    );
}

#[test]
fn a_second_derivative_has_one_heading() {
    let folder = tempfile::tempdir().expect("a folder");
    let source =
        SOURCE.replace("  use field\n", "  ! Adjoint of the flow, by hand.\n  use field\n");
    std::fs::write(folder.path().join("p.f90"), source).expect("written");
    comments(folder.path(), &["tangent", "--head", "top"], &["p.f90"], "p_d.f90");
    std::fs::rename(folder.path().join("out/p_d.f90"), folder.path().join("q.f90")).expect("moved");
    for (mode, title) in [("tangent", "Tangent"), ("adjoint", "Adjoint")] {
        let made = if mode == "tangent" { "q_d.f90" } else { "q_b.f90" };
        let told = comments(folder.path(), &[mode, "--head", "top_d"], &["q.f90", "p.f90"], made);
        let begins = |start: &str| told.iter().any(|text| text.starts_with(start));
        assert!(begins(&format!("{title} of top_d: ")), "{told:?}");
        assert!(begins("Adjoint of the flow, by hand."), "{told:?}");
        assert!(!begins("Tangent of part: ") && !begins("Tangent of top: "), "{told:?}");
    }
}

#[test]
fn procedures_that_nobody_calls_are_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let unused =
        "subroutine unused(x, y)\n  real(8) :: x, y\n  call part(x, y)\nend subroutine unused\n";
    std::fs::write(folder.path().join("p.f90"), format!("{SOURCE}{unused}")).expect("written");
    let split = ["adjoint", "--head", "top", "--split-all"];
    comments(folder.path(), &split, &["p.f90"], "p_b.f90");
    let made = std::fs::read_to_string(folder.path().join("out/p_b.f90")).expect("a derivative");
    let procedures: Vec<&str> = made
        .lines()
        .filter_map(|line| line.strip_prefix("subroutine "))
        .filter_map(|line| line.split('(').next())
        .collect();
    assert_eq!(procedures, ["part_fwd", "part_bwd", "top_b"], "{made}");
}
