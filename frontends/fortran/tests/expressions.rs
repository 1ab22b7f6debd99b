//! Expressions: what a name means, which type a value has, which constant it is.

mod common;

use common::{called, complaints, document, last_value, operation, translate, type_of};
use xaif_schema::model::{ExprKind, Part, StmtKind};

#[test]
fn literals_have_the_type_that_they_spell() {
    for (literal, ty) in [
        ("1", "integer4"),
        ("1_8", "integer8"),
        ("1.0", "real4"),
        ("1d0", "real8"),
        ("1.0_8", "real8"),
        ("1.0_dp", "real8"),
        (".true.", "logical4"),
        ("'abc'", "character1"),
        ("(1.0, 2)", "complex4"),
        ("(1.0, 2d0)", "complex8"),
        ("[1, 2]", "integer4[1]"),
        ("[real(8) :: 1, 2]", "real8[1]"),
        ("z'ff'", "unknown"),
    ] {
        assert_eq!(type_of("integer, parameter :: dp = kind(1d0)", literal), ty, "{literal}");
    }
}

#[test]
fn numbers_are_promoted_and_ranks_carried() {
    let declarations = "integer i\ninteger(8) l\nreal r\nreal(8) d\ncomplex z\nreal(8) a(2, 3)";
    for (value, ty) in [
        ("i + l", "integer8"),
        ("i*r", "real4"),
        ("r - d", "real8"),
        ("z/d", "complex8"),
        ("d**i", "real8"),
        ("i**d", "real8"),
        ("-a", "real8[2]"),
        ("a*i", "real8[2]"),
        ("i < r", "logical4"),
        ("a == d .and. .true.", "logical4[2]"),
        ("'a' // 'b'", "character1"),
    ] {
        assert_eq!(type_of(declarations, value), ty, "{value}");
    }
}

#[test]
fn intrinsic_functions_have_their_result_types_and_ranks() {
    let declarations = "integer i\nreal r\nreal(8) d, a(2, 3), v(3)\ncomplex(8) z\nlogical l(3)";
    for (value, ty) in [
        ("abs(z)", "real8"),
        ("real(z)", "real8"),
        ("real(d)", "real4"),
        ("real(i, 8)", "real8"),
        ("dble(i)", "real8"),
        ("cmplx(d, d)", "complex4"),
        ("cmplx(d, d, kind=8)", "complex8"),
        ("int(d)", "integer4"),
        ("nint(d, 8)", "integer8"),
        ("aint(d)", "real8"),
        ("max(d, 1d0, 2d0)", "real8"),
        ("amax0(i, 2)", "real4"),
        ("max1(r, 2.0)", "integer4"),
        ("sin(a)", "real8[2]"),
        ("sum(a)", "real8"),
        ("sum(a, dim=1)", "real8[1]"),
        ("sum(a, a > 0)", "real8"),
        ("maxloc(a)", "integer4[1]"),
        ("maxloc(v, dim=1)", "integer4"),
        ("matmul(a, v)", "real8[1]"),
        ("dot_product(v, v)", "real8"),
        ("reshape(v, [1, 3, 1])", "real8[3]"),
        ("spread(v, 1, 2)", "real8[2]"),
        ("shape(a)", "integer4[1]"),
        ("size(a)", "integer4"),
        ("lbound(a)", "integer4[1]"),
        ("lbound(a, 1)", "integer4"),
        ("any(l)", "logical4"),
        ("count(l)", "integer4"),
        ("transfer(d, [1])", "integer4[1]"),
        ("merge(d, 0d0, l)", "real8[1]"),
        ("epsilon(r)", "real4"),
    ] {
        assert_eq!(type_of(declarations, value), ty, "{value}");
    }
}

#[test]
fn references_have_the_type_and_rank_of_what_they_reach() {
    let declarations = "type inner\nreal(8) :: x(4)\nend type\n\
        type outer\ntype(inner) :: in(2)\ncharacter(5) :: s\nend type\n\
        type(outer) :: t, ts(3)\ninteger :: k(2), n\ncomplex(8) :: z(2)";
    for (value, ty) in [
        ("t%in(1)%x", "real8[1]"),
        ("t%in(1)%x(2)", "real8"),
        ("t%in%x(2)", "real8[1]"),
        ("ts(2:3)%in(1)%x(1)", "real8[1]"),
        ("t%in(k)%x(1)", "real8[1]"),
        ("t%s(2:3)", "character1"),
        ("z%re", "real8[1]"),
        ("n%kind", "integer4"),
    ] {
        assert_eq!(type_of(declarations, value), ty, "{value}");
    }
}

