! What an interface body describes may be OPTIONAL by a statement beside it.
module hooks
  implicit none
contains
  subroutine head(x, y, hook, q)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    interface
      real(8) function hook(s)
        real(8), intent(in) :: s
      end function hook
      subroutine q(s)
        real(8), intent(inout) :: s
      end subroutine q
    end interface
    optional :: hook, q
    y = x
    if (present(hook)) y = y + hook(x)
    if (present(q)) call q(y)
  end subroutine head

  subroutine square(s)
    real(8), intent(inout) :: s
    s = s*s
  end subroutine square

  real(8) function third(s)
    real(8), intent(in) :: s
    third = s/3
  end function third
end module hooks

program main
  use hooks
  implicit none
  real(8) :: y
  call head(3d0, y)
  print *, y
  call head(3d0, y, third)
  print *, y
  call head(3d0, y, q=square)
  print *, y
end program main
