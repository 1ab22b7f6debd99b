//! Whole programs: headers, structures, prototypes, variables of file scope, functions.

use std::collections::HashSet;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Attr, Body, Document, ProcId, ProcKind, Role, ScopeId, ScopeKind, StmtKind, SymbolId,
};

use crate::context::Context;
use crate::flow;
use crate::statement::Lines;

/// A program as C.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The text of the program.
    pub text: String,
    /// Structures and prototypes of functions that other files can call.
    header: String,
}

impl Texts {
    /// The header for a file of this name.
    pub fn header_as(&self, name: &str) -> String {
        let guard: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
            .collect();
        format!("#ifndef {guard}\n#define {guard}\n\n{}\n#endif\n", self.header)
    }
}

/// Prints `doc` as C. Functions that the user has anyway are declared only.
pub fn unparse(doc: &Document) -> Result<Texts, Diagnostics> {
    let doc = xaif_schema::upgrade::upgrade(doc)?;
    let cx = Context::new(&doc);
    let printed = program(&cx);
    let problems = cx.into_problems();
    if problems.has_errors() {
        return Err(problems);
    }
    Ok(printed)
}

fn program(cx: &Context<'_>) -> Texts {
    let mut functions = String::new();
    let mut used = HashSet::new();
    let mut own = HashSet::new();
    let order = in_order(cx.doc);
    loop {
        // What is static in the user's files cannot be called from others: the text has a copy of it.
        let next = order.iter().copied().find(|&proc| {
            let data = &cx.doc.procs[proc];
            let copied = cx.doc.has(data.symbol, Attr::Static) && used.contains(&data.symbol);
            let printed = matches!(data.body, Body::Flow(_)) && !own.contains(&proc);
            printed && (copied || !is_provided(cx.doc, data.scope))
        });
        let Some(proc) = next else { break };
        cx.begin();
        functions.push('\n');
        functions.push_str(&function(cx, proc));
        cx.add_referred_to(&mut used);
        own.insert(proc);
    }
    let (structures, guarded) = structures(cx);
    let variables = variables(cx, &used);
    let (private, public, called) = prototypes(cx, &own, &used);
    let mut text = String::new();
    for header in cx.headers() {
        let line = if header.starts_with("oxad") {
            format!("#include \"{header}\"\n")
        } else {
            format!("#include <{header}>\n")
        };
        text.push_str(&line);
    }
    for part in [&structures, &called, &public, &private, &variables] {
        if !part.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(part);
        }
    }
    if text.is_empty() {
        functions = functions.trim_start().to_owned();
    }
    text.push_str(&functions);
    Texts { text, header: format!("{guarded}{public}") }
}

/// Procedures in the order of the text.
fn in_order(doc: &Document) -> Vec<ProcId> {
    use xaif_schema::model::SpecItem;
    let mut order = Vec::new();
    let mut stack: Vec<ScopeId> = doc.global_scope().into_iter().collect();
    let of =
        |scope: ScopeId| doc.procs.iter().find(|(_, proc)| proc.scope == scope).map(|(id, _)| id);
    while let Some(scope) = stack.pop() {
        order.extend(of(scope));
        let data = &doc.scopes[scope];
        let inner = data.items.iter().chain(&data.contains).filter_map(|item| match item {
            SpecItem::Unit(inner) => Some(*inner),
            _ => None,
        });
        let inner: Vec<ScopeId> = inner.collect();
        stack.extend(inner.into_iter().rev());
    }
    // The main program stands last.
    order.sort_by_key(|&proc| doc.procs[proc].kind == ProcKind::Program);
    order
}

fn is_provided(doc: &Document, scope: ScopeId) -> bool {
    let up = std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent);
    up.take(doc.scopes.len()).any(|scope| doc.scopes[scope].provided)
}

