! call p x=[0.5,1.5]
! along x=[1,-1]
module m
  implicit none
  type t
    real(8), pointer :: q(:) => null()
    real(8) :: w = 0
  end type t
  type s
    real(8) :: w = 0
    integer :: k = 1
    real(8), allocatable :: r(:)
  end type s
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    real(8), target :: b(2)
    type(t) :: v, w, u
    type(t), allocatable :: l(:), r
    type(s) :: z(2), zz
    type(s), allocatable :: c
    b = 0
    w%q => b
    v = t(null(), 1d0)
    l = [w, t(null(), 1d0)]
    u = t(b, x(1))
    zz%w = x(1)
    z = [zz, s(2d0, 3, [1d0])]
    l(1)%q(1) = x(1)
    y(1) = u%q(1)*z(1)%w*z(2)%w
    l = [t(null(), 1d0), t(null(), 2d0)]
    l(2)%q => b
    l(2)%q(2) = x(2)
    y(2) = b(2)*b(1)
    b = 0
    allocate(r, source=w)
    r%q(1) = x(2)
    r%w = x(1)
    y(2) = y(2)*w%q(1)*r%w
    deallocate(r)
    r = t(b, 4d0)
    v = w
    v%q(1) = x(1)
    y(2) = y(2)*r%q(1)
    zz = s(1d0, 2, [3d0, 4d0])
    allocate(c, source=zz)
    c%r(2) = x(2)
    y(1) = y(1)*c%r(2)
  end subroutine p
end module m
