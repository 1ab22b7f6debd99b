! joint
! activity head=march independent=s dependent=cost
! call march nt=3 s=0.75 cost=0
! Each step records the state once: no adjoint reads the fluxes, and `advance` is linear.
subroutine march(nt, s, cost)
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: s
  real(8), intent(out) :: cost
  real(8) :: u(4), v(4)
  common /state/ u, v
  integer :: t
  u = [1, 2, 3, 4]*s
  do t = 1, nt
    call flux(s)
    call advance(t)
  end do
  cost = 0
  do t = 1, 4
    cost = cost + u(t)**2
  end do
end subroutine march

subroutine flux(s)
  implicit none
  real(8), intent(in) :: s
  real(8) :: u(4), v(4)
  common /state/ u, v
  integer :: i
  v = 0
  do i = 2, 3
    v(i) = s*(u(i-1) - 2*u(i) + u(i+1))*u(i)
  end do
end subroutine flux

subroutine advance(t)
  implicit none
  integer, intent(in) :: t
  real(8) :: u(4), v(4)
  common /state/ u, v
  integer :: i
  do i = 2, 3
    u(i) = u(i) + 0.1d0*v(i)/t
  end do
end subroutine advance
