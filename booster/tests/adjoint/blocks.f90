! call anew n=3 x=[1,2,3] y=[0.5,1.5,2.5]
! call left n=4 x=[1,2,3,4] y=2
! call named n=3 x=[0.5,1,1.5] y=1
module blocks
  implicit none
  type :: item
    real(8) :: a = 2.0d0
    real(8) :: b
    integer :: many = 0
  end type item
  type :: list
    real(8), allocatable :: v(:)
    real(8) :: s = 0
  end type list
contains
  ! What belongs to a BLOCK comes into being each time, with its bounds and defaults.
  subroutine anew(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      block
        integer, parameter :: two = 2
        real(8) :: part(0:i), twice(two)
        real(8), allocatable :: copy(:)
        type(item) :: one
        type(list) :: some, more(two)
        part(0) = 1
        part(1:) = x(:i)*y(i)
        part = part*part
        twice = part(i)*x(i)
        if (.not. allocated(copy)) copy = part*x(i)
        one%b = one%a*x(i)*y(i)
        one%a = one%a*one%b
        one%many = one%many + i
        if (.not. allocated(some%v)) allocate (some%v(i), source=x(:i))
        some%s = some%s + sum(some%v*y(:i))
        more(1)%s = more(1)%s + some%s*one%many
        allocate (more(2)%v, source=copy)
        y(i) = sum(copy)*one%a + more(1)%s*x(i) + twice(2) + more(2)%v(2)
      end block
    end do
  end subroutine anew

  ! A BLOCK that is left in several ways.
  subroutine left(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, n
      outer: block
        real(8), allocatable :: part(:)
        if (i == 2) cycle
        part = x(:i)*y
        if (i == 3) exit outer
        y = y + sum(part)
        if (y > 1.0d6) return
      end block outer
      y = y*1.5d0
    end do
  end subroutine left

  ! Within each other, under the same names, with a type of its own.
  subroutine named(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y
    real(8) :: t
    t = x(1)
    block
      type :: pair
        real(8) :: a, b
      end type pair
      type(pair) :: t
      t%a = x(2)*y
      t%b = t%a**2
      block
        real(8) :: t(n)
        real(8), target :: there
        real(8), pointer :: p
        there = y
        p => there
        p = p*x(3)
        t = x*there
        y = product(t)
      end block
      y = y + t%b*t%a
    end block
    y = y*t
  end subroutine named
end module blocks
