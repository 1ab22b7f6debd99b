//! Objects and pointers: what stands on the left of an assignment, and what points to it.

use lang_c::ast::{BinaryOperator, Expression, MemberOperator, UnaryOperator};
use lang_c::span::{Node, Span};
use smallvec::SmallVec;
use xaif_schema::model::{ExprId, Part, RefId, Reference, Subscript, SymbolId};

use super::types::{CType, Extent};
use super::{Entity, Lowered, Lowering, Passing};

/// An object, perhaps an array whose first subscripts are given.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    base: SymbolId,
    parts: Vec<Part>,
    /// Subscripts of the array that the last part names, in the order of C.
    subs: Vec<ExprId>,
    /// The type behind the subscripts.
    pub(crate) ty: CType,
}

/// The value of a pointer.
#[derive(Clone, Debug)]
pub(crate) enum Pointer {
    /// An element of an array; the first where there is no offset.
    Element {
        array: Object,
        offset: Option<ExprId>,
    },
    /// One object.
    Single(Object),
    Null,
}

impl Object {
    pub(crate) fn variable(base: SymbolId, ty: CType) -> Self {
        Object { base, parts: Vec::new(), subs: Vec::new(), ty }
    }
}

impl Lowering<'_> {
    /// The object that `expr` names.
    pub(crate) fn object(&mut self, expr: &Node<Expression>) -> Lowered<Object> {
        match &expr.node {
            Expression::Identifier(name) => {
                let name = &name.node.name;
                match self.entity(name).cloned() {
                    Some(Entity::Variable { symbol, ty, passing }) => match (passing, ty) {
                        (Some(Passing::Array), CType::Pointer { target, constant, .. }) => {
                            let ty =
                                CType::Array { element: target, extent: Extent::Unknown, constant };
                            Ok(Object::variable(symbol, ty))
                        }
                        (Some(Passing::Reference), _) => self.pointer_as_object(expr.span, name),
                        (_, ty) => Ok(Object::variable(symbol, ty)),
                    },
                    Some(Entity::Allocated { symbol, target }) => {
                        let element = Box::new(target);
                        let ty = CType::Array { element, extent: Extent::Unknown, constant: false };
                        Ok(Object::variable(symbol, ty))
                    }
                    Some(Entity::Walker(_)) => self.pointer_as_object(expr.span, name),
                    Some(_) => {
                        self.refuse(expr.span, &format!("`{name}` is no object"), "name a variable")
                    }
                    None => self.refuse(
                        expr.span,
                        &format!("`{name}` is not declared"),
                        "declare it, or include its header",
                    ),
                }
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let pointer = self.pointer(&binary.node.lhs)?;
                let (index, ty) = self.value_of(&binary.node.rhs)?;
                if !ty.is_integer() {
                    return self.refuse(
                        binary.node.rhs.span,
                        "a subscript is no integer",
                        "subscript the pointer by an integer",
                    );
                }
                self.element(pointer, Some(index), expr.span)
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                let pointer = self.pointer(&unary.node.operand)?;
                self.element(pointer, None, expr.span)
            }
            Expression::Member(member) => {
                let object = match member.node.operator.node {
                    MemberOperator::Direct => self.object(&member.node.expression)?,
                    MemberOperator::Indirect => {
                        let pointer = self.pointer(&member.node.expression)?;
                        self.element(pointer, None, expr.span)?
                    }
                };
                self.member(object, &member.node.identifier.node.name, expr.span)
            }
            Expression::Cast(_) => {
                self.refuse(expr.span, "a cast is no object here", "use the object itself")
            }
            _ => self.refuse(
                expr.span,
                "an object that the front end does not follow",
                "assign the value to a variable first",
            ),
        }
    }

    fn pointer_as_object<T>(&mut self, span: Span, name: &str) -> Lowered<T> {
        let message = format!("the pointer `{name}` is used as an object of its own");
        self.refuse(span, &message, "subscript it, or pass it to a function")
    }

    fn member(&mut self, object: Object, name: &str, span: Span) -> Lowered<Object> {
        let CType::Struct(structure) = object.ty else {
            return self.refuse(
                span,
                "a member of an object that is no structure",
                "name a structure that is defined here",
            );
        };
        let Some(component) =
            self.doc.own_components(structure).find(|&one| self.doc.name(one) == name)
        else {
            let message = format!("the structure has no member `{name}`");
            return self.refuse(span, &message, "look at its definition");
        };
        let ty = self.type_of_member(component);
        let mut object = self.with_subscripts(object);
        object.parts.push(Part::Component { symbol: Some(component), name: name.into() });
        object.ty = ty;
        Ok(object)
    }

    /// The type of a member, from its declaration in the document.
    pub(crate) fn type_of_member(&self, component: SymbolId) -> CType {
        use xaif_schema::model::{Base, Dim, ExprKind};
        let Some(decl) = self.doc.symbols[component].decl.as_deref() else { return CType::Void };
        let mut ty = match decl.spec.base() {
            Base::Integer(bytes) => CType::Int { bytes, unsigned: false },
            Base::Unsigned(bytes) => CType::Int { bytes, unsigned: true },
            Base::Real(bytes) => CType::Float(bytes),
            Base::Complex(bytes) => CType::Complex(bytes),
            Base::Derived(symbol) => CType::Struct(symbol),
            _ => CType::Other("a type of the system"),
        };
        for dim in &decl.dims {
            let upper = match dim {
                Dim::Explicit { upper, .. } => match &self.doc.exprs[*upper].kind {
                    ExprKind::Constant(constant) => constant.text.parse::<i64>().ok(),
                    _ => None,
                },
                _ => None,
            };
            let extent = upper.map_or(Extent::Unknown, |upper| Extent::Fixed(upper + 1));
            ty = CType::Array { element: Box::new(ty), extent, constant: false };
        }
        ty
    }

    /// The object with its subscripts as a part.
    fn with_subscripts(&mut self, mut object: Object) -> Object {
        if !object.subs.is_empty() {
            let subs = object.subs.iter().rev().map(|&sub| Subscript::Index(sub)).collect();
            object.parts.push(Part::Elements(subs));
            object.subs.clear();
        }
        object
    }

    /// The object at a distance from where a pointer points to.
    pub(crate) fn element(
        &mut self,
        pointer: Pointer,
        index: Option<ExprId>,
        span: Span,
    ) -> Lowered<Object> {
        let place = self.place(span);
        match pointer {
            Pointer::Element { mut array, offset } => {
                let Some(element) = array.ty.target().cloned() else {
                    return self.refuse(
                        span,
                        "a subscript behind all dimensions",
                        "look at the declaration",
                    );
                };
                let sub = match (offset, index) {
                    (None, None) => self.integer(0, 4, place),
                    (Some(one), None) | (None, Some(one)) => one,
                    (Some(offset), Some(index)) => self.sum(offset, index, place),
                };
                array.subs.push(sub);
                array.ty = element;
                Ok(array)
            }
            Pointer::Single(object) => match index.map(|index| self.literal(index)) {
                None | Some(Some(0)) => Ok(object),
                Some(_) => self.refuse(
                    span,
                    "a subscript of a pointer to one object",
                    "pass the array that it belongs to",
                ),
            },
            Pointer::Null => {
                self.refuse(span, "a null pointer is dereferenced", "give it a target")
            }
        }
    }

    /// `a + b` of integers; a literal zero adds nothing.
    pub(crate) fn sum(&mut self, a: ExprId, b: ExprId, place: xaif_schema::model::Place) -> ExprId {
        match (self.literal(a), self.literal(b)) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => {
                let ty = self.wider(a, b);
                self.operation("add_scal_scal", &[a, b], ty, place)
            }
        }
    }

    /// The type of arithmetic on two integers.
    pub(crate) fn wider(&self, a: ExprId, b: ExprId) -> xaif_schema::model::Ty {
        use xaif_schema::model::Base;
        let (a, b) = (self.doc.exprs[a].ty, self.doc.exprs[b].ty);
        match (a.base, b.base) {
            (Base::Integer(x), Base::Integer(y)) if y > x => b,
            _ => a,
        }
    }

    /// The reference to an object; of an array the whole, or the first element behind its subscripts.
    pub(crate) fn reference(&mut self, object: Object, span: Span) -> RefId {
        let place = self.place(span);
        let mut object = object;
        if !object.subs.is_empty() {
            for _ in 0..object.ty.rank() {
                let zero = self.integer(0, 4, place);
                object.subs.push(zero);
            }
            object.ty = object.ty.element().clone();
        }
        let ty = object.ty.ty();
        let object = self.with_subscripts(object);
        let mut reference = Reference::whole(object.base, ty, place);
        reference.parts = SmallVec::from_vec(object.parts);
        self.doc.refs.push(reference)
    }

    /// The value of `expr` as a pointer.
    pub(crate) fn pointer(&mut self, expr: &Node<Expression>) -> Lowered<Pointer> {
        match &expr.node {
            Expression::Identifier(name) => match self.entity(&name.node.name).cloned() {
                Some(Entity::Variable { symbol, ty, passing: Some(Passing::Reference) }) => {
                    Ok(Pointer::Single(Object::variable(symbol, ty)))
                }
                Some(Entity::Walker(walker)) => {
                    let place = self.place(expr.span);
                    let offset = self.value(walker.offset, place);
                    let root = self.root_object(&walker.root, expr.span)?;
                    Ok(Pointer::Element { array: root, offset: Some(offset) })
                }
                _ => self.array(expr),
            },
            Expression::UnaryOperator(unary) => self.unary_pointer(expr, &unary.node),
            Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                BinaryOperator::Plus => {
                    let (left, right) = (&binary.node.lhs, &binary.node.rhs);
                    if self.is_pointer(left) {
                        self.moved(left, right, false, expr.span)
                    } else {
                        self.moved(right, left, false, expr.span)
                    }
                }
                BinaryOperator::Minus => {
                    self.moved(&binary.node.lhs, &binary.node.rhs, true, expr.span)
                }
                BinaryOperator::Index => self.array(expr),
                _ => {
                    let value = self.effect_value(expr)?;
                    if value { self.pointer(&binary.node.lhs) } else { self.no_pointer(expr.span) }
                }
            },
            Expression::Member(_) => self.array(expr),
            Expression::Cast(cast) => {
                if self.is_null(expr) {
                    return Ok(Pointer::Null);
                }
                let wanted = self.type_name(&cast.node.type_name)?;
                let pointer = self.pointer(&cast.node.expression)?;
                let own = match &pointer {
                    Pointer::Element { array, .. } => array.ty.target().cloned(),
                    Pointer::Single(object) => Some(object.ty.clone()),
                    Pointer::Null => None,
                };
                match (wanted.target(), own) {
                    (Some(wanted), Some(own)) if *wanted == own => Ok(pointer),
                    _ => self.refuse(
                        expr.span,
                        "a cast gives a pointer another type",
                        "declare the object with the type that it is used with",
                    ),
                }
            }
            _ if self.is_null(expr) => Ok(Pointer::Null),
            _ => self.no_pointer(expr.span),
        }
    }

    fn no_pointer<T>(&mut self, span: Span) -> Lowered<T> {
        self.refuse(
            span,
            "a pointer whose target is not known here",
            "use a subscript of the array, or a parameter for the object",
        )
    }

    /// The object that pointer variables with this root point into.
    pub(crate) fn root_object(&mut self, root: &str, span: Span) -> Lowered<Object> {
        match self.entity(root).cloned() {
            Some(Entity::Variable {
                symbol, ty: CType::Pointer { target, constant, .. }, ..
            }) => {
                let ty = CType::Array { element: target, extent: Extent::Unknown, constant };
                Ok(Object::variable(symbol, ty))
            }
            Some(Entity::Variable { symbol, ty: ty @ CType::Array { .. }, .. }) => {
                Ok(Object::variable(symbol, ty))
            }
            Some(Entity::Allocated { symbol, target }) => {
                let ty = CType::Array {
                    element: Box::new(target),
                    extent: Extent::Unknown,
                    constant: false,
                };
                Ok(Object::variable(symbol, ty))
            }
            _ => self.no_pointer(span),
        }
    }

    /// An array as a pointer to its first element.
    fn array(&mut self, expr: &Node<Expression>) -> Lowered<Pointer> {
        let object = self.object(expr)?;
        match &object.ty {
            CType::Array { .. } => Ok(Pointer::Element { array: object, offset: None }),
            _ => self.no_pointer(expr.span),
        }
    }

    fn unary_pointer(
        &mut self,
        expr: &Node<Expression>,
        unary: &lang_c::ast::UnaryOperatorExpression,
    ) -> Lowered<Pointer> {
        match unary.operator.node {
            UnaryOperator::Address => {
                let inner = &unary.operand;
                match &inner.node {
                    Expression::BinaryOperator(binary)
                        if binary.node.operator.node == BinaryOperator::Index =>
                    {
                        self.moved(&binary.node.lhs, &binary.node.rhs, false, expr.span)
                    }
                    Expression::UnaryOperator(unary)
                        if unary.node.operator.node == UnaryOperator::Indirection =>
                    {
                        self.pointer(&unary.node.operand)
                    }
                    _ => {
                        let object = self.object(inner)?;
                        match &object.ty {
                            CType::Array { .. } => {
                                Ok(Pointer::Element { array: object, offset: None })
                            }
                            _ => Ok(Pointer::Single(object)),
                        }
                    }
                }
            }
            UnaryOperator::Indirection => self.array(expr),
            UnaryOperator::PreIncrement | UnaryOperator::PreDecrement => {
                self.effect_value(expr)?;
                self.pointer(&unary.operand)
            }
            UnaryOperator::PostIncrement | UnaryOperator::PostDecrement => {
                let before = self.pointer(&unary.operand)?;
                self.effect_value(expr)?;
                Ok(before)
            }
            _ => self.no_pointer(expr.span),
        }
    }

    /// A pointer moved by `distance`.
    fn moved(
        &mut self,
        pointer: &Node<Expression>,
        distance: &Node<Expression>,
        back: bool,
        span: Span,
    ) -> Lowered<Pointer> {
        let place = self.place(span);
        let pointer = self.pointer(pointer)?;
        let (distance, ty) = self.value_of(distance)?;
        if !ty.is_integer() {
            return self.refuse(
                span,
                "two pointers are subtracted or added here",
                "subtract subscripts instead",
            );
        }
        match pointer {
            Pointer::Element { array, offset } => {
                let start = match offset {
                    Some(offset) => offset,
                    None if !back => return Ok(Pointer::Element { array, offset: Some(distance) }),
                    None => self.integer(0, 4, place),
                };
                let offset = if back {
                    let ty = self.wider(start, distance);
                    self.operation("sub_scal_scal", &[start, distance], ty, place)
                } else {
                    self.sum(start, distance, place)
                };
                Ok(Pointer::Element { array, offset: Some(offset) })
            }
            Pointer::Single(object) if self.literal(distance) == Some(0) => {
                Ok(Pointer::Single(object))
            }
            Pointer::Single(_) | Pointer::Null => self.no_pointer(span),
        }
    }

    /// Whether an expression is a pointer or an array.
    pub(crate) fn is_pointer(&mut self, expr: &Node<Expression>) -> bool {
        match &expr.node {
            Expression::Identifier(name) => match self.entity(&name.node.name) {
                Some(Entity::Variable { ty, passing, .. }) => {
                    ty.is_pointer() || *passing == Some(Passing::Reference)
                }
                Some(Entity::Allocated { .. } | Entity::Walker(_)) => true,
                _ => false,
            },
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Address => true,
                UnaryOperator::Indirection => self.rank_of(&unary.node.operand) > 1,
                UnaryOperator::Minus
                | UnaryOperator::Plus
                | UnaryOperator::Complement
                | UnaryOperator::Negate => false,
                _ => self.is_pointer(&unary.node.operand),
            },
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Plus => {
                    self.is_pointer(&binary.node.lhs) || self.is_pointer(&binary.node.rhs)
                }
                BinaryOperator::Minus => {
                    self.is_pointer(&binary.node.lhs) && !self.is_pointer(&binary.node.rhs)
                }
                BinaryOperator::Index => self.rank_of(&binary.node.lhs) > 1,
                BinaryOperator::Assign
                | BinaryOperator::AssignPlus
                | BinaryOperator::AssignMinus => self.is_pointer(&binary.node.lhs),
                _ => false,
            },
            Expression::Member(_) => self.rank_of(expr) > 0,
            Expression::Cast(cast) => {
                cast.node.type_name.node.declarator.as_ref().is_some_and(|declarator| {
                    declarator
                        .node
                        .derived
                        .iter()
                        .any(|one| matches!(one.node, lang_c::ast::DerivedDeclarator::Pointer(_)))
                })
            }
            _ => false,
        }
    }

    /// The number of dimensions of what an expression names, without any effect; a pointer has one.
    fn rank_of(&mut self, expr: &Node<Expression>) -> usize {
        self.type_of(expr).map_or(0, |ty| match &ty {
            CType::Pointer { target, .. } => 1 + target.rank(),
            other => other.rank(),
        })
    }

    /// The type of a place, without any effect; `None` where it is no place.
    pub(crate) fn type_of(&mut self, expr: &Node<Expression>) -> Option<CType> {
        match &expr.node {
            Expression::Identifier(name) => match self.entity(&name.node.name)? {
                Entity::Variable { ty, passing: Some(Passing::Reference), .. } => {
                    Some(CType::Pointer {
                        target: Box::new(ty.clone()),
                        constant: false,
                        restrict: false,
                    })
                }
                Entity::Variable { ty, .. } => Some(ty.clone()),
                Entity::Allocated { target, .. } | Entity::Walker(super::Walker { target, .. }) => {
                    Some(CType::Pointer {
                        target: Box::new(target.clone()),
                        constant: false,
                        restrict: false,
                    })
                }
                _ => None,
            },
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Index => self.type_of(&binary.node.lhs)?.target().cloned(),
                BinaryOperator::Plus | BinaryOperator::Minus => {
                    let ty = self.type_of(&binary.node.lhs);
                    let ty = ty.filter(CType::is_pointer);
                    ty.or_else(|| self.type_of(&binary.node.rhs).filter(CType::is_pointer))
                }
                _ => None,
            },
            Expression::UnaryOperator(unary) => {
                let inner = self.type_of(&unary.node.operand)?;
                match unary.node.operator.node {
                    UnaryOperator::Indirection => inner.target().cloned(),
                    UnaryOperator::Address => Some(CType::Pointer {
                        target: Box::new(inner),
                        constant: false,
                        restrict: false,
                    }),
                    UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement
                    | UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement => Some(inner),
                    _ => None,
                }
            }
            Expression::Member(member) => {
                let mut ty = self.type_of(&member.node.expression)?;
                if member.node.operator.node == MemberOperator::Indirect {
                    ty = ty.target()?.clone();
                }
                let CType::Struct(structure) = ty else { return None };
                let name = &member.node.identifier.node.name;
                let component =
                    self.doc.own_components(structure).find(|&one| self.doc.name(one) == name)?;
                Some(self.type_of_member(component))
            }
            Expression::Cast(cast) => self.type_of(&cast.node.expression),
            _ => None,
        }
    }
}
