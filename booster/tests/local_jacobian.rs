//! Local Jacobians by hand, behind which tangent and adjoint are what they are without.
//!
//! The sources in `local_jacobian/` have all statements that preaccumulation leaves, each with its part
//! behind it: `!> value`, `!> entry`, `!> again`; `!> step` is an assignment that stands for a step of
//! the propagator, `y = a*x + b*z`. The original is what is left without entries and steps.
//!
//! The sources in `preaccumulate/` have the same checks behind the stage itself.
//!
//! - `! call p n=3 x=[1,2,3]`: a procedure and the values of its arguments.
//!
//! `OXAD_BLESS=1` writes the texts anew.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use xaif_booster::analysis::{activity, tbr};
use xaif_booster::build::{nodes_of, real, subscripts_of};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::preaccumulate::{self, Store};
use xaif_booster::transform::{adjoint, tangent};
use xaif_run::{Element, Given, Mode, Outcome, Request};
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Body, Cfg, Document, ExprId, ExprKind, LocalJacobian, Propagator, RefId, StmtId, StmtKind,
    VertexKind,
};
use xaif_schema::{verify, xml};

use crate::harness::{
    Call, as_blessed, calls, document, each_compiled, execute, printed, read, sources, told,
    verified,
};

/// And those that the stage makes local Jacobians of.
fn all_sources() -> Vec<PathBuf> {
    [sources("local_jacobian"), sources("preaccumulate")].concat()
}

/// The program that the local Jacobians are those of.
fn original(source: &str) -> Document {
    let added = ["!> entry", "!> again", "!> step"];
    let kept = source.lines().filter(|line| !added.iter().any(|part| line.ends_with(part)));
    document(&kept.collect::<Vec<_>>().join("\n"))
}

/// The document with local Jacobians, with facts of activity where `head` is given.
fn marked(source: &str, head: Option<&str>) -> Document {
    let mut doc = document(source);
    if let Some(head) = head {
        let options = activity::Options { heads: vec![head.to_owned()], ..Default::default() };
        activity::activity(&mut doc, &options, &Externals::new()).expect("activity");
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
    let text = xml::to_string(&doc).expect("a document");
    xml::read(text.as_bytes(), "marked.xaif").expect("it is read again")
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

fn tolerance(source: &str) -> f64 {
    let single =
        ["real(4)", "complex(4)", "real ::", "real,"].iter().any(|word| source.contains(word));
    if single { 1e-5 } else { 1e-11 }
}

fn request(call: &Call) -> Request {
    Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        ..Request::default()
    }
}

/// A number for each element of each real argument: of all of them, or of those that have a value.
fn directions(doc: &Document, call: &Call, seed: u64, all: bool) -> Vec<(String, Given)> {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (state >> 40) as f64 / f64::from(1 << 24);
        (bits * 64.0).round() / 32.0 - 1.0
    };
    let outcome = execute(doc, &request(call), &call.procedure);
    let given = |name: &str| all || call.values.iter().any(|(own, _)| own == name);
    let mut found = Vec::new();
    for output in &outcome.outputs {
        let is_number = |one: &Element| matches!(one, Element::Real(..) | Element::Complex(..));
        if output.elements.iter().all(is_number) && given(&output.name) {
            let word = |element: &Element| match element {
                Element::Complex(..) => format!("({:?},{:?})", next(), next()),
                _ => format!("{:?}", next()),
            };
            let words = output.elements.iter().map(word).collect();
            found.push((output.name.clone(), Given { shape: output.shape.clone(), words }));
        }
    }
    found
}

/// Real numbers, and both parts of complex ones.
fn numbers(outcome: &Outcome, name: &str, tangent: bool) -> Vec<f64> {
    elements(outcome, name, tangent).concat()
}

fn elements(outcome: &Outcome, name: &str, tangent: bool) -> Vec<Vec<f64>> {
    let output = outcome.outputs.iter().find(|output| output.name == name);
    let output = output.unwrap_or_else(|| panic!("no {name}"));
    let of = |element: &Element| match element {
        Element::Real(_, derivative) if tangent => vec![*derivative],
        Element::Real(value, _) => vec![*value],
        Element::Complex(_, derivative) if tangent => derivative.to_vec(),
        Element::Complex(value, _) => value.to_vec(),
        other => panic!("{name}: {other:?}"),
    };
    output.elements.iter().map(of).collect()
}

fn parts(word: &str) -> Vec<f64> {
    let parts = word.trim_matches(['(', ')']).split(',');
    parts.map(|part| part.parse().expect("a number")).collect()
}

