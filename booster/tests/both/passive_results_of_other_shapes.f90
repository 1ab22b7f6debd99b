! call p x=[0.7,1.1] y=0.5
! call components x=[0.7,1.1] y=0.5
! The result of a function is passive and allocatable, or has allocatable components; the function changes an active
! argument, or is passive itself. The derivative of the variable that takes the result gets its shape.
module passive_results_of_other_shapes
  implicit none
  type :: box
    real(8) :: v
    real(8), allocatable :: h(:)
  end type box

contains

  function grid(n, a) result(g)
    integer, intent(in) :: n
    real(8), intent(inout) :: a
    real(8), allocatable :: g(:)
    integer :: i

    allocate(g(n))
    g = [(0.5d0*i, i = 1, n)]
    a = a*3d0
  end function grid

  function idle(n) result(g)
    integer, intent(in) :: n
    real(8), allocatable :: g(:)

    allocate(g(n))
    g = 0.25d0
  end function idle

  function fixed(n, a) result(g)
    integer, intent(in) :: n
    real(8), intent(inout) :: a
    real(8) :: g(n)

    g = 1.5d0
    a = sin(a)
  end function fixed

  function packed(n, a) result(b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a
    type(box) :: b

    b%v = 0.5d0
    allocate(b%h(n))
    b%h = 2d0
    a = a*2d0
  end function packed

  function nothing(a) result(b)
    real(8), intent(inout) :: a
    type(box) :: b

    b%v = 0.75d0
    a = cos(a)
  end function nothing

  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    real(8), allocatable :: v(:)
    real(8) :: t
    integer :: k

    t = x(1)*y
    y = y + sum(grid(2, t)*x(2)) + t
    y = y*sum(grid(3, t)) + dot_product(fixed(2, t), x)
    v = x*y
    do k = 2, 4
      y = y + sum(v) + t
      v = grid(k, t)
      y = y + v(k)*x(1)
      v = v*x(2)
      y = y*sum(v)
      v = idle(k + 1)
      y = y + v(k)*sum(v)*x(2)
      v = [x, x, t]
      y = y + sum(v)
      v = fixed(k + 1, t)
      y = y + v(k + 1)*x(2)
      v = v*t
    end do
    y = y + sum(v)
  end subroutine p

  subroutine components(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    type(box) :: b
    real(8) :: t
    integer :: k

    t = x(1)*y
    b%v = t
    b%h = x
    do k = 1, 3
      y = y + sum(b%h)*b%v
      b = packed(k, t)
      y = y + b%h(k)*x(1) + b%v*t
      b%h = b%h*x(2)
      b%v = b%v*t
      y = y + sum(b%h)*b%v
      b%h = grid(k + 1, t)
      y = y + b%h(k)*x(1)
      b%h = b%h*t
      y = y*b%h(k)
      b = nothing(t)
      if (allocated(b%h)) y = 0d0
      y = y*b%v
      b%v = t
      b%h = [x, t]
    end do
  end subroutine components
end module passive_results_of_other_shapes
