! call p x=[0.5,1.5,2.5] y=0
! A component that a constructor leaves without memory has none in the derivative.
module parts
  implicit none
  type part
    real(8) :: v
    real(8), allocatable :: a(:), s
  end type part
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(part) :: o, many(2)
    o = part(x(1)**2, null(), null())
    many = [part(x(1), null(), x(2)), part(x(2)*x(3), x, s=null())]
    y = o%v + many(1)%v*many(1)%s + sum(many(2)%a)
    if (.not. (allocated(o%a) .or. allocated(many(2)%s))) o%a = x*o%v
    allocate (o%s)
    o%s = many(2)%v
    y = y*sum(o%a)*o%s
  end subroutine p
end module parts
