program nested
  implicit none
  type :: point
    real :: x, y
  end type point
  type :: segment
    type(point) :: from, to
    character(len=8) :: name = 'unnamed'
  end type segment
  type :: mesh
    integer :: n = 0
    type(segment) :: edges(3)
  end type mesh
  type(mesh) :: m
  type(segment), parameter :: unit = segment(point(0.0, 0.0), point(1.0, 1.0), 'unit')
  integer :: i
  do i = 1, 3
    m%edges(i)%from = point(real(i), 0.0)
    m%edges(i)%to%x = m%edges(i)%from%x*2.0
    m%edges(i)%to%y = -1.0
    m%n = m%n + 1
  end do
  m%edges(2) = unit
  m%edges(3)%name(3:4) = 'XX'
  do i = 1, m%n
    print *, m%edges(i)%from, m%edges(i)%to, m%edges(i)%name
  end do
  print *, sum(m%edges%to%x), m%edges(2:3)%from%y
end program nested
