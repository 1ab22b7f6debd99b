! Releases a room while another one lies on it.
program misplaced
  use oxad_tape
  implicit none
  real(8), pointer, contiguous :: first(:), second(:)
  call reserve(first, 10)
  call reserve(second, 20)
  call release(first)
end program misplaced
