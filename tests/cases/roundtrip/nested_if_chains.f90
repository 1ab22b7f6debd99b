program chains
  implicit none
  integer :: i, k
  do i = 0, 8
    if (i == 0) then
      k = 0
    else if (i < 3) then
      if (i == 1) then
        k = 1
      else
        k = 2
      end if
    elseif (i < 5) then
      if (i == 3) k = 3
      if (i == 4) then
        k = 4
      endif
    else
      k = -i
      if (i > 6) then
        if (i > 7) then
          k = 8
        end if
      end if
    end if
    print *, i, k
  end do
  if (k > 0) then
  end if
end program chains
