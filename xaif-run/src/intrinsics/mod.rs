//! Intrinsic procedures: which there are, and how a reference reaches its meaning.
//!
//! - `elemental.rs`: functions of scalars, mapped over arrays;
//! - `bits.rs`, `text.rs`: those of bits and of characters;
//! - `reduce.rs`: sums, extrema, locations, products of arrays;
//! - `rearrange.rs`: functions that move elements;
//! - `inquiry.rs`: functions that look at shapes, types and association;
//! - `subroutine.rs`: intrinsic subroutines.
//!
//! Names come from the table of [`xaif_schema::intrinsics`]; what is not here is refused by name.

mod bits;
mod elemental;
mod inquiry;
mod objects;
mod rearrange;
mod reduce;
mod subroutine;
mod text;

use xaif_schema::diag::Code;
use xaif_schema::model::{Base, BoolOp, Expr, ExprId, Operands, Ty};

use crate::expr::Operand;
use crate::fault::{Run, fault};
use crate::machine::Machine;
use crate::num::Function;
use crate::value::{Array, Elem, Scalar, Shape, Value};

macro_rules! builtins {
    ($($name:ident $text:literal)*) => {
        /// An intrinsic procedure that the interpreter knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Builtin {
            /// A function of one real (or complex) argument.
            Function(Function),
            /// A comparison of strings that a XAIF 1.0 document writes as an intrinsic.
            StringCompare(BoolOp),
            $($name,)*
        }

        const NAMES: &[(&str, Builtin)] = &[$(($text, Builtin::$name),)*];
    };
}

builtins! {
    Abs "abs" Achar "achar" Adjustl "adjustl" Adjustr "adjustr" Aimag "aimag" Aint "aint" All "all"
    Allocated "allocated" Anint "anint" Any "any" Associated "associated" Atan "atan"
    Atan2 "atan2" Atan2d "atan2d" BesselJn "bessel_jn" BesselYn "bessel_yn" Bge "bge" Bgt "bgt"
    BitSize "bit_size" Ble "ble" Blt "blt" Btest "btest" Ceiling "ceiling" Char "char"
    Cmplx "cmplx" Complex "complex" Conjg "conjg" Count "count" CpuTime "cpu_time"
    Cshift "cshift" DateAndTime "date_and_time" Digits "digits" Dim "dim"
    DotProduct "dot_product" Dprod "dprod" Dshiftl "dshiftl" Dshiftr "dshiftr"
    Eoshift "eoshift" Epsilon "epsilon" Exit "exit" Abort "abort" Exponent "exponent"
    ExtendsTypeOf "extends_type_of" Findloc "findloc" Floor "floor" Flush "flush"
    Fraction "fraction" Huge "huge" Hypot "hypot" Iachar "iachar" Iall "iall" Iand "iand"
    And "and" Iany "iany" Ibclr "ibclr" Ibits "ibits" Ibset "ibset" Ichar "ichar" Ieor "ieor"
    Xor "xor" Index "index" Int "int" Long "long" Short "short" Ior "ior" Or "or"
    Iparity "iparity" IsContiguous "is_contiguous" Ishft "ishft" Ishftc "ishftc" Isnan "isnan" IeeeIsNan "ieee_is_nan" IeeeIsFinite "ieee_is_finite"
    Kind "kind" Lbound "lbound" Leadz "leadz" Len "len" LenTrim "len_trim" Lnblnk "lnblnk"
    Lge "lge" Lgt "lgt" Lle "lle" Llt "llt" Logical "logical" Lshift "lshift" Rshift "rshift"
    Maskl "maskl" Maskr "maskr" Matmul "matmul" Max "max" Maxexponent "maxexponent"
    Maxloc "maxloc" Maxval "maxval" Merge "merge" MergeBits "merge_bits" Min "min"
    Minexponent "minexponent" Minloc "minloc" Minval "minval" Mod "mod" Modulo "modulo"
    MoveAlloc "move_alloc" Mvbits "mvbits" Nearest "nearest" NewLine "new_line" Nint "nint"
    Norm2 "norm2" Not "not" Null "null" Pack "pack" Parity "parity" Popcnt "popcnt"
    Poppar "poppar" Precision "precision" Present "present" Product "product" Radix "radix"
    RandomNumber "random_number" RandomSeed "random_seed" RandomInit "random_init" Range "range"
    Rank "rank" Real "real" Repeat "repeat" Reshape "reshape" Rrspacing "rrspacing"
    SameTypeAs "same_type_as" Scale "scale" Scan "scan" SelectedIntKind "selected_int_kind"
    SelectedRealKind "selected_real_kind" SetExponent "set_exponent" Shape "shape"
    Shifta "shifta" Shiftl "shiftl" Shiftr "shiftr" Sign "sign" Size "size" Sizeof "sizeof" CSizeof "c_sizeof"
    Spacing "spacing" Spread "spread" StorageSize "storage_size" Sum "sum"
    SystemClock "system_clock" Tiny "tiny" Trailz "trailz" Transfer "transfer"
    Transpose "transpose" Trim "trim" Ubound "ubound" Unpack "unpack" Verify "verify"
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("sqrt", Function::Sqrt),
    ("exp", Function::Exp),
    ("log", Function::Log),
    ("log10", Function::Log10),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("cotan", Function::Cotan),
    ("cotand", Function::CotanDegrees),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("asinh", Function::Asinh),
    ("acosh", Function::Acosh),
    ("atanh", Function::Atanh),
    ("sind", Function::SinDegrees),
    ("cosd", Function::CosDegrees),
    ("tand", Function::TanDegrees),
    ("asind", Function::AsinDegrees),
    ("acosd", Function::AcosDegrees),
    ("atand", Function::AtanDegrees),
    ("erf", Function::Erf),
    ("erfc", Function::Erfc),
    ("erfc_scaled", Function::ErfcScaled),
    ("gamma", Function::Gamma),
    ("log_gamma", Function::LogGamma),
    ("lgamma", Function::LogGamma),
    ("bessel_j0", Function::BesselJ0),
    ("bessel_j1", Function::BesselJ1),
    ("bessel_y0", Function::BesselY0),
    ("bessel_y1", Function::BesselY1),
];

