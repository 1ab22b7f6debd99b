module results
  implicit none
  type :: pair
    integer :: a, b
  end type pair
contains
  function diagonal(n, x) result(m)
    integer, intent(in) :: n
    real, intent(in) :: x
    real :: m(n, n)
    integer :: i
    m = 0.0
    do i = 1, n
      m(i, i) = x
    end do
  end function diagonal
  function repeated(word, n)
    character(len=*), intent(in) :: word
    integer, intent(in) :: n
    character(len=len(word)*n) :: repeated
    repeated = repeat(word, n)
  end function repeated
  type(pair) function swapped(p)
    type(pair), intent(in) :: p
    swapped = pair(p%b, p%a)
  end function swapped
  function evens(n) result(v)
    integer, intent(in) :: n
    integer, allocatable :: v(:)
    integer :: i
    v = [(2*i, i=1, n)]
  end function evens
  function at(x, i) result(p)
    real, target, intent(in) :: x(:)
    integer, intent(in) :: i
    real, pointer :: p
    p => x(i)
  end function at
  double precision function half(i)
    integer, intent(in) :: i
    half = i/2.0d0
  end function half
  integer recursive pure function factorial(n) result(f)
    integer, intent(in) :: n
    f = 1
    if (n > 1) f = n*factorial(n - 1)
  end function factorial
end module results

program function_results
  use results
  implicit none
  type(pair) :: p
  real, target :: x(3) = [1.0, 2.0, 3.0]
  print *, diagonal(2, 1.5)
  print *, repeated('ab', 3), '|'
  p = swapped(pair(1, 2))
  print *, p, evens(4), at(x, 2), half(7), factorial(6)
end program function_results
