! READ: fields of formats, list-directed records, repeats and null values, files in memory.
program input_of_every_kind
  implicit none
  type :: pair
    integer :: n
    real :: x(2)
  end type pair
  character(40) :: line, two(2), word
  integer :: i, j, k, n, a(5), u, ios
  real :: x, y, z
  real(8) :: d
  complex :: c
  logical :: l
  type(pair) :: p
  namelist /group/ i, a, x, line, c, l
  line = '  12 345  1.5e3-2.25+3 T  abc'
  read (line, '(i4, i4, f7.0, f8.2, l2, a5)') i, j, x, y, l, word
  print *, i, j, x, y, l, word, '|'
  line = '12345678901234567890'
  read (line, '(f5.2, e5.3, -2pf5.0, i5)') x, y, z, i
  print *, x, y, z, i
  read (line, '(t3, i2, tl2, i3, 2x, i1)') i, j, k
  print *, i, j, k
  read (line, '(bz, i2, bn, i3)') i, j
  print *, i, j
  line = '1 2'
  read (line, '(bz, i3)') i
  read (line, '(bn, i3)') j
  print *, i, j
  line = '3*7, , "a ''b""c" 2.5d0 1.5 (1, -2)'
  a = 0
  k = -1
  read (line, *) a(1:3), k, word, d, x, c
  print *, a, k, word, d, x, c
  line = 'one two/three'
  word = 'kept'
  y = 9.0
  read (line, *) two(1), two(2), word, y
  print *, two, word, y
  two(1) = '3 10 20'
  two(2) = '30 40'
  read (two, *) n, (a(i), i=1, n)
  print *, n, a, i
  read (two, '(i1, 1x, i2)') i, j, k
  print *, i, j, k
  line = '5 1.5 2.5'
  read (line, *) p
  print *, p%n, p%x
  line = 'zz'
  read (line, *, iostat=ios) i
  print *, ios /= 0
  read (line, '(z2)', iostat=ios) i
  print *, ios /= 0
  line = 'ff 101 17'
  read (line, '(z2, 1x, b3, 1x, o2)') i, j, k
  print *, i, j, k
  open (newunit=u, status='scratch')
  write (u, *) 1, 2.5, 'text'
  write (u, '(a)') '3, 4', '5', 'six', '&group i = 3, a(2) = 8, 9, x = .5', ' line = "new", c = (1,2) l = t /', '7 8'
  rewind (u)
  read (u, *) i, x, word
  print *, i, x, word
  read (u, *) i, j, k
  print *, i, j, k
  read (u, '(a)') word
  print *, word
  read (u, nml=group)
  print *, i, a, x, line, c, l
  read (u, '(2i2)') i, j
  read (u, *, iostat=ios) k
  print *, i, j, ios
  backspace (u)
  backspace (u)
  read (u, *, iostat=ios) k
  print *, k, ios
  write (u, '(a)', advance='no') 'part '
  write (u, '(i0)') 5
  rewind (u)
  do
    read (u, '(a)', iostat=ios) line
    if (ios /= 0) exit
    print *, trim(line)
  end do
  close (u)
end program input_of_every_kind
