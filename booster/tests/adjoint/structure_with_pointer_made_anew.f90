! call drive x=[0.5,1.5] y=0.0
! `add` assigns the whole structure, with what its pointer is associated with.
module meters
  implicit none
  type meter
    real(8) :: total = 0
    real(8), pointer :: unit => null()
  end type meter
contains
  subroutine add(m, x)
    type(meter), intent(inout) :: m
    real(8), intent(in) :: x
    type(meter) :: old
    old = m
    m = meter(sin(old%total)*x + x**2, old%unit)
    call scale_it(m%total)
  end subroutine add

  subroutine scale_it(t)
    real(8), intent(inout) :: t
    t = t*exp(-t)
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
