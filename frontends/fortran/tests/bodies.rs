//! Bodies: statements to blocks, constructs and jumps to edges.

mod common;

use common::{cfg, complaints, document, flow, graph, translate};
use xaif_schema::model::{ArgValue, Document, Marker, Piece, StmtKind, Verb, VertexKind};

/// The flow of a subroutine with this body.
fn body(text: &str) -> String {
    flow(&format!("subroutine s(i, j, x, a)\ninteger i, j\nreal x, a(9)\n{text}\nend subroutine\n"))
}

/// The document of a fixed-form subroutine with this body.
fn fixed(text: &str) -> Document {
    let source = format!("      SUBROUTINE S(I, J, X, A)\n      REAL A(9)\n{text}\n      END\n");
    let (doc, diagnostics) = translate("t.f", &source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    doc
}

fn markers(doc: &Document) -> Vec<&Marker> {
    let markers = doc.stmts.values().filter_map(|stmt| match &stmt.kind {
        StmtKind::Marker(marker) => Some(&**marker),
        _ => None,
    });
    markers.collect()
}

/// The operands of the first marker as `symbol access`.
fn accesses(text: &str) -> Vec<String> {
    let doc = document(&format!(
        "subroutine s(i, j, x, a, c)\ninteger i, j\nreal x, a(9)\ncharacter(9) c\n{text}\n\
         end subroutine\n"
    ));
    let operand = |operand: &xaif_schema::model::MarkerOperand| {
        let name = match &doc.exprs[operand.expr].kind {
            xaif_schema::model::ExprKind::Ref(reference) => {
                doc.symbols[doc.refs[*reference].base].id.clone()
            }
            xaif_schema::model::ExprKind::ImpliedDo(_) => "implied do".to_owned(),
            xaif_schema::model::ExprKind::Constant(constant) => constant.text.to_string(),
            other => format!("{other:?}"),
        };
        format!("{name} {:?}", operand.access)
    };
    markers(&doc)[0].operands.iter().map(operand).collect()
}

#[test]
fn statements_without_jumps_are_one_block() {
    assert_eq!(body("x = 1\nx = 2\ncall t(x)"), "0 entry -> 1\n1 block 3 -> 2\n2 exit -> \n");
}

#[test]
fn an_if_has_arms_that_begin_with_a_block() {
    assert_eq!(
        body("if (i > 0) then\nx = 1\nelse if (i < 0) then\nx = 2\nelse\nend if\nx = 3"),
        "0 entry -> 1\n1 If -> 1: 2, 3\n2 block 1 -> 8\n3 block 0 -> 4\n4 ElseIf -> 1: 5, 6\n\
         5 block 1 -> 7\n6 block 0 -> 7\n7 end branch -> 8\n8 end branch -> 9\n\
         9 block 1 -> 10\n10 exit -> \n"
    );
}

#[test]
fn an_if_without_else_goes_on_behind_it() {
    assert_eq!(
        body("if (i > 0) x = 1"),
        "0 entry -> 1\n1 InlineIf -> 1: 2, 3\n2 block 1 -> 3\n3 end branch -> 4\n4 exit -> \n"
    );
}

#[test]
fn a_loop_has_an_edge_in_and_an_edge_out() {
    assert_eq!(
        body("do i = 1, 9\nx = 1\nend do"),
        "0 entry -> 1\n1 for -> 1: 2, 4\n2 block 1 -> 3\n3 end loop -> 1\n4 exit -> \n"
    );
    assert_eq!(
        body("do while (x < 1)\nx = 1\nend do"),
        "0 entry -> 1\n1 while -> 1: 2, 4\n2 block 1 -> 3\n3 end loop -> 1\n4 exit -> \n"
    );
}

#[test]
fn a_loop_without_control_is_left_by_exit_alone() {
    assert_eq!(
        body("do\nif (x > 1) exit\nx = 2*x\nend do"),
        "0 entry -> 1\n1 while -> 1: 2\n2 block 0 -> 3\n3 InlineIf -> 1: 4, 6\n4 block 0 -> 5\n\
         5 Exit(None) -> 9\n6 end branch -> 7\n7 block 1 -> 8\n8 end loop -> 1\n9 exit -> \n"
    );
}

#[test]
fn exit_and_cycle_find_the_construct_that_they_name() {
    assert_eq!(
        body("o: do i = 1, 2\ndo j = 1, 2\nif (x > 0) cycle o\nexit o\nend do\nend do o"),
        "0 entry -> 1\n1 for -> 1: 2, 12\n2 block 0 -> 3\n3 for -> 1: 4, 11\n4 block 0 -> 5\n\
         5 InlineIf -> 1: 6, 8\n6 block 0 -> 7\n7 Cycle(Some(\"o\")) -> 11\n8 end branch -> 9\n\
         9 Exit(Some(\"o\")) -> 12\n10 end loop -> 3\n11 end loop -> 1\n12 exit -> \n"
    );
}

#[test]
fn exit_leaves_blocks_and_branches_that_it_names() {
    assert_eq!(
        body("c: if (i > 0) then\nexit c\nend if c\nx = 1"),
        "0 entry -> 1\n1 If -> 1: 2, 4\n2 block 0 -> 3\n3 Exit(Some(\"c\")) -> 4\n\
         4 end branch -> 5\n5 block 1 -> 6\n6 exit -> \n"
    );
    assert_eq!(
        body("b: block\nif (i > 0) exit b\nx = 1\nend block b"),
        "0 entry -> 1\n1 block 1 -> 2\n2 InlineIf -> 1: 3, 5\n3 block 0 -> 4\n\
         4 Exit(Some(\"b\")) -> 7\n5 end branch -> 6\n6 block 2 -> 7\n7 exit -> \n"
    );
}

#[test]
fn cases_are_numbered_and_the_default_is_the_way_on() {
    assert_eq!(
        body("select case (i)\ncase (1, 2)\nx = 1\ncase default\nx = 2\ncase (3:)\nend select"),
        "0 entry -> 1\n1 SelectCase -> 1: 2, 3, 2: 4\n2 block 1 -> 5\n3 block 1 -> 5\n\
         4 block 0 -> 5\n5 end branch -> 6\n6 exit -> \n"
    );
}

#[test]
fn a_selection_without_default_may_pass_by() {
    assert_eq!(
        body("select case (i)\ncase (1)\nx = 1\nend select"),
        "0 entry -> 1\n1 SelectCase -> 1: 2, 3\n2 block 1 -> 3\n3 end branch -> 4\n4 exit -> \n"
    );
}

#[test]
fn jumps_lead_to_labels_and_the_code_behind_them_is_kept() {
    assert_eq!(
        body("goto 10\nx = 1\n10 x = 2"),
        "0 entry -> 1\n1 Goto -> 3\n2 block 1 -> 3\n3 label 10 -> 4\n4 block 1 -> 5\n5 exit -> \n"
    );
}

#[test]
fn a_label_of_the_end_statement_stands_before_the_exit() {
    assert_eq!(
        flow("subroutine s(i)\nif (i > 0) goto 10\ni = 1\n10 end subroutine\n"),
        "0 entry -> 1\n1 InlineIf -> 1: 2, 4\n2 block 0 -> 3\n3 Goto -> 6\n4 end branch -> 5\n\
         5 block 1 -> 6\n6 label 10 -> 7\n7 exit -> \n"
    );
}

#[test]
fn loops_that_share_their_last_statement_have_it_in_the_innermost() {
    let doc = fixed(
        "      DO 10 I = 1, 2\n      DO 10 J = 1, 2\n      IF (X .GT. 0) GO TO 10\n\
        \x20     X = 1\n10    CONTINUE",
    );
    assert_eq!(
        graph(cfg(&doc)),
        "0 entry -> 1\n1 for -> 1: 2, 13\n2 block 0 -> 3\n3 for -> 1: 4, 12\n4 block 0 -> 5\n\
         5 InlineIf -> 1: 6, 8\n6 block 0 -> 7\n7 Goto -> 10\n8 end branch -> 9\n\
         9 block 1 -> 10\n10 label 10 -> 11\n11 end loop -> 3\n12 end loop -> 1\n13 exit -> \n"
    );
}

#[test]
fn the_last_statement_of_a_labelled_loop_is_in_its_body_without_its_label() {
    let doc = fixed("      DO 10 I = 1, 2\n10    A(I) = 0");
    assert_eq!(
        graph(cfg(&doc)),
        "0 entry -> 1\n1 for -> 1: 2, 4\n2 block 1 -> 3\n3 end loop -> 1\n4 exit -> \n"
    );
    assert!(doc.stmts.values().all(|stmt| stmt.label.is_none()));
}

#[test]
fn arithmetic_if_and_computed_goto_are_branches_that_jump() {
    let doc =
        fixed("      IF (X) 10, 20, 10\n10    CONTINUE\n      GO TO (10, 20), I\n20    X = 1");
    assert_eq!(
        graph(cfg(&doc)),
        "0 entry -> 1\n1 ArithmeticIf -> -1: 2, 0: 4, 1: 2\n2 label 10 -> 3\n\
         3 ComputedGoto -> 4, 1: 2, 2: 4\n4 label 20 -> 5\n5 block 1 -> 6\n6 exit -> \n"
    );
}

#[test]
fn an_assigned_goto_without_list_may_go_to_every_assigned_label() {
    let doc = fixed(
        "      ASSIGN 10 TO I\n      ASSIGN 30 TO J\n      GO TO I\n10    X = 1\n20    X = 2\n\
        30    FORMAT (I3)",
    );
    let text = graph(cfg(&doc));
    assert!(text.contains("2 AssignedGoto -> 10: 3\n"), "{text}");
    assert_eq!(markers(&doc)[0].text[1], Piece::StatementLabel(10));
}

#[test]
fn input_may_jump_at_its_end_and_on_error() {
    assert_eq!(
        body("read (5, *, end=10, err=20) x\nx = 1\n10 continue\n20 continue"),
        "0 entry -> 1\n1 block 1 -> 2, 1: 3, 2: 4\n2 block 1 -> 3\n3 label 10 -> 4\n\
         4 label 20 -> 5\n5 exit -> \n"
    );
}

#[test]
fn alternate_returns_are_edges_of_the_block_that_ends_in_the_call() {
    let doc = fixed("      CALL T(I, *10, *20)\n10    X = 1\n20    X = 2");
    assert_eq!(
        graph(cfg(&doc)),
        "0 entry -> 1\n1 block 1 -> 2, 1: 2, 2: 4\n2 label 10 -> 3\n3 block 1 -> 4\n\
         4 label 20 -> 5\n5 block 1 -> 6\n6 exit -> \n"
    );
    let StmtKind::Call(call) = &doc.stmts.values().next().unwrap().kind else { panic!() };
    let values: Vec<&ArgValue> = call.args.iter().map(|arg| &arg.value).collect();
    assert_eq!(values[1..], [&ArgValue::AlternateReturn(1), &ArgValue::AlternateReturn(2)]);
}

#[test]
fn return_and_stop_lead_to_the_exit() {
    assert_eq!(
        body("if (i > 0) return\nif (j > 0) stop 'x'\nx = 1"),
        "0 entry -> 1\n1 InlineIf -> 1: 2, 4\n2 block 0 -> 3\n3 Return -> 10\n\
         4 end branch -> 5\n5 InlineIf -> 1: 6, 8\n6 block 1 -> 7\n7 Stop -> 10\n\
         8 end branch -> 9\n9 block 1 -> 10\n10 exit -> \n"
    );
}

#[test]
fn execution_begins_at_an_entry_or_comes_along_from_above() {
    let source = "subroutine s(x)\nreal x\nx = 1\nentry e(x)\nx = 2\nend subroutine\n";
    assert_eq!(
        flow(source),
        "0 entry -> 1\n1 block 1 -> 3\n2 further entry -> 3\n3 block 1 -> 4\n4 exit -> \n"
    );
}

#[test]
fn structure_is_told_truthfully() {
    let structured = |text: &str| {
        let source = format!("subroutine s(i, x)\ninteger i\nreal x\n{text}\nend subroutine\n");
        cfg(&document(&source)).structured.unwrap()
    };
    assert!(structured("if (i > 0) x = 1\ndo i = 1, 2\nx = 1\nend do\nreturn"));
    assert!(!structured("goto 10\n10 continue"));
    assert!(!structured("do i = 1, 2\nexit\nend do"));
    assert!(!structured("do i = 1, 2\ncycle\nend do"));
    assert!(!structured("if (i > 0) return\nx = 1"));
    assert!(!structured("read (5, *, end=10) x\n10 continue"));
}

#[test]
fn input_writes_its_items_and_output_reads_them() {
    assert_eq!(
        accesses("read (i, *, iostat=j) x, a(1)"),
        ["i Read", "j Write", "x Write", "a Write"]
    );
    assert_eq!(accesses("write (c, '(i3)') i"), ["c Write", "'(i3)' Read", "i Read"]);
    assert_eq!(accesses("read (c, *) x"), ["c Read", "x Write"]);
    assert_eq!(accesses("read *, (a(i), i = 1, 3)"), ["implied do Write"]);
    assert_eq!(accesses("print *, x"), ["x Read"]);
    assert_eq!(accesses("inquire (unit=i, opened=j)"), ["i Read", "j Write"]);
    assert_eq!(accesses("inquire (iolength=i) x"), ["i Write", "x Inquire"]);
    assert_eq!(accesses("flush (i, iomsg=c)"), ["i Read", "c ReadWrite"]);
    assert_eq!(accesses("open (newunit=i, file=c, iomsg=c)"), ["i Write", "c Read", "c ReadWrite"]);
}

#[test]
fn a_namelist_stands_for_its_members() {
    let text = "namelist /g/ i, x\nread (5, nml=g)";
    assert_eq!(accesses(text), ["5 Read", "i Write", "x Write"]);
}

#[test]
fn opaque_statements_are_pessimistic() {
    let (doc, diagnostics) = translate(
        "t.f90",
        "subroutine s(x)\nreal x\nc: critical\nx = 1\nend critical c\nend subroutine\n",
    );
    assert!(!diagnostics.has_errors());
    let opaque = markers(&doc);
    assert_eq!(opaque.len(), 2);
    assert!(opaque.iter().all(|marker| marker.verb == Verb::Opaque && marker.pessimistic));
}

#[test]
fn comments_stay_with_their_statements() {
    let doc = document(
        "subroutine s(x)\nreal x\nx = 1 ! behind\n! below\n\nif (x > 0) then ! head\nx = 2\n\
         end if ! tail\nend subroutine\n",
    );
    let VertexKind::BasicBlock { stmts, .. } = &cfg(&doc).vertices[cfg(&doc).layout[1]].kind else {
        panic!()
    };
    let comment = |index: usize| match &doc.stmts[stmts[index]].kind {
        StmtKind::Comment(comment) => (comment.text.to_string(), comment.trailing),
        other => panic!("{other:?}"),
    };
    assert_eq!(comment(1), (" behind".to_owned(), true));
    assert_eq!(comment(2), (" below".to_owned(), false));
    assert_eq!(comment(3), (String::new(), false));
    let trailing = doc.stmts.values().filter(|stmt| match &stmt.kind {
        StmtKind::Comment(comment) => comment.trailing,
        _ => false,
    });
    assert_eq!(trailing.count(), 3);
}

#[test]
fn constructs_with_names_have_scopes_of_their_own() {
    let doc = document(
        "subroutine s(x)\nclass(*) :: x\nreal :: y\nassociate (z => y + 1)\ny = z\nend associate\n\
         select type (x)\ntype is (real)\ny = x\nclass default\ny = 0\nend select\nend subroutine\n",
    );
    let associates: Vec<String> = doc
        .symbols
        .values()
        .filter(|symbol| {
            matches!(
                symbol.decl.as_ref().map(|decl| &decl.role),
                Some(xaif_schema::model::Role::Associate { .. })
            )
        })
        .map(|symbol| symbol.id.clone())
        .collect();
    assert_eq!(associates, ["z", "x", "x"]);
}

#[test]
fn a_defined_assignment_names_its_procedure() {
    let doc = document(
        "module m\ntype t\ninteger :: i\nend type\ninterface assignment(=)\n\
         module procedure set\nend interface\ncontains\nsubroutine set(a, b)\n\
         type(t), intent(out) :: a\ninteger, intent(in) :: b\na%i = b\nend subroutine\n\
         subroutine s(a)\ntype(t) :: a\na = 1\nend subroutine\nend module\n",
    );
    let defined = doc.stmts.values().filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign { defined, .. } => {
            Some(defined.as_ref().map(|callee| doc.symbols[callee.symbol].id.clone()))
        }
        _ => None,
    });
    assert_eq!(defined.collect::<Vec<_>>(), [None, Some("set".to_owned())]);
}

