//! What an adjoint procedure that nobody but the user calls leaves in variables that outlive it.
//!
//! The backward sweep takes back values of variables as far as it needs them, and executes calls once
//! more. What it leaves in variables of modules and COMMON blocks, and in saved ones, is of no order in
//! which the program could have been. That does not matter where the procedure gives them values before
//! it reads them. Where it goes on from what it has left there (a counter, a flag, a table that is
//! made once, the state of a model), the next call would begin from nonsense. So where control turns,
//! `p_b` copies what such a variable holds, and gives it that value in the end: it leaves what `p`
//! leaves, as the tangent does. Values at entry would be no alternative: files, and what saved
//! variables hold in other procedures, do not go back.
//!
//! The adjoint of such a variable is another matter. If it is neither independent nor dependent, what
//! the variable holds in the end is no result, so the backward sweep begins with a zero adjoint,
//! whatever the last call has left there ([`Adjoint::foreign_adjoints`]); what it holds at entry
//! counts as a constant.
//!
//! In the library a procedure is one for the user if no procedure with an adjoint calls it. What is
//! called by others must leave what its callers require (see the head of `booster-adjoint`), so nothing is done
//! there. In sets of paper 3, section 3.5, the variables are those of In and Out. What has no name
//! here, or whose type is not copied (pointers that are allocated, what is polymorphic and no allocatable), is
//! told in a warning.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Body, CharLen, Dim, Document, GenericSpec, KindSpelling, Place, RefId, Role,
    ScopeId, ScopeKind, StmtKind, SymbolId, TypeSpec, VertexKind,
};

use crate::body::{Adjoint, statements};
use crate::calls::split_procedures::place_of;
use crate::loops::buffer_swap::{move_symbol, moved};
use crate::queries::designators::passed_variables;
use booster_build::exists;
use booster_build::{Emitter, mentions, new_variable, value_of, whole};
use booster_facts::LocationId;
use booster_facts::arguments_of;
use booster_facts::nameable::can_be_named;
use booster_shadow::derivative::Types;
use booster_shadow::persistent_state::{Foreign, Names, bring_block, lives_on, names};
use booster_shadow::polymorphic::{class_of, spec_of};

/// A copy of what a variable holds where control turns.
pub(crate) struct Kept {
    symbol: SymbolId,
    copy: SymbolId,
    how: How,
}

/// The variables that a backward sweep changes.
#[derive(Default)]
struct Changed {
    /// The variables that its statements name.
    symbols: HashSet<SymbolId>,
    /// Their locations.
    locations: BTreeSet<LocationId>,
    /// Whether it calls something.
    calls: bool,
}

fn is_of_module(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::Module(_))
}

/// The symbols that a procedure and its callees name.
struct NamedBelow {
    symbols: HashSet<SymbolId>,
    /// The COMMON blocks of these symbols: a module and a procedure may declare one block, each by names of its own.
    blocks: HashSet<SymbolId>,
}

impl NamedBelow {
    fn contains(&self, doc: &Document, symbol: SymbolId) -> bool {
        self.symbols.contains(&symbol)
            || doc.block_of(symbol).is_some_and(|block| self.blocks.contains(&block))
    }
}

/// How a value is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// By an assignment.
    Value,
    /// An array, whose copy is allocated.
    Array,
    /// With its allocation.
    Allocation,
    /// What is behind a name, if there is something; it stays where it is.
    Pointee,
    /// Where a pointer points to.
    Association,
}

