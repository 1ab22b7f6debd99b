! Whole arrays of each type that push_array knows, of several ranks and sizes. What push_array records pop_section
! takes back, and the other way round.
program whole_arrays
  use oxad_tape, only: push_array, pop_array, push_section, pop_section, tape_bytes
  use, intrinsic :: iso_c_binding, only: c_size_t
  implicit none
  integer(4) :: i4(3)
  integer(8) :: i8(2, 2)
  real(4) :: r4(5)
  real(8) :: r8(2, 3, 4), none(0)
  complex(4) :: c4(3)
  complex(8) :: c8(2)
  logical(4) :: l4(4)
  real(8), allocatable :: a(:, :), large(:)
  integer(c_size_t) :: before
  integer :: i, j
  i4 = [1, 2, 3]
  i8 = 7_8
  r4 = [(real(i), i=1, 5)]
  r8 = reshape([(1d0*i, i=1, 24)], [2, 3, 4])
  c4 = (1.0, 2.0)
  c8 = (3d0, 4d0)
  l4 = [.true., .false., .true., .true.]
  allocate (a(0:1, -1:1), source=5d0)
  allocate (large(1000000))
  large = [(1d0*i, i=1, 1000000)]
  before = tape_bytes()
  call push_array(i4)
  call push_array(i8)
  call push_array(r4)
  call push_array(r8)
  call push_array(none)
  call push_array(c4)
  call push_array(c8)
  call push_array(l4)
  call push_section(a)
  ! Sections in one piece, and small ones of each size up to 18 numbers.
  call push_array(r8(:, 2:3, 1))
  call push_array(r8(:, 3, 4))
  call push_array(a(:, -1))
  do i = 0, 18
    call push_array(large(i:2*i - 1))
  end do
  do i = 1, 5
    call push_array(large)
  end do
  if (tape_bytes() - before /= 12 + 32 + 20 + 192 + 24 + 32 + 16 + 48 + 48 + 16*(1 + 85) + 8 + 5*8000000) error stop 'size'
  i4 = 0
  i8 = 0
  r4 = 0
  r8 = 0
  c4 = 0
  c8 = 0
  l4 = .false.
  a = 0
  do i = 1, 5
    large = 0
    call pop_array(large)
    if (abs(sum(large) - 500000500000d0) > 0.5d0) error stop 'large'
  end do
  large = 0
  do i = 18, 0, -1
    call pop_array(large(i:2*i - 1))
    if (any(abs(large(i:2*i - 1) - [(1d0*j, j=i, 2*i - 1)]) > 0)) error stop 'few'
  end do
  call pop_array(a(:, -1))
  call pop_array(r8(:, 3, 4))
  call pop_array(r8(:, 2:3, 1))
  if (abs(sum(a) - 10) > 0 .or. any(abs(r8(:, 2:3, 1) - reshape([3, 4, 5, 6], [2, 2])) > 0) &
      .or. abs(sum(r8) - (18 + 23 + 24)) > 0) error stop 'sections'
  call pop_array(a)
  call pop_array(l4)
  call pop_array(c8)
  call pop_array(c4)
  call pop_array(none)
  call pop_section(r8)
  call pop_array(r4)
  call pop_array(i8)
  call pop_array(i4)
  if (any(i4 /= [1, 2, 3]) .or. any(i8 /= 7) .or. count(l4) /= 3 .or. l4(2)) error stop 'integers'
  if (any(abs(r4 - [(real(i), i=1, 5)]) > 0)) error stop 'real(4)'
  if (any(abs(r8 - reshape([(1d0*i, i=1, 24)], [2, 3, 4])) > 0) .or. any(abs(a - 5) > 0)) error stop 'real(8)'
  if (any(abs(c4 - (1.0, 2.0)) > 0) .or. any(abs(c8 - (3d0, 4d0)) > 0)) error stop 'complex'
  if (tape_bytes() /= before) error stop 'left'
  print '(a)', 'done'
end program whole_arrays
