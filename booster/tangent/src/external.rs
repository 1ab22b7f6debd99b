//! Calls of procedures whose source is not given, as a specification of externals tells of them.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Body, Callee, Document, ExprKind, Place, ProcClass, ProcSort, ProcedureInfo,
    RefId, Reference, Role, Symbol, SymbolId,
};

use super::body::Tangent;
use booster_build::Emitter;
use booster_facts::activity::explain;
use booster_facts::externals::{Derivative, Effect, External, component_named};
use booster_shadow::derivative::{Slot, declaration, symbol};

/// A call of a procedure for which there is no derivative procedure.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// The callee.
    pub callee: &'a Callee,
    /// The actual arguments.
    pub args: &'a [Arg],
    /// What activity analysis says.
    pub active: Option<bool>,
    /// The variable that takes the result of a function.
    pub result: Option<RefId>,
    /// The place of the call.
    pub place: Place,
}

impl Tangent<'_> {
    /// The derivative procedure of what is called: one that was made, or the one that a
    /// specification names.
    pub fn callee(&mut self, doc: &mut Document, callee: &Callee) -> Option<SymbolId> {
        if let Some(known) = self.parts.callee(callee.symbol) {
            return Some(known);
        }
        let external = self.externals.find(doc, callee.symbol)?;
        let derivative = self.told(external)?;
        let symbol = procedure_named(doc, &derivative.name)?;
        let slots = slots(external, derivative);
        self.parts.add_callee(callee.symbol, symbol, slots);
        Some(symbol)
    }

    /// Whether there is a derivative procedure: one that was made, or one that a specification names.
    pub fn has_derivative(&self, doc: &Document, callee: SymbolId) -> bool {
        let told = || self.externals.find(doc, callee).and_then(|found| self.told(found));
        self.parts.callee(callee).is_some() || told().is_some()
    }

    /// What a specification tells of the derivative of this mode.
    fn told<'e>(&self, external: &'e External) -> Option<&'e Derivative> {
        let told = if self.adjoint { &external.adjoint } else { &external.tangent };
        told.as_ref()
    }

    /// What a derivative of this mode is called.
    fn word(&self) -> &'static str {
        if self.adjoint { "adjoint" } else { "tangent" }
    }

    /// A call of a procedure without derivative: an error where activity passes through it. What it
    /// overwrites by a specification has the derivative zero behind it; these are the result, with
    /// the variable that takes the result of a function.
    pub fn without_derivative(
        &mut self,
        doc: &mut Document,
        outside: &Outside<'_>,
    ) -> Result<Vec<RefId>, Diagnostic> {
        let Outside { callee, args, active, result, place } = *outside;
        let externals = self.externals;
        let name = doc.name(callee.symbol).to_owned();
        let result = result.filter(|&result| self.is_active(doc, result));
        let Some(external) = externals.find(doc, callee.symbol) else {
            let passes = match active {
                Some(active) => active,
                None => result.is_some() || self.any_active(doc, args),
            };
            if passes {
                return Err(self.unknown(doc, outside));
            }
            // Nothing that is differentiated is inside the other procedures of the document.
            if active.is_none() && !self.changes_no_global(doc, callee.symbol) {
                self.refuse_globals(doc, callee.symbol, place)?;
            }
            return Ok(Vec::new());
        };
        let mut zeroed = Vec::new();
        let word = self.word();
        let help = format!("name its {word} in the specification of externals");
        let help = help.as_str();
        for arg in args {
            let Some(effect) = external.argument(arg.position) else { continue };
            let Some(reference) = variable(doc, arg) else { continue };
            for (effect, part) in written_parts(doc, effect, reference) {
                if !self.parts.has_derivative(&part) {
                    continue;
                }
                if self.depends_on_active(doc, external, effect, args) {
                    let message = format!(
                        "`{}` depends on active arguments of `{name}`, whose {word} nobody has told",
                        doc.name(part.entity().unwrap_or(part.base))
                    );
                    let error =
                        self.error(doc, Code::NO_DERIVATIVE_PROCEDURE, place, message, help);
                    return Err(self.with_chain(doc, error, outside));
                }
                zeroed.push(doc.refs.push(part));
            }
        }
        if let Some(result) = result {
            let depends = external
                .result
                .as_ref()
                .is_none_or(|effect| self.depends_on_active(doc, external, effect, args));
            if depends {
                let message = format!(
                    "the result of `{name}` depends on active arguments, and nobody has told what its \
                     {word} is called"
                );
                let error = self.error(doc, Code::NO_DERIVATIVE_PROCEDURE, place, message, help);
                return Err(self.with_chain(doc, error, outside));
            }
            zeroed.push(result);
        }
        match &external.globals {
            Some(globals) => {
                let depends: Vec<bool> = globals
                    .iter()
                    .map(|effect| self.depends_on_active(doc, external, effect, args))
                    .collect();
                zeroed.extend(self.zeroed_globals(doc, external, &depends, place)?);
            }
            None if external.pure || active == Some(false) => {}
            None => self.refuse_globals(doc, callee.symbol, place)?,
        }
        Ok(zeroed)
    }

    fn unknown(&self, doc: &Document, outside: &Outside<'_>) -> Diagnostic {
        let name = doc.name(outside.callee.symbol);
        let error = self.error(
            doc,
            Code::NO_DERIVATIVE_PROCEDURE,
            outside.place,
            format!("activity passes through `{name}`, which has no derivative"),
            &format!(
                "give its source, too, or tell by --externals what it does and what its {} is called",
                self.word()
            ),
        );
        self.with_chain(doc, error, outside)
    }

    /// Adds to the first message of this kind how activity comes here.
    fn with_chain(&self, doc: &Document, error: Diagnostic, outside: &Outside<'_>) -> Diagnostic {
        let told = self.problems.iter().any(|known| known.code == error.code);
        if outside.active != Some(true) || told {
            return error;
        }
        let found = self.original_of(doc, outside).map(|symbol| {
            let chain = explain(doc, self.externals, symbol);
            (symbol, chain)
        });
        match found {
            Some((symbol, chain)) if !chain.is_empty() => {
                let title = format!("`{}` is active:", doc.name(symbol));
                let error = error.with_note(None, title);
                chain.into_iter().fold(error, |error, (spot, text)| error.with_note(spot, text))
            }
            Some(_) | None => error,
        }
    }

    /// The user's own variable behind the first active variable of a call.
    fn original_of(&self, doc: &Document, outside: &Outside<'_>) -> Option<SymbolId> {
        let passed = outside.args.iter().filter_map(|arg| variable(doc, arg));
        let mut active = passed.chain(outside.result).filter(|&r| self.is_active(doc, r));
        let symbol = doc.refs[active.next()?].base;
        if doc.symbols[symbol].scope != self.scope(doc) {
            return Some(symbol);
        }
        let own = self.parts.procedures.iter().find(|(_, derivative)| *derivative == self.proc)?;
        doc.symbol_in(doc.procs[own.0].scope, &doc.symbols[symbol].id)
    }

    /// Whether an interface promises that no global variable is changed.
    fn changes_no_global(&self, doc: &Document, callee: SymbolId) -> bool {
        let proc = doc.procedure_of(callee);
        let known = proc.is_some_and(|proc| !matches!(doc.procs[proc].body, Body::Interface));
        known || doc.is_promised_pure(callee)
    }

    /// Whether an output of an external procedure depends on an argument that is active, or on a
    /// global that has a derivative.
    fn depends_on_active(
        &self,
        doc: &Document,
        external: &External,
        effect: &Effect,
        args: &[Arg],
    ) -> bool {
        use booster_facts::externals::Slot as Told;
        effect.depends.iter().any(|input| match input.slot {
            Told::Global(_) => external.effect(input.slot).is_none_or(|global| {
                let path: Vec<String> = global.path.iter().chain(&input.path).cloned().collect();
                !self.globals_named(doc, &global.name, &path).is_empty()
            }),
            Told::Argument(index) => {
                let position = u32::try_from(index + 1).unwrap_or(u32::MAX);
                let mut passed = args.iter().filter(|arg| arg.position == position);
                passed.any(|arg| {
                    let part = variable(doc, arg)
                        .and_then(|r| component_named(doc, &doc.refs[r], &input.path));
                    self.any_active(doc, std::slice::from_ref(arg))
                        && part.is_none_or(|part| self.parts.has_derivative(&part))
                })
            }
        })
    }

    /// Sets the derivatives of what a call has overwritten to zero.
    pub fn zero_written(
        &mut self,
        e: &mut Emitter<'_>,
        written: Vec<RefId>,
    ) -> Result<(), Diagnostic> {
        written.into_iter().try_for_each(|reference| self.zero_variable(e, reference))
    }
}

