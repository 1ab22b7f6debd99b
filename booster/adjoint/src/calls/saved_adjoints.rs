//! Adjoints of saved local variables.
//!
//! A saved variable takes a value from one call to the next, so its adjoint goes back from one backward
//! sweep to the one before. Who calls the procedure has no name for the variable, so all calls that
//! lead to it are split (`modes`): within one derivative all `p_fwd` are executed before all `p_bwd`, and
//! these in reverse order. The adjoint is a saved variable of `p_bwd`.
//!
//! What the variable holds as the head begins counts as a constant, and what it holds in the end as no
//! result. So the adjoint is zero where a backward sweep of the head begins. In `p_b`, which executes
//! both sweeps, that is at each call. `p_bwd` must be told: `p_fwd` counts its calls and pushes the
//! number; while a backward sweep goes on, `p_bwd` finds one number less each time, and where it finds
//! another one, a new backward sweep has begun. The adjoint of an allocatable variable is allocated then
//! as its original is, which the tape has brought before; from there on the backward sweeps mirror what
//! the forward sweeps have allocated and released.

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Attr, Base, BoolOp, Document, Init, Place, ProcId, Role, SymbolId};

use crate::body::Adjoint;
use crate::queries::designators::is_plain;
use crate::queries::tape_operations::operation;
use booster_build::{Emitter, binary, boolean, integer, new_variable, value_of, whole};
use booster_facts::Storage;
use booster_facts::side_effects::Summary;
use booster_flow::Callees;
use booster_shadow::derivative::{Counterparts, Sweep};

/// The type of what counts calls.
const COUNT: Base = Base::Integer(8);

/// Whether a variable is in COMMON, or shares storage with what is: its adjoint is one for all procedures.
fn is_in_common(doc: &Document, storage: &Storage, symbol: SymbolId) -> bool {
    let in_common = |symbol: SymbolId| {
        doc.symbols[symbol].decl.as_ref().is_some_and(|decl| decl.common.is_some())
    };
    in_common(symbol)
        || storage.locations_of_symbol(symbol).iter().any(|&location| {
            storage.locations()[location].members.iter().any(|member| in_common(member.symbol))
        })
}

/// The saved variables of each procedure whose adjoints go from one call to another, with a warning for
/// each; an error for those of which adjoints cannot do that.
pub(crate) fn kept(
    doc: &Document,
    storage: &Storage,
    parts: &Counterparts,
    effects: impl Fn(ProcId) -> Summary,
) -> (HashMap<ProcId, Vec<SymbolId>>, Diagnostics) {
    let (mut found, mut told) = (HashMap::new(), Diagnostics::new());
    let recursive = Callees::new(doc).recursive();
    for &(original, proc) in &parts.procedures {
        let scope = doc.procs[proc].scope;
        let whole = parts.sweep_of(proc) == Sweep::Both;
        let calls_itself =
            recursive.contains(&original) || doc.has(doc.procs[original].symbol, Attr::Recursive);
        if whole && calls_itself {
            let summary = effects(proc);
            let changed = doc.scopes[scope].symbols.iter().find(|&&symbol| {
                let locations = storage.locations_of_symbol(symbol);
                // A block is one for the procedure and all its derivatives.
                storage.procedures().is_static(symbol)
                    && !is_in_common(doc, storage, symbol)
                    && locations.iter().any(|location| summary.out.contains(location))
            });
            changed.into_iter().for_each(|&symbol| told.push(two_of(doc, symbol)));
        }
        let local = doc.scopes[scope].symbols.iter().copied().filter(|&symbol| {
            let decl = doc.symbols[symbol].decl.as_deref();
            storage.procedures().is_static(symbol)
                && decl.is_some_and(|d| matches!(d.role, Role::Variable))
                && !is_in_common(doc, storage, symbol)
                && parts.variable(symbol).is_some()
        });
        let mut local: Vec<SymbolId> = local.collect();
        if local.is_empty() {
            continue;
        }
        let goes_on = effects(proc).goes_on(storage);
        local.retain(|&symbol| {
            let locations = storage.locations_of_symbol(symbol);
            locations.iter().any(|location| goes_on.contains(location))
        });
        if whole {
            local.iter().for_each(|&symbol| told.push(message(doc, symbol)));
        }
        found.insert(proc, local);
    }
    (found, told)
}

/// `p_b` calls `p_fwd`, and each has what the procedure keeps.
fn two_of(doc: &Document, symbol: SymbolId) -> Diagnostic {
    let place = doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
    let message = format!(
        "`{}` keeps its value for the next call of a procedure that may call itself: in its adjoint there would be two of it",
        doc.name(symbol)
    );
    Diagnostic::error(Code::SPLIT_REFUSED, doc.spot(place.unwrap_or_default()), message)
        .with_help("make it a variable of a module")
}

