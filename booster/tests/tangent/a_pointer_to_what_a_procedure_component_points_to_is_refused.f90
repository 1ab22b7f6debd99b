module m
  implicit none
  abstract interface
    function law(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
    end function law
  end interface
  type holder
    procedure(law), pointer, nopass :: f => null()
  end type holder
contains
  function square(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = t*t
  end function square
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(holder) :: o
    procedure(law), pointer :: p
    o%f => square
    p => o%f
    y = p(x)
  end subroutine head
end module m
