! Array expressions, sections with strides, vector subscripts, overlapping assignment.
program arrays_and_sections
  implicit none
  integer :: i, j, v(4), k(5)
  real(8) :: a(10), b(3, 4), c(4, 3), d(0:5), e(-1:1, 2:3)
  logical :: m(3, 4)
  a = [(dble(i)**2, i=1, 10)]
  b = reshape([(i*1.5d0, i=1, 12)], [3, 4])
  c = transpose(b)
  print *, a(2:8:3), a(10:1:-4), b(:, 2), b(3, :), c(2:3, 1:3:2)
  v = [4, 1, 1, 9]
  print *, a(v), a(v(2:3)), sum(a(v))
  a(2:9) = a(1:8)
  print *, a
  a(1:9) = a(2:10) + a(1:9)
  print *, a
  a([3, 1]) = [100d0, 200d0]
  print *, a(1:4)
  d = 7
  d(1:5:2) = [1, 2, 3]
  print *, d, lbound(d), ubound(d), size(d), lbound(d, 1), lbound(d(1:3), 1)
  e = 0.5d0
  e(0, :) = -e(0, :)*2
  print *, e, shape(e), ubound(e), size(e, 2)
  m = b > 5
  print *, count(m), any(m), all(m), count(m, 1), count(m, dim=2), merge(b, -b, m)
  where (m)
    b = 1/b
  elsewhere (b < 2)
    b = 0
  elsewhere
    b = -b
  end where
  print *, b
  k = 0
  k([1, 3, 5]) = [1, 3, 5]
  where (k /= 0) k = 60/k
  print *, k
  forall (i=1:3, j=1:3, i /= j) b(i, j) = b(j, i)
  print *, b
  forall (i=2:9) a(i) = a(i - 1) + a(i + 1)
  print *, a
  do concurrent (i=1:4, v(i) > 1)
    v(i) = -v(i)
  end do
  print *, v
  print *, [1, 2, (i*i, i=3, 5), 7], [real(8) :: 1, 2], size([integer ::])
  b = anint(b*8)/8
  b(:, 1) = matmul(b, c(:, 1))
  print *, dot_product(a, a), matmul(b, c), matmul([1, 2, 3], reshape([1, 2, 3, 4, 5, 6], [3, 2]))
  call change(a(::3), b(2, :))
  print *, a, b
contains
  subroutine change(x, y)
    real(8), intent(inout) :: x(:), y(4)
    x = x + 1000
    y(2) = size(x)
  end subroutine
end program
