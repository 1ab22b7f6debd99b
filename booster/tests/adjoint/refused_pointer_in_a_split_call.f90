! What would be elsewhere in the backward sweep, or has no adjoint in the forward sweep, is refused.
module pointer_split
  implicit none
contains
  subroutine argument(x, y)
    real(8), intent(inout), target :: x(:)
    real(8), intent(inout) :: y
    real(8), pointer :: p(:)
    p => x(2:)
    y = y*p(1)*p(2)
  end subroutine argument
  subroutine pointed(q, y)
    real(8), pointer :: q(:)
    real(8), intent(inout) :: y
    real(8), pointer :: p
    p => q(2)
    y = y*p
  end subroutine pointed
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
    real(8), pointer :: q(:)
    allocate(q(2))
    q = x(1)
    !$oxad nocheckpoint
    call pointed(q, y)
    !$oxad nocheckpoint
    call argument(x, y)
    !$oxad nocheckpoint
    call saved(x, y)
    !$oxad nocheckpoint
    call allocated_there(x, y)
    !$oxad nocheckpoint
    call sequence(x, y)
    !$oxad nocheckpoint
    call kept_pointer(x, y)
  end subroutine top
end module pointer_split
