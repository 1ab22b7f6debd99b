! A section without elements is recorded as nothing, however far apart its bounds are.
program nothing
  use oxad_tape, only: push, pop, push_section, pop_section
  implicit none
  real(8) :: a(5), b(3, 4), x
  integer :: i, none
  a = [(1d0*i, i=1, 5)]
  b = 2
  none = 0
  call push(7d0)
  do i = 1, 5
    call push_section(a(4:i))
    call push_section(b(3:none, 2:i - 4))
    call push_section(b(:, 4:none + 1:2))
  end do
  a = 0
  b = 0
  do i = 5, 1, -1
    call pop_section(b(:, 4:none + 1:2))
    call pop_section(b(3:none, 2:i - 4))
    call pop_section(a(4:i))
  end do
  call pop(x)
  if (any(abs(a - [0d0, 0d0, 0d0, 4d0, 5d0]) > 0) .or. any(abs(b) > 0) .or. abs(x - 7) > 0) error stop
  print '(a)', 'done'
end program nothing
