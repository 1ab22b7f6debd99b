program spellings
  implicit none
  type :: type
    integer :: type = 3
    real :: real = 1.5
  end type type
  type(type) :: program
  integer :: do, if, end, select, allocate(3), enddo, print
  do = 1
  if = 2
  end = do + if
  select = 5
  allocate(do) = 10
  allocate(2) = program%type
  allocate(3) = 0
  enddo = 4
  print = 6
  if (if == 2) if = if + 1
  do do = 1, 2
    end = end + do
  end do
  print *, do, if, end, select, allocate, enddo, print, program%real
end program spellings
