submodule (api) other
  implicit none
contains
  module integer function twice(c)
    type(counter), intent(in) :: c
    twice = 2*c%n
  end function twice
end submodule other
