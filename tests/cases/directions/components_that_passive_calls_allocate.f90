! Passive calls allocate components beside those that have derivatives: of an argument, a local variable of the host, an
! element of an array.
module allocated_by_passive_calls
  implicit none
  type part
    real(8) :: v = 0.86d0
  end type part
  type cell
    type(part), allocatable :: idle, own
    real(8), allocatable :: work(:)
  end type cell
contains
  subroutine give(o, u)
    type(part), allocatable, intent(out) :: o
    real(8), intent(in) :: u
    allocate (o)
    o%v = u
  end subroutine give
  subroutine fill(w)
    real(8), allocatable, intent(inout) :: w(:)
    w = [1d0, 2d0]
  end subroutine fill
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(cell) :: c, all(2)
    call within
    call give(c%own, x(1))
    call give(all(2)%own, x(3))
    call give(all(1)%idle, x(2))
    call fill(all(1)%work)
    y = c%own%v**2*all(2)%own%v
    c%work(2) = x(2)*y
    y = y*sum(c%work)
    deallocate (c%idle, c%work)
    deallocate (all(1)%idle)
    deallocate (all(1)%work)
  contains
    subroutine within
      call give(c%idle, x(2))
      call fill(c%work)
    end subroutine within
  end subroutine p
end module allocated_by_passive_calls
