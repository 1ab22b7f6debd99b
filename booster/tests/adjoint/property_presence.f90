! call p x=[0.7,1.3,0.4] y=[0,0]
! An actual argument that is not allocated is not present.
module property_presence
  implicit none
contains
  subroutine give(b, n)
    real(8), allocatable, intent(out) :: b(:)
    integer, intent(in) :: n
    if (n > 0) allocate (b(n))
    if (n > 0) b = n
  end subroutine
  subroutine opt(u, w)
    real(8), intent(inout) :: u
    real(8), intent(in), optional :: w(:)
    if (present(w)) then
      u = sin(u)*sum(w)
    else
      u = u*u
    end if
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    real(8), allocatable :: b(:)
    real(8) :: u
    integer :: i
    u = x(1)
    do i = 0, 3
      call give(b, mod(i, 2))
      call opt(u, b)
      u = u*x(2)
    end do
    y = u + x(3)
  end subroutine
end module property_presence
