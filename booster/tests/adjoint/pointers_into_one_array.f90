! call p x=[0.7,0.4,1.2] y=0.3
module views
  implicit none
  real(8), pointer :: first => null(), second => null()
  real(8), target, save :: state(2) = 0
  real(8), save :: old(2) = 0
  type :: model
    real(8), pointer :: head => null(), tail => null()
    real(8) :: all(2) = 0
  end type model
  type(model), target, save :: now
contains
  ! Reads the whole, overwrites it by its parts.
  subroutine step
    old = state
    first = old(1)*old(2)
    second = old(2) + old(1)
  end subroutine step

  subroutine advance
    old = now%all
    now%head = old(1)*old(2)
    now%tail = sin(old(2)) + old(1)
  end subroutine advance
end module views

subroutine p(x, y)
  use views
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  integer :: i
  first => state(1)
  second => state(2)
  now%head => now%all(1)
  now%tail => now%all(2)
  state = x(1:2)
  now%head = x(3)
  now%tail = y
  do i = 1, 2
    call step
    call advance
  end do
  y = state(1) + state(2)*first
  x(1) = now%all(1) + now%tail**2
  call finish
contains
  ! Local names of parts.
  subroutine finish
    real(8), pointer :: part
    real(8), target :: a(2)
    integer :: k
    a = x(1:2)
    part => a(1)
    do k = 1, 2
      y = y*sin(a(1)*a(2))
      part = part*y
    end do
    x(2) = a(1)
  end subroutine finish
end subroutine p
