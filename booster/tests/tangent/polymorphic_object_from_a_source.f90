! call p x=[0.4,0.9,1.2] y=0.5
! The derivatives of a polymorphic object that ALLOCATE gives a source have the type of the source,
! in several directions, too; what a dummy argument of the declared type gets is the part of that type.
module polymorphic_object_from_a_source
  implicit none
  type :: base
    real(8) :: v = 0.61d0
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.53d0
    integer :: k = 2
  end type wide
contains
  subroutine made(o, u, n)
    class(base), allocatable, intent(out) :: o
    real(8), intent(in) :: u
    integer, intent(in) :: n
    type(wide) :: model
    select case (n)
    case (1)
      allocate (o, source=base(v=cos(u)))
    case (2)
      allocate (o, source=wide(v=cos(u), w=u**2, k=3))
    case default
      model%v = 2*u
      model%w = sin(u)
      allocate (o, source=model)
    end select
  end subroutine made
  subroutine scaled(o, u)
    type(base), intent(inout) :: o
    real(8), intent(in) :: u
    o%v = u*o%v**2
  end subroutine scaled
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    class(base), allocatable :: o
    integer :: i
    y = 1
    do i = 1, 3
      call made(o, x(i), i)
      call scaled(o, x(1))
      y = y*(o%v + x(2))
      select type (o)
      type is (wide)
        y = y + o%w**o%k
      end select
    end do
  end subroutine p
end module polymorphic_object_from_a_source
