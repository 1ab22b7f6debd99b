//! Finds the statements of a module that hide entities, and changes them.

use super::statement::{attribute, offset_of};
use super::{CannotEdit, Editor, ModuleRequest, cannot};
use crate::source::{Form, Statement};
use crate::syntax::ast::{
    Access, Attribute, Binding, BindingItem, ComponentAttribute, ComponentItem, ComponentStmt,
    GenericName, Name, Place, SpecItem, SpecKind, SpecStmt, TypeAttribute, TypeDef, Unit,
};

/// The longest list of names in a line.
const LIST: usize = 50;

/// Access of the names of a module about which no statement says anything.
#[derive(Default)]
struct DefaultAccess {
    /// PRIVATE without names.
    private: Option<Statement>,
}

/// A statement that declares names, and gives all of them an access.
struct Declares<'a> {
    place: Place,
    names: Vec<&'a Name>,
    access: Option<Access>,
    protected: bool,
}

impl Editor {
    /// Makes the entities of a request PUBLIC in the text of their module.
    pub(super) fn module(
        &mut self,
        unit: &Unit,
        request: &ModuleRequest,
    ) -> Result<(), CannotEdit> {
        let statements: Vec<&SpecStmt> = unit
            .spec
            .iter()
            .filter_map(|item| match item {
                SpecItem::Stmt(stmt) => Some(stmt.as_ref()),
                SpecItem::Trivia(_) => None,
            })
            .collect();
        let mut default = DefaultAccess::default();
        for stmt in &statements {
            if let SpecKind::Access(Access::Private, names) = &stmt.kind
                && names.is_empty()
            {
                default.private = Some(self.statement(stmt.head.place)?);
            }
        }
        // Names that are PRIVATE by default, as soon as no statement says so of themselves.
        let mut by_default: Vec<String> = request.names.clone();
        for stmt in statements {
            self.specification(stmt, request, &default, &mut by_default)?;
        }
        match (default.private, by_default.is_empty()) {
            (_, true) => Ok(()),
            (Some(private), false) => self.add_list(&private, "public", &by_default),
            (None, false) => cannot(unit.head.place.line),
        }
    }

