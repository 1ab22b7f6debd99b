! call one n=4 x=[1,-2,0.5,0.25] y=[1,2,3,4] s=2
! call in_place n=5 x=[1,-2,0.5,0.25,3] s=0.5
! call arms n=5 x=[1,-2,0.5,0.25,3] y=[3,4,5,6,7]
! call nested n=5 x=[1,-2,0.5,0.25,3] y=[3,4,5,6,7]
! call reads_what_it_writes n=5 x=[1,-2,0.5,0.25,3] s=2
! Assignments under a mask have their adjoints under the same mask; a scalar gets a sum.
subroutine one(n, x, y, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), s
  real(8), intent(inout) :: y(n)
  where (x > 0.0d0) y = sqrt(x)*s + y/x
  where (y > 2.0d0) y = s
  where (x < 0.0d0) y(:) = x/sum(x*x)
end subroutine one

subroutine in_place(n, x, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), s
  where (x > 0.0d0) x = x*x
  where (x > 0.1d0) x = x + s
  where (x(1:n - 1) > 0.5d0) x(1:n - 1) = x(2:n)*x(1:n - 1)
  s = s*sum(x)
end subroutine in_place

subroutine arms(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y(n)
  where (x > 0.3d0)
    x = x*y
    ! The mask is not evaluated again.
    y = log(x)
  elsewhere (x > 0.0d0)
    y = x*x
  elsewhere
    x = 2.0d0*y
    y = 1.0d0
  end where
end subroutine arms

subroutine nested(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y(n)
  where (x > 0.0d0)
    y = y*x
    where (x > 0.6d0)
      x = x*y
    elsewhere
      x = y
    end where
  elsewhere
    y = exp(x)
  end where
end subroutine nested

subroutine reads_what_it_writes(n, x, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: s
  where (x(n:1:-1) > 0.0d0) x = x*s + x(n:1:-1)
end subroutine reads_what_it_writes
