program blocks
  implicit none
  integer :: i, n
  real :: x
  i = 3
  x = 1.0
  n = 2
  block
    integer :: i
    real, parameter :: x = 2.5
    real :: t(n)
    do i = 1, n
      t(i) = x*real(i)
    end do
    print *, i, x, t
    block
      real :: n
      n = 0.5
      print *, n
    end block
  end block
  inner: block
    integer, save :: calls = 0
    calls = calls + n
    print *, calls
  end block inner
  print *, i, n, x
end program blocks
