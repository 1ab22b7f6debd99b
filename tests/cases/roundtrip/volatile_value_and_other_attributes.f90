module attributes
  implicit none
  integer, volatile :: flag = 0
  real, asynchronous :: buffer(4) = 1.0
  type :: holder
    sequence
    integer :: a = 1
    real :: b = 2.0
  end type holder
contains
  subroutine by_value(n, m)
    integer, value :: n
    integer, intent(out) :: m
    n = n*2
    m = n
  end subroutine by_value
  subroutine targets(x)
    real, intent(inout), target :: x(:)
    real, pointer, contiguous :: p(:)
    save :: i
    integer :: i
    i = 1
    p => x
    p(i) = 0.0
  end subroutine targets
end module attributes

program attribute_list
  use attributes
  implicit none
  integer, target, save :: n = 4
  integer :: m
  type(holder) :: h
  call by_value(n, m)
  call targets(buffer)
  flag = flag + 1
  print *, n, m, flag, buffer, h
end program attribute_list
