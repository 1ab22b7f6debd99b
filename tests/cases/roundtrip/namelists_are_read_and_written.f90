program namelists
  implicit none
  integer :: n = 1
  real :: x(3) = 0.0, alpha = 0.5
  logical :: fast = .false.
  character(len=8) :: name = 'none'
  namelist /setup/ n, x, fast, name
  namelist /model/ alpha
  integer :: u
  open (newunit=u, status='scratch', delim='quote')
  write (u, '(a)') '&setup n = 5, x = 1.0, 2*2.5, name = "test" /'
  write (u, '(a)') '&model', 'alpha = 0.125', '/'
  rewind (u)
  read (u, nml=setup)
  read (u, model)
  close (u)
  print *, n, x, fast, name, alpha
  write (*, nml=setup)
end program namelists
