//! Storage that variables share: which of them need a derivative for the sake of others.
//!
//! The derivative of a COMMON block is a block of the derivatives of its members. Where all
//! declarations of a block agree, member by member, and no call overruns one, those that are active
//! somewhere are enough; else all members are mirrored, so that the derivatives overlay each other as the
//! values do. The same holds for EQUIVALENCE: where one variable of a set is active, all are mirrored.

use std::collections::{BTreeMap, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Base, Document, ScopeId, SpecItem, SymbolId};

use super::plan::Plan;
use booster_facts::storage::{declarations_of_common, overrun_blocks};

/// What becomes of a COMMON block.
#[derive(Clone, Debug, Default)]
pub(super) struct CommonPlan {
    /// The positions of the members that have a derivative; `None`: all are mirrored.
    pub(super) positions: Option<HashSet<u32>>,
}

/// Adds to the plan what shares storage with what is in it.
pub(super) fn close(
    doc: &Document,
    plan: &mut Plan,
    directions: Option<u32>,
    problems: &mut Diagnostics,
) {
    let blocks = declarations_of_common(doc);
    let overrun = overrun_blocks(doc);
    let apart = blocks.iter().filter(|(block, scopes)| {
        // Who overruns a member needs the derivatives of those behind it where the values are.
        agree(doc, scopes) && !overrun.contains(block)
    });
    let agreeing: HashSet<SymbolId> = apart.map(|(&block, _)| block).collect();
    let sets = equivalence_sets(doc);
    loop {
        let before = plan.variables.len();
        for set in &sets {
            if set.iter().any(|symbol| plan.variables.contains(symbol)) {
                plan.variables.extend(set);
            }
        }
        for (&block, scopes) in &blocks {
            close_block(plan, block, scopes, agreeing.contains(&block));
        }
        if plan.variables.len() == before {
            break;
        }
    }
    if directions.is_some() {
        let mirrored = blocks.iter().filter(|(block, _)| {
            plan.commons.get(block).is_some_and(|common| common.positions.is_none())
        });
        for (_, scopes) in mirrored {
            check_mixture(doc, scopes.values().flatten().copied().collect(), problems);
        }
        for set in sets.iter().filter(|set| set.iter().any(|s| plan.variables.contains(s))) {
            check_mixture(doc, set.clone(), problems);
        }
    }
}

fn close_block(
    plan: &mut Plan,
    block: SymbolId,
    scopes: &BTreeMap<ScopeId, Vec<SymbolId>>,
    agree: bool,
) {
    let mut positions = HashSet::new();
    for members in scopes.values() {
        let active = members.iter().zip(0..).filter(|(member, _)| plan.variables.contains(member));
        positions.extend(active.map(|(_, position)| position));
    }
    if positions.is_empty() {
        return;
    }
    for members in scopes.values() {
        let mirrored = members.iter().zip(0..).filter(|(_, p)| !agree || positions.contains(p));
        plan.variables.extend(mirrored.map(|(&member, _)| member));
    }
    let positions = agree.then_some(positions);
    plan.commons.insert(block, CommonPlan { positions });
}

/// With several directions the derivatives of a number lie together, so storage may only be shared
/// by numbers of one type.
fn check_mixture(doc: &Document, members: Vec<SymbolId>, problems: &mut Diagnostics) {
    let base = |symbol: SymbolId| doc.symbols[symbol].decl.as_ref().map(|d| d.spec.base());
    let Some(first) = members.first().copied() else { return };
    let other = members.iter().copied().find(|&symbol| base(symbol) != base(first));
    let derived = matches!(base(first), Some(Base::Derived(_) | Base::Class(_)));
    if let Some(other) = other.or(derived.then_some(first)) {
        let place = doc.symbols[other].decl.as_ref().map(|decl| decl.place).unwrap_or_default();
        let message = format!(
            "`{}` shares storage with variables of another type, which derivatives in several directions cannot do",
            doc.name(other)
        );
        problems.push(
            Diagnostic::error(Code::SHARED_STORAGE, doc.spot(place), message).with_help(
                "compute one direction at a time, or give the variable storage of its own",
            ),
        );
    }
}

/// Whether all declarations of a block have the same members: type, kind, shape.
fn agree(doc: &Document, scopes: &BTreeMap<ScopeId, Vec<SymbolId>>) -> bool {
    let mut all = scopes.values();
    let Some(first) = all.next() else { return true };
    let same = |a: SymbolId, b: SymbolId| {
        let (a, b) = (&doc.symbols[a], &doc.symbols[b]);
        let folded = a.bounds.len() == usize::from(a.rank.unwrap_or(0));
        let (Some(x), Some(y)) = (a.decl.as_deref(), b.decl.as_deref()) else { return false };
        let character = matches!(x.spec.base(), Base::Character(_));
        a.rank == b.rank
            && a.bounds == b.bounds
            && folded
            && x.spec.base() == y.spec.base()
            && !character
    };
    scopes.len() == 1
        || all.all(|members| {
            members.len() == first.len() && members.iter().zip(first).all(|(&a, &b)| same(a, b))
        })
}

/// Variables that EQUIVALENCE statements join, those of one scope that are joined together.
fn equivalence_sets(doc: &Document) -> Vec<Vec<SymbolId>> {
    let mut sets: Vec<Vec<SymbolId>> = Vec::new();
    for data in doc.scopes.values() {
        let mut owner: HashMap<SymbolId, usize> = HashMap::new();
        for item in &data.items {
            let SpecItem::Equivalence(written) = item else { continue };
            for set in written {
                let symbols: Vec<SymbolId> = set.iter().map(|&r| doc.refs[r].base).collect();
                let index = sets.len();
                sets.push(Vec::new());
                for symbol in symbols {
                    join(&mut sets, &mut owner, index, symbol);
                }
            }
        }
    }
    sets.retain(|set| !set.is_empty());
    sets
}

fn join(
    sets: &mut [Vec<SymbolId>],
    owner: &mut HashMap<SymbolId, usize>,
    index: usize,
    symbol: SymbolId,
) {
    match owner.get(&symbol) {
        Some(&other) if other != index => {
            let moved = std::mem::take(&mut sets[other]);
            for &one in &moved {
                owner.insert(one, index);
            }
            sets[index].extend(moved);
        }
        Some(_) => {}
        None => {
            owner.insert(symbol, index);
            sets[index].push(symbol);
        }
    }
}
