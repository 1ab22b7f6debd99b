//! Which types carry derivatives: real and complex numbers, and derived types that hold some.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Attr, Base, Document, Init, Role, ScopeKind, SymbolId, TypeSpec};

/// Answers by type; worked out once for a document.
#[derive(Clone, Debug, Default)]
pub struct Types {
    carrying: HashSet<SymbolId>,
    /// Types whose objects come into being with values in continuous components.
    initialised: HashSet<SymbolId>,
    /// Types whose objects hold pointers to what may carry a derivative.
    pointing: HashSet<SymbolId>,
    /// Types whose objects hold allocatable objects of their own type, so that how deep they go is known
    /// only as the program runs.
    endless: HashSet<SymbolId>,
    extensions: HashMap<SymbolId, Vec<SymbolId>>,
}

impl Types {
    /// Looks at all derived types of `doc`.
    pub fn new(doc: &Document) -> Self {
        let mut types = Types::default();
        let mut holders: HashMap<SymbolId, Vec<SymbolId>> = HashMap::new();
        let mut by_value: HashMap<SymbolId, Vec<SymbolId>> = HashMap::new();
        let mut owned: HashMap<SymbolId, Vec<SymbolId>> = HashMap::new();
        let (mut carrying, mut initialised) = (Vec::new(), Vec::new());
        let mut pointers: Vec<(SymbolId, Base)> = Vec::new();
        let mut polymorphic: Vec<(SymbolId, SymbolId, bool)> = Vec::new();
        for scope in doc.scopes.values() {
            let ScopeKind::DerivedType(owner) = scope.kind else { continue };
            if let Some(Role::DerivedType { extends: Some(parent), .. }) = doc.role(owner) {
                types.extensions.entry(*parent).or_default().push(owner);
                holders.entry(*parent).or_default().push(owner);
                by_value.entry(*parent).or_default().push(owner);
                owned.entry(*parent).or_default().push(owner);
            }
            for decl in scope.symbols.iter().filter_map(|&s| doc.symbols[s].decl.as_deref()) {
                if !matches!(decl.role, Role::Variable) {
                    continue;
                }
                let pointer = decl.has(Attr::Pointer);
                let indirect = pointer || decl.has(Attr::Allocatable);
                if pointer {
                    pointers.push((owner, decl.spec.base()));
                }
                match decl.spec.base() {
                    base if base.is_continuous() => {
                        carrying.push(owner);
                        if matches!(decl.init, Some(Init::Value(_))) {
                            initialised.push(owner);
                        }
                    }
                    base @ (Base::Derived(part) | Base::Class(part)) => {
                        if base == Base::Class(part) {
                            polymorphic.push((owner, part, pointer));
                        }
                        holders.entry(part).or_default().push(owner);
                        if !pointer {
                            owned.entry(part).or_default().push(owner);
                        }
                        if !indirect {
                            by_value.entry(part).or_default().push(owner);
                        }
                    }
                    // What it holds as the program runs may be a number.
                    Base::ClassStar => carrying.push(owner),
                    _ => {}
                }
            }
        }
        // What is polymorphic may be of an extension, of one that alone has numbers, or that holds it.
        for (owner, part, pointer) in polymorphic {
            for extension in types.with_extensions(part) {
                holders.entry(extension).or_default().push(owner);
                if !pointer {
                    owned.entry(extension).or_default().push(owner);
                }
            }
        }
        let around = |ty: &SymbolId| owned.get(ty).cloned().unwrap_or_default();
        types.endless =
            owned.keys().filter(|&ty| closure(around(ty), &owned).contains(ty)).copied().collect();
        types.carrying = closure(carrying, &holders);
        types.initialised = closure(initialised, &by_value);
        let pointing = pointers.into_iter().filter(|&(_, target)| types.carries(target));
        types.pointing = closure(pointing.map(|(owner, _)| owner).collect(), &holders);
        types
    }

