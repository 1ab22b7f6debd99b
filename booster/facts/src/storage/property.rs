//! Properties: allocation status, bounds, association, dynamic type and length of what has them apart from its value.
//!
//! `b = [1d0]` gives `b` a value and, where `b` is allocatable, an extent. SIZE reads the extent, not the value. So
//! each variable or component that is allocatable, a pointer, polymorphic or of deferred length has a second location
//! of storage, its property. A dummy argument of assumed shape, rank or length has one as well, and so has an
//! optional one: it stands for the property of the actual argument (Fortran 2018, 15.5.2.12: an actual argument
//! that is not allocated is not present).
//!
//! A reference asks for the properties on the way to what it names: `o%a(i)` for those of `o` and `a`. What an
//! assignment reshapes are the property of the whole object that it names and those of the components below.
//! Storage that has been given up as one location (`tree`) holds the properties of its components.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{
    Attr, Base, CharLen, Decl, Dim, Document, Part, ProcClass, RefId, Reference, Role, SymbolId,
    TypeSpec,
};

use super::overlay::declarations_of_common;
use super::tree::{NodeId, Shape};
use super::{LocationId, Locations, Storage, stands_for};

/// Whether a variable or component has a property. `is_dummy`: it is a dummy argument.
pub(super) fn has_property(decl: &Decl, is_dummy: bool) -> bool {
    let of_type = match decl.spec {
        TypeSpec::Character { len, .. } => len,
        _ => CharLen::One,
    };
    let length = decl.char_len.unwrap_or(of_type);
    let own = decl.has(Attr::Allocatable)
        || decl.has(Attr::Pointer)
        || length == CharLen::Deferred
        || matches!(decl.spec.base(), Base::Class(_) | Base::ClassStar);
    let open = |dim: &Dim| matches!(dim, Dim::AssumedShape { .. } | Dim::AssumedRank);
    let of_actual =
        decl.has(Attr::Optional) || length == CharLen::Assumed || decl.dims.iter().any(open);
    own || is_dummy && of_actual
}

/// Whether a dummy argument of this declaration is the property of the actual argument, not a copy of it.
pub fn takes_property(doc: &Document, dummy: SymbolId) -> bool {
    doc.has(dummy, Attr::Allocatable) || doc.has(dummy, Attr::Pointer)
}

/// What a reference names, and the properties on the way there.
#[derive(Debug, Default)]
struct Way {
    node: Option<NodeId>,
    /// The properties of what stands before the last variable or component.
    before: Vec<NodeId>,
    /// The property of the last variable or component.
    last: Option<NodeId>,
    /// Whether the reference ends with it, not with elements of it.
    is_whole: bool,
    /// Whether no subscript stands on the way.
    is_steady: bool,
}

impl Storage {
    /// Gives properties to the variables.
    pub(super) fn make_properties(&mut self, doc: &Document) {
        for (id, symbol) in &doc.symbols {
            let (Some(_), Some(decl)) = (self.nodes[id], &symbol.decl) else { continue };
            let has = match &decl.role {
                Role::Procedure(info) => info.class == ProcClass::Pointer,
                // A name of ASSOCIATE or SELECT TYPE has the property of what it stands for.
                Role::Associate { .. } => false,
                _ => has_property(decl, self.procedures.dummy_of(id).is_some()),
            };
            if has {
                self.properties[id] = Some(self.forest.leaf(false, false));
            }
        }
        let mut blocks: BTreeMap<&str, NodeId> = BTreeMap::new();
        for (block, members) in declarations_of_common(doc) {
            for property in members.values().flatten().filter_map(|&one| self.properties[one]) {
                let first = *blocks.entry(doc.symbols[block].id.as_str()).or_insert(property);
                if first != property {
                    self.forest.unify(first, property, true);
                }
            }
        }
    }

    /// The properties of a variable and of its components, with the components that lead to each.
    pub(super) fn named_properties(&self, symbol: SymbolId) -> Vec<(NodeId, Vec<SymbolId>)> {
        let mut found: Vec<_> =
            self.properties[symbol].into_iter().map(|own| (own, Vec::new())).collect();
        let mut seen = BTreeSet::new();
        let mut work: Vec<_> =
            self.nodes[symbol].into_iter().map(|node| (node, Vec::new())).collect();
        while let Some((node, path)) = work.pop() {
            let node = self.forest.find(node);
            let Shape::Struct(children) = self.forest.shape(node) else { continue };
            if !seen.insert(node) {
                continue;
            }
            for (&component, child) in children.iter().rev() {
                let mut longer = path.clone();
                longer.push(component);
                found.extend(child.property.map(|property| (property, longer.clone())));
                work.push((child.node, longer));
            }
        }
        found
    }

    /// The properties that reading `reference` depends on.
    pub fn asked_by(&self, doc: &Document, reference: RefId) -> Locations {
        let reference = &doc.refs[reference];
        self.asked_at(doc, reference.base, &reference.parts)
    }

