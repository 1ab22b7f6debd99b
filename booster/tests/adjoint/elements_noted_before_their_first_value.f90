! call p x=[0.5,1,1.5,2,0.25,0.75] y=[0,0,0,0,0,0]
! call q x=[0.5,1,1.5,2,0.25,0.75] y=[0,0,0,0,0,0]
! call r n=0 m=0 x=[] y=0.25
! call r n=2 m=9 x=[1,2,3,4,5,6,7,8,9] y=0.25
! What a round records before its first assignment has no value in the first round: elements with constant
! subscripts begin with zero, since compilers warn of them. `w` of `q` has values before the loop; `v` of `r` may have no elements.
module noted_before
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y(6)
    real(8) :: u(2)
    integer :: i
    do i = 1, 6
      u(1) = x(i)*x(7-i)
      u(2) = sin(x(i))
      y(i) = u(1)*u(2)**2*u(1)
    end do
  end subroutine p

  subroutine q(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y(6)
    real(8) :: u(2, 2), w(2)
    integer :: i, j
    w = x(1)
    do j = 1, 2
      do i = 1, 6
        u(1, j) = x(i)*w(1)
        u(2, 1) = sin(x(i))*w(2)
        w(1) = w(1)*u(2, 1)
        w(2) = u(1, j)*cos(w(2))
        y(i) = u(1, j)*u(2, 1)**2*w(2)
      end do
    end do
  end subroutine q

  subroutine r(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(m)
    real(8), intent(inout) :: y
    real(8) :: v(n)
    integer :: i
    do i = 1, m
      v(1) = x(i)*y
      v(2) = sin(v(1))
      y = v(1)*v(2)**2
    end do
  end subroutine r
end module noted_before
