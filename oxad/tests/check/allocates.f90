! Outputs that get their storage from the head: by INTENT(OUT), in place of what they were, of rank 0
! and as a component.
module allocates
  implicit none
  type :: holder
    real(8), allocatable :: v(:)
  end type holder
contains
  subroutine outer(x, a)
    real(8), intent(in) :: x(:)
    real(8), allocatable, intent(out) :: a(:, :)
    integer :: i
    allocate (a(0:1, size(x)))
    do i = 1, size(x)
      a(0, i) = x(i)**2
      a(1, i) = sin(x(i))*x(1)
    end do
  end subroutine outer

  subroutine grow(n, x, s)
    integer, intent(in) :: n
    real(8), allocatable, intent(inout) :: x(:), s
    real(8), allocatable :: t(:)
    allocate (t(n))
    t = 0.5d0
    t(:size(x)) = x*x
    call move_alloc(t, x)
    s = s*x(1)
    if (n > 5) deallocate (s)
  end subroutine grow

  subroutine within(n, x, h)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    type(holder), intent(inout) :: h
    if (allocated(h%v)) deallocate (h%v)
    allocate (h%v(n))
    h%v = x**2
  end subroutine within
end module allocates
