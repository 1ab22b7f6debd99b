! call g2 n=6 x=[0.3,0.5,0.7,0.9,1.1,1.3] y=0
! A type that extends what it holds: its dummy arguments share a unit, which stands for what is passed, too.
module defops
  implicit none
  type, abstract :: func
  contains
    procedure(ev), deferred :: eval
    procedure :: compose => comp_default
  end type
  abstract interface
    function ev(self, z) result(r)
      import func
      class(func), intent(in) :: self
      real(8), intent(in) :: z
      real(8) :: r
    end function
  end interface
  type, extends(func) :: poly
    real(8) :: a(3) = 0
  contains
    procedure :: eval => poly_eval
  end type
  type, extends(func) :: wrap
    type(poly) :: inner
    real(8) :: s = 1
  contains
    procedure :: eval => wrap_eval
  end type
contains
  function poly_eval(self, z) result(r)
    class(poly), intent(in) :: self
    real(8), intent(in) :: z
    real(8) :: r
    integer :: i
    r = 0
    do i = 3, 1, -1
      r = r*z + self%a(i)
    end do
  end function
  function wrap_eval(self, z) result(r)
    class(wrap), intent(in) :: self
    real(8), intent(in) :: z
    real(8) :: r
    r=self%s*z
  end function
  function comp_default(self, z, m) result(r)
    class(func), intent(in) :: self
    real(8), intent(in) :: z
    integer, intent(in) :: m
    real(8) :: r
      r=self%eval(z)*m
  end function
  function comp_wrap(self, z, m) result(r)
    class(wrap), intent(in) :: self
    real(8), intent(in) :: z
    integer, intent(in) :: m
    real(8) :: r
    r = self%inner%compose(z, m - 1) + self%s
  end function
  function total(list, z) result(r)
    class(func), intent(in) :: list(:)
    real(8), intent(in) :: z
    real(8) :: r
    integer :: i
    r = 0
    do i = 1, size(list)
      r = r + list(i)%eval(z)*i
    end do
  end function
  subroutine g2(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(poly) :: pl(2)
    pl(1)%a = x(1:3)
    pl(2)%a = x(2:4)
    y = total(pl, x(4))
  end subroutine
end module
