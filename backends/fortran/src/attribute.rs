//! Attributes of declarations, prefixes of procedures, in a fixed order.

use xaif_schema::model::{Attr, Decl, Intent, Role};

/// Whether an attribute is written in a declaration; the others are written elsewhere (prefixes of
/// procedures, attributes of types) or belong to C.
fn is_declared(attr: Attr) -> bool {
    match attr {
        Attr::Parameter
        | Attr::Allocatable
        | Attr::Pointer
        | Attr::Target
        | Attr::Contiguous
        | Attr::Optional
        | Attr::Value
        | Attr::Save
        | Attr::Volatile
        | Attr::Asynchronous
        | Attr::Protected
        | Attr::Public
        | Attr::Private
        | Attr::External
        | Attr::Intrinsic => true,
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
        | Attr::Register => false,
    }
}

/// The attributes of a declared name, each with a comma before it; `bind(c)` is not among them, nor
/// access where a PUBLIC or PRIVATE statement has it.
pub(crate) fn attributes(decl: &Decl, access_stated: bool) -> String {
    let mut text = String::new();
    let constant = matches!(decl.role, Role::Constant);
    if constant && !decl.has(Attr::Parameter) {
        text.push_str(", parameter");
    }
    for &attr in &decl.attrs {
        if access_stated && matches!(attr, Attr::Public | Attr::Private) {
            continue;
        }
        if attr == Attr::Save {
            push_intent(&mut text, decl);
        }
        if is_declared(attr) {
            text.push_str(", ");
            text.push_str(attr.keyword());
        }
    }
    if !decl.has(Attr::Save) {
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
        Attr::Impure,
        Attr::Pure,
        Attr::Elemental,
        Attr::Recursive,
        Attr::NonRecursive,
        Attr::Module,
    ];
    for attr in order {
        if decl.has(attr) {
            text.push_str(attr.keyword());
            text.push(' ');
        }
    }
    text
}

/// The attributes of a type-bound procedure or procedure component that only they have.
pub(crate) fn binding_attributes(decl: &Decl, pass: Option<&str>) -> String {
    let mut text = String::new();
    if decl.has(Attr::NoPass) {
        text.push_str(", nopass");
    }
    match pass {
        Some(name) => text.push_str(&format!(", pass({name})")),
        None if decl.has(Attr::Pass) => text.push_str(", pass"),
        None => {}
    }
    if decl.has(Attr::Deferred) {
        text.push_str(", deferred");
    }
    if decl.has(Attr::NonOverridable) {
        text.push_str(", non_overridable");
    }
    text
}
