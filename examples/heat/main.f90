program heat
  use rod_state
  implicit none
  type(rod) :: r
  real(wp) :: dt, dx, left, emissivity
  common /phys/ dt, dx, left, emissivity
  integer :: i, iterations

  call make_rod(r, n=41, contrast=3.0_wp)
  dx = r%length/real(r%n - 1, wp)
  dt = 0.01_wp
  left = 1.0_wp
  emissivity = 2.0_wp
  do i = 1, 20
    call step(r%n, r%t, r%k, iterations)
    if (mod(i, 5) == 0) then
      print '(a, i3, a, es24.16, a, i3)', 'step', i, '  heat', heat_content(r), '  iterations', iterations
    end if
  end do
  print '(a, es24.16)', 'right end', r%t(r%n)
end program heat
