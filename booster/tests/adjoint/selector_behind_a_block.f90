! call drive n=2 x=[0.7,1.3] y=0.5
! The subscript of a selector is kept in a variable of the procedure, also behind a BLOCK.
module behind_a_block
  implicit none
  type :: node
    real(8) :: v = 1
  end type
  type, extends(node) :: wide
    real(8) :: c = 1
  end type
  type :: holder
    class(node), allocatable :: n
  end type
contains
  subroutine drive(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(holder) :: h(2)
    integer :: k
    allocate (h(1)%n, source=wide(x(1), x(2)))
    allocate (h(2)%n, source=node(x(2)))
    y = 0
    k = 1
    block
      integer :: c
      c = k
      h(c)%n%v = h(c)%n%v**2
    end block
    select type (w => h(k)%n)
    class is (wide)
      w%v = w%v*w%c
      k = 2
    end select
    y = h(1)%n%v*h(k)%n%v
  end subroutine
end module
