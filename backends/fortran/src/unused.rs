//! Dummy arguments that a derivative procedure does not need.
//!
//! A derivative procedure has every argument of its original, whether or not its statements refer to
//! it: an adjoint need not know the value that its original computes. `gfortran -Wextra` and others
//! warn of such arguments, in a text that the user cannot mend. So the procedure names them once, in
//! a construct without executable code, which every compiler takes for a use: `associate (unused =>
//! y)`; of procedures a pointer that goes at once. Procedures of the user stay as they are, with the
//! warnings that the sources have.

use xaif_schema::model::{
    Attr, Dim, DummyArg, ProcSort, Procedure, ProcedureInfo, Role, ScopeId, SymbolId,
};

use crate::context::Context;
use crate::expression::{Printer, Tok, comma, owned, text};
use crate::flow::Entry;
use crate::lines::{Lines, Spot};

/// Arguments of an ENTRY that nothing refers to.
pub(crate) struct Unused {
    pub(crate) arguments: Vec<SymbolId>,
    /// Whether control may come by another entry, which does not have them: they are named where control never goes.
    pub(crate) never: bool,
}

/// What `proc` is given and nothing refers to, where a stage has made the procedure. To be asked when
/// all of it is printed, its internal procedures included.
pub(crate) fn arguments(cx: &Context<'_>, proc: &Procedure) -> Vec<SymbolId> {
    unused_of(cx, &proc.args).collect()
}

fn unused_of(cx: &Context<'_>, args: &[DummyArg]) -> impl Iterator<Item = SymbolId> {
    let given = args.iter().filter_map(|arg| arg.symbol);
    given.filter(|&one| cx.is_made_beside_the_users() && !cx.is_referred_to(one))
}

/// The same of ENTRY statements, the last one first: what the procedure itself is not given.
pub(crate) fn arguments_of_entries(
    cx: &Context<'_>,
    proc: &Procedure,
    entries: &[Entry<'_>],
) -> Vec<(Spot, Unused)> {
    let mut known: Vec<SymbolId> = proc.args.iter().filter_map(|arg| arg.symbol).collect();
    let mut found = Vec::new();
    for entry in entries {
        let own: Vec<SymbolId> =
            unused_of(cx, &entry.point.args).filter(|one| !known.contains(one)).collect();
        known.extend(&own);
        if !own.is_empty() {
            found.push((entry.spot, Unused { arguments: own, never: entry.joined }));
        }
    }
    found.reverse();
    found
}

/// As [`print`], for arguments of an ENTRY.
pub(crate) fn print_of_entry(cx: &Context<'_>, lines: &mut Lines, scope: ScopeId, unused: &Unused) {
    if unused.never {
        lines.plain("if (.false.) then");
        lines.indent();
    }
    print(cx, lines, scope, &unused.arguments);
    if unused.never {
        lines.dedent();
        lines.plain("end if");
    }
}

/// Names the arguments `unused` of the procedure with this scope.
pub(crate) fn print(cx: &Context<'_>, lines: &mut Lines, scope: ScopeId, unused: &[SymbolId]) {
    let printer = Printer { cx, scope };
    let selectors: Vec<_> = unused.iter().filter_map(|&one| printer.selector(one)).collect();
    let procedures: Vec<_> = unused.iter().filter_map(|&one| printer.procedure(one)).collect();
    if !selectors.is_empty() {
        let names = names(selectors.len());
        let mut tokens = vec![text("associate ("), Tok::Down];
        for (index, (name, selector)) in names.zip(selectors).enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            tokens.push(owned(format!("{name} => {selector}")));
        }
        tokens.extend([Tok::Up, text("); end associate")]);
        lines.code(None, &printer.code(tokens));
    }
    if !procedures.is_empty() {
        let (kinds, targets): (Vec<_>, Vec<_>) = procedures.into_iter().unzip();
        lines.plain("block");
        lines.indent();
        for (name, kind) in names(kinds.len()).zip(kinds) {
            let mut tokens = vec![text("procedure(")];
            tokens.extend(kind);
            tokens.push(owned(format!("), pointer :: {name}")));
            lines.code(None, &printer.code(tokens));
        }
        for (name, target) in names(targets.len()).zip(targets) {
            lines.plain(&format!("{name} => {target}"));
        }
        lines.dedent();
        lines.plain("end block");
    }
}

/// `unused`, or `unused_1` and so on.
fn names(count: usize) -> impl Iterator<Item = String> {
    let number = move |n: usize| if count > 1 { format!("_{n}") } else { String::new() };
    (1..=count).map(move |n| format!("unused{}", number(n)))
}

impl<'d> Printer<'_, 'd> {
    /// What may be associated of a variable whatever the caller has passed: the variable, or what is
    /// asked of one that may be absent, unallocated, or without a last extent.
    fn selector(self, symbol: SymbolId) -> Option<String> {
        let decl = self.cx.doc.symbols[symbol].decl.as_deref()?;
        let name = self.cx.names.declared(symbol);
        let ask = |function: &str, rest: &str| {
            self.cx.calls_intrinsic(self.scope, function, &[]);
            Some(format!("{function}({name}{rest})"))
        };
        let has = |attr: Attr| decl.has(attr);
        if has(Attr::Optional) {
            return ask("present", "");
        }
        if has(Attr::Pointer) {
            return ask("associated", "");
        }
        if !matches!(decl.role, Role::Variable) {
            return None;
        }
        if has(Attr::Allocatable) {
            return ask("allocated", "");
        }
        match decl.dims.last() {
            Some(Dim::AssumedSize { .. }) => ask("lbound", ", 1"),
            Some(Dim::AssumedRank) => ask("rank", ""),
            Some(Dim::Explicit { .. } | Dim::AssumedShape { .. } | Dim::Deferred) | None => {
                Some(name.to_owned())
            }
        }
    }

    /// What stands between the parentheses of PROCEDURE for a pointer to a dummy procedure, and the
    /// name of that.
    fn procedure(self, symbol: SymbolId) -> Option<(Vec<Tok<'d>>, String)> {
        let doc = self.cx.doc;
        let decl = doc.symbols[symbol].decl.as_deref()?;
        let Role::Procedure(info) = &decl.role else { return None };
        if decl.has(Attr::Optional) || decl.has(Attr::Pointer) {
            return None;
        }
        let name = self.cx.names.declared(symbol).to_owned();
        let kind = match info {
            ProcedureInfo { interface: Some(interface), .. } => {
                vec![owned(self.cx.name(self.scope, *interface))]
            }
            ProcedureInfo { proc: Some(_), .. } => vec![owned(name.clone())],
            ProcedureInfo { sort: ProcSort::Subroutine, .. } => Vec::new(),
            ProcedureInfo { .. } => self.type_with_len(&decl.spec, decl.char_len),
        };
        Some((kind, name))
    }
}
