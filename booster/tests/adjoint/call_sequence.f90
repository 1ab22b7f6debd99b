! call top n=3 x=[0.5,1.5,2] y=0
! Arrays of unknown extent, elements that stand for arrays.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(*)
  real(8), intent(out) :: y
  integer :: i
  interface
    subroutine scale(n, x, s)
      integer, intent(in) :: n
      real(8), intent(inout) :: x(*)
      real(8), value :: s
    end subroutine scale
  end interface
  call scale(n, x, x(1))
  call tail(n - 1, x(2))
  y = 0.0d0
  do i = 1, n
    y = y + x(i)*x(i)
  end do
end subroutine top

subroutine scale(n, x, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(*)
  real(8), value :: s
  integer :: i
  do i = 1, n
    x(i) = x(i)*s
  end do
  s = s*2
  x(1) = x(1)*s
end subroutine scale

subroutine tail(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i)*x(i)
  end do
end subroutine tail
