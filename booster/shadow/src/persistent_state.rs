//! Variables that outlive the derivative procedures that the user calls.
//!
//! Facts about the head of a derivative, and names for what it does not name itself. A derivative
//! that is called again finds in variables of modules and COMMON blocks what the last call has left
//! there. `Tangent::forget` sets such derivatives to zero; `afterwards` of the adjoint gives such values
//! back.
//!
//! A procedure is taken as one for the user if no procedure with a derivative calls it, or if its
//! independents and dependents are told.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Dim, Document, Place, ProcId, Role, ScopeId, ScopeKind, SpecItem, SymbolId,
};

use super::derivative::{Counterparts, Sweep, bring_into_sight};
use booster_build::{FreshNames, integer};
use booster_facts::nameable::can_be_named;
use booster_facts::side_effects::{SideEffects, WrittenNames};
use booster_facts::storage::in_longer_blocks;
use booster_facts::{Bodies, Event, Lifetime, LocationId, Storage};

/// What is known of a procedure that the user calls.
#[derive(Clone, Debug, Default)]
pub struct Outliving {
    /// Locations that outlive it, which it reads and overwrites; if there are any, also those that it
    /// allocates or releases.
    pub goes_on: BTreeSet<LocationId>,
    /// Locations that outlive it, of which derivatives may be left behind: those that it reads before it
    /// overwrites them. What it overwrites first has a derivative then, and a zero adjoint in the end.
    /// An adjoint that another head leaves may be read wherever the variable is overwritten.
    left_behind: BTreeSet<LocationId>,
    /// Locations that the procedures overwrite that it calls.
    pub by_callees: BTreeSet<LocationId>,
    /// By which names they overwrite those of them that pointers share.
    names_of_callees: WrittenNames,
    /// Locations that they read or overwrite.
    of_callees: BTreeSet<LocationId>,
    /// Locations of pointers that are associated on the way.
    pub associated: BTreeSet<LocationId>,
    /// Locations that are allocated or released on the way.
    pub renewed: BTreeSet<LocationId>,
    /// Locations of its independents and dependents; `None` where nobody has told them.
    sides: Option<BTreeSet<LocationId>>,
    /// Whether a procedure with an adjoint calls it.
    pub called: bool,
    /// Procedure pointers that are associated on the way.
    pub callables: BTreeSet<SymbolId>,
}

impl Outliving {
    /// Whether the procedures that it calls may overwrite what of a location lies behind a variable.
    pub fn is_written_by_callees(
        &self,
        (doc, storage): (&Document, &Storage),
        location: LocationId,
        symbol: SymbolId,
    ) -> bool {
        let block = doc.block_of(symbol);
        self.by_callees.contains(&location)
            && self.names_of_callees.of(location).is_none_or(|names| {
                // A dummy argument may be any of them. Each scope has its own names of a block.
                let may_be = |own: SymbolId| {
                    own == symbol
                        || storage.procedures().dummy_of(own).is_some()
                        || block.is_some() && doc.block_of(own) == block
                };
                names.iter().any(|name| may_be(name.symbol))
            })
    }
}

