! call top n=3 x=[0.5,1.5,2] y=0.3
! call grids n=3 x=[0.5,1.5,2] y=0.3
! call chains x=[0.5,1.5,2] y=0.3
! The forward half of a call is given the adjoints of arguments that pointers come to point to.
module views
  implicit none
  real(8), pointer :: seen(:) => null()
  type grid
    real(8), pointer :: v(:) => null()
    integer :: n = 0
  end type grid
contains
  subroutine see(x)
    real(8), intent(inout), target :: x(:)
    seen => x
    x(1) = x(1)*x(2)
  end subroutine see

  subroutine choose(p, x, y, k)
    real(8), pointer :: p(:)
    real(8), intent(inout), target :: x(:), y
    integer, intent(in) :: k
    real(8), pointer :: q
    q => y
    if (k > 1) then
      p => x(k:)
      q => p(1)
    end if
    q = q*p(1)
  end subroutine choose

  ! Local variables of a procedure in two halves, and what it has been given itself.
  subroutine between(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout), target :: x(n)
    real(8), intent(inout) :: y
    real(8), target :: a(n)
    real(8), pointer :: p(:)
    a = x*y
    p => a
    call choose(p, a, y, 2)
    y = y + p(1)*a(1)
    call choose(p, x, a(2), n)
    x(1) = x(1) + p(1)*a(2)*y
  end subroutine between

  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout), target :: x(n)
    real(8), intent(inout) :: y
    real(8), pointer :: p(:)
    integer :: i
    call see(x)
    y = y*seen(1)
    do i = 1, 2
      p => x
      call choose(p, x, y, i)
      seen(2) = seen(2)*p(1)
      !$oxad nocheckpoint
      call between(n, x, y)
    end do
  end subroutine top

  subroutine make(g, n)
    type(grid), intent(inout) :: g
    integer, intent(in) :: n
    allocate(g%v(n))
    g%n = n
    g%v = 0.5d0
  end subroutine make

  subroutine drop(g)
    type(grid), intent(inout) :: g
    deallocate(g%v)
    g%n = 0
  end subroutine drop

  subroutine grids(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    type(grid) :: g, h
    call make(g, n)
    g%v = x*y
    call make(h, 2)
    h%v = h%v*g%v(2:3)
    y = y + sum(g%v*g%v)*h%v(1)
    call drop(g)
    g%v => h%v(2:)
    g%v = g%v*y
    x(1:2) = h%v*x(3)
    call drop(h)
  end subroutine grids
end module views

! An interface describes what it calls.
subroutine hold(p, x)
  implicit none
  real(8), pointer :: p
  real(8), intent(inout), target :: x
  p => x
  x = x*x
end subroutine hold

subroutine chains(x, y)
  implicit none
  real(8), intent(inout), target :: x(3), y
  interface
    subroutine hold(p, x)
      real(8), pointer :: p
      real(8), intent(inout), target :: x
    end subroutine hold
  end interface
  real(8), pointer :: p
  call hold(p, x(2))
  p = p*y
  call hold(p, y)
  x(1) = p*x(2)
end subroutine chains
