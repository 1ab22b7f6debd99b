//! One test for each invariant: a document that keeps them all, with one thing broken.

use super::*;
use crate::model::*;

const OWN: &str = include_str!("../../tests/data/own.xaif");

/// With `change` the document of the tests breaks the invariant `code`.
fn breaks(code: Code, change: impl FnOnce(&mut Document)) {
    let mut doc = crate::xml::read(OWN.as_bytes(), "own.xaif").expect("the document is read");
    assert!(verify(&doc).is_empty());
    change(&mut doc);
    let found = verify(&doc);
    assert!(found.iter().any(|diagnostic| diagnostic.code == code), "{found:#?}");
}

/// The graph that has the most vertices.
fn largest(doc: &mut Document) -> &mut Cfg {
    let graphs = doc.procs.values_mut().filter_map(|proc| match &mut proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    graphs.max_by_key(|cfg| cfg.vertices.len()).expect("a graph")
}

fn vertex(cfg: &Cfg, wanted: impl Fn(&VertexKind) -> bool) -> VertexId {
    cfg.layout.iter().copied().find(|&v| wanted(&cfg.vertices[v].kind)).expect("such a vertex")
}

#[test]
fn an_id_that_names_nothing() {
    breaks(Code::DANGLING_ID, |doc| {
        let symbol = SymbolId::from_u32(9_999_999);
        doc.refs.values_mut().next().expect("a reference").base = symbol;
    });
}

#[test]
fn scopes_that_are_no_tree() {
    breaks(Code::NO_SCOPE_TREE, |doc| doc.scopes[ScopeId::from_u32(2)].parent = None);
    breaks(Code::NO_SCOPE_TREE, |doc| {
        doc.scopes[ScopeId::from_u32(2)].parent = Some(ScopeId::from_u32(2));
    });
}

#[test]
fn a_symbol_that_its_scope_does_not_list() {
    breaks(Code::MISPLACED_SYMBOL, |doc| {
        doc.scopes[ScopeId::from_u32(0)].symbols.pop();
    });
}

#[test]
fn two_symbols_with_the_same_id() {
    breaks(Code::MISPLACED_SYMBOL, |doc| {
        let symbols = doc.scopes[ScopeId::from_u32(1)].symbols.clone();
        doc.symbols[symbols[1]].id = doc.symbols[symbols[0]].id.clone();
    });
}

#[test]
fn a_statement_in_two_places() {
    breaks(Code::SECOND_OWNER, |doc| {
        let cfg = largest(doc);
        let full = |kind: &VertexKind| matches!(kind, VertexKind::BasicBlock { stmts, .. } if !stmts.is_empty());
        let block = vertex(cfg, full);
        if let VertexKind::BasicBlock { stmts, .. } = &mut cfg.vertices[block].kind {
            stmts.push(stmts[0]);
        }
    });
}

#[test]
fn a_node_that_is_its_own_operand() {
    breaks(Code::SHARED_NODE, |doc| {
        let node = doc.exprs.iter().find_map(|(id, expr)| match &expr.kind {
            ExprKind::Boolean { .. } => Some(id),
            _ => None,
        });
        let node = node.expect("an operation");
        if let ExprKind::Boolean { operands, .. } = &mut doc.exprs[node].kind {
            operands[0].expr = node;
        }
    });
}

#[test]
fn an_operation_that_lacks_an_operand() {
    breaks(Code::BAD_OPERANDS, |doc| {
        for expr in doc.exprs.values_mut() {
            if let ExprKind::Boolean { operands, .. } = &mut expr.kind {
                operands.clear();
            }
        }
    });
}

#[test]
fn a_vertex_that_is_not_in_the_layout() {
    breaks(Code::BAD_LAYOUT, |doc| {
        largest(doc).layout.pop();
    });
}

#[test]
fn a_graph_without_an_exit() {
    breaks(Code::ENTRY_AND_EXIT, |doc| {
        let cfg = largest(doc);
        let exit = vertex(cfg, |kind| matches!(kind, VertexKind::Exit));
        cfg.vertices[exit].kind = VertexKind::Label { label: None };
    });
}

#[test]
fn two_ways_on_for_one_condition() {
    breaks(Code::AMBIGUOUS_EDGE, |doc| {
        let cfg = largest(doc);
        let edge = cfg.edges.values().next().expect("an edge").clone();
        cfg.edges.push(Edge { target: edge.source, ..edge });
    });
}

#[test]
fn a_loop_that_goes_on_with_another_variable() {
    breaks(Code::BAD_LOOP, |doc| {
        let cfg = largest(doc);
        let start = vertex(cfg, |kind| matches!(kind, VertexKind::ForLoop { .. }));
        let VertexKind::ForLoop { update, .. } = cfg.vertices[start].kind else { return };
        if let StmtKind::Assign { lhs, .. } = doc.stmts[update].kind {
            doc.refs[lhs].base = SymbolId::from_u32(0);
        }
    });
}

#[test]
fn a_key_that_no_set_has() {
    breaks(Code::SET_KEY, |doc| {
        doc.refs.values_mut().next().expect("a reference").alias = Some(7);
    });
}

#[test]
fn two_arguments_at_one_position() {
    breaks(Code::ARGUMENT_POSITION, |doc| {
        let proc = doc.procs.values_mut().find(|proc| proc.args.len() > 1).expect("arguments");
        proc.args[1].position = proc.args[0].position;
    });
}

#[test]
fn two_vertices_that_were_read_with_one_id() {
    breaks(Code::REPEATED_ID, |doc| {
        largest(doc).vertices.values_mut().for_each(|vertex| vertex.id = Some("a".into()));
    });
}

#[test]
fn a_branch_that_is_closed_by_the_end_of_a_loop() {
    breaks(Code::BAD_NESTING, |doc| {
        let cfg = largest(doc);
        let end = vertex(cfg, |kind| matches!(kind, VertexKind::EndBranch));
        cfg.vertices[end].kind = VertexKind::EndLoop;
    });
}

#[test]
fn a_jump_with_a_condition() {
    breaks(Code::BAD_JUMP, |doc| {
        let cfg = largest(doc);
        let jump = vertex(cfg, |kind| matches!(kind, VertexKind::Goto(_)));
        cfg.edges.values_mut().filter(|e| e.source == jump).for_each(|e| e.condition = Some(1));
    });
}

/// An IF and the first vertex of its arm.
fn arm(cfg: &Cfg) -> (VertexId, VertexId) {
    let is_if = |kind: &VertexKind| matches!(kind, VertexKind::Branch { form: BranchForm::If, .. });
    let branch = vertex(cfg, is_if);
    let mut into = cfg.successors(branch).filter(|edge| edge.condition == Some(1));
    (branch, into.next().expect("an arm").target)
}

#[test]
fn an_arm_that_begins_with_a_label() {
    breaks(Code::BAD_ARM, |doc| {
        let cfg = largest(doc);
        let (_, first) = arm(cfg);
        cfg.vertices[first].kind = VertexKind::Label { label: None };
    });
}

#[test]
fn an_arm_that_begins_outside_of_its_construct() {
    breaks(Code::BAD_ARM, |doc| {
        let cfg = largest(doc);
        let (branch, _) = arm(cfg);
        let block = vertex(cfg, |kind| matches!(kind, VertexKind::BasicBlock { .. }));
        cfg.edges
            .values_mut()
            .filter(|edge| edge.source == branch && edge.condition == Some(1))
            .for_each(|edge| edge.target = block);
    });
}

#[test]
fn a_loop_whose_end_leads_elsewhere() {
    breaks(Code::BAD_LOOP_EDGES, |doc| {
        let cfg = largest(doc);
        let end = vertex(cfg, |kind| matches!(kind, VertexKind::EndLoop));
        let exit = vertex(cfg, |kind| matches!(kind, VertexKind::Exit));
        cfg.edges.values_mut().filter(|e| e.source == end).for_each(|e| e.target = exit);
    });
}

#[test]
fn a_piece_that_names_an_operand_that_is_not_there() {
    breaks(Code::BAD_PIECE, |doc| {
        for stmt in doc.stmts.values_mut() {
            if let StmtKind::Marker(marker) = &mut stmt.kind {
                marker.text.push(Piece::Operand(99));
            }
        }
    });
}

/// The first marker of the document that stands last in its block, or does not.
fn marker_of_a_block(doc: &mut Document, last: bool) -> &mut Marker {
    let Document { procs, stmts, .. } = doc;
    let blocks = procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    let blocks = blocks.flat_map(|cfg| cfg.vertices.values()).filter_map(|v| match &v.kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.split_last(),
        _ => None,
    });
    let is_marker = |stmt: &StmtId| matches!(stmts[*stmt].kind, StmtKind::Marker(_));
    let found = blocks
        .flat_map(|(end, before)| if last { std::slice::from_ref(end) } else { before })
        .copied()
        .find(is_marker);
    match &mut stmts[found.expect("a marker")].kind {
        StmtKind::Marker(marker) => marker,
        _ => unreachable!("it was found as a marker"),
    }
}

