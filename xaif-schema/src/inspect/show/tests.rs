//! Texts of small documents that are built through the model. `oxad/tests/stages/lenses.rs` shows
//! whole documents; here is what XML would only obscure.

use super::{ShowOptions, show, show_with};
use crate::model::*;

/// A document with one subroutine `p(x)` and integer variables by name.
pub(crate) struct Build {
    pub(crate) doc: Document,
    pub(crate) scope: ScopeId,
    pub(crate) cfg: Cfg,
    proc: SymbolId,
}

const NOWHERE: Place = Place { file: None, line: 0, column: 0 };
const INT: Ty = Ty::scalar(Base::Integer(4));

impl Build {
    pub(crate) fn new() -> Self {
        let mut doc = Document::new();
        let global = doc.global_scope().expect("new documents have one");
        let proc = doc.add_symbol(plain_symbol("p", global, SymbolKind::Subroutine));
        let scope = doc.add_scope(global, ScopeKind::Procedure(proc), NOWHERE);
        Build { doc, scope, cfg: Cfg::default(), proc }
    }

    fn symbol(&mut self, name: &str) -> SymbolId {
        self.doc.symbol_in(self.scope, name).unwrap_or_else(|| {
            self.doc.add_symbol(plain_symbol(name, self.scope, SymbolKind::Variable))
        })
    }

    fn reference(&mut self, name: &str) -> RefId {
        let symbol = self.symbol(name);
        self.doc.refs.push(Reference::whole(symbol, INT, NOWHERE))
    }

    fn node(&mut self, kind: ExprKind) -> ExprId {
        self.doc.exprs.push(Expr { kind, ty: INT, place: NOWHERE, parens: false })
    }

    pub(crate) fn var(&mut self, name: &str) -> ExprId {
        let reference = self.reference(name);
        self.node(ExprKind::Ref(reference))
    }

    pub(crate) fn int(&mut self, text: &str) -> ExprId {
        self.node(ExprKind::Constant(Constant {
            class: ConstantClass::Integer,
            fe_type: None,
            text: text.into(),
            kind: ConstantKind::None,
        }))
    }

    pub(crate) fn op(&mut self, name: &str, operands: &[ExprId]) -> ExprId {
        let operands = positions(operands);
        self.node(ExprKind::Intrinsic { name: name.into(), spelling: None, operands })
    }

    pub(crate) fn compare(&mut self, op: BoolOp, operands: &[ExprId]) -> ExprId {
        let operands = positions(operands);
        self.node(ExprKind::Boolean { op, operands })
    }

    fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.doc.stmts.push(Stmt {
            kind,
            place: NOWHERE,
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

    pub(crate) fn assign(&mut self, lhs: &str, rhs: ExprId) -> StmtId {
        let lhs = self.reference(lhs);
        self.stmt(StmtKind::Assign { lhs, rhs, defined: None })
    }

    pub(crate) fn vertex(&mut self, kind: VertexKind) -> VertexId {
        self.cfg.push(Vertex { kind, place: NOWHERE, id: None, recorded: None })
    }

    /// A block of assignments `name = 1`.
    pub(crate) fn block(&mut self, names: &[&str]) -> VertexId {
        let mut stmts = Vec::new();
        for name in names {
            let one = self.int("1");
            stmts.push(self.assign(name, one));
        }
        self.vertex(VertexKind::BasicBlock { scope: self.scope, stmts })
    }

    pub(crate) fn branch(&mut self, form: BranchForm) -> VertexId {
        let condition = Some(self.var("c"));
        self.vertex(VertexKind::Branch { condition, form, name: None })
    }

    pub(crate) fn counted(&mut self, step: Option<&str>) -> VertexId {
        let (one, i, n) = (self.int("1"), self.var("i"), self.var("n"));
        let init = self.assign("i", one);
        let op = match step {
            Some(step) if step.starts_with('-') => BoolOp::GreaterOrEqual,
            _ => BoolOp::LessOrEqual,
        };
        let condition = self.compare(op, &[i, n]);
        let (i, step) = (self.var("i"), self.int(step.unwrap_or("1")));
        let next = self.op("add_scal_scal", &[i, step]);
        let update = self.assign("i", next);
        let form = ForForm::Counted;
        self.vertex(VertexKind::ForLoop {
            init,
            condition,
            update,
            reversal: None,
            form,
            name: None,
        })
    }

    /// Edges without condition along the list.
    pub(crate) fn chain(&mut self, vertices: &[VertexId]) {
        for pair in vertices.windows(2) {
            self.cfg.connect(pair[0], pair[1]);
        }
    }

    pub(crate) fn finish(mut self) -> Document {
        let cfg = std::mem::take(&mut self.cfg);
        self.doc.procs.push(Procedure {
            symbol: self.proc,
            scope: self.scope,
            args: Vec::new(),
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Flow(cfg),
            place: NOWHERE,
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
        self.doc
    }

    /// The lines of the body, without ids of vertices.
    fn body(self) -> String {
        let text = show_with(&self.finish(), &ShowOptions::comparable());
        text.lines()
            .filter(|line| !line.contains(": integer"))
            .skip(1)
            .fold(String::new(), |all, line| all + line.strip_prefix("  ").unwrap_or(line) + "\n")
    }
}

fn plain_symbol(id: &str, scope: ScopeId, kind: SymbolKind) -> Symbol {
    Symbol {
        id: id.into(),
        scope,
        kind,
        class: TypeClass::Integer,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: None,
    }
}

fn positions(operands: &[ExprId]) -> Operands {
    let number = |(index, &expr): (usize, &ExprId)| Operand {
        position: index as u16 + 1,
        keyword: false,
        expr,
    };
    operands.iter().enumerate().map(number).collect()
}

fn expr(build: impl FnOnce(&mut Build) -> ExprId) -> String {
    let mut b = Build::new();
    let root = build(&mut b);
    let options = ShowOptions::default();
    super::Text { doc: &b.doc, options: &options }.expr(root)
}

#[test]
fn a_sum_on_the_right_of_a_difference_keeps_its_parentheses() {
    let text = expr(|b| {
        let (x, y, z) = (b.var("x"), b.var("y"), b.var("z"));
        let sum = b.op("add_scal_scal", &[y, z]);
        b.op("sub_scal_scal", &[x, sum])
    });
    assert_eq!(text, "x - (y + z)");
}

#[test]
fn a_chain_from_the_left_needs_no_parentheses() {
    let text = expr(|b| {
        let (x, y, z) = (b.var("x"), b.var("y"), b.var("z"));
        let product = b.op("mul_scal_scal", &[y, z]);
        let sum = b.op("add_scal_scal", &[x, product]);
        b.op("sub_scal_scal", &[sum, z])
    });
    assert_eq!(text, "x + y*z - z");
}

#[test]
fn powers_associate_to_the_right_and_bind_more_than_signs() {
    let text = expr(|b| {
        let (x, y, z) = (b.var("x"), b.var("y"), b.var("z"));
        let minus = b.op("minus_scal", &[x]);
        let inner = b.op("pow_scal_scal", &[y, z]);
        let outer = b.op("pow_scal_scal", &[minus, inner]);
        b.op("minus_scal", &[outer])
    });
    assert_eq!(text, "-(-x)**y**z");
}

#[test]
fn logical_operators_are_words() {
    let text = expr(|b| {
        let (x, y, z) = (b.var("x"), b.var("y"), b.var("z"));
        let greater = b.compare(BoolOp::GreaterThan, &[x, y]);
        let either = b.compare(BoolOp::Or, &[greater, z]);
        b.compare(BoolOp::Not, &[either])
    });
    assert_eq!(text, "not (x > y or z)");
}

#[test]
fn an_operator_with_a_wrong_number_of_operands_is_a_call() {
    let text = expr(|b| {
        let x = b.var("x");
        b.op("mul_scal_scal", &[x])
    });
    assert_eq!(text, "mul_scal_scal(x)");
}

#[test]
fn a_deep_expression_does_not_overflow_the_stack() {
    let text = expr(|b| {
        let mut deep = b.var("x");
        for _ in 0..100_000 {
            let one = b.int("1");
            deep = b.op("sub_scal_scal", &[one, deep]);
        }
        deep
    });
    assert!(text.starts_with("1 - (1 - (1 - "), "{}", &text[..40]);
    assert_eq!(text.matches("1 - ").count(), 100_000);
}

#[test]
fn an_expression_whose_nodes_are_shared_again_and_again_is_cut_off() {
    let text = expr(|b| {
        let mut shared = b.var("x");
        for _ in 0..64 {
            shared = b.op("add_scal_scal", &[shared, shared]);
        }
        shared
    });
    assert!(text.ends_with('…'));
    assert!(text.len() < 100_000);
}

#[test]
fn an_if_with_both_arms_shows_no_edges() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let branch = b.branch(BranchForm::If);
    let yes = b.block(&["x"]);
    let no = b.block(&["y"]);
    let end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, branch]);
    b.cfg.connect_if(branch, yes, 1);
    b.cfg.connect(branch, no);
    b.chain(&[yes, end, exit]);
    b.chain(&[no, end]);
    assert_eq!(b.body(), "if (c)\n  x = 1\nelse\n  y = 1\nend if\n");
}

#[test]
fn an_else_if_chain_is_flat() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let outer = b.branch(BranchForm::If);
    let first = b.block(&["x"]);
    let empty = b.block(&[]);
    let inner = b.branch(BranchForm::ElseIf);
    let second = b.block(&["y"]);
    let third = b.block(&["z"]);
    let inner_end = b.vertex(VertexKind::EndBranch);
    let outer_end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, outer]);
    b.cfg.connect_if(outer, first, 1);
    b.cfg.connect(outer, empty);
    b.chain(&[first, outer_end, exit]);
    b.chain(&[empty, inner]);
    b.cfg.connect_if(inner, second, 1);
    b.cfg.connect(inner, third);
    b.chain(&[second, inner_end, outer_end]);
    b.chain(&[third, inner_end]);
    assert_eq!(b.body(), "if (c)\n  x = 1\nelse if (c)\n  y = 1\nelse\n  z = 1\nend if\n");
}

