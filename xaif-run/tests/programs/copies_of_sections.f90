! Sections that lie apart are passed as copies: what may be overwritten comes back, what is only read does not.
program copies_of_sections
  implicit none
  integer :: v(10), i
  v = [(i, i=1, 10)]
  call read_beside(v(2:8:2), v(10), v(8))
  print *, v
  call overwritten(v(2:8:3))
  print *, v
contains
  subroutine read_beside(a, b, c)
    integer, intent(in) :: a(3), b
    integer, intent(inout) :: c
    c = b*a(2)
  end subroutine
  subroutine overwritten(a)
    integer, intent(inout) :: a(3)
    a = a + 100
  end subroutine
end program
