! Procedures that C calls, with labels of all sorts.
module shapes
  use, intrinsic :: iso_c_binding
  implicit none
  character(*), parameter :: prefix = 'geo_'
  abstract interface
    function curve(t) bind(c) result(r)
      import :: c_double
      real(c_double), value :: t
      real(c_double) :: r
    end function curve
  end interface
  type, bind(c) :: pair
    real(c_double) :: u, v
  end type pair
contains
  subroutine length(n, x, s) bind(c, name=prefix//'Length ')
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(out) :: s
    integer(c_int) :: i
    s = 1
    do i = 1, n
      s = s*x(i) + sin(x(i))
    end do
  end subroutine length
  function product_of(p) bind(c) result(r)
    type(pair), intent(in) :: p
    real(c_double) :: r
    r = p%u*p%v**2
  end function product_of
  subroutine apply(f, t, y) bind(c)
    procedure(curve) :: f
    real(c_double), intent(in) :: t
    real(c_double), intent(out) :: y
    y = t*f(2*t)
  end subroutine apply
end module shapes
subroutine relax(w, y) bind(c, name="Relax")
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), value :: w
  real(c_double), intent(inout) :: y
  y = w*y**2
end subroutine relax
subroutine drive(x, y) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine relax(w, y) bind(c, name="Relax")
      import :: c_double
      real(c_double), value :: w
      real(c_double), intent(inout) :: y
    end subroutine relax
  end interface
  real(c_double), intent(in) :: x
  real(c_double), intent(out) :: y
  y = x
  call relax(3*x, y)
  call relax(x, y)
end subroutine drive
