program alloc
  implicit none
  real, allocatable :: a(:), b(:), m(:, :)
  integer, allocatable :: k
  integer :: ierr
  character(len=40) :: message
  allocate(a(-1:3), stat=ierr)
  a = 1.5
  a(0) = -2.0
  print *, ierr, lbound(a), ubound(a), a
  call grow(a, 8)
  print *, size(a), lbound(a, 1), a(1:5)
  call move_alloc(from=a, to=b)
  print *, allocated(a), allocated(b), size(b)
  allocate(m(2, 3), source=0.25)
  m(:, 2) = b(1:2)
  allocate(a, mold=b)
  print *, m, size(a)
  message = 'fine'
  deallocate(a, b, stat=ierr, errmsg=message)
  print *, ierr, message
  allocate(k)
  k = 4
  b = [m(1, :), real(k)]
  print *, b
contains
  subroutine grow(x, n)
    real, allocatable, intent(inout) :: x(:)
    integer, intent(in) :: n
    real, allocatable :: t(:)
    allocate(t(n))
    t = 0.0
    t(1:size(x)) = x
    call move_alloc(t, x)
  end subroutine grow
end program alloc
