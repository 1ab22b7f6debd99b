! call shifted x=[1,2,3,0.5] s=0.5
! call both x=[1,0.2,3,0.5] s=0.5
! What an assignment under a mask reads of its own left-hand side may stand where the mask does not
! hold.
subroutine shifted(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  where (x > 0.9d0)
    x = s*cshift(x, 1)
  end where
end subroutine shifted

subroutine both(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  where (x > 0.3d0)
    x = s*cshift(x, 1)*x + eoshift(x, -1) - x**2
  elsewhere
    x = x(4:1:-1) + x*s
  end where
end subroutine both
