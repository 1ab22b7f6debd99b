module stacks
  implicit none
  private
  type, public :: stack
    private
    integer :: n = 0
    real :: data(10) = 0.0
  contains
    procedure :: push
    procedure :: pop => pop_value
    procedure, private :: add_stack, add_value
    generic :: add => add_stack, add_value
    generic :: operator(+) => plus
    procedure, nopass :: capacity
    procedure, pass(b) :: plus
  end type stack
contains
  subroutine push(self, x)
    class(stack), intent(inout) :: self
    real, intent(in) :: x
    self%n = self%n + 1
    self%data(self%n) = x
  end subroutine push
  function pop_value(self) result(x)
    class(stack), intent(inout) :: self
    real :: x
    x = self%data(self%n)
    self%n = self%n - 1
  end function pop_value
  subroutine add_stack(self, other)
    class(stack), intent(inout) :: self
    type(stack), intent(in) :: other
    integer :: i
    do i = 1, other%n
      call self%push(other%data(i))
    end do
  end subroutine add_stack
  subroutine add_value(self, x)
    class(stack), intent(inout) :: self
    real, intent(in) :: x
    self%data(1:self%n) = self%data(1:self%n) + x
  end subroutine add_value
  function plus(a, b) result(c)
    integer, intent(in) :: a
    class(stack), intent(in) :: b
    real :: c
    c = real(a) + b%data(b%n)
  end function plus
  integer function capacity()
    capacity = 10
  end function capacity
end module stacks

program bound
  use stacks
  implicit none
  type(stack) :: s, t
  call s%push(1.0)
  call s%push(2.5)
  call t%push(10.0)
  call s%add(t)
  call s%add(0.25)
  print *, 3 + s, s%capacity()
  print *, s%pop(), s%pop(), s%pop()
end program bound
