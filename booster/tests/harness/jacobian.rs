//! Local Jacobians by hand: the sources in `local_jacobian/` have all statements that preaccumulation leaves, each
//! with its part behind it: `!> value`, `!> entry`, `!> again`; `!> step` is an assignment that stands for a step of
//! the propagator, `y = a*x + b*z`. The original is what is left without entries and steps.

use xaif_booster::analysis::tbr;
use xaif_booster::build::{nodes_of, real, subscripts_of};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::preaccumulate::{self, Store};
use xaif_booster::transform::{adjoint, tangent};
use xaif_schema::model::{
    Body, Cfg, Document, ExprId, ExprKind, LocalJacobian, Propagator, RefId, StmtId, StmtKind,
    VertexKind,
};
use xaif_schema::verify;

use crate::{add_activity, document, reread, told, verified};

/// The program that the local Jacobians are those of.
pub fn original(source: &str) -> Document {
    let added = ["!> entry", "!> again", "!> step"];
    let kept = source.lines().filter(|line| !added.iter().any(|part| line.ends_with(part)));
    document(&kept.collect::<Vec<_>>().join("\n"))
}

/// The document with local Jacobians, with facts of activity where `head` is given.
pub fn marked(source: &str, head: Option<&str>) -> Document {
    let mut doc = document(source);
    if let Some(head) = head {
        add_activity(&mut doc, head).expect("activity");
    }
    if !source.contains("!>") {
        let store = if head.is_some() { Store::Operands } else { Store::Entries };
        let options = preaccumulate::Options { always: true, store, ..Default::default() };
        let done = preaccumulate::preaccumulate(&mut doc, &options);
        done.unwrap_or_else(|messages| panic!("{}", told(&messages)));
    }
    let procs: Vec<_> = doc.procs.keys().collect();
    for proc in procs {
        let Body::Flow(cfg) = &mut doc.procs[proc].body else { continue };
        let mut cfg = std::mem::take(cfg);
        mark_all(&mut doc, &mut cfg);
        doc.procs[proc].body = Body::Flow(cfg);
    }
    verified(&doc);
    // What stands in a file is what goes on.
    reread(&doc)
}

fn mark_all(doc: &mut Document, cfg: &mut Cfg) {
    for vertex in cfg.vertices.values_mut() {
        let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind else { continue };
        let mut left: Vec<StmtId> = Vec::new();
        for &stmt in stmts.iter() {
            let word = match &doc.stmts[stmt].kind {
                StmtKind::Comment(comment) => comment.text.trim().strip_prefix("> "),
                _ => None,
            };
            let part = match word {
                Some("value") => LocalJacobian::Value,
                Some("entry") => LocalJacobian::Entry,
                Some("again") => LocalJacobian::Again,
                Some("step") => LocalJacobian::Propagator,
                Some(other) => panic!("{other}"),
                None => {
                    left.push(stmt);
                    continue;
                }
            };
            let of = left.pop().expect("a statement");
            mark(doc, of, part, &mut left);
        }
        *stmts = left;
    }
}

fn mark(doc: &mut Document, stmt: StmtId, part: LocalJacobian, left: &mut Vec<StmtId>) {
    let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { panic!("an assignment") };
    if part != LocalJacobian::Propagator {
        doc.stmts[stmt].local_jacobian = Some(part);
        doc.refs[lhs].active = Some(false);
        let mut roots = subscripts_of(&doc.refs[lhs]);
        roots.push(rhs);
        passive(doc, roots);
        left.push(stmt);
        return;
    }
    let step = Propagator::Sax { terms: terms(doc, rhs), y: lhs };
    if let Some(&last) = left.last()
        && let StmtKind::Propagate(steps) = &mut doc.stmts[last].kind
    {
        steps.push(step);
        return;
    }
    doc.stmts[stmt].kind = StmtKind::Propagate(vec![step]);
    doc.stmts[stmt].local_jacobian = Some(part);
    left.push(stmt);
}

/// `a*x + b*z` as coefficients and variables.
fn terms(doc: &mut Document, expr: ExprId) -> Vec<(ExprId, RefId)> {
    match doc.exprs[expr].kind.clone() {
        ExprKind::Constant(_) => Vec::new(),
        ExprKind::Ref(x) => {
            let place = doc.exprs[expr].place;
            vec![(real(doc, "1.0", doc.refs[x].ty.base, place), x)]
        }
        ExprKind::Intrinsic { name, operands, .. } => {
            let (a, b) = (operands[0].expr, operands[1].expr);
            if &*name == "add_scal_scal" {
                let mut all = terms(doc, a);
                all.extend(terms(doc, b));
                return all;
            }
            assert_eq!(&*name, "mul_scal_scal");
            passive(doc, vec![a]);
            vec![(a, doc.exprs[b].reference().expect("a variable"))]
        }
        other => panic!("{other:?}"),
    }
}

fn passive(doc: &mut Document, roots: Vec<ExprId>) {
    for node in nodes_of(doc, roots) {
        if let Some(reference) = doc.exprs[node].reference() {
            doc.refs[reference].active = Some(false);
        }
    }
}

/// The tangent of a document that [`marked`] gives.
pub fn tangent_of(marked: &Document, directions: Option<u32>) -> Document {
    let mut doc = marked.clone();
    let options = tangent::Options { directions, ..Default::default() };
    let done = tangent::tangent(&mut doc, &options);
    done.unwrap_or_else(|messages| panic!("{}", told(&messages)));
    sound(&doc);
    doc
}

/// The document keeps all invariants, and no part of a local Jacobian is left.
fn sound(doc: &Document) {
    let problems = verify::verify(doc);
    assert!(problems.is_empty(), "{problems:#?}");
    let blocks = doc.procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    for stmt in blocks.flat_map(|cfg| cfg.vertices.values()).flat_map(|vertex| match &vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => &stmts[..],
        _ => &[],
    }) {
        assert!(!matches!(doc.stmts[*stmt].kind, StmtKind::Propagate(_)));
        assert_eq!(doc.stmts[*stmt].local_jacobian, None);
    }
}

/// The adjoint of a document that [`marked`] gives, with facts of recording and all calls split where asked.
pub fn adjoint_of(marked: &Document, facts: bool, split: bool) -> Document {
    let mut doc = marked.clone();
    let modes = adjoint::Modes { all: split, ..Default::default() };
    if facts {
        prepare(&mut doc).expect("it is prepared");
        tbr::tbr(&mut doc, &Externals::new(), &Catalogue::standard(), &modes);
        let problems = verify::verify(&doc);
        assert!(problems.is_empty(), "{problems:#?}");
    }
    let options = adjoint::Options { modes, ..Default::default() };
    let done = adjoint::adjoint(&mut doc, &options);
    done.unwrap_or_else(|messages| panic!("{}", told(&messages)));
    sound(&doc);
    doc
}
