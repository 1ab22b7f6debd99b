module options
  implicit none
contains
  subroutine solve(x, tol, steps, verbose)
    real, intent(inout) :: x
    real, intent(in), optional :: tol
    integer, intent(out), optional :: steps
    logical, intent(in), optional :: verbose
    integer :: n
    real :: eps
    eps = 0.01
    if (present(tol)) eps = tol
    n = 0
    do while (abs(x*x - 2.0) > eps)
      x = 0.5*(x + 2.0/x)
      n = n + 1
    end do
    if (present(steps)) steps = n
    if (present(verbose)) then
      if (verbose) print *, 'steps', n
    end if
  end subroutine solve
  recursive integer function depth(n, acc) result(d)
    integer, intent(in) :: n
    integer, intent(in), optional :: acc
    if (present(acc)) then
      d = acc + n
    else
      d = depth(n - 1, n)
    end if
  end function depth
end module options

program keywords
  use options
  implicit none
  real :: x
  integer :: k
  x = 1.0
  call solve(x)
  print *, x
  x = 3.0
  call solve(x, verbose=.true., tol=1.0e-5)
  call solve(steps=k, x=x)
  print *, x, k, depth(5), depth(acc=1, n=2)
  print *, sum(reshape([1.0, 2.0, 3.0, 4.0], shape=[2, 2]), dim=1)
end program keywords
