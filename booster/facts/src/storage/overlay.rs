//! Storage association: which variables COMMON and EQUIVALENCE put at the same bytes.
//!
//! Offsets are worked out twice, with components and members packed as the standard has it and
//! aligned as compilers do; what overlaps either way is unified. Members of a block that lie at the
//! same bytes with the same extent in all program units stay apart from their neighbours, but where a
//! call overruns one of them (`overrun`).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use booster_build::constant_integer;
use xaif_schema::model::{
    Attr, Base, CharLen, Decl, Document, Part, RefId, Role, ScopeId, SpecItem, Subscript, SymbolId,
    TypeSpec,
};

use super::overrun::Overruns;
use super::tree::{Forest, NodeId};

/// Beyond the end of anything: the extent of what is not known.
pub(super) const FAR: i64 = 1 << 60;
/// Constant expressions that nest deeper are taken as not known.
const DEEPEST: u32 = 100;

/// A variable at a place of a block.
struct Member {
    offset: i64,
    size: i64,
    symbol: SymbolId,
}

/// Unifies all that COMMON and EQUIVALENCE overlay, or calls that overrun variables there.
pub(super) fn unify_overlays(
    doc: &Document,
    overruns: &Overruns,
    forest: &mut Forest,
    node_of: impl Fn(SymbolId) -> Option<NodeId>,
) {
    for padded in [false, true] {
        let mut blocks: BTreeMap<&str, Vec<Member>> = BTreeMap::new();
        for scope in doc.scopes.keys() {
            for (block, mut members) in groups_of(doc, scope, padded) {
                members.extend(overrunning(&members, overruns));
                match block {
                    Some(block) => {
                        let block = doc.symbols[block].id.as_str();
                        blocks.entry(block).or_default().extend(members);
                    }
                    None => unify_members(doc, forest, &node_of, members),
                }
            }
        }
        for members in blocks.into_values() {
            unify_members(doc, forest, &node_of, members);
        }
    }
}

/// What calls take of a block for some of its members, as members of their names.
fn overrunning(members: &[Member], overruns: &Overruns) -> Vec<Member> {
    let found = members.iter().filter_map(|member| Some((member, overruns.get(&member.symbol)?)));
    let further = found.flat_map(|(&Member { offset, symbol, .. }, all)| {
        all.iter().map(move |bytes| Member {
            offset: offset.saturating_add(bytes.start),
            size: bytes.end - bytes.start,
            symbol,
        })
    });
    further.collect()
}

/// The members that COMMON statements give each block in each scope that declares it, in order. A block may be
/// continued by a second statement.
pub fn declarations_of_common(
    doc: &Document,
) -> BTreeMap<SymbolId, BTreeMap<ScopeId, Vec<SymbolId>>> {
    let mut blocks = BTreeMap::<_, BTreeMap<_, Vec<_>>>::new();
    for (scope, data) in &doc.scopes {
        for item in &data.items {
            if let SpecItem::Common { block, members } = item {
                blocks.entry(*block).or_default().entry(scope).or_default().extend(members);
            }
        }
    }
    blocks
}

/// The COMMON block of each variable that is in one, by itself or by EQUIVALENCE, and the bytes that it
/// takes there where members are aligned as compilers do.
pub fn bytes_in_common(doc: &Document) -> BTreeMap<SymbolId, (SymbolId, Range<i64>)> {
    let mut found = BTreeMap::new();
    for scope in doc.scopes.keys() {
        for (block, members) in groups_of(doc, scope, true) {
            let Some(block) = block else { continue };
            for Member { offset, size, symbol } in members {
                found.insert(symbol, (block, offset..offset.saturating_add(size)));
            }
        }
    }
    found
}

/// The variables of a scope in COMMON blocks that an EQUIVALENCE of the scope makes longer than their members.
pub fn in_longer_blocks(doc: &Document, scope: ScopeId) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for (block, members) in groups_of(doc, scope, true) {
        let is_member = |member: &&Member| {
            let decl = doc.symbols[member.symbol].decl.as_ref();
            block.is_some() && decl.is_some_and(|decl| decl.common.is_some())
        };
        let end = |member: &Member| member.offset.saturating_add(member.size);
        let own = members.iter().filter(is_member).map(end).max();
        if own.is_some_and(|own| members.iter().any(|member| end(member) > own)) {
            found.extend(members.iter().map(|member| member.symbol));
        }
    }
    found
}

/// Where a reference with constant subscripts begins in its variable, in bytes, as compilers have it.
pub fn byte_in_variable(doc: &Document, reference: RefId) -> Option<i64> {
    offset_in_variable(doc, reference, true)
}

