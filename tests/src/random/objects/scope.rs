//! What can be denoted at a place in a procedure.
//!
//! A [`Scope`] has variables and names of constructs; a [`View`] has their parts, down to numbers, each
//! with subscripts by chance. Integers are 1, 2 or 3 wherever they stand, so that each is a subscript
//! of each array.

use super::super::program::has_word;
use super::Generator;
use super::path::{Path, Root};
use super::types::{Component, Kind, TypeId};

/// A way to denote an object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) text: String,
    /// Its declared type.
    pub(super) ty: TypeId,
    pub(super) polymorphic: bool,
    pub(super) writable: bool,
    pub(super) path: Path,
    /// Whether it may be allocated anew.
    pub(super) allocatable: bool,
    /// Whether it is an array with three elements; a [`View`] has elements only.
    pub(super) array: bool,
}

impl Object {
    /// A variable of the procedure that is not polymorphic.
    pub(super) fn own(name: &str, ty: TypeId) -> Self {
        Object {
            text: name.into(),
            ty,
            polymorphic: false,
            writable: true,
            path: Path::own(name),
            allocatable: false,
            array: false,
        }
    }

    /// An allocatable variable of the procedure.
    pub(super) fn allocatable(name: &str, ty: TypeId) -> Self {
        Object { polymorphic: true, allocatable: true, ..Object::own(name, ty) }
    }
}

/// A way to denote a number, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Datum {
    pub(super) text: String,
    pub(super) writable: bool,
    pub(super) path: Path,
    /// Whether it may be allocated anew.
    pub(super) allocatable: bool,
}

impl Datum {
    /// A variable of the procedure.
    pub(super) fn own(name: &str) -> Self {
        let (text, path) = (name.to_string(), Path::own(name));
        Datum { text, writable: true, path, allocatable: false }
    }

    pub(super) fn read_only(self) -> Self {
        Datum { writable: false, ..self }
    }
}

/// What can be denoted; what is there twice is chosen twice as often.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) objects: Vec<Object>,
    pub(super) reals: Vec<Datum>,
    pub(super) arrays: Vec<Datum>,
    /// Integers that are used as subscripts here.
    pub(super) integers: Vec<Datum>,
    /// Counters of the loops around.
    pub(super) counters: Vec<String>,
    /// Pointers to objects.
    pub(super) pointers: Vec<String>,
    /// Whether a construct around has a name for a part of something: nothing is allocated anew, as
    /// the name would be one of nothing.
    pub(super) fixed: bool,
    /// Whether it is executed more than once in a call of the procedure.
    pub(super) repeated: bool,
    /// Whether expressions call no functions.
    pub(super) callless: bool,
}

impl Scope {
    /// A construct has the name for something else.
    pub(super) fn hide(&mut self, name: &str) {
        self.retain(|text, _| !has_word(text, name));
        self.pointers.retain(|pointer| !has_word(pointer, name));
    }

    /// Keeps that for which `wanted` holds of text and path.
    pub(super) fn retain(&mut self, wanted: impl Fn(&str, &Path) -> bool) {
        self.objects.retain(|object| wanted(&object.text, &object.path));
        for list in [&mut self.reals, &mut self.arrays, &mut self.integers] {
            list.retain(|datum| wanted(&datum.text, &datum.path));
        }
    }
}

/// All that can be denoted, down to numbers.
#[derive(Default)]
pub(super) struct View {
    pub(super) objects: Vec<Object>,
    pub(super) reals: Vec<Datum>,
    pub(super) arrays: Vec<Datum>,
    pub(super) integers: Vec<Datum>,
}

/// Which subscripts there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subscripts {
    All,
    /// None that is a component: they do not nest.
    Simple,
}

/// Whether a subscript is an integer component, so that assignments may change what the text denotes.
pub(super) fn has_variable_subscript(text: &str) -> bool {
    let mut depth = 0;
    text.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == '%' && depth > 0
    })
}

impl Generator {
    /// A subscript of an array.
    pub(super) fn subscript(&mut self, scope: &Scope) -> String {
        self.chosen_subscript(scope, Subscripts::All)
    }

    fn chosen_subscript(&mut self, scope: &Scope, subscripts: Subscripts) -> String {
        if let Some(counter) = self.dice.any(&scope.counters)
            && self.dice.chance(0.5)
        {
            let changed = [format!("mod({counter}, 3) + 1"), format!("4 - {counter}")];
            return if self.dice.chance(0.5) {
                counter
            } else {
                self.dice.any(&changed).unwrap_or(counter)
            };
        }
        if subscripts == Subscripts::All
            && let Some(integer) = self.dice.any(&scope.integers)
            && self.dice.chance(0.5)
        {
            return integer.text;
        }
        self.dice.number(1, 3).to_string()
    }

