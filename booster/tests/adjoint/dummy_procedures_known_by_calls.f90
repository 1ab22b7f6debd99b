! call head x=0.3 y=0.2
! FORTRAN 77 knows a dummy procedure by its being called; its derivative procedure does not call it.
subroutine head(x, y)
  double precision x, y, square
  external cube, square
  call step(x, y, cube)
  call add(x, y, square)
end subroutine head

subroutine step(x, y, f)
  double precision x, y
  call f(x, y)
end subroutine step

subroutine add(x, y, f)
  double precision x, y, f
  y = y + f(x)
end subroutine add

subroutine cube(x, y)
  double precision x, y
  y = y*x**3
end subroutine cube

double precision function square(x)
  double precision x
  square = x*x
end function square
