module counts
  implicit none
  real :: total = 0
  type :: tally
    integer :: number = 0
  contains
    final :: add_up
  end type tally
  type :: window
    integer :: first = 1
    real, pointer :: seen(:) => null()
  contains
    procedure :: put
    generic :: write (formatted) => put
  end type window
  type :: frame
    real, pointer :: edge(:) => null()
  contains
    final :: wipe
  end type frame
  type :: label
    integer :: number = 0
  end type label
  interface write (formatted)
    module procedure put_label
  end interface
  interface
    subroutine elsewhere(number)
      integer, intent(in) :: number
    end subroutine elsewhere
  end interface
contains
  subroutine add_up(this)
    type(tally), intent(inout) :: this
    call add(total, this%number)
  end subroutine add_up
  subroutine add(sum, number)
    real, intent(inout) :: sum
    integer, intent(in) :: number
    sum = sum + number
  end subroutine add
  subroutine put(dtv, unit, iotype, v_list, iostat, iomsg)
    class(window), intent(in) :: dtv
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: v_list(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    write (unit, *, iostat=iostat, iomsg=iomsg) dtv%seen
    total = 2*total
  end subroutine put
  subroutine wipe(this)
    type(frame), intent(inout) :: this
    this%edge(1) = 0
  end subroutine wipe
  subroutine put_label(dtv, unit, iotype, v_list, iostat, iomsg)
    class(label), intent(in) :: dtv
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: v_list(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    write (unit, *, iostat=iostat, iomsg=iomsg) dtv%number
    call elsewhere(dtv%number)
  end subroutine put_label
  subroutine twice(x)
    real, intent(inout) :: x
    x = 2*x + total
  end subroutine twice
end module counts