#[test]
fn a_piece_that_names_a_way_out_that_its_block_does_not_have() {
    breaks(Code::BAD_PIECE, |doc| {
        marker_of_a_block(doc, true).text.push(Piece::Label(99));
    });
}

#[test]
fn a_statement_that_may_jump_and_is_not_the_last_of_its_block() {
    breaks(Code::BAD_PIECE, |doc| {
        marker_of_a_block(doc, false).text.push(Piece::Label(1));
    });
}

#[test]
fn an_arm_without_a_mask_that_is_not_the_last() {
    breaks(Code::BAD_MASKED, |doc| {
        for stmt in doc.stmts.values_mut() {
            if let StmtKind::Where(masked) = &mut stmt.kind {
                masked.arms[0].mask = None;
            }
        }
    });
}

#[test]
fn a_character_type_told_as_a_number() {
    breaks(Code::WRONG_SPEC, |doc| {
        let decl = doc.symbols.values_mut().find_map(|symbol| symbol.decl.as_mut());
        let (base, kind) = (Base::Character(1), KindSpelling::Default);
        decl.expect("a declaration").spec = TypeSpec::Intrinsic { base, kind };
    });
}

#[test]
fn a_function_that_is_declared_as_a_subroutine() {
    breaks(Code::WRONG_PROCEDURE, |doc| {
        let proc = doc.procs.values_mut().find(|proc| proc.kind == ProcKind::Function);
        proc.expect("a function").kind = ProcKind::Subroutine;
    });
}