/// Unifies the members of one block (or one set of equivalent variables) that overlap.
fn unify_members(
    doc: &Document,
    forest: &mut Forest,
    node_of: &impl Fn(SymbolId) -> Option<NodeId>,
    mut members: Vec<Member>,
) {
    members.sort_by_key(|member| (member.offset, member.size, member.symbol));
    let mut before: Option<(Member, NodeId)> = None;
    let mut end = i64::MIN;
    for member in members {
        let Some(node) = node_of(member.symbol) else { continue };
        if let Some((other, other_node)) = &before
            && member.offset < end
        {
            let same = other.offset == member.offset
                && other.size == member.size
                && end <= member.offset.saturating_add(member.size);
            if !same || !same_components(doc, other.symbol, member.symbol) {
                forest.collapse(node);
                forest.collapse(*other_node);
            }
            forest.unify(node, *other_node, !same);
        }
        end = end.max(member.offset.saturating_add(member.size));
        before = Some((member, node));
    }
}

/// Whether the components of two variables correspond by their symbols.
fn same_components(doc: &Document, a: SymbolId, b: SymbolId) -> bool {
    let derived = |symbol: SymbolId| match doc.symbols[symbol].decl.as_ref()?.spec.base() {
        Base::Derived(ty) | Base::Class(ty) => Some(ty),
        _ => None,
    };
    derived(a) == derived(b)
}

