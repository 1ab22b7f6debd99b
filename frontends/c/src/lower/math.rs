//! Functions of `math.h` and their meaning in a document.

/// What a function of the mathematical library means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// An operation of the table with as many arguments.
    Same(&'static str, usize),
    /// `floor` or `ceil`: an integer, as a real number.
    Rounded(&'static str),
    /// `pow`.
    Power,
    /// `cbrt`, `log2` and the like, by a formula.
    Exp2,
    Log2,
    /// `abs` and `labs` of integers.
    IntegerAbs,
}

/// Names for `double` and their meaning; the name with an `f` behind it is that for `float`.
const TABLE: &[(&str, Meaning)] = &[
    ("fabs", Meaning::Same("abs_scal", 1)),
    ("sqrt", Meaning::Same("sqrt_scal", 1)),
    ("exp", Meaning::Same("exp_scal", 1)),
    ("log", Meaning::Same("ln_scal", 1)),
    ("log10", Meaning::Same("log10", 1)),
    ("sin", Meaning::Same("sin_scal", 1)),
    ("cos", Meaning::Same("cos_scal", 1)),
    ("tan", Meaning::Same("tan_scal", 1)),
    ("asin", Meaning::Same("arcsin_scal", 1)),
    ("acos", Meaning::Same("arccos_scal", 1)),
    ("atan", Meaning::Same("arctan_scal", 1)),
    ("atan2", Meaning::Same("arctan_scal_scal", 2)),
    ("sinh", Meaning::Same("sinh_scal", 1)),
    ("cosh", Meaning::Same("cosh_scal", 1)),
    ("tanh", Meaning::Same("tanh_scal", 1)),
    ("asinh", Meaning::Same("asinh", 1)),
    ("acosh", Meaning::Same("acosh", 1)),
    ("atanh", Meaning::Same("atanh", 1)),
    ("erf", Meaning::Same("erf", 1)),
    ("erfc", Meaning::Same("erfc", 1)),
    ("tgamma", Meaning::Same("gamma", 1)),
    ("lgamma", Meaning::Same("log_gamma", 1)),
    ("hypot", Meaning::Same("hypot", 2)),
    ("j0", Meaning::Same("bessel_j0", 1)),
    ("j1", Meaning::Same("bessel_j1", 1)),
    ("y0", Meaning::Same("bessel_y0", 1)),
    ("y1", Meaning::Same("bessel_y1", 1)),
    ("fmod", Meaning::Same("mod_scal_scal", 2)),
    ("fmax", Meaning::Same("nc_max_scal_scal", 2)),
    ("fmin", Meaning::Same("nc_min_scal_scal", 2)),
    ("copysign", Meaning::Same("sign_scal_scal", 2)),
    ("trunc", Meaning::Same("aint", 1)),
    ("round", Meaning::Same("anint", 1)),
    ("floor", Meaning::Rounded("floor")),
    ("ceil", Meaning::Rounded("ceiling")),
    ("pow", Meaning::Power),
    ("exp2", Meaning::Exp2),
    ("log2", Meaning::Log2),
];

/// The meaning of a function and the bytes of its numbers.
pub(crate) fn function(name: &str) -> Option<(Meaning, u8)> {
    match name {
        "abs" => return Some((Meaning::IntegerAbs, 4)),
        "labs" => return Some((Meaning::IntegerAbs, 8)),
        _ => {}
    }
    let find =
        |wanted: &str| TABLE.iter().find(|(name, _)| *name == wanted).map(|&(_, meaning)| meaning);
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    find(name).map(|meaning| (meaning, 8)).or_else(|| Some((find(name.strip_suffix('f')?)?, 4)))
}
