! call steps n=3 x=[0.7,1.3,0.4] y=0.5
! call array n=3 x=[0.7,1.3,0.4] y=0.5
! Structures whose type has procedures are recorded component by component: Fortran passes them nowhere as
! mere bytes.
module structures_with_procedures
  implicit none
  type :: state
    real(8) :: v = 0
    real(8) :: w(2) = 0
    integer :: count = 0
  contains
    procedure :: step
    procedure :: energy
  end type state
  type, extends(state) :: tagged
    integer :: tag = 3
    complex(8) :: z = (1d0, 0d0)
  end type tagged
  type :: pair
    type(state) :: left, right
  end type pair
contains
  subroutine step(self, x)
    class(state), intent(inout) :: self
    real(8), intent(in) :: x
    self%count = self%count + 1
    self%w = self%w*x + self%v**2
    self%v = self%v*sin(x)*self%count + sum(self%w)
  end subroutine step

  function energy(self) result(e)
    class(state), intent(in) :: self
    real(8) :: e
    e = self%v**2 + dot_product(self%w, self%w)
  end function energy

  subroutine advance(s, p, x)
    type(tagged), intent(inout) :: s
    type(pair), intent(inout) :: p
    real(8), intent(in) :: x
    s%z = s%z*x*s%v
    s%v = s%v + real(s%z)
    p%left = p%right
    p%right%v = s%v*p%left%v
    p%right%w = p%left%w*s%w
    call s%step(x)
  end subroutine advance

  subroutine steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y
    type(tagged) :: s
    type(pair) :: p
    integer :: i
    s%v = y
    s%w = x(1:2)
    p%right%v = x(3)
    p%right%w = x(2:3)
    do i = 1, n
      call advance(s, p, x(i))
      y = y*s%energy() + p%right%energy()
      s%v = s%v/(1 + s%v**2)
    end do
  end subroutine steps

  subroutine array(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y
    type(state) :: s(n), old(n)
    integer :: i
    do i = 1, n
      s(i)%v = x(i)*y
      s(i)%w = x(i)
    end do
    old = s
    do i = 1, n
      call s(i)%step(x(i))
      s(i)%v = s(i)%v*old(i)%v
    end do
    old(2:n) = s(1:n - 1)
    do i = 1, n
      y = y + s(i)%energy()*old(i)%energy()
    end do
    s = old
    y = y*s(n)%energy()
  end subroutine array
end module structures_with_procedures
