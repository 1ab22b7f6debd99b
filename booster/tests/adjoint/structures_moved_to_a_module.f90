! call drive n=2 x=[0.7,1.3] y=0.5
! A structure that MOVE_ALLOC gives to a module variable, which was not there before: it is recorded as a
! whole, and what is moved not at all.
module switched
  implicit none
  type :: t
    real(8) :: v = 1
  end type
  type, extends(t) :: t2
    real(8) :: w = 1
  end type
  type(t), allocatable, save :: cur
contains
  subroutine switch(k)
    integer, intent(in) :: k
    type(t), allocatable :: new
    if (k == 1) then
      allocate (new)
    else
      allocate (new)
      new%v = cur%v*2
    end if
    call move_alloc(new, cur)
  end subroutine
  subroutine drive(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: k
    y = 1
    do k = 1, 2
      call switch(k)
      cur%v = cur%v*x(k)
      y = y + cur%v**2
    end do
  end subroutine
end module
