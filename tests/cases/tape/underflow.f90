! Takes back more than it has recorded.
program underflow
  use oxad_tape
  implicit none
  real(8) :: x
  call push(1.0d0)
  call pop(x)
  call pop(x)
end program underflow
