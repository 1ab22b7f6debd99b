! call head x=[0.7,1.3,0.9] y=0.5
! A dummy procedure is described by an interface body beside it, whose halves are described there as well.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  interface
    subroutine shorten(a)
      real(8), allocatable, intent(inout) :: a(:)
    end subroutine
    subroutine twice(s, w)
      interface
        subroutine s(a)
          real(8), allocatable, intent(inout) :: a(:)
        end subroutine
      end interface
      real(8), allocatable, intent(inout) :: w(:)
    end subroutine
  end interface
  real(8), allocatable :: w(:)
  w = x
  call twice(shorten, w)
  y = y*w(1)
end subroutine

subroutine twice(s, w)
  implicit none
  interface
    subroutine shorten(a)
      real(8), allocatable, intent(inout) :: a(:)
    end subroutine
  end interface
  procedure(shorten) :: s
  real(8), allocatable, intent(inout) :: w(:)
  real(8) :: kept
  kept = w(1)
  call s(w)
  w = w*kept
  call s(w)
end subroutine

subroutine shorten(a)
  implicit none
  real(8), allocatable, intent(inout) :: a(:)
  real(8), allocatable :: c(:)
  c = a(2:)*a(1)
  deallocate (a)
  allocate (a, source=c)
end subroutine
