//! Whether a type may hold real or complex numbers.

use std::collections::HashSet;

use xaif_schema::model::{Base, Document};

/// Whether a value of this type may hold real or complex numbers, itself or in its components. A polymorphic object may
/// have an extension with numbers, and an unknown type may be any.
pub fn may_hold_numbers(doc: &Document, base: Base) -> bool {
    let mut work = vec![base];
    let mut seen = HashSet::new();
    while let Some(base) = work.pop() {
        match base {
            Base::Real(_)
            | Base::Complex(_)
            | Base::Class(_)
            | Base::ClassStar
            | Base::TypeStar
            | Base::Pointer(_)
            | Base::Unknown => return true,
            Base::Derived(ty) => {
                if seen.insert(ty) {
                    let components = doc.data_components(ty).into_iter();
                    work.extend(components.map(|component| doc.declared_base(component)));
                }
            }
            Base::Void
            | Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::Procedure => {}
        }
    }
    false
}
