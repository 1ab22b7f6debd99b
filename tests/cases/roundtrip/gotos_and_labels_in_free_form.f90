! flags: -std=legacy
program labels
  implicit none
  integer :: i, n, k
  n = 0
10 continue
  n = n + 1
  if (n < 3) goto 10
  do i = 1, 5
    if (i == 2) go to 20
    if (i == 4) goto 30
    n = n + 10*i
20  continue
  end do
30 k = n - 42
  print *, n, i, k
  goto (40, 50), k
  print *, 'fell through'
40 print *, 'forty'
50 print *, 'fifty'
end program labels
