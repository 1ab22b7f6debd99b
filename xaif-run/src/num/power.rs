//! Integer powers of reals, in the order of multiplications that gfortran's run-time has.

use super::round;

/// `a ** n`.
///
/// For exponents of up to four bytes gfortran calls libgcc's `__powidf2`, which multiplies and
/// inverts last; for eight-byte exponents (`wide`) libgfortran's `pow_r8_i8`, which inverts first.
pub(crate) fn integer_power(kind: u8, a: f64, n: i64, wide: bool) -> f64 {
    let mut left = n.unsigned_abs();
    let mut base = a;
    if wide && n < 0 {
        base = round(kind, 1.0 / base);
    }
    let mut result = if left & 1 == 1 { base } else { 1.0 };
    left >>= 1;
    while left != 0 {
        base = round(kind, base * base);
        if left & 1 == 1 {
            result = round(kind, result * base);
        }
        left >>= 1;
    }
    if !wide && n < 0 { round(kind, 1.0 / result) } else { result }
}
