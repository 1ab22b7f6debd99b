! call p x=[1.5,0.5] y=0
! What holds anything has a type that only the program's run tells: its allocation is not recorded.
module holds_anything
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    class(*), allocatable :: any
    integer :: i
    y = x(1)
    do i = 1, 2
      if (allocated(any)) deallocate(any)
      if (i == 1) then
        allocate(any, source=3)
      else
        allocate(any, source='abc')
      end if
      select type (any)
      type is (integer)
        y = y*x(2)*any
      type is (character(len=*))
        y = y*x(1)*len(any)
      end select
    end do
  end subroutine p
end module holds_anything
