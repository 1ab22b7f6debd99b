! call top n=3 x=[0.5,1.5,2] y=1
module pointer_split
  implicit none
contains
  subroutine work(x, y, k)
    real(8), intent(inout), target :: x(:)
    real(8), intent(inout) :: y
    integer, intent(in) :: k
    real(8), pointer :: p(:)
    if (k == 1) then
      p => x(2:)
    else
      allocate (p(2))
      p = x(1:2)*y
    end if
    y = y*p(1)*p(2)
    p = p*y
    if (k /= 1) then
      x(1:2) = p
      deallocate (p)
    end if
  end subroutine work
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    integer :: i
    do i = 1, 2
      !$oxad nocheckpoint
      call work(x, y, i)
    end do
  end subroutine top
end module pointer_split
