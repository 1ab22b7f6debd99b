//! The intrinsic modules: what `iso_fortran_env`, `iso_c_binding` and the IEEE modules define.
//!
//! A name becomes a symbol when it is first asked for, so that a document holds only what is used.
//! Values are those of gfortran on 64-bit machines.

use xaif_schema::model::{
    Base, KindSpelling, Place, ProcClass, ProcSort, ProcedureInfo, Role, ScopeId, ScopeKind,
    SymbolId, Ty, TypeSpec,
};

use crate::lower::Lowering;

/// What a name of an intrinsic module is.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// A default integer constant.
    Integer(i64),
    /// A constant array of default integers.
    Kinds,
    /// A character constant.
    Character,
    /// A constant of a type of the same module.
    Of(&'static str),
    /// A derived type.
    Type,
    /// A function or subroutine.
    Procedure(ProcSort),
}

use Meaning::{Character, Integer, Kinds, Of, Type};
const FUNCTION: Meaning = Meaning::Procedure(ProcSort::Function);
const SUBROUTINE: Meaning = Meaning::Procedure(ProcSort::Subroutine);

/// The names of one module.
type Table = &'static [(&'static str, Meaning)];

const MODULES: &[(&str, Table)] = &[
    ("iso_fortran_env", ISO_FORTRAN_ENV),
    ("iso_c_binding", ISO_C_BINDING),
    ("ieee_arithmetic", IEEE_ARITHMETIC),
    ("ieee_exceptions", IEEE_EXCEPTIONS),
    ("ieee_features", IEEE_FEATURES),
];

const ISO_FORTRAN_ENV: Table = &[
    ("atomic_int_kind", Integer(4)),
    ("atomic_logical_kind", Integer(4)),
    ("character_kinds", Kinds),
    ("character_storage_size", Integer(8)),
    ("compiler_options", FUNCTION),
    ("compiler_version", FUNCTION),
    ("current_team", Integer(0)),
    ("error_unit", Integer(0)),
    ("event_type", Type),
    ("file_storage_size", Integer(8)),
    ("initial_team", Integer(1)),
    ("input_unit", Integer(5)),
    ("int16", Integer(2)),
    ("int32", Integer(4)),
    ("int64", Integer(8)),
    ("int8", Integer(1)),
    ("integer_kinds", Kinds),
    ("iostat_end", Integer(-1)),
    ("iostat_eor", Integer(-2)),
    ("iostat_inquire_internal_unit", Integer(5018)),
    ("lock_type", Type),
    ("logical16", Integer(2)),
    ("logical32", Integer(4)),
    ("logical64", Integer(8)),
    ("logical8", Integer(1)),
    ("logical_kinds", Kinds),
    ("numeric_storage_size", Integer(32)),
    ("output_unit", Integer(6)),
    ("parent_team", Integer(2)),
    ("real128", Integer(16)),
    ("real16", Integer(-2)),
    ("real32", Integer(4)),
    ("real64", Integer(8)),
    ("real64x2", Integer(-1)),
    ("real_kinds", Kinds),
    ("stat_failed_image", Integer(6001)),
    ("stat_locked", Integer(1)),
    ("stat_locked_other_image", Integer(2)),
    ("stat_stopped_image", Integer(6000)),
    ("stat_unlocked", Integer(0)),
    ("stat_unlocked_failed_image", Integer(6002)),
    ("team_type", Type),
];