#[test]
fn an_operation_of_the_tape_with_wrong_arguments() {
    let doc = crate::xml::read(OWN.as_bytes(), "own.xaif").expect("the document is read");
    // What a statement of the tape would need is taken from an assignment.
    let assigned = |wanted: fn(&Document, ExprId) -> bool| {
        let mut found = doc.stmts.iter().filter_map(|(id, stmt)| match stmt.kind {
            StmtKind::Assign { rhs, defined: None, .. } if wanted(&doc, rhs) => Some((id, rhs)),
            _ => None,
        });
        found.next().expect("such an assignment")
    };
    let constant = |doc: &Document, expr| matches!(doc.exprs[expr].kind, ExprKind::Constant(_));
    let (stmt, expr) = assigned(constant);
    let tape = |name: &str, positions: &[u32], rank: u8| {
        let mut doc = doc.clone();
        doc.exprs[expr].ty.rank = rank;
        let arg = |&position| Arg { position, keyword: None, value: ArgValue::Expr(expr) };
        let args = positions.iter().map(arg).collect();
        let call = InlinableCall { name: name.into(), args };
        doc.stmts[stmt].kind = StmtKind::InlinableCall(Box::new(call));
        verify(&doc).iter().any(|diagnostic| diagnostic.code == Code::BAD_TAPE)
    };
    assert!(!tape("push", &[1], 0));
    assert!(!tape("push_array", &[1], 1));
    assert!(!tape("push_i", &[2], 1), "a template of another tool");
    assert!(tape("push", &[], 0), "too few");
    assert!(tape("push", &[2], 0), "out of order");
    assert!(tape("push", &[1], 1), "an array");
    assert!(tape("pop", &[1], 0), "no variable");
}

