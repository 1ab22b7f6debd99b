//! Every elimination technique with every heuristic gives a program the same Jacobian: the check that
//! `scripts/eliminations` does on any programs, on one of our own.

use oxad_tests::eliminations::{Found, check, configurations};

fn found(source: &str, sizes: Option<&str>) -> Found {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("head.f90");
    std::fs::write(&file, source).expect("the source is written");
    if let Some(sizes) = sizes {
        std::fs::write(folder.path().join("params.conf"), sizes).expect("the sizes are written");
    }
    check(&file, &[], &configurations())
}

#[test]
fn every_elimination_gives_the_same_jacobian() {
    let source = "subroutine head(x, y)\n real(8), intent(in) :: x(:)\n real(8), intent(out) :: y(:)\n \
                  real(8) :: a, b, c\n integer :: i\n!$oxad independent(x)\n \
                  a = sin(x(1))*x(2)\n b = exp(a)*x(3)\n c = a*b\n b = c*b + a\n y(1) = b*c\n y(2) = b*sin(c)\n \
                  do i = 1, 3\n a = y(1)*x(i)\n y(1) = a*y(2) + a\n y(2) = a*cos(y(1))\n end do\n \
                  if (y(2) > 0) y(2) = y(2)*x(1)\n!$oxad dependent(y)\nend subroutine\n";
    let Found::Same(same) = found(source, Some("3 2 1e-6")) else {
        panic!("{:?}", found(source, Some("3 2")))
    };
    assert!(same.configurations >= 3 * 38, "{same:?}");
    assert!(same.documents > 5, "different orders: {same:?}");
    assert_eq!(same.executed, [same.documents; 3], "{same:?}");
    let left = found(source, None);
    assert!(matches!(&left, Found::Left(why) if why.contains("how large x is")), "{left:?}");
}

#[test]
fn what_cannot_be_asked_is_said() {
    let left =
        found("subroutine tail(x)\n real(8) :: x\n!$oxad independent(x)\nend subroutine\n", None);
    assert!(matches!(left, Found::Left(_)), "{left:?}");
}
