module class_out
  implicit none
  type :: base
    real(8) :: a = 1
  end type base
  type, extends(base) :: wide
    real(8) :: b = 2
  end type wide
contains
  subroutine fill(v, x)
    class(base), intent(out) :: v
    real(8), intent(in) :: x
    v%a = v%a*x
  end subroutine fill
end module class_out
