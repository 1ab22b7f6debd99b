! flags: -std=f2008
program old_in_new
  implicit none
  real :: a(4), b(2, 2), s
  integer :: i, j, k(3, 2)
  type :: pair
    integer :: p, q
  end type pair
  type(pair) :: t
  character(len=3) :: c(2)
  equivalence (a, b), (s, a(3))
  common /store/ i, j
  data k /1, 2, 3, 3*0/
  data t%p, t%q /4, 5/, c(1), c(2) /'abc', 'def'/
  a = [1.0, 2.0, 3.0, 4.0]
  s = -s
  b(1, 1) = 10.0
  i = 1
  j = 2
  print *, a, b, k, t, c, i + j
end program old_in_new
