! call p x=[1,2,3] y=[0,0,0] k=[-4,5,-6]
! The function stops for the element that the mask excludes.
module impure_where
  implicit none
  integer :: count = 0
contains
  impure elemental function weight(k) result(w)
    integer, intent(in) :: k
    integer :: w
    if (k == -4) error stop 'not in the mask'
    w = count + k
  end function weight
  subroutine p(x, y, k)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    integer, intent(in) :: k(3)
    y = 0
    where (x > 1.5d0)
      y = x*x*weight(k)
    elsewhere
      y = x
    end where
  end subroutine p
end module impure_where
