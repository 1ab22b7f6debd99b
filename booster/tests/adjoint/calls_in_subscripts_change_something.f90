! call top n=5 x=[0.5,1.5,2,0.3,0.7] y=1
! What is overwritten is named once more where it is recorded and taken back; its subscripts are computed once.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i, k(9), calls
  common /counted/ calls
  integer, external :: next
  calls = 1
  k = 1
  do i = 1, 3
    y = y + x(k(2))*calls
    k(next(i)) = i
    y = y*x(k(2))*calls
    k(2) = next(2)
    y = y + x(k(2))*calls
    call bump(k(next(i)))
    y = y + x(k(1))*calls*k(3)
  end do
end subroutine top
subroutine bump(k)
  implicit none
  integer, intent(inout) :: k
  k = 1 + mod(k, 5)
end subroutine bump
integer function next(k)
  implicit none
  integer, intent(in) :: k
  integer :: calls
  common /counted/ calls
  calls = calls + 1
  next = 1 + mod(k, 3)
end function next
