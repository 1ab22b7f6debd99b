//! What is done with a polymorphic object component by component: `select type` with an arm for each type
//! of the program that the object may have.
//!
//! Not done: types that cannot be named where the object is; unlimited polymorphic objects.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, BranchForm, Document, Guard, RefId, Reference, Role, Scope, ScopeId, ScopeKind, Symbol,
    SymbolId, TypeSpec,
};

use super::body::Tangent;
use crate::build::{Copier, Emitter, fresh_in_construct, value_of, whole};
use crate::transform::derivative::stop_marker;

/// A `select type` that is being written.
pub(in crate::transform) struct Selection {
    object: RefId,
    outer: ScopeId,
}

impl Tangent<'_> {
    /// The types that an object of `class(owner)` may have as the program runs, `owner` first.
    pub(in crate::transform) fn types_of_class(
        &self,
        doc: &Document,
        owner: SymbolId,
    ) -> Vec<SymbolId> {
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
    pub(in crate::transform) fn open_types(
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

impl Selection {
    /// `select type (object)`
    pub(in crate::transform) fn open(e: &mut Emitter<'_>, object: RefId) -> Self {
        let selector = Copier::new().reference(e.doc, object);
        let place = e.doc.refs[selector].place;
        let selector = value_of(e.doc, selector);
        e.open_select(selector, BranchForm::SelectType, place);
        Selection { object, outer: e.scope }
    }

    /// `type is (ty)`: gives the object as one of that type.
    pub(in crate::transform) fn arm(&self, e: &mut Emitter<'_>, ty: SymbolId) -> RefId {
        let place = e.doc.refs[self.object].place;
        let (inner, name) = narrowed(e.doc, self.outer, self.object, ty);
        e.scope = inner;
        e.open_case(Guard::TypeIs(spec_of(e.doc, ty)));
        whole(e.doc, name, place)
    }

    /// `end select`. An object of another type stops the program.
    pub(in crate::transform) fn close(self, e: &mut Emitter<'_>) {
        let place = e.doc.refs[self.object].place;
        e.scope = self.outer;
        e.open_case(Guard::Default);
        e.stmt(stop_marker("error stop 'a derivative of another type'"), place);
        e.close_select();
    }
}

pub(super) fn has_parameters(doc: &Document, ty: SymbolId) -> bool {
    matches!(doc.role(ty), Some(Role::DerivedType { params, .. }) if !params.is_empty())
}

/// `type(ty)`
pub(in crate::transform) fn spec_of(doc: &Document, ty: SymbolId) -> TypeSpec {
    let name = doc.name(ty).to_owned();
    TypeSpec::Derived { symbol: Some(ty), name, class: false, params: Vec::new() }
}

/// `class(ty)`
pub(in crate::transform) fn class_of(doc: &Document, ty: SymbolId) -> TypeSpec {
    let name = doc.name(ty).to_owned();
    TypeSpec::Derived { symbol: Some(ty), name, class: true, params: Vec::new() }
}

/// The scope of an arm of `select type (object)`, and the object as one of type `ty` in it.
fn narrowed(
    doc: &mut Document,
    outer: ScopeId,
    object: RefId,
    ty: SymbolId,
) -> (ScopeId, SymbolId) {
    let Reference { base, place, ty: of_object, .. } = doc.refs[object];
    let inner = doc.scopes.push(Scope::new(Some(outer), ScopeKind::Associate, place));
    let mut old = doc.symbols[doc.refs[object].whole_entity().unwrap_or(base)].clone();
    let spec = spec_of(doc, ty);
    // A component gives a name that may mean something else within, such as another object's.
    let own = old.decl.as_ref().map_or(&old.id, |decl| &decl.name);
    let name = match doc.refs[object].parts.is_empty() {
        true => own.clone(),
        false => fresh_in_construct(doc, outer, own),
    };
    old.id = name.to_ascii_lowercase();
    let decl = old.decl.as_deref().cloned().map(|mut decl| {
        decl.name = name;
        decl.role = Role::Associate { selector: None };
        decl.spec = spec;
        (decl.intent, decl.dims, decl.init) = (None, Vec::new(), None);
        decl.attrs.clear();
        Box::new(decl)
    });
    let rank = Some(of_object.rank);
    (inner, doc.add_symbol(Symbol { scope: inner, decl, rank, ..old }))
}
