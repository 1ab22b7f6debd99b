! call p x=[0.5,1.5,0.75,0.3] y=0.5
! The adjoint of a COMMON block begins with zero by a declaration of the block without EQUIVALENCE.
module equivalenced_blocks
  implicit none
contains
  subroutine down(a)
    real(8), intent(inout) :: a
    real(8) :: t, v(2), first
    common /blk/ t, v
    equivalence (first, v(1))
    t = first*a
  end subroutine down
  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: t, v(2), a
    common /blk/ t, v
    v = x(3:)
    a = x(1)
    call down(a)
    y = t*x(2)
  end subroutine p
end module equivalenced_blocks
