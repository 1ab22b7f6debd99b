! The same block, cut differently: what overlaps is one unit.
subroutine pairs(x)
  real x, a(2), b, h
  common /c/ a, b
  equivalence (a(2), h)
  h = x
  b = h + a(1)
end subroutine

subroutine singles(y)
  real y, p, q, r
  common /c/ p, q, r
  call pairs(p)
  y = q*r
end subroutine
