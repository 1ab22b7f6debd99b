! call p x=1.5 y=0
! along x=1 y=0
module parts
  implicit none
  type inner
    real(8) :: r, w(3)
    real(8), allocatable :: q(:)
  end type inner
  type outer
    real(8) :: a
    integer :: k
    type(inner) :: i
  end type outer
contains
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(inner) :: c
    type(outer) :: o, pair(2)
    c = inner(1.0d0, 2.0d0, [3.0d0])
    o = outer(x*x, 3, c)
    pair = outer(k=2, i=c, a=x)
    y = o%a*o%i%r + sum(o%i%w)*pair(2)%a + pair(1)%i%q(1)*o%k
  end subroutine p
end module parts