/// What is known of the procedures that execute both sweeps and that the user may call.
pub fn outliving(
    doc: &Document,
    storage: &Storage,
    bodies: &Bodies<'_>,
    effects: &SideEffects,
    (parts, transposed): (&Counterparts, bool),
) -> HashMap<ProcId, Outliving> {
    let targets = |proc: ProcId| {
        let steps = bodies.get(proc).into_iter().flat_map(|body| &body.steps);
        let sites = steps.flat_map(|step| &step.events).filter_map(|event| match event {
            Event::Call(site) => Some(site.targets.bodies.iter().map(|entry| entry.proc)),
            _ => None,
        });
        sites.flatten().collect::<Vec<ProcId>>()
    };
    let by_others: HashSet<ProcId> =
        parts.procedures.iter().flat_map(|&(original, _)| targets(original)).collect();
    let is_global =
        |location: &LocationId| storage.locations()[*location].lifetime == Lifetime::Global;
    let whole = parts.procedures.iter().filter(|pair| parts.sweep_of(pair.1) == Sweep::Both);
    let looked_at =
        whole.filter(|(original, _)| is_head(doc, *original) || !by_others.contains(original));
    let heads = parts.procedures.iter().filter(|(original, _)| is_head(doc, *original)).count();
    let found = looked_at.map(|&(original, adjoint)| {
        let summary = effects.of(adjoint);
        let mut all = vec![adjoint];
        let mut next = 0;
        while let Some(&proc) = all.get(next) {
            next += 1;
            let more: Vec<ProcId> =
                targets(proc).into_iter().filter(|callee| !all.contains(callee)).collect();
            all.extend(more);
        }
        let mut found = Outliving {
            goes_on: summary.goes_on(storage).into_iter().filter(is_global).collect(),
            left_behind: match transposed && heads > 1 {
                true => summary.used.union(&summary.out).copied().filter(is_global).collect(),
                false => summary.input.iter().copied().filter(is_global).collect(),
            },
            called: by_others.contains(&original),
            sides: sides(doc, storage, original),
            ..Outliving::default()
        };
        for callee in targets(adjoint) {
            let summary = effects.of(callee);
            found.by_callees.extend(&summary.out);
            found.names_of_callees.extend(&summary.written_names);
            found.of_callees.extend(summary.used.union(&summary.out));
        }
        all.iter().for_each(|&proc| found.moves(doc, storage, bodies, proc));
        if !found.goes_on.is_empty() {
            // A flag may tell that it has been allocated.
            let more = found.renewed.intersection(&summary.out).copied().filter(is_global);
            found.goes_on.extend(more);
        }
        (adjoint, found)
    });
    found.collect()
}

/// Whether independents or dependents of a procedure are told.
fn is_head(doc: &Document, proc: ProcId) -> bool {
    !doc.procs[proc].independent.is_empty() || !doc.procs[proc].dependent.is_empty()
}

/// The locations of what a head's derivatives are of and with respect to.
fn sides(doc: &Document, storage: &Storage, proc: ProcId) -> Option<BTreeSet<LocationId>> {
    let data = &doc.procs[proc];
    let all = data.independent.iter().chain(&data.dependent);
    is_head(doc, proc).then(|| all.flat_map(|&reference| storage.reach(doc, reference)).collect())
}

impl Outliving {
    fn moves(&mut self, doc: &Document, storage: &Storage, bodies: &Bodies<'_>, proc: ProcId) {
        let steps = bodies.get(proc).into_iter().flat_map(|body| &body.steps);
        for event in steps.flat_map(|step| &step.events) {
            match event {
                Event::Associate(object) | Event::Release { object, nullify: true } => {
                    let base = doc.refs[*object].base;
                    if matches!(doc.role(base), Some(Role::Procedure(_)))
                        && storage.procedures().is_static(base)
                    {
                        self.callables.insert(base);
                    }
                    self.associated.extend(storage.locations_of(doc, *object));
                }
                Event::Allocate(object) | Event::Release { object, nullify: false } => {
                    self.renewed.extend(storage.locations_of(doc, *object));
                }
                Event::Read(..)
                | Event::Write(_)
                | Event::Call(_)
                | Event::Ask(..)
                | Event::Reshape(_)
                | Event::Anything => {}
            }
        }
    }
}

/// Derivatives of variables that are neither independent nor dependent.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// Those that begin with zero, whatever the last call has left there.
    pub zeroed: Vec<SymbolId>,
    /// The variables with derivatives that would have to and cannot.
    pub kept: Vec<SymbolId>,
}

