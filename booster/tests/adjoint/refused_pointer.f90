! A pointer to memory that may be released before the backward sweep comes is refused.
subroutine released(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable, target :: w(:)
  real(8), pointer :: p(:)
  allocate(w(n))
  w = x*x
  p => w
  y = p(1)*p(2)
  deallocate(w)
  allocate(w(2))
  w = y
  y = w(1)*w(2)
end subroutine released

subroutine undefined(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in), target :: x(n)
  real(8), intent(out) :: y
  type view
    real(8), pointer :: v(:)
  end type view
  type(view) :: a(2)
  a(1)%v => x
  y = a(1)%v(1)*a(1)%v(2)
end subroutine undefined

subroutine mixed(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  real(8), pointer :: p(:)
  allocate(w(n), p(n))
  w = x
  p = w*w
  y = sum(p)
end subroutine mixed