#[test]
fn a_list_behind_a_name_is_what_the_symbol_says() {
    let doc = document(
        "subroutine s(f, a, c, u)\nreal f, a(3), u\ncharacter(4) c\nexternal f\n\
         u = f(1)\nu = a(1)\nc = c(1:2)\nend subroutine\n",
    );
    let kinds: Vec<&ExprKind> = doc
        .stmts
        .values()
        .filter_map(|stmt| match stmt.kind {
            StmtKind::Assign { rhs, .. } => Some(&doc.exprs[rhs].kind),
            _ => None,
        })
        .collect();
    assert!(matches!(kinds[0], ExprKind::Call(_)));
    let ExprKind::Ref(element) = kinds[1] else { panic!("{:?}", kinds[1]) };
    assert!(matches!(doc.refs[*element].parts[0], Part::Elements(_)));
    let ExprKind::Ref(substring) = kinds[2] else { panic!("{:?}", kinds[2]) };
    assert!(matches!(doc.refs[*substring].parts[0], Part::Substring { .. }));
}

#[test]
fn a_specific_name_keeps_its_spelling() {
    let doc = document("program p\nreal(8) :: x\nx = dsqrt(x)\nend program\n");
    let expected = ("sqrt_scal".to_owned(), Some("dsqrt".to_owned()), vec![1]);
    assert_eq!(operation(&doc), Some(expected));
}

#[test]
fn an_intrinsic_whose_type_is_declared_stays_intrinsic() {
    let doc = document("program p\nreal(8) :: x, dsqrt\nx = dsqrt(x)\nend program\n");
    assert_eq!(operation(&doc).unwrap().0, "sqrt_scal");
}

#[test]
fn an_external_function_hides_an_intrinsic_one() {
    let doc = document("program p\nreal :: x, sqrt\nexternal sqrt\nx = sqrt(x)\nend program\n");
    assert_eq!(called(&doc).unwrap().0, "sqrt");
}

#[test]
fn an_internal_function_hides_an_intrinsic_one() {
    let doc = document(
        "program p\nreal :: x\nx = sum(x)\ncontains\nreal function sum(y)\nreal :: y\n\
         sum = y\nend function\nend program\n",
    );
    assert!(doc.exprs.values().any(|expr| matches!(expr.kind, ExprKind::Call(_))));
}

#[test]
fn keywords_find_their_dummies() {
    let doc = document("program p\nreal :: a(2), x\nx = sum(a, mask=a > 0)\nend program\n");
    assert_eq!(operation(&doc).unwrap().2, [1, 3]);
    let doc = document(
        "module m\ncontains\nsubroutine s(x)\nreal :: x\nx = f(c=1., a=2.)\nend subroutine\n\
         real function f(a, b, c)\nreal :: a, c\nreal, optional :: b\nend function\nend module\n",
    );
    assert_eq!(called(&doc).unwrap(), ("f".to_owned(), vec![3, 1]));
}

#[test]
fn a_generic_name_means_the_specific_procedure_that_fits() {
    let module = "module m\ninterface g\nmodule procedure gi, gr, gv\nend interface\ncontains\n\
        integer function gi(i)\ninteger :: i\nend function\n\
        integer function gr(r)\nreal :: r\nend function\n\
        integer function gv(r)\nreal :: r(:)\nend function\n\
        subroutine s(a, u)\nreal :: a(2)\ninteger :: u\nu = g(ARG)\nend subroutine\nend module\n";
    for (argument, specific) in [("1", "gi"), ("1.0", "gr"), ("a", "gv"), ("a(1)", "gr")] {
        let doc = document(&module.replace("ARG", argument));
        assert_eq!(called(&doc).unwrap().0, specific, "{argument}");
    }
    assert_eq!(complaints(&module.replace("ARG", "1d0")), ["OX1154 18:5"]);
}

#[test]
fn operators_on_derived_types_are_functions() {
    let source = "module m\ntype t\ninteger :: i\nend type\ninterface operator(+)\n\
        module procedure plus\nend interface\ninterface operator(.twice.)\n\
        module procedure twice\nend interface\ncontains\n\
        function plus(a, b)\ntype(t), intent(in) :: a, b\ntype(t) :: plus\nend function\n\
        function twice(a)\ntype(t), intent(in) :: a\ntype(t) :: twice\nend function\n\
        subroutine s(a, b)\ntype(t) :: a, b\nb = EXPR\nend subroutine\nend module\n";
    let doc = document(&source.replace("EXPR", "a + b"));
    assert_eq!(called(&doc).unwrap(), ("plus".to_owned(), vec![1, 2]));
    let doc = document(&source.replace("EXPR", ".twice. a"));
    assert_eq!(called(&doc).unwrap().0, "twice");
    assert_eq!(complaints(&source.replace("EXPR", "a - b")), ["OX1150 22:7"]);
}

#[test]
fn an_operator_of_a_module_that_was_not_given_is_a_call_of_nobody_knows_what() {
    let (doc, diagnostics) = translate(
        "t.f90",
        "subroutine s(a, b)\nuse m, only: operator(.dot.)\nreal :: a, b\na = a .dot. b\n\
         end subroutine\n",
    );
    assert!(!diagnostics.has_errors());
    assert_eq!(called(&doc).unwrap().0, "operator(.dot.)");
}

