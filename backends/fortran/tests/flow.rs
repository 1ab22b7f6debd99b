//! Control flow: structured text where it can be, jumps where it must be, and always the same
//! program.

use crate::common::{Build, LOGICAL, compile, print, run};
use xaif_schema::model::*;

/// The lines between the declarations and the end, without indentation.
fn body(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.contains("::"))
        .skip(1)
        .take_while(|line| *line != "end subroutine s")
        .map(str::to_owned)
        .collect()
}

/// A subroutine `s(i, k)` that counts in `k`.
fn start() -> (Build, VertexId) {
    let mut b = Build::new();
    b.dummy("i");
    b.dummy("k");
    let entry = b.vertex(VertexKind::Entry(None));
    (b, entry)
}

fn positive(b: &mut Build) -> ExprId {
    let (i, zero) = (b.get("i"), b.int(0));
    b.boolean(BoolOp::GreaterThan, &[i, zero])
}

/// What `k` is after `call s(i, k)` with k = 0, for a few `i`.
fn results(text: &str) -> String {
    let program = "program t\n integer :: j, k, i\n do j = -1, 3\n i = j\n k = 0\n\
                   call s(i, k)\n print *, k\n end do\nend program t\n";
    run(text, program)
}

#[test]
fn if_else_if_else() {
    let (mut b, entry) = start();
    let condition = positive(&mut b);
    let outer = b.branch(condition, BranchForm::If);
    let one = b.step("k");
    let first = b.block(&[one]);
    let empty = b.block(&[]);
    let (i, zero) = (b.get("i"), b.int(0));
    let condition = b.boolean(BoolOp::Equal, &[i, zero]);
    let inner = b.branch(condition, BranchForm::ElseIf);
    let second = b.block(&[]);
    let two = [b.step("k"), b.step("k")];
    let third = b.block(&two);
    let inner_end = b.vertex(VertexKind::EndBranch);
    let outer_end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.cfg.connect(entry, outer);
    b.cfg.connect_if(outer, first, 1);
    b.cfg.connect(outer, empty);
    b.path(&[first, outer_end, exit]);
    b.cfg.connect(empty, inner);
    b.cfg.connect_if(inner, second, 1);
    b.cfg.connect(inner, third);
    b.path(&[second, inner_end, outer_end]);
    b.path(&[third, inner_end]);
    let text = print(&b.finish());
    assert_eq!(
        body(&text),
        [
            "if (i > 0) then",
            "k = k + 1",
            "else if (i == 0) then",
            "else",
            "k = k + 1",
            "k = k + 1",
            "end if",
        ]
    );
    compile(&text);
    assert_eq!(results(&text), "2 0 1 1 1");
}

#[test]
fn a_counted_loop_with_exit_and_cycle() {
    let (mut b, entry) = start();
    let head = b.counted("j", 10, ForForm::Counted);
    let first = b.block(&[]);
    let condition = positive(&mut b);
    let leave = b.branch(condition, BranchForm::InlineIf);
    let arm = b.block(&[]);
    let exit_jump = b.goto(Jump::Exit(None));
    let leave_end = b.vertex(VertexKind::EndBranch);
    let step = b.step("k");
    let rest = b.block(&[step]);
    let end = b.vertex(VertexKind::EndLoop);
    let after = b.block(&[]);
    let exit = b.vertex(VertexKind::Exit);
    b.cfg.connect(entry, head);
    b.cfg.connect_if(head, first, 1);
    b.cfg.connect(head, after);
    b.path(&[first, leave]);
    b.cfg.connect_if(leave, arm, 1);
    b.cfg.connect(leave, leave_end);
    b.path(&[arm, exit_jump, after]);
    b.path(&[leave_end, rest, end, head]);
    b.path(&[after, exit]);
    let text = print(&b.finish());
    assert_eq!(body(&text), ["do j = 1, 10", "if (i > 0) exit", "k = k + 1", "end do"]);
    compile(&text);
    assert_eq!(results(&text), "10 10 0 0 0");
}

#[test]
fn a_loop_whose_bound_changes_is_no_counted_one() {
    let (mut b, entry) = start();
    b.var("n");
    let three = b.int(3);
    let set = b.assign("n", three);
    let before = b.block(&[set]);
    let one = b.int(1);
    let init = b.assign("j", one);
    let (j, n) = (b.get("j"), b.get("n"));
    let condition = b.boolean(BoolOp::LessOrEqual, &[j, n]);
    let update = b.step("j");
    let head = b.vertex(VertexKind::ForLoop {
        init,
        condition,
        update,
        reversal: None,
        form: ForForm::General,
        name: None,
    });
    let two = b.int(2);
    let stmts = [b.step("k"), b.assign("n", two)];
    let inside = b.block(&stmts);
    let end = b.vertex(VertexKind::EndLoop);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, before, head]);
    b.cfg.connect_if(head, inside, 1);
    b.path(&[inside, end, head]);
    b.cfg.connect(head, exit);
    let text = print(&b.finish());
    assert!(body(&text).contains(&"do while (j <= n)".to_owned()), "{text}");
    assert_eq!(results(&text), "2 2 2 2 2");
}

