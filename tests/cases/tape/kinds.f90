! One value of every kind that push knows, and scalars that only push_section knows.
program kinds
  use oxad_tape, only: push, pop, push_section, pop_section, tape_bytes
  implicit none
  type :: pair
    integer :: key = 7
    real(8) :: value(3) = [1d0, 2d0, 3d0]
  end type pair
  integer(1) :: i1 = -1_1
  integer(2) :: i2 = 300_2
  integer(4) :: i4 = 70000
  integer(8) :: i8 = 5000000000_8
  real(4) :: r4 = 0.25
  real(8) :: r8 = 0.125d0
  complex(4) :: c4 = (1.0, -2.0)
  complex(8) :: c8 = (3d0, -4d0)
  logical(1) :: l1 = .true._1
  logical(2) :: l2 = .true._2
  logical(4) :: l4 = .true.
  logical(8) :: l8 = .true._8
  character(len=5) :: word = "abcde"
  character(len=3) :: words(2) = ["one", "two"]
  character(len=0) :: nothing
  type(pair) :: p

  call push(i1)
  call push(i2)
  call push(i4)
  call push(i8)
  call push(r4)
  call push(r8)
  call push(c4)
  call push(c8)
  call push(l1)
  call push(l2)
  call push(l4)
  call push(l8)
  call push(word)
  call push(word(2:3))
  nothing = ""
  call push(nothing)
  call push_section(words)
  call push_section(p)
  print *, tape_bytes()
  i1 = 0
  i2 = 0
  i4 = 0
  i8 = 0
  r4 = 0
  r8 = 0
  c4 = 0
  c8 = 0
  l1 = .false.
  l2 = .false.
  l4 = .false.
  l8 = .false.
  word = "-----"
  words = "-"
  p = pair(0, 0d0)
  call pop_section(p)
  call pop_section(words)
  call pop(nothing)
  call pop(word(2:3))
  print *, word
  call pop(word)
  call pop(l8)
  call pop(l4)
  call pop(l2)
  call pop(l1)
  call pop(c8)
  call pop(c4)
  call pop(r8)
  call pop(r4)
  call pop(i8)
  call pop(i4)
  call pop(i2)
  call pop(i1)
  print *, i1, i2, i4, i8, r4, r8, c4, c8, l1, l2, l4, l8, word, " ", words, p
  print *, tape_bytes()
end program kinds
