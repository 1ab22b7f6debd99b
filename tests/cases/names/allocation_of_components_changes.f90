! Allocation of components changes in every way that a statement, a call or another name can change it; tests of it
! decide what is computed.
module bags
  implicit none
  type :: inner
    real(8), allocatable :: w(:)
  end type
  type :: bag
    real(8), allocatable :: v(:), s
    type(inner) :: in
    type(inner), allocatable :: more
    type(inner) :: list(2)
  contains
    procedure :: fill => fill_bag
    procedure :: drop
  end type
contains
  subroutine fill_bag(me, x)
    class(bag), intent(inout) :: me
    real(8), intent(in) :: x
    if (allocated(me%v)) then
      me%v = [me%v, x]
    else
      me%v = [x, 2*x]
    end if
    if (.not. allocated(me%s)) allocate (me%s, source=x*x)
  end subroutine
  subroutine drop(me)
    class(bag), intent(inout) :: me
    if (allocated(me%in%w)) deallocate (me%in%w)
    if (allocated(me%more)) deallocate (me%more)
  end subroutine
  subroutine fresh(b, x)
    type(bag), intent(out) :: b
    real(8), intent(in) :: x
    if (x > 0.1d0) allocate (b%in%w(0:1), source=x)
  end subroutine
  recursive subroutine deeper(b, x, n)
    type(bag), intent(inout) :: b
    real(8), intent(in) :: x
    integer, intent(in) :: n
    if (n > 0) then
      call deeper(b, x*1.1d0, n - 1)
    else
      b%more = inner([x, x**2])
    end if
  end subroutine
  real(8) function total(b)
    type(bag), intent(in) :: b
    total = 1
    if (allocated(b%v)) total = total + sum(b%v**2)
    if (allocated(b%s)) total = total*b%s
    if (allocated(b%in%w)) total = total + sin(sum(b%in%w))
    if (allocated(b%more)) then
      if (allocated(b%more%w)) total = total*(1 + sum(b%more%w))
    end if
    if (allocated(b%list(1)%w)) total = total + b%list(1)%w(1)**3
  end function
end module

subroutine p(x, y)
  use bags
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  type(bag) :: a, b
  type(bag), target :: t
  type(bag), pointer :: q
  integer :: i
  real(8), allocatable :: h(:)
  y = total(a)
  call a%fill(x(1))
  y = y*total(a)
  call a%fill(x(2))
  b = a
  y = y + total(b)
  deallocate (a%v)
  y = y*total(a) + total(b)
  call a%fill(x(3))
  associate (z => a%in)
    z%w = x(1:2)*x(3)
  end associate
  y = y + total(a)
  call a%drop()
  y = y*total(a)
  do i = 1, 3
    if (allocated(b%in%w)) then
      deallocate (b%in%w)
    else
      allocate (b%in%w(i), source=x(i))
    end if
    if (i == 2) then
      b%list(1)%w = [x(4)]
    end if
    y = y + total(b)*x(i)
  end do
  call move_alloc(b%in%w, h)
  if (allocated(h)) y = y + sum(h)
  y = y + total(b)
  call fresh(b, x(2))
  y = y*total(b)
  call deeper(b, x(1), 2)
  y = y + total(b)
  q => t
  call q%fill(x(4))
  y = y + total(t)
  deallocate (q%v)
  y = y*total(t)
  t = b
  call t%fill(x(2))
  b = t
  y = y + total(b)*total(t)
  block
    type(bag) :: c
    if (y > 0) c%s = y
    y = y + total(c)
    if (allocated(c%s)) y = y*c%s
  end block
end subroutine
