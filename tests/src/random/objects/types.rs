//! The types of a program: a family of extensions, what contains members of it, what points to them.
//!
//! All components that are numbers have default values, so that an object is defined once it is there.
//! Arrays have three elements, integers are 1, 2 or 3: each may be a subscript.

use super::super::dice::Dice;

/// A type of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeId(usize);

/// What a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `real(8)`
    Real,
    /// `integer`
    Integer,
    /// `real(8)`, three elements.
    Vector,
    /// `real(8), allocatable`, three elements.
    AllocatableVector,
    /// `type(…)`
    Structure(TypeId),
    /// `type(…)`, three elements.
    Structures(TypeId),
    /// `type(…), allocatable`, three elements.
    AllocatableStructures(TypeId),
    /// `class(…), allocatable`
    Polymorphic(TypeId),
    /// `class(…), allocatable`, three elements.
    Polymorphics(TypeId),
    /// `type(…), pointer`, or `class(…), pointer` to the base of the family.
    Pointer(TypeId),
}

/// A component.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// ` = …`
    initial: String,
}

/// A derived type.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) name: String,
    pub(super) parent: Option<TypeId>,
    pub(super) is_abstract: bool,
    components: Vec<Component>,
    /// Bound procedures with what implements them; deferred ones have nothing.
    bindings: Vec<(String, Option<String>)>,
}

/// All types of a program.
#[derive(Default)]
pub(super) struct Types {
    list: Vec<Type>,
    /// A structure of numbers.
    pub(super) inner: TypeId,
    /// The base, and its extensions.
    pub(super) family: Vec<TypeId>,
    /// What contains a member of the family.
    pub(super) cell: TypeId,
    /// What contains allocatable arrays.
    pub(super) bag: Option<TypeId>,
    /// What contains arrays of cells, bags and members of the family.
    pub(super) rack: Option<TypeId>,
    /// What points to members of the family.
    pub(super) link: Option<TypeId>,
    /// What pointers point to.
    pub(super) pointed: TypeId,
}

/// Components that are collected.
struct Parts<'d> {
    dice: &'d mut Dice,
    found: Vec<Component>,
}

impl<'d> Parts<'d> {
    fn none(dice: &'d mut Dice) -> Self {
        Parts { dice, found: Vec::new() }
    }

    /// All types but extensions begin with `v`.
    fn begun(dice: &'d mut Dice) -> Self {
        let mut parts = Parts::none(dice);
        parts.add("v", Kind::Real);
        parts
    }

    fn add(&mut self, name: &str, kind: Kind) {
        let initial = match kind {
            Kind::Real => format!(" = {}", self.dice.literal(0.2, 0.9)),
            Kind::Integer => format!(" = {}", self.dice.number(1, 3)),
            Kind::Vector => {
                let [a, b] = [(); 2].map(|()| self.dice.literal(0.2, 0.9));
                format!(" = [{a}, {b}, {}]", self.dice.literal(-0.9, 0.9))
            }
            Kind::Pointer(_) => " => null()".into(),
            Kind::AllocatableVector
            | Kind::Structure(_)
            | Kind::Structures(_)
            | Kind::AllocatableStructures(_)
            | Kind::Polymorphic(_)
            | Kind::Polymorphics(_) => String::new(),
        };
        self.found.push(Component { name: name.into(), kind, initial });
    }

    fn maybe(&mut self, probability: f64, name: &str, kind: Kind) {
        if self.dice.chance(probability) {
            self.add(name, kind);
        }
    }
}

impl Types {
    pub(super) fn random(dice: &mut Dice) -> Self {
        let mut types = Types::default();
        let mut parts = Parts::begun(dice);
        parts.maybe(0.6, "a", Kind::Vector);
        parts.maybe(0.4, "k", Kind::Integer);
        types.inner = types.add("inner", None, parts.found);
        types.add_family(dice);
        if dice.chance(0.4) {
            types.add_bag(dice);
        }
        types.add_cell(dice);
        if dice.chance(0.6) {
            types.add_rack(dice);
        }
        types.add_link(dice);
        types
    }

    fn add(&mut self, name: &str, parent: Option<TypeId>, components: Vec<Component>) -> TypeId {
        self.list.push(Type {
            name: name.into(),
            parent,
            is_abstract: false,
            components,
            bindings: Vec::new(),
        });
        TypeId(self.list.len() - 1)
    }