/// The arguments of an intrinsic, by the positions of its dummy arguments.
pub(crate) type Values = Vec<Option<Value>>;

impl Builtin {
    /// The one with this generic Fortran name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let function = FUNCTIONS.iter().find(|(text, _)| *text == name);
        if let Some(&(_, function)) = function {
            return Some(Builtin::Function(function));
        }
        NAMES.iter().find(|(text, _)| *text == name).map(|&(_, builtin)| builtin)
    }
}

impl Machine<'_> {
    /// The value of an intrinsic function.
    pub(crate) fn intrinsic(
        &mut self,
        builtin: Builtin,
        operands: &Operands,
        result: Option<Base>,
        expr: &Expr,
    ) -> Run<Value> {
        let mut args: Vec<Option<ExprId>> = Vec::new();
        for operand in operands {
            let index = usize::from(operand.position).saturating_sub(1);
            if args.len() <= index {
                args.resize(index + 1, None);
            }
            args[index] = Some(operand.expr);
        }
        if let Some(value) = self.inquiry(builtin, &args, expr)? {
            return Ok(value);
        }
        if is_transformational(builtin) {
            return self.under(None, |machine| {
                let values = machine.eval_args(&args)?;
                if objects::places(builtin) && has_objects(&values) {
                    return machine.placed_objects(builtin, values, expr.ty);
                }
                machine.transformational(builtin, values, expr.ty)
            });
        }
        let mut values = self.eval_args(&args)?;
        if objects::places(builtin) && has_objects(&values) {
            return self.placed_objects(builtin, values, expr.ty);
        }
        if let Some((index, kind)) = kind_of_specific(builtin, result) {
            values.resize(index, None);
            values.push(Some(Value::Scalar(Scalar::int(i64::from(kind)))));
        }
        self.elemental(builtin, values, None, expr.ty)
    }

    fn eval_args(&mut self, args: &[Option<ExprId>]) -> Run<Values> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(match arg {
                Some(arg) if self.is_absent(*arg) => None,
                Some(arg) => Some(self.eval(*arg)?),
                None => None,
            });
        }
        Ok(values)
    }

    /// Whether an expression is an optional dummy argument, perhaps a procedure, that is not present.
    pub(crate) fn is_absent(&self, expr: ExprId) -> bool {
        use xaif_schema::model::ExprKind;
        let symbol = match self.doc.exprs[expr].kind {
            ExprKind::Ref(r) if self.doc.refs[r].parts.is_empty() => self.doc.refs[r].base,
            ExprKind::Procedure(symbol) => symbol,
            ExprKind::Ref(_)
            | ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => return false,
        };
        matches!(self.bound(symbol), Some(crate::machine::Binding::Absent))
    }

    /// Applies a function of scalars to corresponding elements.
    pub(crate) fn elemental(
        &mut self,
        builtin: Builtin,
        values: Values,
        elem: Option<Elem>,
        ty: Ty,
    ) -> Run<Value> {
        let mut shape = Shape::new();
        for value in values.iter().flatten() {
            let found = value.shape();
            if shape.is_empty() {
                shape = found;
            } else if !found.is_empty() && found != shape {
                return fault(
                    Code::RUN_SHAPE,
                    format!(
                        "arguments of shapes {} and {} do not conform",
                        crate::expr::show(&shape),
                        crate::expr::show(&found)
                    ),
                );
            }
        }
        let is_array = values.iter().flatten().any(|value| matches!(value, Value::Array(_)));
        if has_objects(&values) {
            return fault(Code::RUN_TYPE, "an intrinsic function is applied to a derived type");
        }
        let operands: Vec<Option<Operand>> =
            values.into_iter().map(|value| value.map(Operand::of)).collect();
        let at = |index: usize| -> smallvec::SmallVec<[Option<&Scalar>; 4]> {
            operands.iter().map(|o| o.as_ref().map(|o| o.at(index))).collect()
        };
        if !is_array {
            return self.scalar_function(builtin, &at(0)).map(Value::Scalar);
        }
        let count = crate::value::size_of_shape(&shape)?;
        let fallback = match elem {
            Some(elem) => elem,
            None => self.elem_of_base(ty.base).unwrap_or(Elem::Int(4)),
        };
        let mask = self.mask.clone().filter(|mask| mask.len() == count);
        let mut data = Vec::with_capacity(count);
        for index in 0..count {
            if mask.as_ref().is_some_and(|mask| !mask[index]) {
                data.push(Scalar::Undefined(fallback));
            } else {
                data.push(self.scalar_function(builtin, &at(index))?);
            }
        }
        let mut array = Array { elem: fallback, shape, data };
        array.retype();
        Ok(array.into())
    }
}

