program stops
  implicit none
  integer :: n
  n = 3
  call check(n)
  print *, 'going on'
  n = 5
  call check(n)
  print *, 'never here'
contains
  subroutine check(k)
    integer, intent(in) :: k
    if (k > 4) then
      print *, 'too large'
      stop 7
    end if
    if (k < 0) error stop 'negative'
  end subroutine check
end program stops
