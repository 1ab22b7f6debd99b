//! Split mode: procedures that execute one sweep, and what the forward sweep leaves for the backward
//! one.
//!
//! `p_fwd` and `p_bwd` are made from two copies of one body, so that one pops what the other has
//! pushed. Nothing but the tape goes from the first to the second, so the local variables that the
//! backward sweep names, and does not set first, are pushed where the forward sweep ends and popped
//! where the backward sweep begins: allocatable ones with their bounds. A saved variable is treated alike; it keeps its value
//! in `p_fwd` from one call to the next, as in the original.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Base, Body, Cfg, Document, DummyArg, ExprId, ExprKind, Place, ProcId, RefId, Reference,
    Role, ScopeId, ScopeKind, SymbolId,
};

use crate::body::{Adjoint, entries};
use crate::call_modes::choice::{CallModes, Modes, Wanted, wanted};
use crate::calls::definite_assignment::is_set_first;
use crate::queries::designators::is_bytes;
use crate::tbr;
use booster_build::component_of;
use booster_build::{Emitter, mentions_of_declaration, rewrite_entry, whole};
use booster_facts::overwrites::Overwrites;
use booster_facts::side_effects::SideEffects;
use booster_facts::{Accesses, Bodies, Storage};
use booster_reversal as reversal;
use booster_shadow::derivative::Counterparts;
use booster_tangent as tangent;

/// Makes the procedures that split calls need. Where facts of TBR analysis rely on a call that is
/// split not being so, none of them is used: the result has a warning.
pub(crate) fn make(
    doc: &mut Document,
    mut parts: Counterparts,
    options: &tangent::Options,
    modes: &Modes,
) -> (Counterparts, Diagnostics) {
    let mut warnings = Diagnostics::new();
    let mut wanted = chosen(doc, &parts, options, modes);
    let relied_on = wanted.calls.iter().find(|&&stmt| doc.stmts[stmt].joint);
    if let Some(&stmt) = relied_on {
        let message =
            "xaif-tbr took this call for one that is not split; what it found is not used";
        let warning =
            Diagnostic::warning(Code::OTHER_MODES, doc.spot(doc.stmts[stmt].place), message);
        warnings.push(
            warning
                .with_help("give xaif-tbr the same --split, --split-all, --joint and --joint-all"),
        );
        tbr::forget(doc);
        wanted = chosen(doc, &parts, options, modes);
    }
    warnings.extend(std::mem::take(&mut wanted.warnings));
    if !wanted.procs.is_empty() {
        parts.split(doc, &wanted.procs, &wanted.addressed, (&wanted.callables, &wanted.halved));
        parts.dispatching_forward().into_iter().for_each(|proc| without_arms(doc, &parts, proc));
    }
    (parts, warnings)
}

/// A procedure that chooses among forward halves does not ask for the types of adjoints it is not given.
fn without_arms(doc: &mut Document, parts: &Counterparts, proc: ProcId) {
    let given: HashSet<SymbolId> =
        doc.procs[proc].args.iter().filter_map(|arg| arg.symbol).collect();
    let adjoints = parts.derivatives();
    let is_gone = |doc: &Document, selector: ExprId| match doc.exprs[selector].kind {
        ExprKind::Ref(reference) => {
            let base = doc.refs[reference].base;
            adjoints.contains(&base) && !given.contains(&base)
        }
        _ => false,
    };
    if let Body::Flow(mut cfg) = std::mem::replace(&mut doc.procs[proc].body, Body::Interface) {
        reversal::take_out_narrowing(doc, &mut cfg, is_gone);
        doc.procs[proc].body = Body::Flow(cfg);
    }
}

/// What split mode needs.
fn chosen(
    doc: &Document,
    parts: &Counterparts,
    options: &tangent::Options,
    modes: &Modes,
) -> Wanted {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, &options.externals);
    let overwrites: HashMap<ProcId, Overwrites> = parts
        .procedures
        .iter()
        .filter_map(|&(_, proc)| {
            let body = bodies.get(proc)?;
            Some((proc, Overwrites::new(&accesses, body, &options.externals, &effects)))
        })
        .collect();
    let rules = (&options.externals, &options.catalogue);
    let chooser = CallModes::new(&accesses, &bodies, rules, Some(parts), modes, &effects);
    wanted(chooser, parts, &overwrites)
}

