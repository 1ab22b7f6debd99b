! call work n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call again n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call early n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call levels n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! What is released and not named again stays until the backward sweep: it is not recorded, and pointers
! to it stay right. What is allocated again, or asked for, is released as in the program.
subroutine work(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable :: a(:), b(:)
  integer, allocatable :: place(:)
  integer :: i
  allocate(a(n), b(0:n), place(n))
  b(0) = y
  do i = 1, n
    place(i) = mod(3*i, n) + 1
    a(i) = sin(x(place(i)))*b(i - 1)
    b(i) = a(i)**2
  end do
  y = sum(a*b(1:))
  deallocate(a)
  if (y > 100) y = log(y)
  deallocate(b, place)
end subroutine

subroutine again(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable :: a(:), b(:)
  integer :: i
  do i = 1, n
    allocate(a(i))
    a = x(:i)**2
    y = y*sum(a)
    deallocate(a)
  end do
  allocate(b(n))
  b = y*x
  y = sum(b**3)
  deallocate(b)
  if (.not. allocated(b)) y = y**2
end subroutine

subroutine early(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable :: a(:)
  if (n < 2) return
  allocate(a(n))
  a = exp(x)
  if (y > 0.4d0) then
    call scale(a)
    y = y*sum(a**2)
    deallocate(a)
    return
  end if
  y = product(a)
  deallocate(a)
contains
  subroutine scale(v)
    real(8), intent(inout) :: v(:)
    v = v*x(1)*v
  end subroutine
end subroutine

subroutine levels(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable, target :: a(:), b(:)
  real(8), pointer :: old(:), new(:), tmp(:)
  integer :: k
  allocate(a(n), b(n))
  a = x
  b = 0
  old => a
  new => b
  do k = 1, 3
    new = old*cshift(old, 1) + y
    tmp => old
    old => new
    new => tmp
  end do
  y = sum(old)*new(2)
  deallocate(a, b)
end subroutine
