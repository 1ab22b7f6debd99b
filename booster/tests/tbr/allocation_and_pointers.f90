! call s x=[0.5,1.5,2.5] n=3
subroutine s(x, n)
  integer :: n, i
  real(8), target :: x(n)
  real(8), allocatable :: w(:)
  real(8), pointer :: p(:)
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
