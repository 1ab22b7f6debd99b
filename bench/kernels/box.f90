! Boxes in a ring, each with a temperature and a salinity, driven by exchange with the air and by a
! flow that the differences of density make; upwind transport, explicit Euler. The cost measures the
! flow over time.
subroutine box(n, nt, dt, t0, s0, cost)
  implicit none
  integer, intent(in) :: n, nt
  double precision, intent(in) :: dt, t0(n), s0(n)
  double precision, intent(out) :: cost
  double precision :: t(n), s(n), q
  integer :: i, it
  do i = 1, n
    t(i) = t0(i)
    s(i) = s0(i)
  end do
  cost = 0.0d0
  do it = 1, nt
    call flow(n, t, s, q)
    call transport(n, dt, q, t, s)
    cost = cost + dt*q*q
  end do
end subroutine box

! The flow through the ring: what density is on one side more than on the other.
subroutine flow(n, t, s, q)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: t(n), s(n)
  double precision, intent(out) :: q
  double precision, parameter :: alpha = 0.2d0, beta = 0.8d0, cubic = 0.01d0
  double precision :: rho
  integer :: i
  q = 0.0d0
  do i = 1, n
    rho = beta*s(i) - alpha*t(i)*(1.0d0 + cubic*t(i))
    if (2*i <= n) then
      q = q + rho
    else
      q = q - rho
    end if
  end do
  q = tanh(q)
end subroutine flow

! One step of transport and exchange with the air.
subroutine transport(n, dt, q, t, s)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: dt, q
  double precision, intent(inout) :: t(n), s(n)
  double precision :: tn(n), sn(n), air
  integer :: i, from
  do i = 1, n
    if (q >= 0.0d0) then
      from = i - 1
      if (from < 1) from = n
    else
      from = i + 1
      if (from > n) from = 1
    end if
    air = 20.0d0*i/n - t(i)
    tn(i) = t(i) + dt*(abs(q)*(t(from) - t(i)) + 0.1d0*air)
    sn(i) = s(i) + dt*(abs(q)*(s(from) - s(i)) + 0.01d0*air*s(i)/(1.0d0 + s(i)*s(i)))
  end do
  do i = 1, n
    t(i) = tn(i)
    s(i) = sn(i)
  end do
end subroutine transport
