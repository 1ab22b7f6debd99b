module dots
  implicit none
  interface dot
    procedure dot_real
  end interface dot
contains
  real function dot_real(a, b)
    real, intent(in) :: a(:), b(:)
    dot_real = sum(a*b)
  end function dot_real
end module dots

module more
  use dots, other => dot
  implicit none
  interface other
    procedure dot_integer
  end interface
contains
  integer function dot_integer(a, b)
    integer, intent(in) :: a(:), b(:)
    dot_integer = sum(a*b)
  end function dot_integer
end module more

program main
  use more
  implicit none
  print *, other([1.0, 2.0], [3.0, 4.0]), other([1, 2], [3, 4])
end program main
