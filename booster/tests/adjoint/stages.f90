! call step n=4 nt=3 q=[0.3,0.9,1.7,-0.2,0.5,1.1,0.7,1.3] y=0
! call triangle n=4 nt=3 q=[0.3,0.9,1.7,-0.2,0.5,1.1,0.7,1.3] y=0
! call none n=4 nt=3 q=[0.3,0.9,1.7,-0.2,0.5,1.1,0.7,1.3] y=0
! call twice n=4 nt=3 q=[0.3,0.9,1.7,-0.2,0.5,1.1,0.7,1.3] y=0
! Arrays that loops compute: the backward sweep computes them again.

! Three rows, one from another; slopes with their ends, from a scalar of the iteration.
subroutine step(n, nt, q, y)
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: q(2, n)
  real(8), intent(out) :: y
  real(8) :: w(3, n), s(n), f(n), d
  integer :: i, it
  do it = 1, nt
    do i = 1, n
      w(1, i) = q(1, i)
      w(2, i) = q(2, i)*q(1, i)
      w(3, i) = w(1, i) + 0.5d0*w(2, i)
    end do
    s(1) = 0
    s(n) = w(1, n)
    do i = 2, n - 1
      d = w(1, i+1) - w(1, i-1)
      s(i) = d*d
    end do
    do i = 1, n
      f(i) = sin(w(3, i))*s(i)*w(2, i)
    end do
    do i = 2, n
      q(1, i) = q(1, i) + 0.1d0*(f(i) - f(i-1))
    end do
  end do
  y = sum(q(1, :)**2)
end subroutine step

! Bounds that depend on the loop around, and a step downwards.
subroutine triangle(n, nt, q, y)
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: q(2, n)
  real(8), intent(out) :: y
  real(8) :: a(n, n), b(n), g
  integer :: i, j, it
  do it = 1, nt
    do j = 1, n
      do i = 1, j
        a(i, j) = q(1, i)*q(2, j)
      end do
    end do
    do i = n, 1, -2
      b(i) = q(1, i)*q(1, i)
    end do
    g = 0
    do j = n, 1, -2
      do i = 1, j
        g = g + a(i, j)*a(i, j)*b(j)*b(j)
      end do
    end do
    q(1, 1) = q(1, 1) + 0.1d0*cos(g)
    q(2, :) = 0.5d0*q(2, :)
  end do
  y = g
end subroutine triangle

! A recurrence, a branch, a bound that changes, an array that is written elsewhere, an operand that changes in between: recorded.
subroutine none(n, nt, q, y)
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: q(2, n)
  real(8), intent(out) :: y
  real(8) :: r(n), b(n), m(n), e(n), o(n), t
  integer :: i, it, last
  last = n
  m = 0
  b = 0
  do it = 1, nt
    r(1) = q(1, 1)
    do i = 2, n
      r(i) = r(i-1)*q(1, i)
    end do
    do i = 1, n
      if (q(1, i) > 0) b(i) = q(1, i)*q(1, i)
    end do
    do i = 1, last
      m(i) = q(2, i)*q(2, i)
    end do
    do i = 1, n
      e(i) = q(1, i)*q(2, i)
    end do
    do i = 1, n
      o(i) = q(1, i)*q(2, i)
      q(2, i) = 0.9d0*q(2, i)
    end do
    t = sum(r*r) + sum(b*b) + sum(m*m) + sum(e*e) + sum(o*o)
    e(1) = t
    q(1, 1) = q(1, 1) + 0.1d0*sin(t)*e(1)
    last = max(1, last - 1)
  end do
  y = t + e(1)*e(1)
end subroutine none

! An element that is written twice, one that is read before it is written, and a loop that overwrites an operand behind its use.
subroutine twice(n, nt, q, y)
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: q(2, n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(n), t
  integer :: i, it
  b = 1
  do it = 1, nt
    do i = 1, n
      a(i) = q(1, i)
      a(max(1, i-1)) = q(2, i)*q(1, i)
    end do
    do i = 1, n
      b(i) = 0.5d0*b(i) + q(1, i)
    end do
    do i = 1, n - 1
      c(i) = q(1, i+1)*q(2, i)
      q(1, i) = q(1, i) + 0.1d0*c(i)
    end do
    c(n) = 1
    t = sum(a*a)*sum(b*b) + sum(c*c*c)
    q(2, 1) = sin(t)
  end do
  y = t
end subroutine twice
