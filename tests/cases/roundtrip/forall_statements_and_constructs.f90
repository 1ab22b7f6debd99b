! flags: -std=f2008
program foralls
  implicit none
  real :: a(4, 4), d(4)
  integer :: i, j
  forall (i=1:4, j=1:4) a(i, j) = real(i) + 10.0*real(j)
  forall (i=1:4, j=1:4, i /= j .and. a(i, j) > 20.0)
    a(i, j) = -a(j, i)
  end forall
  print *, a
  forall (i=1:4:2)
    d(i) = a(i, i)
    d(i + 1) = d(i)*2.0
  end forall
  print *, d
  forall (i=2:4) d(i) = d(i - 1)
  print *, d
end program foralls
