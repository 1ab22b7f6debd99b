//! Calls and the interfaces of what they call: number, type, kind and rank of the arguments.

mod common;

use common::{complaints, translate};

/// The diagnostics of a source, a line each: severity, code, place.
fn all(source: &str) -> Vec<String> {
    let (_, diagnostics) = translate("t.f90", source);
    let one = |d: &xaif_schema::diag::Diagnostic| {
        let spot = d.spot.clone().expect("a place");
        format!("{:?} {} {}:{}", d.severity, d.code, spot.line, spot.column).to_lowercase()
    };
    diagnostics.iter().map(one).collect()
}

/// The complaints about a call, line 3, of a module procedure with these dummy arguments and declarations.
fn explicit(dummies: &str, declarations: &str, call: &str) -> Vec<String> {
    let local = "real(8) x, v(4), w(3, 4); real(4) r; integer i, k(4); complex(8) z; logical l\n";
    all(&format!(
        "subroutine top\nuse m; {local}{call}\nend subroutine\n\
         module m\ncontains\nsubroutine s({dummies})\n{declarations}\nend subroutine\n\
         real(8) function f(a)\nreal(8) a\nf = a\nend function\nend module\n"
    ))
}

/// The same of an external procedure, whose interface is implicit.
fn implicit(dummies: &str, declarations: &str, call: &str) -> Vec<String> {
    let local = "real(8) x, v(4), w(3, 4); real(4) r; integer i, k(4); complex(8) z; logical l\n";
    all(&format!(
        "subroutine top\n{local}{call}\nend subroutine\n\
         subroutine s({dummies})\n{declarations}\nend subroutine\n"
    ))
}

#[test]
fn the_number_of_arguments() {
    let two = ("a, b", "real(8) a, b");
    assert_eq!(explicit(two.0, two.1, "call s(x, x)"), [""; 0]);
    assert_eq!(explicit(two.0, two.1, "call s(x)"), ["error ox1153 3:1"]);
    assert_eq!(explicit(two.0, two.1, "call s(b=x)"), ["error ox1153 3:1"]);
    assert_eq!(explicit(two.0, two.1, "call s(x, x, x)"), ["error ox1153 3:14"]);
    assert_eq!(explicit(two.0, two.1, "call s(x, a=x)"), ["error ox1153 3:1"; 2]);
    assert_eq!(implicit(two.0, two.1, "call s(x)"), ["warning ox1153 3:1"]);
    assert_eq!(implicit(two.0, two.1, "call s(x, x, x)"), ["warning ox1153 3:14"]);
    let optional = ("a, b", "real(8) a\nreal(8), optional :: b");
    assert_eq!(explicit(optional.0, optional.1, "call s(x)"), [""; 0]);
    assert_eq!(explicit(optional.0, optional.1, "call s(b=x, a=x)"), [""; 0]);
}

#[test]
fn type_and_kind() {
    let one = ("a", "real(8) a");
    assert_eq!(explicit(one.0, one.1, "call s(r)"), ["error ox1158 3:8"]);
    assert_eq!(explicit(one.0, one.1, "call s(i)"), ["error ox1158 3:8"]);
    assert_eq!(explicit(one.0, one.1, "call s(z)"), ["error ox1158 3:8"]);
    assert_eq!(explicit(one.0, one.1, "call s(1.0)"), ["error ox1158 3:8"]);
    assert_eq!(explicit(one.0, one.1, "call s(r*x)"), [""; 0]);
    assert_eq!(implicit(one.0, one.1, "call s(r)"), ["warning ox1158 3:8"]);
    assert_eq!(implicit(one.0, one.1, "call s(2)"), ["warning ox1158 3:8"]);
    assert_eq!(implicit("k", "integer k", "call s(z'10')"), [""; 0]);
    assert_eq!(implicit("k", "integer k(*)", "call s(4habcd)"), [""; 0]);
    assert_eq!(
        implicit("a", "real(8) a(*)", "call s(z)"),
        ["warning ox1158 3:8", "warning ox1159 3:8"]
    );
    assert_eq!(explicit("a", "class(*) a", "call s(z)"), [""; 0]);
    assert_eq!(explicit("a", "type(*) a(*)", "call s(k)"), [""; 0]);
}

