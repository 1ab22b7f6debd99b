! call p x=[0.7,1.3,0.4] y=[0,0]
! call q x=[0.7,1.3,0.4] y=[0,0]
! The type of an object without active components chooses the adjoint of a call, and a call changes it.
module passive_objects
  implicit none
  type :: t
    integer :: k = 1
  contains
    procedure :: f => f_t
    procedure :: s => s_t
  end type t
  type, extends(t) :: t2
  contains
    procedure :: f => f_t2
    procedure :: s => s_t2
  end type t2
  type :: box
    class(t), allocatable :: c
  end type box
contains
  real(8) function f_t(self, u)
    class(t), intent(in) :: self
    real(8), intent(in) :: u
    f_t = u*self%k
  end function f_t
  real(8) function f_t2(self, u)
    class(t2), intent(in) :: self
    real(8), intent(in) :: u
    f_t2 = sin(u)
  end function f_t2
  subroutine s_t(self, u)
    class(t), intent(in) :: self
    real(8), intent(inout) :: u
    u = u*u
  end subroutine s_t
  subroutine s_t2(self, u)
    class(t2), intent(in) :: self
    real(8), intent(inout) :: u
    u = cos(u)
  end subroutine s_t2
  subroutine other(c, k)
    class(t), allocatable, intent(inout) :: c
    integer, intent(in) :: k
    if (k == 1) then
      c = t2()
    else
      c = t()
    end if
  end subroutine other
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    class(t), allocatable :: c
    real(8) :: u
    integer :: i
    u = x(1)
    do i = 1, 4
      call other(c, mod(i, 2))
      u = c%f(u)*x(2)
    end do
    y = u
  end subroutine p
  subroutine q(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    type(box) :: b
    real(8) :: u
    integer :: i
    u = x(1)
    do i = 1, 4
      call other(b%c, mod(i, 2))
      call b%c%s(u)
      u = u*x(3)
    end do
    y = u
  end subroutine q
end module passive_objects
