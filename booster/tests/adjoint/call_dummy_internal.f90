! call inner x=0.5 y=1
! An internal procedure that changes a variable of its host is passed to another.
subroutine inner(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: held
  held = x*y
  call twice(own, y)
  x = x*held
contains
  subroutine own(a)
    real(8), intent(inout) :: a
    a = a*held
    held = held + a
  end subroutine own
  subroutine twice(s, a)
    interface
      subroutine s(a)
        real(8), intent(inout) :: a
      end subroutine s
    end interface
    real(8), intent(inout) :: a
    call s(a)
    call s(a)
  end subroutine twice
end subroutine inner