    /// The properties that passing `reference` to a procedure depends on: its own and those on the way.
    pub fn asked_by_passing(&self, doc: &Document, reference: RefId) -> Locations {
        let data = &doc.refs[reference];
        let way = self.way(doc, data.base, &data.parts);
        self.locations_of_nodes(way.before.iter().copied().chain(way.last))
    }

    /// The properties that the object of a type-bound call has: the reference without its last part.
    pub fn asked_by_object(&self, doc: &Document, object: RefId) -> Locations {
        let reference = &doc.refs[object];
        let before = reference.parts.split_last().map_or(&[][..], |(_, before)| before);
        self.asked_at(doc, reference.base, before)
    }

    fn asked_at(&self, doc: &Document, base: SymbolId, parts: &[Part]) -> Locations {
        let way = self.way(doc, base, parts);
        let nodes = way.before.iter().copied().chain(way.last);
        let below = way.node.map(|node| self.properties_below(node)).unwrap_or_default();
        self.locations_of_nodes(nodes.chain(below))
    }

    /// The properties that an assignment to `reference` depends on. The property that the assignment gives is none of
    /// them.
    pub fn asked_by_target(&self, doc: &Document, reference: RefId) -> Locations {
        let symbol = doc.refs[reference].whole_entity();
        let given = symbol.is_some_and(|symbol| doc.has(symbol, Attr::Allocatable));
        let data = &doc.refs[reference];
        let way = self.way(doc, data.base, &data.parts);
        let last = way.last.filter(|_| !given);
        self.locations_of_nodes(way.before.iter().copied().chain(last))
    }

    /// The properties on the way to an object, but for its own.
    pub fn asked_on_way(&self, doc: &Document, reference: RefId) -> Locations {
        let data = &doc.refs[reference];
        self.locations_of_nodes(self.way(doc, data.base, &data.parts).before)
    }

    /// The properties that an assignment of a whole value to `reference` may give, and whether it certainly
    /// gives all of them. `own`: that of the object itself, too.
    pub fn reshaped_by(&self, doc: &Document, reference: RefId, own: bool) -> (Locations, bool) {
        self.reshaped_at(doc, &doc.refs[reference], own)
    }

    /// The same of a reference that no document holds.
    pub fn reshaped_at(&self, doc: &Document, data: &Reference, own: bool) -> (Locations, bool) {
        let way = self.way(doc, data.base, &data.parts);
        let last = way.last.filter(|_| own && (way.is_whole || is_bounded(&data.parts)));
        let below = way.node.map(|node| self.properties_below(node)).unwrap_or_default();
        let locations = self.locations_of_nodes(last.into_iter().chain(below));
        let certain = way.is_steady
            && locations.iter().all(|&location| self.locations[location].strong_update);
        (locations, certain)
    }

    /// The properties of the components of a variable, but for what is behind pointers; `own`: and that of the
    /// variable.
    pub fn properties_of_symbol(&self, symbol: SymbolId, own: bool) -> Locations {
        let below = self.nodes[symbol].map(|node| self.properties_below(node)).unwrap_or_default();
        let own = self.properties[symbol].filter(|_| own);
        self.locations_of_nodes(own.into_iter().chain(below))
    }

    /// Which properties of a dummy argument stand for which of the variable that is passed, and whether exactly.
    pub fn passed_properties(
        &self,
        doc: &Document,
        dummy: SymbolId,
        actual: (SymbolId, &[Part]),
    ) -> (Vec<(LocationId, LocationId)>, bool) {
        let (base, parts) = actual;
        let way = self.way(doc, base, parts);
        let only_own = takes_property(doc, dummy) && way.last.is_some();
        let outer: Vec<NodeId> = match only_own {
            true => way.last.into_iter().collect(),
            false => way.before.iter().copied().chain(way.last).collect(),
        };
        let outer = self.locations_of_nodes(outer);
        let inner = self.locations_of_nodes(self.properties[dummy]);
        let mut pairs: Vec<(LocationId, LocationId)> =
            inner.iter().flat_map(|&own| outer.iter().map(move |&other| (own, other))).collect();
        if let (Some(from), Some(to)) = (self.nodes[dummy], way.node) {
            self.pairs_below(from, to, &mut pairs);
        }
        pairs.sort_unstable();
        pairs.dedup();
        let whole =
            |(_, location): &(LocationId, LocationId)| self.locations[*location].strong_update;
        let exact = way.is_steady && way.is_whole && pairs.iter().all(whole);
        (pairs, exact)
    }