/// What a specification says to be overwritten of an actual argument: all of it, or components. All of it where its type
/// has no such component. Of an argument that is overwritten elsewhere, too, the components are parts.
fn written_parts<'e>(
    doc: &Document,
    effect: &'e Effect,
    reference: RefId,
) -> Vec<(&'e Effect, Reference)> {
    let whole = || (effect, doc.refs[reference].clone());
    if effect.written {
        return vec![whole()];
    }
    let parts = effect.components.iter().filter(|part| part.written);
    let found: Option<Vec<_>> = parts
        .map(|told| Some((told, component_named(doc, &doc.refs[reference], &told.path)?)))
        .collect();
    found.unwrap_or_else(|| vec![whole()])
}

/// The dummy arguments of a tangent that a specification names.
fn slots(external: &External, tangent: &Derivative) -> Option<Vec<Slot>> {
    let followed = tangent.with_derivative.as_ref()?;
    let mut slots = Vec::new();
    for (index, number) in (0..external.arguments.len()).zip(1..) {
        slots.push(Slot::Argument(number));
        if followed.contains(&index) {
            slots.push(Slot::ArgumentDerivative(number));
        }
    }
    if external.result.is_some() {
        slots.extend([Slot::Result, Slot::ResultDerivative]);
    }
    Some(slots)
}

/// The external procedure with this name: what the document knows by it, else a new symbol.
fn procedure_named(doc: &mut Document, name: &str) -> Option<SymbolId> {
    let global = doc.global_scope()?;
    let id = name.to_ascii_lowercase();
    if let Some(known) = doc.symbol_in(global, &id) {
        return Some(known);
    }
    let role = Role::Procedure(ProcedureInfo {
        sort: ProcSort::Subroutine,
        class: ProcClass::External,
        proc: None,
        interface: None,
        pass: None,
    });
    let decl = declaration(name.to_owned(), role, Place::default());
    Some(doc.add_symbol(Symbol { active: Some(false), ..symbol(global, decl) }))
}

fn variable(doc: &Document, arg: &Arg) -> Option<RefId> {
    match arg.value {
        ArgValue::Expr(expr) => match doc.exprs[expr].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        },
        ArgValue::AlternateReturn(_) => None,
    }
}
