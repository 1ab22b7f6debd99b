! call p s=0.5
! Bounds that are no plain expressions: what is allocated is not recorded before.
subroutine p(s)
  implicit none
  real(8), intent(inout) :: s
  real(8), allocatable :: t(:)
  allocate (t(minloc([2d0, s, 3d0], 1)))
  t = s
  t(1) = t(2)*t(1)
  s = sum(t*t)
  deallocate (t)
end subroutine p