/// Whether an argument is a structure.
fn has_objects(values: &Values) -> bool {
    values.iter().flatten().any(|value| matches!(value, Value::Object(_)))
}

/// Whether a function works on arrays as wholes.
fn is_transformational(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::All
            | Builtin::Any
            | Builtin::Count
            | Builtin::Cshift
            | Builtin::DotProduct
            | Builtin::Eoshift
            | Builtin::Findloc
            | Builtin::Iall
            | Builtin::Iany
            | Builtin::Iparity
            | Builtin::Matmul
            | Builtin::Maxloc
            | Builtin::Maxval
            | Builtin::Minloc
            | Builtin::Minval
            | Builtin::Norm2
            | Builtin::Pack
            | Builtin::Parity
            | Builtin::Product
            | Builtin::Repeat
            | Builtin::Reshape
            | Builtin::SelectedIntKind
            | Builtin::SelectedRealKind
            | Builtin::Spread
            | Builtin::Sum
            | Builtin::Transfer
            | Builtin::Transpose
            | Builtin::Trim
            | Builtin::Unpack
    )
}

/// The argument at `index`, which must be there.
pub(crate) fn required(values: &mut Values, index: usize) -> Run<Value> {
    match values.get_mut(index).and_then(Option::take) {
        Some(value) => Ok(value),
        None => {
            fault(Code::RUN_ARGUMENT, format!("argument {} of an intrinsic is missing", index + 1))
        }
    }
}

/// The argument at `index`, if it is there.
pub(crate) fn optional(values: &mut Values, index: usize) -> Option<Value> {
    values.get_mut(index).and_then(Option::take)
}

/// The argument KIND that the specific name of a conversion stands for, and its index: DBLE must
/// not go through single precision, nor INT8 through a default integer.
fn kind_of_specific(builtin: Builtin, result: Option<Base>) -> Option<(usize, u8)> {
    match (builtin, result?) {
        (Builtin::Real, Base::Real(kind)) | (Builtin::Int, Base::Integer(kind)) => Some((1, kind)),
        (Builtin::Cmplx, Base::Complex(kind)) => Some((2, kind)),
        _ => None,
    }
}
