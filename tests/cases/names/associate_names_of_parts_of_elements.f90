! What an associate name stands for is set aside before it changes: components and parts of elements.
module parts
  implicit none
  type inner
    real(8) :: s = 0.5d0, v(2) = 0.25d0
  end type inner
  type outer
    real(8) :: v(3), m(2, 2)
    complex(8) :: z, zs(2)
    type(inner) :: q, qs(2)
    real(8), allocatable :: a(:)
  end type outer
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(outer), target :: o(3)
    complex(8) :: c(3)
    integer :: k, i
    k = 2
    c = cmplx(x, x**2, 8)
    do i = 1, 3
      o(i)%v = x*i
      o(i)%m = x(i)
      o(i)%z = c(i)
      o(i)%zs = c(1)
      o(i)%q%v = x(i)**2
      o(i)%a = x(:i)
    end do
    do i = 1, 2
      associate (v => o(:)%v(k), m => o(3:1:-2)%m(k, i), s => o(:)%q%s, w => o%q%v(i), &
          t => o(i)%qs(:)%s, u => o(k)%qs%v(k), all => o(k)%v, re => c%re, im => o(:)%z%im, &
          zs => o(:)%zs(k), qs => o(:)%q, a => o(k)%a)
        k = 1 + mod(k, 3)
        v = v*x(1) + v(2)
        m = m*v(1)*m(2)
        s = s*v + s(3)
        w = w*s(1)*w
        t = t*s(2) + t(1)
        u = u*t(1)*u(2)
        all = all*all(2) + v
        re = re*re(3)
        im = im*im(2) + re
        zs = zs*zs(1)
        qs(1)%v = qs(2)%v*qs(1)%s
        a = a*a(1)
      end associate
      k = 2
    end do
    y = sum(o%v(2)) + sum(o%m(2, 1)*o%m(2, 2)) + sum(o%q%s) + sum(real(c)) + sum(aimag(o%z)) &
        + sum(o(1)%q%v) + sum(o(2)%qs%v(2)) + sum(abs(o%zs(2))) + sum(o(2)%a) + sum(o(2)%qs%s)
  end subroutine p
end module parts