impl Adjoint<'_> {
    /// The variables of the activation, before the sweeps add theirs.
    pub(crate) fn kept_variables(&mut self, doc: &mut Document) -> Vec<SymbolId> {
        let adjoints = self.tools.parts.derivatives();
        let lives_here = |symbol: &SymbolId| {
            let Some(decl) = doc.symbols[*symbol].decl.as_deref() else { return false };
            let passed = self.is_dummy(*symbol) && !decl.has(Attr::Value);
            matches!(decl.role, Role::Variable)
                && !passed
                && !adjoints.contains(symbol)
                && decl.common.is_none()
        };
        let own = self.own_scopes(doc).into_iter();
        let own: Vec<SymbolId> = own.flat_map(|scope| doc.scopes[scope].symbols.clone()).collect();
        let mut kept: Vec<SymbolId> = own.iter().copied().filter(lives_here).collect();
        kept.extend(self.kept_procedures(doc, own));
        kept
    }

    /// The scope of the procedure and those of the constructs in it.
    fn own_scopes(&self, doc: &Document) -> Vec<ScopeId> {
        let nest = doc.nest();
        let mut own = vec![self.scope(doc)];
        let mut next = 0;
        while let Some(&here) = own.get(next) {
            next += 1;
            let inner = nest.children(here).iter().copied();
            own.extend(inner.filter(|&scope| doc.scopes[scope].kind == ScopeKind::Block));
        }
        own[1..].sort_unstable();
        own
    }

    /// The body is the backward sweep, of which only the names are needed: it becomes the forward
    /// sweep, and the variables that were named are pushed at its end.
    pub(crate) fn only_forward(
        &mut self,
        doc: &mut Document,
        forward: Cfg,
        kept: Vec<SymbolId>,
    ) -> Result<(), Diagnostic> {
        let kept = self.named_of(doc, kept);
        for &symbol in &kept {
            self.can_be_left(doc, symbol)?;
            self.is_there_in_any_case(doc, &forward, symbol)?;
        }
        let (scope, place) = (self.scope(doc), doc.procs[self.proc].place);
        let mut end = Cfg::default();
        let mut e = Emitter::fresh(doc, scope, &mut end, place);
        for symbol in kept {
            self.leave(&mut e, symbol)?;
        }
        self.leave_count(&mut e);
        e.finish();
        let whole = reversal::append_to_call(doc, scope, forward, end);
        doc.procs[self.proc].body = Body::Flow(whole);
        Ok(())
    }

    /// The body is the backward sweep: what the forward sweep has pushed last is popped first. By
    /// whatever name the forward sweep was entered, the backward sweep begins at the same place, and the
    /// tape tells where it ends.
    pub(crate) fn only_backward(
        &mut self,
        doc: &mut Document,
        forward: Cfg,
        kept: Vec<SymbolId>,
    ) -> Result<(), Diagnostic> {
        let kept = self.named_of(doc, kept);
        rewrite_entry(doc, self.proc, |e| {
            let calls = self.find_count(e);
            kept.iter().rev().try_for_each(|&symbol| self.find_again(e, symbol))?;
            calls.map_or(Ok(()), |calls| self.begin_by_count(e, calls))
        })?;
        if let Body::Flow(backward) = &mut doc.procs[self.proc].body {
            reversal::enter_alike(backward, &forward);
        }
        Ok(())
    }

    fn named_of(&mut self, doc: &mut Document, kept: Vec<SymbolId>) -> Vec<SymbolId> {
        let named = self.tools.named(doc);
        let (variables, procedures): (Vec<SymbolId>, Vec<SymbolId>) = kept
            .into_iter()
            .partition(|&symbol| matches!(doc.role(symbol), Some(Role::Variable) | None));
        let mut needed: Vec<SymbolId> = match &doc.procs[self.proc].body {
            Body::Flow(cfg) => {
                let is_needed = |symbol: &SymbolId| {
                    self.shapes_kept(doc, *symbol)
                        || named.contains(symbol) && !is_set_first(doc, cfg, *symbol)
                };
                variables.into_iter().filter(is_needed).collect()
            }
            Body::Interface | Body::Replacements { .. } => variables,
        };
        for pointer in procedures {
            let names = self.beside(doc, pointer);
            if names.into_iter().chain([pointer]).any(|name| named.contains(&name)) {
                needed.push(pointer);
            }
        }
        needed
    }

    /// Pushes a variable where the forward sweep ends.
    fn leave(&mut self, e: &mut Emitter<'_>, symbol: SymbolId) -> Result<(), Diagnostic> {
        let object = whole(e.doc, symbol, place_of(e.doc, symbol));
        self.hand_over(e, object, true)
    }

    /// Pops a variable where the backward sweep begins.
    fn find_again(&mut self, e: &mut Emitter<'_>, symbol: SymbolId) -> Result<(), Diagnostic> {
        let object = whole(e.doc, symbol, place_of(e.doc, symbol));
        self.hand_over(e, object, false)
    }

    /// Pushes or pops a variable: of a pointer the association, with that of its adjoint.
    fn hand_over(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        push: bool,
    ) -> Result<(), Diagnostic> {
        if self.is_pointer(e.doc, object) {
            return self.hold(e, object, push);
        }
        let Reference { base, ty, .. } = e.doc.refs[object];
        let own = e.doc.refs[object].clone();
        match ty.base {
            Base::Derived(owner)
                if ty.rank == 0
                    && !is_bytes(e.doc, ty.base)
                    && !e.doc.refs[object]
                        .whole_entity()
                        .is_some_and(|s| e.doc.has(s, Attr::Allocatable))
                    && !e.doc.has(base, Attr::Optional) =>
            {
                let mut parts = e.doc.data_components(owner);
                if !push {
                    parts.reverse();
                }
                parts.into_iter().try_for_each(|component| {
                    let part = component_of(e.doc, object, component);
                    self.hand_over(e, part, push)
                })
            }
            _ => {
                let allocation = self.allocation.get(&self.proc);
                let there = allocation.and_then(|known| known.is_allocated_at_exit(&own));
                self.tape_known(e, &own, push, (there, None))
            }
        }
    }

    /// Refuses a variable that is not there, or has no extent, where the procedure is entered by one of
    /// its names, of which a dummy argument is missing.
    fn is_there_in_any_case(
        &self,
        doc: &Document,
        forward: &Cfg,
        symbol: SymbolId,
    ) -> Result<(), Diagnostic> {
        let passed = |args: &[DummyArg], name| args.iter().any(|arg| arg.symbol == Some(name));
        let scope = doc.procs[self.proc].scope;
        let is_missing = |&name: &SymbolId| {
            // What a host is given is there by any name.
            self.is_dummy(name)
                && doc.symbols[name].scope == scope
                && (!passed(&doc.procs[self.proc].args, name)
                    || entries(forward).any(|entry| !passed(&entry.args, name)))
        };
        let mentioned = mentions_of_declaration(doc, symbol).into_iter().map(|m| m.symbol);
        let Some(name) = mentioned.chain([symbol]).find(is_missing) else { return Ok(()) };
        let message = format!(
            "`{}` must go from the forward to the backward sweep of a call that is split, and depends on \
             `{}`, which is no argument of each ENTRY",
            doc.name(symbol),
            doc.name(name)
        );
        Err(Diagnostic::error(Code::SPLIT_REFUSED, doc.spot(place_of(doc, symbol)), message)
            .with_help("make procedures of the entries"))
    }

    fn can_be_left(&self, doc: &Document, symbol: SymbolId) -> Result<(), Diagnostic> {
        let (name, place) = (doc.name(symbol), place_of(doc, symbol));
        let text = matches!(
            doc.symbols[symbol].decl.as_deref().map(|d| d.spec.base()),
            Some(Base::Character(_))
        ) && doc.has(symbol, Attr::Allocatable);
        let saved = self.storage.procedures().is_static(symbol);
        let why = if doc.has(symbol, Attr::Pointer) && saved {
            "is a pointer that keeps its association"
        } else if text {
            "is an allocatable character variable"
        } else {
            return Ok(());
        };
        let message = format!(
            "`{name}` {why}, whose state cannot go from the forward to the backward sweep of a call \
             that is split"
        );
        Err(Diagnostic::error(Code::SPLIT_REFUSED, doc.spot(place), message)
            .with_help("make it a variable of the module, or an argument of the procedure"))
    }
}

/// Where a variable is declared.
pub(crate) fn place_of(doc: &Document, symbol: SymbolId) -> Place {
    doc.symbols[symbol].decl.as_ref().map(|decl| decl.place).unwrap_or_default()
}
