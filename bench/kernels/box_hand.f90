! Adjoint of box by hand: the trajectory is stored, everything else is computed again.
subroutine box_hand(n, nt, dt, t0, s0, tb, sb)
  implicit none
  integer, intent(in) :: n, nt
  double precision, intent(in) :: dt, t0(n), s0(n)
  double precision, intent(out) :: tb(n), sb(n)
  double precision, parameter :: alpha = 0.2d0, beta = 0.8d0, cubic = 0.01d0
  double precision, allocatable, save :: t(:, :), s(:, :), q(:)
  double precision :: tnb(n), snb(n), qb, ab, air, airb, d
  integer :: i, it, from
  if (allocated(t)) then
    if (size(t, 1) /= n .or. size(q) /= nt) deallocate (t, s, q)
  end if
  if (.not. allocated(t)) allocate (t(n, 0:nt), s(n, 0:nt), q(nt))
  t(:, 0) = t0
  s(:, 0) = s0
  do it = 1, nt
    call forward(t(:, it-1), s(:, it-1), q(it), t(:, it), s(:, it))
  end do
  tb = 0.0d0
  sb = 0.0d0
  do it = nt, 1, -1
    tnb = tb
    snb = sb
    ab = 0.0d0
    do i = 1, n
      from = upwind(i, q(it))
      air = 20.0d0*i/n - t(i, it-1)
      d = 1.0d0 + s(i, it-1)*s(i, it-1)
      ab = ab + dt*(tnb(i)*(t(from, it-1) - t(i, it-1)) + snb(i)*(s(from, it-1) - s(i, it-1)))
      airb = dt*(0.1d0*tnb(i) + 0.01d0*s(i, it-1)/d*snb(i))
      tb(i) = tb(i) - dt*abs(q(it))*tnb(i) - airb
      tb(from) = tb(from) + dt*abs(q(it))*tnb(i)
      sb(i) = sb(i) + dt*snb(i)*(0.01d0*air*(2.0d0 - d)/(d*d) - abs(q(it)))
      sb(from) = sb(from) + dt*abs(q(it))*snb(i)
    end do
    qb = sign(1.0d0, q(it))*ab + 2.0d0*dt*q(it)
    qb = qb*(1.0d0 - q(it)*q(it))
    do i = 1, n
      if (2*i > n) then
        d = -qb
      else
        d = qb
      end if
      sb(i) = sb(i) + beta*d
      tb(i) = tb(i) - alpha*(1.0d0 + 2.0d0*cubic*t(i, it-1))*d
    end do
  end do
contains
  integer function upwind(i, q)
    integer, intent(in) :: i
    double precision, intent(in) :: q
    upwind = merge(i - 1, i + 1, q >= 0.0d0)
    if (upwind < 1) upwind = n
    if (upwind > n) upwind = 1
  end function upwind
  subroutine forward(t, s, q, tn, sn)
    double precision, intent(in) :: t(n), s(n)
    double precision, intent(out) :: q, tn(n), sn(n)
    double precision :: rho, air
    integer :: i, from
    q = 0.0d0
    do i = 1, n
      rho = beta*s(i) - alpha*t(i)*(1.0d0 + cubic*t(i))
      q = q + merge(rho, -rho, 2*i <= n)
    end do
    q = tanh(q)
    do i = 1, n
      from = upwind(i, q)
      air = 20.0d0*i/n - t(i)
      tn(i) = t(i) + dt*(abs(q)*(t(from) - t(i)) + 0.1d0*air)
      sn(i) = s(i) + dt*(abs(q)*(s(from) - s(i)) + 0.01d0*air*s(i)/(1.0d0 + s(i)*s(i)))
    end do
  end subroutine forward
end subroutine box_hand
