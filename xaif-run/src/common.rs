//! COMMON and EQUIVALENCE: which variables of a scope share storage, and where in it they lie.
//!
//! A block is as long as its longest description. Members are aligned as gfortran aligns them
//! (`-falign-commons`), so that blocks of the same types in the same order agree between scopes;
//! where shapes differ, or types are mixed, the bytes decide.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use xaif_schema::diag::Code;
use xaif_schema::model::{Attr, RefId, ScopeId, SpecItem, SymbolId};

use crate::fault::{Run, fault};
use crate::layout::align_up;
use crate::machine::{Binding, Machine};
use crate::storage::{Addr, BlockId};
use crate::value::size_of_shape;
use crate::view::View;

/// Where the variables of a scope lie that share storage.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    members: HashMap<SymbolId, Member>,
    groups: Vec<Group>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    group: usize,
    offset: i64,
}

/// Variables that share storage.
#[derive(Debug)]
struct Group {
    /// The COMMON block that it is.
    common: Option<String>,
    size: i64,
    symbols: Vec<SymbolId>,
}

/// Positions of variables relative to each other: each knows a leader and its distance from it.
#[derive(Default)]
struct Offsets {
    nodes: BTreeMap<Node, (Node, i64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Block(SymbolId),
    Variable(SymbolId),
}

impl Offsets {
    fn find(&mut self, node: Node) -> (Node, i64) {
        let (mut at, mut distance) = (node, 0i64);
        loop {
            let &mut (leader, step) = self.nodes.entry(at).or_insert((at, 0));
            if leader == at {
                self.nodes.insert(node, (at, distance));
                return (at, distance);
            }
            distance = distance.wrapping_add(step);
            at = leader;
        }
    }

    /// States that `b` begins `distance` bytes after `a`; false if they are known to do otherwise.
    fn unite(&mut self, a: Node, b: Node, distance: i64) -> bool {
        let (leader_a, of_a) = self.find(a);
        let (leader_b, of_b) = self.find(b);
        if leader_a == leader_b {
            return of_b == of_a.wrapping_add(distance);
        }
        self.nodes.insert(leader_b, (leader_a, of_a.wrapping_add(distance).wrapping_sub(of_b)));
        true
    }
}

impl Machine<'_> {
    /// The place of a variable that shares storage; `None` for one that does not.
    pub(crate) fn associated(&mut self, symbol: SymbolId) -> Run<Option<View>> {
        let scope = self.doc.symbols[symbol].scope;
        let plan = self.plan(scope)?;
        let Some(&member) = plan.members.get(&symbol) else { return Ok(None) };
        let group = &plan.groups[member.group];
        let block = self.group_block(group, symbol)?;
        let addr = Addr { block, offset: member.offset };
        let elem = self.elem_of_symbol(symbol)?;
        let bounds = self.bounds_of_symbol(symbol)?;
        Ok(Some(View::contiguous(elem, self.size_of(elem), addr, &bounds)))
    }

    /// How many bytes the scope of a variable declares of the COMMON block that it is in.
    pub(crate) fn size_of_block(&mut self, symbol: SymbolId) -> Run<i64> {
        let plan = self.plan(self.doc.symbols[symbol].scope)?;
        Ok(plan.members.get(&symbol).map_or(0, |member| plan.groups[member.group].size))
    }

    /// The variables of its scope that share storage with a variable by EQUIVALENCE or COMMON.
    pub(crate) fn sharing_storage(&mut self, symbol: SymbolId) -> Run<Vec<SymbolId>> {
        let plan = self.plan(self.doc.symbols[symbol].scope)?;
        let group = plan.members.get(&symbol).map(|member| &plan.groups[member.group]);
        let others = group.map_or(&[][..], |group| &group.symbols).iter();
        Ok(others.copied().filter(|&other| other != symbol).collect())
    }

    fn group_block(&mut self, group: &Group, symbol: SymbolId) -> Run<BlockId> {
        if let Some(name) = &group.common {
            let block = match self.commons.get(name) {
                Some(&block) => block,
                None => {
                    let block = self.memory.allocate(group.size)?;
                    self.commons.insert(name.clone(), block);
                    block
                }
            };
            self.memory.grow(block, group.size)?;
            return Ok(block);
        }
        // A sibling that has storage already shows where the group is.
        for &sibling in &group.symbols {
            let known = match self.statics.get(&sibling) {
                Some(binding) => Some(binding),
                None => self.bound(sibling),
            };
            if let Some(Binding::Data(view)) = known {
                return Ok(view.addr.block);
            }
        }
        if self.program.statics.contains(&symbol) || self.any_static(group) {
            self.memory.allocate(group.size)
        } else {
            Ok(self.local_block(group.size, symbol)?.block)
        }
    }

    fn any_static(&self, group: &Group) -> bool {
        group.symbols.iter().any(|symbol| self.program.statics.contains(symbol))
    }

