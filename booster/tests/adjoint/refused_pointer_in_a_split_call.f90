! What would be elsewhere in the backward sweep is refused.
module pointer_split
  implicit none
contains
  subroutine argument(n, x, y)
    integer, intent(in) :: n
    real(8), target :: x(n)
    real(8), intent(inout) :: y
    real(8), pointer :: p
    p => x(2)
    y = y*x(1)*p
  end subroutine argument
  subroutine saved(x, y)
    real(8), intent(inout) :: x(:), y
    real(8), target, save :: kept(2) = 1.0d0
    real(8), pointer :: p
    p => kept(2)
    y = y*p + x(1)
    p = y
  end subroutine saved
  subroutine allocated_there(x, y)
    real(8), intent(inout) :: x(:), y
    real(8), target, allocatable :: grown(:)
    real(8), pointer :: p
    allocate(grown(2))
    grown = y
    p => grown(2)
    y = y*p + x(1)
  end subroutine allocated_there
  subroutine sequence(x, y)
    real(8), intent(inout) :: x(:), y
    real(8), target :: a(3)
    real(8), pointer :: p
    a = x(1)
    p => a(2)
    call rest(2, a(2))
    y = y*p
  end subroutine sequence
  subroutine rest(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    x = x*x(1)
  end subroutine rest
  subroutine kept_pointer(x, y)
    real(8), intent(inout) :: x(:), y
    real(8), pointer, save :: p
    if (y > 0.0d0) allocate(p)
    p = x(1)*y
    y = p*p
  end subroutine kept_pointer
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    real(8), allocatable :: z(:)
    !$oxad nocheckpoint
    call by_value(x(1), y)
    !$oxad nocheckpoint
    call saved(x, y)
    !$oxad nocheckpoint
    call allocated_there(x, y)
    !$oxad nocheckpoint
    call sequence(x, y)
    !$oxad nocheckpoint
    call kept_pointer(x, y)
    allocate(z(2))
    z = x(1)
    !$oxad nocheckpoint
    call argument(2, z, y)
  end subroutine top
  subroutine copies(x, y)
    real(8), intent(inout) :: x(:), y
    !$oxad nocheckpoint
    call argument(2, x(1:3:2), y)
  end subroutine copies
  subroutine values(x, y)
    real(8), intent(inout) :: x(:), y
    !$oxad nocheckpoint
    call argument(2, x*y, y)
  end subroutine values
end module pointer_split
