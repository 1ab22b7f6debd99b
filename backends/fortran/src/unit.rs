//! Program units: main programs, procedures, modules, submodules, block data, interface bodies.

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::model::{
    Body, DummyArg, ProcId, ProcKind, Procedure, Role, Scope, ScopeId, ScopeKind, SpecItem,
    SymbolId,
};

use crate::attribute::prefixes;
use crate::context::Context;
use crate::expression::{Printer, Tok, list, owned, text};
use crate::lines::Lines;
use crate::specification::Specification;
use crate::statement::comment;
use crate::unused;

/// Program units, interface blocks and types may be nested so deep.
const DEEPEST: u32 = 100;

/// Prints the unit with this scope.
pub(crate) fn unit<'d>(cx: &Context<'d>, lines: &mut Lines, scope: ScopeId, depth: u32) {
    let data: &'d Scope = &cx.doc.scopes[scope];
    if depth > DEEPEST {
        cx.error(DiagCode::NESTED_TOO_DEEP, data.place, "program units are nested too deep");
        return;
    }
    let (opening, closing) = match (data.kind, cx.proc_of(scope)) {
        (ScopeKind::Module(symbol), _) => {
            let name = cx.names.declared(symbol);
            (format!("module {name}"), format!("end module {name}"))
        }
        (_, Some(proc)) => return procedure(cx, lines, scope, proc, depth),
        (ScopeKind::Submodule { symbol, parent }, None) => {
            let name = cx.names.declared(symbol);
            (
                format!("submodule ({}) {name}", ancestry(cx, parent)),
                format!("end submodule {name}"),
            )
        }
        (ScopeKind::BlockData(symbol), None) => {
            let name = cx.names.declared(symbol);
            (format!("block data {name}"), format!("end block data {name}"))
        }
        (
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Procedure(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_),
            None,
        ) => {
            cx.error(DiagCode::NO_UNIT, data.place, format!("{scope} is no program unit"));
            return;
        }
    };
    lines.plain(opening.trim_end());
    lines.indent();
    Specification::new(cx, scope, None, depth).print(lines);
    lines.dedent();
    contains(cx, lines, data, depth);
    lines.plain(closing.trim_end());
}

/// `module` or `module:submodule`, what a submodule belongs to.
fn ancestry(cx: &Context<'_>, parent: SymbolId) -> String {
    let name = cx.names.declared(parent);
    let mut current = parent;
    for _ in 0..DEEPEST {
        let scope = match cx.doc.role(current) {
            Some(Role::Module { scope: Some(scope) }) => *scope,
            _ => break,
        };
        match cx.doc.scopes[scope].kind {
            ScopeKind::Submodule { parent, .. } => current = parent,
            _ => break,
        }
    }
    if current == parent {
        name.to_owned()
    } else {
        format!("{}:{name}", cx.names.declared(current))
    }
}

fn procedure(cx: &Context<'_>, lines: &mut Lines, scope: ScopeId, id: ProcId, depth: u32) {
    let proc = &cx.doc.procs[id];
    let data = &cx.doc.scopes[scope];
    let name = cx.names.declared(proc.symbol).to_owned();
    let declared_here = result_in_statement(cx, proc);
    let word = match proc.kind {
        ProcKind::Program => "program",
        ProcKind::Subroutine => "subroutine",
        ProcKind::Function => "function",
        ProcKind::ModuleProcedure => "procedure",
    };
    let unnamed = proc.kind == ProcKind::Program && name.is_empty();
    if !unnamed {
        let printer = Printer { cx, scope };
        lines.code(None, &printer.code(opening(printer, proc, word, &name, declared_here)));
    }
    lines.indent();
    let apart = Specification::new(cx, scope, declared_here, depth).print(lines);
    let declared = lines.here();
    let entries = match &proc.body {
        Body::Flow(cfg) => crate::flow::print(cx, lines, proc, cfg, apart),
        _ => Vec::new(),
    };
    lines.dedent();
    contains(cx, lines, data, depth);
    for (spot, unused) in unused::arguments_of_entries(cx, proc, &entries) {
        lines.insert(spot, |lines| unused::print_of_entry(cx, lines, proc.scope, &unused));
    }
    let unused = unused::arguments(cx, proc);
    if matches!(proc.body, Body::Flow(_)) && !unused.is_empty() {
        lines.insert(declared, |lines| unused::print(cx, lines, proc.scope, &unused));
    }
    lines.plain(format!("end {word} {name}").trim_end());
}

