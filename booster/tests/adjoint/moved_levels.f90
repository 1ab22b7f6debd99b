! call wave n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call inside n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! Time levels that change places by MOVE_ALLOC: what is overwritten is the level before the last one,
! whose value the backward sweep moves back to where it was read.
module waves
  implicit none
  type :: field
    real(8), allocatable :: now(:), old(:), next(:)
  end type
contains
  subroutine swap(f)
    type(field), intent(inout) :: f
    real(8), allocatable :: t(:)
    call move_alloc(f%old, t)
    call move_alloc(f%now, f%old)
    call move_alloc(f%next, f%now)
    call move_alloc(t, f%next)
  end subroutine

  subroutine advance(f, c)
    type(field), intent(inout) :: f
    real(8), intent(in) :: c(:)
    integer :: i, n
    n = size(c)
    f%next(1) = 0
    f%next(n) = f%now(n - 1)
    do i = 2, n - 1
      f%next(i) = 2*f%now(i) - f%old(i) + c(i)**2*(f%now(i + 1) - 2*f%now(i) + f%now(i - 1))
    end do
    call swap(f)
  end subroutine

  real(8) function energy(f)
    type(field), intent(in) :: f
    energy = 0.5d0*sum((f%now - f%old)**2) + sum(f%now*f%old)
  end function
end module

subroutine wave(n, x, y)
  use waves
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(field) :: f
  integer :: k
  f%now = x
  f%old = x**2
  allocate(f%next(n))
  do k = 1, 4
    call advance(f, x(n:1:-1))
    y = y + k*energy(f)
  end do
end subroutine

subroutine inside(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable :: now(:), old(:), next(:), t(:)
  integer :: k
  allocate(now(n), old(n), next(n))
  now = x
  old = x**2
  do k = 1, 5
    next = 2*now - old*cshift(now, 1)
    if (k == 3) next(2) = next(2)*y
    call move_alloc(old, t)
    call move_alloc(now, old)
    call move_alloc(next, now)
    call move_alloc(t, next)
    y = y + sum(now*old)*k
  end do
end subroutine
