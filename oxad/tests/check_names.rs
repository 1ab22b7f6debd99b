//! Heads and variables keep their names in the driver of a check, whatever the driver calls its own parts.

use std::process::Command;

/// A subroutine with an allocatable result, so that the driver uses all of its parts.
fn source(head: &str, variable: &str) -> String {
    format!(
        "subroutine {head}({variable}, y)\n  real(8), intent(in) :: {variable}(2)\n  \
         real(8), allocatable, intent(out) :: y(:)\n  \
         allocate(y(2))\n  y = {variable}*sin({variable}(1))\nend subroutine {head}\n"
    )
}

#[test]
fn a_head_may_have_any_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = [
        ("turn", "draw"),
        ("draw", "bounds"),
        ("span", "mode"),
        ("label", "span"),
        ("put", "shaped"),
        ("weigh", "direction"),
        ("aim", "i1"),
        ("start", "oxad_draw"),
        ("mode", "turn"),
        ("shaped", "value"),
        ("about", "label"),
        ("value", "put"),
        ("direction", "about"),
    ];
    for (head, variable) in names {
        // The interface of the head is explicit in a module.
        let text = format!(
            "module of_{head}\n  implicit none\ncontains\n{}end module of_{head}\n",
            source(head, variable)
        );
        let file = folder.path().join(format!("{head}.f90"));
        std::fs::write(&file, text).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
        command.arg("check").arg(&file).args(["--mode", "both"]);
        let run = command.output().expect("oxad runs");
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{head}, {variable}: {told}");
    }
}

#[test]
fn an_external_head_may_have_any_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for head in
        ["turn", "tools", "draw", "span", "label", "put", "mode", "weigh", "bounds", "direction"]
    {
        let text = format!(
            "subroutine {head}(x, y)\n  real(8), intent(in) :: x\n  real(8), intent(out) :: y\n  \
             y = x*x\nend subroutine {head}\n"
        );
        let file = folder.path().join(format!("{head}.f90"));
        std::fs::write(&file, text).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
        let run = command.arg("check").arg(&file).output().expect("oxad runs");
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{head}: {told}");
    }
}
