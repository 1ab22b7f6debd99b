! call p x=[0.5,1.5]
! along x=[1,-1]
! `plain` and `scaled` are told apart by nothing but whom they are passed to: by name, or to what is
! passed itself. Only with `scaled` has the factor a derivative.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(2)
  external plain, scaled, once
  real(8) :: two
  two = 2
  y = 0
  call drive(once, plain, two, x(1), y(1))
  call once(scaled, x(1), x(2), y(2))
end subroutine p
subroutine drive(how, f, c, a, b)
  implicit none
  external how, f
  real(8) :: c, a, b
  call how(f, c, a, b)
  b = b*a
end subroutine drive
subroutine once(f, c, a, b)
  implicit none
  external f
  real(8) :: c, a, b
  call f(c, a, b)
end subroutine once
subroutine plain(c, a, b)
  implicit none
  real(8) :: c, a, b
  b = a*a*nint(c)
end subroutine plain
subroutine scaled(c, a, b)
  implicit none
  real(8) :: c, a, b
  b = sin(c*a)
end subroutine scaled
