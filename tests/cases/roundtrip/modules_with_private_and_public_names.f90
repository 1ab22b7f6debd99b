module counter
  implicit none
  private
  integer, save :: state = 10
  integer, parameter, public :: step = 3
  integer, protected, public :: peek = 0
  public :: advance, reset
contains
  subroutine advance(n)
    integer, intent(in) :: n
    state = state + helper(n)
    peek = state
  end subroutine advance
  subroutine reset
    state = 0
    peek = 0
  end subroutine reset
  integer function helper(n)
    integer, intent(in) :: n
    helper = n*step
  end function helper
end module counter

program visibility
  use counter
  implicit none
  integer :: helper
  helper = 2
  call advance(helper)
  print *, peek, step
  call reset()
  call advance(1)
  print *, peek
end program visibility
