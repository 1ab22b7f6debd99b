! call head x=[0.7,1.3,0.9,0.4,1.1] y=[0.5,0.2,0.3]
! A function that counts stands in a subscript of what is passed to, or is the object of, a function whose own
! value is passive: it counts once.
module arguments_with_state
  implicit none
  real(8) :: ms = 1d0
  type :: base
    real(8) :: v = 1d0
    integer :: n = 0
  contains
    procedure :: seen
  end type
contains
  integer function nxt(n)
    integer, intent(inout) :: n
    n = mod(n, 3) + 1
    nxt = n
  end function
  integer function number(u)
    real(8), intent(in) :: u
    ms = cos(ms*u)
    number = 2
  end function
  logical function answer(u)
    real(8), intent(in) :: u
    ms = cos(ms*u)
    answer = .true.
  end function
  real(8) function value(u)
    real(8), intent(in) :: u
    ms = cos(ms*u)
    value = ms
  end function
  integer function seen(me, u)
    class(base), intent(inout) :: me
    real(8), intent(in) :: u
    me%v = me%v*u
    me%n = me%n + 1
    seen = me%n
  end function
  subroutine head(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(3)
    integer :: k, i, j(3), count
    real(8) :: s
    type(base) :: q(3)
    k = 1
    ms = 1d0
    count = 0
    j = 0
    q%v = x(1:3)
    s = value(x(nxt(k)))
    i = number(x(nxt(k)))
    i = i + number(sin(x(nxt(k)))*x(5))
    if (answer(x(nxt(k)))) count = count + 1
    do i = 1, number(x(nxt(k)))
      count = count + 1
    end do
    select case (number(x(nxt(k))))
    case (2)
      count = count + 3
    end select
    j(number(x(nxt(k)))) = 3
    i = q(nxt(k))%seen(x(4))
    y(1) = ms*x(2)
    y(2) = k*x(1)*count + sum(q%v*[1, 2, 3])
    y(3) = x(k)*ms + sum(j)*x(3) + sum(q%n*x(1:3))
  end subroutine
end module
