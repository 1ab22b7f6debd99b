//! Rules of the standard on order and uniqueness: what breaks one is an error with a code and a place.

mod common;

use common::complaints;

/// The complaints about these lines of a subroutine; the first of them is line 5.
fn of(lines: &str) -> Vec<String> {
    complaints(&format!(
        "subroutine s(n, x)\nimplicit none\ninteger, intent(in) :: n\nreal, intent(inout) :: x\n\
         {lines}\nx = x\nend subroutine\n"
    ))
}

#[track_caller]
fn refuses(lines: &str, complaint: &str) {
    assert_eq!(of(lines), [complaint], "{lines}");
}

#[test]
fn else_ends_the_branches_of_an_if() {
    refuses("if (n > 1) then\nelse\nelse\nend if", "OX1014 7:1");
    refuses("if (n > 1) then\nelse\nelse if (n > 2) then\nend if", "OX1014 7:1");
    refuses("do\nif (n > 1) then\nelse\nexit\nelse\nend if\nend do", "OX1014 9:1");
    assert_eq!(
        of("if (n > 1) then\nelse if (n > 0) then\nelse if (n < 0) then\nelse\nend if"),
        [""; 0]
    );
}

#[test]
fn elsewhere_without_a_mask_ends_the_branches_of_a_where() {
    let masked = |branches: &str| {
        format!("block\nreal a(3)\na = x\nwhere (a > 1)\na = 1\n{branches}\nend where\nend block")
    };
    refuses(&masked("elsewhere\na = 2\nelsewhere\na = 3"), "OX1014 12:1");
    refuses(&masked("elsewhere\na = 2\nelsewhere (a > 2)\na = 3"), "OX1014 12:1");
    assert_eq!(of(&masked("elsewhere (a > 2)\na = 3\nelsewhere\na = 2")), [""; 0]);
}

#[test]
fn each_value_belongs_to_one_case() {
    let cases = |cases: &str| format!("select case (n)\n{cases}\nend select");
    refuses(&cases("case (1:3)\ncase (2)"), "OX1014 7:7");
    refuses(&cases("case (1)\ncase (5, 1)"), "OX1014 7:10");
    refuses(&cases("case (:0)\ncase (4:)\ncase (-7:-5)"), "OX1014 8:7");
    refuses(&cases("case default\ncase default"), "OX1164 7:1");
    assert_eq!(of(&cases("case (4:)\ncase (1, 3)\ncase (2)\ncase (:0)\ncase (9:8)")), [""; 0]);
}

#[test]
fn names_of_constructs_are_repeated() {
    refuses("a: if (n > 1) then\nend if b", "OX1010 6:8");
    refuses("a: do\nexit\nend do", "OX1010 7:1");
    refuses("do\nexit\nend do b", "OX1010 7:8");
    refuses("a: if (n > 1) then\nelse b\nend if a", "OX1010 6:6");
    refuses("a: select case (n)\ncase (1) b\nend select a", "OX1010 6:10");
    refuses("a: block\nend block", "OX1010 6:1");
    assert_eq!(of("a: if (n > 1) then\nelse a\nelse if (n > 2) then\nend if a"), ["OX1014 7:1"]);
}

#[test]
fn exit_and_cycle_stand_in_a_loop() {
    refuses("exit", "OX1163 5:1");
    refuses("block\nif (n > 1) cycle\nend block", "OX1163 6:12");
}

#[test]
fn the_parts_of_a_specification_have_an_order() {
    refuses("use iso_c_binding", "OX1015 5:1");
    refuses("implicit real (a-h)", "OX1015 5:1");
    refuses("x = 1\nreal z", "OX1110 6:1");
    assert_eq!(complaints("subroutine s\nimplicit none\nimplicit none\nend\n"), ["OX1015 3:1"]);
    assert_eq!(complaints("subroutine s\nreal x\nimplicit integer (i)\nend\n"), ["OX1015 3:1"]);
    assert_eq!(
        complaints("subroutine s\nparameter (i = 3)\nimplicit real (a)\nimplicit real (b)\nend\n"),
        [""; 0]
    );
}

#[test]
fn an_attribute_is_said_once() {
    refuses("real, save, save :: z", "OX1016 5:1");
    refuses("real, dimension(3) :: z\ndimension z(3)", "OX1016 6:11");
    refuses("intent(in) x", "OX1016 5:12");
    refuses("common /c/ z\ncommon /d/ z\nreal z", "OX1016 6:12");
    refuses("real z\nreal z", "OX1105 6:6");
    assert_eq!(of("real, dimension(3) :: z(4)\nreal w\nsave w\nsave w"), [""; 0]);
}

#[test]
fn attributes_that_exclude_each_other_are_refused() {
    refuses("real, allocatable, pointer :: z(:)", "OX1016 5:1");
    refuses("real, target :: z\npointer z", "OX1016 6:9");
    refuses("parameter (x = 3)", "OX1016 5:12");
    refuses("real, parameter :: z", "OX1016 5:20");
}

#[test]
fn some_attributes_belong_to_dummy_arguments() {
    refuses("real, intent(in) :: z", "OX1016 5:21");
    refuses("real, optional :: z", "OX1016 5:19");
    refuses("save x\ncommon x", "OX1016 6:8");
    refuses("block\nreal, value :: z\nend block", "OX1016 6:16");
    let entry =
        "subroutine s(x)\nreal, intent(in) :: x, y\nprint *, x\nentry e(y)\nend subroutine\n";
    assert_eq!(complaints(entry), [""; 0]);
}

#[test]
fn a_type_is_made_of_types_that_are_complete() {
    refuses("type t\ntype(t) :: o\nend type", "OX1017 6:1");
    refuses("type t\nclass(t) :: o\nend type", "OX1017 6:1");
    refuses("type, extends(t) :: t\nend type", "OX1017 5:15");
    let circle = "type a\ntype(b) :: o\nend type\ntype b\ntype(a) :: o\nend type";
    refuses(circle, "OX1017 6:1");
    assert_eq!(of("type t\ntype(t), pointer :: o\nclass(t), allocatable :: p\nend type"), [""; 0]);
}

#[test]
fn the_statements_of_a_type_stand_once_and_in_order() {
    refuses("type t\nreal a\nprivate\nend type", "OX1015 7:1");
    refuses("type t\nsequence\nsequence\nreal a\nend type", "OX1015 7:1");
    refuses("type t\nreal a\ninteger a\nend type", "OX1105 7:9");
    refuses("type t\nreal, allocatable, allocatable :: a\nend type", "OX1016 6:1");
    refuses("type t\nreal a\nend type\ntype t\nreal b\nend type", "OX1105 8:6");
    assert_eq!(of("type t\nsequence\nreal a\nend type"), [""; 0]);
}
