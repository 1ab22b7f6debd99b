! call by_condition x=[1.1,0.7,1.3,0.9] y=0.5
! call by_selection x=[1.1,0.7,1.3,0.9] y=0.5
! call by_expression x=[1.1,0.7,1.3,0.9] y=0.5
! call by_bound x=[1.1,0.7,1.3,0.9] y=0.5
! A function that changes what has an adjoint is called by a condition, an expression or a bound: what its
! backward sweep reads is overwritten behind that.
module changed
  implicit none
  real(8) :: z = 1.5d0
  integer :: mode = 3
contains
  real(8) function fun(a)
    real(8), intent(in) :: a
    real(8) :: s
    s = a*a
    z = z*a
    if (mode > 2) s = s*a
    fun = s*s
  end function fun
  integer function rounds(a)
    real(8), intent(in) :: a
    z = z*a
    if (mode > 2) z = z*z
    rounds = 3
  end function rounds
end module changed

subroutine by_condition(x, y)
  use changed
  implicit none
  real(8), intent(inout) :: x(4), y
  mode = 3
  z = x(3)
  x(1) = x(1)*x(2)
  if (fun(x(1)) > 0.1d0) y = y*x(1)
  mode = 1
  y = y*y*x(1)*z
end subroutine by_condition

subroutine by_selection(x, y)
  use changed
  implicit none
  real(8), intent(inout) :: x(4), y
  mode = 3
  z = x(3)
  x(1) = x(1)*x(2)
  select case (int(10*fun(x(1))))
  case (:1)
    y = x(1)
  case (2:)
    y = y*x(1)
  end select
  mode = 1
  y = y*y*x(1)*z
end subroutine by_selection

subroutine by_expression(x, y)
  use changed
  implicit none
  real(8), intent(inout) :: x(4), y
  mode = 3
  z = x(3)
  y = 2*fun(x(1))*x(2)
  mode = 1
  z = z*y
  y = y*sin(fun(x(2)))*z
  mode = 3
  y = y*x(4)*z
end subroutine by_expression

subroutine by_bound(x, y)
  use changed
  implicit none
  real(8), intent(inout) :: x(4), y
  integer :: i
  mode = 3
  z = x(3)
  do i = 1, rounds(x(2))
    y = y*x(i)
  end do
  mode = 1
  y = y*y*x(1)*z
end subroutine by_bound