impl Adjoint<'_> {
    /// What is copied where control turns, as the body is the backward sweep; with a warning for each
    /// variable that should be and cannot.
    pub(crate) fn kept_afterwards(&mut self, doc: &mut Document) -> Vec<Kept> {
        let Some(found) = self.outliving.get(&self.proc).cloned() else { return Vec::new() };
        let changed = self.changed_backwards(doc);
        let by_callees =
            |location: &&LocationId| changed.calls && found.by_callees.contains(location);
        let is_changed =
            |location: &&LocationId| changed.locations.contains(location) || by_callees(location);
        let locations: BTreeSet<LocationId> =
            found.goes_on.iter().filter(is_changed).copied().collect();
        // What other procedures keep, they keep in their forward sweeps, too.
        let Names { mut here, elsewhere, hidden: mut missed } =
            names(doc, &self.storage, self.proc, &locations, &|_| true);
        missed.extend(&found.callables);
        // An adjoint that the forward sweep associates has another fate.
        let adjoints = self.tools.parts.derivatives();
        here.retain(|symbol| !adjoints.contains(symbol));
        missed.retain(|symbol| !adjoints.contains(symbol));
        // Variables that share memory are given back by the names that changed them.
        let of_location = |symbol: &SymbolId| self.storage.value_of_symbol(*symbol);
        let written: BTreeSet<LocationId> = changed.symbols.iter().flat_map(of_location).collect();
        let named = OnceCell::new();
        let is_needed = |symbol: &SymbolId| {
            let is_named = || {
                !is_of_module(doc, *symbol)
                    || named.get_or_init(|| self.named_below(doc)).contains(doc, *symbol)
            };
            let elsewhere = |location: &LocationId| {
                found.associated.contains(location)
                    || match by_callees(&location) {
                        true => {
                            found.is_written_by_callees((doc, &self.storage), *location, *symbol)
                        }
                        false => !written.contains(location),
                    }
            };
            let own = of_location(symbol);
            changed.symbols.contains(symbol)
                || own.iter().any(|location| locations.contains(location) && elsewhere(location))
                    && is_named()
        };
        here.retain(is_needed);
        missed.retain(|symbol| is_needed(symbol) || found.callables.contains(symbol));
        if found.called {
            missed.append(&mut here);
        }
        // By the name that facts know, and the name that it has here.
        let mut pairs: Vec<(SymbolId, SymbolId)> = here.into_iter().map(|own| (own, own)).collect();
        let mut blocks: HashMap<SymbolId, SymbolId> = HashMap::new();
        let mut fresh = None;
        for symbol in elsewhere {
            if !found.called && !blocks.contains_key(&symbol) {
                let scope = self.scope(doc);
                blocks.extend(bring_block(doc, (scope, &mut fresh), symbol).into_iter().flatten());
            }
            match blocks.get(&symbol) {
                Some(&own) => pairs.push((symbol, own)),
                None => missed.push(symbol),
            }
        }
        let mut kept = Vec::new();
        for (known, symbol) in pairs {
            let own = self.storage.value_of_symbol(known);
            let is_in =
                |set: &BTreeSet<LocationId>| own.iter().any(|location| set.contains(location));
            let seen = self.is_seen(doc, symbol);
            let moves = (is_in(&found.associated), is_in(&found.renewed));
            match ways(doc, &self.tools.parts.types, symbol, moves) {
                Some(ways) if seen => {
                    for &how in ways {
                        // What a pointer points to has an adjoint, to which its adjoint points.
                        let adjoint = self.tools.parts.variable(symbol);
                        let adjoint = adjoint.filter(|_| how == How::Association);
                        for symbol in std::iter::once(symbol).chain(adjoint) {
                            self.tools.import(doc, symbol);
                            kept.push(Kept { symbol, copy: self.copy_of(doc, symbol, how), how });
                        }
                    }
                }
                Some(_) | None => missed.push(symbol),
            }
        }
        missed.iter().for_each(|&symbol| self.warn_of_state(doc, symbol));
        kept
    }

    /// Whether a variable and its type have names here, be it that they are imported.
    fn is_seen(&self, doc: &mut Document, symbol: SymbolId) -> bool {
        let type_of = match doc.declared_base(symbol) {
            Base::Derived(ty) | Base::Class(ty) => Some(ty),
            _ => None,
        };
        [Some(symbol), type_of].into_iter().flatten().all(|name| {
            let local = matches!(
                doc.scopes[doc.symbols[name].scope].kind,
                ScopeKind::Procedure(_) | ScopeKind::Block
            );
            local
                || can_be_named(doc, &self.storage, self.proc, name) && self.tools.import(doc, name)
        })
    }

    /// The symbols that the original of the procedure and what that calls name. The body of the procedure itself is not
    /// whole yet.
    fn named_below(&self, doc: &Document) -> NamedBelow {
        let nest = doc.nest();
        let procedures = self.tools.parts.procedures.iter();
        let original =
            procedures.filter(|(_, own)| *own == self.proc).map(|&(original, _)| original);
        let reached = self.callees.reached(original.chain([self.proc])).into_iter();
        let scopes = reached.map(|proc| doc.procs[proc].scope);
        let mentioned = scopes.flat_map(|scope| mentions(doc, &nest, scope, |_| false));
        let symbols: HashSet<SymbolId> = mentioned.map(|mention| mention.symbol).collect();
        let blocks = symbols.iter().filter_map(|&symbol| doc.block_of(symbol)).collect();
        NamedBelow { symbols, blocks }
    }

    /// The variables that the statements of the backward sweep may overwrite.
    fn changed_backwards(&self, doc: &Document) -> Changed {
        let mut changed = Changed::default();
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return changed };
        let mut add = |reference: RefId| {
            let symbol = doc.refs[reference].base;
            changed.symbols.insert(symbol);
            changed.locations.extend(self.storage.locations_of_symbol(symbol));
        };
        // The backward sweep has loops of its own over the variables of the program's.
        let counters = cfg.vertices.values().filter_map(|vertex| match vertex.kind {
            VertexKind::ForLoop { init, .. } => Some(init),
            _ => None,
        });
        let mut calls = false;
        for stmt in statements(cfg).chain(counters) {
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, .. } | StmtKind::PointerAssign { lhs, .. } => add(*lhs),
                StmtKind::InlinableCall(call) => {
                    passed_variables(doc, &call.args).for_each(&mut add)
                }
                StmtKind::Allocate(allocate) => {
                    allocate.objects.iter().for_each(|&object| add(object));
                }
                StmtKind::Release(release) => {
                    release.objects.iter().for_each(|&object| add(object));
                }
                StmtKind::Call(call) => {
                    calls = true;
                    passed_variables(doc, &call.args).for_each(&mut add);
                }
                StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
        Changed { calls, ..changed }
    }

    /// The adjoints that begin with zero, whatever they hold; with a warning for each that should and
    /// cannot.
    pub(crate) fn foreign_adjoints(&mut self, doc: &mut Document) -> Vec<SymbolId> {
        let Some(found) = self.outliving.get(&self.proc) else { return Vec::new() };
        let named = self.tools.named(doc);
        let Foreign { mut zeroed, kept } =
            found.foreign_derivatives(doc, (&self.storage, &self.tools.parts), self.proc, &named);
        for symbol in kept {
            self.tools.problems.push(lives_on(doc, self.proc, symbol));
        }
        self.retain_reached(doc, &mut zeroed);
        zeroed
    }

    /// Leaves out adjoints of module variables that neither the procedure nor what it calls names: they may share memory
    /// with others, and are not reached here.
    fn retain_reached(&self, doc: &Document, adjoints: &mut Vec<SymbolId>) {
        if !adjoints.iter().any(|&symbol| is_of_module(doc, symbol)) {
            return;
        }
        let named = self.named_below(doc);
        let parts = &self.tools.parts;
        let primals = parts.primals().filter(|&primal| named.contains(doc, primal));
        let reached: HashSet<SymbolId> =
            primals.filter_map(|primal| parts.variable(primal)).collect();
        adjoints.retain(|symbol| {
            !is_of_module(doc, *symbol) || named.contains(doc, *symbol) || reached.contains(symbol)
        });
    }

    fn copy_of(&self, doc: &mut Document, symbol: SymbolId, how: How) -> SymbolId {
        let scope = self.scope(doc);
        let (place, rank) = (place_of(doc, symbol), doc.symbols[symbol].rank);
        let wish = format!("{}_left", doc.name(symbol));
        let base = doc.declared_base(symbol);
        let copy = new_variable(doc, scope, &wish, base, place);
        let spec = match base {
            Base::Derived(ty) => Some(spec_of(doc, ty)),
            Base::Class(ty) => Some(class_of(doc, ty)),
            Base::Character(bytes) => Some(TypeSpec::Character {
                bytes,
                kind: KindSpelling::Default,
                len: CharLen::Deferred,
            }),
            _ => None,
        };
        let text = matches!(base, Base::Character(_));
        doc.symbols[copy].rank = rank;
        if let Some(decl) = doc.symbols[copy].decl.as_deref_mut() {
            decl.spec = spec.unwrap_or_else(|| decl.spec.clone());
            decl.dims = vec![Dim::Deferred; usize::from(rank.unwrap_or(0))];
            match how {
                How::Value if !text => {}
                How::Value | How::Array | How::Allocation | How::Pointee => {
                    decl.attrs.insert(Attr::Allocatable);
                }
                How::Association => {
                    decl.attrs.insert(Attr::Pointer);
                }
            }
        }
        copy
    }

    fn warn_of_state(&mut self, doc: &Document, symbol: SymbolId) {
        let (name, head) = (doc.name(symbol), doc.name(doc.procs[self.proc].symbol));
        let message = format!("`{head}` does not leave in `{name}` what its original leaves there");
        let spot = doc.spot(place_of(doc, symbol));
        let warning = Diagnostic::warning(Code::STATE_LEFT, spot, message)
            .with_help("give it the value that it is to have before the next call");
        self.tools.problems.push(warning);
    }
}

