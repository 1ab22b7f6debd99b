! call p x=[0.7,0.4] y=0.3
module body_mod
  implicit none
  type :: body
    real(8) :: a = 1
    real(8) :: h(2) = 0.5d0
  contains
    procedure :: step => step_body
  end type body
  type, extends(body) :: probe
    real(8) :: b(2) = 0
  contains
    procedure :: step => step_probe
  end type probe
contains
  subroutine step_body(self, k)
    class(body), intent(inout) :: self
    real(8), intent(in) :: k
    type(body) :: saved
    integer :: i
    do i = 1, 2
      ! What the object is beyond a body stays where it is.
      saved = self
      self%a = saved%a*saved%a*k
      self%h = self%h*saved%h + k
    end do
  end subroutine step_body

  subroutine step_probe(self, k)
    class(probe), intent(inout) :: self
    real(8), intent(in) :: k
    ! The parent's procedure.
    call self%body%step(k)
    self%b = self%b + self%a*[k, k*k]*self%h
  end subroutine step_probe

  subroutine renew(o)
    type(probe), intent(inout) :: o
    ! The parent component as a whole.
    o%body = body(o%b(1)*o%a, o%h*o%b)
    o%b(1) = o%b(1)*o%a
    o%b(2) = o%a
  end subroutine renew
end module body_mod

subroutine p(x, y)
  use body_mod
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(inout) :: y
  type(probe) :: q
  integer :: i
  q%a = x(1)
  q%b = x
  do i = 1, 2
    call q%step(x(2))
    call renew(q)
  end do
  y = q%a*q%b(1) + sum(q%h)
end subroutine p