#[test]
fn rank_and_sequence_association() {
    let array = ("a", "real(8) a(4)");
    assert_eq!(explicit(array.0, array.1, "call s(v)"), [""; 0]);
    assert_eq!(explicit(array.0, array.1, "call s(w)"), [""; 0]);
    assert_eq!(explicit(array.0, array.1, "call s(w(1, 2))"), [""; 0]);
    assert_eq!(explicit(array.0, array.1, "call s(x)"), ["error ox1159 3:8"]);
    assert_eq!(explicit(array.0, array.1, "call s((v(1)))"), ["error ox1159 3:9"]);
    let shaped = ("a", "real(8) a(:)");
    assert_eq!(explicit(shaped.0, shaped.1, "call s(v)"), [""; 0]);
    assert_eq!(explicit(shaped.0, shaped.1, "call s(w(1, :))"), [""; 0]);
    assert_eq!(explicit(shaped.0, shaped.1, "call s(w)"), ["error ox1159 3:8"]);
    assert_eq!(explicit(shaped.0, shaped.1, "call s(v(1))"), ["error ox1159 3:8"]);
    assert_eq!(explicit("a", "real(8) a(..)", "call s(x)"), [""; 0]);
    assert_eq!(explicit("a", "real(8) a", "call s(v)"), ["error ox1159 3:8"]);
    assert_eq!(implicit("a", "real(8) a", "call s(v)"), ["warning ox1159 3:8"]);
    assert_eq!(
        implicit("n, a", "integer n\nreal(8) a(n)", "call s(1, x)"),
        ["warning ox1159 3:11"]
    );
    // Old programs mean an array of one element by it.
    assert_eq!(implicit("a", "real(8) a(1)", "call s(x)"), [""; 0]);
    assert_eq!(implicit("a", "real(8) a(*)", "call s(w(1, 1))"), [""; 0]);
    assert_eq!(explicit("c", "character c(5)", "call s('hello')"), [""; 0]);
}

#[test]
fn elemental_procedures_take_any_rank() {
    let source = |call: &str| {
        format!(
            "subroutine top(v, r)\nreal(8) v(4), r(4)\n{call}\ncontains\n\
             elemental subroutine s(a, b)\nreal(8), intent(in) :: a\nreal(8), intent(out) :: b\n\
             b = a\nend subroutine\nend subroutine\n"
        )
    };
    assert_eq!(all(&source("call s(v, r)")), [""; 0]);
    assert_eq!(all(&source("call s(1d0, r)")), [""; 0]);
    assert_eq!(all(&source("call s(1.0, r)")), ["error ox1158 3:8"]);
}

#[test]
fn interfaces_that_are_declared() {
    let source = |call: &str| {
        format!(
            "subroutine top(p, x, i)\nreal(8) x\ninteger i\ninterface\nsubroutine g(a, b)\n\
             real(8) a\nreal(8), optional :: b\nend subroutine\nend interface\n\
             procedure(g) :: p\nprocedure(g), pointer :: q\nq => p\n{call}\nend subroutine\n"
        )
    };
    for name in ["g", "p", "q"] {
        assert_eq!(all(&source(&format!("call {name}(x)"))), [""; 0]);
        assert_eq!(all(&source(&format!("call {name}(x, null())"))), [""; 0]);
        assert_eq!(all(&source(&format!("call {name}(x, i)"))), ["error ox1158 13:11"]);
        assert_eq!(all(&source(&format!("call {name}(b=x)"))), ["error ox1153 13:1"]);
    }
    let unchecked = "subroutine top(i)\ninteger i\ninterface\nsubroutine send(buffer)\n\
                     !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer\nreal(8) buffer(*)\n\
                     end subroutine\nend interface\ncall send(i)\nend subroutine\n";
    assert_eq!(complaints(unchecked), [""; 0]);
}

