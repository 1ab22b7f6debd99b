! activity head=s independent=a dependent=b
module m
  implicit none
  interface
    module subroutine s(a, b, c)
      real(8), intent(in) :: a, c
      real(8), intent(out) :: b
    end subroutine s
  end interface
end module m
submodule (m) parts
contains
  module procedure s
    b = a*c
  end procedure s
end submodule parts
