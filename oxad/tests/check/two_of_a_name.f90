module left
  implicit none
contains
  subroutine part(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y*sin(x)
  end subroutine part
end module left

module right
  implicit none
contains
  subroutine part(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y*x + x*x
  end subroutine part
end module right

module together
  use left, only: left_part => part
  use right, only: right_part => part
  implicit none
contains
  subroutine all(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    !$oxad independent(x, x)
    !$oxad independent(x)
    !$oxad dependent(y, Y)
    y = x
    call left_part(x, y)
    call right_part(x, y)
    call left_part(x, y)
  end subroutine all
end module together
