! call p x=[1.5,2.5,3.5]
! once: it counts on, beyond its arrays
! along x=[1,10,100]
module counters
  implicit none
  integer :: calls = 0
contains
  integer function next()
    calls = calls + 1
    next = calls
  end function next

  integer function again(i)
    integer, intent(in) :: i
    integer, save :: told = 0
    told = told + 1
    print *, told
    again = i + told
  end function again

  integer function twice(i)
    integer, intent(in) :: i
    twice = 2*i
  end function twice
end module counters

subroutine p(x, y, n)
  use counters
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  integer, intent(out) :: n
  y = x
  y(next()) = x(1)*x(2)
  y(3) = x(next())*x(2)*again(1)
  y(1) = y(1)*twice(3) + x(1)**again(0)
  call q(x(next()), y(3))
  if (next() > 3) y(2) = y(2)*2
  n = calls
contains
  subroutine q(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = b*a*next()
  end subroutine q
end subroutine p
