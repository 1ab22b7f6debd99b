//! Types as text: resolved ones, and those of declarations.

use super::{Pieces, Text, Work, push};
use crate::model::{Base, CharLen, ExprKind, KindSpelling, Ty, TypeParam, TypeSpec};

/// How many levels of pointers a type is followed through.
const POINTER_LEVELS: usize = 8;

impl<'a> Text<'a> {
    /// A resolved type: `real8`, `integer4[2]` for one of rank 2.
    pub(crate) fn ty(&self, ty: Ty) -> String {
        let base = self.base(ty.base, POINTER_LEVELS);
        if ty.rank == 0 { base } else { format!("{base}[{}]", ty.rank) }
    }

    pub(super) fn base(&self, base: Base, levels: usize) -> String {
        match base {
            Base::Unknown => "?".into(),
            Base::Void => "void".into(),
            Base::Integer(bytes) => format!("integer{bytes}"),
            Base::Unsigned(bytes) => format!("unsigned{bytes}"),
            Base::Real(bytes) => format!("real{bytes}"),
            Base::Complex(bytes) => format!("complex{bytes}"),
            Base::Logical(bytes) => format!("logical{bytes}"),
            Base::Character(1) => "character".into(),
            Base::Character(bytes) => format!("character{bytes}"),
            Base::Derived(symbol) => format!("type({})", self.name(symbol)),
            Base::Class(symbol) => format!("class({})", self.name(symbol)),
            Base::ClassStar => "class(*)".into(),
            Base::TypeStar => "type(*)".into(),
            Base::Procedure => "procedure".into(),
            Base::Pointer(_) if levels == 0 => "pointer to …".into(),
            Base::Pointer(to) => match self.doc.types.get(to) {
                Some(ty) => format!("pointer to {}", self.base(ty.base, levels - 1)),
                None => "pointer to ?".into(),
            },
        }
    }

    pub(super) fn spec_pieces(&self, spec: &'a TypeSpec, to: &mut Pieces<'a>) {
        match spec {
            TypeSpec::Intrinsic { base, kind } => {
                to.push(Work::Text(self.base(*base, POINTER_LEVELS).into()));
                self.kind(*kind, to);
            }
            TypeSpec::Character { bytes, kind, len } => {
                to.push(Work::Text(self.base(Base::Character(*bytes), 0).into()));
                self.kind(*kind, to);
                match len {
                    CharLen::One => {}
                    CharLen::Expr(len) => {
                        push(to, "(len=");
                        to.push(Work::Expr(*len, 0));
                        push(to, ")");
                    }
                    CharLen::Assumed => push(to, "(len=*)"),
                    CharLen::Deferred => push(to, "(len=:)"),
                }
            }
            TypeSpec::Derived { name, class, params, .. } => {
                push(to, if *class { "class(" } else { "type(" });
                to.push(Work::Text(name.as_str().into()));
                self.type_params(params, to);
                push(to, ")");
            }
            TypeSpec::ClassStar => push(to, "class(*)"),
            TypeSpec::TypeStar => push(to, "type(*)"),
            TypeSpec::Pointer(target) => {
                push(to, "pointer to ");
                to.push(Work::Spec(target));
            }
            TypeSpec::None => push(to, "void"),
        }
    }

    fn type_params(&self, params: &'a [(Option<String>, TypeParam)], to: &mut Pieces<'a>) {
        for (index, (keyword, value)) in params.iter().enumerate() {
            push(to, if index == 0 { "(" } else { ", " });
            if let Some(keyword) = keyword {
                to.push(Work::Text(format!("{keyword}=").into()));
            }
            match value {
                TypeParam::Expr(value) => to.push(Work::Expr(*value, 0)),
                TypeParam::Assumed => push(to, "*"),
                TypeParam::Deferred => push(to, ":"),
            }
        }
        if !params.is_empty() {
            push(to, ")");
        }
    }

    /// How the kind is spelt: where it is a name always, else where spellings are wanted.
    fn kind(&self, kind: KindSpelling, to: &mut Pieces<'a>) {
        match kind {
            KindSpelling::Default => {}
            KindSpelling::Named if self.options.spellings => push(to, "{double}"),
            KindSpelling::Star(bytes) if self.options.spellings => {
                to.push(Work::Text(format!("{{*{bytes}}}").into()));
            }
            KindSpelling::Named | KindSpelling::Star(_) => {}
            KindSpelling::Expr(expr) => {
                let literal = self
                    .doc
                    .exprs
                    .get(expr)
                    .is_some_and(|expr| matches!(expr.kind, ExprKind::Constant(_)));
                if self.options.spellings || !literal {
                    push(to, "{");
                    to.push(Work::Expr(expr, 0));
                    push(to, "}");
                }
            }
        }
    }
}
