! call elements n=4 x=[1.1,0.7,1.3,0.9] y=[1,2,3,4]
! call elements n=0 x=[1.1,0.7,1.3,0.9] y=[1,2,3,4]
! call upwind n=4 x=[1.1,-0.7,1.3,-0.9] y=[1,2,3,4]
! call cases n=4 k=[1,2,3,2] x=[1.1,0.7,1.3,0.9]
! call some_arms n=4 x=[1.1,-0.7,1.3,0.9]
! call in_arms_too n=4 x=[1.1,-0.7,1.3,0.9]
! call deep n=3 m=2 x=[1.1,0.7,1.3] y=[1,2,3]
! call moving n=4 x=[1.1,0.7,1.3,0.9] z=[(1.0,2.0),(0.5,-1.0)]
! call outside n=4 x=[1.1,0.7,1.3,0.9]
! What rounds push of elements, components, and the numbers of arms goes to room in place.

! Elements that a round overwrites, one of them twice.
subroutine elements(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(4), y(4)
  integer :: i
  do i = 2, n
    x(i) = x(i)*y(i - 1)
    y(i) = sin(x(i)*y(i))
    x(i) = x(i)**2*y(i)
  end do
end subroutine elements

! Both arms of a construct tell which one it was.
subroutine upwind(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  real(8) :: f
  integer :: i
  do i = 2, n
    f = x(i)*y(i - 1)
    if (f > 0) then
      f = f*y(i - 1)
    else
      f = f*y(i)*x(i)
    end if
    x(i) = f*x(i)
    y(i) = y(i)*f
  end do
end subroutine upwind

! Three arms, and none of them.
subroutine cases(n, k, x)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: k(n)
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    select case (k(i))
    case (1)
      x(i) = x(i)**3
      k(i) = 2
    case (2)
      x(i) = sin(x(i))
      k(i) = 1
    end select
    x(i) = x(i)*x(i)*k(i)
  end do
end subroutine cases

! The numbers of arms within an arm stay pushed.
subroutine some_arms(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i)*x(i) - 1
    if (x(i) > 0.5d0) then
      x(i) = exp(x(i))
    else if (x(i) > 0) then
      if (x(i) > 0.25d0) then
        x(i) = sin(x(i))
      end if
    end if
  end do
end subroutine some_arms

! What only some rounds push stays pushed, beside what all do.
subroutine in_arms_too(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    if (mod(i, 2) == 0) then
      x(i) = x(i)**2
    end if
    x(i) = x(i)*sin(x(i))
  end do
end subroutine in_arms_too

! A loop in a loop: each has room of its own.
subroutine deep(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(inout) :: x(n), y(n)
  integer :: i, k
  do i = 1, n
    y(i) = y(i)*x(i)
    do k = 1, m
      x(k) = x(k)*y(i)*x(i)
    end do
    y(i) = y(i)*y(i)
  end do
end subroutine deep

! Places that move in a round, parts of complex numbers, arguments.
subroutine moving(n, x, z)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(4)
  complex(8), intent(inout) :: z(2)
  integer :: i, at(2), j
  at = [1, 2]
  do i = 1, n
    j = mod(i, 2) + 1
    x(at(j)) = x(at(j))*x(i)
    z(j)%re = z(j)%re*x(i)*z(j)%im
    at(j) = at(j) + 1
  end do
end subroutine moving

! A loop that is left from within: pushes stay.
subroutine outside(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i)*x(i)
    if (x(i) > 1.5d0) exit
    x(i) = x(i)*sin(x(i))
  end do
end subroutine outside