    fn specification(
        &mut self,
        stmt: &SpecStmt,
        request: &ModuleRequest,
        default: &DefaultAccess,
        by_default: &mut Vec<String>,
    ) -> Result<(), CannotEdit> {
        let wanted = |name: &Name, list: &[String]| {
            list.iter().any(|one| one.eq_ignore_ascii_case(name.key()))
        };
        match &stmt.kind {
            SpecKind::Access(Access::Private, list) if !list.is_empty() => {
                let named = |name: &GenericName| match name {
                    GenericName::Name(name) => wanted(name, &request.names),
                    GenericName::Operator(..)
                    | GenericName::Assignment(_)
                    | GenericName::Io(..) => false,
                };
                let gone: Vec<bool> = list.iter().map(named).collect();
                let statement = self.statement(stmt.head.place);
                if gone.contains(&true) {
                    self.private_list(&statement?, list, &gone, default, by_default)?;
                }
            }
            SpecKind::Declaration(declaration) => {
                let has = |is: fn(&Attribute) -> bool| declaration.attributes.iter().any(is);
                let names: Vec<&Name> = declaration.entities.iter().map(|one| &one.name).collect();
                let access = access_of(
                    has(|attr| matches!(attr, Attribute::Private)),
                    has(|attr| matches!(attr, Attribute::Public)),
                );
                let protected = has(|attr| matches!(attr, Attribute::Protected));
                if names
                    .iter()
                    .any(|name| wanted(name, &request.names) || wanted(name, &request.assigned))
                {
                    let place = stmt.head.place;
                    let declares = Declares { place, names, access, protected };
                    self.declaration(&declares, request, default, by_default)?;
                }
            }
            SpecKind::Procedure(declared) => {
                let names: Vec<&Name> = declared.entities.iter().map(|(name, _)| name).collect();
                let access = component_access(&declared.attributes);
                if names.iter().any(|name| wanted(name, &request.names)) {
                    let place = stmt.head.place;
                    let declares = Declares { place, names, access, protected: false };
                    self.declaration(&declares, request, default, by_default)?;
                }
            }
            SpecKind::Attribute(Attribute::Protected, entities) => {
                let gone: Vec<bool> =
                    entities.iter().map(|one| wanted(&one.name, &request.assigned)).collect();
                if gone.contains(&true) {
                    let statement = self.statement(stmt.head.place)?;
                    let items = entities.iter().map(|one| item(&statement, &one.name));
                    let items = items.collect::<Result<Vec<_>, _>>()?;
                    self.remove_items(&statement, &items, &gone)?;
                }
            }
            SpecKind::TypeDef(definition) => {
                if wanted(&definition.name, &request.names)
                    && definition
                        .attributes
                        .iter()
                        .any(|attr| matches!(attr, TypeAttribute::Access(Access::Private)))
                {
                    self.private_to_public(stmt.head.place)?;
                    by_default.retain(|name| !name.eq_ignore_ascii_case(definition.name.key()));
                }
                let parts = request
                    .parts
                    .iter()
                    .find(|(ty, _)| ty.eq_ignore_ascii_case(definition.name.key()));
                if let Some((_, parts)) = parts {
                    self.components(definition, parts)?;
                    self.bindings(definition, parts)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `private :: a, b`
    fn private_list(
        &mut self,
        statement: &Statement,
        list: &[GenericName],
        gone: &[bool],
        default: &DefaultAccess,
        by_default: &mut Vec<String>,
    ) -> Result<(), CannotEdit> {
        if gone.iter().all(|&gone| gone) {
            by_default.retain(|name| !list.iter().any(|one| is_name(one, name)));
            return self.replace(statement, 0.."private".len(), "public");
        }
        let items = list.iter().map(|one| match one {
            GenericName::Name(name) => item(statement, name),
            // Only their beginnings are asked for.
            GenericName::Operator(place, _)
            | GenericName::Assignment(place)
            | GenericName::Io(place, _) => {
                let start = offset_of(statement, *place)?;
                let end = statement.text.get(start..).and_then(|rest| rest.find(')'));
                Ok(start..start + end.map_or(0, |end| end + 1))
            }
        });
        let items = items.collect::<Result<Vec<_>, _>>()?;
        self.remove_items(statement, &items, gone)?;
        if default.private.is_none() {
            let gone_names = list.iter().zip(gone).filter(|(_, gone)| **gone);
            let gone_names: Vec<&GenericName> = gone_names.map(|(name, _)| name).collect();
            by_default.retain(|name| !gone_names.iter().any(|one| is_name(one, name)));
        }
        Ok(())
    }

    /// `real, private, protected :: a, b`
    fn declaration(
        &mut self,
        declares: &Declares<'_>,
        request: &ModuleRequest,
        default: &DefaultAccess,
        by_default: &mut Vec<String>,
    ) -> Result<(), CannotEdit> {
        let Declares { place, names, access, protected } = declares;
        let wanted =
            |name: &&&Name| request.names.iter().any(|one| one.eq_ignore_ascii_case(name.key()));
        let assigned =
            |name: &&Name| request.assigned.iter().any(|one| one.eq_ignore_ascii_case(name.key()));
        if *protected && names.iter().any(assigned) {
            let statement = self.statement(*place)?;
            let (comma, word) =
                attribute(&statement.text, "protected").ok_or(CannotEdit { line: place.line })?;
            self.replace(&statement, comma..word.end, "")?;
        }
        if *access != Some(Access::Private) || !names.iter().any(|name| wanted(&name)) {
            return Ok(());
        }
        if names.iter().all(|name| wanted(&name)) {
            by_default.retain(|one| !names.iter().any(|name| name.key().eq_ignore_ascii_case(one)));
            return self.private_to_public(*place);
        }
        let statement = self.statement(*place)?;
        let (comma, word) =
            attribute(&statement.text, "private").ok_or(CannotEdit { line: place.line })?;
        self.replace(&statement, comma..word.end, "")?;
        if default.private.is_none() {
            by_default.retain(|one| !names.iter().any(|name| name.key().eq_ignore_ascii_case(one)));
            let rest = names.iter().filter(|name| !wanted(name));
            let rest: Vec<String> = rest.map(|name| name.spelling().to_owned()).collect();
            self.add_list(&statement, "private", &rest)?;
        }
        Ok(())
    }

    /// Components of a type.
    fn components(&mut self, definition: &TypeDef, parts: &[String]) -> Result<(), CannotEdit> {
        let mut private = None;
        let mut declared: Vec<Declares<'_>> = Vec::new();
        for component in &definition.components {
            let ComponentItem::Stmt(head, stmt) = component else { continue };
            let (names, access): (Vec<&Name>, _) = match stmt {
                ComponentStmt::Data(data) => {
                    let has = |is: fn(&Attribute) -> bool| data.attributes.iter().any(is);
                    let access = access_of(
                        has(|attr| matches!(attr, Attribute::Private)),
                        has(|attr| matches!(attr, Attribute::Public)),
                    );
                    (data.entities.iter().map(|one| &one.name).collect(), access)
                }
                ComponentStmt::Procedure(data) => {
                    let names = data.entities.iter().map(|(name, _)| name).collect();
                    (names, component_access(&data.attributes))
                }
                ComponentStmt::Private => {
                    private = Some(self.statement(head.place)?);
                    continue;
                }
                ComponentStmt::Sequence => continue,
            };
            let place = head.place;
            declared.push(Declares { place, names, access, protected: false });
        }
        self.parts(private, &declared, parts)
    }

    /// Bindings of a type.
    fn bindings(&mut self, definition: &TypeDef, parts: &[String]) -> Result<(), CannotEdit> {
        let mut private = None;
        let mut declared: Vec<Declares<'_>> = Vec::new();
        for binding in definition.bindings.iter().flat_map(|bindings| &bindings.items) {
            let BindingItem::Stmt(head, binding) = binding else { continue };
            let (names, access): (Vec<&Name>, _) = match binding {
                Binding::Private => {
                    private = Some(self.statement(head.place)?);
                    continue;
                }
                Binding::Procedure { attributes, entities, .. } => {
                    let names = entities.iter().map(|(name, _)| name).collect();
                    (names, component_access(attributes))
                }
                Binding::Generic(generic) => match &generic.name {
                    GenericName::Name(name) => (vec![name], generic.access),
                    // No derivative calls them by these.
                    GenericName::Operator(..)
                    | GenericName::Assignment(_)
                    | GenericName::Io(..) => (Vec::new(), generic.access),
                },
                Binding::Final(_) => continue,
            };
            let place = head.place;
            declared.push(Declares { place, names, access, protected: false });
        }
        self.parts(private, &declared, parts)
    }

    /// Parts of a type that its PRIVATE statement or their own attributes hide.
    fn parts(
        &mut self,
        private: Option<Statement>,
        declared: &[Declares<'_>],
        parts: &[String],
    ) -> Result<(), CannotEdit> {
        let wanted = |name: &&Name| parts.iter().any(|one| one.eq_ignore_ascii_case(name.key()));
        let hidden = || declared.iter().filter(|one| one.access.is_none());
        let all = hidden().all(|one| !one.names.is_empty() && one.names.iter().all(wanted));
        let some = hidden().any(|one| one.names.iter().any(wanted));
        if let Some(private) = private
            && some
        {
            if all {
                self.remove(&private)?;
            } else {
                for one in hidden().filter(|one| one.names.iter().any(wanted)) {
                    let Some(first) = one.names.first() else { continue };
                    let statement = self.statement(one.place)?;
                    let name = offset_of(&statement, first.place)?;
                    self.add_public(&statement, name)?;
                }
            }
        }
        for one in declared.iter().filter(|one| one.access == Some(Access::Private)) {
            match (one.names.iter().any(wanted), one.names.iter().all(wanted)) {
                (false, _) => {}
                (true, true) => self.private_to_public(one.place)?,
                // An extension may have the other name, too.
                (true, false) => return cannot(one.place.line),
            }
        }
        Ok(())
    }

    fn private_to_public(&mut self, place: Place) -> Result<(), CannotEdit> {
        let statement = self.statement(place)?;
        let (_, word) =
            attribute(&statement.text, "private").ok_or(CannotEdit { line: place.line })?;
        self.replace(&statement, word, "public")
    }

    /// Adds `public :: names` behind a statement, in as many lines as it takes.
    fn add_list(
        &mut self,
        statement: &Statement,
        word: &str,
        names: &[String],
    ) -> Result<(), CannotEdit> {
        let place = statement.map.place(0);
        let (_, last) = Self::lines_of(statement);
        let indent = match self.form {
            Form::Free => place.column.saturating_sub(1) as usize,
            Form::Fixed => (place.column.saturating_sub(1) as usize).max(6),
        };
        let mut rows: Vec<String> = Vec::new();
        for name in names {
            match rows.last_mut() {
                Some(row) if row.len() + name.len() < LIST => {
                    row.push_str(", ");
                    row.push_str(name);
                }
                Some(_) | None => rows.push(name.clone()),
            }
        }
        let indent = " ".repeat(indent.min(40));
        rows.into_iter()
            .try_for_each(|row| self.edits.add_behind(last, format!("{indent}{word} :: {row}")))
    }
}

fn item(statement: &Statement, name: &Name) -> Result<std::ops::Range<usize>, CannotEdit> {
    let start = offset_of(statement, name.place)?;
    Ok(start..start + name.spelling().len())
}

fn is_name(one: &GenericName, name: &str) -> bool {
    matches!(one, GenericName::Name(one) if one.key().eq_ignore_ascii_case(name))
}

fn access_of(private: bool, public: bool) -> Option<Access> {
    match (private, public) {
        (true, _) => Some(Access::Private),
        (false, true) => Some(Access::Public),
        (false, false) => None,
    }
}

fn component_access(attributes: &[ComponentAttribute]) -> Option<Access> {
    let has = |is: fn(&Attribute) -> bool| {
        attributes
            .iter()
            .any(|attr| matches!(attr, ComponentAttribute::Attribute(attr) if is(attr)))
    };
    access_of(
        has(|attr| matches!(attr, Attribute::Private)),
        has(|attr| matches!(attr, Attribute::Public)),
    )
}
