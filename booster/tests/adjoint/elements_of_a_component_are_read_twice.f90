! call p x=[0.7,0.4,1.2,0.9] y=0.3
module table_mod
  implicit none
  type :: table
    real(8) :: m(2, 3), v(0:4)
  end type table
contains
  function dotp(n, a, ia, b, ib) result(r)
    integer, intent(in) :: n, ia, ib
    real(8), intent(in) :: a(*), b(*)
    real(8) :: r
    integer :: i, ja, jb
    r = 0
    ja = 1
    jb = 1
    if (ia < 0) ja = (1 - n)*ia + 1
    do i = 1, n
      r = r + a(ja)*b(jb)**2
      ja = ja + ia
      jb = jb + ib
    end do
  end function dotp
end module table_mod

subroutine p(x, y)
  use table_mod
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(inout) :: y
  type(table) :: t, s(2)
  t%m = reshape([x, x(2), y], [2, 3])
  t%v = [y, x]
  s(1) = t
  s(2) = t
  s(2)%v = 2*t%v
  y = dotp(2, t%m(1,2), -1, t%m(1,1), 2)
  y = y + dotp(3, t%v(0), 1, t%v(2), 1)
  y = y*dotp(3, s(2)%v(0), 2, s(2)%v(1), 1)
end subroutine p