#[test]
fn a_one_line_if_with_a_jump_is_one_line() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let branch = b.branch(BranchForm::InlineIf);
    let arm = b.block(&[]);
    let jump = b.vertex(VertexKind::Goto(Jump::Goto));
    let end = b.vertex(VertexKind::EndBranch);
    let block = b.block(&["x"]);
    let label = b.vertex(VertexKind::Label { label: Some(100) });
    let last = b.block(&["y"]);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, branch]);
    b.cfg.connect_if(branch, arm, 1);
    b.chain(&[branch, end, block, label, last, exit]);
    b.chain(&[arm, jump, label]);
    assert_eq!(b.body(), "if (c) goto 100\nx = 1\n100:\ny = 1\n");
}

#[test]
fn what_follows_a_one_line_if_is_indented_like_it() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let head = b.counted(None);
    let first = b.block(&["x"]);
    let branch = b.branch(BranchForm::InlineIf);
    let arm = b.block(&["y"]);
    let end_if = b.vertex(VertexKind::EndBranch);
    let last = b.block(&["z"]);
    let end = b.vertex(VertexKind::EndLoop);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, head]);
    b.cfg.connect_if(head, first, 1);
    b.chain(&[head, exit]);
    b.chain(&[first, branch]);
    b.cfg.connect_if(branch, arm, 1);
    b.chain(&[branch, end_if, last, end, head]);
    b.chain(&[arm, end_if]);
    assert_eq!(b.body(), "do i = 1, n\n  x = 1\n  if (c) y = 1\n  z = 1\nend do\n");
}

#[test]
fn vertices_that_a_genuine_document_lists_in_any_order_are_shown_in_that_of_the_flow() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let exit = b.vertex(VertexKind::Exit);
    let end = b.vertex(VertexKind::EndBranch);
    let branch = b.branch(BranchForm::Plain);
    let no = b.block(&["y"]);
    let last = b.block(&["z"]);
    let yes = b.block(&["x"]);
    b.chain(&[entry, branch, no, end, last, exit]);
    b.cfg.connect_if(branch, yes, 1);
    b.chain(&[yes, end]);
    assert_eq!(b.body(), "if (c)\n  x = 1\nelse\n  y = 1\nend if\nz = 1\n");
}

