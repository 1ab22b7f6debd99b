program interfaces
  implicit none
  interface
    subroutine axpy(n, a, x, y)
      integer, intent(in) :: n
      real, intent(in) :: a, x(n)
      real, intent(inout) :: y(n)
    end subroutine axpy
    function apply(f, x) result(y)
      interface
        pure function f(t) result(u)
          real, intent(in) :: t
          real :: u
        end function f
      end interface
      real, intent(in) :: x
      real :: y
    end function apply
    pure function inverse(t) result(u)
      real, intent(in) :: t
      real :: u
    end function inverse
  end interface
  real, external :: legacy
  real :: y(2) = [1.0, 2.0]
  call axpy(2, 0.5, [4.0, 8.0], y)
  print *, y, apply(inverse, 4.0), legacy(3)
end program interfaces

subroutine axpy(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real, intent(in) :: a, x(n)
  real, intent(inout) :: y(n)
  y = y + a*x
end subroutine axpy

function apply(f, x) result(y)
  implicit none
  interface
    pure function f(t) result(u)
      real, intent(in) :: t
      real :: u
    end function f
  end interface
  real, intent(in) :: x
  real :: y
  y = f(x) + 1.0
end function apply

pure function inverse(t) result(u)
  implicit none
  real, intent(in) :: t
  real :: u
  u = 1.0/t
end function inverse

real function legacy(i)
  implicit none
  integer, intent(in) :: i
  legacy = real(i)*0.1
end function legacy