impl Outliving {
    /// The derivatives of variables that are neither independent nor dependent, as far as the
    /// procedure or what it calls names them: their values from the last call mean nothing.
    pub fn foreign_derivatives(
        &self,
        doc: &mut Document,
        (storage, parts): (&Storage, &Counterparts),
        proc: ProcId,
        named: &HashSet<SymbolId>,
    ) -> Foreign {
        let mut found = Foreign::default();
        let Some(sides) = self.sides.as_ref() else { return found };
        let locations = self.left_behind.difference(sides).copied();
        let locations =
            locations.filter(|&location| storage.locations()[location].continuous).collect();
        let has_derivative = |symbol: SymbolId| parts.variable(symbol).is_some();
        let Names { here, elsewhere, hidden } =
            names(doc, storage, proc, &locations, &has_derivative);
        found.kept = hidden;
        let scope = doc.procs[proc].scope;
        for symbol in here {
            let Some(derivative) = parts.variable(symbol) else { continue };
            let own = storage.value_of_symbol(symbol);
            // It may be named by way of a pointer or by a procedure that is called.
            let mut through = own.iter().filter(|&&location| {
                self.of_callees.contains(&location) || storage.locations()[location].pointers
            });
            if !named.contains(&derivative) && through.next().is_none() {
                continue;
            }
            let all = storage.locations_of_symbol(symbol);
            let alone = !all.iter().any(|location| sides.contains(location))
                && !parts.types.points_without_end(doc, doc.declared_base(symbol));
            let in_procedure = |doc: &Document| {
                let home = doc.symbols[derivative].scope;
                matches!(doc.scopes[home].kind, ScopeKind::Procedure(_))
            };
            let can_be_zeroed = alone && !self.called;
            match can_be_zeroed && (in_procedure(doc) || bring_into_sight(doc, scope, derivative)) {
                true => found.zeroed.push(derivative),
                false => found.kept.push(symbol),
            }
        }
        let mut blocks: HashMap<SymbolId, SymbolId> = HashMap::new();
        let mut fresh = None;
        for symbol in elsewhere {
            let Some(derivative) = parts.variable(symbol) else { continue };
            if !self.called && !blocks.contains_key(&derivative) {
                blocks.extend(
                    bring_block(doc, (scope, &mut fresh), derivative).into_iter().flatten(),
                );
            }
            match blocks.get(&derivative) {
                Some(&own) => found.zeroed.push(own),
                None => found.kept.push(symbol),
            }
        }
        // What is only read is given no derivative that a next call would read.
        let goes_on = |&symbol: &SymbolId| {
            storage
                .locations_of_symbol(symbol)
                .iter()
                .any(|location| self.goes_on.contains(location))
        };
        found.kept.retain(|symbol| has_derivative(*symbol) && goes_on(symbol));
        for list in [&mut found.zeroed, &mut found.kept] {
            list.sort_unstable();
            list.dedup();
        }
        found
    }
}

/// The variables that procedures keep for themselves between calls, and their derivatives with them,
/// where heads are told.
pub fn kept_by_callees(
    doc: &Document,
    storage: &Storage,
    effects: &SideEffects,
    parts: &Counterparts,
) -> Vec<(ProcId, SymbolId)> {
    if !parts.procedures.iter().any(|&(original, _)| is_head(doc, original)) {
        return Vec::new();
    }
    let mut variables: HashMap<ProcId, Vec<SymbolId>> = HashMap::new();
    for symbol in doc.symbols.keys().filter(|&symbol| parts.variable(symbol).is_some()) {
        if let Some(owner) = storage.owner(doc, symbol) {
            variables.entry(owner).or_default().push(symbol);
        }
    }
    let mut found = Vec::new();
    for &(original, derivative) in parts.procedures.iter().filter(|pair| !is_head(doc, pair.0)) {
        let goes_on = effects.of(derivative).goes_on(storage);
        let lives_on = |symbol: &SymbolId| {
            storage.procedures().is_static(*symbol)
                && doc.block_of(*symbol).is_none()
                && storage
                    .value_of_symbol(*symbol)
                    .iter()
                    .any(|location| goes_on.contains(location))
        };
        let own = variables.get(&derivative).into_iter().flatten().copied().filter(lives_on);
        found.extend(own.map(|symbol| (original, symbol)));
    }
    found
}

