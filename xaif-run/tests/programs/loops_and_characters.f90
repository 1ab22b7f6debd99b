program loops_and_characters
  implicit none
  integer :: i, j, n
  character(len=8) :: s
  character(len=3) :: t(2)
  logical :: found
  n = 3
  do i = 1, n
    n = 10
    if (i == 2) cycle
    print *, i
  end do
  print *, i, n
  outer: do i = 1, 3
    do j = 1, 3
      if (j == 2) cycle outer
      if (i == 3) exit outer
      print *, i, j
    end do
  end do outer
  i = 0
  do
    i = i + 1
    if (i > 4) exit
  end do
  print *, i
  do while (i > 0)
    i = i - 2
  end do
  print *, i
  do i = 1, 10, 4
  end do
  print *, i
  s = 'hello'
  s(2:3) = 'EY'
  t = ['abc', 'xyz']
  t(1)(2:2) = '-'
  print *, s, '|', len(s), len_trim(s), t, index(s, 'l'), index(s, 'l', .true.), scan(s, 'Yo'), verify(s, 'hE')
  print *, trim(s)//'!', adjustr(s), adjustl('  x '), repeat('ab', 3), s < 'help', 'a' == 'a  ', ichar('A'), achar(66), lge('b', 'a')
  found = .false.
  if (n > 5 .and. .not. found .or. n == 0) found = .true.
  print *, found, found .eqv. .true., found .neqv. .true., merge('yes', 'no ', found)
  if (n == 1) then
    print *, 'one'
  else if (n == 10) then
    print *, 'ten'
  else
    print *, 'else'
  end if
  named: if (found) then
    if (n > 0) exit named
    print *, 'not here'
  end if named
  print *, (i, i*i, i=1, 3), (t(i), i=1, 2)
end program
