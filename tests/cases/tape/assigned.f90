! Arrays that an assignment has allocated, with the results of functions that give arrays other shapes.
program assigned
  use oxad_tape, only: push_section, pop_section, tape_bytes
  implicit none
  type body
    real(8) :: mass, speed
  end type body
  real(8) :: x(6), square(2, 2)
  type(body) :: bodies(3)
  real(8), allocatable :: a(:, :), b(:, :), c(:), d(:), e(:, :), f(:), g(:, :)
  integer :: i
  x = [(1.5d0*i, i=1, 6)]
  square = reshape(x(:4), [2, 2])
  bodies%mass = x(:3)
  bodies%speed = x(4:)
  a = reshape(x, [2, 3])
  b = spread(x, 2, 3)
  c = cshift(x, 2)
  d = pack(x, x > 3)
  e = matmul(square, square)
  f = eoshift(x, 1)
  g = reshape(x, [2, 3], order=[2, 1])
  call push_section(a)
  call push_section(b)
  call push_section(c)
  call push_section(d)
  call push_section(e)
  call push_section(f)
  call push_section(g)
  call push_section(bodies%speed)
  a = 0
  b = 0
  c = 0
  d = 0
  e = 0
  f = 0
  g = 0
  bodies%speed = 0
  call pop_section(bodies%speed)
  call pop_section(g)
  call pop_section(f)
  call pop_section(e)
  call pop_section(d)
  call pop_section(c)
  call pop_section(b)
  call pop_section(a)
  if (any(abs(a - reshape(x, [2, 3])) > 0)) error stop 'reshape'
  if (any(abs(b - spread(x, 2, 3)) > 0)) error stop 'spread'
  if (any(abs(c - cshift(x, 2)) > 0)) error stop 'cshift'
  if (any(abs(d - x(3:)) > 0)) error stop 'pack'
  if (any(abs(e - matmul(square, square)) > 0)) error stop 'matmul'
  if (any(abs(f - eoshift(x, 1)) > 0)) error stop 'eoshift'
  if (any(abs(g - transpose(reshape(x, [3, 2]))) > 0)) error stop 'reshape by rows'
  if (any(abs(bodies%speed - x(4:)) > 0)) error stop 'a component'
  if (any(abs(bodies%mass - x(:3)) > 0)) error stop 'another component'
  if (tape_bytes() /= 0) error stop 'something is left'
  print '(a)', 'done'
end program assigned
