! call p x=[1,2,3]
! along x=[1,0,1]
module m
  implicit none
  integer :: count = 0
contains
  function next(k) result(n)
    integer, intent(in) :: k
    integer :: n
    count = count + 1
    n = count + k
  end function next
  function weights(n) result(w)
    integer, intent(in) :: n
    integer :: w(n)
    count = count + n
    w = count
  end function weights
  pure function third(k) result(n)
    integer, intent(in) :: k
    integer :: n
    n = mod(k, 3) + 1
  end function third
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    integer :: i
    y = 0
    where (x > 1.5d0)
      y = x*weights(3)
    elsewhere
      y = x*x
    end where
    where (x > next(1) - 4) y = y*x*2
    forall (i = 1:3, x(i) > 1) y(i) = x(third(i))*y(i)
    y(3) = y(3)*count
  end subroutine p
end module m
