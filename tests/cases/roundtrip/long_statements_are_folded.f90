program folds
  implicit none
  real :: a_rather_long_variable_name_that_goes_on, another_name_of_considerable_length
  integer :: i
  a_rather_long_variable_name_that_goes_on = 1.0
  another_name_of_considerable_length = a_rather_long_variable_name_that_goes_on + 2.0*a_rather_long_variable_name_that_goes_on
  another_name_of_considerable_length = (a_rather_long_variable_name_that_goes_on + another_name_of_considerable_length)* &
    (a_rather_long_variable_name_that_goes_on - another_name_of_considerable_length)/ &
    (1.0 + a_rather_long_variable_name_that_goes_on**2 + another_name_of_considerable_length**2) - &
    sqrt(a_rather_long_variable_name_that_goes_on*another_name_of_considerable_length)
  print *, a_rather_long_variable_name_that_goes_on, another_name_of_considerable_length, (i, i=1, 3)
  print *, 'a very long character constant that is longer than any line should be and that has to be &
    &broken into parts, with its blanks   kept and its ''quotes'' and & ampersands'
end program folds
