//! Whatever the reader accepts, however deeply it nests, passes every stage of the crate in a
//! thread with a stack of two megabytes.
//!
//! What nests in the XML is tried at the deepest level that the writer and the reader accept, what
//! nests in the model alone (scopes, constructs, operators) at ten thousand levels.

use std::thread;

use xaif_schema::inspect::dot::dot;
use xaif_schema::inspect::graphs::Graphs;
use xaif_schema::inspect::show::{ShowOptions, show_with};
use xaif_schema::model::*;
use xaif_schema::{verify, xml};

const OWN: &str = include_str!("data/own.xaif");
const STACK: usize = 2 << 20;
const DEEP: usize = 10_000;

/// The document of the tests, changed by `change`.
fn own(change: impl FnOnce(&mut Document)) -> Document {
    let mut doc = xml::read(OWN.as_bytes(), "own.xaif").expect("it is read");
    change(&mut doc);
    doc
}

/// Runs `work` with a small stack.
fn in_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic")
}

/// Reads `text` and passes the document through all that the crate does with it.
fn passes(text: String) {
    in_small_stack(move || {
        let doc = xml::read(text.as_bytes(), "deep.xaif").expect("it is read");
        assert_eq!(verify::verify(&doc), Default::default());
        assert!(!show_with(&doc, &ShowOptions::full()).is_empty());
        let graphs = Graphs::new(&doc);
        assert!(dot(&graphs.all()).starts_with("digraph"));
        for stmt in doc.stmts.keys() {
            graphs.expression(stmt);
        }
        assert!(xml::to_string(&doc).expect("it is written") == text);
        assert_eq!(doc.clone(), doc);
    });
}

/// The deepest level that is written is between `from` and `to`, and passes.
fn passes_at_the_limit(
    (from, to): (usize, usize),
    make: impl Fn(usize) -> Document + Send + 'static,
) {
    let text = in_small_stack(move || {
        assert!(xml::to_string(&make(to)).is_err(), "{to} levels are written");
        let written = |depth: usize| xml::to_string(&make(depth)).ok();
        let (mut low, mut high) = (from, to);
        while high - low > 1 {
            let middle = (low + high) / 2;
            *(if written(middle).is_some() { &mut low } else { &mut high }) = middle;
        }
        written(low).expect("the lowest depth is written")
    });
    passes(text);
}

fn number(doc: &mut Document) -> ExprId {
    let kind = ExprKind::Opaque("1".into());
    let ty = Ty::scalar(Base::Integer(4));
    doc.exprs.push(Expr { kind, ty, place: Place::default(), parens: false })
}

fn node(doc: &mut Document, kind: ExprKind) -> ExprId {
    let ty = Ty::scalar(Base::Logical(4));
    doc.exprs.push(Expr { kind, ty, place: Place::default(), parens: false })
}

/// The element of the first variable at `index`.
fn element(doc: &mut Document, index: ExprId) -> RefId {
    let mut reference = variable(doc);
    reference.parts.push(Part::Elements(vec![Subscript::Index(index)]));
    doc.refs.push(reference)
}

fn variable(doc: &Document) -> Reference {
    let real = |symbol: &Symbol| {
        symbol
            .decl
            .as_ref()
            .is_some_and(|decl| decl.role == Role::Variable && decl.common.is_none())
    };
    let found = doc.symbols.iter().find(|(_, symbol)| real(symbol));
    Reference::whole(found.expect("a variable").0, Ty::default(), Place::default())
}

/// Makes `rhs` the right-hand side of the first assignment.
fn assign(doc: &mut Document, rhs: ExprId) {
    let assigned = doc.stmts.values_mut().find_map(|stmt| match &mut stmt.kind {
        StmtKind::Assign { rhs, .. } => Some(rhs),
        _ => None,
    });
    *assigned.expect("an assignment") = rhs;
}

