module tools
  implicit none
  interface
    pure real(8) function fun(x)
      real(8), intent(in) :: x
    end function
  end interface
contains
  real(8) function integrate(f, a, b, n) result(total)
    procedure(fun) :: f
    real(8), intent(in) :: a, b
    integer, intent(in) :: n
    integer :: i
    total = 0
    do i = 1, n
      total = total + f(a + (i - 0.5d0)*(b - a)/n)
    end do
    total = total*(b - a)/n
  end function
  recursive integer function fib(n) result(f)
    integer, intent(in) :: n
    if (n < 2) then
      f = n
    else
      f = fib(n - 1) + fib(n - 2)
    end if
  end function
  recursive subroutine hanoi(n, a, b, c, moves)
    integer, intent(in) :: n, a, b, c
    integer, intent(inout) :: moves
    if (n == 0) return
    call hanoi(n - 1, a, c, b, moves)
    moves = moves + a*b
    call hanoi(n - 1, c, b, a, moves)
  end subroutine
  pure real(8) function square(x)
    real(8), intent(in) :: x
    square = x*x
  end function
  elemental real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function
  elemental subroutine swap(a, b)
    integer, intent(inout) :: a, b
    integer :: t
    t = a
    a = b
    b = t
  end subroutine
  function ramp(n) result(r)
    integer, intent(in) :: n
    real(8) :: r(n), work(2*n)
    integer :: i
    work = [(i*0.5d0, i=1, 2*n)]
    r = work(2::2)
  end function
  function pick(a, i) result(p)
    real(8), target, intent(in) :: a(:)
    integer, intent(in) :: i
    real(8), pointer :: p
    p => a(i)
  end function
  subroutine by_value(n, s)
    integer, value :: n
    character(len=*), intent(in) :: s
    n = n + 1
    print *, n, s, len(s)
  end subroutine
end module
program procedures_and_recursion
  use tools
  implicit none
  real(8), target :: a(3)
  real(8) :: scale
  integer :: moves, i(3), j(3), n
  procedure(fun), pointer :: pf
  scale = 2
  print *, integrate(square, 0d0, 1d0, 10), integrate(scaled, 0d0, 1d0, 4)
  scale = 3
  print *, integrate(scaled, 0d0, 1d0, 4)
  pf => square
  print *, pf(3d0), fib(15)
  moves = 0
  call hanoi(6, 1, 2, 3, moves)
  print *, moves
  a = [1, 2, 3]
  print *, cube(a), ramp(4)
  print *, pick(a, 2)
  i = [1, 2, 3]
  j = [4, 5, 6]
  call swap(i, j)
  print *, i, j
  n = 5
  call by_value(n, 'abc')
  call by_value((n), 'hello')
  print *, n
  call outer(4)
  print *, nested(3)
contains
  pure real(8) function scaled(x)
    real(8), intent(in) :: x
    scaled = x*scale
  end function
  recursive subroutine outer(depth)
    integer, intent(in) :: depth
    integer :: mine(depth)
    mine = depth
    if (depth > 1) call outer(depth - 1)
    print *, mine, sum(mine)
  end subroutine
  recursive integer function nested(k) result(r)
    integer, intent(in) :: k
    r = k
    if (k > 0) r = r*10 + nested(k - 1)
  end function
end program
