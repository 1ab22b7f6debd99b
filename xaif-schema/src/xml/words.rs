//! Enumerations as words of the vocabulary: one table for reader and writer.

use crate::model::{
    Access, Attr, Base, BoolOp, BranchForm, CheckpointScheme, CommentKind, ConstantClass, Intent,
    Language, LocalJacobian, ProcClass, ProcKind, ProcSort, Reversal, SymbolKind, Ty, TypeClass,
    Verb,
};

/// An enumeration whose values are words in the XML.
pub(super) trait Word: Copy + PartialEq + 'static {
    /// All values with their words.
    const WORDS: &'static [(Self, &'static str)];

    /// The word of this value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }

    /// The value of a word.
    fn parse(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
    }

    /// All words, for a message.
    fn all() -> String {
        Self::WORDS.iter().map(|(_, word)| format!("`{word}`")).collect::<Vec<_>>().join(", ")
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($value:ident $word:literal)* })*) => {
        $(
            impl Word for $name {
                const WORDS: &'static [(Self, &'static str)] = &[$(($name::$value, $word)),*];
            }
        )*

        /// A value that was added to an enumeration without a word is a compile error here.
        #[allow(dead_code)]
        mod complete {
            use super::*;
            $(
                #[allow(non_snake_case)]
                fn $name(value: $name) {
                    match value { $($name::$value => (),)* }
                }
            )*
        }
    };
}

words! {
    SymbolKind { Variable "variable" Subroutine "subroutine" Pointer "pointer" }
    TypeClass {
        Real "real" Integer "integer" Void "void" Complex "complex" Bool "bool" Char "char"
        String "string" Opaque "opaque"
    }
    ConstantClass {
        Real "real" Double "double" Integer "integer" Bool "bool" Char "char" String "string"
        Boz "boz" Hollerith "hollerith" Null "null"
    }
    BoolOp {
        LessThan "less_than" LessOrEqual "less_or_equal" GreaterThan "greater_than"
        GreaterOrEqual "greater_or_equal" Equal "equal" NotEqual "not_equal" And "and" Or "or"
        Not "not" Xor "xor" Equivalent "equivalent"
    }
    Intent { In "in" Out "out" InOut "inout" }
    Reversal { Explicit "explicit" Anonymous "anonymous" }
    Language {
        FreeFortran "free-fortran" FixedFortran "fixed-fortran" C "c"
    }
    ProcSort {
        Program "program" Subroutine "subroutine" Function "function" Unknown "unknown"
    }
    ProcClass {
        External "external" Module "module" Internal "internal" Dummy "dummy" Pointer "pointer"
        Intrinsic "intrinsic" Abstract "abstract" Entry "entry"
    }
    ProcKind {
        Subroutine "subroutine" Program "program" Function "function"
        ModuleProcedure "module-procedure"
    }
    BranchForm {
        Plain "plain" If "if" InlineIf "inline-if" ElseIf "else-if" SelectCase "select-case"
        SelectType "select-type" SelectRank "select-rank" ArithmeticIf "arithmetic-if"
        ComputedGoto "computed-goto" AssignedGoto "assigned-goto" IndirectGoto "indirect-goto"
    }
    CommentKind { Text "text" Blank "blank" Directive "directive" }
    Verb {
        Genuine "genuine" Io "io" Format "format" Stop "stop" Pause "pause" Continue "continue"
        AssignLabel "assign-label" Return "return" Opaque "opaque"
    }
    CheckpointScheme {
        Binomial "binomial"
        Periodic "periodic"
        Disk "disk"
    }
    LocalJacobian {
        Value "value" Entry "entry" Again "again" Propagator "propagator"
        Memory "memory"
    }
    Access { Read "read" Write "write" ReadWrite "read-write" Inquire "inquire" }
}

impl Word for Attr {
    const WORDS: &'static [(Self, &'static str)] = &ATTRIBUTES;
}

const ATTRIBUTES: [(Attr, &str); Attr::ALL.len()] = {
    let mut words = [(Attr::Parameter, ""); Attr::ALL.len()];
    let mut i = 0;
    while i < words.len() {
        words[i] = (Attr::ALL[i], attribute(Attr::ALL[i]));
        i += 1;
    }
    words
};

/// The word of the language, made one token where it is none: a list has blanks between.
const fn attribute(attr: Attr) -> &'static str {
    match attr {
        Attr::BindC => "bind-c",
        Attr::NonRecursive => "non-recursive",
        Attr::NonOverridable => "non-overridable",
        Attr::PrivateComponents => "private-components",
        Attr::PrivateBindings => "private-bindings",
        _ => attr.keyword(),
    }
}

/// XAIF's words for a number of dimensions, from 0 on.
pub(super) const SHAPES: [&str; 8] = [
    "scalar",
    "vector",
    "matrix",
    "three_tensor",
    "four_tensor",
    "five_tensor",
    "six_tensor",
    "seven_tensor",
];

/// XAIF's type and shape of a value (`rType`, `rShape`), where they are not the default: a real
/// scalar, and also what is not known.
pub(super) fn result_words(ty: Ty) -> (Option<&'static str>, Option<&'static str>) {
    let class = match ty.base {
        Base::Unknown | Base::Real(_) => None,
        Base::Void => Some(TypeClass::Void),
        Base::Integer(_) | Base::Unsigned(_) => Some(TypeClass::Integer),
        Base::Complex(_) => Some(TypeClass::Complex),
        Base::Logical(_) => Some(TypeClass::Bool),
        Base::Character(_) => Some(TypeClass::String),
        Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => Some(TypeClass::Opaque),
    };
    let shape = match ty.rank {
        0 => None,
        rank => Some(SHAPES.get(usize::from(rank)).copied().unwrap_or("seven_tensor")),
    };
    (class.map(Word::word), shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_each_attribute_is_one_token_of_its_own() {
        for &attr in Attr::ALL {
            let word = Word::word(attr);
            assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{word}");
            assert_eq!(Attr::parse(word), Some(attr), "{word}");
        }
    }
}