#[test]
fn a_backward_jump_has_a_label() {
    let (mut b, entry) = start();
    let label = b.vertex(VertexKind::Label { label: Some(20) });
    let step = b.step("k");
    let work = b.block(&[step]);
    let (k, limit) = (b.get("k"), b.int(5));
    let condition = b.boolean(BoolOp::LessThan, &[k, limit]);
    let again = b.branch(condition, BranchForm::InlineIf);
    let arm = b.block(&[]);
    let jump = b.goto(Jump::Goto);
    let end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, label, work, again]);
    b.cfg.connect_if(again, arm, 1);
    b.cfg.connect(again, end);
    b.path(&[arm, jump, label]);
    b.path(&[end, exit]);
    let text = print(&b.finish());
    assert_eq!(body(&text), ["20 continue", "k = k + 1", "if (k < 5) goto 20"]);
    compile(&text);
    assert_eq!(results(&text), "5 5 5 5 5");
}

#[test]
fn a_jump_into_a_loop_takes_the_loop_apart() {
    let (mut b, entry) = start();
    let one = b.int(1);
    let set = b.assign("j", one);
    let before = b.block(&[set]);
    let condition = positive(&mut b);
    let choice = b.branch(condition, BranchForm::InlineIf);
    let arm = b.block(&[]);
    let jump = b.goto(Jump::Goto);
    let choice_end = b.vertex(VertexKind::EndBranch);
    let head = b.counted("j", 3, ForForm::Counted);
    let first = b.step("k");
    let first = b.block(&[first]);
    let label = b.vertex(VertexKind::Label { label: Some(7) });
    let second = b.step("k");
    let second = b.block(&[second]);
    let end = b.vertex(VertexKind::EndLoop);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, before, choice]);
    b.cfg.connect_if(choice, arm, 1);
    b.cfg.connect(choice, choice_end);
    b.path(&[arm, jump, label]);
    b.path(&[choice_end, head]);
    b.cfg.connect_if(head, first, 1);
    b.cfg.connect(head, exit);
    b.path(&[first, label, second, end, head]);
    let text = print(&b.finish());
    assert!(!text.contains("do j"), "{text}");
    compile(&text);
    // Six steps from the beginning; one less where the jump skips the first.
    assert_eq!(results(&text), "6 6 5 5 5");
}

