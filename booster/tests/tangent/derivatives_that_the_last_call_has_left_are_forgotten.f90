! call p x=[1.5,0.5] y=0
! along x=[1,-0.5]
! What variables of modules hold as the head begins counts as a constant, also where they had
! a derivative in the end of the last call.
module left_derivatives
  implicit none
  real(8), save :: d(2) = [1d0, 2d0]
  real(8), allocatable, save :: w(:)
  real(8), save :: t = 0.75d0
contains
  subroutine grow(x)
    real(8), intent(in) :: x(2)
    t = t*x(1) + 0.5d0
    w = w*t
  end subroutine grow

  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    integer :: i
    if (.not. allocated(w)) then
      allocate(w(2))
      w = 0.5d0
    end if
    do i = 1, 2
      d = d*x
      call grow(x)
    end do
    y = sum(d) + w(1)*d(2)
  end subroutine p
end module left_derivatives