/// The COMMON blocks and sets of equivalent variables of a scope, with the places of their members.
fn groups_of(doc: &Document, scope: ScopeId, padded: bool) -> Vec<(Option<SymbolId>, Vec<Member>)> {
    let mut offsets = block_offsets(doc, scope, padded);
    let mut links: BTreeMap<SymbolId, Vec<(SymbolId, Option<i64>)>> = BTreeMap::new();
    for item in &doc.scopes[scope].items {
        let SpecItem::Equivalence(sets) = item else { continue };
        for set in sets {
            let [first, rest @ ..] = set.as_slice() else { continue };
            for other in rest {
                let (a, b) = (doc.refs[*first].base, doc.refs[*other].base);
                let distance = offset_in_variable(doc, *first, padded)
                    .zip(offset_in_variable(doc, *other, padded))
                    .map(|(in_a, in_b)| in_a - in_b);
                links.entry(a).or_default().push((b, distance));
                links.entry(b).or_default().push((a, distance.map(|d| -d)));
            }
        }
    }
    follow(&links, &mut offsets);
    let mut groups: BTreeMap<Group, Vec<Member>> = BTreeMap::new();
    for (symbol, Seat { group, offset }) in offsets {
        let (_, size) = storage_of(doc, symbol, padded);
        let member = match offset {
            Some(offset) => Member { offset, size, symbol },
            None => Member { offset: -FAR, size: 2 * FAR, symbol },
        };
        groups.entry(group).or_default().push(member);
    }
    let block = |group| match group {
        Group::Block(block) => Some(block),
        Group::Local(_) => None,
    };
    groups.into_iter().map(|(group, members)| (block(group), members)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Block(SymbolId),
    Local(SymbolId),
}

/// Where a variable stands; `None` is anywhere in its group.
#[derive(Clone, Copy)]
struct Seat {
    group: Group,
    offset: Option<i64>,
}

fn block_offsets(doc: &Document, scope: ScopeId, padded: bool) -> BTreeMap<SymbolId, Seat> {
    let mut blocks: BTreeMap<SymbolId, Vec<(u32, SymbolId)>> = BTreeMap::new();
    for &symbol in &doc.scopes[scope].symbols {
        let common = doc.symbols[symbol].decl.as_ref().and_then(|decl| decl.common);
        if let Some((block, position)) = common {
            blocks.entry(block).or_default().push((position, symbol));
        }
    }
    let mut seats = BTreeMap::new();
    for (block, mut members) in blocks {
        members.sort_unstable();
        let mut end: i64 = 0;
        for (_, symbol) in members {
            let (align, size) = storage_of(doc, symbol, padded);
            // Behind a member of unknown extent nobody knows where anything is.
            let offset = (end < FAR).then(|| align_up(end, align));
            seats.insert(symbol, Seat { group: Group::Block(block), offset });
            end = offset.unwrap_or(end).saturating_add(size);
        }
    }
    seats
}

/// Seats what is equivalent to something seated; then the rest, each set around its first member.
fn follow(
    links: &BTreeMap<SymbolId, Vec<(SymbolId, Option<i64>)>>,
    seats: &mut BTreeMap<SymbolId, Seat>,
) {
    let mut work: Vec<SymbolId> =
        links.keys().copied().filter(|symbol| seats.contains_key(symbol)).collect();
    work.reverse();
    let mut unseated = links.keys();
    loop {
        let Some(symbol) = work.pop() else {
            let Some(&next) = unseated.find(|symbol| !seats.contains_key(*symbol)) else { break };
            seats.insert(next, Seat { group: Group::Local(next), offset: Some(0) });
            work.push(next);
            continue;
        };
        let Some(&seat) = seats.get(&symbol) else { continue };
        for &(other, distance) in links.get(&symbol).into_iter().flatten() {
            let offset = seat.offset.zip(distance).map(|(at, distance)| at + distance);
            match seats.get(&other) {
                Some(known) if known.offset == offset || known.offset.is_none() => {}
                // A contradiction, or something unknown on a second way.
                Some(_) => {
                    seats.insert(other, Seat { group: seat.group, offset: None });
                    work.push(other);
                }
                None => {
                    seats.insert(other, Seat { group: seat.group, offset });
                    work.push(other);
                }
            }
        }
    }
}

/// Where a reference with constant subscripts begins, in bytes from its variable's beginning.
fn offset_in_variable(doc: &Document, reference: RefId, padded: bool) -> Option<i64> {
    let reference = &doc.refs[reference];
    let symbol = &doc.symbols[reference.base];
    let decl = symbol.decl.as_ref()?;
    let (_, element) = element_of(doc, decl, padded, 0);
    let mut offset = 0;
    for part in &reference.parts {
        match part {
            Part::Elements(subscripts) => {
                // XAIF lists the bounds of the last dimension first.
                let mut stride = element;
                let mut bounds = symbol.bounds.iter().rev();
                for subscript in subscripts {
                    let Subscript::Index(index) = subscript else { return None };
                    let &(lower, upper) = bounds.next()?;
                    let distance = constant_integer(doc, *index)?.checked_sub(lower)?;
                    offset = distance.checked_mul(stride)?.checked_add(offset)?;
                    let extent = upper.checked_sub(lower)?.checked_add(1)?;
                    stride = stride.checked_mul(extent.max(0))?;
                }
            }
            Part::Substring { lower, .. } => {
                let lower = lower.map_or(Some(1), |lower| constant_integer(doc, lower))?;
                offset = offset.checked_add(lower.checked_sub(1)?)?;
            }
            Part::Component { .. } | Part::Inquiry(_) | Part::Deref => return None,
        }
    }
    (offset.abs() < FAR).then_some(offset)
}

/// Alignment and size of a variable in bytes; `FAR` where the size is not constant.
pub(super) fn storage_of(doc: &Document, symbol: SymbolId, padded: bool) -> (i64, i64) {
    let symbol = &doc.symbols[symbol];
    let Some(decl) = &symbol.decl else { return (1, FAR) };
    if decl.has(Attr::Pointer) || decl.has(Attr::Allocatable) {
        return (1, FAR);
    }
    let (align, element) = element_of(doc, decl, padded, 0);
    (align, array_size(decl, &symbol.bounds, element))
}

fn array_size(decl: &Decl, bounds: &[(i64, i64)], element: i64) -> i64 {
    if bounds.len() != decl.dims.len() {
        return FAR;
    }
    let extent = |&(lower, upper): &(i64, i64)| upper.saturating_sub(lower).saturating_add(1);
    let size = bounds.iter().fold(element, |size, b| size.saturating_mul(extent(b).max(0)));
    size.min(FAR)
}

/// Alignment and size of one element.
pub(super) fn element_of(doc: &Document, decl: &Decl, padded: bool, depth: u32) -> (i64, i64) {
    let align = |bytes: u8| if padded { i64::from(bytes).max(1) } else { 1 };
    match decl.spec.base() {
        Base::Integer(n) | Base::Unsigned(n) | Base::Real(n) | Base::Logical(n) => {
            (align(n), i64::from(n))
        }
        Base::Complex(n) => (align(n), 2 * i64::from(n)),
        Base::Character(n) => (align(n), character_size(doc, decl, n)),
        Base::Derived(ty) if depth < DEEPEST => derived_size(doc, ty, padded, depth),
        Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Unknown
        | Base::Void
        | Base::Procedure
        | Base::Pointer(_) => (1, FAR),
    }
}

fn character_size(doc: &Document, decl: &Decl, bytes: u8) -> i64 {
    let own = match &decl.spec {
        TypeSpec::Character { len, .. } => *len,
        _ => CharLen::One,
    };
    let length = match decl.char_len.unwrap_or(own) {
        CharLen::One => Some(1),
        CharLen::Expr(expr) => constant_integer(doc, expr).map(|length| length.max(0)),
        CharLen::Assumed | CharLen::Deferred => None,
    };
    length.map_or(FAR, |length| length.saturating_mul(i64::from(bytes)).min(FAR))
}

fn derived_size(doc: &Document, ty: SymbolId, padded: bool, depth: u32) -> (i64, i64) {
    let Some(Role::DerivedType { scope, extends: None, .. }) = doc.role(ty) else {
        return (1, FAR);
    };
    let (mut widest, mut end) = (1, 0_i64);
    for &component in &doc.scopes[*scope].symbols {
        let symbol = &doc.symbols[component];
        let Some(decl) = &symbol.decl else { continue };
        if !matches!(decl.role, Role::Variable) {
            continue;
        }
        let (align, element) = element_of(doc, decl, padded, depth + 1);
        widest = widest.max(align);
        let size = array_size(decl, &symbol.bounds, element);
        end = align_up(end, align).saturating_add(size).min(FAR);
    }
    (widest, align_up(end, widest).min(FAR))
}

fn align_up(offset: i64, align: i64) -> i64 {
    offset.saturating_add(align - 1) / align * align
}
