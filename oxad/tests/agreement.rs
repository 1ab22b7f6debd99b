//! Mistakes of a program that its derivative would repeat: arguments that do not fit, values that are not there.

use std::process::Command;

/// What `oxad MODE` says of a source, a line each: severity and code with the place, in the order of the text.
fn said(mode: &[&str], source: &str) -> (Vec<String>, bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("t.f90");
    std::fs::write(&file, source).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let out = command.args(mode).arg(&file).arg("-o").arg(folder.path().join("out")).output();
    let out = out.expect("oxad runs");
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    let found = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("t.f90:")?;
        let (place, rest) = rest.split_once(": ")?;
        let (what, _) = rest.split_once("]: ")?;
        Some(format!("{what}] {place}"))
    });
    (found.collect(), out.status.success())
}

const MODES: [&[&str]; 5] = [
    &["tangent", "--head", "top"],
    &["tangent", "--head", "top", "--directions", "2"],
    &["adjoint", "--head", "top"],
    &["adjoint", "--head", "top", "--split-all"],
    &["both", "--head", "top"],
];

#[track_caller]
fn refused(source: &str, wanted: &[&str]) {
    for mode in MODES {
        assert_eq!(said(mode, source), (strings(wanted), false), "{mode:?}\n{source}");
    }
}

