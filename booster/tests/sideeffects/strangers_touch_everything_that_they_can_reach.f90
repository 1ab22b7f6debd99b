subroutine helper(y)
  real y, g, h
  common /state/ g, h
  y = g
end subroutine

subroutine asks(x, z)
  real x, z, g, h
  common /state/ g, h
  external helper
  h = 1
  call stranger(x, helper)
  z = h
end subroutine

subroutine no_strangers(x, f)
  real x, f
  x = f(x)
end subroutine
