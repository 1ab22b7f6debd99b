! call outer x=[0.5,1.5,0.75] y=0
! call again x=[0.5,1.5,0.75] y=0
! What a function returns is read by its own adjoint: where its call is split, the caller keeps it.
subroutine outer(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: y
  real(8), external :: running
  y = running(x)
  y = y + 1
  y = y + running(x)*x(2)
end subroutine outer

subroutine again(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: y
  real(8), external :: either
  integer :: i
  y = 1
  do i = 1, 2
    x(1) = x(1)*y
    y = either(x)
    x(i) = x(i) + y
  end do
end subroutine again

function running(a) result(s)
  implicit none
  real(8), intent(inout) :: a(3)
  real(8) :: s
  integer :: i
  s = 1
  do i = 1, 3
    s = s*a(i) + 1
    a(i) = a(i)*s
  end do
end function running

recursive function either(a) result(s)
  implicit none
  real(8), intent(inout) :: a(3)
  real(8) :: s
  s = a(1)*a(2)
  if (s < 2.0d0) then
    a(1) = a(1) + 1
    s = either(a)
  end if
  a(3) = a(3)*s
end function either
