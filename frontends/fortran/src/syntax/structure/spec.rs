//! Specification parts: declarations, derived types, enumerations, interface blocks.

use super::super::ast::{
    Binding, BindingItem, Bindings, Block, ComponentItem, ComponentStmt, EnumDef, EnumItem,
    GenericName, Head, Interface, InterfaceItem, Name, SpecItem, SpecKind, SpecStmt, StmtKind,
    Trivia, TypeAttribute, TypeDef, UnitItem,
};
use super::super::cursor::{Cursor, Parse};
use super::super::stmt::{Ends, Flat};
use super::{Next, Parser};
use crate::source::Line;

/// A line of a derived type, an enumeration or an interface block.
enum Inner<T> {
    Trivia(Trivia),
    Stmt(Head, T),
    Contains(Head),
    End(Head, Option<GenericName>),
    /// The file or the surrounding unit ends.
    Missing,
}

/// What a statement inside such a block is.
enum Found<T> {
    Stmt(T),
    Contains,
    End(Option<GenericName>),
}

impl Parser {
    /// Reads declarations into `spec`; comments before the first executable statement go to
    /// `block`.
    pub(super) fn spec_part(&mut self, spec: &mut Vec<SpecItem>, block: &mut Block) {
        let mut held = Vec::new();
        loop {
            match self.next(false) {
                Next::Trivia(trivia) => held.push(trivia),
                Next::Stmt(
                    head,
                    flat @ (Flat::Spec(_) | Flat::TypeDef(..) | Flat::Enum | Flat::Interface(..)),
                ) => {
                    Self::into_spec(std::mem::take(&mut held), spec);
                    let Some(stmt) = self.spec_stmt(head, flat) else { return };
                    spec.push(SpecItem::Stmt(Box::new(stmt)));
                }
                Next::Stmt(head, Flat::Exec(StmtKind::Opaque(text)))
                    if text.get(..6).is_some_and(|w| w.eq_ignore_ascii_case("record")) =>
                {
                    self.opaque_warning(head.place, &StmtKind::Opaque(text.clone()));
                    Self::into_spec(std::mem::take(&mut held), spec);
                    let stmt = SpecStmt { head, kind: SpecKind::Opaque(text) };
                    spec.push(SpecItem::Stmt(Box::new(stmt)));
                }
                Next::Stmt(head, flat) => {
                    let executable = matches!(flat, Flat::Exec(_) | Flat::Open(..));
                    self.put_back(head, flat);
                    if executable {
                        Self::into_block(held, block);
                    } else {
                        Self::into_spec(held, spec);
                    }
                    return;
                }
                Next::End => {
                    Self::into_spec(held, spec);
                    return;
                }
            }
        }
    }

    /// The whole specification statement.
    pub(super) fn spec_stmt(&mut self, head: Head, flat: Flat) -> Option<SpecStmt> {
        let kind = match flat {
            Flat::Spec(kind) => kind,
            Flat::TypeDef(name, attributes, parameters) => {
                SpecKind::TypeDef(self.type_def(&head, name, attributes, parameters))
            }
            Flat::Enum => SpecKind::Enum(self.enumeration(&head)),
            Flat::Interface(is_abstract, generic) => {
                if !self.deeper(head.place) {
                    return None;
                }
                let interface = self.interface(&head, is_abstract, generic);
                self.depth -= 1;
                SpecKind::Interface(interface)
            }
            Flat::Exec(_)
            | Flat::Open(..)
            | Flat::Branch(..)
            | Flat::Unit(_)
            | Flat::Contains
            | Flat::End(_) => return None,
        };
        Some(SpecStmt { head, kind })
    }

