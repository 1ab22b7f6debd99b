! call by_call x=[0.5,1.5,0.7,0.9] w=[1.1,1.2,1.3]
! call by_list x=[0.5,1.5,0.7,0.9] w=[1.1,1.2,1.3]
! call by_other x=[0.5,1.5,0.7,0.9] w=[1.1,1.2,1.3]
! call by_component x=[0.5,1.5,0.7,0.9] w=[1.1,1.2,1.3]
! call both x=[0.5,1.5,0.7,0.9] w=[1.1,1.2,1.3]
! The result of a function overwrites a place whose subscripts are calls or lists: the old value is recorded,
! and taken back behind the call.
module functions
  implicit none
  type part
    real(8) :: w(3) = 1
  end type part
  real(8) :: state(3) = 2
contains
  elemental function second(a, b)
    real(8), intent(in) :: a, b
    real(8) :: second
    second = b*b
  end function second
  pure integer function place(k)
    integer, intent(in) :: k
    place = k + 1
  end function place
  integer function other(k)
    integer, intent(in) :: k
    other = k + 1
  end function other
  real(8) function moves(a)
    real(8), intent(in) :: a
    state = state*a
    moves = a*a*state(2)
  end function moves
end module functions

subroutine by_call(x, w)
  use functions
  implicit none
  real(8), intent(inout) :: x(4), w(3)
  real(8) :: s
  s = (sum(x) - w(2))**2
  w(place(1)) = second(4.0d-1, x(3))
  x(1) = s*w(2)
end subroutine by_call

subroutine by_list(x, w)
  use functions
  implicit none
  real(8), intent(inout) :: x(4), w(3)
  real(8) :: s
  s = (sum(x) - w(2))**2
  w([2, 1]) = second(x(1:2), x(3:4))
  x(1) = s*w(2)
end subroutine by_list

subroutine by_other(x, w)
  use functions
  implicit none
  real(8), intent(inout) :: x(4), w(3)
  real(8) :: s
  s = (sum(x) - w(2))**2
  w(other(1)) = second(4.0d-1, x(3))
  x(1) = s*w(2)
end subroutine by_other

subroutine by_component(x, w)
  use functions
  implicit none
  real(8), intent(inout) :: x(4), w(3)
  type(part) :: p(2)
  real(8) :: s
  p(2)%w = w
  s = (sum(x) - p(2)%w(2))**2
  p(2)%w(1 + modulo(maxloc(eoshift(x, 1, second(3.0d0, 0.7d0)), 1), 3)) = second(5.0d-1, 7.0d-1)
  p(place(1))%w(place(1)) = second(p(2)%w(2), p(2)%w(1))
  x(1) = s*p(2)%w(2)
end subroutine by_component

! The function overwrites the variable as well.
subroutine both(x, w)
  use functions
  implicit none
  real(8), intent(inout) :: x(4), w(3)
  real(8) :: s
  state = w
  s = (sum(x) - state(2))**2*state(1)
  state(place(1)) = moves(x(2))
  x(1) = s*state(2)*state(1)
end subroutine both
