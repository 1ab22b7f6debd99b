//! Attributes of declarations, prefixes of procedures, in a fixed order.

use xaif_schema::model::{Attr, Decl, Intent, Role};

/// The word for an attribute in a declaration; `None` for what is written elsewhere (prefixes of
/// procedures, attributes of types) or belongs to C.
fn word(attr: Attr) -> Option<&'static str> {
    Some(match attr {
        Attr::Parameter => "parameter",
        Attr::Allocatable => "allocatable",
        Attr::Pointer => "pointer",
        Attr::Target => "target",
        Attr::Contiguous => "contiguous",
        Attr::Optional => "optional",
        Attr::Value => "value",
        Attr::Save => "save",
        Attr::Volatile => "volatile",
        Attr::Asynchronous => "asynchronous",
        Attr::Protected => "protected",
        Attr::Public => "public",
        Attr::Private => "private",
        Attr::External => "external",
        Attr::Intrinsic => "intrinsic",
        Attr::BindC
        | Attr::Pure
        | Attr::Impure
        | Attr::Elemental
        | Attr::Recursive
        | Attr::NonRecursive
        | Attr::Module
        | Attr::Abstract
        | Attr::Sequence
        | Attr::PrivateComponents
        | Attr::PrivateBindings
        | Attr::Deferred
        | Attr::NonOverridable
        | Attr::NoPass
        | Attr::Pass
        | Attr::Enumerator
        | Attr::Const
        | Attr::Restrict
        | Attr::Static
        | Attr::Extern
        | Attr::Inline
        | Attr::Register => return None,
    })
}

/// The attributes of a declared name, each with a comma before it; `bind(c)` is not among them, nor
/// access where a PUBLIC or PRIVATE statement has it.
pub(crate) fn attributes(decl: &Decl, access_stated: bool) -> String {
    let mut text = String::new();
    let constant = matches!(decl.role, Role::Constant);
    if constant && !decl.attrs.contains(&Attr::Parameter) {
        text.push_str(", parameter");
    }
    for &attr in &decl.attrs {
        if access_stated && matches!(attr, Attr::Public | Attr::Private) {
            continue;
        }
        if attr == Attr::Save {
            push_intent(&mut text, decl);
        }
        if let Some(word) = word(attr) {
            text.push_str(", ");
            text.push_str(word);
        }
    }
    if !decl.attrs.contains(&Attr::Save) {
        push_intent(&mut text, decl);
    }
    text
}

fn push_intent(text: &mut String, decl: &Decl) {
    let word = match decl.intent {
        Some(Intent::In) => ", intent(in)",
        Some(Intent::Out) => ", intent(out)",
        Some(Intent::InOut) => ", intent(inout)",
        None => return,
    };
    text.push_str(word);
}

/// The prefixes of a procedure, each with a blank behind it.
pub(crate) fn prefixes(decl: &Decl) -> String {
    let mut text = String::new();
    let order = [
        (Attr::Impure, "impure "),
        (Attr::Pure, "pure "),
        (Attr::Elemental, "elemental "),
        (Attr::Recursive, "recursive "),
        (Attr::NonRecursive, "non_recursive "),
        (Attr::Module, "module "),
    ];
    for (attr, word) in order {
        if decl.attrs.contains(&attr) {
            text.push_str(word);
        }
    }
    text
}

/// The attributes of a type-bound procedure or procedure component that only they have.
pub(crate) fn binding_attributes(decl: &Decl, pass: Option<&str>) -> String {
    let mut text = String::new();
    if decl.attrs.contains(&Attr::NoPass) {
        text.push_str(", nopass");
    }
    match pass {
        Some(name) => text.push_str(&format!(", pass({name})")),
        None if decl.attrs.contains(&Attr::Pass) => text.push_str(", pass"),
        None => {}
    }
    if decl.attrs.contains(&Attr::Deferred) {
        text.push_str(", deferred");
    }
    if decl.attrs.contains(&Attr::NonOverridable) {
        text.push_str(", non_overridable");
    }
    text
}
