//! Declarations: types, attributes, entities; derived types and procedures.

use super::super::ast::{
    Access, Attribute, Bind, Binding, ComponentAttribute, ComponentStmt, Declaration, Entity,
    GenericBinding, Initial, Intent, Name, ProcedureDecl, ProcedureInterface, SpecKind,
    TypeAttribute, TypeKind,
};
use super::super::cursor::{Cursor, Parse};
use super::Flat;

/// Attributes that are one word.
const WORDS: &[(&str, Attribute)] = &[
    ("allocatable", Attribute::Allocatable),
    ("asynchronous", Attribute::Asynchronous),
    ("automatic", Attribute::Automatic),
    ("contiguous", Attribute::Contiguous),
    ("external", Attribute::External),
    ("intrinsic", Attribute::Intrinsic),
    ("kind", Attribute::Kind),
    ("len", Attribute::Len),
    ("optional", Attribute::Optional),
    ("parameter", Attribute::Parameter),
    ("pointer", Attribute::Pointer),
    ("private", Attribute::Private),
    ("protected", Attribute::Protected),
    ("public", Attribute::Public),
    ("save", Attribute::Save),
    ("static", Attribute::Static),
    ("target", Attribute::Target),
    ("value", Attribute::Value),
    ("volatile", Attribute::Volatile),
];

