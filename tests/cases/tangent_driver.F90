! Compares head_d(n, x, xd, y, yd) with central differences of head(n, x, y) at two points.
program driver
  implicit none
  integer, parameter :: n = 3, k = DIRECTIONS
  real(8), parameter :: h = 1d-3
  real(8) :: x(n), v(n), y(n), yd(n), fd(n), a(n), b(n), c(n), d(n), point(n, 2), base(n)
#if DIRECTIONS > 0
  real(8) :: xk(k, n), yk(k, n)
#endif
  integer :: p, i
  logical :: right
  external :: head, head_d
  right = .true.
  point(:, 1) = [0.7d0, 1.3d0, 0.9d0]
  point(:, 2) = [1.1d0, -0.4d0, 0.35d0]
  do p = 1, 2
    do i = 1, 3
      v = [0.3d0, -0.8d0, 0.55d0]
      if (i == 2) v = [1d0, 0d0, 0d0]
      if (i == 3) v = [-0.2d0, 0.1d0, 1d0]
      x = point(:, p)
      call head(n, x + h*v, a)
      call head(n, x - h*v, b)
      call head(n, x + 2*h*v, c)
      call head(n, x - 2*h*v, d)
      fd = (8*(a - b) - (c - d))/(12*h)
      call head(n, x, base)
      yd = 99d0
#if DIRECTIONS > 0
      yk = 99d0
      xk(1, :) = v
      xk(2, :) = 0
      xk(3, :) = -2*v
      call head_d(n, x, xk, y, yk)
      yd = yk(1, :)
      if (any(abs(yk(3, :) + 2*yd) > 1d-9*(1 + abs(yd))) .or. any(abs(yk(2, :)) > 1d-12)) then
        right = .false.
        print *, 'directions disagree', yk(2, :), yk(3, :) + 2*yd
      end if
#else
      call head_d(n, x, v, y, yd)
#endif
      if (any(abs(y - base) > 1d-12*(1 + abs(base)))) then
        right = .false.
        print *, 'values', p, i, y, base
      end if
      if (.not. all(abs(yd - fd) <= 1d-6*(1d-2 + abs(fd)))) then
        right = .false.
        print *, 'derivatives', p, i, yd, 'differences', fd
      end if
    end do
  end do
  if (.not. right) error stop
end program
