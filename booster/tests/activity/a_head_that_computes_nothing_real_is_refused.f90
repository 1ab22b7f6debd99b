! activity head=told
subroutine told(x, n)
  real(8), intent(in) :: x(n)
  integer, intent(in) :: n
  print *, sum(x)
end subroutine told
