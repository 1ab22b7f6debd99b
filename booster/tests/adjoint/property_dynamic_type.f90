! call p x=[0.7,1.3,0.4] y=[0,0]
! Dispatch and SAME_TYPE_AS ask for the dynamic type, which a call changes.
module property_dynamic_type
  implicit none
  type :: t
    real(8) :: a = 1
  contains
    procedure :: f => f_t
  end type
  type, extends(t) :: t2
  contains
    procedure :: f => f_t2
  end type
contains
  real(8) function f_t(self, u)
    class(t), intent(in) :: self
    real(8), intent(in) :: u
    f_t = sin(u)*self%a
  end function
  real(8) function f_t2(self, u)
    class(t2), intent(in) :: self
    real(8), intent(in) :: u
    f_t2 = u**3
  end function
  subroutine other(c, k)
    class(t), allocatable, intent(inout) :: c
    integer, intent(in) :: k
    if (k == 1) then
      c = t2()
    else
      c = t()
    end if
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    class(t), allocatable :: c, d
    real(8) :: u
    integer :: i
    u = x(1)
    d = t()
    do i = 1, 4
      call other(c, mod(i, 2))
      u = c%f(u)*x(2)
      if (same_type_as(c, d)) u = exp(u)*x(3)
    end do
    y = u
  end subroutine
end module property_dynamic_type
