! call head x=[0.7,1.1,0.4,0.9,1.3] y=[0,0]
!
! The adjoints of polymorphic components of an array are allocated in a loop of their own: gfortran 12 with -O2
! crashes where one loop allocates them and looks into them.
module sources_of_heat
  implicit none
  type, abstract :: source
    integer :: id = 0
  end type source
  type, extends(source) :: point_source
    real(8) :: q
  end type point_source
  type, extends(source) :: line_source
    real(8), allocatable :: w(:)
  end type line_source
  type holder
    class(source), allocatable :: s
  end type holder
end module sources_of_heat

subroutine head(x, y)
  use sources_of_heat
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y(2)
  type(holder) :: h(2)
  integer :: i
  allocate(point_source :: h(1)%s)
  allocate(line_source :: h(2)%s)
  do i = 1, 2
    select type (s => h(i)%s)
    type is (point_source)
      s%q = x(3)*x(4)
    type is (line_source)
      s%w = x(2:5)*x(1)
    end select
  end do
  do i = 1, 2
    select type (s => h(i)%s)
    type is (point_source)
      y(i) = s%q**2
    type is (line_source)
      y(i) = sum(s%w**2)
    end select
  end do
end subroutine head
