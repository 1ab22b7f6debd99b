! call drive x=[0.5,1.5] y=0.0
! A joint call is given a structure and changes one component: only that is in the snapshot, so the
! pointer beside it does not matter.
module meters
  implicit none
  type meter
    real(8) :: total = 0
    real(8) :: history(100) = 0
    real(8), pointer :: last => null()
  end type meter
contains
  subroutine add(m, x)
    type(meter), intent(inout) :: m
    real(8), intent(in) :: x
    m%total = m%total*x + x**2
    call scale_it(m)
  end subroutine add

  subroutine scale_it(m)
    type(meter), intent(inout) :: m
    m%total = sin(m%total)
  end subroutine scale_it
end module meters

subroutine drive(x, y)
  use meters
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(meter) :: m
  call add(m, x(1))
  call add(m, x(2))
  y = m%total
end subroutine drive