fn loop_with_jump(jump: Jump, to_end: bool) -> String {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let head = b.counted(None);
    let body = b.block(&["x"]);
    let away = b.vertex(VertexKind::Goto(jump));
    let dead = b.block(&["y"]);
    let end = b.vertex(VertexKind::EndLoop);
    let after = b.block(&["z"]);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, head]);
    b.cfg.connect_if(head, body, 1);
    b.chain(&[head, after, exit]);
    b.chain(&[body, away]);
    b.chain(&[away, if to_end { end } else { after }]);
    b.chain(&[dead, end, head]);
    b.body()
}

#[test]
fn exit_and_cycle_of_the_loop_around_need_no_target() {
    let text = |word: &str| format!("do i = 1, n\n  x = 1\n  {word}\n  y = 1\nend do\nz = 1\n");
    assert_eq!(loop_with_jump(Jump::Exit(None), false), text("exit"));
    assert_eq!(loop_with_jump(Jump::Cycle(None), true), text("cycle"));
}

#[test]
fn exit_of_a_named_block_needs_no_target() {
    let mut b = Build::new();
    let scope = b.doc.add_scope(b.scope, ScopeKind::Block, NOWHERE);
    let open = StmtKind::OpenScope(Box::new(OpenScope { scope, name: Some("main".into()) }));
    let (open, close) = (b.stmt(open), b.stmt(StmtKind::CloseScope(scope)));
    let entry = b.vertex(VertexKind::Entry(None));
    let first = b.vertex(VertexKind::BasicBlock { scope: b.scope, stmts: vec![open] });
    let leave = b.vertex(VertexKind::Goto(Jump::Exit(Some("MAIN".into()))));
    let dead = b.vertex(VertexKind::BasicBlock { scope, stmts: vec![close] });
    let after = b.block(&["x"]);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, first, leave, after, exit]);
    b.chain(&[dead, after]);
    assert_eq!(b.body(), "main: block\n  exit MAIN\nend block\nx = 1\n");
}

#[test]
fn a_jump_whose_word_does_not_say_where_it_goes_names_its_target() {
    let text = loop_with_jump(Jump::Exit(None), true);
    assert!(text.contains("  exit -> v5\n") && text.contains("v5:\nend do"), "{text}");
}

#[test]
fn every_edge_of_an_odd_graph_is_told() {
    let mut b = Build::new();
    let block = b.block(&["x"]);
    let branch = b.branch(BranchForm::Plain);
    let end = b.vertex(VertexKind::EndLoop);
    b.cfg.connect_if(block, block, 7);
    b.chain(&[block, end]);
    b.cfg.connect_if(branch, block, 1);
    b.cfg.connect(branch, end);
    assert_eq!(
        b.body(),
        "if (c)\n-> v0 on 1\n-> v2 otherwise\nv0:\nx = 1\n-> v0 on 7\nv2:\nend loop\n-> nothing\n"
    );
}

#[test]
fn arms_of_a_genuine_selection_show_all_their_values() {
    let mut b = Build::new();
    let branch = b.branch(BranchForm::Plain);
    let first = b.block(&["x"]);
    let second = b.block(&["y"]);
    let end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.cfg.connect_if(branch, first, 1);
    b.cfg.connect_if(branch, first, 2);
    b.cfg.connect(branch, second);
    b.chain(&[first, end, exit]);
    b.chain(&[second, end]);
    let text = "select (c)\ncase 1 or case 2\n  x = 1\ndefault\n  y = 1\nend select\n";
    assert_eq!(b.body(), text);
}

