! call head x=[0.7,1.3,0.9] y=0.5
! Dummy procedures that are described by the interface body of an external procedure, not ABSTRACT, whose calls must
! be split: their halves are described, too.
module described_halves
  implicit none
  interface
    subroutine als(a)
      real(8), allocatable, intent(inout) :: a(:)
    end subroutine
    function ext(a) result(r)
      real(8), intent(in) :: a
      real(8) :: r
    end function
  end interface
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    real(8), allocatable :: w(:)
    w = x
    call ap(als, w)
    y = y*w(1)*w(2)
    call inner(ext, x(2), y)
  contains
    subroutine inner(f, a, r)
      procedure(ext) :: f
      real(8), intent(in) :: a
      real(8), intent(inout) :: r
      r = r*a*f(a)
    end subroutine
  end subroutine
  subroutine ap(s, w)
    procedure(als) :: s
    real(8), allocatable, intent(inout) :: w(:)
    call s(w)
    w = w*w(1)
    call s(w)
  end subroutine
end module

subroutine als(a)
  implicit none
  real(8), allocatable, intent(inout) :: a(:)
  real(8), allocatable :: c(:)
  c = [a(1)*a(2), a(2:)]
  deallocate (a)
  allocate (a, source=c)
end subroutine

function ext(a) result(r)
  implicit none
  real(8), intent(in) :: a
  real(8) :: r
  r = sin(a)*a
end function
