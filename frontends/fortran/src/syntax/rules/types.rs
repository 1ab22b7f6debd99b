//! The statements of a type definition, and the types that it is made of.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::Code;

use super::super::ast::{
    Attribute, Binding, BindingItem, ComponentAttribute, ComponentItem, ComponentStmt, Name, Place,
    SpecItem, SpecKind, TypeAttribute, TypeDef, TypeKind,
};
use super::Breach;

/// Adds the rules that the type definitions of a specification part break.
pub(super) fn check(spec: &[SpecItem], found: &mut Vec<Breach>) {
    let definitions = || {
        spec.iter().filter_map(|item| match item {
            SpecItem::Stmt(stmt) => match &stmt.kind {
                SpecKind::TypeDef(definition) => Some(definition),
                _ => None,
            },
            SpecItem::Trivia(_) => None,
        })
    };
    // Types that are not complete where the definition at hand stands.
    let mut later: HashMap<&str, usize> = HashMap::new();
    for definition in definitions() {
        *later.entry(definition.name.key()).or_default() += 1;
    }
    let mut complete: HashSet<&str> = HashSet::new();
    for definition in definitions() {
        if complete.contains(definition.name.key()) {
            let message = format!("the type `{}` is defined twice", definition.name);
            let help = "remove or rename one of the definitions";
            let (code, place) = (Code::DUPLICATE_DECLARATION, definition.name.place);
            found.push(Breach { code, place, message, help });
        }
        let is_incomplete =
            |name: &Name| later.contains_key(name.key()) && !complete.contains(name.key());
        parts(definition, &is_incomplete, found);
        statements(definition, found);
        names(definition, found);
        complete.insert(definition.name.key());
    }
}

/// The types that the definition contains are complete before it.
fn parts(definition: &TypeDef, is_incomplete: &impl Fn(&Name) -> bool, found: &mut Vec<Breach>) {
    let mut breach = |place: Place, message: String, help| {
        found.push(Breach { code: Code::INCOMPLETE_TYPE, place, message, help });
    };
    for attribute in &definition.attributes {
        if let TypeAttribute::Extends(parent) = attribute
            && is_incomplete(parent)
        {
            let message = format!("the type `{parent}` is not complete where it is extended");
            breach(parent.place, message, "define it before the types that extend it");
        }
    }
    for item in &definition.components {
        let ComponentItem::Stmt(_, ComponentStmt::Data(declaration)) = item else { continue };
        let is_indirect = |attribute: &Attribute| {
            matches!(attribute, Attribute::Pointer | Attribute::Allocatable)
        };
        if declaration.attributes.iter().any(is_indirect) {
            continue;
        }
        match &declaration.type_spec.kind {
            TypeKind::Derived(name, _) if is_incomplete(name) => {
                let message = if *name == definition.name {
                    format!("the type `{name}` contains itself")
                } else {
                    format!("the type `{name}` is not complete where a component has it")
                };
                let help = "make the component ALLOCATABLE or POINTER, or define its type before";
                breach(declaration.type_spec.place, message, help);
            }
            TypeKind::Class(..) | TypeKind::ClassStar => breach(
                declaration.type_spec.place,
                "a CLASS component that is neither ALLOCATABLE nor POINTER".to_owned(),
                "add one of these attributes, or write TYPE for CLASS",
            ),
            _ => {}
        }
    }
}

/// PRIVATE and SEQUENCE stand once and before the components, PRIVATE before the bindings, too.
fn statements(definition: &TypeDef, found: &mut Vec<Breach>) {
    let mut breach = |place: Place, message: String| {
        let help = "PRIVATE and SEQUENCE stand once, before the components or bindings";
        found.push(Breach { code: Code::SPECIFICATION_ORDER, place, message, help });
    };
    let (mut private, mut sequence, mut has_components) = (false, false, false);
    for item in &definition.components {
        let ComponentItem::Stmt(head, stmt) = item else { continue };
        let (word, seen) = match stmt {
            ComponentStmt::Private => ("PRIVATE", &mut private),
            ComponentStmt::Sequence => ("SEQUENCE", &mut sequence),
            ComponentStmt::Procedure(_) => {
                has_components = true;
                continue;
            }
            ComponentStmt::Data(declaration) => {
                let is_parameter =
                    |attribute: &Attribute| matches!(attribute, Attribute::Kind | Attribute::Len);
                has_components |= !declaration.attributes.iter().any(is_parameter);
                continue;
            }
        };
        if std::mem::replace(seen, true) {
            breach(head.place, format!("a second {word}"));
        } else if has_components {
            breach(head.place, format!("{word} behind a component"));
        }
    }
    let (mut private, mut has_bindings) = (false, false);
    for item in definition.bindings.iter().flat_map(|bindings| &bindings.items) {
        let BindingItem::Stmt(head, binding) = item else { continue };
        match binding {
            Binding::Private if std::mem::replace(&mut private, true) => {
                breach(head.place, "a second PRIVATE".to_owned());
            }
            Binding::Private if has_bindings => {
                breach(head.place, "PRIVATE behind a binding".to_owned());
            }
            Binding::Private => {}
            Binding::Procedure { .. } | Binding::Generic(_) | Binding::Final(_) => {
                has_bindings = true;
            }
        }
    }
}

/// Components and bindings have different names.
fn names<'d>(definition: &'d TypeDef, found: &mut Vec<Breach>) {
    let mut seen: HashSet<&'d str> = HashSet::new();
    let mut second = |name: &'d Name| {
        let fresh = seen.insert(name.key());
        (!fresh).then(|| Breach {
            code: Code::DUPLICATE_DECLARATION,
            place: name.place,
            message: format!("`{name}` is already a component or binding of this type"),
            help: "rename or remove one of them",
        })
    };
    let mut all: Vec<&'d Name> = Vec::new();
    for item in &definition.components {
        let ComponentItem::Stmt(_, stmt) = item else { continue };
        match stmt {
            ComponentStmt::Data(data) => all.extend(data.entities.iter().map(|one| &one.name)),
            ComponentStmt::Procedure(data) => all.extend(data.entities.iter().map(|(one, _)| one)),
            ComponentStmt::Private | ComponentStmt::Sequence => {}
        }
    }
    for item in definition.bindings.iter().flat_map(|bindings| &bindings.items) {
        let BindingItem::Stmt(_, binding) = item else { continue };
        if let Binding::Procedure { entities, .. } = binding {
            all.extend(entities.iter().map(|(one, _)| one));
        }
    }
    found.extend(all.into_iter().filter_map(&mut second));
    attributes(definition, found);
}

/// Attributes of components and bindings stand once.
fn attributes(definition: &TypeDef, found: &mut Vec<Breach>) {
    for item in &definition.components {
        match item {
            ComponentItem::Stmt(head, ComponentStmt::Data(declaration)) => {
                super::once::attributes_once(&declaration.attributes, head.place, found);
            }
            ComponentItem::Stmt(head, ComponentStmt::Procedure(declaration)) => {
                let plain: Vec<Attribute> = declaration
                    .attributes
                    .iter()
                    .filter_map(|attribute| match attribute {
                        ComponentAttribute::Attribute(attribute) => Some(attribute.clone()),
                        _ => None,
                    })
                    .collect();
                super::once::attributes_once(&plain, head.place, found);
            }
            ComponentItem::Stmt(_, ComponentStmt::Private | ComponentStmt::Sequence)
            | ComponentItem::Trivia(_) => {}
        }
    }
}