/// The structures of a program; behind them the same for a header.
fn structures(cx: &Context<'_>) -> (String, String) {
    let (mut text, mut guarded) = (String::new(), String::new());
    let mut done = HashSet::new();
    let types: Vec<SymbolId> = cx
        .doc
        .scopes
        .values()
        .flat_map(|scope| scope.items.iter())
        .filter_map(|item| match item {
            xaif_schema::model::SpecItem::DerivedType(symbol) => Some(*symbol),
            _ => None,
        })
        .collect();
    for symbol in types {
        define(cx, symbol, &mut done, (&mut text, &mut guarded));
    }
    (text, guarded)
}

/// A structure behind those that its members have.
fn define(
    cx: &Context<'_>,
    symbol: SymbolId,
    done: &mut HashSet<SymbolId>,
    (text, guarded): (&mut String, &mut String),
) {
    use xaif_schema::model::Base;
    if !done.insert(symbol) {
        return;
    }
    for component in cx.doc.own_components(symbol) {
        if let Base::Derived(inner) = cx.doc.declared_base(component) {
            define(cx, inner, done, (text, guarded));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let structure = cx.structure(symbol);
    text.push_str(&structure);
    // Several headers may be included.
    let guard = format!("OXAD_STRUCT_{}", cx.names.of(symbol));
    guarded.push_str(&format!("#ifndef {guard}\n#define {guard}\n{structure}#endif\n\n"));
}

/// Variables of file scope: those of the program, and declarations of those that the user has.
fn variables(cx: &Context<'_>, used: &HashSet<SymbolId>) -> String {
    let mut text = String::new();
    for (symbol, data) in cx.doc.symbols.iter() {
        let Some(decl) = data.decl.as_deref() else { continue };
        let file = matches!(cx.doc.scopes[data.scope].kind, ScopeKind::Module(_));
        if !file || !matches!(decl.role, Role::Variable | Role::Constant) {
            continue;
        }
        let provided = is_provided(cx.doc, data.scope);
        if provided && !used.contains(&symbol) {
            continue;
        }
        let shown = cx.variable(symbol);
        if provided && decl.has(Attr::Static) && !decl.has(Attr::Const) {
            cx.refuse(
                decl.place,
                format!("the static variable `{}` cannot be used from another file", decl.name),
            );
        } else if provided && !decl.has(Attr::Static) || decl.has(Attr::Extern) {
            text.push_str(&format!("extern {shown};\n"));
        } else {
            let word = if decl.has(Attr::Static) { "static " } else { "" };
            if decl.has(Attr::Static) && !used.contains(&symbol) {
                continue;
            }
            text.push_str(&format!("{word}{shown}{};\n", cx.initial_value(symbol)));
        }
    }
    text
}

/// Prototypes: of private functions, of functions for others, and of functions that are called and given elsewhere.
fn prototypes(
    cx: &Context<'_>,
    own: &HashSet<ProcId>,
    used: &HashSet<SymbolId>,
) -> (String, String, String) {
    let (mut private, mut public, mut called) = (String::new(), String::new(), String::new());
    for (id, proc) in cx.doc.procs.iter() {
        if proc.kind == ProcKind::Program {
            continue;
        }
        let is_static = cx.doc.has(proc.symbol, Attr::Static);
        if own.contains(&id) {
            let line = format!("{};\n", cx.prototype(id));
            if is_static { private.push_str(&line) } else { public.push_str(&line) }
        } else if used.contains(&proc.symbol) {
            if is_static {
                let name = cx.doc.name(proc.symbol).to_owned();
                cx.refuse(
                    proc.place,
                    format!("the static function `{name}` cannot be called from another file"),
                );
            }
            called.push_str(&format!("{};\n", cx.prototype(id)));
        }
    }
    (private, public, called)
}

/// A function.
fn function(cx: &Context<'_>, id: ProcId) -> String {
    let proc = &cx.doc.procs[id];
    let Body::Flow(cfg) = &proc.body else { return String::new() };
    let freed = freed(cx, id);
    let mut body = Lines { text: String::new(), depth: 1 };
    let printed = flow::print(cx, &mut body, proc, cfg, freed);
    let mut head = Lines { text: String::new(), depth: 1 };
    locals(cx, id, &printed, &mut head);
    for arg in proc.args.iter().filter_map(|arg| arg.symbol) {
        if !cx.is_referred_to(arg) {
            head.line(&format!("(void){};", cx.names.of(arg)));
        }
    }
    let title = match proc.kind {
        ProcKind::Program => "int main(void)".to_owned(),
        _ => cx.prototype(id),
    };
    let between = if head.text.is_empty() || body.text.is_empty() { "" } else { "\n" };
    format!("{title}\n{{\n{}{between}{}}}\n", head.text, body.text)
}

/// Arrays that a function allocates and its text never frees.
fn freed(cx: &Context<'_>, id: ProcId) -> Vec<SymbolId> {
    let scope = cx.doc.procs[id].scope;
    let released: HashSet<SymbolId> = cx
        .doc
        .stmts
        .values()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Release(release) => {
                Some(release.objects.iter().map(|&one| cx.doc.refs[one].base))
            }
            _ => None,
        })
        .flatten()
        .collect();
    let own = cx.doc.scopes[scope].symbols.iter().copied();
    own.filter(|&symbol| {
        cx.is_deferred(symbol)
            && cx.doc.has(symbol, Attr::Allocatable)
            && !released.contains(&symbol)
    })
    .collect()
}

