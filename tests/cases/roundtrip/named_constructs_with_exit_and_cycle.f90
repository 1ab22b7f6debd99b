program names
  implicit none
  integer :: i, j, n
  n = 0
  rows: do i = 1, 6
    columns: do j = 1, 6
      if (j == 4) cycle rows
      if (i*j == 10) exit rows
      if (mod(i + j, 2) == 0) cycle
      n = n + i*j
    end do columns
    n = n + 1000
  end do rows
  print *, i, j, n
  i = 0
  forever: do
    i = i + 1
    check: if (i > 3) then
      if (i == 5) exit forever
      if (i == 4) exit check
      n = -1
    else if (i == 2) then check
      n = n + 7
    else check
      n = n + 1
    end if check
  end do forever
  print *, i, n
  work: block
    if (n > 0) exit work
    n = 0
  end block work
  print *, n
end program names
