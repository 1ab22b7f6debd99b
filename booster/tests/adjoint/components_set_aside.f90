! call drive x=[0.7,1.3,0.9] y=0.5
! The components of some structures of an array are set aside in parentheses: gfortran 12 breaks off
! without.
module components_aside
  implicit none
  type item
    real(8) :: e = 0
  end type
contains
  subroutine drive(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(item), allocatable :: v(:)
    allocate (v(3))
    v%e = x
    v(1:2)%e = v(2:3)%e*v(1:2)%e
    y = sum(v%e)
  end subroutine
end module
