! call f x=[0.7,1.3,0.4] y=0.5
! call g x=[0.7,1.3,0.4] y=0.5
! Arrays of structures of a module that a callee overwrites: what a caller records of them has no name but that of
! all of the structures where a component is an array, or has storage of its own.
module arrays_of_structures
  implicit none
  type :: point
    real(8) :: v = 0
    real(8) :: w(2) = 0
    integer :: count = 1
  end type point
  type :: cell
    real(8) :: v = 0
    type(point) :: p
    real(8), allocatable :: q(:)
  end type cell
  type(point) :: s(3)
  type(cell) :: c(3)
contains
  subroutine update(i, x)
    integer, intent(in) :: i
    real(8), intent(in) :: x
    s(i)%w = s(i)%w*x + s(i)%v
    s(i)%v = s(i)%v*sin(x) + sum(s(i)%w)
  end subroutine update

  subroutine shift(i, x)
    integer, intent(in) :: i
    real(8), intent(in) :: x
    if (allocated(c(i)%q)) c(i)%q = c(i)%q*x
    c(i)%p%w = c(i)%p%w*x + c(i)%v
    c(i)%v = c(i)%v*x*c(i)%p%w(2)
    c(i)%p%v = c(i)%p%v*c(i)%v
  end subroutine shift

  subroutine f(x, y)
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, 3
      s(i)%v = x(i)*y
      s(i)%w = x(i)*x(1)
    end do
    do i = 1, 3
      call update(i, x(i))
      s(i)%v = s(i)%v**2
      call update(i, x(i))
    end do
    y = sum(s%v)
  end subroutine f

  subroutine g(x, y)
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, 3
      if (allocated(c(i)%q)) deallocate (c(i)%q)
      if (i /= 2) then
        allocate (c(i)%q(2))
        c(i)%q = x(i)*y
      end if
      c(i)%v = x(i)*y
      c(i)%p%v = x(1)
      c(i)%p%w = x(i)*x(1)
    end do
    do i = 1, 3
      call shift(i, x(i))
      c(i)%v = c(i)%v**2
      call shift(i, x(i))
    end do
    y = sum(c%v) + sum(c%p%v)
    do i = 1, 3
      if (allocated(c(i)%q)) y = y + sum(c(i)%q**2)
    end do
  end subroutine g
end module arrays_of_structures
