! call p x=[0.5,1.5] s=2
! call q x=[0.5,1.5] s=2
! A variable of the host that only its internal procedures name: its adjoint begins with zero.
subroutine p(x, s)
  implicit none
  real(8), intent(inout) :: x(2), s
  real(8) :: kept
  call set(x(1))
  call get(x(2))
contains
  subroutine set(q)
    real(8), intent(inout) :: q
    kept = q*s
  end subroutine set
  subroutine get(q)
    real(8), intent(inout) :: q
    q = q*kept
  end subroutine get
end subroutine p

subroutine q(x, s)
  implicit none
  real(8), intent(inout) :: x(2), s
  call p(x, s)
  call inner(x(1))
  x(2) = x(2)*s
contains
  subroutine inner(a)
    real(8), intent(inout) :: a
    real(8) :: b(2)
    b = a
    call p(b, s)
    a = b(2)
  end subroutine inner
end subroutine q
