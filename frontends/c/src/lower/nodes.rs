//! Making symbols, references and expressions of the document.

use std::collections::BTreeSet;

use xaif_schema::model::{
    Attr, Base, BoolOp, Constant, ConstantClass, ConstantKind, Decl, Dim, ExprId, ExprKind,
    Operand, Operands, Part, Place, RefId, Reference, Role, ScopeId, SpecItem, Subscript, Symbol,
    SymbolId, SymbolKind, Ty, TypeClass, TypeSpec,
};

use super::Lowering;
use super::types::{CType, spec_of};

impl Lowering<'_> {
    /// Adds a symbol.
    pub(crate) fn symbol(
        &mut self,
        scope: ScopeId,
        name: &str,
        role: Role,
        spec: TypeSpec,
        place: Place,
    ) -> SymbolId {
        let is_value = matches!(role, Role::Variable | Role::Constant);
        let base = spec.base();
        let decl = Decl {
            name: name.to_owned(),
            role,
            spec: match spec {
                TypeSpec::Derived { symbol: Some(symbol), class, params, .. } => {
                    let name = self.doc.name(symbol).to_owned();
                    TypeSpec::Derived { symbol: Some(symbol), name, class, params }
                }
                other => other,
            },
            dims: Vec::new(),
            attrs: BTreeSet::new(),
            intent: None,
            init: None,
            char_len: None,
            common: None,
            bind_name: None,
            implicit: false,
            value: None,
            place,
        };
        let (class, fe_type) = match base {
            Base::Integer(bytes) => (TypeClass::Integer, Some(format!("I{bytes}"))),
            Base::Unsigned(bytes) => (TypeClass::Integer, Some(format!("U{bytes}"))),
            Base::Real(bytes) => (TypeClass::Real, Some(format!("F{bytes}"))),
            Base::Complex(bytes) => (TypeClass::Complex, Some(format!("C{bytes}"))),
            Base::Void => (TypeClass::Void, None),
            _ if is_value => (TypeClass::Opaque, None),
            _ => (TypeClass::Void, None),
        };
        self.doc.add_symbol(Symbol {
            id: name.to_owned(),
            scope,
            kind: if is_value { SymbolKind::Variable } else { SymbolKind::Subroutine },
            class,
            fe_type,
            rank: is_value.then_some(0),
            bounds: Vec::new(),
            active: is_value.then_some(base.is_continuous()),
            temp: None,
            pointer: None,
            decl: Some(Box::new(decl)),
        })
    }

    /// Changes the declaration of `symbol`.
    pub(crate) fn decl_mut(&mut self, symbol: SymbolId, change: impl FnOnce(&mut Decl)) {
        if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
            change(decl);
        }
    }

    /// Gives `symbol` its dimensions, the contiguous one first.
    pub(crate) fn set_dims(&mut self, symbol: SymbolId, dims: Vec<Dim>) {
        let bound = |expr: ExprId| match &self.doc.exprs[expr].kind {
            ExprKind::Constant(constant) => constant.text.parse::<i64>().ok(),
            _ => None,
        };
        let fixed: Option<Vec<(i64, i64)>> = dims
            .iter()
            .rev()
            .map(|dim| match dim {
                Dim::Explicit { lower: Some(lower), upper } => {
                    Some((bound(*lower)?, bound(*upper)?))
                }
                _ => None,
            })
            .collect();
        let target = &mut self.doc.symbols[symbol];
        target.rank = Some(u8::try_from(dims.len()).unwrap_or(u8::MAX));
        target.bounds = fixed.unwrap_or_default();
        self.decl_mut(symbol, |decl| decl.dims = dims);
    }

    /// A local variable of a procedure for the lowering itself.
    pub(crate) fn local(
        &mut self,
        scope: ScopeId,
        name: &str,
        ty: &CType,
        place: Place,
    ) -> SymbolId {
        let name = self.free_name(scope, name);
        let symbol = self.symbol(scope, &name, Role::Variable, spec_of(ty), place);
        self.doc.scopes[scope].items.push(SpecItem::Declare(vec![symbol]));
        symbol
    }

    /// Adds an attribute.
    pub(crate) fn attribute(&mut self, symbol: SymbolId, attr: Attr) {
        self.decl_mut(symbol, |decl| {
            decl.attrs.insert(attr);
        });
    }

    /// A node.
    pub(crate) fn node(&mut self, kind: ExprKind, ty: Ty, place: Place) -> ExprId {
        self.doc.exprs.push(xaif_schema::model::Expr { kind, ty, place, parens: false })
    }

    /// A literal of an integer.
    pub(crate) fn integer(&mut self, value: i64, bytes: u8, place: Place) -> ExprId {
        let constant = Constant {
            class: ConstantClass::Integer,
            fe_type: None,
            text: value.unsigned_abs().to_string().into(),
            kind: match bytes {
                4 => ConstantKind::None,
                bytes => ConstantKind::Number(u16::from(bytes)),
            },
        };
        let ty = Ty::scalar(Base::Integer(bytes));
        let node = self.node(ExprKind::Constant(constant), ty, place);
        if value < 0 { self.operation("minus_scal", &[node], ty, place) } else { node }
    }

    /// A literal of a real number.
    pub(crate) fn real(&mut self, text: &str, bytes: u8, place: Place) -> ExprId {
        let text = text.to_ascii_lowercase();
        let (class, text) = match bytes {
            8 if text.contains('e') => (ConstantClass::Double, text.replace('e', "d")),
            8 => (ConstantClass::Double, format!("{text}d0")),
            _ => (ConstantClass::Real, text),
        };
        let constant =
            Constant { class, fe_type: None, text: text.into(), kind: ConstantKind::None };
        self.node(ExprKind::Constant(constant), Ty::scalar(Base::Real(bytes)), place)
    }

    /// An operation or function of the table.
    pub(crate) fn operation(
        &mut self,
        name: &str,
        operands: &[ExprId],
        ty: Ty,
        place: Place,
    ) -> ExprId {
        let kind = ExprKind::Intrinsic {
            name: name.into(),
            spelling: None,
            operands: positional(operands),
        };
        self.node(kind, ty, place)
    }

    /// A comparison or logical operation.
    pub(crate) fn boolean(&mut self, op: BoolOp, operands: &[ExprId], place: Place) -> ExprId {
        let operands = positional(operands);
        self.node(ExprKind::Boolean { op, operands }, Ty::scalar(Base::Logical(4)), place)
    }

    /// The whole of a variable.
    pub(crate) fn whole(&mut self, symbol: SymbolId, place: Place) -> RefId {
        let data = &self.doc.symbols[symbol];
        let base = data.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
        let ty = Ty { base, rank: data.rank.unwrap_or(0) };
        self.doc.refs.push(Reference::whole(symbol, ty, place))
    }

    /// The value of a variable.
    pub(crate) fn value(&mut self, symbol: SymbolId, place: Place) -> ExprId {
        let reference = self.whole(symbol, place);
        let ty = self.doc.refs[reference].ty;
        self.node(ExprKind::Ref(reference), ty, place)
    }

    /// Copies all nodes of an expression.
    pub(crate) fn copy(&mut self, expr: ExprId) -> ExprId {
        let mut node = self.doc.exprs[expr].clone();
        match &mut node.kind {
            ExprKind::Constant(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {}
            ExprKind::Ref(reference) => *reference = self.copy_ref(*reference),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                for operand in operands {
                    operand.expr = self.copy(operand.expr);
                }
            }
            ExprKind::ArrayConstructor { items, .. } => {
                for item in items {
                    *item = self.copy(*item);
                }
            }
            // Calls have side effects and stand once; the front end makes none of the others within a place.
            ExprKind::Call(_) | ExprKind::ImpliedDo(_) | ExprKind::StructureConstructor { .. } => {}
        }
        self.doc.exprs.push(node)
    }

    /// Copies a reference with its subscripts.
    pub(crate) fn copy_ref(&mut self, reference: RefId) -> RefId {
        let mut copy = self.doc.refs[reference].clone();
        for part in &mut copy.parts {
            if let Part::Elements(subscripts) = part {
                for subscript in subscripts {
                    if let Subscript::Index(index) = subscript {
                        *index = self.copy(*index);
                    }
                }
            }
        }
        self.doc.refs.push(copy)
    }
}

/// Operands by position.
pub(crate) fn positional(operands: &[ExprId]) -> Operands {
    let number = |index: usize| u16::try_from(index + 1).unwrap_or(u16::MAX);
    let operand = |(index, &expr)| Operand { position: number(index), keyword: false, expr };
    operands.iter().enumerate().map(operand).collect()
}
