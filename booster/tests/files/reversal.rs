//! Control-flow reversal, without any derivative: the forward sweep executes each statement and
//! pushes what it overwrites, the backward sweep pops it. So behind both every variable has the
//! value that it had before them. Each statement also notes in a trace that it was executed, and in
//! the backward sweep that it was the last of the trace, which it shortens: so the backward sweep
//! visits exactly the mirrored sequence.
//!
//! For each source in `reversal/` the text of both sweeps stands beside it (`OXAD_BLESS=1` writes it
//! anew). A source has a module `watch` (see `WATCH`), and says in comments at its top what is
//! executed: `! call p n=3 x=[1,2,3]`.

use std::collections::BTreeSet;
use std::path::Path;

use booster_tests::trials::each;
use booster_tests::{Compiler, as_blessed, document, printed, sources, told};
use libtest_mimic::Trial;
use xaif_booster::build::{
    Emitter, assign, binary, boolean, index, integer, new_variable, nodes_of, value_of, whole,
};
use xaif_booster::transform::adjoint::flatten::flatten;
use xaif_booster::transform::reversal::{Sweeps, append, reverse_flow};
use xaif_run::{Element, Given, Limits, Outcome, Request, parse_setting, run};
use xaif_schema::diag::{Diagnostic, Diagnostics};
use xaif_schema::model::{
    Arg, ArgValue, Base, Body, BoolOp, Cfg, Document, ExprId, ExprKind, InlinableCall, Place,
    ProcId, ProcKind, RefId, ScopeId, StmtId, StmtKind, SymbolId, Verb, VertexKind,
};
use xaif_schema::verify;

#[path = "../reversal/random.rs"]
mod random;

pub(crate) fn trials() -> Vec<Trial> {
    let own = || sources("reversal");
    let random = (0..random::COUNT).map(|seed| {
        Trial::test(format!("reversal::random::{seed}"), move || {
            of_random_program(seed);
            Ok(())
        })
    });
    let compiled = (0..12).map(|seed| {
        Trial::test(format!("reversal::gfortran::random::{seed}"), move || {
            takes(&(random::program(seed) + WATCH));
            Ok(())
        })
    });
    [
        each("reversal::gfortran", own(), |path| takes(&read(path))),
        each("reversal::executed", own(), executed),
        each("reversal::blessed", own(), blessed),
        random.collect(),
        compiled.collect(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Where each statement leaves its trace.
const WATCH: &str = "module watch\n  implicit none\n  integer :: visited = 0, wrong = 0\n  \
    integer :: trace(200000)\nend module watch\n";

/// What is done at the places of a procedure.
struct Mirror {
    scope: ScopeId,
    visited: SymbolId,
    wrong: SymbolId,
    trace: SymbolId,
    /// Whether everything may overwrite everything.
    pessimistic: bool,
}

impl Mirror {
    fn new(doc: &Document, proc: ProcId, pessimistic: bool) -> Self {
        let find = |name: &str| {
            let mut symbols = doc.symbols.iter();
            let found = symbols.find(|(_, symbol)| symbol.id == name && symbol.rank.is_some());
            found.expect("a variable of the module watch").0
        };
        let (visited, wrong, trace) = (find("visited"), find("wrong"), find("trace"));
        Mirror { scope: doc.procs[proc].scope, visited, wrong, trace, pessimistic }
    }

    fn value(doc: &mut Document, symbol: SymbolId) -> ExprId {
        let reference = whole(doc, symbol, Place::default());
        value_of(doc, reference)
    }

    /// `symbol = symbol + number`
    fn add(e: &mut Emitter<'_>, symbol: SymbolId, name: &str) {
        let place = Place::default();
        let (old, one) = (Self::value(e.doc, symbol), integer(e.doc, 1, place));
        let sum = binary(e.doc, name, old, one);
        let target = whole(e.doc, symbol, place);
        let stmt = assign(e.doc, target, sum, place);
        e.push(stmt);
    }

    /// The last of the trace.
    fn last(&self, doc: &mut Document) -> RefId {
        let at = Self::value(doc, self.visited);
        index(doc, self.trace, &[at], Place::default())
    }

    fn note(&self, e: &mut Emitter<'_>, stmt: StmtId) {
        Self::add(e, self.visited, "add_scal_scal");
        let (last, place) = (self.last(e.doc), Place::default());
        let id = integer(e.doc, i64::from(stmt.as_u32()), place);
        e.assign(last, id, place);
    }

    fn check(&self, e: &mut Emitter<'_>, stmt: StmtId) {
        let (last, place) = (self.last(e.doc), Place::default());
        let last = value_of(e.doc, last);
        let id = integer(e.doc, i64::from(stmt.as_u32()), place);
        let differs = boolean(e.doc, BoolOp::NotEqual, &[last, id]);
        e.open_if(differs, place);
        Self::add(e, self.wrong, "add_scal_scal");
        e.close_if();
        Self::add(e, self.visited, "sub_scal_scal");
    }

    fn tape(e: &mut Emitter<'_>, name: &str, target: RefId) {
        let target = xaif_booster::build::Copier::new().reference(e.doc, target);
        let value = value_of(e.doc, target);
        let name =
            if e.doc.refs[target].ty.rank > 0 { format!("{name}_array") } else { name.into() };
        let args = vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(value) }];
        let call = InlinableCall { name: name.into(), args };
        e.stmt(StmtKind::InlinableCall(Box::new(call)), Place::default());
    }
}

/// What a statement overwrites; `None` if it is no part of the backward sweep.
fn overwritten(doc: &Document, stmt: StmtId) -> Option<Vec<RefId>> {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, .. } => Some(vec![*lhs]),
        StmtKind::Call(_) | StmtKind::Release(_) => Some(Vec::new()),
        StmtKind::Marker(marker) if marker.verb == Verb::Io => {
            let written = marker
                .operands
                .iter()
                .filter(|operand| matches!(operand.access, xaif_schema::model::Access::Write));
            let reference =
                |operand: &xaif_schema::model::MarkerOperand| match doc.exprs[operand.expr].kind {
                    ExprKind::Ref(reference) => Some(reference),
                    _ => None,
                };
            Some(written.filter_map(reference).collect())
        }
        StmtKind::Marker(_) | StmtKind::Comment(_) => None,
        other => panic!("a statement that these tests do not know: {other:?}"),
    }
}

