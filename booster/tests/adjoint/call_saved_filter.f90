! call top n=4 x=[0.5,1.5,0.25,2] y=0.3
! call alone x=[0.5,1.5,2] y=0.3
! call nested x=[0.5,1.5] y=0.3
! Saved variables whose values go from one call to the next: so do their adjoints, in the other direction.
module filters
  implicit none
contains
  subroutine filter(s, y)
    real(8), intent(inout) :: s, y
    real(8), save :: last = 1.0d0, old(2) = [0.5d0, 0.25d0]
    integer, save :: n = 0
    n = n + 1
    s = s*last + old(1 + modulo(n, 2))*s**2
    if (s > 0.4d0) then
      last = s
      old(2) = old(1)*y
      old(1) = s
    end if
    y = y + s*s*n
  end subroutine filter

  real(8) function memory(s)
    real(8), intent(in) :: s
    real(8), save :: last = 1.0d0
    memory = s*last
    last = 0.5d0*memory + 0.5d0*last
  end function memory
end module filters

subroutine top(n, x, y)
  use filters
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i
  do i = 1, n
    if (x(i) > 0.3d0) call filter(x(i), y)
    y = y*memory(x(i)*y)
  end do
  call filter(y, x(1))
  y = y*x(n)
end subroutine top

! It is executed from the beginning: what it keeps is what the head keeps.
subroutine alone(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y
  real(8), save :: kept = 0.75d0
  integer :: i
  do i = 1, 3
    kept = kept*x(i) + y
    y = y + kept**2
  end do
  x = kept*x
end subroutine alone

subroutine nested(x, y)
  implicit none
  real(8), intent(inout) :: x(2), y
  call inner(x(1), y)
  y = y*x(2)
  call inner(x(2), y)
contains
  subroutine inner(a, b)
    real(8), intent(inout) :: a, b
    real(8), save :: kept = 0.75d0
    call innermost(a)
    kept = kept*a + b
    b = b*kept
    call innermost(b)
  end subroutine inner

  subroutine innermost(a)
    real(8), intent(inout) :: a
    real(8), save :: kept = 0.5d0
    a = a*kept
    kept = sin(a)
  end subroutine innermost
end subroutine nested
