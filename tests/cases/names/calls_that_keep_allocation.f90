! Calls overwrite the values of allocatable components and leave their allocation; statements between the calls
! change it, with new bounds, of components that have a derivative and of others.
module lists
  implicit none
  type :: list
    integer, allocatable :: place(:)
    real(8), allocatable :: w(:), unused(:)
  end type
  type :: book
    type(list), allocatable :: pages(:)
    real(8) :: weight = 1
  end type
contains
  subroutine turn(c, x)
    type(list), intent(inout) :: c
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = lbound(c%place, 1), ubound(c%place, 1)
      c%place(i) = mod(c%place(i), 4) + 1
      c%w(i + 1) = c%w(i + 1)*x(c%place(i))
      x(c%place(i)) = x(c%place(i))*c%w(i + 1)
    end do
  end subroutine
  subroutine turn_all(b, x)
    type(book), intent(inout) :: b
    real(8), intent(inout) :: x(:)
    integer :: k
    do k = 1, size(b%pages)
      call turn(b%pages(k), x)
      b%weight = b%weight*x(k)
    end do
  end subroutine
  ! This one allocates.
  subroutine add(c, x)
    type(list), intent(inout) :: c
    real(8), intent(in) :: x
    c%place = [c%place, 3]
    c%w = [c%w, x]
  end subroutine
end module

subroutine p(x, y)
  use lists
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  type(list) :: c
  type(book) :: b
  integer :: k
  c%place = [1, 2]
  c%w = [1d0, 2d0, 0.5d0]
  do k = 1, 3
    call turn(c, x)
    c%place = [c%place, k, 3]
    c%w = [c%w, x(k), 2d0]
    call add(c, x(k))
  end do
  allocate (b%pages(2))
  b%pages(1) = c
  b%pages(2)%place = [2, 1]
  b%pages(2)%w = [x(1), x(2), 1d0]
  call turn_all(b, x)
  b%pages(2) = b%pages(1)
  call turn_all(b, x)
  call add(b%pages(2), x(2))
  call turn_all(b, x)
  deallocate (c%place)
  allocate (c%place(0:2))
  c%place = 2
  c%place(1) = 3
  call turn(c, x)
  y = sum(c%w) + sum(x) + sum(b%pages(2)%w)*b%weight
end subroutine
