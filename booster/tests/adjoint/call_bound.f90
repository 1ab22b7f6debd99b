! call top x=0.5 y=0
module shapes
  implicit none
  type :: base
    real(8) :: s = 1.0d0
  contains
    procedure :: apply => apply_base
    procedure :: fixed
  end type base
  type, extends(base) :: more
    real(8) :: t = 2.0d0
  contains
    procedure :: apply => apply_more
  end type more
contains
  subroutine apply_base(this, a)
    class(base), intent(inout) :: this
    real(8), intent(inout) :: a
    a = a*this%s
    this%s = a*a
  end subroutine apply_base
  subroutine apply_more(this, a)
    class(more), intent(inout) :: this
    real(8), intent(inout) :: a
    a = a*this%s*this%t
    this%t = a*this%t
  end subroutine apply_more
  subroutine fixed(this, a)
    class(base), intent(inout) :: this
    real(8), intent(inout) :: a
    call this%apply(a)
    this%s = this%s*a
  end subroutine fixed
end module shapes

subroutine top(x, y)
  use shapes
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  type(base) :: p
  type(more) :: q
  y = x
  p%s = x
  q%s = x*x
  q%t = 2.0d0
  call p%apply(y)
  call q%apply(y)
  call q%fixed(y)
  call p%fixed(x)
  y = y*x
end subroutine top
