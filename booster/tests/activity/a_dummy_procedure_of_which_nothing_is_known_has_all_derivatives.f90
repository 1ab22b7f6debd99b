! Whoever passes a procedure knows what it depends on.
module m
  implicit none
  type params
    real(8) :: rate
    integer :: order
  end type params
  abstract interface
    function curve(n, t, p) result(r)
      import :: params
      integer, intent(in) :: n
      real(8), intent(in) :: t
      type(params), intent(in) :: p
      real(8) :: r
    end function curve
  end interface
contains
  subroutine apply(f, t, p, y)
    procedure(curve) :: f
    real(8), intent(in) :: t
    type(params), intent(in) :: p
    real(8), intent(out) :: y
    y = t*f(2, 2*t, p)
  end subroutine apply
end module m
