! call drive x=[0.5,1.5] y=0.0
! What these calls change has no name here if the object is of the extended type: they are split.
module meters
  implicit none
  type meter
    real(8) :: total = 0
  contains
    procedure :: add => add_total
  end type meter
  type, extends(meter) :: counter
    real(8) :: extra = 1
  contains
    procedure :: add => add_extra
  end type counter
contains
  subroutine add_total(m, x)
    class(meter), intent(inout) :: m
    real(8), intent(in) :: x
    m%total = m%total*x + x**2
    call scale_it(m%total)
  end subroutine add_total

  subroutine add_extra(m, x)
    class(counter), intent(inout) :: m
    real(8), intent(in) :: x
    m%extra = m%extra*x
    m%total = m%total*x + m%extra
    call scale_it(m%total)
  end subroutine add_extra

  subroutine scale_it(t)
    real(8), intent(inout) :: t
    t = sin(t)
  end subroutine scale_it

  subroutine add_all(m, x)
    class(meter), intent(inout) :: m
    real(8), intent(in) :: x(2)
    call m%add(x(1))
    call m%add(x(2))
  end subroutine add_all
end module meters

subroutine drive(x, y)
  use meters
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(counter) :: m
  call add_all(m, x)
  y = m%total
end subroutine drive