#[test]
fn steps_of_counted_loops_are_shown_where_they_are_not_one() {
    for (step, text) in [(None, "do i = 1, n\n"), (Some("-2"), "do i = 1, n, -2\n")] {
        let mut b = Build::new();
        let head = b.counted(step);
        let end = b.vertex(VertexKind::EndLoop);
        let exit = b.vertex(VertexKind::Exit);
        b.cfg.connect_if(head, end, 1);
        b.chain(&[head, exit]);
        b.chain(&[end, head]);
        assert_eq!(b.body(), format!("{text}end do\n"));
    }
}

#[test]
fn the_default_text_has_a_vertex_at_the_left_of_each_first_line() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(&["x", "y"]);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, block, exit]);
    let text = show(&b.finish());
    assert!(
        text.ends_with(
            "subroutine p()\n  x: integer\n  y: integer\nv1       x = 1\n         y = 1\n"
        ),
        "{text}"
    );
}

#[test]
fn a_cycle_of_scopes_is_shown_once() {
    let mut doc = Document::new();
    let global = doc.global_scope().expect("new documents have one");
    let a = doc.add_scope(global, ScopeKind::Plain, NOWHERE);
    let b = doc.add_scope(a, ScopeKind::Plain, NOWHERE);
    doc.scopes[a].parent = Some(b);
    doc.add_symbol(plain_symbol("x", a, SymbolKind::Variable));
    assert_eq!(show(&doc), "scope scope1\n  x: integer\n");
}

#[test]
fn ten_thousand_nested_scopes_and_constructs_are_shown() {
    let mut b = Build::new();
    let mut scope = b.scope;
    for _ in 0..10_000 {
        scope = b.doc.add_scope(scope, ScopeKind::Plain, NOWHERE);
        b.doc.add_symbol(plain_symbol("x", scope, SymbolKind::Variable));
    }
    let heads: Vec<_> = (0..10_000).map(|_| b.counted(None)).collect();
    let ends: Vec<_> = (0..10_000).map(|_| b.vertex(VertexKind::EndLoop)).collect();
    let exit = b.vertex(VertexKind::Exit);
    for (index, &head) in heads.iter().enumerate() {
        let end = ends[ends.len() - 1 - index];
        b.cfg.connect_if(head, heads.get(index + 1).copied().unwrap_or(end), 1);
        let after = ends.get(ends.len() - index).copied().unwrap_or(exit);
        b.chain(&[end, head, after]);
    }
    let text = show(&b.finish());
    assert_eq!(text.matches("x: integer").count(), 10_000);
    assert_eq!(text.matches("end do").count(), 10_000);
    assert!(!text.contains("->"), "all edges are structural");
}

#[test]
fn control_characters_of_a_document_do_not_break_lines() {
    let mut b = Build::new();
    let annotation = Some("a\nb\tc".into());
    let (text, operands) = (Vec::new(), Vec::new());
    let marker = Marker { verb: Verb::Genuine, text, operands, pessimistic: false, annotation };
    let stmt = b.stmt(StmtKind::Marker(Box::new(marker)));
    b.vertex(VertexKind::BasicBlock { scope: b.scope, stmts: vec![stmt] });
    assert!(b.body().starts_with("marker a\\nb\\tc\n"));
}

#[test]
fn what_is_recorded_stands_at_the_right() {
    let mut b = Build::new();
    let entry = b.vertex(VertexKind::Entry(None));
    let branch = b.branch(BranchForm::If);
    let yes = b.block(&["x"]);
    let no = b.block(&["y"]);
    let end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.chain(&[entry, branch]);
    b.cfg.connect_if(branch, yes, 1);
    b.cfg.connect(branch, no);
    b.chain(&[yes, end, exit]);
    b.chain(&[no, end]);
    b.cfg.vertices[branch].recorded = Some(true);
    let x = b.doc.refs.keys().next().expect("a reference");
    let first = b.doc.stmts.keys().next().expect("a statement");
    b.doc.stmts[first].recorded = Some(vec![x]);
    b.doc.stmts[first].local_jacobian = Some(LocalJacobian::Again);
    let text = b.body();
    assert!(text.contains("! records the way"), "{text}");
    assert!(text.contains("! records c"), "{text}");
    assert!(text.contains("entry, executed again"), "{text}");
}