fn words(given: &Given) -> Vec<f64> {
    given.words.iter().flat_map(|word| parts(word)).collect()
}

/// So many times a number.
fn times(word: &str, factor: f64) -> String {
    let parts: Vec<String> =
        parts(word).iter().map(|part| format!("{:?}", part * factor)).collect();
    if parts.len() > 1 { format!("({})", parts.join(",")) } else { parts.concat() }
}

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())))
}

/// What dual numbers give for the original.
fn expected(source: &str, call: &Call, seed: u64) -> (Vec<(String, Given)>, Outcome) {
    let original = original(source);
    let direction = directions(&original, call, seed, false);
    let request = Request { direction: direction.clone(), mode: Mode::Tangent, ..request(call) };
    let outcome = execute(&original, &request, &call.procedure);
    (direction, outcome)
}

fn each_call(check: impl Fn(&str, &str, &Call)) {
    for path in all_sources() {
        let source = read(&path);
        for call in calls(&source) {
            check(&format!("{} {}", path.display(), call.procedure), &source, &call);
        }
    }
}

#[test]
fn the_document_has_the_values_and_tangents_of_the_original() {
    each_call(|what, source, call| {
        let (direction, expected) = expected(source, call, 1);
        for mode in [Mode::Tangent, Mode::ComplexStep] {
            let request = Request { direction: direction.clone(), mode, ..request(call) };
            let found = execute(&marked(source, None), &request, what);
            for (name, _) in &directions(&original(source), call, 0, true) {
                for tangent in [false, true] {
                    let (a, b) =
                        (numbers(&expected, name, tangent), numbers(&found, name, tangent));
                    assert!(
                        close(&a, &b, tolerance(source)),
                        "{what} {name} {mode:?}: {a:?} {b:?}"
                    );
                }
            }
        }
    });
}

/// Printed before it is differentiated the document is the program with dead assignments.
#[test]
fn without_derivatives_it_is_the_program() {
    each_call(|what, source, call| {
        let doc = document(&printed(&marked(source, None)));
        let expected = execute(&original(source), &request(call), what);
        let found = execute(&doc, &request(call), what);
        for output in &expected.outputs {
            let other = found.outputs.iter().find(|other| other.name == output.name);
            assert_eq!(other.map(|other| &other.elements), Some(&output.elements), "{what}");
        }
    });
}

fn tangent_of(source: &str, head: Option<&str>, directions: Option<u32>) -> Document {
    let mut doc = marked(source, head);
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

/// The variables with a derivative that is an argument.
fn differentiated(doc: &Document, procedure: &str, suffix: &str) -> HashSet<String> {
    let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == procedure);
    let args = proc.map(|proc| proc.args.clone()).unwrap_or_default();
    let names = args.iter().filter(|arg| arg.deriv).filter_map(|arg| arg.symbol);
    names.map(|symbol| doc.name(symbol).strip_suffix(suffix).expect("a name").to_owned()).collect()
}

#[test]
fn the_tangent_is_that_of_the_original() {
    each_call(|what, source, call| {
        let head = Some(&*call.procedure);
        for (head, count) in [(None, None), (None, Some(2)), (None, Some(8)), (head, None)] {
            let doc = tangent_of(source, head, count);
            let (direction, expected) = expected(source, call, 2);
            let procedure = format!("{}_d", call.procedure);
            let names = differentiated(&doc, &procedure, "d");
            let mut values = call.values.clone();
            for (name, given) in direction.iter().filter(|(name, _)| names.contains(name)) {
                let mut given = given.clone();
                if let Some(count) = count {
                    given.shape.insert(0, i64::from(count));
                    let each = |word: &String| -> Vec<String> {
                        (1..=count).map(|factor| times(word, f64::from(factor))).collect()
                    };
                    given.words = given.words.iter().flat_map(each).collect();
                }
                values.push((format!("{name}d"), given));
            }
            let request = Request { procedure: Some(procedure), values, ..Request::default() };
            let found = execute(&doc, &request, what);
            for name in &names {
                let wanted = numbers(&expected, name, true);
                let all = elements(&found, &format!("{name}d"), false);
                let each = count.unwrap_or(1) as usize;
                for at in 0..each {
                    let one: Vec<f64> =
                        all.iter().skip(at).step_by(each).flatten().copied().collect();
                    let wanted: Vec<f64> = wanted.iter().map(|w| w * (at + 1) as f64).collect();
                    assert!(
                        close(&wanted, &one, tolerance(source)),
                        "{what} {name} {head:?} {count:?}: {wanted:?} {one:?}"
                    );
                }
            }
        }
    });
}

