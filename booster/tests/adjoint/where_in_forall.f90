! call top n=3 x=[1,-2,3] y=[1,2,3,4,-5,6,7,8,9]
! call top n=0 x=[] y=[]
! call shifted n=3 y=[1,-2,3,-4,5,-6,7,-8,9,-1,2,-3,4,-5,6,-7]
! call nested n=3 x=[1,-2,3] y=[1,2,3,4,-5,6,7,8,9]
! call lower n=2 a=[1,2,-3] k=[2,0,1] b=[1,2,3]
! call inside n=3 x=[1,-2,3] y=[1,2,3,4,-5,6,7,8,9]
! call stepped n=4 y=[1,-2,3,-4,5,-6,7,-8,9,-1,2,-3,4,-5,6,-7]
! call twice n=3 y=[1,2,3,4,-5,6,7,8,9]
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y(n, n)
  integer :: i
  forall (i=1:n)
    where (y(:, i) > 2)
      y(:, i) = y(:, i)*x(i)
    elsewhere
      y(:, i) = x
    end where
    x(i) = x(i)*2
  end forall
  forall (i=1:n, x(i) > 0)
    where (y(i, :) > 2) y(i, :) = y(i, :)**2
  end forall
end subroutine top

! Each combination reads what another one writes; the mask, too.
subroutine shifted(n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: y(0:n, 0:n)
  integer :: i
  forall (i=1:n)
    where (y(:, i-1) > 0)
      y(:, i) = y(:, i-1)*y(:, i)
    elsewhere (y(:, i) > 0)
      y(:, i) = y(:, i-1)**2
    elsewhere
      y(:, i) = y(:, n-i)
    end where
  end forall
end subroutine shifted

! WHERE in WHERE; what is between changes what the inner mask reads.
subroutine nested(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n, n)
  real(8) :: z(n, n)
  integer :: i
  z = y
  forall (i=1:n)
    where (z(:, i) > 1)
      z(:, i) = z(:, n+1-i)*x
      where (z(:, i) < 10)
        y(:, i) = z(:, i)*y(:, i)
      elsewhere
        y(:, i) = y(i, :)*x(i)
      end where
    end where
  end forall
end subroutine nested

! Lower bounds; the places are told before they are assigned to.
subroutine lower(n, a, k, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(0:n), b(0:)
  integer, intent(inout) :: k(0:n)
  integer :: i
  forall (i=0:n-1) a(i) = a(i)*a(i+1)
  forall (i=0:n-1) b(i) = b(i)*b(i+1)
  forall (i=0:n) k(k(i)) = i
  forall (i=0:n) a(k(i)) = a(i)*b(k(i))
end subroutine lower

! FORALL in FORALL.
subroutine inside(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n, n)
  integer :: i, j
  forall (i=1:n, x(i) > 0)
    x(i) = x(i)*y(1, i)
    forall (j=i:n, j /= 2)
      y(i, j) = y(j, i)*x(i)
    end forall
    where (y(:, i) > 0) y(:, i) = y(:, i)*y(i, :)
  end forall
end subroutine inside

! Negative strides, whose mask reads what is written.
subroutine stepped(n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: y(n, n)
  integer :: i
  forall (i=n:2:-2, y(i, i) < 0)
    where (y(i, :) < 0) y(i, :) = y(i-1, :)*y(i, i)
    where (y(:, i) > 0)
      y(:, i) = y(:, i)*y(i, i)
    end where
  end forall
end subroutine stepped

! In a loop, and in a procedure that is called.
subroutine twice(n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: y(n, n)
  real(8) :: x(n)
  integer :: j
  do j = 1, n
    x = y(j, :)/10
    call top(n, x, y)
    y = y/10
    y(:, j) = x*y(j, :)
  end do
end subroutine twice
