! The dummy argument is allocatable, or optional and the component is not there.
module allocating
  implicit none
  type store
    real(8), allocatable :: a(:), m(:, :), s
    real(8), pointer :: q(:) => null()
  end type store
contains
  subroutine longer(x, a)
    real(8), intent(in) :: x
    real(8), allocatable, intent(inout) :: a(:)
    a = [x*a, x]
  end subroutine longer
  subroutine anew(x, m)
    real(8), intent(in) :: x(:)
    real(8), allocatable, intent(out) :: m(:, :)
    allocate (m(0:1, size(x)))
    m(0, :) = x
    m(1, :) = x*x
  end subroutine anew
  subroutine single(x, s)
    real(8), intent(in) :: x
    real(8), allocatable, intent(inout) :: s
    if (.not. allocated(s)) then
      s = x
    else
      s = s*x
    end if
  end subroutine single
  subroutine perhaps(x, y, a, b)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), intent(in), optional :: a(:), b(:)
    y = x
    if (present(a)) y = y*sum(a)
    if (present(b)) y = y*sum(b)
  end subroutine perhaps
  subroutine away(a)
    real(8), allocatable, intent(inout) :: a(:)
    deallocate (a)
  end subroutine away
  function powers(n, x) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8) :: r(n)
    integer :: i
    r = [(x**i, i = 1, n)]
  end function powers
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(store) :: s, t
    real(8), allocatable :: own(:)
    real(8), target :: values(0:2)
    real(8) :: z(4)
    allocate (s%a(-1:1))
    s%a = x
    values = 2*x
    s%q => values
    call longer(x(1), s%a)
    call anew(x, s%m)
    call single(x(2), s%s)
    call single(x(3), s%s)
    call perhaps(x(1), z(1), s%a, t%a)
    call perhaps(x(2), z(2), b=s%q)
    call perhaps(x(3), z(3), t%q, t%a)
    t%a = powers(3, x(1))
    call perhaps(x(1), z(4), t%a, s%a(2:3))
    y = sum(z) + s%s*s%m(0, 1)*s%m(1, 3) + sum(s%a**2)
    call away(s%a)
    call move_alloc(t%a, own)
    own = own*x(2)
    call move_alloc(own, s%a)
    y = y + sum(s%a)*s%q(2)
    if (allocated(t%a) .or. allocated(own)) y = 0
  end subroutine p
end module allocating
