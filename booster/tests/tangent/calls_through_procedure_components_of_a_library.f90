! call head x=0.7 y=0 k=1
! along x=1
! A module of a library calls through components what the module that uses it has associated with them: it
! cannot name these procedures.
module library
  implicit none
  type integrator
    integer :: calls = 0
    real(8) :: w = 1
    procedure(rate), pointer :: f => null()
    procedure(law), pointer, nopass :: g => null()
  end type integrator
  abstract interface
    subroutine rate(this, t, y, dy)
      import :: integrator
      class(integrator), intent(inout) :: this
      real(8), intent(in) :: t
      real(8), intent(in) :: y(:)
      real(8), intent(out) :: dy(:)
    end subroutine rate
    function law(x) result(r)
      real(8), intent(in) :: x
      real(8) :: r
    end function law
  end interface
contains
  subroutine start(this, f, g)
    class(integrator), intent(inout) :: this
    procedure(rate) :: f
    procedure(law) :: g
    this%f => f
    this%g => g
    this%calls = 0
  end subroutine start
  subroutine advance(this, n, h, y)
    class(integrator), intent(inout) :: this
    integer, intent(in) :: n
    real(8), intent(in) :: h
    real(8), intent(inout) :: y(:)
    real(8) :: k(size(y)), z(size(y))
    integer :: i
    do i = 1, n
      call this%f(h*i, y, k)
      z = y + h/2*k
      call this%f(h*i + h/2, z, k)
      y = y + h*k
      y(1) = y(1) + h*this%g(y(2))
      this%calls = this%calls + 2
    end do
  end subroutine advance
end module library

module model
  use library
  implicit none
  real(8) :: stiff = 1
contains
  subroutine swing(this, t, y, dy)
    class(integrator), intent(inout) :: this
    real(8), intent(in) :: t
    real(8), intent(in) :: y(:)
    real(8), intent(out) :: dy(:)
    dy(1) = y(2)
    dy(2) = -stiff*sin(y(1)) + cos(t)
  end subroutine swing
  subroutine decay(this, t, y, dy)
    class(integrator), intent(inout) :: this
    real(8), intent(in) :: t
    real(8), intent(in) :: y(:)
    real(8), intent(out) :: dy(:)
    dy = -stiff*y*y + t*y(1)
  end subroutine decay
  function square(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x*x*stiff
  end function square
  subroutine head(x, y, k)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer, intent(in) :: k
    type(integrator) :: o
    real(8) :: state(2)
    stiff = x
    state = [x, 1.0d0]
    if (k > 0) then
      call start(o, swing, square)
    else
      call start(o, decay, square)
    end if
    call advance(o, 3, 0.125d0, state)
    y = state(1)*state(2) + o%calls
  end subroutine head
end module model