fn stmt(doc: &mut Document, kind: StmtKind) -> StmtId {
    let place = Place::default();
    doc.stmts.push(Stmt {
        kind,
        place,
        id: None,
        do_chain: None,
        label: None,
        recorded: None,
        properties: Vec::new(),
        joint: false,
        recompute: false,
        adjoint_live: true,
        checkpoints: None,
        local_jacobian: None,
    })
}

fn assignment(doc: &mut Document) -> StmtId {
    let whole = variable(doc);
    let (lhs, rhs) = (doc.refs.push(whole), number(doc));
    stmt(doc, StmtKind::Assign { lhs, rhs, defined: None })
}

/// Adds `last` to the end of the first block of the first flow graph.
fn append(doc: &mut Document, last: StmtId) {
    let blocks = doc.procs.values_mut().find_map(|proc| match &mut proc.body {
        Body::Flow(cfg) => cfg.vertices.values_mut().find_map(|vertex| match &mut vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => Some(stmts),
            _ => None,
        }),
        Body::Interface | Body::Replacements { .. } => None,
    });
    blocks.expect("a block").insert(0, last);
}

#[test]
fn subscripts_within_subscripts() {
    passes_at_the_limit((40, 200), |depth| {
        own(|doc| {
            let mut index = number(doc);
            for _ in 0..depth {
                let element = element(doc, index);
                index = node(doc, ExprKind::Ref(element));
            }
            assign(doc, index);
        })
    });
}

#[test]
fn substrings_within_substrings() {
    passes_at_the_limit((40, 200), |depth| {
        own(|doc| {
            let mut bound = number(doc);
            for _ in 0..depth {
                let mut reference = variable(doc);
                reference.parts.push(Part::Substring { lower: None, upper: Some(bound) });
                let reference = doc.refs.push(reference);
                bound = node(doc, ExprKind::Ref(reference));
            }
            assign(doc, bound);
        })
    });
}

#[test]
fn types_within_constructors_within_types() {
    passes_at_the_limit((40, 300), |depth| {
        own(|doc| {
            let mut value = number(doc);
            for _ in 0..depth {
                let spec = TypeSpec::Character {
                    bytes: 1,
                    kind: KindSpelling::Default,
                    len: CharLen::Expr(value),
                };
                let spec = Some(Box::new(spec));
                value = node(doc, ExprKind::ArrayConstructor { spec, items: Vec::new() });
            }
            assign(doc, value);
        })
    });
}

#[test]
fn pointers_to_pointers() {
    passes_at_the_limit((10, 500), |depth| {
        own(|doc| {
            let mut spec = TypeSpec::ClassStar;
            for _ in 0..depth {
                spec = TypeSpec::Pointer(Box::new(spec));
            }
            let spec = Some(Box::new(spec));
            let value = node(doc, ExprKind::ArrayConstructor { spec, items: Vec::new() });
            assign(doc, value);
        })
    });
}

#[test]
fn objects_of_calls_within_objects_of_calls() {
    passes_at_the_limit((40, 300), |depth| {
        own(|doc| {
            let symbol = doc.procs.values().next().expect("a procedure").symbol;
            let mut value = number(doc);
            for _ in 0..depth {
                let object = Some(element(doc, value));
                let callee = Callee { symbol, generic: None, object };
                let call = FunctionCall { callee, args: Vec::new(), active: None };
                value = node(doc, ExprKind::Call(Box::new(call)));
            }
            assign(doc, value);
        })
    });
}

#[test]
fn where_within_where() {
    passes_at_the_limit((40, 300), |depth| {
        own(|doc| {
            let mut inner = assignment(doc);
            for _ in 0..depth {
                let arms = vec![WhereArm { mask: Some(number(doc)), body: vec![inner] }];
                let masked = Where { arms, name: None, inline: false };
                inner = stmt(doc, StmtKind::Where(Box::new(masked)));
            }
            append(doc, inner);
        })
    });
}

