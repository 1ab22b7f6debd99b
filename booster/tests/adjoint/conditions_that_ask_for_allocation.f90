! call asked n=3 x=[1,2,3] y=[0.5,1.5,2.5]
module conditions_that_ask
  implicit none
contains
  ! What a condition asks for is another behind its arm.
  subroutine asked(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y(n)
    real(8), allocatable :: a(:), b(:), c(:)
    real(8), pointer :: p(:)
    integer :: i
    nullify (p)
    do i = 1, n
      if (.not. allocated(a)) a = x*y
      if (.not. allocated(b)) then
        allocate (b(n))
        b = y(i)*x
      end if
      if (.not. associated(p)) then
        allocate (p(n))
        p = x**2
      end if
      if (allocated(c)) then
        call move_alloc(c, b)
        b = b*x(i)
      else
        allocate (c(n), source=x*b)
      end if
      if (size(a) < n + 1) a = [a, b(i)*x(i)]
      y(i) = y(i)*sum(a)*sum(b) + p(i)
    end do
    deallocate (p)
  end subroutine asked
end module conditions_that_ask
