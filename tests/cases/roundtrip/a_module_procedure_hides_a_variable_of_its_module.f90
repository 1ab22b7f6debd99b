module shared_names
  implicit none
  real(8) :: g = 3
  interface
    module subroutine scale(a, g)
      real(8), intent(inout) :: a
      real(8), intent(in) :: g
    end subroutine scale
  end interface
end module shared_names

submodule (shared_names) scaling
contains
  module procedure scale
    a = a*g
    call by_the_module(a)
  end procedure scale

  subroutine by_the_module(a)
    real(8), intent(inout) :: a

    a = a + g
  end subroutine by_the_module
end submodule scaling

program main
  use shared_names, only: scale
  implicit none
  real(8) :: a

  a = 5
  call scale(a, 7d0)
  print '(f8.3)', a
end program main
