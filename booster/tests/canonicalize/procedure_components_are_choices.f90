module shapes
  implicit none
  abstract interface
    function value(x) result(r)
      real(8), intent(in) :: x
      real(8) :: r
    end function
  end interface
  type model
    real(8) :: w
    procedure(value), pointer, nopass :: f => null()
    procedure(act), pointer, pass(who) :: step => null()
  end type
  abstract interface
    subroutine act(x, who, n)
      import model
      real(8), intent(inout) :: x
      class(model), intent(in) :: who
      integer, intent(in), optional :: n
    end subroutine
  end interface
contains
  function one(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = sin(x)
  end function
  function two(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x*x
  end function
  subroutine scaled(x, who, n)
    real(8), intent(inout) :: x
    class(model), intent(in) :: who
    integer, intent(in), optional :: n
    x = x*who%w*x
    if (present(n)) x = n*x
  end subroutine
  subroutine run(models, x, y)
    type(model), intent(inout) :: models(:)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: z
    integer :: i
    y = 0
    do i = 1, size(models)
      z = x
      call models(i)%step(z)
      call models(i)%step(n=i, x=z)
      y = y + models(i)%f(z)*models(i)%f(x)
    end do
  end subroutine
end module
program main
  use shapes
  implicit none
  type(model) :: models(2)
  real(8) :: y
  models(1)%f => one
  models(2)%f => two
  models(1)%step => scaled
  models(2)%step => scaled
  models(:)%w = [2d0, 3d0]
  call run(models, 0.5d0, y)
  print '(f12.8)', y
end program
