! call top n=3 x=[0.5,1.5,-0.75] y=0
! call top n=0 x=[] y=0
! call chosen n=4 x=[0.5,1.5,-0.75,0.25] y=0
! call kept n=3 x=[0.5,1.25,0.75] y=0
! Variables that point to procedures: local ones, of a module, to one another, to dummy procedures; passed
! on; associated anew in loops, by a callee, by an internal procedure; what they point to keeps a number.
module laws
  implicit none
  abstract interface
    function law(a) result(r)
      real(8), intent(in) :: a
      real(8) :: r
    end function law
    subroutine step(a)
      real(8), intent(inout) :: a
    end subroutine step
  end interface
  procedure(law), pointer :: current => null()
  real(8) :: g = 1.0d0
contains
  function square(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = a*a
  end function square
  function wave(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = sin(a)
  end function wave
  subroutine grows(a)
    real(8), intent(inout) :: a
    a = sin(a*g) + a
    g = g + a*a
  end subroutine grows
  subroutine shrinks(a)
    real(8), intent(inout) :: a
    a = a*cos(g)
    g = cos(g)
  end subroutine shrinks
  subroutine choose(k)
    integer, intent(in) :: k
    if (mod(k, 2) == 0) then
      current => square
    else
      current => wave
    end if
  end subroutine choose
  function twice(f, a) result(r)
    procedure(law) :: f
    real(8), intent(in) :: a
    real(8) :: r
    procedure(law), pointer :: q
    q => f
    r = q(f(a))
  end function twice
end module laws

subroutine top(n, x, y)
  use laws
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  procedure(law), pointer :: p, q
  integer :: i
  p => square
  q => p
  y = 1
  do i = 1, n
    x(i) = p(x(i)) + q(x(i))*y
    if (x(i) > 1) then
      p => wave
    else
      q => p
    end if
    y = y*p(x(i)) + x(i)
    if (i == 2) nullify (q)
    if (.not. associated(q)) q => wave
  end do
  y = y + twice(p, y) + twice(wave, y)
end subroutine top

subroutine chosen(n, x, y)
  use laws
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  y = 0.5d0
  do i = 1, n
    call choose(i)
    x(i) = current(x(i))
    y = y*current(x(i)) + y
    call inner(n - i)
    y = current(y) + 1
  end do
contains
  subroutine inner(k)
    integer, intent(in) :: k
    if (k > 2) current => square
    y = y + current(x(k + 1))
  end subroutine inner
end subroutine chosen

subroutine kept(n, x, y)
  use laws
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  procedure(step), pointer :: s
  integer :: i
  g = 0.75d0
  s => grows
  do i = 1, n
    call s(x(i))
    if (i == 1) s => shrinks
    call s(x(i))
    if (i == 2) s => grows
    x(i) = x(i)*g
  end do
  y = sum(x)*g
end subroutine kept