/// Copies, where control turns.
pub(crate) fn keep(e: &mut Emitter<'_>, kept: &[Kept]) {
    for &Kept { symbol, copy, how } in kept {
        let place = Place::default();
        let (own, target) = (whole(e.doc, symbol, place), whole(e.doc, copy, place));
        let value = value_of(e.doc, own);
        match how {
            How::Value => {
                e.assign(target, value, place);
            }
            How::Array => e.allocate_like(target, value, place),
            How::Allocation | How::Pointee => {
                let is_there = exists(e.doc, own, is_there(e.doc, symbol));
                e.open_if(is_there, place);
                e.allocate_like(target, value, place);
                e.close_if();
            }
            How::Association => {
                e.stmt(StmtKind::PointerAssign { lhs: target, rhs: value }, place);
            }
        }
    }
}

/// Gives variables what was copied.
pub(crate) fn leave(e: &mut Emitter<'_>, kept: &[Kept]) {
    // A value goes to where the pointer points in the end.
    let (first, rest): (Vec<&Kept>, Vec<&Kept>) =
        kept.iter().partition(|one| one.how == How::Association);
    for &Kept { symbol, copy, how } in first.into_iter().chain(rest) {
        let place = Place::default();
        let (own, source) = (whole(e.doc, symbol, place), whole(e.doc, copy, place));
        match how {
            How::Value | How::Array => {
                let value = value_of(e.doc, source);
                e.assign(own, value, place);
            }
            How::Pointee => {
                let is_there = exists(e.doc, source, "allocated");
                e.open_if(is_there, place);
                let value = value_of(e.doc, source);
                e.assign(own, value, place);
                e.close_if();
            }
            How::Allocation => {
                let moves = move_symbol(e.doc, place);
                let stmt = moved(e.doc, moves, copy, symbol, place);
                e.push(stmt);
            }
            How::Association => {
                let rhs = value_of(e.doc, source);
                e.stmt(StmtKind::PointerAssign { lhs: own, rhs }, place);
            }
        }
    }
}

