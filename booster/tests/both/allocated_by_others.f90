! call p x=[0.5,1.5,0.75] y=0.5
! Passive procedures allocate components of variables of which other components have derivatives: of a dummy argument of
! the host, a local variable of the host, and a variable of the module.
module allocated_by_others
  implicit none
  type :: part
    real(8) :: v = 0.86d0
  end type part
  type :: cell
    type(part), allocatable :: idle, own
    real(8), allocatable :: work(:)
  end type cell
  type(cell) :: shared
contains
  subroutine give(o, u)
    type(part), allocatable, intent(out) :: o
    real(8), intent(in) :: u
    allocate (o)
    o%v = u
  end subroutine give
  subroutine prepare(u)
    real(8), intent(in) :: u
    call give(shared%idle, u)
    shared%work = [u, u]
  end subroutine prepare
  subroutine setup(o, u)
    type(cell), intent(inout) :: o
    real(8), intent(in) :: u
    type(cell) :: l
    call within
    call give(o%own, u)
    call give(l%own, u*u)
    o%own%v = o%own%v*l%own%v
    deallocate (l%idle)
  contains
    subroutine within
      call give(o%idle, u)
      call give(l%idle, u)
    end subroutine within
  end subroutine setup
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(cell) :: c
    call setup(c, x(1))
    call prepare(x(2))
    call give(shared%own, x(3))
    y = c%own%v**2 + shared%own%v*x(1)
    deallocate (c%idle)
    deallocate (shared%idle)
    deallocate (shared%work)
    deallocate (shared%own)
  end subroutine p
end module allocated_by_others
