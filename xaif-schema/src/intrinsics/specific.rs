//! Specific names of intrinsic functions: `dsqrt` is `sqrt` of a double.

use crate::model::Base;

/// A specific name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specific {
    /// The name.
    pub name: &'static str,
    /// The generic name that means the same for arguments of this type.
    pub generic: &'static str,
    /// The type of its arguments.
    pub argument: Base,
    /// The type of its result.
    pub result: Base,
    /// Whether it is no standard Fortran but known to gfortran.
    pub extension: bool,
}

const I: Base = Base::Integer(4);
const I8: Base = Base::Integer(8);
const I2: Base = Base::Integer(2);
const R: Base = Base::Real(4);
const D: Base = Base::Real(8);
const C: Base = Base::Complex(4);
const Z: Base = Base::Complex(8);

const fn std(name: &'static str, generic: &'static str, argument: Base, result: Base) -> Specific {
    Specific { name, generic, argument, result, extension: false }
}

const fn gnu(name: &'static str, generic: &'static str, argument: Base, result: Base) -> Specific {
    Specific { name, generic, argument, result, extension: true }
}

/// Every specific name. A name that is also generic (`sqrt`, `real`) is not here.
pub(super) const SPECIFICS: &[Specific] = &[
    std("alog", "log", R, R),
    std("alog10", "log10", R, R),
    std("amax0", "max", I, R),
    std("amax1", "max", R, R),
    std("amin0", "min", I, R),
    std("amin1", "min", R, R),
    std("amod", "mod", R, R),
    std("cabs", "abs", C, R),
    std("ccos", "cos", C, C),
    std("cexp", "exp", C, C),
    std("clog", "log", C, C),
    std("csin", "sin", C, C),
    std("csqrt", "sqrt", C, C),
    std("dabs", "abs", D, D),
    std("dacos", "acos", D, D),
    std("dasin", "asin", D, D),
    std("datan", "atan", D, D),
    std("datan2", "atan2", D, D),
    std("dble", "real", Base::Unknown, D),
    std("dcos", "cos", D, D),
    std("dcosh", "cosh", D, D),
    std("ddim", "dim", D, D),
    std("dexp", "exp", D, D),
    std("dint", "aint", D, D),
    std("dlog", "log", D, D),
    std("dlog10", "log10", D, D),
    std("dmax1", "max", D, D),
    std("dmin1", "min", D, D),
    std("dmod", "mod", D, D),
    std("dnint", "anint", D, D),
    std("dsign", "sign", D, D),
    std("dsin", "sin", D, D),
    std("dsinh", "sinh", D, D),
    std("dsqrt", "sqrt", D, D),
    std("dtan", "tan", D, D),
    std("dtanh", "tanh", D, D),
    std("float", "real", I, R),
    std("iabs", "abs", I, I),
    std("idim", "dim", I, I),
    std("idint", "int", D, I),
    std("idnint", "nint", D, I),
    std("ifix", "int", R, I),
    std("isign", "sign", I, I),
    std("max0", "max", I, I),
    std("max1", "max", R, I),
    std("min0", "min", I, I),
    std("min1", "min", R, I),
    std("sngl", "real", D, R),
    gnu("besj0", "bessel_j0", R, R),
    gnu("besj1", "bessel_j1", R, R),
    gnu("besjn", "bessel_jn", R, R),
    gnu("besy0", "bessel_y0", R, R),
    gnu("besy1", "bessel_y1", R, R),
    gnu("besyn", "bessel_yn", R, R),
    gnu("algama", "log_gamma", R, R),
    gnu("cdabs", "abs", Z, D),
    gnu("cdcos", "cos", Z, Z),
    gnu("cdexp", "exp", Z, Z),
    gnu("cdlog", "log", Z, Z),
    gnu("cdsin", "sin", Z, Z),
    gnu("cdsqrt", "sqrt", Z, Z),
    gnu("dacosd", "acosd", D, D),
    gnu("dacosh", "acosh", D, D),
    gnu("dasind", "asind", D, D),
    gnu("dasinh", "asinh", D, D),
    gnu("datan2d", "atan2d", D, D),
    gnu("datand", "atand", D, D),
    gnu("datanh", "atanh", D, D),
    gnu("dbesj0", "bessel_j0", D, D),
    gnu("dbesj1", "bessel_j1", D, D),
    gnu("dbesjn", "bessel_jn", D, D),
    gnu("dbesy0", "bessel_y0", D, D),
    gnu("dbesy1", "bessel_y1", D, D),
    gnu("dbesyn", "bessel_yn", D, D),
    gnu("dcmplx", "cmplx", Base::Unknown, Z),
    gnu("dconjg", "conjg", Z, Z),
    gnu("dcosd", "cosd", D, D),
    gnu("dcotan", "cotan", D, D),
    gnu("dcotand", "cotand", D, D),
    gnu("derf", "erf", D, D),
    gnu("derfc", "erfc", D, D),
    gnu("dfloat", "real", I, D),
    gnu("dgamma", "gamma", D, D),
    gnu("dimag", "aimag", Z, D),
    gnu("dlgama", "log_gamma", D, D),
    gnu("dreal", "real", Z, D),
    gnu("dsind", "sind", D, D),
    gnu("dtand", "tand", D, D),
    gnu("imag", "aimag", Base::Unknown, Base::Unknown),
    gnu("imagpart", "aimag", Base::Unknown, Base::Unknown),
    gnu("int2", "int", Base::Unknown, I2),
    gnu("int8", "int", Base::Unknown, I8),
    gnu("realpart", "real", Base::Unknown, Base::Unknown),
    gnu("zabs", "abs", Z, D),
    gnu("zcos", "cos", Z, Z),
    gnu("zexp", "exp", Z, Z),
    gnu("zlog", "log", Z, Z),
    gnu("zsin", "sin", Z, Z),
    gnu("zsqrt", "sqrt", Z, Z),
];
