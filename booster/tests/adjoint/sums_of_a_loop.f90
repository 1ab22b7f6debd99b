! call lower n=4 a=[4,1,2,3,1,5,1,2,2,1,6,1,3,2,1,7]
! call none n=0 m=0 x=[1,2,3] y=[4,5,6]
! call none n=3 m=2 x=[1,2,3] y=[4,5,6]
! call read n=3 k=2 x=[1,2,3] y=[4,5,6]
! call two n=3 k=2 l=2 x=[1,2,3] y=[4,5,6]
! call two n=3 k=1 l=3 x=[1,2,3] y=[4,5,6]
! call moving n=3 x=[1,2,3] y=[4,5,6]
! call downwards n=3 x=[1,2,3] y=[4,5,6]
! What each round of the backward sweep adds to one element of an array is summed in a variable, where
! the loop names other elements of the array and those that it reads are surely others.
subroutine lower(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, k, l
  do k = 2, n
    do l = 1, k - 1
      do i = k, n
        a(i, k) = a(i, k) - a(i, l)*a(k, l)
      end do
    end do
  end do
end subroutine lower

! A loop that has no round names no element: m is none.
subroutine none(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  integer :: i
  do i = 1, n
    y(i) = y(i)*x(i)*x(m)
  end do
end subroutine none

! The element may be one that the loop reads.
subroutine read(n, k, x, y)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(inout) :: x(3), y(3)
  integer :: i
  do i = 1, n
    x(i) = y(i)*x(k)
  end do
end subroutine read

! Two elements, which may be the same one.
subroutine two(n, k, l, x, y)
  implicit none
  integer, intent(in) :: n, k, l
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  integer :: i
  do i = 1, n
    y(i) = x(i)*x(k) + sin(x(l))
  end do
end subroutine two

! The subscript changes in the loop.
subroutine moving(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  integer :: i, k
  k = 1
  do i = 1, n
    y(i) = x(i)*x(k)
    k = i
  end do
end subroutine moving

! A loop that counts downwards.
subroutine downwards(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  integer :: i
  do i = n, 1, -1
    y(i) = y(i)*x(i)*x(2)
  end do
end subroutine downwards
