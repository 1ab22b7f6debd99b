! A name that is associated again and again with parts of a variable: the variable stays.
program associate_in_a_loop
  implicit none
  real(8) :: a(4, 3)
  integer :: i
  a = 1.5d0
  do i = 1, 4
    associate (row => a(i, :), sum_of => sum(a))
      row(2) = i + 0.1d0*sum_of
    end associate
  end do
  print *, a
end program associate_in_a_loop