/// The derivative of a variable takes what it holds from one call of a head to the next.
pub fn lives_on(doc: &Document, proc: ProcId, symbol: SymbolId) -> Diagnostic {
    let message = format!(
        "the derivative of `{}` keeps what a call of `{}` leaves there for the next",
        doc.name(symbol),
        doc.name(doc.procs[proc].symbol)
    );
    let place = doc.symbols[symbol].decl.as_deref().map(|decl| decl.place).unwrap_or_default();
    Diagnostic::warning(Code::STATE_LEFT, doc.spot(place), message)
        .with_help("set it to zero before a call that is to begin anew, or name it as independent")
}

/// The names of locations that outlive a procedure.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Variables that it declares, or could import.
    pub here: Vec<SymbolId>,
    /// Variables in COMMON blocks that another procedure declares: of a block those of one.
    pub elsewhere: Vec<SymbolId>,
    /// Variables of modules that it cannot see.
    pub hidden: Vec<SymbolId>,
}

/// By which names `proc` knows `locations`; `prefers` tells which of those in other procedures are chosen.
pub fn names(
    doc: &Document,
    storage: &Storage,
    proc: ProcId,
    locations: &BTreeSet<LocationId>,
    prefers: &dyn Fn(SymbolId) -> bool,
) -> Names {
    let mut found = Names::default();
    for &location in locations {
        let members = storage.locations()[location].members.iter().map(|member| member.symbol);
        let lasts = |symbol: &SymbolId| {
            storage.procedures().is_static(*symbol)
                && matches!(doc.role(*symbol), Some(Role::Variable))
        };
        let lasting: Vec<SymbolId> = members.filter(lasts).collect();
        let is_here = |&symbol: &SymbolId| {
            storage
                .owner(doc, symbol)
                .is_some_and(|own| own == proc || storage.procedures().is_inside(doc, proc, own))
        };
        let is_of_module = |&symbol: &SymbolId| {
            matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::Module(_))
        };
        // Pointers unite memory that no single name covers: all names count, of a block those of one scope.
        let mut covered: BTreeSet<SymbolId> = BTreeSet::new();
        for &symbol in lasting.iter().filter(|symbol| is_here(symbol)) {
            covered.extend(doc.block_of(symbol));
            found.here.push(symbol);
        }
        for &symbol in lasting.iter().filter(|symbol| is_of_module(symbol) && !is_here(symbol)) {
            let block = doc.block_of(symbol);
            if block.is_some_and(|block| covered.contains(&block)) {
                continue;
            }
            let seen = can_be_named(doc, storage, proc, symbol);
            if seen { &mut found.here } else { &mut found.hidden }.push(symbol);
        }
        let of_modules = lasting.iter().filter(|symbol| is_of_module(symbol));
        covered.extend(of_modules.filter_map(|&symbol| doc.block_of(symbol)));
        // What another procedure keeps for itself is left out.
        let mut blocks: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
        for &symbol in &lasting {
            if let Some(block) = doc.block_of(symbol).filter(|block| !covered.contains(block)) {
                blocks.entry(block).or_default().push(symbol);
            }
        }
        for shared in blocks.into_values() {
            let preferred = shared.iter().copied().filter(|&symbol| prefers(symbol));
            let among: Vec<SymbolId> = match preferred.clone().next() {
                Some(_) => preferred.collect(),
                None => shared.clone(),
            };
            // Who declares most of a block has names for all that others have.
            let home = |symbol: SymbolId| doc.symbols[symbol].scope;
            let most = among.iter().max_by_key(|&&symbol| extent_of_block(doc, symbol));
            if let Some(&most) = most {
                let alike = |&symbol: &SymbolId| home(symbol) == home(most);
                found.elsewhere.extend(among.iter().copied().filter(alike));
            }
        }
    }
    for list in [&mut found.here, &mut found.elsewhere, &mut found.hidden] {
        list.sort_unstable();
        list.dedup();
    }
    found
}

