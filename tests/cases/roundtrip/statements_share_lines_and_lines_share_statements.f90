program layout; implicit none
  integer :: a, b; real :: x
  a = 1; b = 2; x = 0.5
  if (a < b) then; a = a + &
    10; else; b = 0; end if
  x = x &
    + 1.0 & ! a remark between
    ! a whole line of remark

    & + 2.0
  print *, 'a string that goes &
    &on', a, b, x; print *, "isn't & an ampersand here"
  x = 1.&
    &5
  pri&
    &nt *, x
end program layout
