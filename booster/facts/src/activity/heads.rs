//! What is differentiated: the procedures, their independent and dependent variables.
//!
//! Each choice comes from the options, else from directives in the source, else from a rule that is
//! stated here. What is not clear is an error that names the candidates; nothing is guessed.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Base, Body, Document, ProcId, ProcKind, Reference, Symbol, SymbolId, TypeClass,
};

use super::names::{self, Found};
use crate::may_hold_numbers;

/// What a user may choose. Empty lists leave the choice to directives in the source, and where
/// there are none, to the rules of `select`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Procedures: `p`, or `m%p` for one of several with the same name.
    pub heads: Vec<String>,
    /// Variables: `x`, `x%c`, `m%x`, `/block/x`; `p:x` for the head `p` alone.
    pub independent: Vec<String>,
    /// As `independent`.
    pub dependent: Vec<String>,
    /// What conditions compare counts as dependent.
    pub tests: bool,
}

/// A procedure whose derivative is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The procedure.
    pub proc: ProcId,
    /// With respect to what.
    pub independent: Vec<Reference>,
    /// Of what.
    pub dependent: Vec<Reference>,
}

/// What the rules need to know of a program beside its declarations.
pub(super) trait Usage {
    /// Whether `proc` is called, or handed on as an argument or pointer target, by another
    /// procedure that is no main program.
    fn is_called(&self, proc: ProcId) -> bool;
    /// Whether anything of real or complex numbers happens in `proc`. XAIF 1.0 documents have modules
    /// that look like empty procedures.
    fn computes(&self, proc: ProcId) -> bool;
    /// Whether `proc` may read the dummy argument before it overwrites it.
    fn reads(&self, proc: ProcId, dummy: SymbolId) -> bool;
    /// Whether `proc` may overwrite the dummy argument or result.
    fn writes(&self, proc: ProcId, dummy: SymbolId) -> bool;
}

/// The heads that `options` or directives name; what means nothing is not among them.
pub(super) fn named_heads(doc: &Document, options: &Options) -> Vec<ProcId> {
    if !options.heads.is_empty() {
        let names = options.heads.iter();
        return names.filter_map(|name| names::procedure(doc, name).ok()).collect();
    }
    doc.procs.keys().filter(|&proc| is_directed(doc, proc)).collect()
}

/// Whether directives or facts tell independents or dependents of a procedure.
fn is_directed(doc: &Document, proc: ProcId) -> bool {
    !doc.procs[proc].independent.is_empty() || !doc.procs[proc].dependent.is_empty()
}

/// The heads that `options`, directives and rules choose.
///
/// Heads: `options.heads`; else the procedures with an INDEPENDENT or DEPENDENT directive; else the
/// one procedure that computes real or complex numbers and that no other calls, main programs aside. Independents and dependents: the options,
/// else the directives; if there are none of both, the dummy arguments with real or complex values
/// that are read, and those that are written and the function result.
///
/// # Errors
/// A name that means nothing or several things; no head that is clear; a variable without
/// derivative; a head without independents or dependents.
pub(super) fn select(
    doc: &Document,
    options: &Options,
    usage: &impl Usage,
) -> Result<Vec<Head>, Diagnostics> {
    let procs = chosen_procedures(doc, options, usage)?;
    let mut errors = Diagnostics::new();
    let mut heads: Vec<Head> = procs.iter().map(|&proc| from_directives(doc, proc)).collect();
    for side in [Side::Independent, Side::Dependent] {
        replace(doc, options, side, &mut heads, &mut errors);
        for head in &mut heads {
            if side.of(head).is_empty() {
                *side.of(head) = by_rule(doc, usage, head.proc, side);
            }
            if side.of(head).is_empty() && !errors.has_errors() {
                errors.push(no_variables(doc, head.proc, side));
            }
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(heads) }
}

/// Independent or dependent variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Independent,
    Dependent,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Side::Independent => "independent",
            Side::Dependent => "dependent",
        }
    }

    fn of(self, head: &mut Head) -> &mut Vec<Reference> {
        match self {
            Side::Independent => &mut head.independent,
            Side::Dependent => &mut head.dependent,
        }
    }
}

