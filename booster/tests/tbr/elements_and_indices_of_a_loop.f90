! call s x=[0.5,1.5,2.5,0.1] a=0.75 n=4 k=2
! The loop of the example of an array that is overwritten element by element.
subroutine s(x, a, n, k)
  integer, intent(in) :: n, k
  real(8), intent(inout) :: x(n), a
  integer :: i, j
  j = k
  do i = 1, n
    x(i) = j + sin(x(i))
    a = a + x(i)
    x(j) = j*cos(x(j)) + a
    a = 0.5*a
    j = j + 1
    if (j > n) j = 1
  end do
end subroutine
