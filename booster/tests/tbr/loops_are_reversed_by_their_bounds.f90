! call s x=[0.5,1.5,2.5,1.1] n=4 p=[1,2,2,3]
subroutine s(x, n, p)
  integer :: n, m, i, j, p(n)
  real(8) :: x(n)
  m = n/2
  do i = 1, m
    x(i) = x(i)**2
  end do
  m = n
  do i = 1, m
    do j = p(i), i
      x(j) = x(j)*x(i)
    end do
  end do
  do i = p(1), p(2)
    x(i) = sin(x(i))
    p(2) = 1
  end do
  do i = 1, n
    if (x(i) > 10.0) exit
    x(i) = x(i)*x(i)
  end do
  do while (x(1) < 10.0)
    x(1) = x(1)*x(1) + 1.0
  end do
  do i = 1, 3
    m = i
  end do
end subroutine