/// A subroutine that sets `n = 3` and `m = step`, and has `do j = first, n, m` or, without `m`,
/// `do j = first, n`: left for a place behind its end where `i > 0` and entered again, with `n = 1`
/// and `m = 2*m` in its body; that place is also (in the text only) where it goes on. Where `jumps_in`, it is entered at first by a jump where `i == 0`.
fn torn_loop(first: &str, step: Option<i64>, jumps_in: bool) -> Document {
    let (mut b, entry) = start();
    let (three, amount) = (b.int(3), b.int(step.unwrap_or(1)));
    let set = [b.assign("n", three), b.assign("m", amount)];
    let before = b.block(&set);
    let (i, zero) = (b.get("i"), b.int(0));
    let condition = b.boolean(BoolOp::Equal, &[i, zero]);
    let choice = jumps_in.then(|| {
        let choice = b.branch(condition, BranchForm::InlineIf);
        let arm = b.block(&[]);
        let jump = b.goto(Jump::Goto);
        (choice, arm, jump, b.vertex(VertexKind::EndBranch))
    });
    let head = head_of_torn_loop(&mut b, first, step.is_some());
    let stmt = b.step("k");
    let work = b.block(&[stmt]);
    let condition = positive(&mut b);
    let leave = b.branch(condition, BranchForm::InlineIf);
    let arm = b.block(&[]);
    let out = b.goto(Jump::Goto);
    let leave_end = b.vertex(VertexKind::EndBranch);
    let back = b.vertex(VertexKind::Label { label: Some(7) });
    let (one, two, m) = (b.int(1), b.int(2), b.get("m"));
    let doubled = b.call("mul_scal_scal", &[two, m]);
    let stmts = [b.step("k"), b.assign("n", one), b.assign("m", doubled)];
    let rest = b.block(&stmts);
    let end = b.vertex(VertexKind::EndLoop);
    let (k, none) = (b.get("k"), b.int(0));
    let condition = b.boolean(BoolOp::LessThan, &[k, none]);
    let again = b.branch(condition, BranchForm::InlineIf);
    let again_arm = b.block(&[]);
    let again_jump = b.goto(Jump::Goto);
    let again_end = b.vertex(VertexKind::EndBranch);
    let done = b.goto(Jump::Return);
    let outside = b.vertex(VertexKind::Label { label: Some(50) });
    let (k, ten) = (b.get("k"), b.int(10));
    let more = b.call("add_scal_scal", &[k, ten]);
    let stmt = b.assign("k", more);
    let away = b.block(&[stmt]);
    let jump_back = b.goto(Jump::Goto);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, before]);
    match choice {
        None => b.path(&[before, head]),
        Some((choice, arm, jump, choice_end)) => {
            b.path(&[before, choice]);
            b.cfg.connect_if(choice, arm, 1);
            b.cfg.connect(choice, choice_end);
            b.path(&[arm, jump, back]);
            b.path(&[choice_end, head]);
        }
    }
    b.cfg.connect_if(head, work, 1);
    b.cfg.connect(head, again);
    b.cfg.connect_if(again, again_arm, 1);
    b.cfg.connect(again, again_end);
    b.path(&[again_arm, again_jump, outside]);
    b.path(&[again_end, done, exit]);
    b.path(&[work, leave]);
    b.cfg.connect_if(leave, arm, 1);
    b.cfg.connect(leave, leave_end);
    b.path(&[arm, out, outside, away, jump_back, back]);
    b.path(&[leave_end, back, rest, end, head]);
    b.finish()
}

/// `do j = first, n` or `do j = first, n, m`
fn head_of_torn_loop(b: &mut Build, first: &str, steps: bool) -> VertexId {
    let first = match first.parse() {
        Ok(first) => b.int(first),
        Err(_) => b.get(first),
    };
    let init = b.assign("j", first);
    let (j, n) = (b.get("j"), b.get("n"));
    let (condition, update) = if steps {
        let (m, zero) = (b.get("m"), b.int(0));
        let difference = b.call("sub_scal_scal", &[j, n]);
        let product = b.call("mul_scal_scal", &[difference, m]);
        let condition = b.boolean(BoolOp::LessOrEqual, &[product, zero]);
        let (j, m) = (b.get("j"), b.get("m"));
        let next = b.call("add_scal_scal", &[j, m]);
        (condition, b.assign("j", next))
    } else {
        (b.boolean(BoolOp::LessOrEqual, &[j, n]), b.step("j"))
    };
    let (form, name) = (ForForm::Counted, None);
    b.vertex(VertexKind::ForLoop { init, condition, update, reversal: None, form, name })
}

#[test]
fn a_counted_loop_that_is_written_flat_has_the_rounds_that_it_began_with() {
    let text = print(&torn_loop("1", None, false));
    assert!(!text.contains("do j"), "{text}");
    compile(&text);
    // Three iterations, though the bound is 1 after the first.
    assert_eq!(results(&text), "6 6 36 36 36");
}

#[test]
fn the_step_of_a_counted_loop_that_is_written_flat_is_that_of_its_beginning() {
    let text = print(&torn_loop("-3", Some(2), false));
    compile(&text);
    // -3, -1, 1, 3
    assert_eq!(results(&text), "8 8 48 48 48");
    let text = print(&torn_loop("8", Some(-2), false));
    compile(&text);
    // 8, 6, 4
    assert_eq!(results(&text), "6 6 36 36 36");
}

#[test]
fn a_counted_loop_that_is_written_flat_may_have_no_round() {
    let text = print(&torn_loop("4", None, false));
    assert_eq!(results(&text), "0 0 0 0 0");
}

#[test]
fn a_loop_of_no_known_number_of_rounds_is_refused() {
    let problems =
        fortran_backend::unparse(&torn_loop("1", None, true), fortran_backend::Layout::OneText);
    let problems = problems.expect_err("its count may not have begun");
    let codes: Vec<_> = problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [xaif_schema::diag::Code::CANNOT_STRUCTURE]);
}