/// The document of the tests, in which a block ends with the propagator of a local Jacobian
/// without coefficients: a value, an entry, the propagator.
fn local_jacobian() -> (Document, [StmtId; 3]) {
    let mut doc = crate::xml::read(OWN.as_bytes(), "own.xaif").expect("the document is read");
    let kinds: Vec<_> = doc.stmts.values().map(|stmt| stmt.kind.clone()).collect();
    let assigned = |stmt: &StmtId| match kinds[stmt.index()] {
        StmtKind::Assign { lhs, defined: None, .. } => Some((*stmt, lhs)),
        _ => None,
    };
    let cfgs = doc.procs.values_mut().filter_map(|proc| match &mut proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    let mut blocks =
        cfgs.flat_map(|cfg| cfg.vertices.values_mut()).filter_map(|v| match &mut v.kind {
            VertexKind::BasicBlock { stmts, .. } => Some(stmts),
            _ => None,
        });
    let two = |stmts: &Vec<StmtId>| {
        let mut found = stmts.iter().filter_map(assigned);
        found.next().zip(found.next())
    };
    let (stmts, (a, b)) = blocks
        .find_map(|stmts| two(stmts).map(|found| (stmts, found)))
        .expect("a block with two assignments");
    let propagator = doc.stmts.push(doc.stmts[a.0].clone());
    stmts.push(propagator);
    let y = doc.refs.push(doc.refs[a.1].clone());
    doc.refs[y].active = Some(true);
    let steps = vec![Propagator::Sax { terms: Vec::new(), y }];
    doc.stmts[propagator].kind = StmtKind::Propagate(steps);
    doc.stmts[propagator].id = None;
    doc.stmts[propagator].recorded = None;
    let parts = [LocalJacobian::Value, LocalJacobian::Entry, LocalJacobian::Propagator];
    let ids = [a.0, b.0, propagator];
    for (&id, part) in ids.iter().zip(parts) {
        doc.stmts[id].local_jacobian = Some(part);
    }
    doc.refs[a.1].active = Some(false);
    doc.refs[b.1].active = Some(false);
    assert!(verify(&doc).is_empty(), "{:#?}", verify(&doc));
    (doc, ids)
}

#[test]
fn a_local_jacobian_that_is_not_complete() {
    let (sound, [value, entry, propagator]) = local_jacobian();
    let breaks = |change: &dyn Fn(&mut Document)| {
        let mut doc = sound.clone();
        change(&mut doc);
        let found = verify(&doc);
        assert!(found.iter().any(|d| d.code == Code::BAD_LOCAL_JACOBIAN), "{found:#?}");
    };
    let left = |doc: &Document, stmt: StmtId| match doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, .. } => lhs,
        _ => unreachable!("it is an assignment"),
    };
    // No propagator, an active left-hand side, something between.
    breaks(&|doc| doc.stmts[propagator].local_jacobian = None);
    breaks(&|doc| {
        let lhs = left(doc, value);
        doc.refs[lhs].active = Some(true);
    });
    breaks(&|doc| {
        doc.stmts[value].local_jacobian = Some(LocalJacobian::Again);
        doc.stmts[entry].local_jacobian = None;
    });
    // What is executed again reads what it overwrites.
    breaks(&|doc| {
        let base = doc.refs[left(doc, entry)].base;
        let again = Reference {
            active: Some(false),
            ..Reference::whole(base, Ty::default(), Place::default())
        };
        let (lhs, read) = (doc.refs.push(again.clone()), doc.refs.push(again));
        let (ty, place) = (Ty::default(), Place::default());
        let rhs = doc.exprs.push(Expr { kind: ExprKind::Ref(read), ty, place, parens: false });
        doc.stmts[entry].kind = StmtKind::Assign { lhs, rhs, defined: None };
        doc.stmts[entry].local_jacobian = Some(LocalJacobian::Again);
    });
    // The propagator's part for an assignment, another kind of step, an active coefficient.
    breaks(&|doc| doc.stmts[entry].local_jacobian = Some(LocalJacobian::Propagator));
    breaks(&|doc| {
        let target = left(doc, value);
        let target = doc.refs.push(doc.refs[target].clone());
        doc.stmts[propagator].kind = StmtKind::Propagate(vec![Propagator::Zero { target }]);
    });
    breaks(&|doc| {
        let StmtKind::Propagate(steps) = &doc.stmts[propagator].kind else { return };
        let Propagator::Sax { y, .. } = steps[0] else { return };
        let (x, a) = (doc.refs.push(doc.refs[y].clone()), doc.refs.push(doc.refs[y].clone()));
        let (ty, place) = (doc.refs[a].ty, Place::default());
        let a = doc.exprs.push(Expr { kind: ExprKind::Ref(a), ty, place, parens: false });
        doc.stmts[propagator].kind =
            StmtKind::Propagate(vec![Propagator::Sax { terms: vec![(a, x)], y }]);
    });
}

