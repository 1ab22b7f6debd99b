! call p x=[0.7,1.2,0.9,1.1] y=[0.0,0.0,0.0,0.0]
! FORTRAN 66 declared dummy arrays of any size a(1): what is recorded of one is all that is passed.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(4)
  real(8) :: w(8), f(2, 4)
  call drive(x, w, 4)
  call columns(f, 2, w, 4)
  call copy(y, w, f, 4)
end subroutine p

subroutine drive(x, w, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(1)
  real(8), intent(inout) :: w(1)
  integer :: i
  do i = 1, 2*n
    w(i) = 0.1d0*i*x(1)
  end do
  call step(x, w, n)
  call step(w, w(n+1), n)
  call step(w(n+1), w, n)
end subroutine drive

subroutine step(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(1)
  real(8), intent(inout) :: b(1)
  integer :: i
  call smooth(a, b, n)
  do i = 1, n
    b(i) = a(i)*a(n+1-i) + sin(b(i))
  end do
  call smooth(a, b, n)
end subroutine step

subroutine smooth(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(1)
  real(8), intent(inout) :: b(1)
  integer :: i
  do i = 2, n
    b(i) = b(i) + 0.2d0*b(i-1)*a(i)
  end do
end subroutine smooth

subroutine columns(f, ld, w, n)
  implicit none
  integer, intent(in) :: ld, n
  real(8), intent(inout) :: f(ld, 1)
  real(8), intent(in) :: w(1)
  integer :: i, j
  do j = 1, n
    do i = 1, ld
      f(i, j) = w(j)*i
    end do
  end do
  do j = 2, n
    do i = 1, ld
      f(i, j) = f(i, j)*cos(f(i, j-1))
    end do
  end do
end subroutine columns

subroutine copy(y, w, f, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: y(n)
  real(8), intent(in) :: w(n), f(2, n)
  y = w*f(1, :) + f(2, :)
end subroutine copy
