//! Derivative variables: declared beside their originals, with their types and attributes.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Body, Decl, Dim, Document, DummyArg, ExprKind, Place, ProcId, RefId, Role, ScopeId,
    SpecItem, Subscript, Symbol, SymbolId, Vertex, VertexKind,
};
use xaif_schema::model::{Base, Part};

use super::names;
use super::units::{Maker, Outer, declaration, symbol as plain_symbol};
use super::zero;
use booster_build::{Copied, Copier, copy_decl, integer};
use booster_facts::{data_variables, has_constant_bounds};

/// Standard Fortran allows so many dimensions.
const DIMENSIONS: u8 = 15;

impl Maker<'_> {
    /// Declares the derivatives of the variables of `old` in its copy `new`.
    pub(super) fn declare(&mut self, old: ScopeId, new: ScopeId, copied: &Copied, outer: &Outer) {
        let below: HashSet<String> =
            self.tree.inside(old).iter().flat_map(|&s| names::ids(self.doc, s)).collect();
        let above = self.names_above(new);
        let mut given: HashSet<String> = HashSet::new();
        let mut derivatives: HashMap<SymbolId, SymbolId> = HashMap::new();
        let data = self.data_objects(new);
        for original in self.doc.scopes[old].symbols.clone() {
            let merged = copied.merged.contains_key(&original);
            if merged || !self.plan.variables.contains(&original) {
                continue;
            }
            if self.effects.overwritten.contains(&original)
                && let Some(decl) = self.doc.symbols[original].decl.clone()
            {
                self.no_room(&decl, "is passed by value and overwritten");
                continue;
            }
            let primal = copied.copier.symbol(original);
            let id = self.doc.symbols[primal].id.clone();
            let wish = names::derived(self.doc.name(primal), &self.naming.variable);
            let name = names::fresh(&wish, |name| {
                let hides = above.get(name).is_some_and(|of| of.as_ref() != Some(&id));
                outer.contains(name) || below.contains(name) || given.contains(name) || hides
            });
            given.insert(name.to_ascii_lowercase());
            let is_associate = matches!(self.doc.role(primal), Some(Role::Associate { .. }));
            let derivative = if is_associate {
                self.associate(primal, name)
            } else {
                let initialised = data.contains(&primal);
                self.variable(primal, new, name, &Copied::default(), initialised)
            };
            if let Some(derivative) = derivative {
                derivatives.insert(primal, derivative);
            }
        }
        self.interleave(new, &derivatives);
    }

    /// The names of the scopes around `scope`, up to the program unit; for a derivative the id of
    /// its original.
    pub(super) fn names_above(&self, scope: ScopeId) -> HashMap<String, Option<String>> {
        let mut names = HashMap::new();
        let mut current = self.doc.scopes[scope].parent;
        while let Some(here) = current.filter(|&here| here != self.global) {
            for &symbol in &self.doc.scopes[here].symbols {
                let of = self.primals.get(&symbol).map(|&of| self.doc.symbols[of].id.clone());
                names.insert(self.doc.symbols[symbol].id.clone(), of);
            }
            current = self.doc.scopes[here].parent;
        }
        names
    }

    /// Lists each derivative behind its original, in the symbols and in the declarations.
    pub(super) fn interleave(&mut self, scope: ScopeId, derivatives: &HashMap<SymbolId, SymbolId>) {
        let ours: HashSet<SymbolId> = derivatives.values().copied().collect();
        let with = |list: &[SymbolId]| -> Vec<SymbolId> {
            let own = list.iter().filter(|symbol| !ours.contains(symbol));
            own.flat_map(|&s| std::iter::once(s).chain(derivatives.get(&s).copied())).collect()
        };
        let data = &mut self.doc.scopes[scope];
        data.symbols = with(&data.symbols);
        for item in &mut data.items {
            if let SpecItem::Declare(symbols) = item {
                *symbols = with(symbols);
            }
        }
    }

    /// The derivative of a variable: declared like it, in `scope`.
    pub(super) fn variable(
        &mut self,
        primal: SymbolId,
        scope: ScopeId,
        name: String,
        copied: &Copied,
        initialised: bool,
    ) -> Option<SymbolId> {
        let old = self.doc.symbols[primal].clone();
        let mut decl = old.decl.as_deref()?.clone();
        let lasting = self.is_lasting(primal, &decl, scope, initialised);
        (decl.init, decl.bind_name, decl.common, decl.value) = (None, None, None, None);
        copy_decl(self.doc, &mut decl, copied);
        decl.name = name.clone();
        decl.implicit = false;
        decl.attrs.retain(|&attr| is_shared(attr));
        let mut symbol = Symbol {
            id: name.to_ascii_lowercase(),
            scope,
            active: Some(false),
            temp: Some(true),
            ..old
        };
        if !self.lead(&mut symbol, &mut decl) {
            return None;
        }
        if lasting {
            decl.init = zero::initial(self.doc, &self.plan.types, &decl, decl.place);
            if decl.init.is_some() && !self.is_module(scope) {
                decl.attrs.insert(Attr::Save);
            }
        }
        let carries =
            self.plan.types.carries(decl.spec.base()) || decl.spec.base() == Base::ClassStar;
        symbol.decl = Some(Box::new(decl));
        let derivative = self.doc.add_symbol(symbol);
        self.primals.insert(derivative, primal);
        if carries {
            self.out.variables.insert(primal, derivative);
        }
        Some(derivative)
    }

    pub(super) fn is_module(&self, scope: ScopeId) -> bool {
        use xaif_schema::model::ScopeKind;
        matches!(self.doc.scopes[scope].kind, ScopeKind::Module(_))
    }

    /// Whether a variable lives as long as the program, so that its derivative begins with zero.
    /// Variables in COMMON and those that share storage are initialised with nothing.
    fn is_lasting(&self, primal: SymbolId, decl: &Decl, scope: ScopeId, initialised: bool) -> bool {
        if decl.common.is_some() || decl.intent.is_some() {
            return false;
        }
        let fixed = {
            let symbol = &self.doc.symbols[primal];
            let indirect = decl.has(Attr::Pointer) || decl.has(Attr::Allocatable);
            indirect || symbol.bounds.len() == usize::from(symbol.rank.unwrap_or(0))
        };
        let items = &self.doc.scopes[scope].items;
        let saved_by_default = items.iter().any(|item| matches!(item, SpecItem::SaveAll));
        let shares = items.iter().any(|item| match item {
            SpecItem::Equivalence(sets) => {
                sets.iter().flatten().any(|&reference| self.doc.refs[reference].base == primal)
            }
            _ => false,
        });
        let saved = decl.has(Attr::Save) || saved_by_default && !self.is_dummy_or_result(primal);
        let given = decl.init.is_some() || initialised;
        fixed && (given || !shares && (saved || self.is_module(scope)))
    }

    fn is_dummy_or_result(&self, symbol: SymbolId) -> bool {
        let scope = self.doc.symbols[symbol].scope;
        let is_one = |args: &[DummyArg], result: Option<SymbolId>| {
            result == Some(symbol) || args.iter().any(|arg| arg.symbol == Some(symbol))
        };
        self.doc.procs.values().rev().filter(|proc| proc.scope == scope).any(|proc| {
            let of_entry = |vertex: &Vertex| match &vertex.kind {
                VertexKind::Entry(Some(point)) => is_one(&point.args, point.result),
                _ => false,
            };
            let in_entries = match &proc.body {
                Body::Flow(cfg) => cfg.vertices.values().any(of_entry),
                Body::Interface | Body::Replacements { .. } => false,
            };
            in_entries || is_one(&proc.args, proc.result)
        })
    }

    /// Reports a variable whose derivatives in several directions have no place.
    fn no_room(&mut self, decl: &Decl, problem: &str) {
        let message = format!(
            "`{}` {problem}: its derivatives in several directions need another dimension",
            decl.name
        );
        let spot = self.doc.spot(decl.place);
        self.problems.push(
            Diagnostic::error(Code::NO_ROOM_FOR_DIRECTIONS, spot, message)
                .with_help("compute one direction at a time, without --directions"),
        );
    }

    /// Adds the leading dimension of the directions; an array is not passed by value. `false`: it cannot be (and
    /// has been said).
    fn lead(&mut self, symbol: &mut Symbol, decl: &mut Decl) -> bool {
        let Some(directions) = self.out.directions else { return true };
        let rank = symbol.rank.unwrap_or(0);
        if rank >= DIMENSIONS {
            self.no_room(decl, "has as many dimensions as the language allows");
            return false;
        }
        decl.attrs.remove(&Attr::Value);
        let assumed_rank = decl.dims.iter().any(|dim| matches!(dim, Dim::AssumedRank));
        if assumed_rank {
            return true;
        }
        let indirect = decl.has(Attr::Allocatable) || decl.has(Attr::Pointer);
        let leading = if indirect {
            Dim::Deferred
        } else if decl.dims.iter().any(|dim| matches!(dim, Dim::AssumedShape { .. })) {
            Dim::AssumedShape { lower: None }
        } else {
            let upper = integer(self.doc, i64::from(directions), decl.place);
            Dim::Explicit { lower: None, upper }
        };
        if symbol.bounds.len() == usize::from(rank) && !indirect {
            symbol.bounds.push((1, i64::from(directions)));
        }
        decl.dims.insert(0, leading);
        symbol.rank = Some(rank + 1);
        true
    }

    /// The derivative of an associate name stands for the derivative of its selector. An expression
    /// has none that could be declared here: its value is a matter of the mode.
    fn associate(&mut self, primal: SymbolId, name: String) -> Option<SymbolId> {
        let old = self.doc.symbols[primal].clone();
        let Some(Role::Associate { selector: Some(selector) }) = self.doc.role(primal) else {
            return None;
        };
        let ExprKind::Ref(reference) = self.doc.exprs[*selector].kind else { return None };
        let direction = super::Direction::All;
        let out = std::mem::take(&mut self.out);
        let derived = out.reference(self.doc, reference, direction);
        self.out = out;
        let selector = booster_build::value_of(self.doc, derived?);
        let mut decl = old.decl.as_deref()?.clone();
        copy_decl(self.doc, &mut decl, &Copied::default());
        decl.name = name.clone();
        decl.role = Role::Associate { selector: Some(selector) };
        let rank = Some(self.doc.exprs[selector].ty.rank);
        let id = name.to_ascii_lowercase();
        let derivative = self.doc.add_symbol(Symbol {
            id,
            rank,
            active: Some(false),
            temp: Some(true),
            decl: Some(Box::new(decl)),
            ..old
        });
        self.primals.insert(derivative, primal);
        self.out.variables.insert(primal, derivative);
        Some(derivative)
    }

    /// COMMON blocks, EQUIVALENCE and SAVE of blocks of `old`, for the derivatives in `new`.
    pub(super) fn shared_storage(&mut self, old: ScopeId, new: ScopeId, copied: &Copied) {
        let twins: HashMap<SymbolId, SymbolId> = self.doc.scopes[new]
            .symbols
            .iter()
            .filter_map(|&s| Some((*self.primals.get(&s)?, s)))
            .collect();
        let in_place = !self.is_module(new);
        let items = if in_place {
            std::mem::take(&mut self.doc.scopes[new].items)
        } else {
            self.doc.scopes[old].items.clone()
        };
        let mut result = Vec::new();
        for item in items {
            if in_place && item == SpecItem::SaveAll {
                // What the derivative declares besides is not meant.
                self.save_each(new);
                continue;
            }
            let twin = match &item {
                SpecItem::Common { block, members } => {
                    let block = *block;
                    let members: Vec<SymbolId> = members
                        .iter()
                        .map(|&member| if in_place { member } else { copied.copier.symbol(member) })
                        .filter_map(|member| twins.get(&member).copied())
                        .collect();
                    self.common(block, members)
                }
                SpecItem::SaveCommon(blocks) => {
                    let blocks: Vec<SymbolId> =
                        blocks.iter().filter_map(|&block| self.block(block)).collect();
                    (!blocks.is_empty()).then_some(SpecItem::SaveCommon(blocks))
                }
                SpecItem::Equivalence(sets) => {
                    let sets = sets.clone();
                    self.equivalence(&sets, &twins)
                }
                _ => None,
            };
            if in_place {
                result.push(item);
            }
            result.extend(twin);
        }
        let data = &mut self.doc.scopes[new];
        if in_place { data.items = result } else { data.items.extend(result) }
    }

    /// Gives SAVE to the variables of a procedure that SAVE without a list means, and to their derivatives.
    fn save_each(&mut self, scope: ScopeId) {
        for symbol in self.doc.scopes[scope].symbols.clone() {
            let original = self.primals.get(&symbol).copied().unwrap_or(symbol);
            let meant = self.is_saved_by_default(original);
            if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut().filter(|_| meant) {
                decl.attrs.insert(Attr::Save);
            }
        }
    }

    /// Whether SAVE without a list means a variable: no arguments, results, or arrays whose extents are
    /// computed, and what is in COMMON is not saved by its name.
    fn is_saved_by_default(&self, symbol: SymbolId) -> bool {
        let data = &self.doc.symbols[symbol];
        let Some(decl) = data.decl.as_deref() else { return false };
        matches!(decl.role, Role::Variable)
            && !decl.has(Attr::Parameter)
            && decl.common.is_none()
            && has_constant_bounds(data)
            && !self.is_dummy_or_result(symbol)
    }

    fn common(&mut self, block: SymbolId, members: Vec<SymbolId>) -> Option<SpecItem> {
        if members.is_empty() {
            return None;
        }
        let block = self.block(block)?;
        for &member in &members {
            let position = self.primals.get(&member).and_then(|&primal| {
                self.doc.symbols[primal].decl.as_ref()?.common.map(|(_, position)| position)
            });
            if let Some(decl) = self.doc.symbols[member].decl.as_deref_mut() {
                decl.common = Some((block, position.unwrap_or(0)));
            }
        }
        Some(SpecItem::Common { block, members })
    }

    /// The derivative of a COMMON block, where it has one.
    fn block(&mut self, block: SymbolId) -> Option<SymbolId> {
        if let Some(&derivative) = self.blocks.get(&block) {
            return Some(derivative);
        }
        self.plan.commons.get(&block)?;
        let name = match self.doc.name(block).trim_matches('/') {
            "" => "blank",
            name => name,
        };
        let wish = names::derived(name, &self.naming.procedure);
        let name = self.global_name(&wish, self.global);
        let place = self.doc.symbols[block].decl.as_ref().map(|d| d.place).unwrap_or_default();
        let decl = declaration(name.clone(), Role::CommonBlock, place);
        let symbol = plain_symbol(self.global, decl);
        let id = format!("/{}/", name.to_ascii_lowercase());
        let derivative = self.doc.add_symbol(Symbol { id, ..symbol });
        self.blocks.insert(block, derivative);
        Some(derivative)
    }

    fn equivalence(
        &mut self,
        sets: &[Vec<RefId>],
        twins: &HashMap<SymbolId, SymbolId>,
    ) -> Option<SpecItem> {
        let mut mirrored = Vec::new();
        for set in sets {
            let twins: Option<Vec<(RefId, SymbolId)>> =
                set.iter().map(|&r| Some((r, *twins.get(&self.doc.refs[r].base)?))).collect();
            let Some(twins) = twins else { continue };
            let members = twins.into_iter().map(|(reference, twin)| self.overlay(reference, twin));
            mirrored.push(members.collect());
        }
        (!mirrored.is_empty()).then_some(SpecItem::Equivalence(mirrored))
    }

    /// A member of an EQUIVALENCE set, for the derivative.
    fn overlay(&mut self, reference: RefId, twin: SymbolId) -> RefId {
        let copy = Copier::new().reference(self.doc, reference);
        self.doc.refs[copy].base = twin;
        if self.out.directions.is_some() {
            let place = self.doc.refs[copy].place;
            let first = integer(self.doc, 1, place);
            if let Some(Part::Elements(list)) = self.doc.refs[copy].parts.first_mut() {
                list.insert(0, Subscript::Index(first));
            }
        }
        copy
    }

    /// Leaves out what gives variables of COMMON their first values: outside of BLOCK DATA, where old programs
    /// have it, the program would do that twice.
    pub(super) fn leave_common(&mut self, scope: ScopeId) {
        let in_common = |doc: &Document, symbol: SymbolId| {
            doc.symbols[symbol].decl.as_deref().is_some_and(|decl| decl.common.is_some())
        };
        let mut items = std::mem::take(&mut self.doc.scopes[scope].items);
        for item in &mut items {
            if let SpecItem::Data(sets) = item {
                sets.retain(|set| {
                    let named = data_variables(self.doc, set.objects.clone());
                    named.is_empty() || !named.iter().all(|&one| in_common(self.doc, one))
                });
            }
        }
        items.retain(|item| !matches!(item, SpecItem::Data(sets) if sets.is_empty()));
        self.doc.scopes[scope].items = items;
        for symbol in self.doc.scopes[scope].symbols.clone() {
            if in_common(self.doc, symbol)
                && let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut()
            {
                decl.init = None;
            }
        }
    }

    /// The variables that DATA statements of a scope initialise.
    fn data_objects(&self, scope: ScopeId) -> HashSet<SymbolId> {
        let sets = self.doc.scopes[scope].items.iter().filter_map(|item| match item {
            SpecItem::Data(sets) => Some(sets),
            _ => None,
        });
        let objects = sets.flatten().flat_map(|set| &set.objects).copied().collect();
        data_variables(self.doc, objects).into_iter().collect()
    }

    /// Derivative variables of `scopes` that a type fills with values when they come into being.
    pub(super) fn note_zeroed(&mut self, proc: ProcId, scopes: &[ScopeId]) {
        let symbols = scopes.iter().flat_map(|&scope| &self.doc.scopes[scope].symbols);
        let zeroed: Vec<SymbolId> = symbols
            .copied()
            .filter(|symbol| self.primals.contains_key(symbol) && self.comes_with_values(*symbol))
            .collect();
        if !zeroed.is_empty() {
            self.out.zeroed.push((proc, zeroed));
        }
    }

    fn comes_with_values(&self, derivative: SymbolId) -> bool {
        let Some(decl) = self.doc.symbols[derivative].decl.as_deref() else { return false };
        let indirect = decl.has(Attr::Allocatable) || decl.has(Attr::Pointer);
        let out = decl.intent == Some(xaif_schema::model::Intent::Out);
        matches!(decl.role, Role::Variable)
            && self.plan.types.is_initialised(&decl.spec)
            && !indirect
            && decl.init.is_none()
            && decl.common.is_none()
            && (out || !self.is_dummy_or_result(derivative))
    }

    /// Where a symbol is declared.
    pub(super) fn place_of(&self, symbol: SymbolId) -> Place {
        self.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place).unwrap_or_default()
    }
}

/// Whether a derivative has an attribute of its original.
fn is_shared(attr: Attr) -> bool {
    match attr {
        Attr::Allocatable
        | Attr::Pointer
        | Attr::Target
        | Attr::Contiguous
        | Attr::Optional
        | Attr::Value
        | Attr::Save
        | Attr::Volatile
        | Attr::Asynchronous
        | Attr::Restrict => true,
        Attr::Parameter
        | Attr::Protected
        | Attr::Public
        | Attr::Private
        | Attr::External
        | Attr::Intrinsic
        | Attr::BindC
        | Attr::Pure
        | Attr::Impure
        | Attr::Elemental
        | Attr::Recursive
        | Attr::NonRecursive
        | Attr::Module
        | Attr::Abstract
        | Attr::Sequence
        | Attr::PrivateComponents
        | Attr::PrivateBindings
        | Attr::Deferred
        | Attr::NonOverridable
        | Attr::NoPass
        | Attr::Pass
        | Attr::Enumerator
        | Attr::Const
        | Attr::Static
        | Attr::Extern
        | Attr::Inline
        | Attr::Register => false,
    }
}
