subroutine set(x, v, n, s)
  integer, intent(in) :: n
  real, intent(out) :: x, v(n), s(:)
  x = 1
  v = 2
  s = 3
end subroutine

subroutine use_it(a, b)
  real, intent(inout) :: a, b(4)
  real :: local(4), c
  interface
    subroutine set(x, v, n, s)
      integer, intent(in) :: n
      real, intent(out) :: x, v(n), s(:)
    end subroutine
  end interface
  ! c and local are overwritten; b perhaps only in part: v has as many elements as n says.
  call set(c, b, 4, local)
  a = c + b(1) + local(1)
end subroutine