    fn add_family(&mut self, dice: &mut Dice) {
        let mut parts = Parts::begun(dice);
        parts.maybe(0.7, "k", Kind::Integer);
        parts.maybe(0.5, "a", Kind::Vector);
        parts.maybe(0.2, "q", Kind::Structure(self.inner));
        let base = self.add("base", None, parts.found);
        self.list[base.0].is_abstract = dice.chance(0.7);
        self.family.push(base);
        for number in 1..=dice.number(2, 3) {
            let parent = dice.any(&self.family).filter(|_| number > 1).unwrap_or(base);
            let structure = dice.one([Kind::Structure(self.inner), Kind::Structures(self.inner)]);
            let mut parts = Parts::none(dice);
            parts.maybe(0.6, &format!("r{number}"), Kind::Real);
            parts.maybe(0.4, &format!("f{number}"), Kind::Vector);
            parts.maybe(0.3, &format!("st{number}"), structure);
            parts.maybe(0.25, &format!("k{number}"), Kind::Integer);
            parts.maybe(0.06, &format!("h{number}"), Kind::AllocatableVector);
            let id = self.add(&format!("e{number}"), Some(parent), parts.found);
            self.family.push(id);
        }
    }

    fn add_bag(&mut self, dice: &mut Dice) {
        let mut parts = Parts::begun(dice);
        parts.add("h", Kind::AllocatableVector);
        parts.maybe(0.3, "h2", Kind::AllocatableVector);
        self.bag = Some(self.add("bag", None, parts.found));
    }

    fn add_cell(&mut self, dice: &mut Dice) {
        let mut parts = Parts::begun(dice);
        parts.add("o", Kind::Polymorphic(self.base()));
        parts.maybe(0.5, "k", Kind::Integer);
        parts.maybe(0.3, "q", Kind::Structure(self.inner));
        parts.maybe(0.2, "o2", Kind::Polymorphic(self.base()));
        self.cell = self.add("cell", None, parts.found);
    }

    fn add_rack(&mut self, dice: &mut Dice) {
        let cells = [Kind::Structures(self.cell), Kind::AllocatableStructures(self.cell)];
        let cells = dice.one(cells);
        let bags = self.bag.map(|bag| dice.one([Kind::Structure(bag), Kind::Structures(bag)]));
        let mut parts = Parts::begun(dice);
        parts.maybe(0.5, "k", Kind::Integer);
        parts.maybe(0.8, "c", cells);
        parts.maybe(0.3, "arr", Kind::Polymorphics(self.base()));
        if let Some(bags) = bags {
            parts.maybe(0.6, "bg", bags);
        }
        parts.maybe(0.3, "lead", Kind::Polymorphic(self.base()));
        parts.maybe(0.3, "a", Kind::Vector);
        self.rack = Some(self.add("rack", None, parts.found));
    }

