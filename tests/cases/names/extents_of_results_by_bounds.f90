! Dummy arguments have bounds, extents and lengths of their own, whatever is passed, and results take them.
module m
  implicit none
  type box
    real(8), allocatable :: v(:)
  contains
    procedure :: spread_out
  end type
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:), v(:)
    real(8), pointer :: q(:)
    type(box) :: b
    integer :: k(3)
    allocate(w(-1:1))
    allocate(q(0:1))
    allocate(b%v(2:4))
    w = x(2:4)
    q = x(:2)*x(3)
    b%v = x(1)*w
    y = sum([1d0, table(x, x)]) + sum(table(w, x*x)) + sum(table(x(1:4:3), [x, 2d0]))
    y = y + sum(upper(x)**2) + sum(upper(w)**2)*x(1) + sum(upper(x(3:2))) + sum(declared(x, 2)**2)
    y = y + sum(inner(w)**2)*x(4) + sum(inner(w)) + sum(pointed(q)**2) + sum(b%spread_out()**2)
    y = y + sum(columns(reshape(x, [2, 2]), 2)) + sum(columns(reshape(x, [2, 2]), 1)**2)
    y = y*sum(lengths(x, 'abc')**2)
    k = [1, 2, 3]
    y = y + sum(counted(x, k)**2) + sum(counted(x, [4, 3])**2) + sum(counted(x, k(3:1:-1))) + sum(listed(x))
    v = upper(x)
    v = upper(v)
    y = y + product(v)
    deallocate(q)
  end subroutine
  pure function table(a, b) result(c)
    real(8), intent(in) :: a(:), b(0:)
    real(8) :: c(lbound(b, 1):ubound(b, 1), size(a))
    integer :: i
    do i = 1, size(a)
      c(:, i) = a(i)*b*b(0)
    end do
  end function
  function upper(a) result(c)
    real(8), intent(in) :: a(3:)
    real(8) :: c(ubound(a, 1) + 1)
    c = 1
    if (size(a) > 1) c = a(3)*a(4)
  end function
  function declared(a, n) result(c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(-1:n - 2, 0:n - 1)
    real(8) :: c(size(a, 2) + ubound(a, 1), lbound(a, 1) + 2*n)
    c = a(0, 1)*a(-1, 0)
  end function
  function inner(a) result(c)
    real(8), allocatable, intent(in) :: a(:)
    real(8) :: c(lbound(a, 1):ubound(a, 1) + 1)
    c = a(0)*a(-1)
  end function
  function pointed(a) result(c)
    real(8), pointer, intent(in) :: a(:)
    real(8) :: c(2*lbound(a, 1):ubound(a, 1) + 1)
    c = a(0)*a(1)
  end function
  function spread_out(self) result(c)
    class(box), intent(in) :: self
    real(8) :: c(ubound(self%v, 1) + lbound(self%v, 1))
    c = self%v(2)*self%v(4)
  end function
  function columns(a, k) result(c)
    integer, intent(in) :: k
    real(8), intent(in) :: a(0:, 2:)
    real(8) :: c(ubound(a, k), ubound(a, 2, kind=8) - lbound(a, dim=2, kind=8) + maxval(ubound(a)))
    c = a(0, 2)*a(1, 3)
  end function
  function lengths(a, s) result(c)
    character(*), intent(in) :: s
    real(8), intent(in) :: a(:)
    real(8) :: c(len(s) + len(s))
    c = a(1)*a(size(a))
  end function
  pure function counted(a, k) result(c)
    integer, intent(in) :: k(0:)
    real(8), intent(in) :: a(0:)
    real(8) :: c(k(1))
    c = a(k(0) - 1)*a(3)
  end function
  function listed(a) result(c)
    integer, parameter :: few = 3
    real(8), intent(in) :: a(0:)
    real(8) :: c(few:ubound(a, 1) + few)
    c = a*a(1)
  end function
end module
