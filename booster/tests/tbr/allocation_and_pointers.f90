subroutine s(x, n)
  integer :: n, i
  real, target :: x(n)
  real, allocatable :: w(:)
  real, pointer :: p(:)
  do i = 1, 2
    allocate (w(n))
    w = x
    x = w*w
    deallocate (w)
    allocate (w(n + 1))
    w(1) = x(1)
    deallocate (w)
  end do
  p => x
  p(1) = p(1)*p(2)
  nullify (p)
end subroutine
