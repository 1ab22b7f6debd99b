! Pushes what a forward sweep would, takes it back, compares, and prints the peak, three times.
program lifo
  use oxad_tape
  implicit none
  integer, parameter :: n = 100000
  real(8) :: a(100, 100), b(100, 100)
  integer :: round

  call random_number(a)
  b = a
  do round = 1, 3
    call forward
    a = 0
    call backward
    if (tape_bytes() /= 0) error stop "the tape is not empty"
    a = b
    print *, tape_peak()
    ! The second round uses the memory of the first, the third fresh memory.
    if (round == 2) call tape_free()
  end do

contains

  subroutine forward
    integer :: i
    real(8), pointer, contiguous :: room(:)
    do i = 1, n
      call push(real(i, 8))
      if (mod(i, 1000) == 0) call push_section(a(1:100:3, 2:50))
      if (mod(i, 7777) == 0) call push(.true.)
      if (mod(i, 5000) == 0) call push((1.0, 2.0))
    end do
    call push_section(a)
    call push_section(a(:, 5:4))
    call block_alloc(room, n)
    do i = 1, n
      room(i) = 3*i
    end do
    call block_push(room)
    call push(5)
  end subroutine forward

  subroutine backward
    integer :: i, five
    logical :: yes
    complex :: z
    real(8) :: x
    real(8), pointer, contiguous :: room(:)
    call pop(five)
    if (five /= 5) error stop "an integer"
    call block_pop(room)
    if (size(room) /= n) error stop "the size of a popped block"
    do i = n, 1, -1
      if (room(i) /= 3*i) error stop "popped block"
    end do
    call block_free(room)
    call pop_section(a(:, 5:4))
    call pop_section(a)
    if (any(a /= b)) error stop "a whole array"
    do i = n, 1, -1
      if (mod(i, 5000) == 0) then
        call pop(z)
        if (z /= (1.0, 2.0)) error stop "a complex number"
      end if
      if (mod(i, 7777) == 0) then
        yes = .false.
        call pop(yes)
        if (.not. yes) error stop "a logical"
      end if
      if (mod(i, 1000) == 0) then
        a = 0
        call pop_section(a(1:100:3, 2:50))
        if (any(a(1:100:3, 2:50) /= b(1:100:3, 2:50))) error stop "a section"
        if (any(a(2:100:3, :) /= 0)) error stop "beside a section"
      end if
      call pop(x)
      if (x /= i) error stop "a number"
    end do
  end subroutine backward
end program lifo