const ISO_C_BINDING: Table = &[
    ("c_alert", Character),
    ("c_associated", FUNCTION),
    ("c_backspace", Character),
    ("c_bool", Integer(1)),
    ("c_carriage_return", Character),
    ("c_char", Integer(1)),
    ("c_double", Integer(8)),
    ("c_double_complex", Integer(8)),
    ("c_f_pointer", SUBROUTINE),
    ("c_f_procpointer", SUBROUTINE),
    ("c_f_strpointer", SUBROUTINE),
    ("c_float", Integer(4)),
    ("c_float128", Integer(16)),
    ("c_float128_complex", Integer(16)),
    ("c_float_complex", Integer(4)),
    ("c_form_feed", Character),
    ("c_funloc", FUNCTION),
    ("c_funptr", Type),
    ("c_horizontal_tab", Character),
    ("c_int", Integer(4)),
    ("c_int128_t", Integer(16)),
    ("c_int16_t", Integer(2)),
    ("c_int32_t", Integer(4)),
    ("c_int64_t", Integer(8)),
    ("c_int8_t", Integer(1)),
    ("c_int_fast128_t", Integer(16)),
    ("c_int_fast16_t", Integer(8)),
    ("c_int_fast32_t", Integer(8)),
    ("c_int_fast64_t", Integer(8)),
    ("c_int_fast8_t", Integer(1)),
    ("c_int_least128_t", Integer(16)),
    ("c_int_least16_t", Integer(2)),
    ("c_int_least32_t", Integer(4)),
    ("c_int_least64_t", Integer(8)),
    ("c_int_least8_t", Integer(1)),
    ("c_intmax_t", Integer(8)),
    ("c_intptr_t", Integer(8)),
    ("c_loc", FUNCTION),
    ("c_long", Integer(8)),
    ("c_long_double", Integer(10)),
    ("c_long_double_complex", Integer(10)),
    ("c_long_long", Integer(8)),
    ("c_new_line", Character),
    ("c_null_char", Character),
    ("c_null_funptr", Of("c_funptr")),
    ("c_null_ptr", Of("c_ptr")),
    ("c_ptr", Type),
    ("c_ptrdiff_t", Integer(8)),
    ("c_short", Integer(2)),
    ("c_signed_char", Integer(1)),
    ("c_size_t", Integer(8)),
    ("c_sizeof", FUNCTION),
    ("c_vertical_tab", Character),
    ("f_c_string", FUNCTION),
];

const IEEE_ARITHMETIC: Table = &[
    ("ieee_away", Of("ieee_round_type")),
    ("ieee_class", FUNCTION),
    ("ieee_class_type", Type),
    ("ieee_copy_sign", FUNCTION),
    ("ieee_down", Of("ieee_round_type")),
    ("ieee_fma", FUNCTION),
    ("ieee_get_rounding_mode", SUBROUTINE),
    ("ieee_get_underflow_mode", SUBROUTINE),
    ("ieee_int", FUNCTION),
    ("ieee_is_finite", FUNCTION),
    ("ieee_is_nan", FUNCTION),
    ("ieee_is_negative", FUNCTION),
    ("ieee_is_normal", FUNCTION),
    ("ieee_logb", FUNCTION),
    ("ieee_max", FUNCTION),
    ("ieee_max_mag", FUNCTION),
    ("ieee_max_num", FUNCTION),
    ("ieee_max_num_mag", FUNCTION),
    ("ieee_min", FUNCTION),
    ("ieee_min_mag", FUNCTION),
    ("ieee_min_num", FUNCTION),
    ("ieee_min_num_mag", FUNCTION),
    ("ieee_nearest", Of("ieee_round_type")),
    ("ieee_negative_denormal", Of("ieee_class_type")),
    ("ieee_negative_inf", Of("ieee_class_type")),
    ("ieee_negative_normal", Of("ieee_class_type")),
    ("ieee_negative_subnormal", Of("ieee_class_type")),
    ("ieee_negative_zero", Of("ieee_class_type")),
    ("ieee_next_after", FUNCTION),
    ("ieee_next_down", FUNCTION),
    ("ieee_next_up", FUNCTION),
    ("ieee_other", Of("ieee_round_type")),
    ("ieee_other_value", Of("ieee_class_type")),
    ("ieee_positive_denormal", Of("ieee_class_type")),
    ("ieee_positive_inf", Of("ieee_class_type")),
    ("ieee_positive_normal", Of("ieee_class_type")),
    ("ieee_positive_subnormal", Of("ieee_class_type")),
    ("ieee_positive_zero", Of("ieee_class_type")),
    ("ieee_quiet_eq", FUNCTION),
    ("ieee_quiet_ge", FUNCTION),
    ("ieee_quiet_gt", FUNCTION),
    ("ieee_quiet_le", FUNCTION),
    ("ieee_quiet_lt", FUNCTION),
    ("ieee_quiet_nan", Of("ieee_class_type")),
    ("ieee_quiet_ne", FUNCTION),
    ("ieee_real", FUNCTION),
    ("ieee_rem", FUNCTION),
    ("ieee_rint", FUNCTION),
    ("ieee_round_type", Type),
    ("ieee_scalb", FUNCTION),
    ("ieee_selected_real_kind", FUNCTION),
    ("ieee_set_rounding_mode", SUBROUTINE),
    ("ieee_set_underflow_mode", SUBROUTINE),
    ("ieee_signaling_eq", FUNCTION),
    ("ieee_signaling_ge", FUNCTION),
    ("ieee_signaling_gt", FUNCTION),
    ("ieee_signaling_le", FUNCTION),
    ("ieee_signaling_lt", FUNCTION),
    ("ieee_signaling_nan", Of("ieee_class_type")),
    ("ieee_signaling_ne", FUNCTION),
    ("ieee_signbit", FUNCTION),
    ("ieee_support_datatype", FUNCTION),
    ("ieee_support_denormal", FUNCTION),
    ("ieee_support_divide", FUNCTION),
    ("ieee_support_inf", FUNCTION),
    ("ieee_support_io", FUNCTION),
    ("ieee_support_nan", FUNCTION),
    ("ieee_support_rounding", FUNCTION),
    ("ieee_support_sqrt", FUNCTION),
    ("ieee_support_standard", FUNCTION),
    ("ieee_support_subnormal", FUNCTION),
    ("ieee_support_underflow_control", FUNCTION),
    ("ieee_to_zero", Of("ieee_round_type")),
    ("ieee_unordered", FUNCTION),
    ("ieee_up", Of("ieee_round_type")),
    ("ieee_value", FUNCTION),
];

