! call top n=3 x=[0.5,1.5,-0.75] y=0
! call top n=0 x=[] y=0
! call fixed n=2 x=[0.5,-1.25] y=1
! What is called through dummy procedures keeps numbers between calls: by interface bodies, abstract
! interfaces, EXTERNAL and interfaces of procedures; passed on; functions; in loops without rounds; optional.
module kinds
  implicit none
  abstract interface
    subroutine step(a)
      real(8), intent(inout) :: a
    end subroutine step
    function rate(a) result(r)
      real(8), intent(in) :: a
      real(8) :: r
    end function rate
  end interface
  real(8) :: g = 1.0d0
contains
  subroutine grows(a)
    real(8), intent(inout) :: a
    real(8), save :: kept = 0.5d0
    a = sin(a*g) + kept
    kept = cos(kept)
    g = sin(g*a)
  end subroutine grows
  subroutine shrinks(a)
    real(8), intent(inout) :: a
    a = sin(a)*g
    g = cos(g + a*a)
  end subroutine shrinks
  function speed(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = sin(a)*g
    g = g*0.5d0 + a
  end function speed
  subroutine apply(s, a)
    procedure(step) :: s
    real(8), intent(inout) :: a
    call s(a)
    a = a*cos(g)
    call s(a)
  end subroutine apply
  subroutine model(s, a)
    procedure(grows) :: s
    real(8), intent(inout) :: a
    a = a**2
    call s(a)
  end subroutine model
  subroutine both(n, s, f, a)
    integer, intent(in) :: n
    procedure(step), optional :: s
    procedure(rate) :: f
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = 1, n
      if (present(s)) call apply(s, a(i))
      a(i) = a(i)*f(a(i)) + a(i)
    end do
  end subroutine both
end module kinds

subroutine plain(s, a)
  implicit none
  external s
  real(8), intent(inout) :: a
  call s(a)
  a = a*a
end subroutine plain

subroutine alone(a)
  implicit none
  real(8), intent(inout) :: a
  real(8), save :: kept = 2.0d0
  a = a*kept
  kept = sin(kept*a)
end subroutine alone

subroutine top(n, x, y)
  use kinds
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  external alone
  y = 1
  g = 1.25d0
  call both(n, grows, speed, x)
  call both(n, shrinks, speed, x)
  call both(n, f=speed, a=x)
  do i = 1, n
    call model(grows, x(i))
    call plain(alone, x(i))
    y = y + x(i)*g
  end do
end subroutine top

subroutine fixed(n, x, y)
  use kinds
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  g = y
  call apply(shrinks, y)
  y = y*g
  call shrinks(y)
  call both(n, shrinks, speed, x)
  call both(n, f=speed, a=x)
  y = y*g + sum(x)
end subroutine fixed
