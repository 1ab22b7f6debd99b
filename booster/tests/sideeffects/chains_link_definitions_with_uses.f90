subroutine chains(n, a, x)
  integer n, i
  real a(n), x, t
  t = x
  do i = 1, n
    if (a(i) > t) then
      t = a(i)
    end if
    a(i) = t
  end do
  x = t
  t = 0
end subroutine
