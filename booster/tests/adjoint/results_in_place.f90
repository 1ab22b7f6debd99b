! call model n=3 s=[0.25,0.5,-0.125] nt=3 c=0.0
! call concurrent n=3 a=[0.25,0.5,-0.125]
! call masked n=3 a=[0.25,0.5,-0.125]
! call named n=3 a=[0.25,0.5,-0.125]
! call parts x=0.5 z=2.0
! call scaled n=2 a=[0.25,0.5] b=[3.0,2.0] c=[1.0,2.0]
subroutine model(n, s, nt, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: s(n)
  real(8), intent(inout) :: c
  real(8) :: q
  integer :: i, it
  c = 0
  do it = 1, nt
    call flow(n, s, q)
    do i = 1, n
      s(i) = s(i) + 0.125d0*q*s(i)
    end do
    c = c + q
  end do
end subroutine model

subroutine flow(n, s, q)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: s(n)
  real(8), intent(out) :: q
  integer :: i
  q = 0
  do i = 1, n
    q = q + s(i)
  end do
  q = tanh(q)
end subroutine flow

! What FORALL and DO CONCURRENT become.
subroutine concurrent(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  forall (i = 1:n) a(i) = tanh(a(i))
  do concurrent (i = 1:n)
    a(i) = exp(a(i))
  end do
  do i = 1, n
    a(i) = 2*a(i)
  end do
end subroutine concurrent

subroutine masked(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  where (a > 0)
    a = sqrt(a)
  elsewhere
    a = exp(a)
  end where
  a = 3*a
end subroutine masked

subroutine named(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8), allocatable :: t(:)
  allocate (t(n))
  t = a
  associate (b => t, c => a(2:))
    b = exp(b)
    b(1) = tanh(b(1))
    c = exp(c)
  end associate
  a = a + 2*t
  t = 0
end subroutine named

subroutine parts(x, z)
  implicit none
  type :: pair
    real(8) :: u, v
  end type pair
  real(8), intent(inout) :: x, z
  type(pair) :: p
  p%u = x
  p%v = z
  p%u = exp(p%u)
  p%v = p%v/p%u
  x = x + p%u
  p%u = 0
  z = p%v
end subroutine parts

subroutine scaled(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n), c(n)
  real(8) :: w
  w = c(1)
  a = exp(w*a)
  w = b(1)
  b = b/c
  c = w*a
  a = 0
end subroutine scaled
