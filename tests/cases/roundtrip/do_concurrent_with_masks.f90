program concurrent
  implicit none
  integer :: i, j, k
  real :: a(5), m(3, 3)
  do concurrent (i=1:5)
    a(i) = real(i)**2
  end do
  do concurrent (i=1:3, j=1:3, i <= j)
    m(i, j) = a(i)*a(j)
    m(j, i) = m(i, j)
  end do
  do concurrent (k=1:5:2)
    a(k) = -a(k)
  end do
  print *, a, m
end program concurrent
