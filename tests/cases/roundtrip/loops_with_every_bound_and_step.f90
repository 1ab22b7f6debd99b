! flags: -std=legacy -Wno-zerotrip
program loops
  implicit none
  integer :: i, j, n, k
  integer(8) :: big
  n = 3
  k = 0
  do i = n, -n, -2
    k = k + i*i
  end do
  do i = 1, 0
    k = -1000
  end do
  do, j = 2*n, 3*n + 1, n - 1
    k = k + j
  end do
  do 10 i = 1, 2
    k = k + 1
10 end do
  do big = 5000000000_8, 5000000002_8
    k = k + int(mod(big, 10_8))
  end do
  i = 0
  do while (i < 3 .and. k > 0)
    i = i + 1
    if (i == 2) cycle
    k = k + 100
  enddo
  do j = 1, 9, maxval([integer(4) :: 2, 3])
    k = k + j
  end do
  print *, i, j, k, big
end program loops
