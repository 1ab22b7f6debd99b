program specifiers
  implicit none
  integer :: u, ios, n, length, recl
  character(len=12) :: word
  character(len=20) :: access, form, message
  logical :: exists, opened
  real :: x(2)
  inquire (iolength=length) x
  open (newunit=u, status='scratch', access='direct', recl=length, iostat=ios)
  write (u, rec=1) [1.5, 2.5]
  write (u, rec=3) [3.5, 4.5]
  read (u, rec=3) x
  print *, length > 0, ios, x
  close (unit=u)
  open (newunit=u, status='scratch', access='stream', form='unformatted', action='readwrite')
  write (u) 7, 8, 9
  read (u, pos=5) n
  inquire (unit=u, access=access, form=form, opened=opened, exist=exists)
  print *, n, trim(access), ' ', trim(form), opened, exists
  close (u)
  open (newunit=u, status='scratch', position='rewind', blank='null', pad='yes')
  write (u, '(a)') 'one two', 'three'
  rewind (unit=u, iostat=ios)
  read (u, '(a4)', advance='no', size=n, eor=10, iostat=ios) word
  print *, n, word, ios
10 read (u, '(a)', end=20, err=30, iomsg=message) word
  print *, word
  goto 10
20 print *, 'end'
  backspace u
  endfile u
  inquire (u, recl=recl)
  close (u, status='delete')
  stop
30 print *, 'error'
end program specifiers
