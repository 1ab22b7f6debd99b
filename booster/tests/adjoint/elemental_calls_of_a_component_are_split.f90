! call p x=2.0
module g
  type :: t
    real(8) :: v(4) = 0.5d0
  end type t
  type(t) :: mo
contains
  elemental function el(a, b) result(r)
    real(8), intent(in) :: a, b
    real(8) :: r
    r = a*b
  end function el
  subroutine p(x)
    real(8), intent(inout) :: x
    type(t) :: o
    o%v = el(x, mo%v)-1
    x = o%v(2)
  end subroutine p
end module g
