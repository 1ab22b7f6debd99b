! call head x=[0.7,1.3,0.9,0.4,1.1] y=0.5
! A function that counts says which object a passive procedure is bound to, which it changes.
module passed_by_state
  implicit none
  integer :: c = 0
  type :: t
    real(8) :: v(3) = 1
    integer :: n = 0
  contains
    procedure :: rd
    procedure :: bump
  end type
contains
  real(8) function rd(s)
    class(t), intent(inout) :: s
    s%n = s%n + 1
    rd = s%v(s%n)
  end function
  subroutine bump(s)
    class(t), intent(inout) :: s
    s%n = mod(s%n, 2) + 1
  end subroutine
  integer function pk()
    c = mod(c, 2) + 1
    pk = c
  end function
  subroutine head(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(inout) :: y
    type(t) :: z(2)
    c = 0
    z(1)%v = x(1:3)
    z(2)%v = x(3:5)
    if (z(pk())%rd() > 10) z(1)%v(1) = 0
    y = y*z(c)%v(2)*z(1)%v(z(1)%n + 1)
    call z(pk())%bump()
    y = y + z(c)%v(z(c)%n)*y*z(1)%v(z(1)%n + 1)
    z(c)%v = z(c)%v*y
    call z(pk())%bump()
    y = y*z(c)%v(z(c)%n) + z(2)%v(z(2)%n)
  end subroutine
end module