impl Cursor<'_> {
    pub(super) fn declaration(&mut self) -> Parse<Flat> {
        Ok(Flat::Spec(SpecKind::Declaration(self.declared()?)))
    }

    fn declared(&mut self) -> Parse<Declaration> {
        let type_spec = self.type_spec()?;
        let star = matches!(&type_spec.kind, TypeKind::Character(selector) if selector.star);
        let mut attributes = Vec::new();
        if star && self.sees(",") && !self.rest().contains("::") {
            self.at += 1;
        }
        while self.eat(",") {
            attributes.push(self.attribute()?);
        }
        let colons = self.eat("::");
        if !colons && !attributes.is_empty() {
            return self.expected("`::`");
        }
        let entities = self.list(|cursor| cursor.entity(true))?;
        Ok(Declaration { type_spec, attributes, colons, entities })
    }

    fn attribute(&mut self) -> Parse<Attribute> {
        for (word, attribute) in WORDS {
            if self.word(word) {
                return Ok(attribute.clone());
            }
        }
        if self.word("dimension") {
            return Ok(Attribute::Dimension(self.shape()?));
        }
        if self.word("intent") {
            return self.intent();
        }
        if self.word("bind") {
            return Ok(Attribute::Bind(self.bind()?));
        }
        if self.word("codimension") {
            self.no_codimension()?;
        }
        self.expected("an attribute")
    }

    /// `(IN)`, `(OUT)`, `(INOUT)`
    fn intent(&mut self) -> Parse<Attribute> {
        self.expect("(")?;
        let intent = if self.word("in out") {
            Intent::InOut
        } else if self.word("in") {
            Intent::In
        } else if self.word("out") {
            Intent::Out
        } else {
            return self.expected("IN, OUT or INOUT");
        };
        self.expect(")")?;
        Ok(Attribute::Intent(intent))
    }

    /// `(C [, NAME=e])`
    pub(super) fn bind(&mut self) -> Parse<Bind> {
        let place = self.place();
        self.expect("(")?;
        if !self.word("c") {
            return self.expected("C");
        }
        let mut name = None;
        if self.eat(",") {
            match self.keyword() {
                Some(keyword) if keyword.key() == "name" => name = Some(self.expr()?),
                _ => return self.expected("NAME="),
            }
        }
        self.expect(")")?;
        Ok(Bind { place, name })
    }

    /// A declared name; `initial` says whether it may have a value.
    pub(super) fn entity(&mut self, initial: bool) -> Parse<Entity> {
        let mut entity = Entity::bare(self.name()?);
        if self.sees("(") {
            entity.shape = Some(self.shape()?);
        }
        self.no_codimension()?;
        if initial && self.sees("*") {
            self.at += 1;
            entity.length = Some(self.star_length()?);
            if entity.shape.is_none() && self.sees("(") {
                entity.shape = Some(self.shape()?);
            }
        }
        if initial {
            entity.initial = self.initial()?;
        }
        Ok(entity)
    }

    fn initial(&mut self) -> Parse<Option<Initial>> {
        Ok(if self.eat("=>") {
            Some(Initial::Pointer(self.expr()?))
        } else if self.sees("=") && !self.sees("==") {
            self.at += 1;
            Some(Initial::Value(self.expr()?))
        } else if self.sees("/") {
            Some(Initial::Data(self.data_values()?))
        } else {
            None
        })
    }

    /// An attribute given to names: `ALLOCATABLE :: a(:)`.
    pub(super) fn attribute_stmt(&mut self) -> Parse<Flat> {
        let attribute = self.attribute()?;
        match attribute {
            Attribute::Kind | Attribute::Len | Attribute::Dimension(_) => {
                return self.expected("a statement");
            }
            Attribute::Pointer if self.sees("(") => {
                return self.refuse("Cray pointers are not supported");
            }
            _ => {}
        }
        self.eat("::");
        let entities = self.list(|cursor| cursor.entity(false))?;
        Ok(Flat::Spec(SpecKind::Attribute(attribute, entities)))
    }

    /// `TYPE [, attributes ::] name [(parameters)]`
    pub(super) fn type_def(&mut self) -> Parse<Flat> {
        let mut attributes = Vec::new();
        while self.eat(",") {
            attributes.push(self.type_attribute()?);
        }
        if !self.eat("::") && !attributes.is_empty() {
            return self.expected("`::`");
        }
        let name = self.name()?;
        let parameters =
            if self.sees("(") { self.parenthesised(Cursor::name)? } else { Vec::new() };
        Ok(Flat::TypeDef(name, attributes, parameters))
    }

    fn type_attribute(&mut self) -> Parse<TypeAttribute> {
        if self.word("abstract") {
            Ok(TypeAttribute::Abstract)
        } else if self.word("extends") {
            self.expect("(")?;
            let parent = self.name()?;
            self.expect(")")?;
            Ok(TypeAttribute::Extends(parent))
        } else if self.word("bind") {
            Ok(TypeAttribute::Bind(self.bind()?))
        } else if self.word("public") {
            Ok(TypeAttribute::Access(Access::Public))
        } else if self.word("private") {
            Ok(TypeAttribute::Access(Access::Private))
        } else {
            self.expected("an attribute of a type")
        }
    }

    /// A statement of the component part of a derived type.
    pub(in super::super) fn component(&mut self) -> Parse<ComponentStmt> {
        if self.word("private") && self.at_end() {
            return Ok(ComponentStmt::Private);
        }
        if self.word("sequence") && self.at_end() {
            return Ok(ComponentStmt::Sequence);
        }
        let start = self.at;
        if self.word("procedure") && self.sees("(") {
            let declaration = self.procedure_decl()?;
            return self.ended(ComponentStmt::Procedure(declaration));
        }
        self.at = start;
        let declaration = self.declared()?;
        self.ended(ComponentStmt::Data(declaration))
    }

    /// `value`, where nothing follows.
    pub(in super::super) fn ended<T>(&mut self, value: T) -> Parse<T> {
        if self.at_end() { Ok(value) } else { self.expected("the end of the statement") }
    }

    /// `([interface]) [, attributes] [::] names`, behind PROCEDURE.
    pub(super) fn procedure_decl(&mut self) -> Parse<ProcedureDecl> {
        self.expect("(")?;
        let interface = if self.sees(")") {
            None
        } else if let Some(type_spec) = self.attempt(|cursor| {
            let type_spec = cursor.type_spec()?;
            if cursor.sees(")") { Ok(type_spec) } else { cursor.expected("`)`") }
        }) {
            Some(ProcedureInterface::Type(type_spec))
        } else {
            Some(ProcedureInterface::Name(self.name()?))
        };
        self.expect(")")?;
        let attributes = self.component_attributes()?;
        let entities = self.list(|cursor| {
            let name = cursor.name()?;
            let target = if cursor.eat("=>") { Some(cursor.expr()?) } else { None };
            Ok((name, target))
        })?;
        Ok(ProcedureDecl { interface, attributes, entities })
    }

    fn component_attributes(&mut self) -> Parse<Vec<ComponentAttribute>> {
        let mut attributes = Vec::new();
        while self.eat(",") {
            attributes.push(if self.word("nopass") {
                ComponentAttribute::NoPass
            } else if self.word("pass") {
                let named = self.eat("(");
                let name = if named { Some(self.name()?) } else { None };
                if named {
                    self.expect(")")?;
                }
                ComponentAttribute::Pass(name)
            } else if self.word("deferred") {
                ComponentAttribute::Deferred
            } else if self.word("non_overridable") {
                ComponentAttribute::NonOverridable
            } else {
                ComponentAttribute::Attribute(self.attribute()?)
            });
        }
        self.eat("::");
        Ok(attributes)
    }

    /// A statement of the type-bound procedure part.
    pub(in super::super) fn binding(&mut self) -> Parse<Binding> {
        let binding = if self.word("private") {
            Binding::Private
        } else if self.word("generic") {
            Binding::Generic(self.generic_binding()?)
        } else if self.word("final") {
            self.eat("::");
            Binding::Final(self.list(Cursor::name)?)
        } else if self.word("procedure") {
            self.bound_procedure()?
        } else {
            return self.expected("a type-bound procedure");
        };
        self.ended(binding)
    }

    fn bound_procedure(&mut self) -> Parse<Binding> {
        let interface = if self.eat("(") {
            let name = self.name()?;
            self.expect(")")?;
            Some(name)
        } else {
            None
        };
        let attributes = self.component_attributes()?;
        let entities = self.list(|cursor| -> Parse<(Name, Option<Name>)> {
            let name = cursor.name()?;
            let target = if cursor.eat("=>") { Some(cursor.name()?) } else { None };
            Ok((name, target))
        })?;
        Ok(Binding::Procedure { interface, attributes, entities })
    }

    /// `[, access] :: g => a, b`, behind GENERIC.
    pub(super) fn generic_binding(&mut self) -> Parse<GenericBinding> {
        let mut access = None;
        if self.eat(",") {
            access = Some(if self.word("public") {
                Access::Public
            } else if self.word("private") {
                Access::Private
            } else {
                return self.expected("PUBLIC or PRIVATE");
            });
        }
        self.expect("::")?;
        let name = self.generic_name()?;
        self.expect("=>")?;
        Ok(GenericBinding { access, name, specifics: self.list(Cursor::name)? })
    }
}
