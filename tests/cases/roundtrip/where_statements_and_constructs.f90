program masks
  implicit none
  real :: a(6) = [-2.0, -1.0, 0.0, 1.0, 4.0, 9.0], b(6), m(2, 2)
  where (a > 0.0) b = sqrt(a)
  where (a <= 0.0)
    b = 0.0
  end where
  print *, b
  outer: where (a < 0.0)
    b = -a
  elsewhere (a > 3.0) outer
    where (a > 5.0)
      b = 100.0
    elsewhere
      b = 50.0
    end where
    a = a + 1.0
  elsewhere outer
    b = 7.0
  end where outer
  print *, a, b
  m = reshape([1.0, -1.0, 2.0, -2.0], [2, 2])
  where (m < 0.0) m = m*10.0
  print *, m
end program masks
