//! Nodes of storage, and the unification of two of them.
//!
//! A variable is a node; a node of derived type has a child for each component, those of a pointer
//! component stand for its target. Unifying two nodes makes their trees one, child by child
//! (B. Steensgaard, Points-to analysis in almost linear time, POPL 1996, with fields); where only
//! one of them has components, the other's are given up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::why::Log;
use xaif_schema::model::{Attr, Base, Document, Role, SymbolId};

use super::property::has_property;

/// Variables with more components than this have their last ones together in one location.
const MOST_LEAVES: usize = 4096;
/// Types inside types, deeper than this, are one location.
const DEEPEST: usize = 100;

/// A node; several ids may come to mean the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) u32);

/// A component of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) node: NodeId,
    /// Whether the component is a pointer: its node stands for the target.
    pub(super) pointer: bool,
    /// The property of the component, if it has one (`property`).
    pub(super) property: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// One location of storage.
    Leaf,
    /// Components.
    Struct(BTreeMap<SymbolId, Child>),
}

#[derive(Clone, Debug)]
struct Node {
    parent: NodeId,
    /// Meaningful for the representative only, as all that follows.
    shape: Shape,
    /// Real or complex numbers are in it.
    continuous: bool,
    /// It may be several objects, or parts of different extents: writing one name of it is not
    /// overwriting it.
    shared: bool,
    /// A leaf in which there may be pointers that have no node of their own.
    may_hold_pointers: bool,
}

/// All nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    unified: usize,
    /// Why nodes are one, where somebody asks.
    pub(super) log: Option<Log>,
}

/// What is known of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) continuous: bool,
    pub(super) shared: bool,
}

impl Forest {
    /// No nodes; `log`: the reasons are kept.
    pub(super) fn logged(log: Option<Log>) -> Self {
        Forest { log, ..Forest::default() }
    }

    /// Number of ids.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many pairs have become one node.
    pub(super) fn unified(&self) -> usize {
        self.unified
    }

    /// The ids that stand for themselves.
    pub(super) fn representatives(&self) -> impl Iterator<Item = NodeId> {
        let ids = self.nodes.iter().enumerate();
        ids.map(|(index, node)| (NodeId(index as u32), node.parent))
            .filter(|(id, parent)| id == parent)
            .map(|(id, _)| id)
    }