    /// Whether an object of this type holds pointers whose targets may carry derivatives, itself or
    /// in what it holds.
    pub fn points(&self, base: Base) -> bool {
        match base {
            Base::Derived(owner) => self.pointing.contains(&owner),
            Base::Class(owner) => {
                self.with_extensions(owner).iter().any(|one| self.pointing.contains(one))
            }
            Base::ClassStar => !self.pointing.is_empty(),
            Base::Real(_)
            | Base::Complex(_)
            | Base::Unknown
            | Base::Void
            | Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::TypeStar
            | Base::Procedure
            | Base::Pointer(_) => false,
        }
    }

    /// Whether code cannot go through all that an object of this type points to: a pointer component begins undefined, or leads
    /// back to a type on the way.
    pub fn points_without_end(&self, doc: &Document, base: Base) -> bool {
        let mut way: Vec<SymbolId> = Vec::new();
        self.is_closed(doc, base, &mut way)
    }

    fn is_closed(&self, doc: &Document, base: Base, way: &mut Vec<SymbolId>) -> bool {
        let types = match base {
            Base::Derived(owner) => vec![owner],
            Base::Class(owner) => self.with_extensions(owner),
            _ => return base == Base::ClassStar && self.points(base),
        };
        types.into_iter().any(|owner| {
            if way.contains(&owner) {
                return true;
            }
            way.push(owner);
            let closed = doc.data_components(owner).into_iter().any(|component| {
                let decl = doc.symbols[component].decl.as_deref();
                decl.is_some_and(|decl| {
                    let pointer = decl.has(Attr::Pointer) && self.carries(decl.spec.base());
                    pointer && decl.init.is_none() || self.is_closed(doc, decl.spec.base(), way)
                })
            });
            way.pop();
            closed
        })
    }

    /// Whether an object of this type has continuous parts: real or complex itself, or a derived
    /// type with such a component (for a polymorphic object: it or one of its extensions), or an
    /// unlimited polymorphic object, which may be anything.
    pub fn carries(&self, base: Base) -> bool {
        match base {
            Base::Real(_) | Base::Complex(_) | Base::ClassStar => true,
            Base::Derived(owner) => self.carrying.contains(&owner),
            Base::Class(owner) => {
                self.with_extensions(owner).iter().any(|one| self.carrying.contains(one))
            }
            Base::Unknown
            | Base::Void
            | Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::TypeStar
            | Base::Procedure
            | Base::Pointer(_) => false,
        }
    }

    /// Whether objects of the derived type `owner` hold allocatable objects of their own type, as trees
    /// do: code that goes through their components would have no end.
    pub fn is_endless(&self, owner: SymbolId) -> bool {
        self.endless.contains(&owner)
    }

    /// Whether an object of this type comes into being with values in continuous components, so
    /// that a derivative object must be set to zero then.
    pub fn is_initialised(&self, spec: &TypeSpec) -> bool {
        match spec.base() {
            Base::Derived(owner) => self.initialised.contains(&owner),
            Base::Class(owner) => {
                self.with_extensions(owner).iter().any(|one| self.initialised.contains(one))
            }
            _ => false,
        }
    }

    /// `owner` and all types that extend it, each after the one that it extends.
    pub fn with_extensions(&self, owner: SymbolId) -> Vec<SymbolId> {
        let mut found = vec![owner];
        let mut next = 0;
        while let Some(&here) = found.get(next) {
            next += 1;
            found.extend(self.extensions.get(&here).into_iter().flatten());
        }
        found
    }
}

/// All that is reached from `start`.
fn closure(mut start: Vec<SymbolId>, next: &HashMap<SymbolId, Vec<SymbolId>>) -> HashSet<SymbolId> {
    let mut reached = HashSet::new();
    while let Some(one) = start.pop() {
        if reached.insert(one) {
            start.extend(next.get(&one).into_iter().flatten());
        }
    }
    reached
}