impl Sweeps for Mirror {
    fn forward(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        if let Some(list) = overwritten(e.doc, stmt) {
            list.into_iter().for_each(|target| Self::tape(e, "push", target));
            self.note(e, stmt);
        }
        e.push(stmt);
        Ok(())
    }

    fn record(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        for target in overwritten(e.doc, stmt).unwrap_or_default() {
            Self::tape(e, "push", target);
        }
        self.note(e, stmt);
        Ok(())
    }

    fn backward(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        self.check(e, stmt);
        for target in overwritten(e.doc, stmt).unwrap_or_default().into_iter().rev() {
            Self::tape(e, "pop", target);
        }
        Ok(())
    }

    fn has_backward(&mut self, doc: &Document, stmt: StmtId) -> bool {
        overwritten(doc, stmt).is_some()
    }

    fn overwrites(&self, doc: &Document, stmts: &[StmtId], expr: ExprId) -> bool {
        let read =
            nodes_of(doc, [expr]).into_iter().filter_map(|node| match doc.exprs[node].kind {
                ExprKind::Ref(reference) => Some(doc.refs[reference].base),
                _ => None,
            });
        let read: BTreeSet<SymbolId> = read.collect();
        if self.pessimistic {
            return !read.is_empty();
        }
        let written = stmts.iter().filter_map(|&stmt| overwritten(doc, stmt)).flatten();
        written.into_iter().any(|target| read.contains(&doc.refs[target].base))
    }

    fn variable(&mut self, doc: &mut Document, hint: &str, base: Base) -> SymbolId {
        new_variable(doc, self.scope, hint, base, Place::default())
    }
}

/// Which of the sweeps become the body.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Forward,
    Both,
}

/// The document with the sweeps in the place of each subroutine that is called by no other.
fn reversed(source: &str, part: Part, pessimistic: bool) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    flatten(&mut doc);
    let called: BTreeSet<ProcId> = doc.calls.iter().map(|&(_, callee)| callee).collect();
    let procs: Vec<ProcId> = doc.procs.keys().filter(|proc| !called.contains(proc)).collect();
    for proc in procs {
        if doc.procs[proc].kind != ProcKind::Subroutine {
            continue;
        }
        let mut mirror = Mirror::new(&doc, proc, pessimistic);
        let sweeps = reverse_flow(&mut doc, proc, &mut mirror)?;
        let body = match part {
            Part::Forward => sweeps.forward,
            Part::Both => append(&doc, sweeps.forward, sweeps.backward),
        };
        doc.procs[proc].body = Body::Flow(body);
        let problems = verify::verify(&doc);
        assert!(
            problems.is_empty(),
            "{problems:?}\n{source}\n{}",
            xaif_schema::inspect::show::show(&doc)
        );
    }
    Ok(doc)
}

fn execute(doc: &Document, procedure: &str, values: &[(String, Given)]) -> Result<Outcome, String> {
    let request = Request {
        procedure: Some(procedure.to_owned()),
        values: values.to_vec(),
        show: vec!["visited".into(), "wrong".into()],
        limits: Limits { steps: 2_000_000, ..Limits::default() },
        ..Request::default()
    };
    run(doc, &request).map_err(|messages| told(&messages))
}

fn shown(outcome: &Outcome, name: &str) -> Vec<Element> {
    let found = outcome.outputs.iter().find(|output| output.name == name);
    found.expect("a variable").elements.clone()
}