    /// What can be seen, with other subscripts each time.
    pub(super) fn view(&mut self, scope: &Scope) -> View {
        let mut view = self.parts(scope, Subscripts::All);
        view.reals.extend(scope.reals.iter().cloned());
        view.arrays.extend(scope.arrays.iter().cloned());
        view
    }

    /// Integers that can be seen.
    pub(super) fn integers(&mut self, scope: &Scope) -> Vec<Datum> {
        self.parts(scope, Subscripts::Simple).integers
    }

    /// The objects among what can be seen for which `wanted` holds.
    pub(super) fn objects(
        &mut self,
        scope: &Scope,
        wanted: impl Fn(&Object) -> bool,
    ) -> Vec<Object> {
        self.view(scope).objects.into_iter().filter(wanted).collect()
    }

    fn parts(&mut self, scope: &Scope, subscripts: Subscripts) -> View {
        let mut found = View::default();
        for object in &scope.objects {
            self.add_parts(scope, object, subscripts, &mut found);
        }
        found
    }

    fn add_parts(
        &mut self,
        scope: &Scope,
        whole: &Object,
        subscripts: Subscripts,
        found: &mut View,
    ) {
        let mut object = whole.clone();
        if object.array {
            let subscript = self.chosen_subscript(scope, subscripts);
            object.text = format!("{}({subscript})", object.text);
            object.path = object.path.element(&subscript);
            object.array = false;
            object.allocatable = false;
        }
        for component in self.types.components(object.ty) {
            self.add_component(scope, &object, &component, subscripts, found);
        }
        found.objects.push(object);
    }

    fn add_component(
        &mut self,
        scope: &Scope,
        object: &Object,
        component: &Component,
        subscripts: Subscripts,
        found: &mut View,
    ) {
        let text = self.component_text(object, component);
        let path = object.path.component(&component.name);
        let datum = Datum { text, writable: object.writable, path, allocatable: false };
        let part = |ty| Object {
            text: datum.text.clone(),
            ty,
            polymorphic: false,
            writable: datum.writable,
            path: datum.path.clone(),
            allocatable: false,
            array: false,
        };
        let part = match component.kind {
            Kind::Real => return found.reals.push(datum),
            Kind::Integer => return found.integers.push(datum),
            Kind::Vector => return found.arrays.push(datum),
            Kind::AllocatableVector => {
                return found.arrays.push(Datum { allocatable: true, ..datum });
            }
            Kind::Structure(ty) => part(ty),
            Kind::Structures(ty) | Kind::AllocatableStructures(ty) => {
                Object { array: true, ..part(ty) }
            }
            Kind::Polymorphic(ty) => Object { polymorphic: true, allocatable: true, ..part(ty) },
            Kind::Polymorphics(ty) => Object { polymorphic: true, array: true, ..part(ty) },
            Kind::Pointer(ty) => self.pointee(&datum.text, ty),
        };
        self.add_parts(scope, &part, subscripts, found);
    }

    /// The text of a component; some that are inherited are components of the parent.
    fn component_text(&mut self, object: &Object, component: &Component) -> String {
        let Object { text, ty, .. } = object;
        let inherited = self
            .types
            .concrete_parent(*ty)
            .filter(|parent| self.types.components(*parent).contains(component));
        match inherited {
            Some(parent) if self.dice.chance(0.06) => {
                format!("{text}%{}%{}", self.types.name(parent), component.name)
            }
            Some(_) | None => format!("{text}%{}", component.name),
        }
    }

    /// The scope without the variable that `path` is part of: where that is not there, or not as it
    /// will be.
    pub(super) fn without(&self, scope: &Scope, path: &Path) -> Scope {
        let mut scope = scope.clone();
        scope.retain(|text, own| {
            !own.same_variable(path) && !path.variable().is_some_and(|name| has_word(text, name))
        });
        // A function may use it, too.
        scope.callless |= path.in_module();
        if path.in_target() {
            scope.objects.retain(|object| Some(object.ty) != self.types.link);
        }
        scope
    }

    /// What a pointer points to.
    pub(super) fn pointee(&self, text: &str, ty: TypeId) -> Object {
        Object {
            polymorphic: ty == self.types.base(),
            path: Path::new(Root::Pointee),
            ..Object::own(text, ty)
        }
    }
}