#[test]
fn vertices_in_any_order_are_structured_by_their_edges() {
    let (mut b, entry) = start();
    let exit = b.vertex(VertexKind::Exit);
    let end = b.vertex(VertexKind::EndBranch);
    let two = [b.step("k"), b.step("k")];
    let other = b.block(&two);
    let condition = positive(&mut b);
    let branch = b.branch(condition, BranchForm::Plain);
    let one = b.step("k");
    let first = b.block(&[one]);
    b.path(&[entry, branch]);
    b.cfg.connect(branch, other);
    b.cfg.connect_if(branch, first, 1);
    b.path(&[first, end, exit]);
    b.path(&[other, end]);
    let text = print(&b.finish());
    assert_eq!(
        body(&text),
        ["if (i > 0) then", "k = k + 1", "else", "k = k + 1", "k = k + 1", "end if"]
    );
    assert_eq!(results(&text), "2 2 1 1 1");
}

#[test]
fn select_case_with_values_and_default() {
    let (mut b, entry) = start();
    let selector = b.get("i");
    let branch = b.branch(selector, BranchForm::Plain);
    let one = b.step("k");
    let first = b.block(&[one]);
    let two = [b.step("k"), b.step("k")];
    let second = b.block(&two);
    let end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, branch]);
    b.cfg.connect_if(branch, first, 0);
    b.cfg.connect_if(branch, first, 2);
    b.cfg.connect(branch, second);
    b.path(&[first, end, exit]);
    b.path(&[second, end]);
    let text = print(&b.finish());
    assert_eq!(body(&text)[..3], ["select case (i)", "case (0, 2)", "k = k + 1"]);
    compile(&text);
    assert_eq!(results(&text), "2 1 2 1 2");
}

#[test]
fn early_return_and_computed_goto() {
    let (mut b, entry) = start();
    let selector = b.get("i");
    let branch = b.branch(selector, BranchForm::ComputedGoto);
    let leave = b.goto(Jump::Return);
    let ten = b.vertex(VertexKind::Label { label: Some(10) });
    let one = b.step("k");
    let first = b.block(&[one]);
    let twenty = b.vertex(VertexKind::Label { label: Some(20) });
    let two = b.step("k");
    let second = b.block(&[two]);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, branch]);
    b.cfg.connect_if(branch, ten, 1);
    b.cfg.connect_if(branch, twenty, 2);
    b.path(&[branch, leave, exit]);
    b.path(&[ten, first, twenty, second, exit]);
    let text = print(&b.finish());
    assert_eq!(
        body(&text),
        ["goto (10, 20), i", "return", "10 continue", "k = k + 1", "20 continue", "k = k + 1"]
    );
    assert_eq!(results(&text), "0 0 2 1 0");
}

#[test]
fn a_forever_loop_and_a_named_exit_from_the_inner_one() {
    let (mut b, entry) = start();
    let outer = b.vertex(VertexKind::PreLoop {
        condition: None,
        name: Some("outer".into()),
        forever: true,
    });
    let first = b.block(&[]);
    let head = b.counted("j", 4, ForForm::Counted);
    let step = b.step("k");
    let inside = b.block(&[step]);
    let (k, limit) = (b.get("k"), b.int(6));
    let condition = b.boolean(BoolOp::GreaterOrEqual, &[k, limit]);
    let branch = b.branch(condition, BranchForm::InlineIf);
    let arm = b.block(&[]);
    let jump = b.goto(Jump::Exit(Some("outer".into())));
    let branch_end = b.vertex(VertexKind::EndBranch);
    let end = b.vertex(VertexKind::EndLoop);
    let after = b.block(&[]);
    let outer_end = b.vertex(VertexKind::EndLoop);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, outer]);
    b.cfg.connect_if(outer, first, 1);
    b.path(&[first, head]);
    b.cfg.connect_if(head, inside, 1);
    b.cfg.connect(head, after);
    b.path(&[inside, branch]);
    b.cfg.connect_if(branch, arm, 1);
    b.cfg.connect(branch, branch_end);
    b.path(&[arm, jump, exit]);
    b.path(&[branch_end, end, head]);
    b.path(&[after, outer_end, outer]);
    let text = print(&b.finish());
    assert!(text.contains("if (k >= 6) exit outer"), "{text}");
    assert_eq!(results(&text), "6 6 6 6 6");
}

#[test]
fn an_opaque_condition_is_printed_word_for_word() {
    let (mut b, entry) = start();
    let condition = b.expr(ExprKind::Opaque("i .gt. 0".into()), LOGICAL);
    let branch = b.branch(condition, BranchForm::If);
    let one = b.step("k");
    let first = b.block(&[one]);
    let end = b.vertex(VertexKind::EndBranch);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, branch]);
    b.cfg.connect_if(branch, first, 1);
    b.cfg.connect(branch, end);
    b.path(&[first, end, exit]);
    let text = print(&b.finish());
    assert_eq!(body(&text), ["if (i .gt. 0) then", "k = k + 1", "end if"]);
}

