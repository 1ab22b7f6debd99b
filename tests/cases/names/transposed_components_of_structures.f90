! The adjoint transposes components, where compilers may read the memory between them.
module m
  type :: point
    real(8) :: x = 0, w = 1
    integer :: tag = 3
  end type
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(point) :: a(2, 3), b(3, 2), s(6)
    real(8) :: c(3, 3)
    complex(8) :: d(2, 3)
    a%x = reshape([x, sin(x)], [2, 3])
    a%w = 2*a%x
    d = cmplx(a%x, a%w, 8)
    b = transpose(a)
    s = reshape(transpose(a), [6])
    c = matmul(b%x, a%w) + matmul(b%w, d%re)
    y = sum(c**2) + sum(s%x**3*s%tag) + sum(matmul(d%im, b%x))
  end subroutine
end module
