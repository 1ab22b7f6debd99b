! Blocks of loops that also push, have another room each, and call others that do; of every type,
! and of no elements.
program blocks
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
    call block_alloc(row, n)
    call block_alloc(counts, n)
    do j = 1, n
      row(j) = x(1, j)
      counts(j) = j*j
      call push(j)
      call forward(m, x(:, j))
    end do
    call block_push(counts)
    call block_push(row)
    x = 0
    call block_pop(row)
    call block_pop(counts)
    do j = n, 1, -1
      call backward(m, x(:, j))
      call pop(k)
      if (k /= j) error stop "what was pushed beside the blocks"
      if (counts(j) /= j*j) error stop "an integer room"
      if (row(j) /= y(1, j)) error stop "a real room"
    end do
    call block_free(counts)
    call block_free(row)
    if (associated(row)) error stop "freed block"
    do i = 1, m
      if (any(x(i, :) /= y(i, :))) error stop "blocks inside"
    end do
  end subroutine check

  subroutine forward(m, x)
    integer, intent(in) :: m
    real(8), intent(inout) :: x(m)
    real(8), pointer, contiguous :: room(:)
    integer :: i
    call block_alloc(room, int(m, 8))
    do i = 1, m
      room(i) = x(i)
      x(i) = 2*x(i)
    end do
    call block_push(room)
  end subroutine forward

  subroutine backward(m, x)
    integer, intent(in) :: m
    real(8), intent(inout) :: x(m)
    real(8), pointer, contiguous :: room(:)
    integer :: i
    call block_pop(room)
    do i = m, 1, -1
      x(i) = room(i)
    end do
    call block_free(room)
  end subroutine backward

  subroutine types
    real(4), pointer, contiguous :: r(:)
    integer(8), pointer, contiguous :: i(:)
    complex(4), pointer, contiguous :: c(:)
    complex(8), pointer, contiguous :: z(:)
    logical, pointer, contiguous :: l(:), none(:)
    call block_alloc(r, 3)
    call block_alloc(i, 100000)
    call block_alloc(c, 3)
    call block_alloc(none, -1)
    call block_alloc(z, 3)
    call block_alloc(l, 3)
    r = 1
    i = 2
    c = (3.0, 4.0)
    z = (5d0, 6d0)
    l = .true.
    call block_push(r)
    call block_push(i)
    call block_push(none)
    call block_push(c)
    call block_push(z)
    call block_push(l)
    nullify (r, i, c, z, l, none)
    call block_pop(l)
    call block_pop(z)
    call block_pop(c)
    call block_pop(none)
    call block_pop(i)
    call block_pop(r)
    if (.not. all(l)) error stop "logical"
    if (size(none) /= 0) error stop "no room"
    if (any(r /= 1) .or. any(i /= 2) .or. any(c /= (3.0, 4.0)) .or. any(z /= (5d0, 6d0))) then
      error stop "types"
    end if
    if (size(i) /= 100000) error stop "size"
    call block_free(l)
    call block_free(z)
    call block_free(none)
    call block_free(c)
    call block_free(i)
    call block_free(r)
  end subroutine types
end program blocks