#[track_caller]
fn accepted(source: &str, wanted: &[&str]) {
    for mode in MODES {
        assert_eq!(said(mode, source), (strings(wanted), true), "{mode:?}\n{source}");
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// A head that calls an external procedure.
fn calling(call: &str, procedure: &str) -> String {
    format!(
        "subroutine top(x, y, n)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\n\
         real(8), intent(out) :: y\nreal(8) :: w(8)\nreal(4) :: r(8)\nw = x(1)\nr = real(x(1))\ny = w(2)\n\
         {call}\ny = y*w(1)*r(1)\nend subroutine\n{procedure}\n"
    )
}

#[test]
fn a_derivative_that_lacks_an_argument_is_refused() {
    let procedure = "subroutine s(a, b)\nreal(8) :: a(*), b\na(1) = a(1)**2\nif (a(1) > 1d9) b = 1\nend subroutine";
    refused(&calling("call s(w)", procedure), &["warning[OX1153] 10:1", "error[OX4258] 10:1"]);
    let function = "real(8) function f(a, k)\nreal(8) :: a\ninteger :: k\nf = a**2\nif (a > 1d9) f = k\nend function";
    let call = "y = f(x(1))";
    let source = calling(call, function).replace("real(4) :: r", "real(8) :: f\nreal(4) :: r");
    refused(&source, &["warning[OX1153] 11:5", "error[OX4258] 11:1"]);
}

#[test]
fn a_derivative_of_another_kind_is_refused() {
    let procedure = "subroutine s(a, b)\nreal(8) :: a(*), b\na(1) = a(1)*b\nend subroutine";
    let call = "call s(r, y)";
    refused(&calling(call, procedure), &["warning[OX1158] 10:8", "error[OX4258] 10:1"]);
}

#[test]
fn calls_without_derivative_may_be_wrong() {
    let procedure = "subroutine s(a, b)\ninteger :: a, b\na = 1\nend subroutine";
    let call = "i = 0\ncall s(i)";
    accepted(&calling(call, procedure), &["warning[OX1153] 11:1"]);
    // Workspace of another type.
    let procedure = "subroutine s(a, k)\nreal(8) :: a(*)\ninteger :: k(*)\nk(1) = 1\na(1) = a(1)**2\nend subroutine";
    accepted(&calling("call s(w, r(5))", procedure), &["warning[OX1158] 10:11"]);
    let procedure = "subroutine s(a)\nreal(8) :: a(*)\na(1) = a(1)**2\nend subroutine";
    accepted(&calling("call s(w(1), y)", procedure), &["warning[OX1153] 10:14"]);
}

#[test]
fn an_explicit_interface_is_obeyed() {
    let procedure = "module m\ncontains\nsubroutine s(a)\nreal(8) :: a(:)\na(1) = a(1)**2\nend subroutine\nend module";
    let using = |call: &str| calling(call, procedure).replace("y, n)", "y, n)\nuse m");
    accepted(&using("call s(w)"), &[]);
    refused(&using("call s(r)"), &["error[OX1158] 11:8"]);
    refused(&using("call s(w(1))"), &["error[OX1159] 11:8"]);
    refused(&using("call s()"), &["error[OX1153] 11:1"]);
}

#[test]
fn arguments_that_are_changed_are_variables() {
    let procedure = "subroutine s(a, b)\nreal(8) :: a, b\na = a**2\nb = b + a\nend subroutine";
    for (argument, place) in [("2*w(1)", "10:9"), ("(w(1))", "10:9"), ("x(1)", "10:8")] {
        let call = format!("call s({argument}, y)");
        refused(&calling(&call, procedure), &[&format!("error[OX4061] {place}")]);
    }
    // A copy in between, and what is not changed.
    accepted(&calling("w(2) = 2*w(1)\ncall s(w(2), y)", procedure), &[]);
    let reads = "subroutine s(a, b)\nreal(8) :: a, b\nb = b + a\nend subroutine";
    accepted(&calling("call s(2*w(1), y)", reads), &[]);
    // Beyond a call, and without a derivative.
    let deep = "subroutine s(a, b)\nreal(8) :: a, b\ncall t(a)\nb = b + a\nend subroutine\n\
                subroutine t(c)\nreal(8) :: c\nc = c**2\nend subroutine";
    refused(&calling("call s(2*w(1), y)", deep), &["error[OX4061] 10:9"]);
    // A change that a condition may exclude.
    let asked =
        "subroutine s(a, b)\nreal(8) :: a, b\nif (b > 1d3) a = a**2\nb = b + a\nend subroutine";
    accepted(&calling("call s(2*w(1), y)", asked), &["warning[OX4061] 10:9"]);
    let counts =
        "subroutine s(k, b)\ninteger :: k\nreal(8) :: b\nk = k + 1\nb = b*k\nend subroutine";
    accepted(&calling("call s(3, y)", counts), &["warning[OX4061] 10:8"]);
    accepted(&calling("call s(n, y)", counts), &["warning[OX4061] 10:8"]);
}

#[test]
fn intents_are_obeyed_where_the_interface_tells_them() {
    let procedure = "module m\ncontains\nsubroutine s(a)\nreal(8), intent(inout) :: a(2)\na(1) = a(1)**2\n\
                     end subroutine\nend module";
    let using = |call: &str| calling(call, procedure).replace("y, n)", "y, n)\nuse m");
    accepted(&using("call s(w)"), &[]);
    accepted(&using("call s(w(:3:2))"), &[]);
    refused(&using("call s(2*w(:2))"), &["error[OX1166] 11:9"]);
    refused(&using("call s((w))"), &["error[OX1166] 11:9"]);
    refused(&using("call s([1d0, w(2)])"), &["error[OX1166] 11:8"]);
    refused(&using("call s(x)"), &["error[OX1166] 11:8"]);
    refused(&using("call s(w([1, 3]))"), &["error[OX1166] 11:8"]);
    // The interface is implicit.
    let outside = "subroutine s(a)\nreal(8), intent(out) :: a\na = 3\nend subroutine";
    accepted(&calling("call s(2d0)", outside), &["warning[OX1166] 10:8", "warning[OX4061] 10:8"]);
}

#[test]
fn what_is_intent_in_is_not_changed() {
    let refused = |declarations: &str, statements: &str, place: &str| {
        refused(&body(declarations, statements), &[&format!("error[OX1166] {place}")]);
    };
    refused("", "x(1) = 2\ny = x(1)", "6:1");
    refused("", "read (*, *) x\ny = x(1)", "6:13");
    refused("", "call random_number(x)\ny = x(1)", "6:20");
    refused("", "do n = 1, 2\ny = x(1)\nend do", "6:4");
    refused("", "where (x > 1) x = 1\ny = x(1)", "6:15");
    refused("", "associate (z => x)\nz(1) = 2\nend associate\ny = x(1)", "7:1");
    // The target of a pointer is another variable.
    let pointers = "subroutine top(x, p, c, y, n)\nuse types\ninteger, intent(in) :: n\n\
                    real(8), intent(in) :: x(n)\nreal(8), pointer, intent(in) :: p\ntype(cell), intent(in) :: c\n\
                    real(8), intent(out) :: y\np = x(1)\nc%p = 2*x(1)\ny = p + c%p\nend subroutine\n\
                    module types\ntype cell\nreal(8), pointer :: p\nend type\nend module\n";
    accepted(pointers, &[]);
}

#[test]
fn interface_bodies_describe_the_procedure() {
    let source = |own: &str, other: &str| {
        let procedure = format!("subroutine s(a, b)\n{other}\nb = b*2\nend subroutine");
        let call = "call s(w, y)";
        calling(call, &procedure).replace(
            "real(8) :: w(8)",
            &format!("real(8) :: w(8)\ninterface\nsubroutine s(a, b)\n{own}\nend subroutine\nend interface"),
        )
    };
    let same = "real(8) :: a(8), b";
    accepted(&source(same, same), &[]);
    accepted(&source("real(8) :: a(*), b", same), &[]);
    refused(&source(same, "real(4) :: a(8), b"), &["error[OX1167] 8:12", "error[OX1167] 8:18"]);
    refused(&source("real(8) :: a(:), b", same), &["error[OX1167] 8:12"]);
    refused(&source("real(8) :: a(:), b", "real(8) :: a(:, :), b"), &["error[OX1167] 8:12"]);
    refused(&source(same, "real(8) :: a(8)\nreal(8), allocatable :: b"), &["error[OX1167] 8:18"]);
    accepted(&source(same, "real(8) :: a(4, 2), b"), &["warning[OX1167] 8:12"]);
    let intents = "real(8), intent(in) :: a(8)\nreal(8) :: b";
    accepted(&source(intents, "real(8), intent(inout) :: a(8), b"), &["warning[OX1167] 8:24"]);
    let three = source(same, same).replace(
        "subroutine s(a, b)\nreal(8) :: a(8), b\nb",
        "subroutine s(a, b, c)\nreal(8) :: a(8), b, c\nb",
    );
    refused(&three, &["error[OX1167] 7:12"]);
}

/// A head with these declarations and statements.
fn body(declarations: &str, statements: &str) -> String {
    format!(
        "subroutine top(x, y, n)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(n)\n\
         real(8), intent(out) :: y\n{declarations}\n{statements}\nend subroutine\n"
    )
}

#[test]
fn a_read_without_a_value_is_told() {
    let warned = |declarations: &str, statements: &str, place: &str| {
        let wanted = format!("warning[OX4060] {place}");
        accepted(&body(declarations, statements), &[&wanted]);
    };
    warned("real(8) q", "y = q*x(1)", "6:5");
    // A sum that begins with nothing, once for all iterations.
    warned("real(8) q; integer i", "do i = 1, n\nq = q + x(i)\nend do\ny = q", "7:5");
    warned("real(8) q(3)", "y = sum(q)*x(1)", "6:9");
    warned("real(8) q", "y = x(1)\nif (x(1) > 0) then\ny = y*q\nq = 1\nend if", "8:7");
    warned("", "y = y + x(1)", "6:5");
    warned("type t\nreal(8) a, b\nend type\ntype(t) q", "q%a = x(1)\ny = q%a*q%b", "10:9");
    warned("integer k", "y = x(k)", "6:7");
    warned(
        "real(8) q",
        "call s(q, y)\ny = y*x(1)\ncontains\nsubroutine s(a, b)\nreal(8), intent(in) :: a\n\
            real(8), intent(out) :: b\nb = a\nend subroutine",
        "6:8",
    );
}

#[test]
fn what_may_have_a_value_is_not_told() {
    let silent = |declarations: &str, statements: &str| {
        accepted(&body(declarations, statements), &[]);
    };
    silent("real(8) q; integer i", "do i = 1, n\nif (i == 1) q = 0\nq = q + x(i)\nend do\ny = q");
    silent("real(8) q(3)", "q(1) = x(1)\ny = q(1)");
    silent("real(8), save :: q\ndata q /2d0/", "y = q*x(1)");
    silent("real(8) :: q = 2", "y = q*x(1)");
    silent("real(8) q; common /c/ q", "y = q*x(1)");
    silent("real(8) q, r; equivalence (q, r)", "r = x(1)\ny = q");
    silent("type t\nreal(8) :: a = 2\nend type\ntype(t) q", "y = q%a*x(1)");
    silent("real(8) q", "read (*, *) q\ny = q*x(1)");
    silent("real(8) q", "call init\ny = q*x(1)\ncontains\nsubroutine init\nq = 2\nend subroutine");
    silent(
        "real(8) q",
        "call init(q)\ny = q*x(1)\ncontains\nsubroutine init(a)\nreal(8) a\na = 2\nend subroutine",
    );
    silent("real(8) q(2)", "y = size(q)*x(1)");
    silent("real(8), target :: q\nreal(8), pointer :: p", "p => q\np = x(1)\ny = q");
    silent("real(8) q, s\ns(a) = a*q", "q = 2\ny = s(x(1))");
    silent("real(8), allocatable :: q(:)", "allocate (q(2), source=2d0)\ny = q(1)*x(1)");
    silent("integer i", "y = x(1)\ngo to 20\n10 y = y*i\nreturn\n20 i = 2\ngo to 10");
}

/// A head with these declarations and statements, and with functions that change their argument or a variable of a module.
fn counting(declarations: &str, statements: &str) -> String {
    let own = body(&format!("integer k\n{declarations}"), &format!("k = 1\n{statements}"));
    let own = own.replace("y, n)\n", "y, n)\nuse counters\n");
    format!(
        "{own}module counters\ninteger :: count = 0\ncontains\ninteger function next(k)\nk = k + 1\nnext = k\nend function\n\
         integer function counted()\ncount = count + 1\ncounted = count\nend function\nend module\n"
    )
}

#[test]
fn a_statement_that_reads_what_its_function_changes_is_told() {
    let warned = |declarations: &str, statements: &str, place: &str| {
        let wanted = format!("warning[OX4062] {place}");
        accepted(&counting(declarations, statements), &[&wanted]);
    };
    warned("", "y = k*x(next(k))", "9:5");
    warned("", "y = x(next(k))*x(k)", "9:18");
    warned("", "y = x(counted())*count", "9:18");
    warned("", "y = x(1)\nif (counted() > 0 .and. count > 0) y = y*2", "10:25");
    warned("real(8) w(9)", "w = x(1)\nw(next(k)) = k*x(1)\ny = w(1)", "10:14");
    warned(
        "real(8) t",
        "t = x(1)\ny = t*grown()\ncontains\nreal(8) function grown()\nt = t*2\ngrown = t\nend function",
        "10:5",
    );
}

#[test]
fn functions_change_what_other_statements_read() {
    let silent = |declarations: &str, statements: &str| {
        accepted(&counting(declarations, statements), &[]);
    };
    silent("", "y = x(next(k))\ny = y*x(k)");
    silent("", "y = x(counted())*x(counted())");
    silent("", "y = x(1)\nif (counted() > 0) y = y*count");
    silent("", "y = x(next(k)*2)*n");
    silent(
        "",
        "y = x(1)*kept(x(2))\ncontains\nreal(8) function kept(a)\nreal(8), intent(in) :: a\nkept = a*count\nend function",
    );
}