#[test]
fn type_bound_procedures_get_their_object() {
    let source = |call: &str| {
        format!(
            "module m\ntype t\nreal(8) v\nprocedure(s), pointer :: p\ncontains\nprocedure :: s\n\
             procedure, nopass :: free\nprocedure, pass(o) :: last\ngeneric :: g => s\nend type\ncontains\n\
             subroutine s(o, a)\nclass(t) o\nreal(8) a\nend subroutine\n\
             subroutine free(a)\nreal(8) a\nend subroutine\n\
             subroutine last(a, o)\nreal(8) a\nclass(t) o\nend subroutine\n\
             subroutine top(o, e, x, i)\ntype, extends(t) :: u\nend type\n\
             type(t) o\ntype(u) e\nreal(8) x\ninteger i\n{call}\nend subroutine\nend module\n"
        )
    };
    for call in ["o%s(x)", "o%p(x)", "o%free(x)", "o%last(x)", "e%s(x)", "s(e, x)", "o%g(x)"] {
        assert_eq!(all(&source(&format!("call {call}"))), [""; 0], "{call}");
    }
    assert_eq!(all(&source("call o%s(i)")), ["error ox1158 30:10"]);
    assert_eq!(all(&source("call o%p()")), ["error ox1153 30:1"]);
    assert_eq!(all(&source("call o%last()")), ["error ox1153 30:1"]);
    assert_eq!(all(&source("call o%free(x, x)")), ["error ox1153 30:16"]);
    assert_eq!(all(&source("call o%g(i)")), ["error ox1154 30:1"]);
    assert_eq!(all(&source("call s(x, x)")), ["error ox1158 30:8"]);
}

#[test]
fn procedures_as_arguments() {
    let (dummies, declarations) =
        ("f", "interface\nreal(8) function f(a)\nreal(8) a\nend function\nend interface");
    assert_eq!(explicit(dummies, declarations, "call s(f)"), [""; 0]);
    assert_eq!(explicit(dummies, declarations, "call s(x)"), ["error ox1158 3:8"]);
    assert_eq!(explicit(dummies, declarations, "call s(s)"), ["error ox1158 3:8"]);
    assert_eq!(explicit("a", "real(8) a", "call s(f)"), ["error ox1158 3:8"]);
    assert_eq!(explicit("a", "real(8) a", "call s(f(x))"), [""; 0]);
    let single = "interface\nreal(4) function f(a)\nreal(8) a\nend function\nend interface";
    assert_eq!(explicit("f", single, "call s(f)"), ["error ox1158 3:8"]);
    assert_eq!(implicit("f", "real(8), external :: f", "external g; call s(g)"), [""; 0]);
}

#[test]
fn alternate_returns_are_arguments() {
    let source = |call: &str| {
        format!(
            "subroutine top(x)\nreal(8) x\n{call}\n10 x = 1\ncontains\nsubroutine s(a, *)\nreal(8) a\n\
             return 1\nend subroutine\nend subroutine\n"
        )
    };
    assert_eq!(all(&source("call s(x, *10)")), [""; 0]);
    assert_eq!(all(&source("call s(x)")), ["error ox1153 3:1"]);
    assert_eq!(all(&source("call s(*10, x)")), ["error ox1153 3:1", "error ox1153 3:13"]);
}

#[test]
fn entries_have_arguments_of_their_own() {
    let source = "subroutine top(x, y)\nreal(8) x, y, cube\ninteger whole\nexternal first, cube\n\
                  call first(x)\ny = cube(x, y) + whole(x)\nend subroutine\n\
                  subroutine second(a, b)\nreal(8) a, b\nb = a\nreturn\nentry first(b)\nb = 1\n\
                  end subroutine\n\
                  integer function whole(a)\nreal(8) a, b, cube\nwhole = int(a)\nreturn\n\
                  entry cube(a, b)\ncube = a*b\nend function\n";
    assert_eq!(all(source), [""; 0]);
}

#[test]
fn a_function_has_the_type_that_it_is_declared_with() {
    let source = |ty: &str| {
        format!(
            "subroutine top(x)\nreal(8) x\n{ty}, external :: f\nx = f(x)\nend subroutine\n\
             real(8) function f(a)\nreal(8) a\nf = a\nend function\n"
        )
    };
    assert_eq!(all(&source("real(8)")), [""; 0]);
    assert_eq!(all(&source("real(4)")), ["warning ox1158 4:5"]);
}

#[test]
fn sequence_types_of_one_name_are_one_type() {
    let source = |attribute: &str, ty: &str| {
        format!(
            "subroutine top(x)\ntype t\n{attribute}\nreal(8) v\nend type\ntype(t) x\ncall s(x)\nend subroutine\n\
             subroutine s(a)\ntype {ty}\n{attribute}\nreal(8) v\nend type\ntype({ty}) a\nend subroutine\n"
        )
    };
    assert_eq!(all(&source("sequence", "t")), [""; 0]);
    assert_eq!(all(&source("", "t")), ["warning ox1158 7:8"]);
    assert_eq!(all(&source("sequence", "u")), ["warning ox1158 7:8"]);
}
