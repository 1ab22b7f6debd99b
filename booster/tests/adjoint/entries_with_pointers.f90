! call top n=2 x=[0.5,1.5] y=1
module pointing
  implicit none
  real(8), target :: store(2) = [2.0d0, 3.0d0]
contains
  subroutine whole(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    real(8), intent(in) :: c
    real(8), target :: t(2)
    real(8), pointer :: p
    t = y
    p => t(2)
    p = p*x(1)
    y = y*p
    store(1) = store(1)*x(n)
    return
    entry part(c, y)
    t(1) = c
    t(2) = 1
    p => t(1)
    if (y > 0) p => store(1)
    y = y*p + t(1)*c
    p => store(2)
    p = p*c
  end subroutine whole
end module pointing
subroutine top(n, x, y)
  use pointing
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i
  do i = 1, n
    !$oxad nocheckpoint
    call part(x(i), y)
    !$oxad nocheckpoint
    call whole(n, x, y)
    call part(x(1), y)
    y = y + store(1)*store(2)
  end do
end subroutine top
