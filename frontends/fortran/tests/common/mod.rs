//! What the tests of the lowering share: sources in, documents and their parts as text out.

#![allow(dead_code)] // each test file uses some of it
#![allow(clippy::unwrap_used)] // a test may panic

use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Body, Cfg, Document, ExprId, ExprKind, StmtKind, Ty, VertexId, VertexKind,
};

/// The document of a free-form source that must be right.
pub(crate) fn document(source: &str) -> Document {
    let (doc, diagnostics) = translate("t.f90", source);
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(texts.is_empty(), "{}\n{source}", texts.join("\n"));
    doc
}

/// The document of a source, whatever there is to say about it.
pub(crate) fn translate(name: &str, source: &str) -> (Document, Diagnostics) {
    let translation = translate_texts(&[(name, source)], &Options::default());
    (translation.document, translation.diagnostics)
}

/// The diagnostics of a free-form source, a line each: `code line:column`.
pub(crate) fn complaints(source: &str) -> Vec<String> {
    let (_, diagnostics) = translate("t.f90", source);
    let place = |diagnostic: &xaif_schema::diag::Diagnostic| {
        let spot = diagnostic.spot.clone().unwrap();
        format!("{} {}:{}", diagnostic.code, spot.line, spot.column)
    };
    diagnostics.iter().map(place).collect()
}

/// The flow graph of the first procedure that has a body.
pub(crate) fn cfg(doc: &Document) -> &Cfg {
    let flows = doc.procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    flows.into_iter().next().unwrap()
}

/// The flow graph of the first procedure, a line for each vertex: number, kind, edges.
pub(crate) fn flow(source: &str) -> String {
    let doc = document(source);
    graph(cfg(&doc))
}

/// A flow graph, a line for each vertex: number, kind, edges.
pub(crate) fn graph(cfg: &Cfg) -> String {
    let number = |vertex: VertexId| cfg.layout.iter().position(|&v| v == vertex).unwrap();
    let mut out = String::new();
    for &vertex in &cfg.layout {
        let edges: Vec<String> = cfg
            .successors(vertex)
            .map(|edge| match edge.condition {
                Some(value) => format!("{value}: {}", number(edge.target)),
                None => number(edge.target).to_string(),
            })
            .collect();
        let kind = kind(&cfg.vertices[vertex].kind);
        out += &format!("{} {kind} -> {}\n", number(vertex), edges.join(", "));
    }
    out
}

fn kind(kind: &VertexKind) -> String {
    match kind {
        VertexKind::Entry(None) => "entry".to_owned(),
        VertexKind::Entry(Some(_)) => "further entry".to_owned(),
        VertexKind::Exit => "exit".to_owned(),
        VertexKind::BasicBlock { stmts, .. } => format!("block {}", stmts.len()),
        VertexKind::Branch { form, .. } => format!("{form:?}"),
        VertexKind::EndBranch => "end branch".to_owned(),
        VertexKind::ForLoop { .. } => "for".to_owned(),
        VertexKind::PreLoop { .. } => "while".to_owned(),
        VertexKind::PostLoop { .. } => "until".to_owned(),
        VertexKind::ConcurrentLoop { .. } => "concurrent".to_owned(),
        VertexKind::EndLoop => "end loop".to_owned(),
        VertexKind::Goto(jump) => format!("{jump:?}"),
        VertexKind::Label { label } => format!("label {}", label.unwrap()),
    }
}

/// The value of the last assignment of the document.
pub(crate) fn last_value(doc: &Document) -> ExprId {
    let mut values = doc.stmts.values().filter_map(|stmt| match stmt.kind {
        StmtKind::Assign { rhs, .. } => Some(rhs),
        _ => None,
    });
    values.next_back().unwrap()
}

/// The type of `value` in a program with these declarations: `integer4`, `real8[2]`.
pub(crate) fn type_of(declarations: &str, value: &str) -> String {
    let source = format!("program p\n{declarations}\nu = {value}\nend program\n");
    let (doc, diagnostics) = translate("t.f90", &source);
    let errors: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(!diagnostics.has_errors(), "{}", errors.join("\n"));
    let Ty { base, rank } = doc.exprs[last_value(&doc)].ty;
    let base = format!("{base:?}").to_lowercase().replace(['(', ')'], "");
    if rank > 0 { format!("{base}[{rank}]") } else { base }
}

/// Whether the value of the last assignment is an intrinsic operation, and which.
pub(crate) fn operation(doc: &Document) -> Option<(String, Option<String>, Vec<u16>)> {
    match &doc.exprs[last_value(doc)].kind {
        ExprKind::Intrinsic { name, spelling, operands } => Some((
            name.to_string(),
            spelling.as_ref().map(ToString::to_string),
            operands.iter().map(|operand| operand.position).collect(),
        )),
        _ => None,
    }
}

/// The name of the procedure that the last assignment calls, and the positions of its arguments.
pub(crate) fn called(doc: &Document) -> Option<(String, Vec<u32>)> {
    match &doc.exprs[last_value(doc)].kind {
        ExprKind::Call(call) => Some((
            doc.symbols[call.callee.symbol].id.clone(),
            call.args.iter().map(|arg| arg.position).collect(),
        )),
        _ => None,
    }
}
