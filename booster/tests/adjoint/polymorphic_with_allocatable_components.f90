! call p x=[0.4,-0.7,0.3] y=0.0
! Polymorphic objects whose types have allocatable components get adjoints of their type and shape:
! made by ALLOCATE with a type, with SOURCE=, by assignment, in a procedure that is given them to
! allocate, and as components of others.
module layers
  implicit none
  type, abstract :: layer
    real(8) :: gain = 1.0d0
  contains
    procedure(forward), deferred :: forward
  end type layer
  type, extends(layer) :: dense
    real(8), allocatable :: w(:, :), b(:)
  contains
    procedure :: forward => dense_forward
  end type dense
  type, extends(layer) :: plain
    real(8) :: shift = 0.1d0
  contains
    procedure :: forward => plain_forward
  end type plain
  type :: holder
    class(layer), allocatable :: l
  end type holder
  abstract interface
    subroutine forward(self, v)
      import :: layer
      class(layer), intent(inout) :: self
      real(8), intent(inout) :: v(:)
    end subroutine forward
  end interface
contains
  subroutine dense_forward(self, v)
    class(dense), intent(inout) :: self
    real(8), intent(inout) :: v(:)
    v = tanh(matmul(self%w, v) + self%b)*self%gain
    self%b = self%b*v
  end subroutine dense_forward

  subroutine plain_forward(self, v)
    class(plain), intent(inout) :: self
    real(8), intent(inout) :: v(:)
    v = sin(v + self%shift)*self%gain
    self%shift = self%shift*v(1)
  end subroutine plain_forward

  subroutine make(l, n, u)
    class(layer), allocatable, intent(out) :: l
    integer, intent(in) :: n
    real(8), intent(in) :: u
    integer :: i
    if (n > 0) then
      allocate (dense :: l)
    else
      allocate (plain :: l)
    end if
    select type (l)
    type is (dense)
      allocate (l%w(n, n), l%b(n))
      do i = 1, n
        l%w(:, i) = cos(u*i)
      end do
      l%b = u*u
    type is (plain)
      l%shift = u
    end select
    l%gain = 1.0d0 + 0.1d0*u
  end subroutine make

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(holder) :: net(3)
    class(layer), allocatable :: one, two
    real(8) :: v(2)
    integer :: i
    call make(net(1)%l, 2, x(1))
    call make(net(2)%l, 0, x(2))
    call make(one, 2, x(3)*x(1))
    allocate (net(3)%l, source=one)
    v = x(1:2)
    do i = 1, 3
      call net(i)%l%forward(v)
    end do
    allocate (two, source=net(1)%l)
    call two%forward(v)
    y = v(1)*v(2)
    deallocate (two)
    allocate (two, source=one)
    call two%forward(v)
    call one%forward(v)
    y = y + v(1) + 2.0d0*v(2)
  end subroutine p
end module layers