#[test]
fn a_nested_if_whose_vertices_stand_behind_the_end_goes_on_behind_it() {
    let (mut b, entry) = start();
    let condition = positive(&mut b);
    let outer = b.branch(condition, BranchForm::Plain);
    let one = b.step("k");
    let first = b.block(&[one]);
    let outer_end = b.vertex(VertexKind::EndBranch);
    let two = [b.step("k"), b.step("k")];
    let behind = b.block(&two);
    let exit = b.vertex(VertexKind::Exit);
    let (i, zero) = (b.get("i"), b.int(0));
    let condition = b.boolean(BoolOp::Equal, &[i, zero]);
    let inner = b.branch(condition, BranchForm::Plain);
    let four = [b.step("k"), b.step("k"), b.step("k"), b.step("k")];
    let second = b.block(&four);
    let inner_end = b.vertex(VertexKind::EndBranch);
    let third = b.block(&[]);
    b.path(&[entry, outer]);
    b.cfg.connect_if(outer, first, 1);
    b.cfg.connect(outer, inner);
    b.path(&[first, outer_end, behind, exit]);
    b.cfg.connect_if(inner, second, 1);
    b.cfg.connect(inner, third);
    b.path(&[second, inner_end, outer_end]);
    b.path(&[third, inner_end]);
    let text = print(&b.finish());
    assert!(!text.contains("goto"), "{text}");
    assert_eq!(results(&text), "2 6 3 3 3");
}

/// An arm of the outer IF is jumped to from within the inner one, so that, followed by its jumps,
/// the inner one seems to end where the outer one does.
#[test]
fn an_end_that_another_if_has_taken_begins_no_arm() {
    let (mut b, entry) = start();
    let exit = b.vertex(VertexKind::Exit);
    let asks = |b: &mut Build, op, number| {
        let (i, number) = (b.get("i"), b.int(number));
        let condition = b.boolean(op, &[i, number]);
        b.branch(condition, BranchForm::Plain)
    };
    let jump = |b: &mut Build| b.vertex(VertexKind::Goto(Jump::Goto));
    let steps = |b: &mut Build, count: usize| {
        let steps: Vec<_> = (0..count).map(|_| b.step("k")).collect();
        b.block(&steps)
    };
    // Out of its place, so that the order of the vertices is none for text.
    let otherwise = steps(&mut b, 3);
    let around = asks(&mut b, BoolOp::NotEqual, -1);
    let outer = asks(&mut b, BoolOp::GreaterThan, 0);
    let inner = asks(&mut b, BoolOp::NotEqual, 2);
    let first = asks(&mut b, BoolOp::Equal, 1);
    let to_first = jump(&mut b);
    let first_end = b.vertex(VertexKind::EndBranch);
    let second = asks(&mut b, BoolOp::Equal, 5);
    let to_second = jump(&mut b);
    let second_end = b.vertex(VertexKind::EndBranch);
    let neither = steps(&mut b, 2);
    let neither_on = jump(&mut b);
    let inner_end = b.vertex(VertexKind::EndBranch);
    let otherwise_on = jump(&mut b);
    let first_target = b.vertex(VertexKind::Label { label: None });
    let one = steps(&mut b, 1);
    let one_on = jump(&mut b);
    let second_target = b.vertex(VertexKind::Label { label: None });
    let four = steps(&mut b, 4);
    let outer_end = b.vertex(VertexKind::EndBranch);
    let behind = b.vertex(VertexKind::Label { label: None });
    let around_end = b.vertex(VertexKind::EndBranch);
    b.path(&[entry, around]);
    b.cfg.connect_if(around, outer, 1);
    b.cfg.connect(around, around_end);
    b.cfg.connect_if(outer, inner, 1);
    b.cfg.connect(outer, outer_end);
    b.cfg.connect_if(inner, first, 1);
    b.cfg.connect(inner, inner_end);
    b.cfg.connect_if(first, to_first, 1);
    b.cfg.connect(first, first_end);
    b.path(&[to_first, first_target, one, one_on, behind]);
    b.path(&[first_end, second]);
    b.cfg.connect_if(second, to_second, 1);
    b.cfg.connect(second, second_end);
    b.path(&[to_second, second_target, four, outer_end, behind, around_end, exit]);
    b.path(&[second_end, neither, neither_on, behind]);
    b.path(&[inner_end, otherwise, otherwise_on, behind]);
    let text = print(&b.finish());
    assert_eq!(text.matches("goto").count(), 3, "{text}");
    assert_eq!(results(&text), "0 0 1 3 2");
}
