program io
  implicit none
  character(len=30) :: line
  integer :: i, ios, u
  real :: x, y
  real, dimension(3) :: v = [1.0, 2.5, -3.75]
  character(len=*), parameter :: fmt = '(a, 3(f8.3, :, ","))'
  write (*, fmt) 'v: ', v
  write (*, '(i0, 1x, i5.3, 1x, z4, 1x, b8, 1x, o4)') 42, 7, 255, 5, 8
  write (*, '(es12.4, en12.3, g10.3, e12.4e3)') 12345.678, 12345.678, 0.5, 1.0e-5
  write (*, '(*(i0, :, ";"))') (i*i, i=1, 5)
  write (*, '(a)', advance='no') 'first '
  write (*, '(a)') 'second'
  write (line, '(f10.4)') v(2)
  read (line, *, iostat=ios) x
  print '(f6.2, i4)', x, ios
  line = 'abc'
  read (line, *, iostat=ios) y
  print *, ios /= 0
  open (newunit=u, status='scratch', action='readwrite', form='unformatted')
  write (u) v, 'tail'
  rewind (u)
  read (u, iostat=ios) x, y
  print *, x, y, ios
  close (u)
  write (*, 100) 'labelled', v(1)
100 format (a10, ' = ', f5.1)
  write (*, '(l1, 1x, "it''s", 1x, a)') .true., "a ""quoted"" word"
  flush (6)
end program io
