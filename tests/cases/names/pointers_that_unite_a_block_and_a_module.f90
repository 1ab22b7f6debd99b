! A pointer may point to a variable of a module or to one in COMMON: a record of what both may be has the names of both,
! also where the procedure that records declares neither.
module shelf
  implicit none
  real(8), target :: top(2) = [2.0d0, 3.0d0]
  real(8), target, save :: low(2) = [5.0d0, 7.0d0]
contains
  subroutine fill(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8), target :: t(2), u
    real(8), pointer :: p
    common /drawer/ t, u
    p => t(2)
    if (y > 1d3) p => top(1)
    if (y > 1d4) p => low(1)
    p = x
    y = y*p
  end subroutine fill

  subroutine clear(y)
    real(8), intent(in) :: y
    real(8), target :: t(2), u
    real(8), pointer :: p
    common /drawer/ t, u
    t(2) = 1
    u = 2
    p => top(1)
    if (y > 1d4) p => t(1)
    p = 4
  end subroutine clear
end module shelf

subroutine p(x, y)
  use shelf, only: fill, clear
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  y = x(2)
  !$oxad nocheckpoint
  call fill(x(1), y)
  call clear(y)
  !$oxad nocheckpoint
  call fill(x(2), y)
  call clear(y)
end subroutine p
