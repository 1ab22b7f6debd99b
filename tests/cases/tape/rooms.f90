! Rooms of loops that also push, have another room each, and call others that do; of every type,
! and of no elements.
program rooms
  use oxad_tape
  implicit none
  real(8) :: x(5, 7)
  integer :: k
  call random_number(x)
  call check(5, 7, x)
  if (tape_bytes() /= 0) error stop "the tape is not empty"
  call types
  if (tape_bytes() /= 0) error stop "the tape is not empty"
  print *, "done"

contains

  subroutine check(m, n, x)
    integer, intent(in) :: m, n
    real(8), intent(inout) :: x(m, n)
    real(8) :: y(m, n)
    real(8), pointer, contiguous :: row(:)
    integer, pointer, contiguous :: counts(:)
    integer :: i, j
    y = x
    call reserve(row, n)
    call reserve(counts, n)
    do j = 1, n
      row(j) = x(1, j)
      counts(j) = j*j
      call push(j)
      call forward(m, x(:, j))
    end do
    call keep(counts)
    call keep(row)
    x = 0
    call reserved(row)
    call reserved(counts)
    do j = n, 1, -1
      call backward(m, x(:, j))
      call pop(k)
      if (k /= j) error stop "what was pushed beside the rooms"
      if (counts(j) /= j*j) error stop "an integer room"
      if (row(j) /= y(1, j)) error stop "a real room"
    end do
    call release(counts)
    call release(row)
    if (associated(row)) error stop "released room"
    do i = 1, m
      if (any(x(i, :) /= y(i, :))) error stop "rooms inside"
    end do
  end subroutine check

  subroutine forward(m, x)
    integer, intent(in) :: m
    real(8), intent(inout) :: x(m)
    real(8), pointer, contiguous :: room(:)
    integer :: i
    call reserve(room, int(m, 8))
    do i = 1, m
      room(i) = x(i)
      x(i) = 2*x(i)
    end do
    call keep(room)
  end subroutine forward

  subroutine backward(m, x)
    integer, intent(in) :: m
    real(8), intent(inout) :: x(m)
    real(8), pointer, contiguous :: room(:)
    integer :: i
    call reserved(room)
    do i = m, 1, -1
      x(i) = room(i)
    end do
    call release(room)
  end subroutine backward

  subroutine types
    real(4), pointer, contiguous :: r(:)
    integer(8), pointer, contiguous :: i(:)
    complex(4), pointer, contiguous :: c(:)
    complex(8), pointer, contiguous :: z(:)
    logical, pointer, contiguous :: l(:), none(:)
    call reserve(r, 3)
    call reserve(i, 100000)
    call reserve(c, 3)
    call reserve(none, -1)
    call reserve(z, 3)
    call reserve(l, 3)
    r = 1
    i = 2
    c = (3.0, 4.0)
    z = (5d0, 6d0)
    l = .true.
    call keep(r)
    call keep(i)
    call keep(none)
    call keep(c)
    call keep(z)
    call keep(l)
    nullify (r, i, c, z, l, none)
    call reserved(l)
    call reserved(z)
    call reserved(c)
    call reserved(none)
    call reserved(i)
    call reserved(r)
    if (.not. all(l)) error stop "logical"
    if (size(none) /= 0) error stop "no room"
    if (any(r /= 1) .or. any(i /= 2) .or. any(c /= (3.0, 4.0)) .or. any(z /= (5d0, 6d0))) then
      error stop "types"
    end if
    if (size(i) /= 100000) error stop "size"
    call release(l)
    call release(z)
    call release(none)
    call release(c)
    call release(i)
    call release(r)
  end subroutine types
end program rooms
