! flags: -std=legacy
subroutine choose(i, *, *)
  integer, intent(in) :: i
  if (i == 1) then
    return 1
  else if (i == 2) then
    return 2
  end if
  print *, 'falls through', i
end subroutine choose

program main
  implicit none
  integer :: i
  do i = 1, 3
    call choose(i, *10, *20)
    print *, 'plain'
    cycle
10  print *, 'one'
    cycle
20  print *, 'two'
  end do
end program main
