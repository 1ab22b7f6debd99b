module face
  implicit none
  interface
    module subroutine work(x, y)
      real(8), intent(in) :: x(3)
      real(8), intent(out) :: y
    end subroutine work
  end interface
end module face

submodule(face) first
  implicit none
end submodule first

submodule(face:first) second
  implicit none
contains
  module procedure work
    y = sum(sin(x)*x)
  end procedure work
end submodule second
