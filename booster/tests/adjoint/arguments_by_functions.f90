! call p x=[0.7,1.2,0.9,1.1] y=0.0
! A function in an argument is called once: not again in the backward sweep, where it would count on,
! or read what the call has overwritten.
module arguments_by_functions
  implicit none
  integer :: c = 0
contains
  integer function counted()
    c = mod(c, 3) + 1
    counted = c
  end function counted

  integer function now()
    now = c
  end function now

  integer function advanced(k)
    integer, intent(inout) :: k
    k = mod(k, 3) + 1
    advanced = k
  end function advanced

  subroutine raise(a, k)
    real(8), intent(inout) :: a
    integer, intent(in) :: k
    c = c + k
    a = sin(a**k)
  end subroutine raise

  subroutine scale(a, k)
    real(8), intent(inout) :: a
    integer, intent(in) :: k
    a = a*a*k
  end subroutine scale

  function powers(a, n) result(r)
    real(8), intent(in) :: a
    integer, intent(in) :: n
    real(8) :: r(n)
    r = a**2
    r(n) = a*n
  end function powers

  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: a(4)
    integer :: i, k
    c = 1
    k = 1
    y = x(4)*x(c)
    call raise(y, now())
    c = 1
    call raise(y, now() + 0)
    c = 1
    call scale(y, counted())
    y = y*x(c)
    call scale(y, advanced(k))
    y = y*x(k)
    a = x
    c = 0
    call scale(a(counted()), 3)
    call scale(a(2), counted())
    do i = 1, 3
      y = sum(powers(y, counted()))
      y = atan(y)*x(c)
    end do
    y = y + sum(a)
  end subroutine p
end module arguments_by_functions