/// Derived types of the document and a component of each that is a number.
fn a_type_and_its_component(doc: &Document) -> (SymbolId, SymbolId) {
    let types =
        doc.symbols.keys().filter(|&s| matches!(doc.role(s), Some(Role::DerivedType { .. })));
    let mut found = types.filter_map(|ty| {
        let number = |&component: &SymbolId| {
            doc.symbols[component].decl.as_deref().is_some_and(|decl| {
                matches!(decl.spec, TypeSpec::Intrinsic { .. }) && decl.attrs.is_empty()
            })
        };
        Some((ty, doc.data_components(ty).into_iter().find(number)?))
    });
    found.next().expect("a type with a number")
}

/// `component` becomes an object of the type `of`.
fn becomes(doc: &mut Document, component: SymbolId, of: SymbolId, attrs: &[Attr]) {
    let decl = doc.symbols[component].decl.as_deref_mut().expect("it is declared");
    decl.spec =
        TypeSpec::Derived { symbol: Some(of), name: "t".into(), class: false, params: Vec::new() };
    decl.attrs.extend(attrs);
}

#[test]
fn a_type_that_is_part_of_itself() {
    breaks(Code::ENDLESS_TYPE, |doc| {
        let (ty, component) = a_type_and_its_component(doc);
        becomes(doc, component, ty, &[]);
    });
}

#[test]
fn a_type_that_extends_itself() {
    breaks(Code::ENDLESS_TYPE, |doc| {
        let (ty, _) = a_type_and_its_component(doc);
        let decl = doc.symbols[ty].decl.as_deref_mut().expect("it is declared");
        if let Role::DerivedType { extends, .. } = &mut decl.role {
            *extends = Some(ty);
        }
    });
}

#[test]
fn a_type_may_hold_its_like_beside_its_memory() {
    for attr in [Attr::Pointer, Attr::Allocatable] {
        let mut doc = crate::xml::read(OWN.as_bytes(), "own.xaif").expect("the document is read");
        let (ty, component) = a_type_and_its_component(&doc);
        becomes(&mut doc, component, ty, &[attr]);
        let found = verify(&doc);
        assert!(found.iter().all(|diagnostic| diagnostic.code != Code::ENDLESS_TYPE), "{found:#?}");
    }
}
