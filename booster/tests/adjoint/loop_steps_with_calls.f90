! call top n=9 x=[0.5,1.5,2,0.3,0.7,1.1,1.3,0.2,0.9] y=1
! A step that calls what has a derivative, or changes something, is computed once.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i, j, calls
  common /counted/ calls
  real(8), external :: scaled
  integer, external :: next
  calls = 1
  do i = 1, n, 1 + modulo(maxloc(scaled(x(2))*x(1:3), 1), 3)
    y = y + x(i)**2*calls
    x(i) = x(i)*y
  end do
  do i = nint(scaled(x(4))), n - next(1), next(2) - 1
    do j = n, i, -next(i)
      y = y + x(i)*sin(x(j))*calls
    end do
  end do
end subroutine top
real(8) function scaled(a)
  implicit none
  real(8), intent(inout) :: a
  a = a*1.25d0
  scaled = a*0.5d0
end function scaled
integer function next(k)
  implicit none
  integer, intent(in) :: k
  integer :: calls
  common /counted/ calls
  calls = calls + 1
  next = 1 + mod(k, 3)
end function next
