! What is put back goes where the call has begun.
module moving
  implicit none
  type row
    real(8), allocatable :: a(:)
    real(8) :: f(3) = 0.5d0
  end type row
contains
  subroutine step(x, a, k)
    real(8), intent(in) :: x
    real(8), intent(inout) :: a(:)
    integer, intent(inout) :: k
    k = k + 1
    a = a*x + k
  end subroutine step
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(row) :: r(3)
    integer :: k, at(2)
    k = 1
    allocate (r(1)%a(4), r(2)%a(4))
    r(1)%a = x(1)
    r(2)%a = x(2)
    call step(x(3), r(k)%a(k:k + 2), k)
    call step(x(1), r(k)%a, k)
    call step(x(2), r(k)%f, k)
    at = [1, 3]
    call step(x(1), r(at(1))%f(at(1):at(2)), at(2))
    call within(r(at(1))%a(at(1):))
    y = sum(r(1)%a**2) + sum(r(2)%a**2) + k*at(2)
    do k = 1, 3
      y = y + k*sum(r(k)%f**2)
    end do
  contains
    subroutine within(a)
      real(8), intent(inout) :: a(:)
      at = 2
      a = a*x(1)
    end subroutine within
  end subroutine p
end module moving
