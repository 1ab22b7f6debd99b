! call r x=0.75 n=3
recursive subroutine r(x, n)
  real(8) :: x
  integer :: n
  if (n > 0) then
    x = sin(x)
    call r(x, n - 1)
    x = x*x
  end if
end subroutine
