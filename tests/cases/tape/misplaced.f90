! Releases a room while another one lies on it.
program misplaced
  use oxad_tape
  implicit none
  real(8), pointer, contiguous :: first(:), second(:)
  call block_alloc(first, 10)
  call block_alloc(second, 20)
  call block_free(first)
end program misplaced
