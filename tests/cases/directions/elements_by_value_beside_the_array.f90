! What is passed by value keeps its derivatives while the callee overwrites the array, the structure or the variable of
! the module that it comes from; the callee may overwrite its copy.
module elements_by_value
  implicit none
  type pair
    real(8) :: l, r
  end type pair
  real(8) :: shared
contains
  subroutine spread_out(v, a, q)
    real(8), intent(inout) :: v(3)
    real(8), value :: a
    type(pair), value :: q
    integer :: i
    do i = 1, 3
      v(i) = cos(a)*v(i)*q%l
    end do
    shared = shared*a
    a = a*v(1)
    q%r = q%r*a
    v(2) = v(2) + q%r + q%l*a
  end subroutine spread_out
  subroutine add(s, a)
    type(pair), intent(inout) :: s
    real(8), value :: a
    s%l = s%r*a
    s%r = s%l*a
    shared = a*shared
  end subroutine add
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    type(pair) :: s
    y = x*x
    shared = x(2)
    s = pair(x(1), x(3))
    call spread_out(y, y(2), s)
    call add(s, s%l)
    call add(s, shared)
    call spread_out(y, shared, pair(s%r, y(1)))
    y = y*shared + s%l - s%r
  end subroutine p
end module elements_by_value
