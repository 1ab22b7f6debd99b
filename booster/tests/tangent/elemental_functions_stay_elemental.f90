! call p x=[0.5,1.5,2.0]
! along x=[1,-1,0.5]
module elementals
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    y = 1 + halved(x)*x
    y = halved(y)
  end subroutine p
  elemental function halved(a) result(b)
    real(8), intent(in) :: a
    real(8) :: b
    b = a/2
  end function halved
end module elementals
