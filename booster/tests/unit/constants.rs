//! Values of constant expressions.

use booster_build::floored_remainder;

#[test]
fn modulo_has_the_sign_of_the_divisor() {
    let cases = [(8, 3, 2), (-8, 3, 1), (8, -3, -1), (-8, -3, -2), (6, 3, 0), (-6, 3, 0)];
    for (dividend, divisor, expected) in cases {
        assert_eq!(floored_remainder(dividend, divisor), Some(expected));
    }
    assert_eq!(floored_remainder(1, 0), None);
    assert_eq!(floored_remainder(i64::MIN, -1), None);
}