/// How many bytes the scope of a member declares of its block, and the scope, so that of all members the
/// same is chosen.
fn extent_of_block(doc: &Document, member: SymbolId) -> (i64, ScopeId) {
    let scope = doc.symbols[member].scope;
    let block = doc.block_of(member);
    let members = doc.scopes[scope].items.iter().filter_map(|item| match item {
        SpecItem::Common { block: own, members } if Some(*own) == block => Some(members),
        _ => None,
    });
    let bytes = |&symbol: &SymbolId| {
        let size = match doc.declared_base(symbol) {
            Base::Integer(bytes) | Base::Real(bytes) | Base::Logical(bytes) => i64::from(bytes),
            Base::Complex(bytes) => 2 * i64::from(bytes),
            _ => 0,
        };
        let bounds = doc.symbols[symbol].bounds.iter();
        size * bounds.map(|&(lower, upper)| (upper - lower + 1).max(0)).product::<i64>()
    };
    (members.flatten().map(bytes).sum(), scope)
}

/// The members of a COMMON block as `scope` knows them, which did not declare it: it declares it now,
/// as the scope of `member` does. `None` where it cannot.
///
/// `names` are those of the scope, which are looked up once for all blocks that are brought there.
pub fn bring_block(
    doc: &mut Document,
    (scope, names): (ScopeId, &mut Option<FreshNames>),
    member: SymbolId,
) -> Option<HashMap<SymbolId, SymbolId>> {
    let (block, _) = doc.symbols[member].decl.as_deref()?.common?;
    let declares = |scope: ScopeId| {
        doc.scopes[scope].items.iter().filter_map(|item| match item {
            SpecItem::Common { block: own, members } if *own == block => Some(members),
            _ => None,
        })
    };
    let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
    if std::iter::successors(Some(scope), parents).any(|scope| declares(scope).next().is_some()) {
        return None;
    }
    let home = doc.symbols[member].scope;
    let members: Vec<SymbolId> = declares(home).flatten().copied().collect();
    // An EQUIVALENCE names what its own scope declares. The members alone cover a block that it does not make longer.
    let longer = in_longer_blocks(doc, home);
    if !members.iter().all(|&member| is_simple(doc, member) && !longer.contains(&member)) {
        return None;
    }
    let place = doc.scopes[scope].place;
    let names = names.get_or_insert_with(|| FreshNames::new(doc, scope));
    let copies = declare_alike(doc, names, block, &members, place);
    doc.scopes[scope].items.push(SpecItem::Common { block, members: copies.clone() });
    Some(members.into_iter().zip(copies).collect())
}

/// New variables like `members` of a COMMON block, in the same order. Who calls this adds the block.
pub fn declare_alike(
    doc: &mut Document,
    names: &mut FreshNames,
    block: SymbolId,
    members: &[SymbolId],
    place: Place,
) -> Vec<SymbolId> {
    let alike = members.iter().zip(0..).map(|(&member, position)| {
        let (base, id) = {
            let data = &doc.symbols[member];
            let base = data.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
            (base, data.id.clone())
        };
        let copy = names.variable(doc, &id, base, place);
        let bounds = doc.symbols[member].bounds.clone();
        // XAIF counts the dimensions from the last.
        let dims: Vec<Dim> = bounds
            .iter()
            .rev()
            .map(|&(lower, upper)| Dim::Explicit {
                lower: (lower != 1).then(|| integer(doc, lower, place)),
                upper: integer(doc, upper, place),
            })
            .collect();
        let data = &mut doc.symbols[copy];
        (data.rank, data.bounds) = (u8::try_from(dims.len()).ok(), bounds);
        if let Some(decl) = data.decl.as_deref_mut() {
            (decl.dims, decl.common) = (dims, Some((block, position)));
        }
        copy
    });
    alike.collect()
}

/// Whether a member is a number or an array of numbers with constant bounds.
pub fn is_simple(doc: &Document, member: SymbolId) -> bool {
    let data = &doc.symbols[member];
    let Some(decl) = data.decl.as_deref() else { return false };
    let number = matches!(
        decl.spec.base(),
        Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
    );
    number && !decl.has(Attr::Pointer) && data.bounds.len() == usize::from(data.rank.unwrap_or(0))
}
