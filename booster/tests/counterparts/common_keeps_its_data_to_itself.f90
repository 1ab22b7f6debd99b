! DATA for variables of COMMON outside of BLOCK DATA, as old compilers take it: the derivative does not give them
! their first values once more.
subroutine head(x, y)
  double precision x(2), y, q
  integer k
  logical known
  common /constants/ q(2), k
  save known
  data q /0.5d0, 2d0/, k /2/
  data known /.true./
  if (known) y = x(1)*q(1) + x(2)**k*q(2)
end subroutine head
