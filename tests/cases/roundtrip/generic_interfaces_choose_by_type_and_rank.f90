module generics
  implicit none
  interface norm
    module procedure norm_scalar, norm_vector
    module procedure norm_integer
  end interface norm
  interface show
    procedure show_real
    subroutine show_external(i)
      integer, intent(in) :: i
    end subroutine show_external
  end interface
contains
  function norm_scalar(x) result(y)
    real, intent(in) :: x
    real :: y
    y = abs(x)
  end function norm_scalar
  function norm_vector(x) result(y)
    real, intent(in) :: x(:)
    real :: y
    y = sqrt(sum(x*x))
  end function norm_vector
  function norm_integer(i) result(y)
    integer, intent(in) :: i
    real :: y
    y = real(i) + 0.5
  end function norm_integer
  subroutine show_real(x)
    real, intent(in) :: x
    print *, 'real', x
  end subroutine show_real
end module generics

subroutine show_external(i)
  implicit none
  integer, intent(in) :: i
  print *, 'integer', i
end subroutine show_external

program choose
  use generics
  implicit none
  print *, norm(-2.0), norm([3.0, 4.0]), norm(7)
  call show(1.5)
  call show(8)
end program choose
