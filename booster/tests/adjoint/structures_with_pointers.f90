! call drive x=[0.5,1.5] y=0.0
! Structures with pointers are assigned as wholes, and made by constructors: component by component.
module meters
  implicit none
  type limits
    integer :: rounds = 2
    real(8), pointer :: weight => null()
  end type limits
  type meter
    real(8) :: total = 0
    real(8) :: history(2) = 1
    type(limits) :: inside
    real(8), pointer :: unit => null()
  end type meter
  real(8), target :: units(2) = [2.0d0, 3.0d0]
contains
  subroutine add(m, x, k)
    type(meter), intent(inout) :: m
    real(8), intent(in) :: x
    integer, intent(in) :: k
    type(meter) :: old, saved
    real(8), target :: own
    own = x*x
    old = m
    saved = old
    old%unit => units(k)
    old%inside%weight => own
    old%total = sin(old%total)*x + old%inside%weight*old%unit
    old%history(k) = old%total*old%history(k)
    units(k) = old%total + saved%total*units(k)
    nullify (old%inside%weight)
    saved = old
    m = meter(saved%total*x, saved%history*units(k), limits(k, null()), units(3 - k))
    m%total = m%total*m%unit
  end subroutine add
end module meters

subroutine drive(x, y)
  use meters
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(meter) :: m, all(2)
  integer :: k
  units = x
  do k = 1, 2
    call add(m, x(k), k)
    all(k) = m
    m%total = m%total**2
  end do
  m = all(1)
  y = m%total*m%unit + sum(all(2)%history)*all(2)%total
end subroutine drive