const IEEE_EXCEPTIONS: Table = &[
    ("ieee_all", Kinds),
    ("ieee_divide_by_zero", Of("ieee_flag_type")),
    ("ieee_flag_type", Type),
    ("ieee_get_flag", SUBROUTINE),
    ("ieee_get_halting_mode", SUBROUTINE),
    ("ieee_get_modes", SUBROUTINE),
    ("ieee_get_status", SUBROUTINE),
    ("ieee_inexact", Of("ieee_flag_type")),
    ("ieee_invalid", Of("ieee_flag_type")),
    ("ieee_modes_type", Type),
    ("ieee_overflow", Of("ieee_flag_type")),
    ("ieee_set_flag", SUBROUTINE),
    ("ieee_set_halting_mode", SUBROUTINE),
    ("ieee_set_modes", SUBROUTINE),
    ("ieee_set_status", SUBROUTINE),
    ("ieee_status_type", Type),
    ("ieee_support_flag", FUNCTION),
    ("ieee_support_halting", FUNCTION),
    ("ieee_underflow", Of("ieee_flag_type")),
    ("ieee_usual", Kinds),
];

const IEEE_FEATURES: Table = &[
    ("ieee_datatype", Of("ieee_features_type")),
    ("ieee_denormal", Of("ieee_features_type")),
    ("ieee_divide", Of("ieee_features_type")),
    ("ieee_features_type", Type),
    ("ieee_halting", Of("ieee_features_type")),
    ("ieee_inexact_flag", Of("ieee_features_type")),
    ("ieee_inf", Of("ieee_features_type")),
    ("ieee_invalid_flag", Of("ieee_features_type")),
    ("ieee_nan", Of("ieee_features_type")),
    ("ieee_rounding", Of("ieee_features_type")),
    ("ieee_sqrt", Of("ieee_features_type")),
    ("ieee_subnormal", Of("ieee_features_type")),
    ("ieee_underflow_flag", Of("ieee_features_type")),
];

/// The type of what a function of an intrinsic module returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returns {
    /// A default logical.
    Truth,
    /// A default logical, for each element of its arguments.
    TruthOfEach,
    /// The type of its first argument, for each element of its arguments.
    LikeFirst,
    /// An integer of this many bytes.
    Whole(u8),
}

/// Results, by the beginnings of names (Fortran 2018, 17.10 and 18.2.3). What is not here has a type of
/// its own module, or one that its arguments choose by KIND.
const RESULTS: &[(&str, Returns)] = &[
    ("c_associated", Returns::Truth),
    ("c_sizeof", Returns::Whole(8)),
    ("ieee_copy_sign", Returns::LikeFirst),
    ("ieee_fma", Returns::LikeFirst),
    ("ieee_is_", Returns::TruthOfEach),
    ("ieee_logb", Returns::LikeFirst),
    ("ieee_max", Returns::LikeFirst),
    ("ieee_min", Returns::LikeFirst),
    ("ieee_next_", Returns::LikeFirst),
    ("ieee_quiet_", Returns::TruthOfEach),
    ("ieee_rem", Returns::LikeFirst),
    ("ieee_rint", Returns::LikeFirst),
    ("ieee_scalb", Returns::LikeFirst),
    ("ieee_selected_real_kind", Returns::Whole(4)),
    ("ieee_signaling_", Returns::TruthOfEach),
    ("ieee_signbit", Returns::TruthOfEach),
    ("ieee_support_", Returns::Truth),
    ("ieee_unordered", Returns::TruthOfEach),
    ("ieee_value", Returns::LikeFirst),
];

