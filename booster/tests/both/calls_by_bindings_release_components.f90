! call p x=[0.5,1.5] y=0.5
! along x=[1,-1]
! The object of a call by a binding is none of its actual arguments: behind the call its components may be
! allocated or not.
module calls_by_bindings_release_components
  implicit none
  type :: inner
    real(8), allocatable :: w(:)
  end type inner
  type :: bag
    type(inner) :: in
    real(8), allocatable :: v
  contains
    procedure :: drop
    procedure :: fill
  end type bag

contains

  subroutine drop(me)
    class(bag), intent(inout) :: me

    if (allocated(me%in%w)) deallocate(me%in%w)
    if (allocated(me%v)) deallocate(me%v)
  end subroutine drop

  subroutine fill(me, x)
    class(bag), intent(inout) :: me
    real(8), intent(in) :: x

    if (.not. allocated(me%v)) me%v = x*x
  end subroutine fill

  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    type(bag) :: a, b

    a%in%w = x
    a%v = x(1)
    y = y*sum(a%in%w)*a%v
    call a%drop
    if (allocated(a%in%w)) then
      y = y + sum(a%in%w)
    else
      y = y*x(2)
    end if
    if (.not. allocated(a%v)) a%v = x(2)*y
    y = y*a%v
    call b%fill(x(1))
    if (allocated(b%v)) y = y*b%v
    call b%drop
    if (.not. allocated(b%v)) y = sin(y)
  end subroutine p
end module calls_by_bindings_release_components
