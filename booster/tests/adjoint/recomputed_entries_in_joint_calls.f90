! Local Jacobians in procedures that are called jointly: the values of their entries are computed again from their
! operands in the backward sweep alone, as the originals have no entries.
!
! call recomputed_entries x=[0.5,1.5,0.8] y=0.3
subroutine recomputed_entries(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  real(8) :: w(3)
  integer :: i
  w = x
  do i = 1, 3
    call grow(3, w, y)
  end do
  y = y*w(2)
end subroutine recomputed_entries

subroutine grow(n, a, r)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), r
  integer :: i
  do i = 1, n
    r = r + a(3)**2*i
    a(2) = 0.125d0*r*a(i)
  end do
end subroutine grow