fn adjoint_of(source: &str, head: Option<&str>, facts: bool, split: bool) -> Document {
    let mut doc = marked(source, head);
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

#[test]
fn the_adjoint_is_the_transpose() {
    each_call(|what, source, call| {
        let (direction, after) = expected(source, call, 3);
        let weights = directions(&original(source), call, 4, true);
        for head in [None, Some(&*call.procedure)] {
            for (facts, split) in [(false, false), (false, true), (true, false), (true, true)] {
                let doc = adjoint_of(source, head, facts, split);
                let procedure = format!("{}_b", call.procedure);
                let names = differentiated(&doc, &procedure, "b");
                let mut values = call.values.clone();
                let own = weights.iter().filter(|(name, _)| names.contains(name));
                values.extend(own.clone().map(|(name, given)| (format!("{name}b"), given.clone())));
                let request = Request { procedure: Some(procedure), values, ..Request::default() };
                let found = execute(&doc, &request, what);
                let (mut left, mut right, mut size) = (0.0, 0.0, 1.0_f64);
                for (name, weight) in own {
                    let tangent = numbers(&after, name, true);
                    let product: f64 = words(weight).iter().zip(&tangent).map(|(a, b)| a * b).sum();
                    left += product;
                    size = size.max(product.abs());
                }
                for (name, direction) in direction.iter().filter(|(name, _)| names.contains(name)) {
                    let bar = numbers(&found, &format!("{name}b"), false);
                    let product: f64 = words(direction).iter().zip(&bar).map(|(a, b)| a * b).sum();
                    right += product;
                    size = size.max(product.abs());
                }
                assert!(
                    (left - right).abs() <= tolerance(source) * size,
                    "{what} {head:?} facts {facts} split {split}: {left} {right}"
                );
            }
        }
    });
}

/// What the backward sweep accumulates again, the forward sweep does not accumulate, nor does it where it is
/// a procedure of its own and no liveness tells who reads what.
#[test]
fn what_is_accumulated_again_is_not_computed_in_the_forward_sweep() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/local_jacobian/calls.f90");
    let text = printed(&adjoint_of(&read(&path), None, true, true));
    let unit = |name: &str| {
        let from = text.find(&format!("subroutine {name}(")).expect("the unit");
        let behind = text[from..].find("end subroutine").expect("its end");
        &text[from..from + behind]
    };
    assert!(!unit("half_fwd").contains("c = "), "{}", unit("half_fwd"));
    assert!(unit("half_bwd").contains("c = "), "{}", unit("half_bwd"));
}

#[test]
fn they_are_as_blessed() {
    as_blessed(&sources("local_jacobian"), |source| {
        let head = calls(source).first().map(|call| call.procedure.clone());
        let head = head.as_deref().filter(|_| calls(source).len() == 1);
        printed(&tangent_of(source, head, None)) + &printed(&adjoint_of(source, head, true, false))
    });
}

#[test]
fn gfortran_takes_them_without_a_warning() {
    // One source loses digits on purpose.
    let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-conversion"];
    each_compiled(&all_sources(), |gfortran, path| {
        let (source, what) = (read(path), path.display().to_string());
        gfortran.compile(&source, &["-w"], &what);
        // Assignments that allocate a variable are told by gfortran to use it uninitialised.
        let own = source.contains("allocatable").then_some("-Wno-uninitialized");
        let mut strict: Vec<&str> = strict.into_iter().chain(own).collect();
        let all = [
            tangent_of(&source, None, None),
            adjoint_of(&source, None, true, false),
            tangent_of(&source, None, Some(2)),
            adjoint_of(&source, None, true, true),
            adjoint_of(&source, None, false, false),
        ];
        for (number, doc) in all.iter().enumerate() {
            if number == 2 {
                // What follows the flow of values has been looked for.
                strict.push("-fsyntax-only");
            }
            gfortran.compile(&printed(doc), &strict, &what);
        }
    });
}

/// Activity analysis behind preaccumulation would compute derivatives twice; propagators of other
/// tools have no derivative.
#[test]
fn what_is_refused() {
    let source = read(&sources("local_jacobian")[0]);
    let mut doc = marked(&source, None);
    let found = activity::activity(&mut doc, &activity::Options::default(), &Externals::new());
    let found = found.expect_err("it is refused");
    assert!(found.iter().any(|d| d.code == Code::BEHIND_PREACCUMULATION), "{}", told(&found));
}
