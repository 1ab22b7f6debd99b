! call sums x=[1,2,3] y=[4,5]
! call zeroed x=[1,2,3] y=[4,5]
! call used x=[1,2,3] y=[4,5]
! call elements i=1 j=1 x=[1,2,3] y=[4,5]
! call elements i=1 j=2 x=[1,2,3] y=[4,5]
! call sections n=3 x=[1,2,3] y=[4,5,6]
! call kinds x=[1,2,3] y=[4,5]
! call complexes z=[(1,2),(3,1)] y=[(3,1),(1,1)]
! call recorded x=[1,2,3] y=[4,5]
! call targets a=2 b=3 y=[4,5]
! Increments of one adjoint become one statement, where no statement between reads or overwrites what they name.
subroutine sums(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  real(8) :: a, b
  a = x(1)*x(2)
  b = x(1)*x(3) + a
  y(1) = y(1) + a*b
  y(2) = y(2) - x(1)*b
end subroutine sums

! The adjoint is zero between: that begins anew.
subroutine zeroed(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  y(1) = x(1)*x(2)
  y(2) = y(2) + 2*y(1)
  y(1) = y(2)*x(3)
  y(2) = x(1) - y(1)
end subroutine zeroed

! It is used between.
subroutine used(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y(2)
  x(1) = x(1) + y(1)*y(2)
  x(2) = x(2) - x(1)*y(1)
  x(1) = x(2)*x(1)
  y(1) = y(1) + x(1)
end subroutine used

! The elements may be one, and are told apart where the subscripts tell it.
subroutine elements(i, j, x, y)
  implicit none
  integer, intent(in) :: i, j
  real(8), intent(inout) :: x(3), y(2)
  y(1) = y(1) + x(i)*x(3)
  x(j) = 2*x(j)
  y(2) = y(2) + x(i)*x(2)
  x(2) = x(3)*y(2)
end subroutine elements

! Whole arrays, sections, and an index that changes.
subroutine sections(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(3), y(3)
  real(8) :: d(3)
  integer :: k
  d = x*y
  y(1:2) = y(1:2) + d(2:3)*x(1:2)
  y = y - d
  k = 1
  y(k) = y(k) + x(k)*x(3)
  k = n
  y(k) = y(k)*x(k) + x(1)
end subroutine sections

! The sum in single precision is rounded after each term.
subroutine kinds(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  real(4) :: s
  s = real(x(1)*x(2))
  y(1) = y(1) + s*x(3)
  y(2) = y(2) + s*s
end subroutine kinds

subroutine complexes(z, y)
  implicit none
  complex(8), intent(in) :: z(2)
  complex(8), intent(inout) :: y(2)
  complex(8) :: t
  t = z(1)*z(2)
  y(1) = y(1) + t*z(1)
  y(2) = conjg(t) + z(1)*y(1)
end subroutine complexes

! Operations of the tape keep their order.
subroutine recorded(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y(2)
  y(1) = y(1)*x(1)
  x(1) = x(1)*x(2)
  y(1) = y(1)*x(1) + y(2)*x(1)
  x(2) = x(1)*y(1)
  x(1) = x(2)*x(1)
  y(2) = y(1)*x(2)
end subroutine recorded

! A pointer may name what is added to.
subroutine targets(a, b, y)
  implicit none
  real(8), intent(inout), target :: a, b
  real(8), intent(inout) :: y(2)
  real(8), pointer :: p
  p => a
  y(1) = y(1) + a*b
  p = 3*p*b
  y(2) = y(2) + a*p
  b = a*y(1)
end subroutine targets