fn chosen_procedures(
    doc: &Document,
    options: &Options,
    usage: &impl Usage,
) -> Result<Vec<ProcId>, Diagnostics> {
    if options.heads.is_empty() {
        return default_heads(doc, usage).map_err(|error| [error].into_iter().collect());
    }
    let mut errors = Diagnostics::new();
    let mut procs: Vec<ProcId> = Vec::new();
    for name in &options.heads {
        match names::procedure(doc, name) {
            Ok(proc) if doc.procs[proc].kind == ProcKind::Program => {
                let message = format!("`{name}` is a main program and has no derivative");
                let place = doc.spot(doc.procs[proc].place);
                let help = "name a subroutine or function that it calls";
                errors
                    .push(Diagnostic::error(Code::HEAD_NOT_FOUND, place, message).with_help(help));
            }
            Ok(proc) if procs.contains(&proc) => {}
            Ok(proc) => procs.push(proc),
            Err(error) => errors.push(error),
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(procs) }
}

/// The heads where no option names them.
fn default_heads(doc: &Document, usage: &impl Usage) -> Result<Vec<ProcId>, Diagnostic> {
    let candidate = |&proc: &ProcId| {
        let proc = &doc.procs[proc];
        matches!(proc.body, Body::Flow(_)) && proc.kind != ProcKind::Program
    };
    let procs: Vec<ProcId> = doc.procs.keys().filter(candidate).collect();
    let directed = procs.iter().copied().filter(|&proc| is_directed(doc, proc));
    let with_directives: Vec<ProcId> = directed.collect();
    if !with_directives.is_empty() {
        return Ok(with_directives);
    }
    let is_top = |&proc: &ProcId| usage.computes(proc) && !usage.is_called(proc);
    let tops: Vec<ProcId> = procs.iter().copied().filter(is_top).collect();
    if let [top] = tops[..] {
        return Ok(vec![top]);
    }
    let (message, candidates) = match (tops.as_slice(), procs.as_slice()) {
        (_, []) => ("the program has no procedure that could be differentiated", &procs),
        ([], _) => (
            "every procedure is called by another one: it is not clear which is to be \
             differentiated",
            &procs,
        ),
        (_, _) => (
            "several procedures are called by no other: it is not clear which is to be \
             differentiated",
            &tops,
        ),
    };
    let error = Diagnostic::error(Code::HEAD_NOT_CLEAR, None, message);
    if candidates.is_empty() {
        return Err(error);
    }
    let names = candidates.iter().map(|&proc| names::qualified(doc, proc));
    Err(error.with_help(format!("choose with --head: {}", names::some_of(names))))
}

/// What the directives of a procedure choose.
fn from_directives(doc: &Document, proc: ProcId) -> Head {
    let procedure = &doc.procs[proc];
    let references =
        |ids: &[xaif_schema::model::RefId]| ids.iter().map(|&id| doc.refs[id].clone()).collect();
    Head {
        proc,
        independent: references(&procedure.independent),
        dependent: references(&procedure.dependent),
    }
}

/// Replaces one side of the heads by what the options name.
fn replace(
    doc: &Document,
    options: &Options,
    side: Side,
    heads: &mut [Head],
    errors: &mut Diagnostics,
) {
    let names = match side {
        Side::Independent => &options.independent,
        Side::Dependent => &options.dependent,
    };
    let mut chosen: Vec<Vec<Reference>> = vec![Vec::new(); heads.len()];
    for name in names {
        let (of_head, variable) = match name.split_once(':') {
            Some((head, variable)) => (Some(head.trim()), variable),
            None => (None, name.as_str()),
        };
        let mut failure = None;
        let mut found = false;
        for (head, chosen) in heads.iter().zip(&mut chosen) {
            if of_head.is_some_and(|wanted| !names::is_called(doc, head.proc, wanted)) {
                continue;
            }
            match names::variable(doc, head.proc, variable).and_then(|f| check(doc, f, side)) {
                Ok(reference) => {
                    found = true;
                    if !chosen.contains(&reference) {
                        chosen.push(reference);
                    }
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        if !found {
            errors.push(failure.unwrap_or_else(|| {
                let message = format!("`{}` is no head", of_head.unwrap_or_default());
                let heads = heads.iter().map(|head| names::qualified(doc, head.proc));
                let help = format!("the heads are {}", names::some_of(heads));
                Diagnostic::error(Code::HEAD_NOT_FOUND, None, message).with_help(help)
            }));
        }
    }
    for (head, chosen) in heads.iter_mut().zip(chosen) {
        if !chosen.is_empty() {
            *side.of(head) = chosen;
        }
    }
}

/// A variable that the options name, if it has a derivative and outlives the call.
fn check(doc: &Document, found: Found, side: Side) -> Result<Reference, Diagnostic> {
    let Found { reference, proc } = found;
    let symbol = reference.base;
    let spot = names::spot(doc, symbol);
    let name = names::of_reference(doc, &reference);
    let error = |message: String| Diagnostic::error(Code::NO_DERIVATIVE, spot.clone(), message);
    if !may_hold_numbers(doc, reference.ty.base) {
        let message =
            format!("`{name}` has no real or complex value, so it cannot be {}", side.word());
        return Err(error(message).with_help("name variables that are real or complex"));
    }
    let procedure = &doc.procs[proc];
    let is_dummy = procedure.args.iter().any(|arg| arg.symbol == Some(symbol));
    let is_local = doc.symbols[symbol].scope == procedure.scope
        && !is_dummy
        && procedure.result != Some(symbol)
        && !outlives(&doc.symbols[symbol]);
    if is_local {
        let message = format!("`{name}` is a local variable of `{}`", names::qualified(doc, proc));
        return Err(error(message)
            .with_help("name dummy arguments, the function result, COMMON or module variables"));
    }
    Ok(reference)
}

/// Whether a variable of a procedure's scope has a value before and after the call.
fn outlives(symbol: &Symbol) -> bool {
    symbol
        .decl
        .as_ref()
        .is_some_and(|decl| decl.common.is_some() || decl.has(Attr::Save) || decl.init.is_some())
}

/// One side of a head where neither options nor directives choose it.
fn by_rule(doc: &Document, usage: &impl Usage, proc: ProcId, side: Side) -> Vec<Reference> {
    let procedure = &doc.procs[proc];
    let dummies = procedure.args.iter().filter_map(|arg| arg.symbol);
    let mut chosen = Vec::new();
    for symbol in dummies.chain(procedure.result) {
        let wanted = match side {
            Side::Independent => procedure.result != Some(symbol) && usage.reads(proc, symbol),
            Side::Dependent => usage.writes(proc, symbol),
        };
        let reference = names::whole(doc, symbol);
        // XAIF 1.0 documents tell the class of a variable and nothing else.
        let is_continuous = match &doc.symbols[symbol].decl {
            Some(_) => {
                let base = reference.ty.base;
                base != Base::Unknown && may_hold_numbers(doc, base)
            }
            None => matches!(doc.symbols[symbol].class, TypeClass::Real | TypeClass::Complex),
        };
        if wanted && is_continuous {
            chosen.push(reference);
        }
    }
    chosen
}

fn no_variables(doc: &Document, proc: ProcId, side: Side) -> Diagnostic {
    let name = names::qualified(doc, proc);
    let does = match side {
        Side::Independent => "computes nothing from a",
        Side::Dependent => "overwrites no",
    };
    let message = format!(
        "`{name}` has no {} variables: it {does} dummy argument that is real or complex",
        side.word()
    );
    let help = format!("name COMMON or module variables with --{}", side.word());
    Diagnostic::error(Code::NO_SIDE, doc.spot(doc.procs[proc].place), message).with_help(help)
}
