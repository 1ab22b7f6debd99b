module printable
  implicit none
  type :: money
    integer :: cents = 0
  contains
    procedure, private :: put
    generic :: write(formatted) => put
  end type money
contains
  subroutine put(self, unit, iotype, vlist, iostat, iomsg)
    class(money), intent(in) :: self
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    write (unit, '(i0, ".", i2.2, 1x, a, i2)', iostat=iostat, iomsg=iomsg) &
      self%cents/100, mod(self%cents, 100), iotype, size(vlist)
  end subroutine put
end module printable

program wallet
  use printable
  implicit none
  type(money) :: m = money(1234)
  print '(dt"EUR"(2))', m
  write (*, *) m
end program wallet