    /// Corresponding properties of components, behind pointers as well.
    fn pairs_below(&self, from: NodeId, to: NodeId, pairs: &mut Vec<(LocationId, LocationId)>) {
        let mut seen = BTreeSet::new();
        let mut work = vec![(from, to)];
        while let Some((from, to)) = work.pop() {
            let (from, to) = (self.forest.find(from), self.forest.find(to));
            if !seen.insert((from, to)) {
                continue;
            }
            match (self.forest.shape(from), self.forest.shape(to)) {
                (Shape::Struct(source), Shape::Struct(target)) => {
                    for (component, child) in source {
                        let Some(other) = target.get(component) else { continue };
                        work.push((child.node, other.node));
                        let own = child.property.and_then(|node| self.location(node));
                        pairs.extend(own.zip(other.property.and_then(|node| self.location(node))));
                    }
                }
                // One of them is one location, with all its properties.
                (Shape::Struct(_), Shape::Leaf) => {
                    let inner = self.locations_of_nodes(self.properties_below(from));
                    let outer = self.location(to);
                    pairs.extend(inner.into_iter().filter_map(|location| Some((location, outer?))));
                }
                (Shape::Leaf, Shape::Struct(_)) => {
                    let outer = self.locations_of_nodes(self.properties_below(to));
                    let inner = self.location(from);
                    pairs.extend(outer.into_iter().filter_map(|location| Some((inner?, location))));
                }
                (Shape::Leaf, Shape::Leaf) => {}
            }
        }
    }

    /// The locations of the values whose property a location is.
    pub fn values_with(&self, property: LocationId) -> Locations {
        let mut found = Locations::new();
        for member in &self.locations[property].members {
            let node = member.path.iter().try_fold(self.nodes[member.symbol], |node, component| {
                node.map(|node| Some(self.forest.child(node, *component)))
            });
            found.extend(
                node.flatten().map(|node| self.locations_below(node, false)).unwrap_or_default(),
            );
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The properties that somebody may change who is given `reference` as an argument.
    pub fn properties_reached(&self, doc: &Document, reference: RefId) -> Locations {
        let reference = &doc.refs[reference];
        let way = self.way(doc, reference.base, &reference.parts);
        let below = way.node.map(|node| self.all_properties_below(node, true)).unwrap_or_default();
        self.locations_of_nodes(way.last.into_iter().chain(below))
    }

    /// The properties of the components of a node, but for what is behind pointers.
    fn properties_below(&self, node: NodeId) -> Vec<NodeId> {
        self.all_properties_below(node, false)
    }

    fn all_properties_below(&self, node: NodeId, behind_pointers: bool) -> Vec<NodeId> {
        let (mut found, mut seen) = (Vec::new(), Vec::new());
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            let node = self.forest.find(node);
            let Shape::Struct(children) = self.forest.shape(node) else { continue };
            if seen.contains(&node) {
                continue;
            }
            seen.push(node);
            found.extend(children.values().filter_map(|child| child.property));
            let inner = children.values().filter(|child| behind_pointers || !child.pointer);
            work.extend(inner.map(|child| child.node));
        }
        found
    }

    fn locations_of_nodes(&self, nodes: impl IntoIterator<Item = NodeId>) -> Locations {
        let mut locations: Locations =
            nodes.into_iter().filter_map(|node| self.location(node)).collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }

    fn way(&self, doc: &Document, base: SymbolId, parts: &[Part]) -> Way {
        let mut way = self.way_to_variable(doc, base);
        for part in parts {
            match part {
                Part::Component { symbol: Some(symbol), .. } => {
                    if matches!(doc.role(*symbol), Some(Role::DerivedType { .. })) {
                        continue;
                    }
                    way.before.extend(way.last.take());
                    way.is_whole = true;
                    let Some(node) = way.node else { continue };
                    match self.forest.shape(node) {
                        Shape::Struct(children) => {
                            let child = children.get(symbol);
                            way.last = child.and_then(|child| child.property);
                            way.node = child.map(|child| child.node);
                        }
                        // The location of all that is there holds its properties, too.
                        Shape::Leaf => way.last = Some(node),
                    }
                }
                Part::Elements(_) => (way.is_whole, way.is_steady) = (false, false),
                Part::Substring { .. } => way.is_whole = false,
                Part::Component { symbol: None, .. } | Part::Inquiry(_) | Part::Deref => {}
            }
        }
        way
    }

    fn way_to_variable(&self, doc: &Document, base: SymbolId) -> Way {
        match stands_for(doc, &doc.symbols[base]) {
            Some(selector) => {
                let selector = &doc.refs[selector];
                let mut way = self.way(doc, selector.base, &selector.parts);
                way.node = self.nodes[base].or(way.node);
                // A name for a section keeps its shape.
                if !way.is_whole {
                    way.before.extend(way.last.take());
                }
                way.is_whole = true;
                way
            }
            None => Way {
                node: self.nodes[base],
                before: Vec::new(),
                last: self.properties[base],
                is_whole: true,
                is_steady: true,
            },
        }
    }
}

/// Whether the last part is the bounds of `p(2:) => x` or `allocate (p(n))`.
fn is_bounded(parts: &[Part]) -> bool {
    matches!(parts.last(), Some(Part::Elements(_)))
}
