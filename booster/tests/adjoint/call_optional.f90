! call top x=0.5 y=0
subroutine top(x, y)
  implicit none
  interface
    subroutine opt(a, b, c)
      real(8), intent(inout) :: a
      real(8), intent(inout), optional :: b
      real(8), intent(in), optional :: c
    end subroutine opt
  end interface
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  y = x
  call opt(y)
  call opt(y, x)
  call opt(x, c=y)
  call opt(x, y, x*y)
  y = y*x
end subroutine top

subroutine opt(a, b, c)
  implicit none
  real(8), intent(inout) :: a
  real(8), intent(inout), optional :: b
  real(8), intent(in), optional :: c
  a = a*a
  if (present(c)) a = a*c
  if (present(b)) then
    b = b*a
  end if
end subroutine opt
