! call p x=[0.7,1.3,0.9] y=0.5
! along x=[1,-1,0.5] y=0.25
! A passive call allocates by assignment, or releases an INTENT(OUT) argument; a later one relies on that, though nothing
! reads the values.
module passive_calls_allocate_for_others
  implicit none
  type :: bag
    real(8), allocatable :: h(:)
  end type bag

contains

  subroutine give(h)
    real(8), allocatable, intent(inout) :: h(:)

    h = [1d0, 2d0]
  end subroutine give

  subroutine take(h)
    real(8), allocatable, intent(inout) :: h(:)

    deallocate(h)
  end subroutine take

  subroutine clear(h)
    real(8), allocatable, intent(out) :: h(:)
  end subroutine clear

  subroutine give_bag(b)
    type(bag), intent(inout) :: b

    b = bag([1d0])
  end subroutine give_bag

  subroutine take_bag(b)
    type(bag), intent(inout) :: b

    deallocate(b%h)
  end subroutine take_bag

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    real(8), allocatable :: h(:), g(:)
    type(bag) :: b

    call give(h)
    call take(h)
    y = y*sin(x(1))
    allocate(g(2), source=x(2))
    y = y*g(1)
    call clear(g)
    allocate(g(1), source=x(3))
    y = y*g(1)
    call give_bag(b)
    call take_bag(b)
    y = y*y
  end subroutine p
end module passive_calls_allocate_for_others
