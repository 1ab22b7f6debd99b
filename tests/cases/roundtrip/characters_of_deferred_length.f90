program strings
  implicit none
  character(len=:), allocatable :: s, t
  character(len=10) :: fixed
  character(:), pointer :: p
  character(len=6), target :: word = 'target'
  s = 'abc'
  t = s // s(2:) // repeat('-', 2)
  fixed = trim(adjustl('  pad  ')) // '!'
  print *, s, len(s), t, len(t), fixed, len_trim(fixed)
  p => word
  p(1:1) = 'T'
  print *, word, index(t, '-'), scan(t, 'bc'), verify(t, 'abc'), t(3:3) == 'c'
  deallocate(s)
  allocate(character(len=4) :: s)
  s(:) = 'x'
  print *, s, '|', len(s)
end program strings
