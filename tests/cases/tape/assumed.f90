! An assumed-size array as a whole has no size that could be recorded.
program assumed
  implicit none
  real :: x(10)
  x = 1
  call record(x)
contains
  subroutine record(a)
    use oxad_tape, only: push_array
    real, intent(in) :: a(*)
    call push_array(a)
  end subroutine record
end program assumed
