! What is pushed when the tape is deeper than caches are comes back too: sections whose parts have any
! length and begin at any byte.
program deep
  use oxad_tape, only: push, pop, push_section, pop_section, tape_bytes
  implicit none
  integer, parameter :: n = 2200, lengths(6) = [1, 31, 32, 33, 67, 1999]
  real(8), allocatable :: a(:, :), kept(:, :)
  character(len=1), allocatable :: c(:), old(:)
  integer :: i, j, k
  allocate (a(n, n), kept(n, n), c(5000), old(5000))
  do j = 1, n
    do i = 1, n
      a(i, j) = i + 0.5d0*j
    end do
  end do
  do i = 1, size(c)
    c(i) = achar(mod(7*i, 128))
  end do
  kept = a
  old = c
  call push_section(a)
  do k = 1, size(lengths)
    call push_section(c(k:k+lengths(k)-1))
    call push_section(a(k:k+lengths(k)-1, 2:n:70))
    call push(k)
    call push_section(c(lengths(k)+256:lengths(k)+1000))
  end do
  a = 0
  c = ' '
  do k = size(lengths), 1, -1
    call pop_section(c(lengths(k)+256:lengths(k)+1000))
    call pop(i)
    if (i /= k) error stop 'a number'
    call pop_section(a(k:k+lengths(k)-1, 2:n:70))
    call pop_section(c(k:k+lengths(k)-1))
    if (any(c(lengths(k)+256:lengths(k)+1000) /= old(lengths(k)+256:lengths(k)+1000))) error stop 'far'
    if (any(c(k:k+lengths(k)-1) /= old(k:k+lengths(k)-1))) error stop 'characters'
    if (any(a(k:k+lengths(k)-1, 2:n:70) < kept(k:k+lengths(k)-1, 2:n:70))) error stop 'less'
    if (any(a(k:k+lengths(k)-1, 2:n:70) > kept(k:k+lengths(k)-1, 2:n:70))) error stop 'more'
    a = 0
    c = ' '
  end do
  call pop_section(a)
  if (any(a < kept) .or. any(a > kept)) error stop 'the whole'
  if (tape_bytes() /= 0) error stop 'something is left'
  print '(a)', 'done'
end program deep
