! call grown n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! What is passed to a procedure that is not known may be overwritten, so it is recorded, and so is the
! shape of what takes the result: they are taken back in the opposite order.
module applied
  implicit none
contains
  subroutine apply(f, u, y)
    interface
      function f(u) result(r)
        real(8), intent(in) :: u(:)
        real(8) :: r(size(u))
      end function
    end interface
    real(8), intent(in) :: u(:)
    real(8), intent(inout) :: y
    real(8), allocatable :: r(:), v(:)
    integer :: i
    v = u
    do i = 1, 3
      r = f(v(:i + 1))
      v(:i + 1) = v(:i + 1) + r
      y = y + sum(r)
    end do
    y = y*sum(v)
  end subroutine

  function cubes(u) result(r)
    real(8), intent(in) :: u(:)
    real(8) :: r(size(u))
    r = u**3
  end function
end module

subroutine grown(n, x, y)
  use applied
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  call apply(cubes, x, y)
end subroutine