#[test]
fn forall_within_forall() {
    passes_at_the_limit((40, 300), |depth| {
        own(|doc| {
            let mut inner = assignment(doc);
            let scope = ScopeId::from_u32(1);
            for _ in 0..depth {
                let header = ForallHeader { scope, spec: None, ranges: Vec::new(), mask: None };
                let forall = Forall { header, body: vec![inner], name: None, inline: false };
                inner = stmt(doc, StmtKind::Forall(Box::new(forall)));
            }
            append(doc, inner);
        })
    });
}

#[test]
fn operators_within_operators() {
    let doc = own(|doc| {
        let mut value = number(doc);
        for _ in 0..DEEP {
            let operands = [Operand { position: 1, keyword: false, expr: value }];
            let operands = operands.into_iter().collect();
            value = node(doc, ExprKind::Boolean { op: BoolOp::Not, operands });
        }
        assign(doc, value);
    });
    passes(xml::to_string(&doc).expect("it is written"));
}

#[test]
fn calls_and_constructors_within_each_other() {
    let doc = own(|doc| {
        let symbol = doc.procs.values().next().expect("a procedure").symbol;
        let mut value = number(doc);
        for _ in 0..DEEP {
            let callee = Callee { symbol, generic: None, object: None };
            let args = vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(value) }];
            value =
                node(doc, ExprKind::Call(Box::new(FunctionCall { callee, args, active: None })));
            let items = vec![value];
            value = node(doc, ExprKind::ArrayConstructor { spec: None, items });
        }
        assign(doc, value);
    });
    passes(xml::to_string(&doc).expect("it is written"));
}

#[test]
fn scopes_within_scopes() {
    let doc = own(|doc| {
        let mut scope = ScopeId::from_u32(0);
        for _ in 0..DEEP {
            scope = doc.add_scope(scope, ScopeKind::Plain, Place::default());
        }
    });
    passes(xml::to_string(&doc).expect("it is written"));
}

#[test]
fn types_of_pointers_to_pointers() {
    let doc = own(|doc| {
        let mut ty = Ty::scalar(Base::Real(8));
        for _ in 0..DEEP {
            ty = Ty::scalar(Base::Pointer(doc.types.push(ty)));
        }
        let value = number(doc);
        doc.exprs[value].ty = ty;
        assign(doc, value);
    });
    passes(xml::to_string(&doc).expect("it is written"));
}

/// IF within IF, or with `loops` DO WHILE within DO WHILE.
fn constructs(doc: &mut Document, loops: bool) -> Cfg {
    let scope = ScopeId::from_u32(1);
    let mut cfg = Cfg::default();
    let add = |cfg: &mut Cfg, kind| {
        cfg.push(Vertex { kind, place: Place::default(), id: None, recorded: None })
    };
    let block = || VertexKind::BasicBlock { scope, stmts: Vec::new() };
    let entry = add(&mut cfg, VertexKind::Entry(None));
    let mut inner = add(&mut cfg, block());
    cfg.connect(entry, inner);
    let mut open = Vec::new();
    for _ in 0..DEEP {
        let condition = Some(number(doc));
        let start = add(
            &mut cfg,
            match loops {
                false => VertexKind::Branch { condition, form: BranchForm::If, name: None },
                true => VertexKind::PreLoop { condition, name: None, forever: false },
            },
        );
        cfg.connect(inner, start);
        inner = add(&mut cfg, block());
        cfg.connect_if(start, inner, 1);
        open.push(start);
    }
    while let Some(start) = open.pop() {
        let end = if loops { VertexKind::EndLoop } else { VertexKind::EndBranch };
        let end = add(&mut cfg, end);
        cfg.connect(inner, end);
        inner = match loops {
            true => {
                cfg.connect(end, start);
                let after = add(&mut cfg, block());
                cfg.connect(start, after);
                after
            }
            false => {
                cfg.connect(start, end);
                end
            }
        };
    }
    let exit = add(&mut cfg, VertexKind::Exit);
    cfg.connect(inner, exit);
    cfg
}

