//! Which types a polymorphic object may have, and an arm for each of them.
//!
//! Not done: types that cannot be named where the object is; unlimited polymorphic objects.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Attr, Document, RefId, SymbolId};

use super::body::Tangent;
use booster_build::Emitter;
use booster_shadow::polymorphic::{Selection, has_parameters};

impl Tangent<'_> {
    /// The types that an object of `class(owner)` may have as the program runs, `owner` first.
    pub fn types_of_class(&self, doc: &Document, owner: SymbolId) -> Vec<SymbolId> {
        let mut types = self.parts.types.with_extensions(owner);
        types.retain(|&one| {
            let decl = doc.symbols[one].decl.as_deref();
            decl.is_none_or(|decl| !decl.has(Attr::Abstract))
        });
        types
    }

    /// `select type (object)`, of which [`Selection::arm`] opens the arms, for types among `types`.
    ///
    /// # Errors
    /// A type that cannot be named here.
    pub fn open_types(
        &self,
        e: &mut Emitter<'_>,
        object: RefId,
        types: &[SymbolId],
    ) -> Result<Selection, Diagnostic> {
        let place = e.doc.refs[object].place;
        let mut can_be_named = |one| !has_parameters(e.doc, one) && self.import(e.doc, one);
        if let Some(&hidden) = types.iter().find(|&&one| !can_be_named(one)) {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                format!(
                    "this object may be of type `{}`, which cannot be named here",
                    e.doc.name(hidden)
                ),
                "make the type visible where objects of the class are used",
            ));
        }
        Ok(Selection::open(e, object))
    }
}
