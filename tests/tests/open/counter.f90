module counter
  implicit none
  private
  public :: add, total, show, step_size
  real(8) :: sum_of_all = 0
  real(8), protected :: step_size = 2
  real(8), parameter :: one = 1
  type :: state
    private
    real(8) :: value = 0
    integer :: calls = 0
  contains
    procedure, private :: store
  end type state
  type(state) :: now
  integer :: kept = 1
  integer :: settings = 3
  namelist /choices/ settings
contains
  subroutine add(x)
    real(8), intent(in) :: x
    step_size = one*2
    call now%store(x*x)
    sum_of_all = sum_of_all + step_size*now%value
    kept = kept + now%calls
  end subroutine add
  subroutine store(this, x)
    class(state), intent(inout) :: this
    real(8), intent(in) :: x
    this%value = x*this%value + x
    this%calls = this%calls + 1
  end subroutine store
  subroutine total(y)
    real(8), intent(out) :: y
    y = sum_of_all*kept
  end subroutine total
  subroutine show
    settings = settings + kept
    write (*, choices)
  end subroutine show
end module counter
module uses_it
  use counter
  implicit none
  integer :: kept = 7
  integer, parameter :: settings = 1
contains
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call add(x)
    call add(2*x)
    call total(y)
    y = y*kept*settings
  end subroutine head
end module uses_it
program main
  use uses_it, only: head
  implicit none
  real(8) :: y
  call head(0.5d0, y)
  print '(f12.6)', y
end program main