    pub(super) fn leaf(&mut self, continuous: bool, may_hold_pointers: bool) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let shape = Shape::Leaf;
        self.nodes.push(Node { parent: id, shape, continuous, shared: false, may_hold_pointers });
        id
    }

    /// A node for something of type `base`, with all that is below it.
    pub(super) fn of_type(&mut self, doc: &Document, types: &Types, base: Base) -> NodeId {
        let mut path = Vec::new();
        let mut room = MOST_LEAVES;
        self.grow(doc, types, base, &mut path, &mut room)
    }

    fn grow(
        &mut self,
        doc: &Document,
        known: &Types,
        base: Base,
        path: &mut Vec<SymbolId>,
        room: &mut usize,
    ) -> NodeId {
        let continuous = base.is_continuous();
        let types = match base {
            Base::Derived(symbol) => doc.lineage(symbol),
            Base::Class(symbol) => {
                let mut types = doc.lineage(symbol);
                types.extend(known.descendants(symbol));
                types
            }
            Base::Unknown | Base::ClassStar | Base::TypeStar | Base::Pointer(_) => {
                return self.leaf(true, true);
            }
            Base::Void
            | Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Real(_)
            | Base::Complex(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::Procedure => return self.leaf(continuous, false),
        };
        // A type inside itself, and whatever exceeds the limit, is one rest.
        if types.iter().any(|ty| path.contains(ty)) || *room == 0 || path.len() > DEEPEST {
            let rest = self.leaf(true, true);
            self.nodes[rest.0 as usize].shared = true;
            return rest;
        }
        let depth = path.len();
        path.extend(&types);
        let mut children = BTreeMap::new();
        for component in types.iter().flat_map(|&ty| doc.own_components(ty)) {
            let Some(decl) = &doc.symbols[component].decl else { continue };
            *room = room.saturating_sub(1);
            let pointer = decl.has(Attr::Pointer);
            let node = self.grow(doc, known, decl.spec.base(), path, room);
            let property = has_property(decl, false).then(|| self.leaf(false, false));
            children.insert(component, Child { node, pointer, property });
        }
        path.truncate(depth);
        let id = self.leaf(false, false);
        if !children.is_empty() {
            self.nodes[id.0 as usize].shape = Shape::Struct(children);
        }
        id
    }

    /// The id that stands for all that have come to mean the same node.
    pub(super) fn find(&self, mut id: NodeId) -> NodeId {
        while self.nodes[id.0 as usize].parent != id {
            id = self.nodes[id.0 as usize].parent;
        }
        id
    }

    fn find_and_shorten(&mut self, id: NodeId) -> NodeId {
        let top = self.find(id);
        let mut at = id;
        while at != top {
            at = std::mem::replace(&mut self.nodes[at.0 as usize].parent, top);
        }
        top
    }

    pub(super) fn shape(&self, id: NodeId) -> &Shape {
        &self.nodes[self.find(id).0 as usize].shape
    }

    pub(super) fn leaf_facts(&self, id: NodeId) -> Leaf {
        let node = &self.nodes[self.find(id).0 as usize];
        Leaf { continuous: node.continuous, shared: node.shared }
    }

    /// The component `component` of a node: a node without components stands for all below it.
    pub(super) fn child(&self, id: NodeId, component: SymbolId) -> NodeId {
        match self.shape(id) {
            Shape::Leaf => id,
            Shape::Struct(children) => children.get(&component).map_or(id, |child| child.node),
        }
    }

    /// All leaves below a node; those behind pointers only if they are asked for.
    pub(super) fn leaves(&self, id: NodeId, behind_pointers: bool) -> Vec<NodeId> {
        let mut leaves = Vec::new();
        let mut seen = Vec::new();
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let id = self.find(id);
            match self.shape(id) {
                Shape::Leaf => leaves.push(id),
                Shape::Struct(children) => {
                    // Unification may make a structure its own component.
                    if seen.contains(&id) {
                        continue;
                    }
                    seen.push(id);
                    let wanted = children.values().rev();
                    let wanted = wanted.filter(|child| behind_pointers || !child.pointer);
                    work.extend(wanted.map(|child| child.node));
                }
            }
        }
        leaves
    }

    /// All leaves below a node with the components that lead to them; the targets of pointers
    /// included, and behind the others. A leaf that several components lead to is there for each.
    pub(super) fn paths(&self, id: NodeId) -> Vec<(NodeId, Vec<SymbolId>)> {
        let mut found: Vec<(NodeId, Vec<SymbolId>)> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![(id, Vec::new())];
        // What is there without a pointer is named without one.
        let mut behind_pointers = VecDeque::new();
        while let Some((id, path)) = work.pop().or_else(|| behind_pointers.pop_front()) {
            let id = self.find(id);
            match self.shape(id) {
                // Several components may mean one leaf.
                Shape::Leaf => found.push((id, path)),
                Shape::Struct(children) if seen.insert(id) => {
                    for (&component, child) in children.iter().rev() {
                        let mut longer = path.clone();
                        longer.push(component);
                        match child.pointer {
                            true => behind_pointers.push_front((child.node, longer)),
                            false => work.push((child.node, longer)),
                        }
                    }
                }
                Shape::Struct(_) => {}
            }
        }
        found
    }

    /// Makes every later look-up one step.
    pub(super) fn flatten(&mut self) {
        for index in 0..self.nodes.len() {
            self.find_and_shorten(NodeId(index as u32));
        }
    }

    /// Makes two nodes one. `shared` as for [`Leaf`]: they are not always the same storage of the
    /// same extent.
    pub(super) fn unify(&mut self, a: NodeId, b: NodeId, shared: bool) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if let Some(log) = &mut self.log {
                log.edge(a, b);
            }
            let (a, b) = (self.find_and_shorten(a), self.find_and_shorten(b));
            if a == b {
                self.nodes[a.0 as usize].shared |= shared;
                continue;
            }
            self.unified += 1;
            // The older id stays, so that the result does not depend on sizes.
            let (top, other) = (a.min(b), a.max(b));
            let leaf = Node {
                parent: top,
                shape: Shape::Leaf,
                continuous: false,
                shared: false,
                may_hold_pointers: false,
            };
            let gone = std::mem::replace(&mut self.nodes[other.0 as usize], leaf);
            let node = &mut self.nodes[top.0 as usize];
            node.continuous |= gone.continuous;
            node.shared |= gone.shared | shared;
            node.may_hold_pointers |= gone.may_hold_pointers;
            match (std::mem::replace(&mut node.shape, Shape::Leaf), gone.shape) {
                (Shape::Leaf, Shape::Leaf) => {}
                (Shape::Struct(children), Shape::Leaf) | (Shape::Leaf, Shape::Struct(children)) => {
                    node.may_hold_pointers = true;
                    node.shared = true;
                    work.extend(children.values().map(|child| (top, child.node)));
                    work.extend(children.values().filter_map(|child| Some((top, child.property?))));
                }
                (Shape::Struct(mut kept), Shape::Struct(children)) => {
                    for (component, child) in children {
                        let old = kept.entry(component).or_insert(child);
                        work.push((old.node, child.node));
                        work.extend(old.property.zip(child.property));
                    }
                    node.shape = Shape::Struct(kept);
                }
            }
        }
    }

    /// Gives up the components of a node: all below it is one location.
    pub(super) fn collapse(&mut self, id: NodeId) {
        if matches!(self.shape(id), Shape::Struct(_)) {
            let leaf = self.leaf(false, true);
            self.unify(id, leaf, true);
        }
    }

    /// What a copy of one to the other makes the same: the targets of their pointer components.
    pub(super) fn unify_targets(&mut self, a: NodeId, b: NodeId) {
        let mut seen = Vec::new();
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b || seen.contains(&(a, b)) {
                continue;
            }
            seen.push((a, b));
            match (self.shape(a), self.shape(b)) {
                (Shape::Struct(left), Shape::Struct(right)) => {
                    let mut same = Vec::new();
                    for (component, child) in left {
                        let Some(other) = right.get(component) else { continue };
                        if child.pointer {
                            same.push((child.node, other.node));
                        } else {
                            work.push((child.node, other.node));
                        }
                    }
                    for (a, b) in same {
                        self.unify(a, b, true);
                    }
                }
                (Shape::Leaf, Shape::Leaf) => {
                    if self.has_pointers(a) && self.has_pointers(b) {
                        self.unify(a, b, true);
                    }
                }
                (Shape::Leaf, Shape::Struct(_)) | (Shape::Struct(_), Shape::Leaf) => {
                    if self.has_pointers(a) && self.has_pointers(b) {
                        self.unify(a, b, true);
                    }
                }
            }
        }
    }

    /// Lets all that pointers in a node point to be one with `targets`. The node itself stays what it is, but for a part
    /// of which it is not known where its pointers are.
    pub(super) fn unify_pointees(&mut self, targets: NodeId, node: NodeId) {
        let mut seen = Vec::new();
        let mut work = vec![node];
        while let Some(id) = work.pop() {
            let id = self.find(id);
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            match self.shape(id) {
                Shape::Leaf => {
                    if self.has_pointers(id) {
                        self.unify(targets, id, true);
                    }
                }
                Shape::Struct(children) => {
                    let children: Vec<Child> = children.values().copied().collect();
                    for child in children {
                        match child.pointer {
                            true => self.unify(targets, child.node, true),
                            false => work.push(child.node),
                        }
                    }
                }
            }
        }
    }

    /// Whether there may be pointers in it.
    pub(super) fn has_pointers(&self, id: NodeId) -> bool {
        let mut seen = Vec::new();
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let id = self.find(id);
            let node = &self.nodes[id.0 as usize];
            match &node.shape {
                Shape::Leaf if node.may_hold_pointers => return true,
                Shape::Leaf => {}
                Shape::Struct(_) if seen.contains(&id) => {}
                Shape::Struct(children) => {
                    seen.push(id);
                    if children.values().any(|child| child.pointer) {
                        return true;
                    }
                    work.extend(children.values().map(|child| child.node));
                }
            }
        }
        false
    }
}

/// Which types extend which.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    extended_by: BTreeMap<SymbolId, Vec<SymbolId>>,
}

impl Types {
    pub(super) fn new(doc: &Document) -> Self {
        let mut types = Types::default();
        for symbol in doc.symbols.keys() {
            if let Some(Role::DerivedType { extends: Some(parent), .. }) = doc.role(symbol) {
                types.extended_by.entry(*parent).or_default().push(symbol);
            }
        }
        types
    }

    /// All types that extend `ty`, directly or not.
    pub(super) fn descendants(&self, ty: SymbolId) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            for &child in self.extended_by.get(&ty).into_iter().flatten() {
                if !found.contains(&child) {
                    found.push(child);
                    work.push(child);
                }
            }
        }
        found
    }
}