#[test]
fn a_step_that_is_not_constant_is_in_the_loop_condition() {
    let condition = |step: &str| {
        let source = format!(
            "subroutine s(i, k)\ninteger i, k\ndo i = 1, 9, {step}\nend do\nend subroutine\n"
        );
        let doc = document(&source);
        let loops = cfg(&doc).vertices.values().find_map(|vertex| match &vertex.kind {
            VertexKind::ForLoop { condition, .. } => Some(*condition),
            _ => None,
        });
        match &doc.exprs[loops.unwrap()].kind {
            xaif_schema::model::ExprKind::Boolean { op, operands } => {
                (format!("{op:?}"), operands.len())
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(condition("2"), ("LessOrEqual".to_owned(), 2));
    assert_eq!(condition("-2"), ("GreaterOrEqual".to_owned(), 2));
    assert_eq!(condition("k"), ("LessOrEqual".to_owned(), 2));
}

#[test]
fn jumps_into_nowhere_are_errors() {
    for (line, complaint) in [
        ("goto 99", "OX1160 2:1"),
        ("if (i > 0) goto 99", "OX1160 2:12"),
        ("goto 20", "OX1162 2:1"),
        ("exit", "OX1163 2:1"),
        ("cycle", "OX1163 2:1"),
        ("call i", "OX1157 2:6"),
    ] {
        let source = format!("integer :: i = 1\n{line}\n10 i = 1\n20 format (i3)\nend\n");
        assert_eq!(complaints(&source), [complaint], "{line}");
    }
    let twice = "integer :: i\n10 i = 1\n10 i = 2\nend\n";
    assert_eq!(complaints(twice), ["OX1161 3:4"]);
}

#[test]
fn allocation_with_an_option_that_is_not_known_keeps_its_text() {
    let source = "subroutine s(n)\nreal, allocatable :: w(:)\nlogical ok\n\
                  ALLOCATE (w(n),  Pinned = ok)\nif (ok) deallocate(w, async=3)\nend subroutine\n";
    let (doc, diagnostics) = translate("t.f90", source);
    let codes: Vec<String> =
        diagnostics.iter().map(|d| format!("{} {}", d.code, d.spot.as_ref().unwrap())).collect();
    assert_eq!(codes, ["OX1011 t.f90:4:1", "OX1011 t.f90:5:9"]);
    let texts: Vec<&Piece> = markers(&doc).iter().flat_map(|marker| &marker.text).collect();
    let expected = ["ALLOCATE (w(n),  Pinned = ok)", "deallocate(w, async=3)"];
    assert_eq!(texts, expected.map(|text| Piece::Text(text.into())).iter().collect::<Vec<_>>());
}

#[test]
fn a_status_is_a_variable_and_is_named_once() {
    let of = |options: &str| {
        complaints(&format!(
            "subroutine s(w, i)\nreal, allocatable :: w(:)\ninteger i\nallocate(w(3), {options})\n\
             deallocate(w, {options})\nend\n"
        ))
    };
    assert_eq!(of("stat=i"), [""; 0]);
    assert_eq!(of("stat=3"), ["OX1155 4:21", "OX1155 5:20"]);
    assert_eq!(of("stat=i, stat=i"), ["OX1000 4:29", "OX1000 5:28"]);
}
