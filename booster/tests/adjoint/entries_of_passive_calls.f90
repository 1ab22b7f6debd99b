! call top n=2 x=[0.5,1.5] y=1
! What the entry overwrites has no name here, and its dummy arguments are others than those of the procedure.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  real(8) :: s
  integer :: i
  call begin(1, s)
  do i = 1, n
    call scale(s)
    call use_it(x(i), y)
  end do
end subroutine top
subroutine begin(k, t)
  implicit none
  integer, intent(in) :: k
  real(8), intent(inout) :: t
  real(8) :: f
  common /factor/ f
  f = k
  t = f + 1
  return
  entry scale(t)
  f = f*1.5d0
  t = t*f
end subroutine begin
subroutine use_it(a, y)
  implicit none
  real(8), intent(inout) :: a, y
  real(8) :: f
  common /factor/ f
  a = a*a*f
  y = y*a*f
end subroutine use_it
