! call pairs n=3 x=[0.3,0.9,1.7,0.2,0.5,1.1,0.7,1.3,0.4] y=0.5
! call chain n=4 x=[0.3,0.9,1.7,0.2] y=[1,2,3,4]
! call arms n=4 x=[0.3,-0.9,1.7,-0.2] y=[1,2,3,4]
! call lost n=4 x=[0.3,0.9,1.7,0.2] y=[1,2,3,4]
! call steps n=3 x=[0.3,0.9,1.7] y=0.5
! call inner n=3 x=[0.3,0.9,1.7] y=0.5
! call leaves n=4 x=[0.3,0.9,1.7,0.2] y=[1,2,3,4]
! call costly n=3 x=[0.3,0.9,1.7] y=[1,2,3]
! Values that the backward sweep computes again from what it has, and values that it cannot.
! Everything of a pair follows from the positions.
subroutine pairs(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3, n)
  real(8), intent(inout) :: y
  real(8) :: d(3), r, w
  integer :: i, j
  do i = 1, n
    do j = i + 1, n
      d = x(:, j) - x(:, i)
      r = dot_product(d, d) + 1
      w = 1/sqrt(r)
      y = y + w*r*sum(d*d)
    end do
  end do
end subroutine pairs

! Operands that are computed again themselves, and an index.
subroutine chain(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: a, b, c
  integer :: i, k
  do i = 1, n
    k = n + 1 - i
    a = x(k)*x(i)
    b = a*a + x(i)
    c = b/(a + 2)
    y(k) = y(k)*a*b*c
  end do
end subroutine chain

! What an arm computes is computed again in the arm.
subroutine arms(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    if (x(i) > 0) then
      t = x(i)*x(i)
      y(i) = y(i)*t*t
    else
      t = 2*x(i)
      y(i) = y(i) - t*t*t
    end if
  end do
end subroutine arms

! An operand that is overwritten between the value and its use is no operand.
subroutine lost(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t, s
  integer :: i
  do i = 1, n
    s = sin(x(i))
    t = s*x(i)
    s = s + t*t
    y(i) = y(i)*t*s
  end do
end subroutine lost

! The statement that overwrites an operand reads the value itself.
subroutine steps(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: state(n), rate(n)
  integer :: i, step
  state = x
  do step = 1, 3
    do i = 1, n
      rate(i) = state(i)*state(i)
    end do
    rate = state*state + 1
    state = state + rate*state/10
  end do
  y = y*sum(state)
end subroutine steps

! The end of the loop around is the end of an inner loop.
subroutine inner(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: t
  integer :: i, j
  do i = 1, n
    t = x(i)*x(1)
    do j = 1, 2
      y = y*t + t*t*j
    end do
  end do
end subroutine inner

! Some iterations end early, some end the loop.
subroutine leaves(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = x(i)*x(i)
    if (t > 2.5d0) cycle
    y(i) = y(i)*t*t
    if (t < 0.05d0) exit
    y(i) = y(i) + t*x(i)
  end do
end subroutine leaves

! A value that costs more than a record is recorded.
subroutine costly(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = exp(sin(x(i)))**1.5d0
    y(i) = y(i)*t
  end do
end subroutine costly
