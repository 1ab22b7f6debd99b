//! Initialisers: values of storage that lasts, assignments to local variables.

use lang_c::ast::{Designator, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};
use xaif_schema::model::{
    Arg, ArgValue, ExprId, ExprKind, Part, Place, StmtKind, Subscript, SymbolId, Ty,
};

use super::effects::After;
use super::types::{CType, Extent, spec_of};
use super::{Lowered, Lowering};

/// The values of an initialiser by the position of the element or member; an object may have many.
type Flat<'e> = Vec<(Vec<usize>, &'e Node<lang_c::ast::Expression>)>;

impl Lowering<'_> {
    /// The type with the extent that the initialiser gives.
    pub(crate) fn completed(
        &mut self,
        ty: CType,
        initializer: Option<&Node<Initializer>>,
    ) -> Lowered<CType> {
        match (ty, initializer.map(|one| &one.node)) {
            (
                CType::Array { element, extent: Extent::Unknown, constant },
                Some(Initializer::List(list)),
            ) => {
                let mut next = 0_i64;
                let mut most = 0_i64;
                for item in list {
                    if let Some(Designator::Index(index)) =
                        item.node.designation.first().map(|one| &one.node)
                    {
                        next = self.constant(index).unwrap_or(next);
                    }
                    next += 1;
                    most = most.max(next);
                }
                let nested = list
                    .iter()
                    .any(|item| matches!(item.node.initializer.node, Initializer::List(_)));
                if element.rank() > 0 && !nested {
                    let inner = self.count_elements(&element).unwrap_or(1);
                    most = (most + inner - 1) / inner;
                }
                Ok(CType::Array { element, extent: Extent::Fixed(most), constant })
            }
            (ty, _) => Ok(ty),
        }
    }

    fn count_elements(&self, ty: &CType) -> Option<i64> {
        match ty {
            CType::Array { element, extent: Extent::Fixed(count), .. } => {
                Some(count * self.count_elements(element)?)
            }
            CType::Array { .. } => None,
            _ => Some(1),
        }
    }

    /// Values of scalars by their positions.
    fn flat<'e>(
        &mut self,
        ty: &CType,
        initializer: &'e Node<Initializer>,
        at: &mut Vec<usize>,
        found: &mut Flat<'e>,
    ) -> Lowered<()> {
        match &initializer.node {
            Initializer::Expression(value) => {
                found.push((at.clone(), value));
                Ok(())
            }
            Initializer::List(list) => {
                let mut items = list.iter().peekable();
                self.list(ty, &mut items, true, at, found)?;
                match items.next() {
                    Some(item) => self.refuse(
                        item.span,
                        "an initialiser has too many values",
                        "remove the last ones",
                    ),
                    None => Ok(()),
                }
            }
        }
    }

    /// Takes the values of an object of type `ty` from a list; within braces designators are followed.
    fn list<'e>(
        &mut self,
        ty: &CType,
        items: &mut std::iter::Peekable<std::slice::Iter<'e, Node<InitializerListItem>>>,
        braces: bool,
        at: &mut Vec<usize>,
        found: &mut Flat<'e>,
    ) -> Lowered<()> {
        let (count, members) = match ty {
            CType::Array { extent: Extent::Fixed(count), .. } => {
                (usize::try_from(*count).unwrap_or(0), None)
            }
            CType::Struct(symbol) => {
                let members: Vec<SymbolId> = self.doc.own_components(*symbol).collect();
                (members.len(), Some(members))
            }
            CType::Array { .. } => {
                let span = items.peek().map_or(Span { start: 0, end: 0 }, |item| item.span);
                return self.refuse(
                    span,
                    "an array of unknown extent is initialised",
                    "assign to its elements",
                );
            }
            _ => {
                let Some(item) = items.next() else { return Ok(()) };
                return self.flat(ty, &item.node.initializer, at, found);
            }
        };
        let mut index = 0;
        while let Some(item) = items.peek().copied() {
            if let Some(designator) = item.node.designation.first() {
                if !braces {
                    return Ok(());
                }
                index = match (&designator.node, &members) {
                    (Designator::Index(value), None) => self
                        .constant(value)
                        .and_then(|value| usize::try_from(value).ok())
                        .unwrap_or(count),
                    (Designator::Member(name), Some(members)) => members
                        .iter()
                        .position(|&member| self.doc.name(member) == name.node.name)
                        .unwrap_or(count),
                    _ => count,
                };
                if index >= count || item.node.designation.len() > 1 {
                    return self.refuse(
                        designator.span,
                        "a designator that is not supported",
                        "initialise the elements in their order",
                    );
                }
            }
            if index >= count {
                return Ok(());
            }
            let inner = match (&members, ty) {
                (Some(members), _) => self.type_of_member(members[index]),
                (None, CType::Array { element, .. }) => (**element).clone(),
                (None, _) => return Ok(()),
            };
            at.push(index);
            let scalar = !matches!(inner, CType::Array { .. } | CType::Struct(_));
            let whole = matches!(item.node.initializer.node, Initializer::List(_)) || scalar;
            if whole {
                items.next();
                self.flat(&inner, &item.node.initializer, at, found)?;
            } else {
                self.list(&inner, items, false, at, found)?;
            }
            at.pop();
            index += 1;
        }
        Ok(())
    }

    /// The value of storage that lasts, as a constant expression.
    pub(crate) fn static_initial(
        &mut self,
        ty: &CType,
        initializer: &Node<Initializer>,
    ) -> Lowered<ExprId> {
        let mut found = Flat::new();
        self.flat(ty, initializer, &mut Vec::new(), &mut found)?;
        self.built(ty, &found, &mut Vec::new(), initializer.span)
    }

    /// Zeros, where they can be said.
    pub(crate) fn zero_initial(&mut self, ty: &CType, span: Span) -> Option<ExprId> {
        let place = self.place(span);
        match ty {
            CType::Array { .. } if !matches!(ty.element(), CType::Struct(_)) => {
                self.zero(ty.element(), place)
            }
            CType::Struct(_) => self.built(ty, &Flat::new(), &mut Vec::new(), span).ok(),
            _ => self.zero(ty, place),
        }
    }

    fn zero(&mut self, ty: &CType, place: Place) -> Option<ExprId> {
        match ty {
            CType::Float(bytes) => Some(self.real("0.0", *bytes, place)),
            CType::Int { bytes, unsigned } => {
                let zero = self.integer(0, *bytes, place);
                if *unsigned {
                    self.doc.exprs[zero].ty = ty.ty();
                }
                Some(zero)
            }
            _ => None,
        }
    }

    fn built(
        &mut self,
        ty: &CType,
        values: &Flat<'_>,
        at: &mut Vec<usize>,
        span: Span,
    ) -> Lowered<ExprId> {
        let place = self.place(span);
        match ty {
            CType::Array { element, extent: Extent::Fixed(_), .. } => {
                let any = values.iter().any(|(position, _)| position.starts_with(at));
                let scalar = ty.element().clone();
                if !any
                    && !matches!(**element, CType::Struct(_))
                    && let Some(zero) = self.zero(&scalar, place)
                {
                    return Ok(zero);
                }
                let mut items = Vec::new();
                self.elements(ty, values, at, span, &mut items)?;
                let vector = Ty { base: ty.base(), rank: 1 };
                let kind = ExprKind::ArrayConstructor { spec: None, items };
                let list = self.node(kind, vector, place);
                if ty.rank() == 1 {
                    return Ok(list);
                }
                let mut shape = Vec::new();
                let mut one = ty;
                while let CType::Array { element, extent: Extent::Fixed(count), .. } = one {
                    shape.push(*count);
                    one = element;
                }
                let shape =
                    shape.iter().rev().map(|&count| self.integer(count, 4, place)).collect();
                let kind = ExprKind::ArrayConstructor { spec: None, items: shape };
                let shape = self.node(kind, Ty { base: super::types::INT.base(), rank: 1 }, place);
                Ok(self.operation("reshape_arr", &[list, shape], ty.ty(), place))
            }
            CType::Struct(symbol) => {
                if let Some((_, value)) = values.iter().find(|(position, _)| position == at) {
                    let span = value.span;
                    return self.refuse(
                        span,
                        "a structure is initialised by another object",
                        "assign it in a function",
                    );
                }
                let members: Vec<SymbolId> = self.doc.own_components(*symbol).collect();
                let mut args = Vec::new();
                for (index, (position, member)) in (1_u32..).zip(members).enumerate() {
                    let inner = self.type_of_member(member);
                    at.push(index);
                    let value = self.built(&inner, values, at, span)?;
                    at.pop();
                    args.push(Arg { position, keyword: None, value: ArgValue::Expr(value) });
                }
                let mut spec = spec_of(ty);
                if let xaif_schema::model::TypeSpec::Derived { name, .. } = &mut spec {
                    *name = self.doc.name(*symbol).to_owned();
                }
                let kind = ExprKind::StructureConstructor { spec: Box::new(spec), args };
                Ok(self.node(kind, ty.ty(), place))
            }
            _ => match values
                .iter()
                .rev()
                .find(|(position, _)| position == at)
                .map(|(_, value)| *value)
            {
                Some(value) => {
                    let (expr, own) = self.value_of(value)?;
                    Ok(self.convert(expr, &own, ty, place))
                }
                None => match self.zero(ty, place) {
                    Some(zero) => Ok(zero),
                    None => {
                        self.refuse(span, "a value of this type cannot be zero", "initialise it")
                    }
                },
            },
        }
    }

    fn elements(
        &mut self,
        ty: &CType,
        values: &Flat<'_>,
        at: &mut Vec<usize>,
        span: Span,
        items: &mut Vec<ExprId>,
    ) -> Lowered<()> {
        let CType::Array { element, extent: Extent::Fixed(count), .. } = ty else {
            items.push(self.built(ty, values, at, span)?);
            return Ok(());
        };
        for index in 0..usize::try_from(*count).unwrap_or(0) {
            at.push(index);
            self.elements(element, values, at, span, items)?;
            at.pop();
        }
        Ok(())
    }

    /// Assigns the initial value of a local variable.
    pub(crate) fn initialise(
        &mut self,
        symbol: SymbolId,
        ty: &CType,
        initializer: &Node<Initializer>,
        _constant: bool,
    ) -> Lowered<()> {
        let place = self.place(initializer.span);
        if let Initializer::Expression(value) = &initializer.node {
            let lhs = self.whole(symbol, place);
            return self.store(lhs, value, After::Assign(lhs), place);
        }
        let mut found = Flat::new();
        self.flat(ty, initializer, &mut Vec::new(), &mut found)?;
        match ty {
            CType::Struct(_) => {
                let value = self.built(ty, &found, &mut Vec::new(), initializer.span)?;
                self.assign(symbol, value, place);
            }
            CType::Array { .. } if !matches!(ty.element(), CType::Struct(_)) => {
                let total = self.count_elements(ty);
                let every = total
                    .is_some_and(|total| i64::try_from(found.len()).is_ok_and(|own| own >= total));
                if !every && let Some(zero) = self.zero(ty.element(), place) {
                    self.assign(symbol, zero, place);
                }
                for (position, value) in found {
                    let zero = matches!(&value.node, lang_c::ast::Expression::Constant(_))
                        && self.constant(value) == Some(0);
                    if zero && !every {
                        continue;
                    }
                    let mut subs = Vec::new();
                    for &index in position.iter().rev() {
                        let index = i64::try_from(index).unwrap_or(0);
                        subs.push(Subscript::Index(self.integer(index, 4, place)));
                    }
                    let lhs = self.whole(symbol, place);
                    let data = &mut self.doc.refs[lhs];
                    data.parts.push(Part::Elements(subs));
                    data.ty.rank = 0;
                    let (rhs, _) = self.value_of(value)?;
                    self.push(StmtKind::Assign { lhs, rhs, defined: None }, place);
                }
            }
            CType::Array { .. } => {
                return self.refuse(
                    initializer.span,
                    "a list initialises an array of structures here",
                    "make it static const, or assign to its members",
                );
            }
            _ => {
                if let Some((_, value)) = found.first() {
                    let (rhs, _) = self.value_of(value)?;
                    self.assign(symbol, rhs, place);
                }
            }
        }
        Ok(())
    }
}