/// The result variable where the FUNCTION statement declares its type: it has no declaration of
/// its own and nothing but a type to declare.
fn result_in_statement(cx: &Context<'_>, proc: &Procedure) -> Option<SymbolId> {
    let result = proc.result.filter(|_| proc.kind == ProcKind::Function)?;
    let decl = cx.doc.symbols[result].decl.as_deref()?;
    let scope = &cx.doc.scopes[proc.scope];
    let mentioned = scope.items.iter().any(|item| match item {
        SpecItem::Declare(symbols) => symbols.contains(&result),
        _ => false,
    });
    let plain = decl.dims.is_empty() && decl.attrs.is_empty() && decl.char_len.is_none();
    (!mentioned && plain && matches!(decl.role, Role::Variable)).then_some(result)
}

fn opening<'d>(
    printer: Printer<'_, 'd>,
    proc: &'d Procedure,
    word: &'static str,
    name: &str,
    declared_here: Option<SymbolId>,
) -> Vec<Tok<'d>> {
    let doc = printer.cx.doc;
    let decl = doc.symbols[proc.symbol].decl.as_deref();
    let mut tokens = Vec::new();
    if proc.kind == ProcKind::ModuleProcedure {
        return vec![owned(format!("module procedure {name}"))];
    }
    if let Some(decl) = decl.filter(|_| proc.kind != ProcKind::Program) {
        tokens.push(owned(prefixes(decl)));
    }
    if let Some(result) = declared_here.and_then(|result| doc.symbols[result].decl.as_deref()) {
        tokens.extend(printer.type_spec(&result.spec));
        tokens.push(text(" "));
    }
    tokens.push(owned(format!("{word} {name}")));
    if proc.kind == ProcKind::Program {
        return tokens;
    }
    let function = proc.kind == ProcKind::Function;
    if function || !proc.args.is_empty() || decl.is_some_and(|d| d.has(BIND)) {
        tokens.extend(dummies(printer, &proc.args));
    }
    tokens.extend(result_clause(printer, proc.result.filter(|_| function), name));
    if let Some(decl) = decl {
        let bind = printer.bind_c(decl, false);
        if !bind.is_empty() {
            tokens.push(text(" "));
            tokens.extend(bind);
        }
    }
    tokens
}

const BIND: xaif_schema::model::Attr = xaif_schema::model::Attr::BindC;

/// ` result(r)` where the result has a name of its own.
pub(crate) fn result_clause<'d>(
    printer: Printer<'_, 'd>,
    result: Option<SymbolId>,
    name: &str,
) -> Option<Tok<'d>> {
    let result = printer.cx.name(printer.scope, result?);
    (!result.eq_ignore_ascii_case(name)).then(|| owned(format!(" result({result})")))
}

/// Dummy arguments in parentheses.
pub(crate) fn dummies<'d>(printer: Printer<'_, 'd>, args: &[DummyArg]) -> Vec<Tok<'d>> {
    let mut tokens = vec![text("("), Tok::Down];
    tokens.extend(list(args.iter().map(|arg| match arg.symbol {
        Some(symbol) => owned(printer.cx.name(printer.scope, symbol)),
        None => text("*"),
    })));
    tokens.extend([Tok::Up, text(")")]);
    tokens
}

/// CONTAINS and what follows it.
fn contains(cx: &Context<'_>, lines: &mut Lines, scope: &Scope, depth: u32) {
    if scope.contains.is_empty() {
        return;
    }
    lines.blank();
    lines.plain("contains");
    let is_trailing = |item: &&SpecItem| matches!(item, SpecItem::Comment(text) if text.trailing);
    let on_the_line = scope.contains.iter().take_while(is_trailing).count();
    let (trailing, items) = scope.contains.split_at(on_the_line);
    units(cx, lines, trailing.iter(), depth);
    lines.blank();
    lines.indent();
    units(cx, lines, items.iter(), depth);
    lines.dedent();
}

/// Units with comments between them, each with a blank line before it.
pub(crate) fn units<'a>(
    cx: &Context<'_>,
    lines: &mut Lines,
    items: impl Iterator<Item = &'a SpecItem>,
    depth: u32,
) {
    let mut after_unit = false;
    for item in items {
        match item {
            SpecItem::Unit(scope) => {
                if after_unit {
                    lines.blank();
                }
                unit(cx, lines, *scope, depth + 1);
                after_unit = true;
            }
            SpecItem::Comment(text) => {
                if after_unit && !text.trailing {
                    lines.blank();
                    after_unit = false;
                }
                comment(cx, lines, text);
            }
            SpecItem::Opaque { text, .. } => {
                lines.plain(text);
                after_unit = false;
            }
            // Nothing else stands between units.
            _ => {}
        }
    }
}