/// The original, the forward sweep and both sweeps do what they should.
fn check_call(source: &str, procedure: &str, values: &[(String, Given)], pessimistic: bool) {
    let fail = |what: &str, doc: &Document| -> ! {
        panic!("{procedure} {values:?}: {what}\n{source}\n{}", printed(doc))
    };
    let original = document(source);
    let expected = match execute(&original, procedure, values) {
        Ok(outcome) => outcome,
        Err(messages) => fail(&messages, &original),
    };
    let forward = match reversed(source, Part::Forward, pessimistic) {
        Ok(doc) => doc,
        Err(messages) => fail(&told(&messages), &original),
    };
    let found = execute(&forward, procedure, values).unwrap_or_else(|m| fail(&m, &forward));
    if found.stopped != expected.stopped {
        fail("the forward sweep stops elsewhere", &forward);
    }
    for output in expected.outputs.iter().filter(|output| output.name != "visited") {
        if shown(&found, &output.name) != output.elements {
            fail(&format!("the forward sweep gives another {}", output.name), &forward);
        }
    }
    let both = reversed(source, Part::Both, pessimistic).expect("as before");
    let found = execute(&both, procedure, values).unwrap_or_else(|m| fail(&m, &both));
    if found.stopped != expected.stopped {
        fail("both sweeps stop elsewhere", &both);
    }
    if found.stopped.is_some() {
        return;
    }
    for name in ["visited", "wrong"] {
        if shown(&found, name) != [Element::Int(0)] {
            fail(&format!("{name} is {:?}", shown(&found, name)), &both);
        }
    }
    if !found.warnings.is_empty() {
        fail(&told(&found.warnings), &both);
    }
    let (idle, name) = unchanged(source, procedure);
    let nothing = execute(&idle, &name, values).unwrap_or_else(|m| fail(&m, &both));
    for output in nothing.outputs.iter().filter(|output| output.name != "visited") {
        if shown(&found, &output.name) != output.elements {
            fail(&format!("{} is not restored", output.name), &both);
        }
    }
}

/// The document in which a procedure does nothing, so what it leaves is what it was given; and the
/// name of the procedure, which may have been entered by another.
fn unchanged(source: &str, entered: &str) -> (Document, String) {
    let mut doc = document(source);
    let names = |proc: &ProcId| {
        let Body::Flow(cfg) = &doc.procs[*proc].body else { return false };
        let entries = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(point)) => Some(point.symbol),
            _ => None,
        });
        let mut all = entries.chain([doc.procs[*proc].symbol]);
        all.any(|symbol| doc.name(symbol) == entered)
    };
    let proc = doc.procs.keys().find(names).expect("a procedure");
    let (scope, mut cfg) = (doc.procs[proc].scope, Cfg::default());
    Emitter::fresh(&mut doc, scope, &mut cfg, Place::default()).finish();
    doc.procs[proc].body = Body::Flow(cfg);
    let name = doc.name(doc.procs[proc].symbol).to_owned();
    (doc, name)
}

/// The text of a test: its procedures need not repeat the module.
fn read(path: &Path) -> String {
    booster_tests::read(path) + WATCH
}

fn calls(source: &str) -> Vec<(String, Vec<(String, Given)>)> {
    let calls = source.lines().filter_map(|line| line.strip_prefix("! call "));
    calls
        .map(|text| {
            let (procedure, values) = text.split_once(' ').unwrap_or((text, ""));
            let setting = |word: &str| parse_setting(word).expect("a setting");
            (procedure.to_owned(), values.split_whitespace().map(setting).collect())
        })
        .collect()
}

fn blessed(path: &Path) {
    let text = match reversed(&read(path), Part::Both, false) {
        Ok(doc) => printed(&doc).replace(WATCH, ""),
        Err(messages) => format!("refused\n{}", told(&messages)),
    };
    as_blessed(path, &text);
}

/// They visit the mirrored sequence and restore everything.
fn executed(path: &Path) {
    let source = read(path);
    for pessimistic in [false, true] {
        if reversed(&source, Part::Both, pessimistic).is_err() {
            continue;
        }
        let calls = calls(&source);
        assert!(!calls.is_empty(), "nothing is executed");
        for (procedure, values) in calls {
            check_call(&source, &procedure, &values, pessimistic);
        }
    }
}

fn of_random_program(seed: u64) {
    let source = format!("{}{WATCH}", random::program(seed));
    for k in 0..3 {
        let values = [parse_setting(&format!("k={k}")), parse_setting("x=[1,2,3,4,5,6]")];
        let values: Vec<_> = values.into_iter().map(|value| value.expect("a setting")).collect();
        check_call(&source, "p", &values, seed.is_multiple_of(3));
    }
}

/// gfortran takes both sweeps of a source.
fn takes(source: &str) {
    if let Ok(doc) = reversed(source, Part::Both, false) {
        Compiler::default().compile(&printed(&doc), &["-std=legacy", "-Wall", "-fsyntax-only"]);
    }
}
