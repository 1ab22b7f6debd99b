! call top x=[0.5,1.5,2] y=0.3
! call rounds n=4 x=[0.5,1.5,2,0.25] y=0.3
! call wave n=3 x=[0.5,1.5,2] y=0.3
! Local variables that pointers of a split call point to live until its backward sweep ends.
! gfortran warns: unset
module pointer_state
  implicit none
  real(8), target :: field(2, 3) = 0.5d0
contains
  subroutine walk(x, y)
    real(8), intent(inout) :: x(3), y
    real(8), target :: a(3)
    real(8), pointer :: p
    integer :: i
    a = x*y
    do i = 1, 3
      p => a(i)
      y = y + p**2
      p = p*x(i)
    end do
    x = a
  end subroutine walk

  subroutine top(x, y)
    real(8), intent(inout) :: x(3), y
    !$oxad nocheckpoint
    call walk(x, y)
    y = y*x(1)
    !$oxad nocheckpoint
    call walk(x, y)
  end subroutine top

  ! Bounds of their own, a structure of pointers, pointers to what others point to, numbers without
  ! derivatives, memory behind a pointer, and variables of a module.
  subroutine views(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    type view
      real(8), pointer :: rows(:), one
      integer, pointer :: places(:)
    end type view
    type(view) :: v
    real(8), target :: a(0:n - 1, 2), s
    integer, target :: places(2)
    real(8), pointer :: column(:), part(:), heap(:), other(:, :)
    a(:, 1) = x
    a(:, 2) = sin(x)
    s = y
    places = [1, 3]
    v%places => places
    v%one => s
    column => a(:, 1)
    v%rows => a(1, :)
    if (y > 0.0d0) then
      column(2:) => a(1:, 2)
      v%one => column(3)
    end if
    part => column(2::2)
    part = part*v%rows(2)
    v%one = v%one*y
    allocate(heap(3))
    heap = v%rows(1)*x(v%places(1):v%places(2))
    places(2) = 1
    v%rows => heap(2:)
    v%rows = v%rows*v%one
    other => field(:, 2:)
    other = other*heap(2)
    y = sum(other) + sum(a)*v%rows(2) + heap(1)
    x(v%places(2)) = column(3)*s
    deallocate(heap)
  end subroutine views

  subroutine rounds(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    integer :: i
    do i = 1, 2
      !$oxad nocheckpoint
      call views(n, x, y)
      y = y*x(2)
      !$oxad nocheckpoint
      call inner(n, x, y)
    end do
  end subroutine rounds

  ! An internal procedure and its host point to the same.
  subroutine inner(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    real(8), target :: a(n)
    real(8), pointer :: p(:)
    a = x*x
    p => a
    call change(2)
    y = y + sum(p)*a(1)
    call change(1)
    x(1) = p(1)*a(2)
  contains
    subroutine change(k)
      integer, intent(in) :: k
      real(8), target :: b(2)
      real(8), pointer :: q(:)
      q => b
      b = x(k)*p(1)
      p(k:) = p(k:)*q(2)*y
      p => a(k:)
    end subroutine change
  end subroutine inner

  ! Each activation has targets of its own.
  recursive subroutine wave(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(3), y
    real(8), target :: a(3)
    real(8), pointer :: p(:)
    p => a
    a = x*y
    if (n > 0) then
      p => a(2:)
      !$oxad nocheckpoint
      call wave(n - 1, a, y)
    end if
    p = p*p(1)
    x = a*x(1)
    y = y + p(2)
  end subroutine wave
end module pointer_state
