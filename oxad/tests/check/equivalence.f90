! Names of storage that is in COMMON, without being named there.
subroutine in_common(v)
  implicit none
  real(8), intent(inout) :: v
  real(8) :: a(3), first, all(3)
  common /held/ a
  equivalence (first, a(1)), (all(1), a(1))
  v = v*a(2) + first
  first = all(3)*v
end subroutine in_common

subroutine equivalence(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: a(3)
  integer :: i
  common /held/ a
  a = x
  y = x(2)
  do i = 1, 3
    call in_common(y)
    y = y + a(i)
  end do
end subroutine equivalence
