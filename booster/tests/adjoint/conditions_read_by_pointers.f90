! call p n=2 x=[0.7,0.4,0.9] y=0.5
! call p n=3 x=[0.7,0.4,0.9] y=0.5
! call sums k=1 x=[0.7,0.4,0.9] y=0.5
! call sums k=2 x=[0.7,0.4,0.9] y=0.5
! What decides about the way is read through pointers, and the way that is taken lets them point elsewhere: the
! backward sweep takes that back when it has found the way.
module ways
  implicit none
  type :: node
    integer :: many = 2
    real(8) :: limit = 0.5d0
  end type
  type :: cursor
    type(node), pointer :: at
  end type
contains
  subroutine p(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(3), y
    real(8), target :: levels(4)
    real(8), pointer :: now(:)
    levels = [0.9d0, 0.8d0, 0.2d0, 0.1d0]
    now => levels(1:2)
    if (now(2) < 0.5d0 .and. n /= 4) then
      y = sin(x(1))
    else
      now => levels(3:4)
      y = cos(x(1))*x(2)
    end if
    if (n > 2) then
      y = y*x(3)
    else if (now(2) < 0.5d0 .and. n /= 4) then
      y = y*y
      now => levels(1:2)
    else
      y = y*x(1)
    end if
    y = y*sin(now(1)*x(2))
  end subroutine

  subroutine sums(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3), y
    type(node), target :: nodes(2)
    type(cursor) :: c, d
    integer :: i
    nodes(2)%many = 3
    nodes(2)%limit = 2
    c%at => nodes(1)
    d%at => nodes(2)
    do i = 1, c%at%many
      y = y*x(i)
      c%at => nodes(2)
    end do
    if (c%at%limit > 1) then
      y = y*cos(y)
      c = d
      d%at => nodes(k)
    end if
    if (d%at%limit > 1) then
      y = y*x(1)
      call move_on(d, nodes)
    else
      y = y*x(2)
      call move_on(d, nodes)
    end if
    y = y*d%at%limit
  end subroutine

  subroutine move_on(d, nodes)
    type(cursor), intent(inout) :: d
    type(node), target, intent(in) :: nodes(2)
    if (associated(d%at, nodes(1))) then
      d%at => nodes(2)
    else
      d%at => nodes(1)
    end if
  end subroutine
end module
