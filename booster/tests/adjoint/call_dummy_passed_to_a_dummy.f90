! call top n=3 x=[0.5,1.5,-0.75] c=0.25 y=0
! call top n=0 x=[] c=1.5 y=0
! A dummy procedure is passed to a dummy procedure, which calls it there alone; what it reads and changes
! stands in a block that its callers do not name. One that is passed is never called.
subroutine top(n, x, c, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), c
  real(8), intent(out) :: y
  integer :: i
  real(8) :: rate, last
  common /rates/ rate, last
  external grows, slope, forward, backward
  rate = c
  last = 1
  do i = 1, n
    call drive(grows, slope, forward, x(i))
    call drive(grows, slope, backward, x(i))
  end do
  y = sum(x)*rate + last
end subroutine top
subroutine drive(f, jac, step, a)
  implicit none
  external f, jac, step
  real(8) :: a
  call advance(f, jac, step, a)
  a = a*a
end subroutine drive
subroutine advance(f, jac, step, a)
  implicit none
  external f, jac, step
  real(8) :: a
  call step(f, jac, a)
end subroutine advance
subroutine forward(f, jac, a)
  implicit none
  external f, jac
  real(8) :: a, b
  call f(a, b)
  a = a + 0.5d0*b
end subroutine forward
subroutine backward(f, jac, a)
  implicit none
  external f, jac
  real(8) :: a, b, d
  call f(a, b)
  call jac(a, d)
  a = a + b/(1 - 0.5d0*d)
end subroutine backward
subroutine grows(a, b)
  implicit none
  real(8) :: a, b
  real(8) :: rate, last
  common /rates/ rate, last
  b = -rate*a*a + cos(last)
  last = last*a + b
end subroutine grows
subroutine slope(a, d)
  implicit none
  real(8) :: a, d
  real(8) :: rate, last
  common /rates/ rate, last
  d = -2*rate*a
  last = sin(last)
end subroutine slope
