! A function that changes what has a derivative is called in a statement of its own, under the
! conditions under which the program calls it.
module state
  implicit none
  real :: total = 0.0
contains
  ! Changes the state.
  logical function more(x)
    real, intent(in) :: x
    total = total + x
    more = total < 10.0
  end function more

  integer function choice(x)
    real, intent(in) :: x
    total = total + x
    choice = nint(total)
  end function choice

  ! Changes nothing: what it says cannot have a derivative.
  logical function positive(x)
    real, intent(in) :: x
    positive = x > 0.0
  end function positive

  subroutine conditions(x, y)
    real, intent(inout) :: x, y
    integer :: i
    real :: a(4)
    if (positive(x) .and. more(x)) y = y + x
    if (x < 0.0 .or. more(2.0*x)) then
      y = 2.0*y
    else if (.not. more(x)) then
      y = y - total
    else
      y = 0.0
    end if
    if (x < 0.0) then
      y = 3.0
    else if (more(y)) then
      y = 4.0
    end if
    select case (choice(x))
    case (1:3)
      y = y + 1.0
    case default
      y = y - 1.0
    end select
    do i = 1, choice(0.5)
      y = y + real(i)
    end do
    total = 0.0
    do while (more(x))
      if (y > 40.0) cycle
      y = y + total
    end do
    rounds: do while (positive(y) .and. more(x))
      y = y - 1.0
      if (y < 2.0) exit rounds
    end do rounds
    a = 0.0
    a(modulo(choice(x), 4) + 1) = y
    y = sum(a)
    print *, more(0.5), positive(x)
  end subroutine conditions
end module state

program main
  use state
  implicit none
  real :: x = 0.75, y = 2.0
  call conditions(x, y)
  print '(3es16.8)', x, y, total
end program main
