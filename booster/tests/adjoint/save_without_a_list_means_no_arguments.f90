! call p x=[0.7,0.4,1.2] y=0.3
subroutine filter(v, n, w)
  implicit none
  integer :: n
  real(8) :: v, w(n), gain, last
  save
  data gain /1d0/, last /0d0/
  v = gain*v*v + last*w(n)
  last = v
  gain = gain + 1d0
end subroutine filter

function weight(v)
  implicit none
  real(8) :: v, weight, before
  save
  data before /0.5d0/
  weight = before*v
  before = v
end function weight

subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  real(8) :: w
  real(8), external :: weight
  integer :: i
  do i = 1, 3
    w = x(i)
    call filter(w, 3, x)
    y = y + w
    w = weight(y)
    y = y + w
  end do
end subroutine p
