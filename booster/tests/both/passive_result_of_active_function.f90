! call p x=[0.7,1.1,0.9] y=0.5
! A function whose result is passive changes an active argument: the derivative of the variable that takes the
! result, which has one from elsewhere, becomes zero. So does that of any other argument, component and module
! variable to which a procedure gives a passive value.
module passive_result_of_active_function
  implicit none
  real(8) :: gs = 1
  type :: box
    real(8) :: v, w
    real(8), allocatable :: h(:)
  end type
contains
  subroutine f(s, a, b)
    real(8), intent(out) :: s
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    s = 0.3d0
    a = a*b
  end subroutine f
  subroutine fg(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    gs = 0.3d0
    a = a*b
  end subroutine fg
  subroutine fb(o, a, b)
    type(box), intent(inout) :: o
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    o%v = 0.3d0
    o%h(2) = 0.4d0
    a = a*b
  end subroutine fb
  subroutine fc(o, a, b)
    type(box), intent(inout) :: o
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    o%v = 0.3d0
    o%h = [0.4d0, 0.3d0]
    o%w = a
    a = a*b
  end subroutine fc
  function vec(a, b) result(r)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    real(8) :: r(2)
    r = 0.3d0
    a = a*b
  end function vec
  function vea(a, b) result(r)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    real(8), allocatable :: r(:)
    allocate (r(2))
    r = 0.3d0
    a = a*b
  end function vea
  function obj(a, b) result(r)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    type(box) :: r
    r%v = 1
    r%w = 2
    r%h = [0.4d0, 0.3d0]
    a = a*b
  end function obj
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: s1, a, v(2)
    real(8), allocatable :: va(:)
    type(box) :: o, oc, oo
    s1 = x(1)*x(2)
    gs = x(3)
    o%v = x(2)
    o%w = x(3)
    o%h = x(1:2)*x(2)
    oc = o
    oo = o
    v = x(2:3)
    va = v*x(1)
    a = x(2)
    if (x(1) < 100) call f(s1, a, x(3))
    y = s1*x(2) + a
    if (x(1) < 100) call fg(a, x(3))
    y = y + a + gs*x(2)
    if (x(1) < 100) call fb(o, a, x(3))
    y = y + a + o%v*x(2) + o%w*o%h(1) + o%h(2)*x(2)
    if (x(1) < 100) call fc(oc, a, x(3))
    y = y + a + oc%v*x(2) + oc%w*oc%h(1) + oc%h(2)*x(2)
    if (x(1) < 100) v = vec(a, x(3))
    y = y + a*v(1) + v(2)*x(1)
    if (x(1) < 100) va = vea(a, x(3))
    y = y + a*va(1) + va(2)*x(1)
    if (x(1) < 100) va(2) = g(a, x(3))
    y = y + a*va(1) + va(2)*x(1)
    if (x(1) < 100) oo = obj(a, x(3))
    y = y + a + oo%v*x(2) + oo%w*oo%h(1) + oo%h(2)*x(2)
    if (x(1) < 100) s1 = with(s1, a, x(3))
    y = y + a + s1*x(2)
  end subroutine p
  function with(u, a, b) result(r)
    real(8), intent(in) :: u
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    real(8) :: r
    r = 0.3d0
    a = a*b + u**2
  end function with
  function g(a, b) result(r)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    real(8) :: r
    r = 0.3d0
    a = a*b
  end function g
end module passive_result_of_active_function
