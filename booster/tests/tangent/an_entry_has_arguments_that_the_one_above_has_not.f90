! call head x=[0.7,1.3] y=0.5
! Control comes along from above: what only the entry has is named where control never goes.
module arguments_of_entries
  implicit none
contains
  subroutine one(s)
    real(8), intent(inout) :: s
    real(8), intent(in) :: a, v(2)
    s = s*s
  entry two(a, s, v)
    s = 3*s
  end subroutine one
  subroutine head(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    call one(y)
    call two(x(1), y, x)
  end subroutine head
end module arguments_of_entries