/// Declarations of the variables of a function.
fn locals(cx: &Context<'_>, id: ProcId, printed: &flow::Printed, lines: &mut Lines) {
    let proc = &cx.doc.procs[id];
    let mut group: Option<(String, Vec<String>)> = None;
    let flush = |group: &mut Option<(String, Vec<String>)>, lines: &mut Lines| {
        if let Some((ty, names)) = group.take() {
            lines.line(&format!("{ty} {};", names.join(", ")));
        }
    };
    for &symbol in &cx.doc.scopes[proc.scope].symbols {
        let Some(decl) = cx.decl(symbol) else { continue };
        let variable = matches!(decl.role, Role::Variable | Role::Constant);
        let listed = variable && !cx.is_dummy(symbol) && cx.is_referred_to(symbol);
        if !listed {
            continue;
        }
        let name = cx.names.of(symbol).to_owned();
        let plain = decl.dims.is_empty()
            && !decl.has(Attr::Save)
            && decl.init.is_none()
            && !decl.has(Attr::Const);
        if plain {
            let ty = cx.type_name(decl.spec.base());
            match &mut group {
                Some((own, names)) if *own == ty => names.push(name),
                _ => {
                    flush(&mut group, lines);
                    group = Some((ty, vec![name]));
                }
            }
            continue;
        }
        flush(&mut group, lines);
        let shown = cx.variable(symbol);
        if cx.is_deferred(symbol) {
            let block = decl.has(Attr::Pointer);
            let null = if block { "" } else { " = NULL" };
            if !block {
                cx.needs("stddef.h");
            }
            lines.line(&format!("{shown}{null};"));
            if block {
                cx.needs("stddef.h");
                lines.line(&format!("size_t {name}_size;"));
            } else {
                let kept = (0..decl.dims.len()).filter(|&dim| cx.keeps_extent(symbol, dim));
                let extents: Vec<String> =
                    kept.map(|dim| format!("{name}_extent{} = 0", dim + 1)).collect();
                if !extents.is_empty() {
                    lines.line(&format!("long {};", extents.join(", ")));
                }
            }
            continue;
        }
        let word = if decl.has(Attr::Save) || decl.init.is_some() { "static " } else { "" };
        lines.line(&format!("{word}{shown}{};", cx.initial_value(symbol)));
    }
    flush(&mut group, lines);
    for (name, ty) in &printed.locals {
        lines.line(&format!("{ty} {name};"));
    }
}