#[test]
fn bound_procedures_are_found_through_their_object() {
    let doc = document(
        "module m\ntype t\ncontains\nprocedure :: f => impl\nend type\ncontains\n\
         real function impl(this, x)\nclass(t) :: this\nreal :: x\nend function\n\
         subroutine s(a, u)\ntype(t) :: a\nreal :: u\nu = a%f(u)\nend subroutine\nend module\n",
    );
    assert_eq!(called(&doc).unwrap(), ("f".to_owned(), vec![2]));
}

#[test]
fn a_type_name_with_values_is_a_constructor() {
    let doc = document(
        "program p\ntype t\nreal :: a, b\nend type\ntype(t) :: x\nx = t(1.0, b=2.0)\nend program\n",
    );
    let ExprKind::StructureConstructor { args, .. } = &doc.exprs[last_value(&doc)].kind else {
        panic!("no constructor");
    };
    assert_eq!(args.iter().map(|arg| arg.position).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn constants_are_folded_for_bounds_and_kinds() {
    let value = |declarations: &str, value: &str| {
        let source = format!(
            "program p\n{declarations}\ninteger, parameter :: folded = {value}\nend program\n"
        );
        let doc = document(&source);
        let folded = doc.symbols.values().find(|symbol| symbol.id == "folded").unwrap();
        folded.decl.as_ref().unwrap().value
    };
    let declarations = "integer, parameter :: n = 3, a(*) = [4, 5, 6], b(0:2) = [7, 8, 9]\n\
        real(8) :: m(n, 2:5)\ncharacter(*), parameter :: s = 'four'";
    for (text, expected) in [
        ("2 + 3*4", 14),
        ("-2**2", -4),
        ("7/2", 3),
        ("mod(-7, 3)", -1),
        ("modulo(-7, 3)", 2),
        ("max(n, 5, 2)", 5),
        ("kind(1d0)", 8),
        ("kind(m)", 8),
        ("selected_real_kind(15, 307)", 8),
        ("selected_real_kind(p=6)", 4),
        ("selected_int_kind(9)", 4),
        ("size(m)", 12),
        ("size(m, 2)", 4),
        ("ubound(m, 2)", 5),
        ("size(a)", 3),
        ("a(2)", 5),
        ("b(0)", 7),
        ("size([(i, i = 1, 10, 3)])", 4),
        ("len(s)", 4),
        ("ichar('a')", 97),
        ("huge(1)", 2_147_483_647),
        ("bit_size(1_8)", 64),
        ("digits(1d0)", 53),
        ("merge(1, 2, n > 2)", 1),
        ("ior(1, 4)", 5),
    ] {
        assert_eq!(value(declarations, text), Some(expected), "{text}");
    }
}

#[test]
fn what_overflows_or_divides_by_zero_has_no_value() {
    let doc = document(
        "program p\ninteger(8), parameter :: a = 9223372036854775807_8\n\
         integer(8), parameter :: b = a + 1, c = a/0, d = (-a - 1)/(-1)\nend program\n",
    );
    for name in ["b", "c", "d"] {
        let symbol = doc.symbols.values().find(|symbol| symbol.id == name).unwrap();
        assert_eq!(symbol.decl.as_ref().unwrap().value, None, "{name}");
    }
}

#[test]
fn constants_that_need_themselves_have_no_value() {
    let (doc, _) = translate(
        "t.f90",
        "program p\ninteger, parameter :: a(*) = [b(1)], b(*) = [a(1)], c = a(1)\n\
         character(*), parameter :: s = t, t = s\ninteger, parameter :: l = len(s)\nend program\n",
    );
    for name in ["c", "l"] {
        let symbol = doc.symbols.values().find(|symbol| symbol.id == name).unwrap();
        assert_eq!(symbol.decl.as_ref().unwrap().value, None, "{name}");
    }
}

#[test]
fn nonsense_is_reported_where_it_stands() {
    for (line, complaint) in [
        ("x = a(1)", "OX1151 4:5"),
        ("x = y(1)%z", "OX1155 4:5"),
        ("x = x%z", "OX1152 4:7"),
        ("x = 'a' + 1", "OX1150 4:9"),
        ("x = sin(1.0, 2.0)", "OX1153 4:14"),
        ("x = sin()", "OX1153 4:5"),
        ("x = sin(y=1.0)", "OX1153 4:9"),
        ("5 = x", "OX1000 4:3"),
        ("n = 1", "OX1155 4:1"),
        ("a = b .foo. a", "OX1150 4:7"),
    ] {
        let source = format!(
            "program p\nreal :: x, a(2, 2), b(2, 2)\ninteger, parameter :: n = 2\n{line}\nend\n"
        );
        let found = complaints(&source);
        assert_eq!(found.first().map(String::as_str), Some(complaint), "{line}: {found:?}");
    }
}

#[test]
fn a_long_chain_of_operators_is_no_deep_recursion() {
    let sum = vec!["x"; 1000].join(" + ");
    document(&format!("program p\nreal :: x\nx = {sum}\nend program\n"));
}
