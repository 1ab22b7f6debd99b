module points
  implicit none
  type :: point
    real :: x = 0
  contains
    procedure :: get
    generic :: read (formatted) => get
  end type point
  type :: line
    type(point) :: ends(2)
  end type line
  type :: mark
    integer :: number = 0
  end type mark
  interface read (unformatted)
    module procedure get_mark
  end interface
contains
  subroutine get(dtv, unit, iotype, v_list, iostat, iomsg)
    class(point), intent(inout) :: dtv
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: v_list(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    real :: factor
    read (unit, *, iostat=iostat, iomsg=iomsg) factor
    dtv%x = factor*dtv%x
  end subroutine get
  subroutine get_mark(dtv, unit, iostat, iomsg)
    class(mark), intent(inout) :: dtv
    integer, intent(in) :: unit
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    read (unit, iostat=iostat, iomsg=iomsg) dtv%number
  end subroutine get_mark
  subroutine stretch(a, unit, y)
    real, intent(in) :: a
    integer, intent(in) :: unit
    real, intent(out) :: y
    type(line) :: l
    type(mark) :: m
    integer :: i
    l%ends(1)%x = a
    read (unit, *) (l%ends(i), i = 1, 2)
    read (unit) m
    read (unit, *) l%ends(2)%x
    y = m%number*l%ends(1)%x
  end subroutine stretch
  subroutine named(a, unit, y)
    real, intent(in) :: a
    integer, intent(in) :: unit
    real, intent(out) :: y
    type(point) :: p
    namelist /input/ p
    p%x = a
    read (unit, nml=input)
    y = p%x
  end subroutine named
end module points
