! Elements and components that are structures, with allocatable components of their own.
module within
  implicit none
  type leaf
    real(8) :: v = 0.5d0, w(3) = 0.25d0
    real(8), allocatable :: more(:)
  end type leaf
  type tree
    type(leaf) :: two(2), one
    type(leaf), allocatable :: many(:), last
  end type tree
contains
  subroutine begin(a, l)
    real(8), intent(in) :: a
    type(leaf), intent(out) :: l
    l%v = a*a
    l%more = [a, a**3]
  end subroutine begin
  subroutine scaled(a, l)
    real(8), intent(in) :: a
    type(leaf), intent(inout) :: l
    l%v = a*l%v
    l%w(2:) = a*l%w(:2)
  end subroutine scaled
  subroutine all_of(a, l)
    real(8), intent(in) :: a
    type(leaf), intent(inout) :: l(:)
    integer :: i
    do i = 1, size(l)
      l(i)%v = l(i)%v + a**i
    end do
  end subroutine all_of
  function made(a) result(l)
    real(8), intent(in) :: a
    type(leaf) :: l
    l%v = cos(a)
    l%w(1) = a
    l%more = [a]
  end function made
  function total(l) result(s)
    type(leaf), intent(in) :: l
    real(8) :: s
    s = l%v**2 + product(l%w)
    if (allocated(l%more)) s = s + sum(l%more**2)
  end function total
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(tree) :: t, other(2)
    integer :: i
    allocate (t%many(0:2), t%last, other(2)%many(2))
    t%two(2)%w = x
    call begin(x(1), t%two(1))
    call begin(x(2), t%many(1))
    call begin(x(3), t%one)
    call scaled(x(1), t%one)
    call scaled(x(2), t%two(2))
    call all_of(x(1), t%many)
    call all_of(x(2), t%many(2:0:-2))
    call all_of(x(3), other(2)%many(2:2))
    call scaled(x(3), other(2)%many(1))
    t%last = made(x(2))
    t%many(0) = made(x(1)*x(2))
    other(1)%two = t%two
    other(1)%two(1)%more(2) = x(3)*other(1)%two(2)%w(3)
    y = total(t%one)*total(t%last)
    do i = 1, 2
      y = y + total(t%two(i)) + total(t%many(i)) + total(other(1)%two(i)) + total(other(2)%many(i))
    end do
    y = y + total(t%many(0))
  end subroutine p
end module within