/// How a variable is copied that may be associated, or allocated and released, by way of pointers.
fn ways(
    doc: &Document,
    types: &Types,
    symbol: SymbolId,
    moves: (bool, bool),
) -> Option<&'static [How]> {
    let (is_associated, is_renewed) = moves;
    let has = |attr| doc.has(symbol, attr);
    let rank = doc.symbols[symbol].rank.unwrap_or(0);
    let indirect = has(Attr::Pointer) || has(Attr::Allocatable);
    let is_copied = match doc.symbols[symbol].decl.as_deref().map(|decl| &decl.spec)? {
        TypeSpec::Derived { symbol: Some(ty), class, params, .. } => {
            let pointed_to = has(Attr::Target) || has(Attr::Pointer);
            params.is_empty()
                && (!class || has(Attr::Allocatable) && !pointed_to)
                && is_copied(doc, types, one_of(types, *ty, *class), pointed_to)
        }
        TypeSpec::Character { .. } => rank == 0 && !indirect,
        spec => matches!(
            spec.base(),
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
        ),
    };
    let ways: &[How] = match (has(Attr::Pointer), has(Attr::Allocatable)) {
        _ if !is_copied => return None,
        (true, _) | (_, true) if is_renewed && (has(Attr::Pointer) || has(Attr::Target)) => {
            return None;
        }
        (true, _) if is_associated => &[How::Association, How::Pointee],
        (true, _) => &[How::Pointee],
        (_, true) if has(Attr::Target) => &[How::Pointee],
        (_, true) => &[How::Allocation],
        (false, false) if rank > 0 => &[How::Array],
        (false, false) => &[How::Value],
    };
    Some(ways)
}