    /// The next line inside a block that `what` ends.
    fn inner<T>(
        &mut self,
        opened: &Head,
        what: Ends,
        read: impl Fn(&mut Cursor<'_>) -> Parse<T>,
    ) -> Inner<T> {
        let missing = |parser: &mut Self| {
            let message = format!("expected {}", super::exec::spelled(what));
            parser.mismatch(parser.last, &message, Some(opened.place));
            Inner::Missing
        };
        loop {
            let statement = match self.next_line() {
                None => return missing(self),
                Some(Line::Trivia(trivia)) => return Inner::Trivia(trivia),
                Some(Line::Statement(statement)) => statement,
            };
            let found = self.read(statement, |cursor| {
                if let Some(end) = cursor.attempt(Cursor::end_only) {
                    if end.what == Some(what) {
                        return Ok(Found::End(end.name));
                    }
                    return cursor.expected(super::exec::spelled(what));
                }
                if cursor.attempt(Cursor::contains_only).is_some() {
                    return Ok(Found::Contains);
                }
                Ok(Found::Stmt(read(cursor)?))
            });
            return match found {
                None => continue,
                Some((head, Found::Stmt(stmt))) => Inner::Stmt(head, stmt),
                Some((head, Found::Contains)) => Inner::Contains(head),
                Some((head, Found::End(name))) => Inner::End(head, name),
            };
        }
    }

    fn type_def(
        &mut self,
        opened: &Head,
        name: Name,
        attributes: Vec<TypeAttribute>,
        parameters: Vec<Name>,
    ) -> TypeDef {
        let mut components = Vec::new();
        let mut bindings = None;
        let (end, end_name) = loop {
            match self.inner::<ComponentStmt>(opened, Ends::Type, |c| c.component()) {
                Inner::Trivia(trivia) => components.push(ComponentItem::Trivia(trivia)),
                Inner::Stmt(head, stmt) => components.push(ComponentItem::Stmt(head, stmt)),
                Inner::Contains(head) => {
                    let (list, end) = self.bindings(opened, head);
                    bindings = Some(list);
                    break end;
                }
                Inner::End(head, name) => break (head, plain(name)),
                Inner::Missing => break (Head::default(), None),
            }
        };
        TypeDef { name, attributes, parameters, components, bindings, end, end_name }
    }

    fn bindings(&mut self, opened: &Head, head: Head) -> (Bindings, (Head, Option<Name>)) {
        let mut items = Vec::new();
        let end = loop {
            match self.inner::<Binding>(opened, Ends::Type, |c| c.binding()) {
                Inner::Trivia(trivia) => items.push(BindingItem::Trivia(trivia)),
                Inner::Stmt(head, stmt) => items.push(BindingItem::Stmt(head, stmt)),
                Inner::Contains(head) => {
                    self.mismatch(head.place, "a second CONTAINS", Some(opened.place));
                }
                Inner::End(head, name) => break (head, plain(name)),
                Inner::Missing => break (Head::default(), None),
            }
        };
        (Bindings { head, items }, end)
    }

    fn enumeration(&mut self, opened: &Head) -> EnumDef {
        let mut items = Vec::new();
        loop {
            match self.inner(opened, Ends::Enum, |c| c.enumerator()) {
                Inner::Trivia(trivia) => items.push(EnumItem::Trivia(trivia)),
                Inner::Stmt(head, list) => items.push(EnumItem::Stmt(head, list)),
                Inner::Contains(head) => {
                    self.mismatch(head.place, "CONTAINS in an enumeration", Some(opened.place));
                }
                Inner::End(end, _) => return EnumDef { items, end },
                Inner::Missing => return EnumDef { items, end: Head::default() },
            }
        }
    }

    fn interface(
        &mut self,
        opened: &Head,
        is_abstract: bool,
        generic: Option<GenericName>,
    ) -> Interface {
        let mut items = Vec::new();
        let read = |cursor: &mut Cursor<'_>| -> Parse<Result<_, Flat>> {
            match cursor.attempt(Cursor::interface_procedures) {
                Some(procedures) => Ok(Ok(procedures)),
                None => Ok(Err(cursor.statement(true)?)),
            }
        };
        let (end, end_name) = loop {
            match self.inner(opened, Ends::Interface, read) {
                Inner::Trivia(trivia) => {
                    items.push(InterfaceItem::Unit(UnitItem::Trivia(trivia)));
                }
                Inner::Stmt(head, Ok((module, names))) => {
                    items.push(InterfaceItem::Procedures { head, module, names });
                }
                Inner::Stmt(head, Err(Flat::Unit(kind))) => {
                    let unit = self.unit(head, kind);
                    items.push(InterfaceItem::Unit(UnitItem::Unit(Box::new(unit))));
                }
                Inner::Stmt(head, Err(_)) | Inner::Contains(head) => {
                    self.mismatch(
                        head.place,
                        "only procedures may stand in an interface block",
                        Some(opened.place),
                    );
                }
                Inner::End(head, name) => break (head, name),
                Inner::Missing => break (Head::default(), None),
            }
        };
        Interface { is_abstract, generic, items, end, end_name }
    }
}

fn plain(name: Option<GenericName>) -> Option<Name> {
    match name {
        Some(GenericName::Name(name)) => Some(name),
        Some(GenericName::Operator(..) | GenericName::Assignment(_) | GenericName::Io(..))
        | None => None,
    }
}