fn message(doc: &Document, symbol: SymbolId) -> Diagnostic {
    let name = doc.name(symbol);
    let place = doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
    let spot = doc.spot(place.unwrap_or_default());
    let base = doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    let indirect = doc.has(symbol, Attr::Pointer) || matches!(base, Base::Character(_));
    let help = "make it a variable of a module, whose adjoint can be seen";
    if indirect || !is_plain(doc, base) {
        let message =
            format!("`{name}` keeps its value for the next call, and its adjoint would, too");
        return Diagnostic::error(Code::SAVED_ADJOINT, spot, message).with_help(help);
    }
    let message = format!(
        "`{name}` keeps its value for the next call; what it holds as a derivative begins counts as a constant"
    );
    Diagnostic::warning(Code::SAVED_ADJOINT, spot, message).with_help(help)
}

impl Adjoint<'_> {
    fn has_kept(&self) -> bool {
        self.kept.get(&self.proc).is_some_and(|kept| !kept.is_empty())
    }

    /// Whether the allocation of a variable tells that of an adjoint that goes from call to call.
    pub(crate) fn shapes_kept(&self, doc: &Document, symbol: SymbolId) -> bool {
        doc.has(symbol, Attr::Allocatable)
            && self.kept.get(&self.proc).is_some_and(|kept| kept.contains(&symbol))
    }

    /// Sets the adjoints to zero where a backward sweep of the head begins in any case.
    pub(crate) fn begin_kept(&mut self, e: &mut Emitter<'_>) -> Result<(), Diagnostic> {
        match self.tools.parts.sweep_of(self.proc) {
            Sweep::Both => self.zero_kept(e),
            Sweep::Forward | Sweep::Backward => Ok(()),
        }
    }

    fn zero_kept(&mut self, e: &mut Emitter<'_>) -> Result<(), Diagnostic> {
        for symbol in self.kept.get(&self.proc).cloned().unwrap_or_default() {
            let place = e.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
            let original = whole(e.doc, symbol, place.unwrap_or_default());
            match e.doc.has(symbol, Attr::Allocatable) {
                true => self.renew(e, original)?,
                false => self.begin(e, original, true)?,
            }
        }
        Ok(())
    }

    /// `calls = calls + 1; call push(calls)` at the end of a forward sweep.
    pub(crate) fn leave_count(&self, e: &mut Emitter<'_>) {
        if !self.has_kept() {
            return;
        }
        let place = Place::default();
        let calls = self.counter(e, "calls");
        let (before, one) = (read(e, calls), integer(e.doc, 1, place));
        let next = binary(e.doc, "add_scal_scal", before, one);
        let target = whole(e.doc, calls, place);
        e.assign(target, next, place);
        let value = read(e, calls);
        operation(e, "push", value, place);
    }

    /// `call pop(calls)` where a backward sweep begins.
    pub(crate) fn find_count(&mut self, e: &mut Emitter<'_>) -> Option<SymbolId> {
        if !self.has_kept() {
            return None;
        }
        let place = Place::default();
        let scope = self.scope(e.doc);
        let calls = new_variable(e.doc, scope, "calls", COUNT, place);
        let value = read(e, calls);
        operation(e, "pop", value, place);
        Some(calls)
    }

    /// `if (calls + 1 /= last) xb = 0; last = calls` behind what else is taken from the tape.
    pub(crate) fn begin_by_count(
        &mut self,
        e: &mut Emitter<'_>,
        calls: SymbolId,
    ) -> Result<(), Diagnostic> {
        let place = Place::default();
        let last = self.counter(e, "last");
        let (own, one) = (read(e, calls), integer(e.doc, 1, place));
        let next = binary(e.doc, "add_scal_scal", own, one);
        let before = read(e, last);
        let is_new = boolean(e.doc, BoolOp::NotEqual, &[next, before]);
        e.open_if(is_new, place);
        self.zero_kept(e)?;
        e.close_if();
        let (target, own) = (whole(e.doc, last, place), read(e, calls));
        e.assign(target, own, place);
        Ok(())
    }

    /// A saved variable that begins with zero.
    fn counter(&self, e: &mut Emitter<'_>, wish: &str) -> SymbolId {
        let place = Place::default();
        let scope = self.scope(e.doc);
        let symbol = new_variable(e.doc, scope, wish, COUNT, place);
        let none = integer(e.doc, 0, place);
        if let Some(decl) = e.doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Save);
            decl.init = Some(Init::Value(none));
        }
        symbol
    }
}

fn read(e: &mut Emitter<'_>, symbol: SymbolId) -> xaif_schema::model::ExprId {
    let reference = whole(e.doc, symbol, Place::default());
    value_of(e.doc, reference)
}
