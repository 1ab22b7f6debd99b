//! Types of C.

use lang_c::ast::{
    self, ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    PointerQualifier, SpecifierQualifier, StorageClassSpecifier, TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use xaif_schema::model::{Base, KindSpelling, Role, ScopeKind, SpecItem, SymbolId, Ty, TypeSpec};

use super::{Entity, Lowered, Lowering};

/// A type of C.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CType {
    Void,
    Int {
        bytes: u8,
        unsigned: bool,
    },
    Float(u8),
    Complex(u8),
    Struct(SymbolId),
    /// The target, and whether it is const.
    Pointer {
        target: Box<CType>,
        constant: bool,
        restrict: bool,
    },
    Array {
        element: Box<CType>,
        extent: Extent,
        constant: bool,
    },
    Function {
        result: Box<CType>,
        params: Vec<(Option<String>, CType, Span)>,
        variadic: bool,
    },
    /// A type that the front end does not know, by its name.
    Other(&'static str),
}

/// The number of elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Extent {
    Unknown,
    /// An expression, which may be no constant.
    Is(Box<Node<ast::Expression>>),
    Fixed(i64),
}

/// `int`.
pub(crate) const INT: CType = CType::Int { bytes: 4, unsigned: false };
/// `double`.
pub(crate) const DOUBLE: CType = CType::Float(8);

impl CType {
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, CType::Int { .. })
    }

    pub(crate) fn is_arithmetic(&self) -> bool {
        matches!(self, CType::Int { .. } | CType::Float(_) | CType::Complex(_))
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self, CType::Pointer { .. } | CType::Array { .. })
    }

    /// The type that a pointer to it or an array of it has as element.
    pub(crate) fn target(&self) -> Option<&CType> {
        match self {
            CType::Pointer { target, .. } => Some(target),
            CType::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The type of one element of an array of any number of dimensions.
    pub(crate) fn element(&self) -> &CType {
        match self {
            CType::Array { element, .. } => element.element(),
            other => other,
        }
    }

    /// The number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        match self {
            CType::Array { element, .. } => 1 + element.rank(),
            _ => 0,
        }
    }

    /// The type of one element in a document.
    pub(crate) fn base(&self) -> Base {
        match self {
            CType::Void => Base::Void,
            CType::Int { bytes, unsigned: false } => Base::Integer(*bytes),
            CType::Int { bytes, unsigned: true } => Base::Unsigned(*bytes),
            CType::Float(bytes) => Base::Real(*bytes),
            CType::Complex(bytes) => Base::Complex(*bytes),
            CType::Struct(symbol) => Base::Derived(*symbol),
            CType::Array { element, .. } => element.base(),
            CType::Pointer { .. } | CType::Function { .. } | CType::Other(_) => Base::Unknown,
        }
    }

    pub(crate) fn ty(&self) -> Ty {
        Ty { base: self.base(), rank: u8::try_from(self.rank()).unwrap_or(u8::MAX) }
    }

    /// Whether objects of the type have `const`.
    pub(crate) fn has_constant_target(&self) -> bool {
        match self {
            CType::Pointer { constant, .. } | CType::Array { constant, .. } => *constant,
            _ => false,
        }
    }
}

/// What the specifiers of a declaration say.
#[derive(Clone, Debug)]
pub(crate) struct Specifiers {
    pub(crate) ty: CType,
    pub(crate) constant: bool,
    pub(crate) typedef: bool,
    pub(crate) is_static: bool,
    pub(crate) is_extern: bool,
    pub(crate) inline: bool,
    pub(crate) volatile: bool,
}

