! call head x=0.7 y=0
! along x=1
! An optional callback that nobody gives: where it would be called, which nobody reaches, the tangent stops.
module library
  implicit none
  type watched
    procedure(watch), pointer :: callback => null()
  end type watched
  abstract interface
    subroutine watch(this, y)
      import :: watched
      class(watched), intent(in) :: this
      real(8), intent(inout) :: y
    end subroutine watch
  end interface
contains
  subroutine start(this, callback)
    class(watched), intent(inout) :: this
    procedure(watch), optional :: callback
    nullify (this%callback)
    if (present(callback)) this%callback => callback
  end subroutine start
  subroutine run(this, x, y)
    class(watched), intent(in) :: this
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x*x
    if (associated(this%callback)) call this%callback(y)
    y = sin(y)
  end subroutine run
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(watched) :: o
    call start(o)
    call run(o, x, y)
  end subroutine head
end module library
