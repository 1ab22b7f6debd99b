//! What is done with a polymorphic object component by component: `select type` with an arm for each type
//! of the program that the object may have.
//!
//! Not done: types that cannot be named where the object is; unlimited polymorphic objects.

use xaif_schema::model::{
    BranchForm, Document, Guard, RefId, Reference, Role, Scope, ScopeId, ScopeKind, Symbol,
    SymbolId, TypeSpec,
};

use booster_build::stop_marker;
use booster_build::{Copier, Emitter, fresh_in_construct, value_of, whole};

/// A `select type` that is being written.
pub struct Selection {
    object: RefId,
    outer: ScopeId,
}

impl Selection {
    /// `select type (object)`
    pub fn open(e: &mut Emitter<'_>, object: RefId) -> Self {
        let selector = Copier::new().reference(e.doc, object);
        let place = e.doc.refs[selector].place;
        let selector = value_of(e.doc, selector);
        e.open_select(selector, BranchForm::SelectType, place);
        Selection { object, outer: e.scope }
    }

    /// `type is (ty)`: gives the object as one of that type.
    pub fn arm(&self, e: &mut Emitter<'_>, ty: SymbolId) -> RefId {
        let place = e.doc.refs[self.object].place;
        let (inner, name) = narrowed(e.doc, self.outer, self.object, ty);
        e.scope = inner;
        e.open_case(Guard::TypeIs(spec_of(e.doc, ty)));
        whole(e.doc, name, place)
    }

    /// `end select`. An object of another type stops the program.
    pub fn close(self, e: &mut Emitter<'_>) {
        let place = e.doc.refs[self.object].place;
        e.scope = self.outer;
        e.open_case(Guard::Default);
        e.stmt(stop_marker("error stop 'a derivative of another type'"), place);
        e.close_select();
    }
}

/// Whether a derived type has parameters.
pub fn has_parameters(doc: &Document, ty: SymbolId) -> bool {
    matches!(doc.role(ty), Some(Role::DerivedType { params, .. }) if !params.is_empty())
}

/// `type(ty)`
pub fn spec_of(doc: &Document, ty: SymbolId) -> TypeSpec {
    let name = doc.name(ty).to_owned();
    TypeSpec::Derived { symbol: Some(ty), name, class: false, params: Vec::new() }
}

/// `class(ty)`
pub fn class_of(doc: &Document, ty: SymbolId) -> TypeSpec {
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
