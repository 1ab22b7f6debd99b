//! Precedence, literals, designators.

use super::*;

#[test]
fn power_binds_to_the_right_and_tighter_than_minus() {
    assert_eq!(value("a**b**c"), "{a Power {b Power c}}");
    assert_eq!(value("-a**2"), "{Minus {a Power 2}}");
    assert_eq!(value("-a*b"), "{Minus {a Multiply b}}");
    assert_eq!(value("-a+b"), "{{Minus a} Add b}");
    assert_eq!(value("a**(-b)"), "{a Power ({Minus b})}");
}

#[test]
fn equal_operators_associate_to_the_left() {
    assert_eq!(value("a-b-c"), "{{a Subtract b} Subtract c}");
    assert_eq!(value("a/b*c"), "{{a Divide b} Multiply c}");
}

#[test]
fn logical_operators_have_the_levels_of_the_standard() {
    assert_eq!(value(".not. a == b .and. c .or. d"), "{{{Not {a Eq b}} And c} Or d}");
    assert_eq!(value("a .or. b .eqv. c"), "{{a Or b} Eqv c}");
}

#[test]
fn defined_operators_are_the_loosest_and_the_tightest() {
    assert_eq!(value(".inv. a ** b"), "{{Defined(inv) a} Power b}");
    assert_eq!(value("a + b .cross. c"), "{{a Add b} Defined(cross) c}");
}

#[test]
fn a_dot_behind_digits_may_belong_to_an_operator() {
    assert_eq!(value("1.eq.2"), "{1 Eq 2}");
    assert_eq!(value("1..eq.2."), "{1. Eq 2.}");
    assert_eq!(value("1.e5"), "1.e5");
    assert_eq!(value("1.D0+.5"), "{1.D0 Add .5}");
}

#[test]
fn literals_keep_their_text() {
    assert_eq!(value("'it''s'"), "'it''s'");
    assert_eq!(value("z'FF'"), "z'FF'");
    assert_eq!(value("1.50_dp"), "1.50");
    assert_eq!(value("(1.0, -2.0)"), "(1.0,{Minus 2.0})");
    assert_eq!(value("5hHello"), "5HHello");
}

#[test]
fn designators_keep_all_their_parts() {
    assert_eq!(value("a%b(i)%c(1:2)(3:4)"), "a%b(i)%c(1:2)(3:4)");
    assert_eq!(value("f()"), "f()");
    assert_eq!(value("a(::2, :, n:)"), "a(::2,:,n:)");
    assert_eq!(value("f(x, dim=1)"), "f(x,dim=1)");
}

#[test]
fn array_constructors_take_both_brackets_types_and_implied_do() {
    assert_eq!(value("(/ 1, 2 /)"), "[2 items]");
    assert_eq!(value("[real :: ]"), "[0 items]");
    assert_eq!(value("[t :: (i, i = 1, 3), 4]"), "[2 items]");
    assert_eq!(value("[character(len=3) :: 'a']"), "[1 items]");
}

#[test]
fn a_long_sum_is_accepted_and_an_endless_one_is_refused() {
    let sum = |terms: usize| format!("x = a{}\nend\n", "+a".repeat(terms));
    assert!(free(&sum(1000)).diagnostics.is_empty());
    assert!(messages(&free(&sum(100_000)))[0].contains("OX1006"));
}

#[test]
fn a_hundred_thousand_parentheses_do_not_overflow_the_stack() {
    let deep = format!("x = {}a{}\nend\n", "(".repeat(100_000), ")".repeat(100_000));
    assert!(messages(&free(&deep))[0].contains("OX1006"));
    let unary = format!("x = {}a\nend\n", "-".repeat(100_000));
    assert!(messages(&free(&unary))[0].contains("OX1006"));
    let call = format!("x = {}a{}\nend\n", "f(".repeat(100_000), ")".repeat(100_000));
    assert!(messages(&free(&call))[0].contains("OX1006"));
}