#[test]
fn branches_and_loops_within_each_other() {
    for loops in [false, true] {
        let doc = own(|doc| {
            let cfg = constructs(doc, loops);
            let bodies = doc.procs.values_mut().find_map(|proc| match &mut proc.body {
                Body::Flow(cfg) => Some(cfg),
                Body::Interface | Body::Replacements { .. } => None,
            });
            *bodies.expect("a body") = cfg;
        });
        passes(xml::to_string(&doc).expect("it is written"));
    }
}

/// Of the texts that `make` nests more and more deeply, the last that the reader accepts passes
/// too: whatever is read can be written.
fn the_last_that_is_read_passes(make: impl Fn(usize) -> String + Send + 'static) {
    let written = in_small_stack(move || {
        let read = |depth: usize| xml::read(make(depth).as_bytes(), "deep.xaif").ok();
        let (mut low, mut high) = (1, 500);
        assert!(read(high).is_none());
        while high - low > 1 {
            let middle = (low + high) / 2;
            *(if read(middle).is_some() { &mut low } else { &mut high }) = middle;
        }
        let doc = read(low).expect("the lowest depth is read");
        xml::to_string(&doc).expect("what is read can be written")
    });
    passes(written);
}

#[test]
fn the_deepest_subscripts_that_are_read() {
    let genuine = include_str!("data/genuine.xaif");
    let start = "<xaif:Index><xaif:VariableReference vertex_id=\"1\"><xaif:SymbolReference \
                 vertex_id=\"1\" scope_id=\"7\" symbol_id=\"a\"/><xaif:ArrayElementReference \
                 vertex_id=\"2\">";
    let end = "</xaif:ArrayElementReference><xaif:VariableReferenceEdge edge_id=\"1\" source=\"1\" \
               target=\"2\"/></xaif:VariableReference></xaif:Index>";
    let inner = "<xaif:Index><xaif:Constant vertex_id=\"1\" type=\"integer\" feType=\"I4\" \
                 value=\"1\"/></xaif:Index>";
    let (from, to) = ("<xaif:Index>", "</xaif:Index>");
    let at = genuine.find(from).expect("an index");
    let after = at + genuine[at..].find(to).expect("its end") + to.len();
    the_last_that_is_read_passes(move |depth| {
        let (start, end) = (start.repeat(depth), end.repeat(depth));
        format!("{}{start}{inner}{end}{}", &genuine[..at], &genuine[after..])
    });
}

#[test]
fn the_deepest_pointers_that_are_read() {
    let text = xml::to_string(&own(|doc| {
        let spec = Some(Box::new(TypeSpec::ClassStar));
        let value = node(doc, ExprKind::ArrayConstructor { spec, items: Vec::new() });
        assign(doc, value);
    }));
    let text = text.expect("it is written");
    the_last_that_is_read_passes(move |depth| {
        let (start, end) = ("<ox:Type base=\"pointer\">".repeat(depth), "</ox:Type>".repeat(depth));
        let inner = "<ox:Type base=\"class(*)\"/>";
        text.replacen(inner, &format!("{start}{inner}{end}"), 1)
    });
}

#[test]
fn the_deepest_where_that_is_read() {
    let text = xml::to_string(&own(|doc| {
        let masked = Where { arms: Vec::new(), name: None, inline: true };
        let masked = stmt(doc, StmtKind::Where(Box::new(masked)));
        append(doc, masked);
    }));
    let text = text.expect("it is written");
    let at = text.find("<ox:Where ").expect("a WHERE");
    let after = at + text[at..].find("/>").expect("its end") + 2;
    the_last_that_is_read_passes(move |depth| {
        let start: String =
            (0..depth).map(|i| format!("<ox:Where statement_id=\"deep{i}\"><ox:Arm>")).collect();
        let end = "</ox:Arm></ox:Where>".repeat(depth);
        let inner = "<ox:Where statement_id=\"inner\"/>";
        format!("{}{start}{inner}{end}{}", &text[..at], &text[after..])
    });
}
