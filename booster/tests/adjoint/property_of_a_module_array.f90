! call p x=[0.7,1.3,0.4] y=[0,0]
! The extent of a module array is asked for by callees and conditions, and changed by a call without an adjoint.
module property_of_a_module_array
  implicit none
  real(8), allocatable :: w(:)
contains
  subroutine widen(k)
    integer, intent(in) :: k
    if (allocated(w)) deallocate (w)
    allocate (w(k))
    w = k
  end subroutine
  subroutine use_it(u)
    real(8), intent(inout) :: u
    u = sin(u)*size(w)
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    real(8) :: u
    integer :: i
    u = x(1)
    do i = 1, 3
      call widen(i)
      call use_it(u)
      if (ubound(w, 1) > 1) u = u*x(2)
    end do
    y = [u, u*x(3)]
  end subroutine
end module property_of_a_module_array
