! call work n=4 x=[1,2,0.5,0.25] y=0
! call grows n=3 x=[1,2,0.5] y=0
! call released n=3 x=[1,2,0.5] y=0
! call moved n=3 x=[1,2,0.5] y=0
! call with_stat n=3 x=[1,2,0.5] y=0
! call from_source n=3 x=[1,2,0.5] y=0
! call scalar x=3 y=0
! The adjoint of an allocatable variable lives as its original does; what is released is
! allocated again.
subroutine work(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:), v(:, :)
  allocate(w(0:n), v(2, n))
  w(0) = x(1)
  w(1:n) = x*x
  v(1, :) = w(1:n)*w(0)
  v(2, :) = v(1, :)*x
  w = w*w
  y = sum(v)*w(n) + w(0)
  deallocate(v)
end subroutine work

subroutine grows(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  w = x
  w = [w*w, x(1)*w(n)]
  w = w(2:)*x
  w = sin(w)
  w = 2.0d0*x(2:n)
  w = 1.0d0
  w = x(1:2)*w
  y = sum(w)
end subroutine grows

subroutine released(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  real(8) :: s
  allocate(w(-1:n - 2))
  w = x*x
  s = sum(w*w)
  deallocate(w)
  allocate(w(2))
  w = s*x(1:2)
  y = w(1)*w(2)
end subroutine released

subroutine moved(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:), v(:)
  allocate(w(n))
  w = x*x
  allocate(v(2*n))
  v(1:n) = w*x
  v(n + 1:2*n) = sin(w)
  y = sum(v*v)
  call move_alloc(v, w)
  y = y + w(1)*w(2*n)
end subroutine moved

subroutine with_stat(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  integer :: status
  allocate(w(n), stat=status)
  w = x*x
  y = sum(w*x)
  allocate(w(2*n), stat=status)
  if (status /= 0) y = y*w(1)
  deallocate(w, stat=status)
end subroutine with_stat

subroutine from_source(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:), v(:), u(:)
  allocate(w, source=x*x)
  allocate(v(2), source=x(2))
  allocate(u, mold=w)
  u = w*v(1)
  y = sum(u)*v(2)
end subroutine from_source

subroutine scalar(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), allocatable :: s
  s = x*x
  s = s*x
  y = s*s
end subroutine scalar
