! call reactions n=3 t=[1.5,2.0,0.7] c=[0.4,0.9,1.3] y=[1,2,3]
! call rays x=[0.5,1.0,-2.0] y=[1,2]
! call overwritten x=[0.5,1.0,2.0] y=[1,2]
! call elements i=1 j=1 x=[0.5,1.0,2.0] y=[1,2]
! call elements i=1 j=2 x=[0.5,1.0,2.0] y=[1,2]
! call behind p=2.0 x=[0.5,1.0,2.0] y=[1,2]
! call arms x=[0.5,1.0,2.0] y=[1,2]
! call arms x=[2.5,1.0,2.0] y=[1,2]
! call loops n=4 t=[0.5,1.0,2.0,0.25] y=[1,0.5,0.25,2]
! call loops n=0 t=[0.5,1.0,2.0,0.25] y=[1,0.5,0.25,2]
! call called x=[0.5,1.0,2.0] y=[1,2]
! A function, a division, a power or a choice that the backward sweep needs twice is computed once.
subroutine reactions(n, t, c, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(3), c(3)
  real(8), intent(inout) :: y(3)
  real(8) :: k, r, w
  integer :: i
  do i = 1, n
    k = 2*exp(-1.5d0/t(i))*t(i)**0.7d0
    r = k*c(i)/(1 + k*c(i))
    w = 1/(t(i)*sqrt(t(i)))
    y(i) = y(i) + r**2*w
  end do
end subroutine reactions

! A root of the forward sweep is read in the backward sweep; the partial derivative is written with it.
subroutine rays(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  real(8) :: r, q
  r = sqrt(x(1)**2 + x(2)**2)
  q = (x(3) - r)/(x(1) + r)
  if (q > 0) then
    y(1) = y(1) + q*r
  else
    y(2) = y(2)*q
  end if
  y(1) = y(1) + max(q*x(1), r*x(3)) + max(q*x(1), r*x(3))*x(2)
end subroutine rays

! The argument has changed since the root was computed, or the root has.
subroutine overwritten(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y(2)
  real(8) :: r
  r = sqrt(x(1) + x(2))
  x(1) = 2*x(1)
  y(1) = y(1)*sqrt(x(1) + x(2)) + r
  r = r*x(3)
  y(2) = y(2)*sqrt(x(1) + x(2)) + r/x(3)
end subroutine overwritten

! Two elements may be one.
subroutine elements(i, j, x, y)
  implicit none
  integer, intent(in) :: i, j
  real(8), intent(inout) :: x(3), y(2)
  real(8) :: a, b
  a = x(i)/x(3)
  x(j) = x(2)*x(j)
  b = x(i)/x(3)
  y(1) = y(1)*a + y(2)*b*x(i)/x(3)
end subroutine elements

! Memory that a pointer leads to changes where another name is written.
subroutine behind(p, x, y)
  implicit none
  real(8), intent(inout), target :: p
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  real(8), pointer :: q
  q => p
  y(1) = y(1)*exp(q*x(1))
  p = p*x(2)
  y(2) = y(2)*exp(q*x(1))
end subroutine behind

! What one arm computes is not there behind the arms.
subroutine arms(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  real(8) :: r
  r = 1
  if (x(1) > 1) then
    r = exp(x(2)*x(3))
    y(1) = y(1)*r
  end if
  y(2) = y(2)*r*exp(x(2)*x(3))
end subroutine arms

! A procedure may change what it is given, and variables of its host.
subroutine called(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(2)
  real(8) :: a, b
  a = x(1)*x(2)
  b = x(2)
  y(1) = y(1)*sin(a*b)
  call inner(b)
  y(2) = y(2)*sin(a*b)
contains
  subroutine inner(c)
    real(8), intent(inout) :: c
    c = c*x(3)
    a = a + c
  end subroutine inner
end subroutine called

! What a loop has computed for all elements is read by another loop over them.
subroutine loops(n, t, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(4)
  real(8), intent(inout) :: y(4)
  real(8) :: r(4), d(4), a(5), z(4)
  integer :: i
  do i = 1, n
    r(i) = exp(-t(i))
  end do
  a(n + 1) = 1
  do i = n, 1, -1
    ! The next element is complete.
    d(i) = 1/(1 + a(i + 1)*r(i))
    a(i) = r(i) + a(i + 1)*d(i)*r(i)
  end do
  z = y
  do i = 2, n
    ! The element before is overwritten by the iteration that read it, the next one later.
    z(i) = exp(z(i - 1))/t(i)
  end do
  do i = 1, n
    y(i) = y(i)*r(i) + a(i)*d(i)*z(i)
  end do
end subroutine loops
