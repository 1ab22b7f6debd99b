! call drive x=[0.7,1.3,0.9] y=0.5
! A component that points nowhere is not recorded with the others of its structure.
module blocks
  implicit none
  type blk
    real(8), pointer :: v(:) => null()
    real(8), pointer :: mat(:, :) => null()
  end type
contains
  recursive subroutine work(b, k)
    type(blk), intent(inout) :: b
    integer, intent(in) :: k
    b%v = b%v*sin(b%v(k))
    if (k > 1) call work(b, k - 1)
  end subroutine
  subroutine drive(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8), target :: a(3)
    type(blk) :: l
    a = x
    l%v => a
    call work(l, 3)
    call work(l, 2)
    y = sum(a)
  end subroutine
end module
