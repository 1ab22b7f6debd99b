! before everything

! a module
module remarks

  ! before implicit
  implicit none   ! after implicit

  private  ! nothing is seen

  ! before a type
  type, public :: item   ! the type
    ! inside the type
    integer :: a = 1     ! first component

    integer :: b = 2
    ! after the last component
  end type item  ! after the type

  public :: work

contains   ! after contains

  ! before a procedure
  subroutine work(x)  ! the procedure

    ! before the argument
    type(item), intent(inout) :: x   ! the argument

    ! before the first statement
    if (x%a > 0) then   ! a condition
      ! first in the block

      x%b = x%a + &     ! continued
            3           ! last part
      ! last in the block
    else  ! otherwise
      x%b = 0
    end if  ! the end

    ! before end
  end subroutine work
  ! after the procedure

end module remarks
! between units

program main
  use remarks  ! why
  implicit none
  type(item) :: x

  call work(x)

  print *, x
end program main

! after everything
