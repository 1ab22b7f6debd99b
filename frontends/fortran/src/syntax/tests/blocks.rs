//! Constructs and labelled loops.

use super::*;

#[test]
fn nested_loops_share_a_terminal_statement() {
    let parsed = fixed(
        "      DO 10 I = 1, 2\n      DO 10 J = 1, 2\n   10 X = X + 1\n      Y = X\n      END\n",
    );
    let stmts = statements(&parsed);
    assert_eq!(stmts.len(), 2);
    let StmtKind::Do(outer) = &stmts[0].kind else { panic!() };
    assert!(matches!(outer.end, DoEnd::Shared));
    let StmtKind::Do(inner) = &in_block(&outer.body)[0].kind else { panic!() };
    assert!(matches!(inner.end, DoEnd::Terminal));
    assert_eq!(in_block(&inner.body)[0].head.label, Some(Label(10)));
}

#[test]
fn a_labelled_loop_may_end_with_end_do() {
    let parsed = fixed("      DO 10 I = 1, 2\n      X = I\n   10 END DO\n      END\n");
    let StmtKind::Do(outer) = &statements(&parsed)[0].kind else { panic!() };
    let DoEnd::EndDo(end) = &outer.end else { panic!() };
    assert_eq!(end.head.label, Some(Label(10)));
}

#[test]
fn if_has_one_arm_for_each_branch() {
    let parsed = free("o: if (a) then\n x=1\nelse if (b) then o\n x=2\nelse\n x=3\nendif o\nend\n");
    let StmtKind::If(construct) = &statements(&parsed)[0].kind else { panic!() };
    let conditions: Vec<bool> = construct.arms.iter().map(|arm| arm.condition.is_some()).collect();
    assert_eq!(conditions, [true, true, false]);
    assert!(construct.end.name.is_some() && construct.arms[1].name.is_some());
}

#[test]
fn every_construct_is_read() {
    let text = "subroutine s(p)
select case (i)
! before
case (1, 3:5, :0)
  x = 1
case default
end select
select type (q => p)
type is (integer)
class is (t)
class default
end select
select rank (p)
rank (0)
rank (*)
rank default
end select
where (a > 0)
  a = 1
elsewhere (a < 0)
  a = 2
elsewhere
  a = 3
end where
where (a > 0) a = 1
forall (i = 1:3, j = 1:3:2, a(i,j) > 0) a(i,j) = 0
forall (i = 1:3)
  a(i,1) = 0
end forall
do concurrent (integer :: i = 1:3, i > 1) local(t) shared(u)
end do
associate (z => a(1,:), y => f(x))
end associate
block
  integer :: k
  k = 1
end block
critical
end critical
do
  exit
end do
do while (x > 0)
  cycle
enddo
end subroutine s
";
    assert_eq!(statements(&free(text)).len(), 13);
}

#[test]
fn keywords_are_not_reserved() {
    let text = "enum = 1\nclose = 2\nif(1) = 3\nend = 4\ndo = 5\nwhere(2) = 6\nreal = 7\nend\n";
    let parsed = free(text);
    let stmts = statements(&parsed);
    assert_eq!(stmts.len(), 7);
    assert!(stmts.iter().all(|stmt| matches!(stmt.kind, StmtKind::Assign { .. })));
}

#[test]
fn units_nest_and_know_their_names() {
    let text = "module m\ncontains\nsubroutine a\ncontains\nreal function b(x) result(y)\nend function\nend subroutine a\nend module m\nprogram p\nend\n";
    let parsed = free(text);
    assert_eq!(messages(&parsed), [""; 0]);
    let names: Vec<_> = parsed.file.units().map(|unit| unit.name().unwrap().key()).collect();
    assert_eq!(names, ["m", "p"]);
}
