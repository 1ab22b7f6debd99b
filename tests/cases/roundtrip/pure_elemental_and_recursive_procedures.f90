module prefixes
  implicit none
contains
  elemental real function smooth(x) result(y)
    real, intent(in) :: x
    if (x < 0.0) then
      y = 0.0
    else if (x > 1.0) then
      y = 1.0
    else
      y = x*x*(3.0 - 2.0*x)
    end if
  end function smooth
  pure recursive function fib(n) result(f)
    integer, intent(in) :: n
    integer :: f
    if (n < 2) then
      f = n
    else
      f = fib(n - 1) + fib(n - 2)
    end if
  end function fib
  elemental subroutine swap(a, b)
    real, intent(inout) :: a, b
    real :: t
    t = a
    a = b
    b = t
  end subroutine swap
  impure elemental subroutine report(i)
    integer, intent(in) :: i
    print *, 'value', i
  end subroutine report
  recursive subroutine sort(v)
    integer, intent(inout) :: v(:)
    integer :: pivot, n
    if (size(v) < 2) return
    pivot = v(1)
    n = count(v < pivot)
    v = [pack(v, v < pivot), pack(v, v == pivot), pack(v, v > pivot)]
    call sort(v(:n))
    call sort(v(n + 2:))
  end subroutine sort
end module prefixes

program prefix
  use prefixes
  implicit none
  real :: a(3) = [-1.0, 0.25, 2.0], b(3) = 0.5
  integer :: v(6) = [5, 3, 9, 1, 7, 2]
  print *, smooth(a), fib(15)
  call swap(a, b)
  call swap(a(2), b(2))
  print *, a, b
  call report([1, 2])
  call sort(v)
  print *, v
end program prefix
