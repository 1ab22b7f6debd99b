! call steps x=[0.3,0.5] y=0.2
! call evaluations x=[0.3,0.5] y=0.2
! The module of the abstract type has no name for what an extension in another module holds. Who calls a
! binding that changes it splits the call.
module drivers_of_objects
  implicit none
  type, abstract :: problem
  contains
    procedure(step_of), deferred :: step
    procedure(value_of), deferred :: eval
  end type problem
  abstract interface
    subroutine step_of(p, s)
      import :: problem
      class(problem), intent(inout) :: p
      real(8), intent(inout) :: s
    end subroutine step_of
    real(8) function value_of(p, s)
      import :: problem
      class(problem), intent(inout) :: p
      real(8), intent(in) :: s
    end function value_of
  end interface
contains
  subroutine apply(v, p)
    real(8), intent(inout) :: v
    class(problem), intent(inout) :: p
    call p%step(v)
  end subroutine apply

  subroutine add(v, p)
    real(8), intent(inout) :: v
    class(problem), intent(inout) :: p
    v = v + p%eval(v)
  end subroutine add
end module drivers_of_objects

module objects_that_change
  use drivers_of_objects
  implicit none
  type, extends(problem) :: mine
    real(8) :: a = 1
  contains
    procedure :: step => my_step
    procedure :: eval => my_value
  end type mine
contains
  subroutine my_step(p, s)
    class(mine), intent(inout) :: p
    real(8), intent(inout) :: s
    s = s*p%a
    p%a = p%a + sin(s)
  end subroutine my_step

  real(8) function my_value(p, s)
    class(mine), intent(inout) :: p
    real(8), intent(in) :: s
    my_value = s*p%a
    p%a = p%a*cos(s)
  end function my_value

  subroutine steps(x, y)
    real(8), intent(inout) :: x(2), y
    type(mine) :: m
    integer :: i
    m%a = x(2)
    do i = 1, 3
      call apply(y, m)
      y = y*x(1)
    end do
  end subroutine steps

  subroutine evaluations(x, y)
    real(8), intent(inout) :: x(2), y
    type(mine) :: m
    integer :: i
    m%a = 0.7d0 + x(2)
    do i = 1, 3
      call add(y, m)
      y = y*x(1)
    end do
  end subroutine evaluations
end module objects_that_change
