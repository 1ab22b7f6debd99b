! call p x=[0.4,-0.7,0.3] y=0.0
! The association of a polymorphic pointer is recorded with the dynamic type: it walks over a list,
! changes between objects of several types, and its binding is that of the object.
module class_pointers
  implicit none
  type, abstract :: shape
    real(8) :: v = 0.0d0
    class(shape), pointer :: next => null()
  contains
    procedure(apply), deferred :: apply
  end type shape
  type, extends(shape) :: round
    real(8) :: radius = 0.5d0
  contains
    procedure :: apply => apply_round
  end type round
  type, extends(shape) :: square
    real(8) :: side(2) = 1.0d0
  contains
    procedure :: apply => apply_square
  end type square
  abstract interface
    subroutine apply(self, u)
      import :: shape
      class(shape), intent(inout) :: self
      real(8), intent(inout) :: u
    end subroutine apply
  end interface
contains
  subroutine apply_round(self, u)
    class(round), intent(inout) :: self
    real(8), intent(inout) :: u
    self%v = self%v + sin(u*self%radius)
    u = u*cos(self%v)
  end subroutine apply_round

  subroutine apply_square(self, u)
    class(square), intent(inout) :: self
    real(8), intent(inout) :: u
    self%side(2) = self%side(1)*u
    u = u + self%v*self%side(2)**2
  end subroutine apply_square

  subroutine walk(first, u)
    class(shape), pointer, intent(in) :: first
    real(8), intent(inout) :: u
    class(shape), pointer :: it
    it => first
    do while (associated(it))
      call it%apply(u)
      select type (it)
      type is (round)
        it%radius = it%radius*u
      class default
        it%v = it%v*cos(u)
      end select
      it => it%next
    end do
  end subroutine walk

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(round), target :: a
    type(square), target :: b
    class(shape), pointer :: one, other, spare
    real(8) :: u
    integer :: i
    a%v = x(1)
    b%v = x(2)
    a%next => b
    one => a
    other => b
    u = x(3)
    do i = 1, 3
      call walk(one, u)
      one%v = one%v*other%v
      spare => one
      one => other
      other => spare
      other%v = other%v + sin(u)
    end do
    nullify (spare)
    y = u*a%v + b%v*b%side(2) + a%radius
  end subroutine p
end module class_pointers