impl Lowering<'_> {
    /// The specifiers of a declaration.
    pub(crate) fn specifiers(
        &mut self,
        list: &[Node<DeclarationSpecifier>],
        span: Span,
    ) -> Lowered<Specifiers> {
        let mut types = Vec::new();
        let mut found = Specifiers {
            ty: CType::Void,
            constant: false,
            typedef: false,
            is_static: false,
            is_extern: false,
            inline: false,
            volatile: false,
        };
        for one in list {
            match &one.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => found.typedef = true,
                    StorageClassSpecifier::Extern => found.is_extern = true,
                    StorageClassSpecifier::Static => found.is_static = true,
                    StorageClassSpecifier::ThreadLocal => {
                        return self.refuse(
                            class.span,
                            "_Thread_local is not supported",
                            "use a variable of the program",
                        );
                    }
                    StorageClassSpecifier::Auto | StorageClassSpecifier::Register => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                DeclarationSpecifier::TypeQualifier(qualifier) => match qualifier.node {
                    TypeQualifier::Const => found.constant = true,
                    TypeQualifier::Volatile => found.volatile = true,
                    _ => {}
                },
                DeclarationSpecifier::Function(function) => {
                    found.inline |= function.node == ast::FunctionSpecifier::Inline;
                }
                DeclarationSpecifier::Alignment(_) | DeclarationSpecifier::Extension(_) => {}
            }
        }
        found.ty = self.base_type(&types, span)?;
        Ok(found)
    }

    /// The type of a list of specifiers and qualifiers, and whether it is const.
    pub(crate) fn qualified(
        &mut self,
        list: &[Node<SpecifierQualifier>],
        span: Span,
    ) -> Lowered<(CType, bool)> {
        let mut types = Vec::new();
        let mut constant = false;
        for one in list {
            match &one.node {
                SpecifierQualifier::TypeSpecifier(ty) => types.push(ty),
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    constant |= qualifier.node == TypeQualifier::Const;
                }
                SpecifierQualifier::Extension(_) => {}
            }
        }
        Ok((self.base_type(&types, span)?, constant))
    }

    /// The type that a cast or `sizeof` names.
    pub(crate) fn type_name(&mut self, name: &Node<ast::TypeName>) -> Lowered<CType> {
        let (ty, constant) = self.qualified(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declared(ty, constant, declarator)?.1),
            None => Ok(ty),
        }
    }

    fn base_type(&mut self, list: &[&Node<TypeSpecifier>], span: Span) -> Lowered<CType> {
        let (mut long, mut short, mut unsigned, mut signed) = (0, false, false, false);
        let (mut complex, mut base) = (false, None);
        for one in list {
            match &one.node {
                TypeSpecifier::Void => base = Some(CType::Void),
                TypeSpecifier::Char => base = Some(CType::Int { bytes: 1, unsigned: false }),
                TypeSpecifier::Short => short = true,
                TypeSpecifier::Int => base = base.or(Some(INT)),
                TypeSpecifier::Long => long += 1,
                TypeSpecifier::Float => base = Some(CType::Float(4)),
                TypeSpecifier::Double => base = Some(DOUBLE),
                TypeSpecifier::Signed => signed = true,
                TypeSpecifier::Unsigned => unsigned = true,
                TypeSpecifier::Complex => complex = true,
                TypeSpecifier::Bool => base = Some(CType::Other("_Bool")),
                TypeSpecifier::Struct(structure) => base = Some(self.structure(structure)?),
                TypeSpecifier::Enum(list) => {
                    self.enumeration(&list.node)?;
                    base = Some(INT);
                }
                TypeSpecifier::TypedefName(name) => match self.entity(&name.node.name) {
                    Some(Entity::Typedef(ty)) => base = Some(ty.clone()),
                    _ => base = Some(CType::Other("a type of the system")),
                },
                TypeSpecifier::Atomic(_) => base = Some(CType::Other("_Atomic")),
                TypeSpecifier::TypeOf(_) => base = Some(CType::Other("typeof")),
                TypeSpecifier::TS18661Float(_) => base = Some(CType::Other("_FloatN")),
            }
        }
        let integer = |bytes| CType::Int { bytes, unsigned };
        Ok(match (base, complex) {
            (Some(CType::Float(8)) | None, true) if long == 0 => CType::Complex(8),
            (Some(CType::Float(4)), true) => CType::Complex(4),
            (Some(CType::Float(8)), false) if long > 0 => CType::Other("long double"),
            (Some(CType::Int { bytes: 1, .. }), false) => integer(1),
            (Some(CType::Int { bytes: 4, .. }) | None, false) => match (short, long) {
                (true, _) => integer(2),
                (false, 1..) => integer(8),
                (false, _) if list.is_empty() => {
                    return self.refuse(span, "a declaration without a type", "name the type");
                }
                (false, _) => integer(4),
            },
            (Some(CType::Int { bytes, unsigned: own }), false) => {
                CType::Int { bytes, unsigned: own || unsigned && !signed }
            }
            (Some(other), false) => other,
            (Some(_) | None, true) => CType::Other("long double _Complex"),
        })
    }

    fn enumeration(&mut self, list: &ast::EnumType) -> Lowered<()> {
        let mut value = 0;
        for one in &list.enumerators {
            if let Some(expr) = &one.node.expression {
                value = match self.constant(expr) {
                    Some(value) => value,
                    None => {
                        return self.refuse(
                            expr.span,
                            "the value of an enumerator is no constant that is known here",
                            "write a literal",
                        );
                    }
                };
            }
            self.bind(&one.node.identifier.node.name, Entity::Enumerator(value));
            value += 1;
        }
        Ok(())
    }

    fn structure(&mut self, structure: &Node<ast::StructType>) -> Lowered<CType> {
        let union = structure.node.kind.node == ast::StructKind::Union;
        let tag = structure.node.identifier.as_ref().map(|name| name.node.name.clone());
        if union {
            return Ok(CType::Other("union"));
        }
        let known = tag
            .as_ref()
            .and_then(|tag| self.tags.iter().rev().find_map(|tags| tags.get(tag).cloned()));
        let Some(fields) = &structure.node.declarations else {
            return Ok(known.unwrap_or(CType::Other("an incomplete structure")));
        };
        if self.in_system(structure.span) {
            return Ok(CType::Other("a structure of the system"));
        }
        let place = self.place(structure.span);
        // Several files may include the definition.
        let same = self.doc.symbols.iter().find(|(_, symbol)| {
            symbol.decl.as_ref().is_some_and(|decl| {
                decl.place == place && matches!(decl.role, Role::DerivedType { .. })
            })
        });
        if let Some((symbol, _)) = same {
            let ty = CType::Struct(symbol);
            self.tag(tag, &ty);
            return Ok(ty);
        }
        let wanted = tag.clone().unwrap_or_else(|| "structure".to_owned());
        let name = self.free_name(self.module, &wanted);
        let scope = self.doc.add_scope(self.module, ScopeKind::Plain, place);
        let role = Role::DerivedType { scope, extends: None, params: Vec::new() };
        let symbol = self.symbol(self.module, &name, role, TypeSpec::None, place);
        self.doc.scopes[scope].kind = ScopeKind::DerivedType(symbol);
        let ty = CType::Struct(symbol);
        // The structure may have pointers to itself.
        self.tag(tag, &ty);
        for field in fields {
            let ast::StructDeclaration::Field(field) = &field.node else { continue };
            let (base, constant) = self.qualified(&field.node.specifiers, field.span)?;
            for declarator in &field.node.declarators {
                if let Some(width) = &declarator.node.bit_width {
                    return self.refuse(
                        width.span,
                        "bit fields are not supported",
                        "use an integer",
                    );
                }
                let Some(declarator) = &declarator.node.declarator else { continue };
                let (name, ty) = self.declared(base.clone(), constant, declarator)?;
                let Some(name) = name else { continue };
                self.supported(&ty, declarator.span)?;
                if matches!(ty, CType::Pointer { .. }) {
                    return self.refuse(
                        declarator.span,
                        &format!("the member `{name}` is a pointer"),
                        "use an array of fixed size, or pass the array as an argument of its own",
                    );
                }
                let place = self.place(declarator.span);
                let member = self.symbol(scope, &name, Role::Variable, spec_of(&ty), place);
                self.dimensions(member, &ty, None)?;
                self.doc.scopes[scope].items.push(SpecItem::Declare(vec![member]));
            }
        }
        self.doc.scopes[self.module].items.push(SpecItem::DerivedType(symbol));
        Ok(ty)
    }

    fn tag(&mut self, tag: Option<String>, ty: &CType) {
        if let (Some(tag), Some(tags)) = (tag, self.tags.last_mut()) {
            tags.insert(tag, ty.clone());
        }
    }

    /// Refuses objects of types that the document does not have.
    pub(crate) fn supported(&mut self, ty: &CType, span: Span) -> Lowered<()> {
        match ty {
            CType::Other(name) => {
                let message = format!("an object of type {name} is not supported");
                self.refuse(
                    span,
                    &message,
                    "use int, long, float, double, an array or a structure of them",
                )
            }
            CType::Array { element, .. } => self.supported(element, span),
            CType::Function { .. } => self.refuse(
                span,
                "a pointer to a function is not supported",
                "call the function by its name",
            ),
            _ => Ok(()),
        }
    }

    /// The name and type of a declarator whose specifiers say `ty`.
    pub(crate) fn declared(
        &mut self,
        ty: CType,
        constant: bool,
        declarator: &Node<Declarator>,
    ) -> Lowered<(Option<String>, CType)> {
        let mut ty = ty;
        let mut constant = constant;
        let derived = &declarator.node.derived;
        for one in derived {
            if let DerivedDeclarator::Pointer(qualifiers) = &one.node {
                let has = |wanted: TypeQualifier| {
                    qualifiers.iter().any(|one| match &one.node {
                        PointerQualifier::TypeQualifier(qualifier) => qualifier.node == wanted,
                        PointerQualifier::Extension(_) => false,
                    })
                };
                let restrict = has(TypeQualifier::Restrict);
                ty = CType::Pointer { target: Box::new(ty), constant, restrict };
                constant = has(TypeQualifier::Const);
            }
        }
        for one in derived.iter().rev() {
            match &one.node {
                DerivedDeclarator::Pointer(_) => {}
                DerivedDeclarator::Array(array) => {
                    let extent = match &array.node.size {
                        ArraySize::Unknown | ArraySize::VariableUnknown => Extent::Unknown,
                        ArraySize::VariableExpression(expr) | ArraySize::StaticExpression(expr) => {
                            match self.constant(expr) {
                                Some(value) => Extent::Fixed(value),
                                None => Extent::Is(expr.clone()),
                            }
                        }
                    };
                    ty = CType::Array { element: Box::new(ty), extent, constant };
                }
                DerivedDeclarator::Function(function) => {
                    ty = self.function_type(ty, &function.node)?;
                }
                DerivedDeclarator::KRFunction(names) if names.is_empty() => {
                    let result = Box::new(ty);
                    ty = CType::Function { result, params: Vec::new(), variadic: false };
                }
                DerivedDeclarator::KRFunction(_) => {
                    return self.refuse(
                        one.span,
                        "parameters are declared behind the list",
                        "declare them in the list, as in double f(double x)",
                    );
                }
                DerivedDeclarator::Block(_) => {
                    return self.refuse(one.span, "blocks are not supported", "use a function");
                }
            }
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => Ok((None, ty)),
            DeclaratorKind::Identifier(name) => Ok((Some(name.node.name.clone()), ty)),
            DeclaratorKind::Declarator(inner) => self.declared(ty, constant, inner),
        }
    }

    fn function_type(
        &mut self,
        result: CType,
        function: &ast::FunctionDeclarator,
    ) -> Lowered<CType> {
        let mut params = Vec::new();
        for param in &function.parameters {
            let specifiers = self.specifiers(&param.node.specifiers, param.span)?;
            let (name, ty) = match &param.node.declarator {
                Some(declarator) => {
                    self.declared(specifiers.ty, specifiers.constant, declarator)?
                }
                None => (None, specifiers.ty),
            };
            if ty == CType::Void {
                continue;
            }
            params.push((name, ty, param.span));
        }
        let variadic = function.ellipsis == ast::Ellipsis::Some;
        Ok(CType::Function { result: Box::new(result), params, variadic })
    }
}

/// The type of one element as a declaration of a document has it.
pub(crate) fn spec_of(ty: &CType) -> TypeSpec {
    match ty.element() {
        CType::Void | CType::Pointer { .. } | CType::Function { .. } | CType::Other(_) => {
            TypeSpec::None
        }
        CType::Struct(symbol) => TypeSpec::Derived {
            symbol: Some(*symbol),
            name: String::new(),
            class: false,
            params: Vec::new(),
        },
        element => {
            let base = element.base();
            let kind = match base {
                Base::Integer(4) | Base::Real(4) | Base::Complex(4) => KindSpelling::Default,
                Base::Real(8) | Base::Complex(8) => KindSpelling::Named,
                Base::Complex(bytes) => KindSpelling::Star(2 * u16::from(bytes)),
                Base::Integer(bytes) | Base::Unsigned(bytes) | Base::Real(bytes) => {
                    KindSpelling::Star(u16::from(bytes))
                }
                _ => KindSpelling::Default,
            };
            TypeSpec::Intrinsic { base, kind }
        }
    }
}
