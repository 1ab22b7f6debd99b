program associates
  implicit none
  type :: state
    real :: u(3) = [1.0, 2.0, 3.0]
  end type state
  type(state) :: s(2)
  real :: x = 2.0
  associate (v => s(2)%u, twice => 2.0*x, y => x)
    v(1) = twice
    y = y + 1.0
    v = v*y
    print *, twice, size(v)
  end associate
  print *, s(1)%u, s(2)%u, x
  outer: associate (a => s%u(1))
    a = -1.0
    associate (b => a(2))
      b = 5.0
    end associate
  end associate outer
  print *, s(1)%u(1), s(2)%u(1)
end program associates
