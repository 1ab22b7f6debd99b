! why q@21
! why q@24
! call flow n=3 s=[0.25,0.5,-0.125] q=0.0 c=0.0
! call kept x=0.5 y=0.25 w=2.0
! call twice x=0.5 y=2.0
! call elements n=4 a=[1.0,2.0,3.0,4.0] k=2
! call not_alone x=0.5 w=0.75
subroutine flow(n, s, q, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: s(n)
  real(8), intent(inout) :: q, c
  integer :: i, it
  c = 0
  do it = 1, 2
    q = 0
    do i = 1, n
      q = q + s(i)
    end do
    ! The value that tanh gives tells its derivative.
    q = tanh(q)
    c = c + q
    ! So it is this that overwrites a value that is required.
    q = 2*q
    c = c + q*q
  end do
end subroutine flow

! Others need what is overwritten.
subroutine kept(x, y, w)
  implicit none
  real(8), intent(inout) :: x, y, w
  y = x*x
  x = exp(x + w)
  w = sqrt(w)
  w = 3*w
end subroutine kept

! A quotient, and two in a row.
subroutine twice(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  x = x/y
  x = exp(x)
  x = tanh(x)
end subroutine twice

subroutine elements(n, a, k)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 1, n
    a(i) = sqrt(a(i))
  end do
  a(k) = exp(a(k + 1))
  a = tanh(a)
end subroutine elements

! The factor reads what is overwritten, too.
subroutine not_alone(x, w)
  implicit none
  real(8), intent(inout) :: x, w
  x = exp(x*w)
  w = x*w
end subroutine not_alone
