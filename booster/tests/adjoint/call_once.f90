! call top x=[0.5,1.5] y=0
module pool
  implicit none
  real(8), allocatable :: w(:)
contains
  subroutine begin(n)
    integer, intent(in) :: n
    allocate(w(n))
    w = 2.0d0
  end subroutine begin
  subroutine noise(a)
    real(8), intent(inout) :: a
    real(8) :: r
    call random_number(r)
    a = a*a*(1.0d0 + 0.0d0*r)
  end subroutine noise
  subroutine local(a)
    real(8), intent(inout) :: a
    real(8), allocatable :: t(:)
    integer :: i
    allocate(t(0:2))
    t = a
    do i = 1, 2
      t(i) = t(i)*t(i - 1)
      a = a*t(i)
    end do
    !$oxad nocheckpoint
    call inner(t, a)
    a = a*t(2)
  end subroutine local
  subroutine inner(t, a)
    real(8), intent(inout) :: t(0:2), a
    t(1) = t(2)*a
    a = a*t(1)
  end subroutine inner
end module pool
subroutine top(x, y)
  use pool
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  call begin(2)
  w(1) = x(1)*x(2)
  call noise(x(1))
  call noise(w(1))
  !$oxad nocheckpoint
  call local(w(1))
  y = w(1)*w(2)*x(1)
  deallocate(w)
end subroutine top
