! call outer x=[0.5,1.5] n=3 y=0
! call power a=1.25 n=3 p=0
! Split calls: by directive, or because something cannot be done twice. What the forward sweep
! leaves in local variables is on the tape.
subroutine outer(x, n, y)
  implicit none
  real(8), intent(inout) :: x(2)
  integer, intent(inout) :: n
  real(8), intent(out) :: y
  real(8) :: t, f
  external f
  ! $oxad nocheckpoint would be a remark.
  t = x(1)*x(2)
  !$oxad nocheckpoint
  call scale(x, t, n)
  !$ad nocheckpoint
  y = f(x(1), t)*t
  !$oxad nocheckpoint
  call scale(x, x(n)*t, n)
  y = y + x(1)*x(2)
end subroutine outer

function f(a, b)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(in) :: b
  real(8) :: f
  real(8) :: w(2), s
  w(1) = a*b
  s = sin(w(1))
  w(2) = s*a
  f = w(2)*w(1)
  f = f*f
end function f

subroutine scale(v, s, k)
  implicit none
  real(8), intent(inout) :: v(2)
  real(8), intent(in) :: s
  integer, intent(inout) :: k
  real(8), allocatable :: t(:)
  k = k - 1
  v(1) = v(1)*s
  v(k) = v(k)*v(1)
end subroutine scale

recursive subroutine power(a, n, p)
  implicit none
  real(8), intent(in) :: a
  integer, intent(in) :: n
  real(8), intent(out) :: p
  real(8) :: q
  p = 1.0d0
  !$oxad nocheckpoint
  call times(a, p, q)
  p = q*a
end subroutine power

subroutine times(a, p, q)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(in) :: p
  real(8), intent(out) :: q
  q = a*p
  q = q*q
end subroutine times
