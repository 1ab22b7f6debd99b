program main
  use model
  use state
  implicit none
  type(model_state) :: s
  integer :: i
  do i = 1, 4
    call advance(s)
  end do
  print *, s%u, s%steps
end program main