    fn plan(&mut self, scope: ScopeId) -> Run<Rc<Plan>> {
        if let Some(plan) = self.plans.get(&scope) {
            return Ok(plan.clone());
        }
        // Extents and subscripts are constants, but they may be named ones of this scope.
        self.plans.insert(scope, Rc::default());
        let plan = Rc::new(self.make_plan(scope)?);
        self.plans.insert(scope, plan.clone());
        Ok(plan)
    }

    fn make_plan(&mut self, scope: ScopeId) -> Run<Plan> {
        let doc = self.doc;
        let mut offsets = Offsets::default();
        let mut blocks: BTreeMap<SymbolId, Vec<(u32, SymbolId)>> = BTreeMap::new();
        for &symbol in &doc.scopes[scope].symbols {
            if let Some((block, position)) =
                doc.symbols[symbol].decl.as_ref().and_then(|decl| decl.common)
            {
                blocks.entry(block).or_default().push((position, symbol));
            }
        }
        for (block, mut members) in blocks {
            members.sort_unstable_by_key(|&(position, _)| position);
            let mut end = 0;
            for (_, symbol) in members {
                let (size, align) = self.storage_of(symbol)?;
                let offset = align_up(end, align);
                end = offset.saturating_add(size);
                offsets.unite(Node::Block(block), Node::Variable(symbol), offset);
            }
        }
        for item in &doc.scopes[scope].items {
            if let SpecItem::Equivalence(sets) = item {
                for set in sets {
                    self.equivalence(set, &mut offsets)?;
                }
            }
        }
        self.collect(offsets)
    }

    fn equivalence(&mut self, set: &[RefId], offsets: &mut Offsets) -> Run<()> {
        let mut first = None;
        for &r in set {
            let symbol = self.doc.refs[r].base;
            let offset = self.offset_in_variable(r)?;
            match first {
                None => first = Some((symbol, offset)),
                Some((leader, distance)) => {
                    let between = distance - offset;
                    if !offsets.unite(Node::Variable(leader), Node::Variable(symbol), between) {
                        let name = self.doc.name(symbol);
                        return fault(
                            Code::RUN_MALFORMED,
                            format!("EQUIVALENCE puts `{name}` at two places"),
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// How far from the beginning of its variable a reference with constant subscripts lies.
    fn offset_in_variable(&mut self, r: RefId) -> Run<i64> {
        let doc = self.doc;
        let reference = &doc.refs[r];
        let elem = self.elem_of_symbol(reference.base)?;
        let bounds = self.bounds_of_symbol(reference.base)?;
        let nowhere = Addr { block: BlockId::NONE, offset: 0 };
        let view = View::contiguous(elem, self.size_of(elem), nowhere, &bounds);
        Ok(self.select(view, &reference.parts)?.view()?.addr.offset)
    }

    /// Size and alignment of a variable with constant extents.
    fn storage_of(&mut self, symbol: SymbolId) -> Run<(i64, i64)> {
        let decl = self.doc.symbols[symbol].decl.as_ref();
        if decl.is_some_and(|d| d.has(Attr::Pointer) || d.has(Attr::Allocatable)) {
            return crate::fault::refuse("a pointer in COMMON");
        }
        let elem = self.elem_of_symbol(symbol)?;
        let bounds = self.bounds_of_symbol(symbol)?;
        let shape: Vec<i64> = bounds.iter().map(|&(_, count)| count).collect();
        Ok((size_of_shape(&shape)? as i64 * self.size_of(elem), self.align_of(elem)))
    }

    fn collect(&mut self, mut offsets: Offsets) -> Run<Plan> {
        let nodes: Vec<Node> = offsets.nodes.keys().copied().collect();
        let mut families: BTreeMap<Node, Vec<(Node, i64)>> = BTreeMap::new();
        for node in nodes {
            let (leader, offset) = offsets.find(node);
            families.entry(leader).or_default().push((node, offset));
        }
        let mut plan = Plan::default();
        for family in families.into_values() {
            let block = family.iter().find_map(|&(node, offset)| match node {
                Node::Block(block) => Some((block, offset)),
                Node::Variable(_) => None,
            });
            let start = match block {
                Some((_, offset)) => offset,
                None => family.iter().map(|&(_, offset)| offset).min().unwrap_or(0),
            };
            let mut group = Group {
                common: block.map(|(block, _)| self.doc.symbols[block].id.clone()),
                size: 0,
                symbols: Vec::new(),
            };
            for (node, offset) in family {
                let Node::Variable(symbol) = node else { continue };
                let offset = offset - start;
                if offset < 0 {
                    let name = self.doc.name(symbol);
                    return fault(
                        Code::RUN_MALFORMED,
                        format!(
                            "EQUIVALENCE puts `{name}` before the beginning of its COMMON block"
                        ),
                    );
                }
                let (size, _) = self.storage_of(symbol)?;
                group.size = group.size.max(offset.saturating_add(size));
                group.symbols.push(symbol);
                plan.members.insert(symbol, Member { group: plan.groups.len(), offset });
            }
            plan.groups.push(group);
        }
        Ok(plan)
    }
}