    fn add_link(&mut self, dice: &mut Dice) {
        let wanted = dice.chance(0.4);
        let concrete = dice.any(&self.concrete()).unwrap_or(self.base());
        self.pointed = if wanted && dice.chance(0.4) { self.base() } else { concrete };
        if wanted {
            let mut parts = Parts::begun(dice);
            parts.add("p", Kind::Pointer(self.pointed));
            self.link = Some(self.add("link", None, parts.found));
        }
    }

    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0]
    }

    pub(super) fn name(&self, id: TypeId) -> &str {
        &self.get(id).name
    }

    /// The base of the family.
    pub(super) fn base(&self) -> TypeId {
        self.family.first().copied().unwrap_or_default()
    }

    /// The members of the family that objects can have as their type.
    pub(super) fn concrete(&self) -> Vec<TypeId> {
        self.family.iter().copied().filter(|id| !self.get(*id).is_abstract).collect()
    }

    /// Those of them without allocatable components: what has such a type is defined once it is there.
    pub(super) fn plain(&self) -> Vec<TypeId> {
        self.concrete().into_iter().filter(|id| self.is_plain(*id)).collect()
    }

    /// Whether objects of a type have neither allocatable nor pointer components.
    pub(super) fn is_plain(&self, id: TypeId) -> bool {
        self.components(id).iter().all(|component| match component.kind {
            Kind::Real | Kind::Integer | Kind::Vector => true,
            Kind::Structure(id) | Kind::Structures(id) => self.is_plain(id),
            Kind::AllocatableVector
            | Kind::AllocatableStructures(_)
            | Kind::Polymorphic(_)
            | Kind::Polymorphics(_)
            | Kind::Pointer(_) => false,
        })
    }

    /// All components, the inherited ones first.
    pub(super) fn components(&self, id: TypeId) -> Vec<Component> {
        let ty = self.get(id);
        let mut all = ty.parent.map(|parent| self.components(parent)).unwrap_or_default();
        all.extend(ty.components.iter().cloned());
        all
    }

    /// The components of one kind.
    pub(super) fn components_of(&self, id: TypeId, kind: Kind) -> Vec<String> {
        let all = self.components(id).into_iter();
        all.filter(|component| component.kind == kind).map(|component| component.name).collect()
    }

    /// Whether a type is another one or extends it.
    pub(super) fn is_a(&self, id: TypeId, other: TypeId) -> bool {
        id == other || self.get(id).parent.is_some_and(|parent| self.is_a(parent, other))
    }

    /// The parent of a type, where objects of it can be denoted as a component.
    pub(super) fn concrete_parent(&self, id: TypeId) -> Option<TypeId> {
        self.get(id).parent.filter(|parent| !self.get(*parent).is_abstract)
    }

    /// The type itself and all that extend it.
    pub(super) fn extensions(&self, id: TypeId) -> Vec<TypeId> {
        (0..self.list.len()).map(TypeId).filter(|other| self.is_a(*other, id)).collect()
    }

    /// Binds a procedure; one that is deferred has no implementation.
    pub(super) fn bind(&mut self, id: TypeId, name: &str, implementation: Option<String>) {
        self.list[id.0].bindings.push((name.into(), implementation));
    }

    /// Whether the nearest ancestor that has a procedure defers it.
    pub(super) fn inherits_deferred(&self, id: TypeId, name: &str) -> bool {
        let Some(parent) = self.get(id).parent else { return false };
        match self.get(parent).bindings.iter().find(|(own, _)| own == name) {
            Some((_, implementation)) => implementation.is_none(),
            None => self.inherits_deferred(parent, name),
        }
    }

    /// Whether a type has a procedure itself and implements it.
    pub(super) fn implements(&self, id: TypeId, name: &str) -> bool {
        let bindings = self.get(id).bindings.iter();
        bindings.filter(|(own, _)| own == name).any(|(_, implementation)| implementation.is_some())
    }

    /// `type` or `class`, as it has to be for pointers to `id`.
    pub(super) fn pointer_word(&self, id: TypeId) -> &'static str {
        if id == self.base() { "class" } else { "type" }
    }

    /// The definitions of all types.
    pub(super) fn definitions(&self) -> Vec<String> {
        self.list.iter().flat_map(|ty| self.definition(ty)).collect()
    }

    fn definition(&self, ty: &Type) -> Vec<String> {
        let mut head = String::from("type");
        if ty.is_abstract {
            head.push_str(", abstract");
        }
        if let Some(parent) = ty.parent {
            head.push_str(&format!(", extends({})", self.name(parent)));
        }
        let mut lines = vec![format!("{head} :: {}", ty.name)];
        lines.extend(ty.components.iter().map(|component| {
            let Component { name, kind, initial } = component;
            format!("  {} :: {name}{}{initial}", self.spec(*kind), extents(*kind))
        }));
        if !ty.bindings.is_empty() {
            lines.push("contains".into());
        }
        lines.extend(ty.bindings.iter().map(|(name, implementation)| match implementation {
            Some(implementation) => format!("  procedure :: {name} => {implementation}"),
            None => format!("  procedure({name}_i), deferred :: {name}"),
        }));
        lines.push(format!("end type {}", ty.name));
        lines
    }

    /// Type and attributes of a component.
    fn spec(&self, kind: Kind) -> String {
        match kind {
            Kind::Real | Kind::Vector => "real(8)".into(),
            Kind::Integer => "integer".into(),
            Kind::AllocatableVector => "real(8), allocatable".into(),
            Kind::Structure(id) | Kind::Structures(id) => format!("type({})", self.name(id)),
            Kind::AllocatableStructures(id) => format!("type({}), allocatable", self.name(id)),
            Kind::Polymorphic(id) | Kind::Polymorphics(id) => {
                format!("class({}), allocatable", self.name(id))
            }
            Kind::Pointer(id) => format!("{}({}), pointer", self.pointer_word(id), self.name(id)),
        }
    }
}

fn extents(kind: Kind) -> &'static str {
    match kind {
        Kind::Real
        | Kind::Integer
        | Kind::Structure(_)
        | Kind::Polymorphic(_)
        | Kind::Pointer(_) => "",
        Kind::Vector | Kind::Structures(_) => "(3)",
        Kind::AllocatableVector | Kind::AllocatableStructures(_) | Kind::Polymorphics(_) => "(:)",
    }
}