/// The canonical name of the intrinsic module `key`.
pub(super) fn intrinsic_module(key: &str) -> Option<&'static str> {
    MODULES.iter().find(|(name, _)| *name == key).map(|(name, _)| *name)
}

fn table(module: &str) -> Table {
    MODULES.iter().find(|(name, _)| *name == module).map_or(&[], |(_, table)| table)
}

fn meaning(module: &str, key: &str) -> Option<Meaning> {
    let found = |module| table(module).iter().find(|(name, _)| *name == key);
    let own = found(module);
    // ieee_arithmetic offers all that ieee_exceptions has.
    let own =
        if module == "ieee_arithmetic" { own.or_else(|| found("ieee_exceptions")) } else { own };
    own.map(|(_, meaning)| *meaning)
}

impl Lowering<'_> {
    /// The type of a call of `symbol`, if that is a function of an intrinsic module whose result is known.
    pub(crate) fn module_function_type(
        &self,
        symbol: SymbolId,
        args: impl Iterator<Item = Ty>,
    ) -> Option<Ty> {
        let scope = self.doc.symbols[symbol].scope;
        self.names[scope].intrinsic?;
        let name = &self.doc.symbols[symbol].id;
        let (_, returns) = RESULTS.iter().find(|(start, _)| name.starts_with(start))?;
        let args: Vec<Ty> = args.collect();
        let rank = args.iter().map(|arg| arg.rank).max().unwrap_or(0);
        Some(match *returns {
            Returns::Truth => Ty::scalar(Base::Logical(4)),
            Returns::TruthOfEach => Ty::scalar(Base::Logical(4)).with_rank(rank),
            Returns::LikeFirst => args.first()?.with_rank(rank),
            Returns::Whole(bytes) => Ty::scalar(Base::Integer(bytes)),
        })
    }

    /// The symbol that `key` names in the intrinsic module with this scope.
    pub(super) fn intrinsic_module_name(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        let module = self.names[scope].intrinsic?;
        if let Some(&symbol) = self.names[scope].own.get(key) {
            return Some(symbol);
        }
        let meaning = meaning(module, key)?;
        let (role, spec, value) = self.intrinsic_entity(scope, meaning);
        let symbol = self.declare_key(scope, key, key, role, Place::default());
        if let Some(Role::DerivedType { scope: components, .. }) = self.doc.role(symbol) {
            let components = *components;
            self.doc.scopes[components].kind = ScopeKind::DerivedType(symbol);
        }
        self.decl_mut(symbol, |decl| {
            decl.spec = spec;
            decl.value = value;
            if matches!(meaning, Kinds) {
                decl.dims = vec![xaif_schema::model::Dim::AssumedShape { lower: None }];
            }
        });
        self.classify(symbol);
        Some(symbol)
    }

    fn intrinsic_entity(
        &mut self,
        scope: ScopeId,
        meaning: Meaning,
    ) -> (Role, TypeSpec, Option<i64>) {
        let integer =
            || TypeSpec::Intrinsic { base: Base::Integer(4), kind: KindSpelling::Default };
        match meaning {
            Integer(value) => (Role::Constant, integer(), Some(value)),
            Kinds => (Role::Constant, integer(), None),
            Character => {
                let spec = TypeSpec::Character {
                    bytes: 1,
                    kind: KindSpelling::Default,
                    len: Default::default(),
                };
                (Role::Constant, spec, None)
            }
            Of(name) => {
                let symbol = self.intrinsic_module_name(scope, name);
                let spec =
                    TypeSpec::Derived { symbol, name: name.into(), class: false, params: vec![] };
                (Role::Constant, spec, None)
            }
            Type => {
                // The kind is set once the type's symbol exists.
                let components = self.doc.add_scope(scope, ScopeKind::Plain, Place::default());
                let role =
                    Role::DerivedType { scope: components, extends: None, params: Vec::new() };
                (role, TypeSpec::None, None)
            }
            Meaning::Procedure(sort) => {
                let info = ProcedureInfo {
                    sort,
                    class: ProcClass::Intrinsic,
                    proc: None,
                    interface: None,
                    pass: None,
                };
                (Role::Procedure(info), TypeSpec::None, None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_ascend_and_types_of_constants_exist() {
        for (module, table) in MODULES {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0), "{module}");
            for (name, entry) in *table {
                if let Of(ty) = entry {
                    assert!(matches!(meaning(module, ty), Some(Type)), "{name}");
                }
            }
        }
    }
}
