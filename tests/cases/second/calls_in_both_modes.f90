! A procedure of a procedure keeps what it overwrites; its sweeps stand in other procedures where the call is split.
module springs
  implicit none
  real(8) :: stiffness = 1.5d0
contains
  subroutine stretch(a, b, e)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b, e
    integer :: i
    do i = 1, 3
      b = b + 0.3d0*sin(a*b)*stiffness
      call add(b, e)
    end do
    b = b*a
  end subroutine stretch

  recursive subroutine add(b, e)
    real(8), intent(in) :: b
    real(8), intent(inout) :: e
    e = e + b**3*e
    if (b > 2) call add(0.5d0*b, e)
    e = e*cos(b)
  end subroutine add
end module springs

subroutine p(x, y)
  use springs, only: stretch, stiffness
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8) :: b
  integer :: i
  y = 0.7d0
  b = x(4)
  do i = 1, 4
    stiffness = stiffness*x(i)
    call stretch(x(i), b, y)
  end do
  stiffness = 1.5d0
end subroutine p
