! call p x=[0.7,0.4] y=0.5 k=0
! call p x=[0.7,0.4] y=0.5 k=1
! The object that has the procedure components may be overwritten by the calls: their values are recorded, and of the
! components the association.
module calls_through_components_of_changed_objects
  implicit none
  abstract interface
    function fi(x) result(r)
      real(8), intent(in) :: x
      real(8) :: r
    end function fi
  end interface
  type :: t
    real(8) :: w
    procedure(fi), pointer, nopass :: f => null()
    procedure(si), pointer :: s => null()
  end type t
  abstract interface
    subroutine si(this, x)
      import :: t
      class(t), intent(inout) :: this
      real(8), intent(inout) :: x
    end subroutine si
  end interface

contains

  function one(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r

    r = sin(x)
  end function one

  function two(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r

    r = x*x
  end function two

  subroutine scaled(this, x)
    class(t), intent(inout) :: this
    real(8), intent(inout) :: x

    x = x*this%w
    this%w = this%w*x
  end subroutine scaled

  subroutine run(o, x, y)
    type(t), intent(inout) :: o
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8) :: z

    z = x
    call o%s(z)
    y = y*o%f(0.7d0) + o%f(z)*o%w
  end subroutine run

  subroutine p(x, y, k)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    integer, intent(in) :: k
    type(t) :: o

    o%w = x(2)
    if (k > 0) then
      o%f => one
    else
      o%f => two
    end if
    o%s => scaled
    call run(o, x(1), y)
  end subroutine p
end module calls_through_components_of_changed_objects
