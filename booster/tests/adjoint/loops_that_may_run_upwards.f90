! call stencil n=6 x=[1.0,2.0,3.0,4.0,5.0,6.0] y=[0.0,0.0,0.0,0.0,0.0,0.0]
! call order n=4 x=[1.0,2.0,3.0,4.0] s=0.5
! call planes n=3 m=4 a=[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]
! call twos n=7 x=[1.0,2.0,3.0,4.0,5.0,6.0,7.0]
! call places n=3 k=[2,1,3] x=[1.0,2.0,3.0] y=[1.0,2.0,3.0]
! Sums to different elements, and a scalar that each round begins anew.
subroutine stencil(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: e
  integer :: i
  do i = 2, n - 1
    e = exp(x(i)/10)
    y(i-1) = y(i-1) + e
    y(i) = y(i) + 3*e
  end do
  ! The user's own order stays.
  do i = n, 1, -1
    y(i) = 2*y(i)
  end do
end subroutine stencil

! The rounds depend on one another: downwards.
subroutine order(n, x, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), s
  integer :: i
  do i = 2, n
    x(i) = x(i)*x(i-1)
  end do
  do i = 1, n
    s = s*x(i)
  end do
  do i = 2, n
    x(i) = x(i-1)
  end do
end subroutine order

subroutine planes(n, m, a)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(inout) :: a(n, m)
  real(8) :: b(n, m)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      b(i, j) = 2*a(i, j)
    end do
  end do
  do j = 2, m
    do i = 1, n
      a(i, j) = a(i, j) + b(i, j-1)
    end do
  end do
  ! From plane to plane, within each in any order.
  do j = 2, m
    do i = 1, n
      a(i, j) = a(i, j) + 3*a(i, j-1)
    end do
  end do
end subroutine planes

! Steps of two stay.
subroutine twos(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n, 2
    x(i) = 3*x(i)
  end do
end subroutine twos

! Which elements are read nobody knows, but they are only added to.
subroutine places(n, k, x, y)
  implicit none
  integer, intent(in) :: n, k(n)
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = y(i) + 2*x(k(i))
  end do
  do i = 1, n
    y(k(i)) = 3*x(i)
  end do
end subroutine places
