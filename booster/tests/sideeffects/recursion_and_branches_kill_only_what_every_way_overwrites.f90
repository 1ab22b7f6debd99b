recursive subroutine descend(n, x, y)
  integer, intent(in) :: n
  real, intent(inout) :: x, y
  if (n > 0) then
    y = x
    call descend(n - 1, x, y)
  else
    y = 0
    x = 2*x
  end if
end subroutine