/// The types that an object may have.
fn one_of(types: &Types, ty: SymbolId, class: bool) -> Vec<SymbolId> {
    if class { types.with_extensions(ty) } else { vec![ty] }
}

/// Whether an assignment copies all of a structure of one of these types and does nothing else. Polymorphic components
/// get new storage by that, which is no way where pointers may point to them.
fn is_copied(doc: &Document, types: &Types, mut parts: Vec<SymbolId>, pointed_to: bool) -> bool {
    let mut next = 0;
    while let Some(&ty) = parts.get(next) {
        next += 1;
        let Some(Role::DerivedType { scope, .. }) = doc.role(ty) else { return false };
        let is_final = |&symbol: &SymbolId| matches!(doc.role(symbol), Some(Role::Final { .. }));
        if doc.scopes[*scope].symbols.iter().any(is_final) || is_assigned_otherwise(doc, ty, *scope)
        {
            return false;
        }
        for component in doc.data_components(ty) {
            let within = match doc.declared_base(component) {
                _ if doc.has(component, Attr::Pointer) => return false,
                Base::Class(_) if pointed_to => return false,
                Base::ClassStar | Base::TypeStar | Base::Unknown | Base::Procedure => return false,
                Base::Derived(part) => one_of(types, part, false),
                Base::Class(part) => one_of(types, part, true),
                _ => continue,
            };
            for part in within {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
    }
    true
}

/// Whether the program says what assignment is for this type.
fn is_assigned_otherwise(doc: &Document, ty: SymbolId, scope: ScopeId) -> bool {
    let takes_it = |&specific: &SymbolId| {
        arguments_of(doc, specific).into_iter().flatten().filter_map(|arg| arg.symbol).any(|dummy| {
            matches!(doc.declared_base(dummy), Base::Derived(own) | Base::Class(own) if own == ty)
        })
    };
    doc.symbols.keys().any(|symbol| match doc.role(symbol) {
        Some(Role::Generic { spec: GenericSpec::Assignment, specifics }) => {
            doc.symbols[symbol].scope == scope || specifics.iter().any(takes_it)
        }
        _ => false,
    })
}

/// What asks whether there is something behind a name.
fn is_there(doc: &Document, symbol: SymbolId) -> &'static str {
    if doc.has(symbol, Attr::Pointer) { "associated" } else { "allocated" }
}
