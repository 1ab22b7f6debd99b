! call top n=3 x=[1,2,3] y=2
! call kept x=[1,2,3] y=2
module out_arguments
  implicit none
  type :: part
    real(8) :: a = 3
    real(8), allocatable :: v(:)
  end type part
  type :: item
    real(8) :: a = 2
    real(8) :: b
    integer :: k = 2
    type(part) :: p
  end type item
contains
  ! What is INTENT(OUT) begins with its defaults, and without what was allocated.
  subroutine fill(x, v, w)
    real(8), intent(in) :: x(:)
    type(item), intent(out) :: v
    real(8), allocatable, intent(out) :: w(:)
    v%b = x(v%k)*v%a
    v%a = v%a*x(1)
    if (.not. allocated(v%p%v)) v%p%v = x*v%p%a
    if (.not. allocated(w)) then
      allocate (w(2))
      w = x(1:2)**2
    end if
  end subroutine fill

  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y
    type(item) :: v
    real(8), allocatable :: w(:)
    integer :: i
    v%b = x(3)
    do i = 1, 2
      v%a = v%a*y
      v%k = 1
      y = y*v%a*v%b
      call fill(x, v, w)
      y = y + v%a*v%b*sum(w)*v%p%v(2)
      x(i) = x(i)*v%a
      w = [w, x(i)]
    end do
  end subroutine top

  subroutine reset(v)
    type(item), intent(out) :: v
    v%b = 1
  end subroutine reset

  subroutine kept(x, y)
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    type(item) :: v(2)
    v%a = x(1)
    v%b = x(2)
    y = y*v(1)%a*v(2)%b
    call reset(v(1))
    y = y*v(1)%a*v(2)%b*v(1)%b
  end subroutine kept
end module out_arguments
